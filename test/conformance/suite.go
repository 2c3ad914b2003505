// Installing and running the suite.

package conformance

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// minNode is the oldest Node that the suite runs on.
const minNode = 22

//go:embed package.json
var packageJSON []byte

//go:embed package-lock.json
var packageLock []byte

// Install puts the suite into the user's cache, unless it is there already, and
// returns its folder.
func Install(ctx context.Context) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(packageLock)
	dir := filepath.Join(cache, "playguard-conformance", hex.EncodeToString(sum[:8]))
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return dir, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for name, data := range map[string][]byte{"package.json": packageJSON, "package-lock.json": packageLock} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return "", err
		}
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", fmt.Errorf("the conformance suite needs npm: install Node 20 or newer, which brings it (%w)", err)
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the conformance suite could not be installed; check that npm reaches its registry: %w\n%s", err, out)
	}
	return dir, os.WriteFile(filepath.Join(dir, "complete"), nil, 0o644)
}

// node returns a Node that is new enough: the machine's, or the one that was
// installed with the suite.
func node(dir string) (string, error) {
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	packaged := filepath.Join(dir, "node_modules", "node-"+runtime.GOOS+"-"+arch, "bin", "node")
	for _, path := range []string{"node", packaged} {
		out, err := exec.Command(path, "--version").Output()
		if err != nil {
			continue
		}
		major, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "v"), ".")
		if n, err := strconv.Atoi(major); err == nil && n >= minNode {
			return path, nil
		}
	}
	return "", fmt.Errorf("the conformance suite needs Node %d or newer: install it", minNode)
}

// Outcome is the status of each check ("SUCCESS", "FAILURE", …) by the name of
// its scenario and its own id. Checks that occur several times are counted.
type Outcome map[string]int

// Run runs the suite against the server at a URL. results is an empty folder
// for the suite's files.
func Run(ctx context.Context, dir, url, results string) (Outcome, error) {
	path, err := node(dir)
	if err != nil {
		return nil, err
	}
	entry := filepath.Join(dir, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
	cmd := exec.CommandContext(ctx, path, entry, "server", "--url", url, "--spec-version", "2025-11-25", "--output-dir", results)
	// A check that fails makes the suite fail; the comparison is ours.
	out, _ := cmd.CombinedOutput()
	outcome, err := readOutcome(results)
	if err != nil || len(outcome) == 0 {
		return nil, fmt.Errorf("the conformance suite left no results (%v); it printed:\n%s", err, out)
	}
	return outcome, nil
}

// readOutcome reads the files checks.json that the suite leaves, one folder for
// each scenario; the folder's name ends with the time.
func readOutcome(results string) (Outcome, error) {
	outcome := Outcome{}
	err := filepath.WalkDir(results, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "checks.json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var checks []struct{ ID, Status string }
		if err := json.Unmarshal(data, &checks); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		scenario, _, _ := strings.Cut(filepath.Base(filepath.Dir(path)), "-20")
		for _, c := range checks {
			outcome[scenario+" / "+c.ID+": "+c.Status]++
		}
		return nil
	})
	return outcome, err
}
