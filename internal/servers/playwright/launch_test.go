package playwright

// The command that starts the server, without starting it.

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/browser"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/project"
)

// options are those of a session with some settings, "NAME=value".
func options(t *testing.T, settings ...string) Options {
	t.Helper()
	c, problems := config.Load(func(name string) (string, bool) {
		for _, s := range settings {
			if n, value, _ := strings.Cut(s, "="); n == name {
				return value, true
			}
		}
		return "", false
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return Options{
		Config: c, Dirs: project.Dirs{Root: "/project", QA: "/project/.playguard/.qa"},
		BundleDir: t.TempDir(), Log: slog.New(slog.DiscardHandler),
	}
}

// empty is a machine without a browser.
func empty() browser.Lookup {
	return browser.Lookup{
		GOOS: "linux", Euid: 1000, Home: "/home/u",
		Getenv:     func(string) (string, bool) { return "", false },
		Executable: func(string) bool { return false },
		Exists:     func(string) bool { return false },
		Names:      func(string) []string { return nil },
		Head:       func(string) []byte { return nil },
	}
}

// handOver installs a server by the npm launcher's variables.
func handOver(t *testing.T) {
	t.Setenv(bundledEntryVariable, "/bundle/cli.js")
	t.Setenv(bundledNodeVariable, "/bundle/node")
}

func TestLaunchHandedOver(t *testing.T) {
	handOver(t)
	machine := empty()
	machine.Executable = func(path string) bool { return path == "/usr/bin/chromium" }
	machine.Euid = 0
	cmd, err := launch(t.Context(), options(t, "PLAYWRIGHT_MCP_ARGS=--isolated --caps 'a b'"), []string{"A=1"}, machine)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/bundle/cli.js", "--isolated", "--caps", "a b",
		"--executable-path", "/usr/bin/chromium", "--no-sandbox", "--headless", "--codegen", "none", "--output-dir", "/project/.playguard/.qa",
	}
	if cmd.Path != "/bundle/node" || !slices.Equal(cmd.Args, want) || cmd.Dir != "/project" || !cmd.PrivateTemp || !slices.Equal(cmd.Env, []string{"A=1"}) {
		t.Errorf("the command is %+v, want the arguments %q", cmd, want)
	}
}

func TestLaunchWithoutNodeVariable(t *testing.T) {
	t.Setenv(bundledEntryVariable, "/bundle/cli.js")
	cmd, err := launch(t.Context(), options(t, "PLAYWRIGHT_MCP_ARGS=--browser firefox"), nil, empty())
	if err != nil {
		t.Fatal(err)
	}
	if cmd.Path != "node" {
		t.Errorf("the program is %q", cmd.Path)
	}
}

// Without a browser the error says what to install.
func TestLaunchWithoutBrowser(t *testing.T) {
	handOver(t)
	for system, advice := range map[string]string{
		"linux": "apt install chromium", "darwin": "brew install --cask google-chrome", "windows": "winget install Google.Chrome",
	} {
		machine := empty()
		machine.GOOS = system
		_, err := launch(t.Context(), options(t), nil, machine)
		if !browser.IsNotFound(err) || !strings.Contains(err.Error(), advice) {
			t.Errorf("on %s the error is %v", system, err)
		}
		// A browser that the user names is not looked for.
		if _, err := launch(t.Context(), options(t, "PLAYWRIGHT_MCP_ARGS=--executable-path /mine"), nil, machine); err != nil {
			t.Error(err)
		}
	}
}

func TestLaunchWithoutInstallation(t *testing.T) {
	t.Setenv(bundledEntryVariable, "")
	_, err := launch(t.Context(), options(t, "PLAYGUARD_AUTO_INSTALL=false"), nil, empty())
	if err == nil || !strings.Contains(err.Error(), "`playguard setup`") {
		t.Errorf("the error is %v", err)
	}
}

// A command of the user's own gets no flags; the folder for its files is named
// by the variable, unless the user has named one.
func TestLaunchOwnCommand(t *testing.T) {
	const variable = "PLAYWRIGHT_MCP_OUTPUT_DIR=/project/.playguard/.qa"
	program := filepath.Join(t.TempDir(), "my server")
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		command, args string
		env, wantEnv  []string
		want          []string
	}{
		{"npx -y '@playwright/mcp@latest'", "--headless", []string{"A=1"}, []string{"A=1", variable}, []string{"npx", "-y", "@playwright/mcp@latest", "--headless"}},
		{program, "", nil, []string{variable}, []string{program}},
		{"x --output-dir /o", "", nil, nil, []string{"x", "--output-dir", "/o"}},
		{"x", "--output-dir=/o", nil, nil, []string{"x", "--output-dir=/o"}},
		{"x", "", []string{"PLAYWRIGHT_MCP_OUTPUT_DIR=/o"}, []string{"PLAYWRIGHT_MCP_OUTPUT_DIR=/o"}, []string{"x"}},
	} {
		o := options(t, "PLAYWRIGHT_MCP_CMD="+tt.command, "PLAYWRIGHT_MCP_ARGS="+tt.args)
		cmd, err := launch(t.Context(), o, tt.env, empty())
		if err != nil {
			t.Fatal(err)
		}
		if got := append([]string{cmd.Path}, cmd.Args...); !slices.Equal(got, tt.want) || !slices.Equal(cmd.Env, tt.wantEnv) || !cmd.PrivateTemp {
			t.Errorf("%s %s is run as %q with %q", tt.command, tt.args, got, cmd.Env)
		}
		if spec := Spec(o); spec.Seed != nil {
			t.Error("an own command is listed from the recorded catalogue of the bundled one")
		}
	}
}

// The key of the saved lists holds names of variables and no values.
func TestSpec(t *testing.T) {
	o := options(t, "PLAYWRIGHT_MCP_ARGS=--caps vision")
	o.Environment = []string{"PATH=/p", "PLAYWRIGHT_X=value", "FIGMA_API_KEY=value", "PLAYGUARD_TEXT=short"}
	spec := Spec(o)
	key := strings.Join(spec.Key, " ")
	if strings.Contains(key, "value") || strings.Contains(key, "FIGMA") || !strings.Contains(key, "PLAYWRIGHT_X") || !strings.Contains(key, "vision") {
		t.Errorf("the key is %q", spec.Key)
	}
	if !spec.Eager || spec.Seed == nil || spec.Name != "playwright" {
		t.Errorf("the row is %+v", spec)
	}
	if Spec(options(t, "PLAYGUARD_START=lazy")).Eager {
		t.Error("PLAYGUARD_START=lazy starts the server at once")
	}
}
