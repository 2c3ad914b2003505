// Package machine finds what tests and measurements with a real browser need of
// the machine they run on: the pinned Playwright MCP, a browser, and a way to
// start both that talks to nobody.
package machine

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/playguard/playguard/internal/browser"
	"github.com/playguard/playguard/internal/bundle"
	"github.com/playguard/playguard/test/harness"
)

// Found is what there is.
type Found struct {
	bundle.Installed
	Browser browser.Browser
	Bundle  string // the folder of installations
}

// Find looks for everything, and installs the pinned packages into the user's
// cache folder at the first time. It looks once in a process, which must have
// called proctree.Guard: npm runs under a guard.
var Find = sync.OnceValues(find)

func find() (found Found, err error) {
	installed, dataDir, err := harness.Bundle(context.Background())
	if err != nil {
		return found, err
	}
	found.Installed, found.Bundle = installed, filepath.Join(dataDir, "bundle")
	here := browser.System(os.LookupEnv)
	here.CoreDir = found.PlaywrightCore
	found.Browser, err = browser.Find(context.Background(), here)
	return found, err
}

// Need is what a test that drives the real server in a real browser begins with: it
// skips the test under -short, and fails it if something is missing.
func Need(t testing.TB) Found {
	t.Helper()
	if testing.Short() {
		t.Skip("this test needs Playwright MCP and a browser")
	}
	here, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	return here
}

// Direct is the command line of Playwright MCP as PlayGuard starts it, with args
// in front and output as the folder of its files.
func (f Found) Direct(args []string, output string) []string {
	line := append([]string{f.Node, f.PlaywrightCLI}, args...)
	line = append(line, "--executable-path", f.Browser.Path, "--headless", "--codegen", "none", "--output-dir", output)
	if browser.System(os.LookupEnv).NeedsNoSandbox() {
		line = append(line, "--no-sandbox")
	}
	return line
}

// QuietConfig writes a configuration file of Playwright MCP into dir that keeps
// Chromium from talking to anything but this machine, and returns its path.
func QuietConfig(dir string) (string, error) {
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
