package drill

// What goes wrong while a session is restored.

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/playguard/playguard/test/harness"
)

// site is an application whose answers can be held back, and that can go away.
type site struct {
	*httptest.Server
	t testing.TB

	mu     sync.Mutex
	held   chan struct{} // closed to let answers go
	waited int           // answers that have been held back
}

func serveSite(t testing.TB) *site {
	t.Helper()
	s := &site{t: t}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "late", Value: "login", Path: "/", HttpOnly: true})
	})
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, r *http.Request) {
		s.hold(r)
		who := "nobody"
		if c, err := r.Cookie("late"); err == nil {
			who = c.Value
		}
		write(w, "Page", `<p>Known: `+who+`</p><button onclick="setTimeout(() => fetch('/login', { method: 'POST' }), 500)">Enter</button>`)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		s.release()
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *site) hold(r *http.Request) {
	s.mu.Lock()
	held := s.held
	if held != nil {
		s.waited++
	}
	s.mu.Unlock()
	if held == nil {
		return
	}
	select {
	case <-held:
	case <-r.Context().Done():
	}
}

// goAway ends the server; comeBack starts it again at its address.
func (s *site) goAway() {
	s.CloseClientConnections()
	s.Close()
}

func (s *site) comeBack() {
	s.t.Helper()
	listener, err := net.Listen("tcp4", s.Listener.Addr().String())
	if err != nil {
		s.t.Fatal(err)
	}
	again := &httptest.Server{Listener: listener, Config: &http.Server{Handler: s.Config.Handler}}
	again.Start()
	s.t.Cleanup(func() {
		s.release()
		again.CloseClientConnections()
		again.Close()
	})
}

func (s *site) holdBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held, s.waited = make(chan struct{}), 0
}

func (s *site) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held != nil {
		close(s.held)
	}
	s.held = nil
}

// awaitHeld waits until an answer is held back.
func (s *site) awaitHeld() {
	s.t.Helper()
	for deadline := time.Now().Add(harness.Patience); ; time.Sleep(2 * time.Millisecond) {
		s.mu.Lock()
		waited := s.waited
		s.mu.Unlock()
		if waited > 0 {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatal("nobody has asked for the page")
		}
	}
}

// show opens the site's page; it becomes the session's only tab.
func (s *site) show(in *session) string {
	in.t.Helper()
	in.tabs, in.at = []string{s.URL + "/page"}, 0
	return in.call("browser_navigate", map[string]any{"url": s.URL + "/page"})
}

// The browser that is being filled dies too: the next one gets everything. A login
// that comes by itself some time after the last action is among it.
func TestDeathDuringRestore(t *testing.T) {
	t.Parallel()
	web := serveSite(t)
	s := start(t, serveApp(t), "--isolated")
	view := web.show(s)
	s.call("browser_click", map[string]any{"target": handle(t, view, "Enter")})
	s.awaitSaved(`"late"`)
	web.holdBack()
	s.die(browsers(below(s.Process().Pid)))
	id := s.AskTool("browser_snapshot", `{"full":true}`)
	web.awaitHeld()
	s.die(browsers(below(s.Process().Pid)))
	web.release()
	text, failed := s.answer(id)
	if failed {
		t.Error("the look failed")
	}
	contains(t, text, "Known: login", "restored")
	s.checkTabs()
	s.awaitSaved(`"late"`)
	s.End()
}

// A browser that the agent closes while it is being restored does not come back.
func TestCloseDuringRestore(t *testing.T) {
	t.Parallel()
	web := serveSite(t)
	s := start(t, serveApp(t), "--isolated")
	web.show(s)
	web.holdBack()
	s.die(browsers(below(s.Process().Pid)))
	id := s.AskTool("browser_snapshot", `{"full":true}`)
	web.awaitHeld()
	contains(t, s.call("browser_close", nil), "No open tabs")
	web.release()
	s.answer(id)
	text := s.call("browser_snapshot", map[string]any{"full": true})
	contains(t, text, "about:blank")
	lacks(t, text, "Known", "restored")
	s.End()
}

// What can't be opened again is said with its address, nothing is done on the page
// that stands there instead, and it is opened as soon as that can be done.
func TestTabThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	web := serveSite(t)
	s := start(t, serveApp(t), "--isolated")
	web.show(s)
	web.goAway()
	s.die(browsers(below(s.Process().Pid)))
	text := s.call("browser_snapshot", map[string]any{"full": true})
	contains(t, text, web.URL+"/page could not be opened again: net::ERR_CONNECTION_REFUSED")
	lacks(t, text, "restored")
	text, failed := s.try("browser_press_key", map[string]any{"key": "Enter"})
	if !failed {
		t.Error("a key was pressed on the error page")
	}
	contains(t, text, "browser_press_key was not done", "could not be opened again")
	web.comeBack()
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Known: nobody", "button Enter")
	s.checkTabs()
	s.End()
}

// A handle from before is of the page that could not be opened, and reaches it as soon
// as it is there.
func TestHandleOnATabThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	app := Serve()
	t.Cleanup(app.Close)
	web := serveSite(t)
	s := start(t, app, "--isolated")
	enter := map[string]any{"target": handle(t, web.show(s), "button Enter")}
	web.goAway()
	s.dieKnown(browsers(below(s.Process().Pid)))
	for range 2 { // while it is restored, and behind that
		text, failed := s.try("browser_click", enter)
		if !failed {
			t.Error("a button was clicked on the error page")
		}
		contains(t, text, "browser_click was not done", "could not be opened again")
	}
	web.comeBack()
	s.call("browser_click", enter)
	s.awaitSaved(`"late"`)
	s.checkTabs()
	s.End()
}

// A tab that is tried again keeps nobody from being heard.
func TestOthersAreHeardWhileATabIsOpened(t *testing.T) {
	t.Parallel()
	app := Serve()
	t.Cleanup(app.Close)
	web := serveSite(t)
	s := start(t, app, "--isolated")
	web.show(s)
	web.goAway()
	s.die(browsers(below(s.Process().Pid)))
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "could not be opened again")
	web.comeBack()
	web.holdBack()
	look := s.AskTool("browser_snapshot", `{"full":true}`)
	web.awaitHeld()
	before := time.Now()
	s.Result("ping", "{}")
	if took := time.Since(before); took > 5*time.Second {
		t.Errorf("a ping was answered after %s", took)
	}
	web.release()
	if text, failed := s.answer(look); failed {
		t.Errorf("the look failed:\n%s", text)
	}
	s.End()
}

// A server that does not answer costs a tab, not the recovery.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	web := serveSite(t)
	s := loggedIn(t, "--isolated", "/work?k=silent")
	s.call("browser_tabs", map[string]any{"action": "new", "url": web.URL + "/page"})
	s.call("browser_tabs", map[string]any{"action": "select", "index": 1})
	web.holdBack()
	s.die(browsers(below(s.Process().Pid)))
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Work silent", "restored")
	web.release()
	s.End()
}
