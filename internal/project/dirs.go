package project

// Dirs: the folders that PlayGuard writes to.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// FolderName is the name of PlayGuard's folder in a project.
const FolderName = ".playguard"

// Dirs are absolute paths.
type Dirs struct {
	Root   string // the project
	Output string // all artifacts: .playguard in Root, or PLAYGUARD_OUTPUT_DIR
	QA     string // what comes from the site under test: screenshots, traces, downloads
	Logs   string // the call log: Output/logs, or PLAYGUARD_LOG_DIR
}

// Figma is where images from Figma go. It is made by the server that writes them.
func (d Dirs) Figma() string { return filepath.Join(d.Output, ".figma") }

// NewDirs names the folders below root without creating any. output and logs
// are the settings; a relative one counts from root, an empty one means the
// default.
func NewDirs(root, output, logs string) Dirs {
	d := Dirs{Root: root, Output: from(root, output)}
	if output == "" {
		d.Output = filepath.Join(root, FolderName)
	}
	d.QA = filepath.Join(d.Output, ".qa")
	d.Logs = from(root, logs)
	if logs == "" {
		d.Logs = filepath.Join(d.Output, "logs")
	}
	return d
}

// from makes path absolute, counting from root.
func from(root, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(root, path)
}

// Ensure creates the folders and returns them. Those that cannot be written to
// are replaced by a folder of this project below state, and note is a sentence
// that says so (empty otherwise). Only if that fails too there is an error.
//
// A new .playguard gets a .gitignore that covers all of it, because screenshots
// and logs of a logged-in browser do not belong into a repository; a folder that
// the user named is theirs and gets none.
func Ensure(d Dirs, state string) (ensured Dirs, note string, err error) {
	outputErr := errors.Join(writable(d.Output), writable(d.QA))
	if outputErr == nil && filepath.Base(d.Output) == FolderName {
		outputErr = ignoreAll(d.Output)
	}
	fallback := filepath.Join(state, "projects", stateName(d.Root))
	if outputErr != nil {
		failed := d.Output
		logsInside := d.Logs == filepath.Join(d.Output, "logs")
		d.Output = fallback
		d.QA = filepath.Join(fallback, ".qa")
		if logsInside {
			d.Logs = filepath.Join(fallback, "logs")
		}
		if err := errors.Join(writable(d.Output), writable(d.QA)); err != nil {
			return d, "", fmt.Errorf("PlayGuard can write neither to %s (%v) nor to %s (%w); set PLAYGUARD_OUTPUT_DIR to a folder it may write to", failed, reason(outputErr), fallback, reason(err))
		}
		note = fmt.Sprintf("PlayGuard cannot write to %s (%v), so artifacts go to %s; set PLAYGUARD_OUTPUT_DIR or PLAYGUARD_PROJECT_ROOT to choose another place.", failed, reason(outputErr), fallback)
	}
	if logsErr := writable(d.Logs); logsErr != nil {
		failed := d.Logs
		d.Logs = filepath.Join(fallback, "logs")
		if err := writable(d.Logs); err != nil {
			return d, note, fmt.Errorf("PlayGuard can write its log neither to %s (%v) nor to %s (%w); set PLAYGUARD_LOG_DIR to a folder it may write to", failed, reason(logsErr), d.Logs, reason(err))
		}
		if note != "" {
			note += " "
		}
		note += fmt.Sprintf("PlayGuard cannot write its log to %s (%v), so it goes to %s; set PLAYGUARD_LOG_DIR to choose another place.", failed, reason(logsErr), d.Logs)
	}
	return d, note, nil
}

// stateName names a project's folder in the state directory: readable, and
// distinct for two projects of the same name.
func stateName(root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Base(root) + "-" + hex.EncodeToString(sum[:4])
}

// writable creates dir if needed and tries to create a file in it: neither the
// mode bits nor the owner tell about read-only mounts, ACLs and full disks.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	probe, err := os.CreateTemp(dir, ".write-test-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// ignoreAll puts a .gitignore that covers everything into dir, unless there is
// one: a user may have written it to keep some files in the repository.
func ignoreAll(dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString("*\n")
	return errors.Join(err, file.Close())
}

// reason strips operation and path, which the sentence around it already has.
func reason(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
