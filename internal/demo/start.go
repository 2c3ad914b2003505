package demo

// This file decides what is started, with which environment.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/playguard/playguard/internal/argv"
)

// quietBrowser keeps Chromium from talking to anything but this machine.
var quietBrowser = [...]string{
	"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
	"--disable-background-networking",
	"--disable-component-update",
	"--no-first-run",
}

// setting is where a run lives.
type setting struct {
	command []string
	env     []string
	logDir  string // empty when the program writes no log
}

// prepare makes the folders and files of a run below dir.
func prepare(o Options, dir string) (setting, error) {
	args, err := browserArgs(o, dir)
	if err != nil {
		return setting{}, err
	}
	env, err := environment(dir)
	if err != nil {
		return setting{}, err
	}
	if len(o.Command) > 0 {
		return setting{command: append(slices.Clone(o.Command), args...), env: env}, nil
	}
	s := setting{command: []string{o.Executable}, logDir: filepath.Join(dir, "logs")}
	var quoted []string
	for _, a := range args {
		q, err := quoteArg(a)
		if err != nil {
			return setting{}, err
		}
		quoted = append(quoted, q)
	}
	root, output := filepath.Join(dir, "project"), filepath.Join(dir, "output")
	for _, d := range []string{s.logDir, root, output} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return setting{}, fmt.Errorf("a folder of the demo could not be made: %w", err)
		}
	}
	s.env = append(env, // of names that are there twice, the last counts
		"PLAYGUARD_PROJECT_ROOT="+root,
		"PLAYGUARD_OUTPUT_DIR="+output,
		"PLAYGUARD_LOG_DIR="+s.logDir,
		"PLAYWRIGHT_MCP_ARGS="+strings.Join(quoted, " "),
	)
	return s, nil
}

// socketRoom is the longest folder for the browser's temporary files: a socket's
// path has at most 103 bytes on macOS, and Chromium's adds about 45.
const socketRoom = 55

// environment is this process's own, with the browser's temporary files below
// dir, so that those of a killed browser go too. Where that path would be too
// long for its sockets, and on Windows, where files in use cannot be removed, it
// stays as it is.
func environment(dir string) ([]string, error) {
	temp := filepath.Join(dir, "tmp")
	if runtime.GOOS == "windows" || len(temp) > socketRoom {
		return os.Environ(), nil
	}
	if err := os.Mkdir(temp, 0o700); err != nil {
		return nil, fmt.Errorf("a folder of the demo could not be made: %w", err)
	}
	return append(os.Environ(), "TMPDIR="+temp), nil
}

// browserArgs are the arguments of Playwright MCP: a browser without a past,
// which is quiet on the network, and the user's own choice of browser.
func browserArgs(o Options, dir string) ([]string, error) {
	launch := map[string]any{"browser": map[string]any{"launchOptions": map[string]any{"args": quietBrowser}}}
	b, err := json.MarshalIndent(launch, "", "  ")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "playwright.json")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return nil, fmt.Errorf("the browser's settings could not be written: %w", err)
	}
	// The shop reacts at once; the default of half a second after each action
	// would be most of the demo's time.
	args := []string{"--isolated", "--config", file, "--timeout-settle", "150"}
	if !o.Headed {
		args = append(args, "--headless")
	}
	own, err := argv.Split(os.Getenv("PLAYWRIGHT_MCP_ARGS"))
	if err != nil {
		return nil, fmt.Errorf("the environment variable PLAYWRIGHT_MCP_ARGS cannot be read: %w", err)
	}
	for _, name := range []string{"executable-path", "browser"} {
		if value, given := argv.Flag(own, name); given {
			args = append(args, "--"+name, value)
		}
	}
	return args, nil
}

// quoteArg writes an argument so that argv.Split reads it back.
func quoteArg(a string) (string, error) {
	switch {
	case a != "" && !strings.ContainsAny(a, " \t\r\n\"'"):
		return a, nil
	case !strings.Contains(a, `"`):
		return `"` + a + `"`, nil
	case !strings.Contains(a, `'`):
		return `'` + a + `'`, nil
	}
	return "", fmt.Errorf("the argument %s has both kinds of quotes and cannot be passed on", a)
}
