package drill

// What a page that was opened anew lacks: actions that build on it are not done.

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// counter is a page with a form and a button far below another one, and counts what
// is posted.
type counter struct {
	*httptest.Server
	mu    sync.Mutex
	posts []string
}

func serveCounter(t *testing.T) *counter {
	t.Helper()
	c := &counter{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pay", func(w http.ResponseWriter, _ *http.Request) {
		write(w, "Pay", `<form method=post action=/post><label>Amount <input name=amount></label><button>Pay</button></form>`)
	})
	mux.HandleFunc("GET /ask", func(w http.ResponseWriter, _ *http.Request) {
		write(w, "Ask", `<button onclick="if (confirm('Sure?')) fetch('/post?asked', { method: 'POST' })">Delete</button>`)
	})
	mux.HandleFunc("GET /long", func(w http.ResponseWriter, _ *http.Request) {
		const button = `<button style="position:absolute;left:50px;width:200px;height:60px;top:`
		write(w, "Long", button+`300px" onclick="fetch('/post?delete', { method: 'POST' })">Delete</button><div style="height:3000px"></div>`+
			button+`2300px" onclick="fetch('/post?save', { method: 'POST' })">Save</button>`)
	})
	mux.HandleFunc("POST /post", func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.posts = append(c.posts, r.URL.RawQuery+r.FormValue("amount"))
		write(w, "Posted", "")
	})
	c.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		c.CloseClientConnections()
		c.Close()
	})
	return c
}

// posted compares what was posted.
func (c *counter) posted(t testing.TB, want ...string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.posts) != len(want) || len(want) > 0 && c.posts[len(want)-1] != want[len(want)-1] {
		t.Errorf("%q was posted, not %q", c.posts, want)
	}
}

// refuse calls a tool that must not be done on the page that was opened anew.
func (s *session) refuse(tool string, args map[string]any, parts ...string) {
	s.t.Helper()
	text, failed := s.try(tool, args)
	if !failed {
		s.t.Errorf("%s was done:\n%s", tool, text)
	}
	contains(s.t, text, append(parts, tool+" was not done")...)
}

func TestLostInput(t *testing.T) {
	t.Parallel()
	web := serveCounter(t)
	s := start(t, nil, "--isolated --caps vision")
	s.app = &App{URL: web.URL}
	view := s.open("/pay")
	amount := map[string]any{"target": handle(t, view, "Amount"), "text": "100"}
	pay := map[string]any{"target": handle(t, view, "button Pay")}
	s.call("browser_type", amount)
	s.dieKnown(browsers(below(s.Process().Pid)))
	s.refuse("browser_click", pay, "The browser died; form input and scroll position are lost", "button Pay")
	web.posted(t)
	s.call("browser_type", amount)
	s.call("browser_click", pay)
	web.posted(t, "100")

	s.open("/long")
	s.call("browser_evaluate", map[string]any{"function": "() => { scrollTo(0, 2000); return scrollY }"})
	s.dieKnown(browsers(below(s.Process().Pid)))
	s.refuse("browser_mouse_click_xy", map[string]any{"element": "Save", "x": 100, "y": 330}, "button Delete")
	web.posted(t, "100")

	view = s.open("/ask")
	s.call("browser_click", map[string]any{"target": handle(t, view, "button Delete")})
	s.dieKnown(browsers(below(s.Process().Pid)))
	s.refuse("browser_handle_dialog", map[string]any{"accept": true}, "the dialog went with the page", "button Delete")
	web.posted(t, "100")
	s.End()
}

// A page that crashes under a script which waits for it ends the call; the other tab
// keeps what was typed, and a click there is done.
func TestCrashUnderItsOwnScript(t *testing.T) {
	t.Parallel()
	web, other := serveCounter(t), serveCounter(t)
	s := start(t, nil, "--isolated", "PLAYGUARD_BROWSER_TIMEOUT_MS=0")
	s.app = &App{URL: web.URL}
	view := s.open("/pay")
	s.call("browser_type", map[string]any{"target": handle(t, view, "Amount"), "text": "100"})
	s.call("browser_tabs", map[string]any{"action": "new", "url": other.URL + "/long"})
	text, failed := s.try("browser_run_code_unsafe", map[string]any{
		"code": `async page => { const session = await page.context().newCDPSession(page); await session.send('Page.crash'); }`})
	if !failed {
		t.Errorf("the script is said to be done:\n%s", text)
	}
	contains(t, text, "The page crashed during browser_run_code_unsafe. Whether it took effect is unknown",
		"Restored: "+other.URL+"/long (tab 1 (current) was opened anew, its form input and scroll position are lost)", "Save [")
	s.call("browser_tabs", map[string]any{"action": "select", "index": 0})
	s.call("browser_click", map[string]any{"target": handle(t, view, "button Pay")})
	web.posted(t, "100")
	s.End()
}

// Of the current tab nothing is said to be lost when another one has crashed.
func TestCrashInTheBackground(t *testing.T) {
	t.Parallel()
	web, other := serveCounter(t), serveCounter(t)
	s := start(t, nil, "--isolated")
	s.app = &App{URL: web.URL}
	s.open("/long")
	view := s.call("browser_tabs", map[string]any{"action": "new", "url": other.URL + "/pay"})
	s.call("browser_type", map[string]any{"target": handle(t, view, "Amount"), "text": "100"})
	s.call("browser_run_code_unsafe", map[string]any{"code": `async page => { const first = page.context().pages()[0];
		const crashed = new Promise(done => first.once('crash', done)); (await first.context().newCDPSession(first)).send('Page.crash').catch(() => {}); await crashed; }`})
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}),
		"[PlayGuard: the page crashed; tab 0 was opened anew, its form input and scroll position are lost]", "Amount = 100")
	s.call("browser_click", map[string]any{"target": handle(t, view, "button Pay")})
	other.posted(t, "100")
	s.End()
}

// Whoever is not logged in any more is told that the page is another one.
func TestLostLogin(t *testing.T) {
	t.Parallel()
	app := Serve()
	t.Cleanup(app.Close)
	s := start(t, app, "--isolated", "PLAYGUARD_RESTORE_STATE=false")
	s.enter(s.open("/login"))
	s.open("/home")
	s.dieKnown(browsers(below(s.Process().Pid)))
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "[PlayGuard: the browser died; "+app.URL+"/home leads to "+app.URL+"/login now; "+"form input and scroll position are lost]")
	s.End()
}
