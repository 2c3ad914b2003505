package drill

// A PlayGuard with a browser that is logged in.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/machine"
)

// session is one PlayGuard, its browser and the application.
type session struct {
	*harness.Peer
	t     testing.TB
	app   *App
	scene *harness.Scene
	temp  string
	tabs  []string // addresses that the tabs must have
	at    int      // the current one
	// cutOff closes the port of the user's own browser and opens it again; nil where
	// the browser is PlayGuard's.
	cutOff func()
}

// tempFolder is a folder for the temporary files of a browser, whose name is short
// enough for the sockets in it. A browser that is killed leaves some.
func tempFolder(t testing.TB) string {
	t.Helper()
	temp, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(temp); err != nil {
			t.Errorf("a process that is left still writes to the temporary folder: %v", err)
		}
	})
	return temp
}

// start starts PlayGuard with the bundled Playwright MCP and a browser that talks
// to nobody; args go to Playwright MCP, env to PlayGuard.
func start(t testing.TB, app *App, args string, env ...string) *session {
	t.Helper()
	here := machine.Need(t)
	if !strings.Contains(args, "--timeout-navigation") {
		args = "--timeout-navigation 20000 " + args
	}
	temp := tempFolder(t)
	config, err := machine.QuietConfig(temp)
	if err != nil {
		t.Fatal(err)
	}
	scene := harness.NewScene(t, harness.Setup{Env: append([]string{
		"PLAYWRIGHT_MCP_CMD=",
		`PLAYWRIGHT_MCP_ARGS=--timeout-settle 50 --config "` + config + `" ` + args,
		"TMPDIR=" + temp,
		"DISPLAY=", "WAYLAND_DISPLAY=",
		"PLAYGUARD_AUTO_INSTALL=false",
		"PLAYGUARD_STDERR=debug",
		"PLAYGUARD_PASS_ENV=GORACE",
	}, env...)})
	if err := os.MkdirAll(scene.Path("data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(here.Bundle, scene.Path("data/bundle")); err != nil {
		t.Fatal(err)
	}
	s := &session{Peer: scene.Start(), t: t, app: app, scene: scene, temp: temp}
	s.Init()
	return s
}

// serveApp serves the application until the end of the test.
func serveApp(t testing.TB) *App {
	t.Helper()
	app := Serve()
	t.Cleanup(app.Close)
	return app
}

// loggedIn starts a session over an application of its own and logs in. The first
// tab then shows its home page, and each of the paths is opened in one more, of
// which the last is the current one.
func loggedIn(t testing.TB, args string, tabs ...string) *session {
	t.Helper()
	s := start(t, serveApp(t), args)
	s.logIn()
	for _, path := range tabs {
		s.newTab(path)
	}
	return s
}

// call calls a tool that must not fail.
func (s *session) call(tool string, args map[string]any) string {
	s.t.Helper()
	text, failed := s.try(tool, args)
	if failed {
		s.t.Fatalf("%s %v failed: %s\nstderr:\n%s", tool, args, text, tail(s.Stderr()))
	}
	return text
}

func (s *session) try(tool string, args map[string]any) (text string, failed bool) {
	s.t.Helper()
	return s.answer(s.AskTool(tool, toJSON(s.t, args)))
}

// patience is how long an answer is waited for: a recovery from a hang waits for
// a deadline and then starts everything anew.
const patience = 3 * time.Minute

// answer waits for the answer to a call.
func (s *session) answer(id string) (text string, failed bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	line, err := s.Lines.Wait(ctx, func(line string) bool {
		m := harness.Parse(line)
		return m.Method == "" && string(m.ID) == id
	})
	if err != nil {
		s.t.Fatalf("a call has no answer: %v; stderr:\n%s", err, tail(s.Stderr()))
	}
	return harness.TextOf(s.t, line)
}

// open goes to a page of the application in the current tab.
func (s *session) open(path string) string {
	s.t.Helper()
	if len(s.tabs) == 0 {
		s.tabs = []string{""}
	}
	s.tabs[s.at] = s.app.URL + path
	return s.call("browser_navigate", map[string]any{"url": s.app.URL + path})
}

// logIn logs in by the form, and waits until that is saved.
func (s *session) logIn() {
	s.t.Helper()
	view := s.open("/login")
	s.fillLogin(view)
}

// fillLogin logs in on the page of which view is the first look, and waits until
// that is saved.
func (s *session) fillLogin(view string) {
	s.t.Helper()
	s.enter(view)
	if s.cutOff == nil {
		s.awaitSaved(`"login"`, "apples", "pears")
	}
}

// enter logs in on the page of which view is the first look.
func (s *session) enter(view string) {
	s.t.Helper()
	s.call("browser_fill_form", map[string]any{"fields": []map[string]any{
		{"name": "Name", "element": "Name", "type": "textbox", "target": handle(s.t, view, "Name"), "value": "ada"},
		{"name": "Password", "element": "Password", "type": "textbox", "target": handle(s.t, view, "Password"), "value": "secret"},
	}})
	view = s.call("browser_click", map[string]any{"target": handle(s.t, view, "Log in")})
	if !strings.Contains(view, "Welcome, ada") {
		s.t.Fatalf("the login failed:\n%s", view)
	}
	s.tabs[s.at] = s.app.URL + "/home?new=1"
}

// awaitSaved waits until the saved storage has the texts in it.
func (s *session) awaitSaved(texts ...string) {
	s.t.Helper()
	for deadline := time.Now().Add(harness.Patience); ; {
		data := s.saved()
		missing := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return strings.Contains(data, text) })
		if len(missing) == 0 {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%q is not in the saved storage; stderr:\n%s", missing, tail(s.Stderr()))
		}
		time.Sleep(5 * time.Millisecond) // a file can't be waited on
	}
}

