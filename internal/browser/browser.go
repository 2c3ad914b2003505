// Package browser finds the Chromium-based browser that this machine has.
package browser

// Find and what it needs to know about the machine.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/adrg/xdg"
)

// Kind is a family of browsers.
type Kind string

// The kinds, in the order in which they are preferred: what the user browses
// with before what only a test tool installed.
const (
	Chrome   Kind = "chrome"
	Chromium Kind = "chromium"
	Edge     Kind = "msedge"
	// Playwright is a build that Playwright downloaded into its own cache.
	Playwright Kind = "playwright"
	// HeadlessShell is Playwright's download that cannot open a window.
	HeadlessShell Kind = "headless-shell"
)

// Browser is one that was found.
type Browser struct {
	Path   string // the executable, absolute
	Kind   Kind
	Source string // how it was found, to follow "found": "on the PATH", "in its standard place"
}

// Lookup is the machine as Find sees it. Paths are in the form of GOOS, which
// need not be the system that this program runs on.
type Lookup struct {
	GOOS   string
	Euid   int    // effective user id; -1 on Windows
	Home   string // the home directory
	Cwd    string // the working directory
	Getenv func(name string) (string, bool)
	// CoreDir is the folder of the playwright-core package, where browsers are
	// if PLAYWRIGHT_BROWSERS_PATH is 0; empty if it is not known.
	CoreDir string

	// Executable reports whether path is a file that can be run.
	Executable func(path string) bool
	// Exists reports whether there is anything at path.
	Exists func(path string) bool
	// Names lists the names in a folder, nil if it cannot be read.
	Names func(dir string) []string
	// Head returns the first few kilobytes of a file, nil if it cannot be read.
	Head func(path string) []byte
}

// System is the Lookup of the machine that this program runs on. getenv has the
// form of os.LookupEnv.
func System(getenv func(string) (string, bool)) Lookup {
	// Without a working directory only a relative PLAYWRIGHT_BROWSERS_PATH is lost.
	cwd, _ := os.Getwd()
	return Lookup{
		GOOS:   runtime.GOOS,
		Euid:   os.Geteuid(),
		Home:   xdg.Home,
		Cwd:    cwd,
		Getenv: getenv,
		Executable: func(path string) bool {
			info, err := os.Stat(path)
			return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
		},
		Exists: func(path string) bool {
			_, err := os.Stat(path)
			return err == nil
		},
		Names: func(dir string) []string {
			entries, err := os.ReadDir(dir)
			if err != nil {
				return nil
			}
			names := make([]string, len(entries))
			for i, entry := range entries {
				names[i] = entry.Name()
			}
			return names
		},
		Head: func(path string) []byte {
			file, err := os.Open(path)
			if err != nil {
				return nil
			}
			defer file.Close()
			head, err := io.ReadAll(io.LimitReader(file, 4096))
			if err != nil {
				return nil
			}
			return head
		},
	}
}

// NotFoundError says that there is no browser and how to get one.
type NotFoundError struct{ GOOS string }

func (e *NotFoundError) Error() string {
	install := "install chromium with the system's package manager (on Debian: sudo apt install chromium)"
	switch e.GOOS {
	case "darwin":
		install = "install Google Chrome (brew install --cask google-chrome)"
	case "windows":
		install = "install Google Chrome (winget install Google.Chrome) or Microsoft Edge"
	}
	return fmt.Sprintf(`no Chrome, Chromium, Edge or Playwright build was found on this machine; %s, or run npx playwright install chromium, or name one with PLAYWRIGHT_MCP_ARGS="--executable-path PATH"`, install)
}

// Find returns the browser to use: the first of the kinds, in their order, that
// is on the PATH, in its standard place or in Playwright's cache. A Chromium in
// a snap comes last, because its confinement keeps it from the temporary
// profiles that Playwright makes. The error is a *NotFoundError, or the
// context's.
func Find(ctx context.Context, env Lookup) (Browser, error) {
	for _, search := range env.searches() {
		// Folders may lie on a network file system that hangs.
		if err := ctx.Err(); err != nil {
			return Browser{}, fmt.Errorf("the search for a browser was broken off: %w", context.Cause(ctx))
		}
		if b, ok := search(); ok {
			return b, nil
		}
	}
	return Browser{}, &NotFoundError{env.GOOS}
}

// IsNotFound reports whether err says that there is no browser.
func IsNotFound(err error) bool {
	_, ok := errors.AsType[*NotFoundError](err)
	return ok
}

// NeedsNoSandbox reports whether Chromium refuses to start with its sandbox: as
// root on Linux.
func (l Lookup) NeedsNoSandbox() bool { return l.GOOS == "linux" && l.Euid == 0 }

// HasDisplay reports whether a window can be opened. Linux and the other Unix
// systems say so in the environment; macOS and Windows always have a display as
// far as can be told.
func (l Lookup) HasDisplay() bool {
	if l.GOOS == "windows" || l.GOOS == "darwin" {
		return true
	}
	return l.value("DISPLAY") != "" || l.value("WAYLAND_DISPLAY") != ""
}

func (l Lookup) value(name string) string {
	value, _ := l.Getenv(name)
	return value
}
