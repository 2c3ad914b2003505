// Package bundle installs and finds the npm packages that PlayGuard brings along:
// Playwright MCP and axe-core, in the versions of an embedded lock file.
//
// An installation is one folder, named after the hash of the lock file, so that
// PlayGuards of different versions do not disturb each other. It is made under
// another name and renamed when it is whole, and it holds a list of its files
// and their sizes, so that a damaged one is noticed without starting anything.
//
// A new lock file is made in npm/ with
//
//	npm install --package-lock-only --omit-lockfile-registry-resolved
//
// which keeps the registry's host out of it: users behind a mirror install from
// there, and the integrity hashes hold for every source.
package bundle

// What is pinned, and where it goes.

import (
	"crypto/sha256"
	_ "embed" // for the two files of npm/
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"
)

//go:embed npm/package.json
var packageJSON []byte

//go:embed npm/package-lock.json
var packageLock []byte

// Installed is a whole installation. All paths are absolute.
type Installed struct {
	Dir            string // the installation's folder
	PlaywrightCLI  string // the entry of Playwright MCP, run as: node <PlaywrightCLI>
	PlaywrightCore string // the folder of the playwright-core package
	Axe            string // axe.min.js
	Node           string // node as found on the PATH; empty if it is not there (see CheckNode)
}

// Dir is the folder that installations are kept in: bundle in override
// (PLAYGUARD_DATA_DIR) or, if that is empty, in the user's data directory.
func Dir(override string) (string, error) {
	if override == "" {
		return filepath.Join(xdg.DataHome, "playguard", "bundle"), nil
	}
	dir, err := filepath.Abs(override)
	if err != nil {
		return "", fmt.Errorf("the folder for the bundled packages %q is relative and the working directory is gone (%w); make PLAYGUARD_DATA_DIR absolute", override, err)
	}
	return filepath.Join(dir, "bundle"), nil
}

// Versions gives the pinned version of each package, by the package's name.
func Versions() map[string]string {
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(packageJSON, &manifest); err != nil {
		// The file is part of this program, and a test reads it.
		panic("the embedded package.json is not valid: " + err.Error())
	}
	return manifest.Dependencies
}

// key names the installation of the pinned packages.
func key() string {
	sum := sha256.New()
	sum.Write(packageJSON)
	sum.Write(packageLock)
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// title names what is installed, for progress lines.
func title() string {
	v := Versions()
	return fmt.Sprintf("Playwright MCP %s and axe-core %s", v["@playwright/mcp"], v["axe-core"])
}
