// Package framelink runs the real figma-developer-mcp without a network: it
// installs the server, and plays the Figma REST API for it with files of the
// tests' own.
//
// The server has Figma's address built in, so it is started with a proxy, which
// leads every connection to the fake; the fake's certificate is signed by a CA of
// the test, which the server trusts by NODE_EXTRA_CA_CERTS. Its code is as it is.
package framelink

// Installing the server, once per machine.

import (
	"context"
	"crypto/sha256"
	_ "embed" // for the two files of npm/
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A new lock file is made in npm/ with
//
//	npm install --package-lock-only --omit-lockfile-registry-resolved

//go:embed npm/package.json
var packageJSON []byte

//go:embed npm/package-lock.json
var packageLock []byte

const (
	// installPatience is how long npm may take.
	installPatience = 5 * time.Minute
	lockPoll        = 200 * time.Millisecond
)

// Entry returns the server's entry, run as: node <entry> --stdio. It installs the
// server into the user's cache folder at the first time on this machine.
var Entry = sync.OnceValues(install)

func install() (entry string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), installPatience)
	defer cancel()
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(packageLock)
	parent := filepath.Join(cache, "playguard-test", "framelink")
	dir := filepath.Join(parent, hex.EncodeToString(sum[:8]))
	entry = filepath.Join(dir, "node_modules", "figma-developer-mcp", "dist", "bin.js")
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	// Tests of several packages start at the same time.
	lock := flock.New(filepath.Join(parent, "install.lock"))
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		return "", fmt.Errorf("another test installs figma-developer-mcp and does not end: %w", err)
	}
	defer lock.Close()
	if _, err := os.Stat(filepath.Join(dir, "installed")); err == nil {
		return entry, nil
	}
	if err := os.RemoveAll(dir); err != nil { // what a killed installation has left
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
	npm := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--include=dev", "--no-audit", "--no-fund", "--no-progress")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("figma-developer-mcp can't be installed, which these tests drive; npm must reach a registry: %w\n%s", err, out)
	}
	return entry, os.WriteFile(filepath.Join(dir, "installed"), nil, 0o644)
}