// savedFiles are the files with saved storage.
func (s *session) savedFiles() []string {
	files, err := filepath.Glob(s.scene.Path("state/playguard/session-*/storage.json"))
	if err != nil {
		s.t.Fatal(err)
	}
	return files
}

func (s *session) saved() string {
	for _, file := range s.savedFiles() {
		data, _ := os.ReadFile(file) // it may have been replaced this moment
		return string(data)
	}
	return ""
}

// deaths is how many deaths PlayGuard has known of.
func (s *session) deaths() int { return strings.Count(s.Stderr(), "something has died") }

// awaitDeath waits until PlayGuard knows of more deaths than that.
func (s *session) awaitDeath(deaths int) {
	s.t.Helper()
	for deadline := time.Now().Add(harness.Patience); s.deaths() <= deaths; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("the death does not get about; stderr:\n%s", tail(s.Stderr()))
		}
	}
}

// newTab opens a page in a further tab, which becomes the current one.
func (s *session) newTab(path string) string {
	s.t.Helper()
	s.tabs = append(s.tabs, s.app.URL+path)
	s.at = len(s.tabs) - 1
	return s.call("browser_tabs", map[string]any{"action": "new", "url": s.app.URL + path})
}

var tabAddress = regexp.MustCompile(`(?m)^- \d+: (\(current\) )?\[.*\]\((.*)\)(?: \[crashed\])?$`)

// checkTabs compares the browser's tabs with those that there must be.
func (s *session) checkTabs() {
	s.t.Helper()
	list := s.call("browser_tabs", map[string]any{"action": "list"})
	var got []string
	current := -1
	for i, m := range tabAddress.FindAllStringSubmatch(list, -1) {
		got = append(got, m[2])
		if m[1] != "" {
			current = i
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(s.tabs) || current != s.at {
		s.t.Errorf("the tabs are %q with %d as the current one, not %q with %d", got, current, s.tabs, s.at)
	}
}

// handle is the handle that stands behind a label in a view.
func handle(t testing.TB, view, label string) string {
	t.Helper()
	m := regexp.MustCompile(regexp.QuoteMeta(label) + `[^\n\[]*\[(\d+)\]`).FindStringSubmatch(view)
	if m == nil {
		t.Fatalf("there is no handle behind %q in:\n%s", label, view)
	}
	return m[1]
}

// entries are the lines of the session's call log.
func (s *session) entries() []map[string]any {
	s.t.Helper()
	files, err := filepath.Glob(s.scene.Path("logs/*.ndjson"))
	if err != nil {
		s.t.Fatal(err)
	}
	var all []map[string]any
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var entry map[string]any
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				s.t.Fatal(err)
			}
			all = append(all, entry)
		}
	}
	return all
}

func toJSON(t testing.TB, v any) string {
	t.Helper()
	if v == nil {
		return "{}"
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if string(b) == "null" {
		return "{}"
	}
	return string(b)
}

func tail(text string) string {
	if len(text) > 4000 {
		return "… " + text[len(text)-4000:]
	}
	return text
}

// fruit reads what the application keeps in IndexedDB.
const fruit = `() => new Promise(done => { const r = indexedDB.open('shop', 1); r.onsuccess = () => { const g = r.result.transaction('kept').objectStore('kept').get('fruit'); g.onsuccess = () => done(g.result); }; })`

// keep changes cookie and local storage, so that an older save is not right.
const keep = `() => { localStorage.basket = 'apples %[1]s'; document.cookie = 'seen=%[1]s; path=/'; }`

// lately reads both.
const lately = `() => localStorage.basket + ' ' + document.cookie`

// busy makes the current tab's renderer work.
const busy = `() => { const end = performance.now() + 200; let n = 0; while (performance.now() < end) n++; return n; }`
