// Starting PlayGuard with the real Playwright MCP and a browser that leaves
// nothing behind and talks to nobody.

package e2e

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/proctree"
	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/machine"
)

func TestMain(m *testing.M) {
	proctree.Guard() // the installation runs npm under a guard
	os.Exit(harness.Main(m))
}

// stage is a scene whose Playwright MCP is the bundled one.
type stage struct {
	*harness.Scene
	// Temp is the folder of temporary files of everything that is started. Its
	// path is short, because sockets of the browser lie in it, and is part of
	// the browser's command line.
	Temp string
	// Config is a configuration file of Playwright MCP that keeps the browser
	// quiet.
	Config string
}

// newStage lays out a stage. The setup's Env may replace what is set here.
func newStage(t testing.TB, setup harness.Setup) *stage {
	t.Helper()
	here := machine.Need(t)
	s := &stage{Temp: shortTemp(t)}
	s.Config = quietConfig(t, s.Temp)
	setup.Env = append([]string{
		"PLAYWRIGHT_MCP_CMD=",
		"PLAYWRIGHT_MCP_ARGS=" + s.Args(),
		"TMPDIR=" + s.Temp,
		"DISPLAY=", "WAYLAND_DISPLAY=", // headless
		"PLAYGUARD_AUTO_INSTALL=false",
		// These tests look at the compact view itself, beside upstream's answers;
		// what an action shows is the agents' tests' concern.
		"PLAYGUARD_REFS=upstream", "PLAYGUARD_ACTION_VIEW=link", "PLAYGUARD_DELTA=false",
		// A program with the race detector sleeps a second before it ends, and so
		// does each of its guards, unless it is told not to.
		"GORACE=" + strings.TrimSpace(os.Getenv("GORACE")+" atexit_sleep_ms=0"),
		"PLAYGUARD_PASS_ENV=GORACE",
	}, setup.Env...)
	s.Scene = harness.NewScene(t, setup)
	// The installation is shared, the saved catalogues beside it are not.
	if err := os.MkdirAll(s.Path("data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(here.Bundle, s.Path("data/bundle")); err != nil {
		t.Fatal(err)
	}
	return s
}

// Args are the arguments of Playwright MCP on every stage: a browser without a
// past, and little waiting after actions.
func (s *stage) Args() string { return `--isolated --timeout-settle 50 --config "` + s.Config + `"` }

// shortTemp is a temporary folder whose path is short.
func shortTemp(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("a process that is left still writes to the temporary folder: %v", err)
		}
	})
	return dir
}

// quietConfig writes a configuration that keeps Chromium from talking to
// anything but this machine.
func quietConfig(t testing.TB, dir string) string {
	t.Helper()
	path, err := machine.QuietConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// open starts PlayGuard on a stage of its own and does the handshake.
func open(t testing.TB, env ...string) (*stage, *harness.Peer) {
	t.Helper()
	s := newStage(t, harness.Setup{Env: env})
	p := s.Start()
	p.Init()
	return s, p
}

// navigate opens a page.
func navigate(t testing.TB, p *harness.Peer, url string) {
	t.Helper()
	call(t, p, "browser_navigate", map[string]any{"url": url})
}

// call calls a tool that must not fail and returns its text.
func call(t testing.TB, p *harness.Peer, tool string, arguments map[string]any) string {
	t.Helper()
	text, isError := attempt(t, p, tool, arguments)
	if isError {
		t.Fatalf("%s failed: %s", tool, text)
	}
	return text
}

// attempt calls a tool and returns its text and whether it is an error.
func attempt(t testing.TB, p *harness.Peer, tool string, arguments map[string]any) (text string, isError bool) {
	t.Helper()
	if arguments == nil {
		arguments = map[string]any{}
	}
	return p.Text(tool, mustJSON(t, arguments))
}

// look takes a snapshot.
func look(t testing.TB, p *harness.Peer, arguments map[string]any) string {
	t.Helper()
	return call(t, p, "browser_snapshot", arguments)
}

// contains fails for each part that the text does not have.
func contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, clip(text))
		}
	}
}

// lacks fails for each part that the text has.
func lacks(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q must not be in:\n%s", part, clip(text))
		}
	}
}

func clip(text string) string {
	if len(text) > 6000 {
		return text[:3000] + "\n…\n" + text[len(text)-3000:]
	}
	return text
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
