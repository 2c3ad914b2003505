package drill

// Failures that no second try mends.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/browser"
	"github.com/playguard/playguard/test/machine"
)

// countedBrowser is the machine's browser behind a program that counts its starts.
type countedBrowser struct {
	path string
	t    *testing.T
}

func countBrowser(t *testing.T) countedBrowser {
	t.Helper()
	here := machine.Need(t)
	b := countedBrowser{filepath.Join(t.TempDir(), "browser"), t}
	script := "#!/bin/sh\necho >>\"$0.starts\"\n[ -e \"$0.display\" ] && set -- \"$@\" --headless\nexec \"" + here.Browser.Path + "\" \"$@\"\n"
	if err := os.WriteFile(b.path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return b
}

// started checks how often the browser was started so far.
func (b countedBrowser) started(want int) {
	b.t.Helper()
	data, _ := os.ReadFile(b.path + ".starts") // there is none before the first
	if got := strings.Count(string(data), "\n"); got != want {
		b.t.Errorf("the browser was started %d times, not %d", got, want)
	}
}

// fails calls a tool that must fail with the texts.
func (s *session) fails(tool string, args map[string]any, parts ...string) string {
	s.t.Helper()
	text, failed := s.try(tool, args)
	if !failed {
		s.t.Errorf("%s is answered with:\n%s", tool, text)
	}
	contains(s.t, text, parts...)
	return text
}

// What no second try mends, on the real server: the agent gets the error in
// upstream's words and what to do, nothing is tried twice for a call, and when the
// trouble is over a later call succeeds.
func TestTroubles(t *testing.T) {
	app := serveApp(t)
	login := map[string]any{"url": app.URL + "/login"}

	t.Run("missing browser", func(t *testing.T) {
		t.Parallel()
		b := countBrowser(t)
		s := start(t, app, "--isolated --executable-path "+b.path)
		s.open("/login")
		move := func(from, to string) {
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		}
		move(b.path, b.path+".away")
		s.die(browsers(below(s.Process().Pid)))
		text := s.fails("browser_snapshot", nil, "executable doesn't exist at "+b.path, "The browser is not there", "tries again")
		lacks(t, text, "page that crashes")
		b.started(1)
		move(b.path+".away", b.path)
		s.awaitBackoff()
		s.checkTabs()
		b.started(2)
		s.End()
	})
	t.Run("browser missing from the start", func(t *testing.T) {
		t.Parallel()
		s := start(t, app, "--isolated --executable-path /nowhere/chrome")
		for range 2 {
			s.fails("browser_navigate", login, "executable doesn't exist at /nowhere/chrome", "The browser is not there")
		}
		s.End()
	})
	t.Run("no display", func(t *testing.T) {
		t.Parallel()
		if machine.Need(t).Browser.Kind == browser.HeadlessShell {
			t.Skip("Chromium's headless shell, the browser here, needs no display")
		}
		b := countBrowser(t)
		s := start(t, app, "--isolated --executable-path "+b.path, "PLAYWRIGHT_MCP_HEADLESS=false")
		for i := range 2 {
			text := s.fails("browser_navigate", login, "Missing X server", "There is no display", "--headless")
			lacks(t, text, "--disable-", "<launch", "═")
			b.started(i + 1)
		}
		if err := os.WriteFile(b.path+".display", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s.open("/login")
		s.End()
	})
	t.Run("profile in use", func(t *testing.T) {
		t.Parallel()
		b := countBrowser(t)
		args := "--user-data-dir " + filepath.Join(t.TempDir(), "profile")
		first := start(t, app, args)
		first.open("/login")
		s := start(t, app, args+" --executable-path "+b.path)
		s.fails("browser_navigate", login, "Browser is already in use for", "Another browser uses this profile")
		b.started(0)
		first.checkTabs()
		first.End()
		s.open("/login")
		s.End()
	})
	t.Run("full disk", func(t *testing.T) {
		t.Parallel()
		// A device that is always full: a file system without room takes an administrator.
		full := filepath.Join(t.TempDir(), "full.png")
		if err := os.Symlink("/dev/full", full); err != nil {
			t.Fatal(err)
		}
		s := start(t, app, "--isolated --allow-unrestricted-file-access")
		s.open("/login")
		s.fails("browser_take_screenshot", map[string]any{"filename": full}, "ENOSPC: no space left on device", "The disk is full")
		contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Login")
		s.End()
	})
}
