package playwright

// Saved storage and its folder.

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/transport"
)

// The folder of a session is private, what is saved can be read again, and
// nothing of it stays; that of a session which is no more is removed.
func TestSaved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	old := filepath.Join(dir, statePrefix+strconv.Itoa(1<<30)+"-x")
	if err := os.MkdirAll(old, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := newSaved(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); err == nil {
		t.Error("the folder of a session that is no more is still there")
	}
	if got := s.read(); got != nil {
		t.Errorf("before anything was saved there is %q", got)
	}
	for _, state := range []string{`{"cookies":[1]}`, `{"cookies":[2]}`} {
		if err := s.write([]byte(state), 0); err != nil {
			t.Fatal(err)
		}
		if got := s.read(); string(got) != state {
			t.Errorf("saved is %q instead of %q", got, state)
		}
	}
	for path, want := range map[string]os.FileMode{s.dir: 0o700, filepath.Join(s.dir, stateFile): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("the mode of %s is %v", path, info.Mode().Perm())
		}
	}
	s.forget()
	if got := s.read(); got != nil {
		t.Errorf("after the browser was closed there is %q", got)
	}
	s.remove()
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("the folder is left")
	}
	if err := s.write([]byte("{}"), s.closings()); err == nil {
		t.Error("something is saved after the end")
	}
	var none *saved // nowhere to save to
	none.forget()
	none.remove()
	if none.read() != nil {
		t.Error("nothing saved is something")
	}
}

