package bundle

// Locating: whether a whole installation is there.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// listName is the file with the sizes of all others. Its time of modification
// is when the installation was last used, to within lastUsedStep.
const (
	listName     = "files.json"
	lastUsedStep = 24 * time.Hour
)

// Locate finds the installation of the pinned packages in dir and reports
// whether it is there and whole. It starts no process; it reads one list and
// looks at the size of each file on it, about two hundred. It marks the
// installation as used.
func Locate(dir string) (Installed, bool) {
	target := filepath.Join(dir, key())
	if verify(target) != nil {
		return Installed{}, false
	}
	installed, err := paths(target)
	if err != nil {
		return Installed{}, false
	}
	markUsed(target)
	// Without node the installation is still whole; CheckNode says what to do.
	if node, err := exec.LookPath("node"); err == nil {
		installed.Node = node
	}
	return installed, true
}

// paths finds the entries in an installation.
func paths(target string) (Installed, error) {
	mcp := filepath.Join(target, "node_modules", "@playwright", "mcp")
	cli, err := binOf(mcp)
	if err != nil {
		return Installed{}, err
	}
	installed := Installed{
		Dir:            target,
		PlaywrightCLI:  cli,
		PlaywrightCore: filepath.Join(target, "node_modules", "playwright-core"),
		Axe:            filepath.Join(target, "node_modules", "axe-core", "axe.min.js"),
	}
	for _, path := range []string{installed.PlaywrightCLI, filepath.Join(installed.PlaywrightCore, "package.json"), installed.Axe} {
		info, err := os.Stat(path)
		if err != nil {
			return Installed{}, err
		}
		if !info.Mode().IsRegular() || info.Size() == 0 {
			return Installed{}, fmt.Errorf("%s is not a file or is empty", path)
		}
	}
	return installed, nil
}

// binOf reads the program's entry from a package's package.json.
func binOf(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var manifest struct {
		Bin map[string]string `json:"bin"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", filepath.Join(dir, "package.json"), err)
	}
	bin := manifest.Bin["playwright-mcp"]
	if bin == "" || !filepath.IsLocal(filepath.FromSlash(bin)) {
		return "", fmt.Errorf("%s names no program playwright-mcp", filepath.Join(dir, "package.json"))
	}
	return filepath.Join(dir, filepath.FromSlash(bin)), nil
}

// listFiles gives the size of every file below root, by its slash-separated
// path. Links, such as npm's in .bin, and the list itself are left out.
func listFiles(root string) (map[string]int64, error) {
	sizes := map[string]int64{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if rel != listName {
			sizes[filepath.ToSlash(rel)] = info.Size()
		}
		return nil
	})
	return sizes, err
}

// writeList makes an installation one that verify accepts. It is written last.
func writeList(root string) error {
	sizes, err := listFiles(root)
	if err != nil {
		return err
	}
	data, err := json.Marshal(sizes)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, listName), data, 0o644)
}

// verify says what is wrong with an installation: a missing list, or a file
// that is missing or has another size than when it was installed.
func verify(root string) error {
	data, err := os.ReadFile(filepath.Join(root, listName))
	if err != nil {
		return err
	}
	var sizes map[string]int64
	if err := json.Unmarshal(data, &sizes); err != nil {
		return fmt.Errorf("the list of files is damaged: %w", err)
	}
	if len(sizes) == 0 {
		return errors.New("the list of files is empty")
	}
	for rel, size := range sizes {
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(rel)))
		if err != nil {
			return err
		}
		if info.Size() != size {
			return fmt.Errorf("%s has %d bytes instead of %d", strings.TrimPrefix(rel, "node_modules/"), info.Size(), size)
		}
	}
	return nil
}

// markUsed notes that the installation is in use. A failure only makes it look
// older than it is, and a read-only one is not removed anyway.
func markUsed(root string) {
	list := filepath.Join(root, listName)
	if info, err := os.Stat(list); err == nil && time.Since(info.ModTime()) > lastUsedStep {
		now := time.Now()
		_ = os.Chtimes(list, now, now)
	}
}
