// The real Playwright MCP and the browser of this machine.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/playguard/playguard/internal/browser"
	"github.com/playguard/playguard/internal/bundle"
	"github.com/playguard/playguard/test/harness"
)

// machine is what the measurements with a browser need of this machine.
type machine struct {
	bundle.Installed
	browser   browser.Browser
	noSandbox bool   // the browser starts only without its sandbox
	dataDir   string // the folder to point PLAYGUARD_DATA_DIR at
}

// findMachine installs the pinned packages where the tests have them, if they
// are not there, and finds the browser. npm runs under a guard, so main must
// have called proctree.Guard.
func findMachine(ctx context.Context) (machine, error) {
	var m machine
	var err error
	if m.Installed, m.dataDir, err = harness.Bundle(ctx); err != nil {
		return m, err
	}
	here := browser.System(os.LookupEnv)
	here.CoreDir = m.PlaywrightCore
	m.noSandbox = here.NeedsNoSandbox()
	m.browser, err = browser.Find(ctx, here)
	return m, err
}

// quietConfig writes a configuration of Playwright MCP that keeps the browser
// from talking to anything but this machine, and returns its path.
func quietConfig(dir string) (string, error) {
	config, err := json.Marshal(map[string]any{"browser": map[string]any{"launchOptions": map[string]any{"args": []string{
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"--disable-background-networking", "--disable-component-update", "--no-first-run",
	}}}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "playwright.json")
	if err := os.WriteFile(path, config, 0o600); err != nil {
		return "", fmt.Errorf("the browser's settings could not be written: %w", err)
	}
	return path, nil
}