// A living session keeps its folder when another one starts, whatever the ids of
// their processes say.
func TestSavedOfTheLiving(t *testing.T) {
	dir := t.TempDir()
	one, err := newSaved(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	stranger := filepath.Join(dir, statePrefix+strconv.Itoa(1<<30)+"-x") // as another namespace has it
	if err := os.Mkdir(stranger, 0o700); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(stranger, lockFile))
	if locked, err := lock.TryLock(); !locked {
		t.Fatal(err)
	}
	two, err := newSaved(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{one.dir, stranger, two.dir} {
		if _, err := os.Stat(folder); err != nil {
			t.Errorf("a living session's folder is gone: %v", err)
		}
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	three, err := newSaved(dir, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stranger); err == nil {
		t.Error("the folder stays although its session is no more")
	}
	for _, s := range []*saved{one, two, three} {
		s.remove()
	}
	if left, err := filepath.Glob(filepath.Join(dir, statePrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("%q are left (%v)", left, err)
	}
}

// What is being saved when the agent closes the browser is not kept.
func TestClosedWhileSaving(t *testing.T) {
	s, err := newSaved(t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	before := s.closings()
	s.forget()
	if err := s.write([]byte(`{"cookies":["login"]}`), before); !errors.Is(err, errClosed) {
		t.Errorf("writing says %v", err)
	}
	if got := s.read(); got != nil {
		t.Errorf("the next session gets %s", got)
	}
	if err := s.write([]byte(`{}`), s.closings()); err != nil {
		t.Error(err)
	}
}

// What could not be collected now stays as it was saved before, and nothing else.
func TestSavedIsNotThinned(t *testing.T) {
	s, err := newSaved(t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	for _, step := range []struct{ what, state, want string }{
		{"nothing is stored", `{"cookies":[0],"origins":[{"origin":"http://c","localStorage":[],"indexedDB":[]}]}`, `{"cookies":[0],"origins":[]}`},
		{"two origins", `{"cookies":[1],"origins":[{"origin":"http://a","localStorage":[1],"indexedDB":[{"name":"x"}],"unread":[]},{"origin":"http://b","localStorage":[2],"indexedDB":[{"name":"y"},{"name":"z"}]}]}`,
			`{"cookies":[1],"origins":[{"origin":"http://a","localStorage":[1],"indexedDB":[{"name":"x"}]},{"origin":"http://b","localStorage":[2],"indexedDB":[{"name":"y"},{"name":"z"}]}]}`},
		{"one is shown no more, and a database of the other can't be read", `{"cookies":[2],"origins":[{"origin":"http://b","localStorage":[3],"indexedDB":[{"name":"w"}],"unread":["z","new"]}]}`,
			`{"cookies":[2],"origins":[{"origin":"http://b","localStorage":[3],"indexedDB":[{"name":"w"},{"name":"z"}]},{"origin":"http://a","localStorage":[1],"indexedDB":[{"name":"x"}]}]}`},
		{"no database can be read", `{"cookies":[2],"origins":[{"origin":"http://b","localStorage":[4]}]}`,
			`{"cookies":[2],"origins":[{"origin":"http://b","localStorage":[4],"indexedDB":[{"name":"w"},{"name":"z"}]},{"origin":"http://a","localStorage":[1],"indexedDB":[{"name":"x"}]}]}`},
		{"an origin has been emptied", `{"cookies":[3],"origins":[{"origin":"http://b","localStorage":[],"indexedDB":[]}]}`,
			`{"cookies":[3],"origins":[{"origin":"http://b","localStorage":[],"indexedDB":[]},{"origin":"http://a","localStorage":[1],"indexedDB":[{"name":"x"}]}]}`},
		{"another form", `no state`, `no state`},
	} {
		if err := s.write([]byte(step.state), 0); err != nil {
			t.Fatal(err)
		}
		if got := string(s.read()); got != step.want && !sameJSON(got, step.want) {
			t.Errorf("%s: there is %s", step.what, got)
		}
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// A change that could not be saved while a call was under way is saved behind it,
// whatever the call was.
func TestAnsweredArms(t *testing.T) {
	for _, c := range []struct {
		tool         string
		kind         repeat
		dirty, armed bool
	}{
		{snapshotTool, reading, false, false},
		{snapshotTool, reading, true, true},
		{"browser_wait_for", reading, false, true},
		{"browser_click", acts, false, true},
	} {
		v := newRecovery(nil, "")
		v.active, v.dirty = 1, c.dirty
		v.answered(&sent{tool: c.tool, kind: c.kind})
		if armed := len(v.touched) > 0; armed != c.armed {
			t.Errorf("after %s with dirty %t the saving is armed: %t", c.tool, c.dirty, armed)
		}
	}
}

// Closing the browser tells a restoration that is under way.
func TestStillOn(t *testing.T) {
	v := newRecovery(nil, "")
	if err := v.stillOn("", v.generation); err != nil {
		t.Error(err)
	}
	before := v.generation
	v.drop()
	if err := v.stillOn("", before); err == nil {
		t.Error("a restoration goes on although the browser was closed")
	}
}

func TestOnDisk(t *testing.T) {
	isolated := configFile{}
	isolated.Browser.Isolated = true
	for name, c := range map[string]struct {
		given flags
		want  bool
	}{
		"nothing":         {flags{}, true},
		"own folder":      {flags{args: []string{"--user-data-dir", "/p"}}, true},
		"isolated":        {flags{args: []string{"--isolated"}}, false},
		"by the variable": {flags{env: []string{"PLAYWRIGHT_MCP_ISOLATED=true"}}, false},
		"variable off":    {flags{env: []string{"PLAYWRIGHT_MCP_ISOLATED=false"}}, true},
		"by the file":     {flags{file: isolated}, false},
		"remote":          {flags{args: []string{"--cdp-endpoint", "http://x"}}, false},
	} {
		if got := c.given.onDisk(); got != c.want {
			t.Errorf("%s: the storage is kept on disk: %t", name, got)
		}
	}
}

func TestDeadlines(t *testing.T) {
	o := Options{Config: &config.Config{
		BrowserTimeout: 10 * time.Second,
		ToolTimeouts:   map[string]time.Duration{"browser_run_code_unsafe": time.Minute, "browser_drag": 0},
		PlaywrightArgs: []string{"--timeout-navigation", "20000"},
	}}
	limit := deadlines(o, []string{"PLAYWRIGHT_MCP_TIMEOUT_ACTION=1000"})
	for call, want := range map[string]time.Duration{
		`{"name":"browser_click","arguments":{}}`:                     11 * time.Second,
		`{"name":"browser_navigate","arguments":{"url":"x"}}`:         30 * time.Second,
		`{"name":"browser_tabs","arguments":{"action":"new"}}`:        30 * time.Second,
		`{"name":"browser_wait_for","arguments":{"time":2.5}}`:        13500 * time.Millisecond,
		`{"name":"browser_wait_for","arguments":{"time":"long"}}`:     11 * time.Second,
		`{"name":"browser_run_code_unsafe","arguments":{"code":"x"}}`: time.Minute,
		`{"name":"browser_drag"}`:                                     0,
	} {
		if got := limit([]byte(call)); got != want {
			t.Errorf("%s may take %s, not %s", call, got, want)
		}
	}
	o.Config.BrowserTimeout = 0
	if got := deadlines(o, nil)([]byte(`{"name":"browser_click"}`)); got != 0 {
		t.Errorf("without a limit a click may take %s", got)
	}
}

// The script is added to the user's own init pages and replaces none; it is there
// when the server starts, whoever has removed it.
func TestWatchedBy(t *testing.T) {
	r := newRow(Options{Config: &config.Config{}, Log: slog.New(slog.DiscardHandler), StateDir: t.TempDir()})
	closed := r.recovery.open(nil)
	defer closed()
	own := r.recovery.watch.Script()
	if err := os.RemoveAll(filepath.Dir(own)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		given  flags
		custom bool
		args   []string // behind the command's own
		env    bool
	}{
		"nothing given":    {flags{}, false, []string{"--init-page", own}, false},
		"on the line":      {flags{args: []string{"--init-page", "a.ts"}}, false, []string{"--init-page", own}, false},
		"by the variable":  {flags{env: []string{"PLAYWRIGHT_MCP_INIT_PAGE=a.ts"}}, false, []string{"--init-page", "a.ts", "--init-page", own}, false},
		"own command":      {flags{}, true, nil, true},
		"own command, set": {flags{env: []string{"PLAYWRIGHT_MCP_INIT_PAGE=a.ts"}}, true, nil, false},
	} {
		cmd := r.recovery.watchedBy(transport.Command{Args: []string{"cli.js"}}, c.given, c.custom)
		if len(cmd.Args) != 1+len(c.args) {
			t.Errorf("%s: the arguments are %q", name, cmd.Args)
			continue
		}
		for i, arg := range c.args {
			if cmd.Args[1+i] != arg {
				t.Errorf("%s: the arguments are %q", name, cmd.Args)
			}
		}
		if set(cmd.Env, "PLAYWRIGHT_MCP_INIT_PAGE") != c.env {
			t.Errorf("%s: the environment is %q", name, cmd.Env)
		}
	}
	if _, err := os.Stat(own); err != nil {
		t.Errorf("the script is not there: %v", err)
	}
}
