// Package drill kills what can be killed under a PlayGuard that works with the
// real Playwright MCP and a real browser, and checks that the agent gets the
// right answer or an honest one, and that nothing happens twice.
package drill

import (
	"crypto/rand"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// App is the application that is worked on: behind a login, with a server that
// counts every form that is posted.
type App struct {
	URL string

	server *httptest.Server
	mu     sync.Mutex
	logins map[string]bool
	posts  map[string]int // by the key of the page that posted
	gets   int
	lates  int
	slow   time.Duration // of each post
}

// Serve serves the application until Close.
func Serve() *App {
	a := &App{logins: map[string]bool{}, posts: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /login", a.loginPage)
	mux.HandleFunc("POST /login", a.login)
	mux.HandleFunc("GET /home", a.behindLogin(a.home))
	mux.HandleFunc("GET /work", a.behindLogin(a.work))
	mux.HandleFunc("GET /done", a.behindLogin(a.done))
	mux.HandleFunc("POST /act", a.behindLogin(a.act))
	mux.HandleFunc("GET /late", a.late)
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	a.server = httptest.NewServer(mux)
	a.URL = a.server.URL
	return a
}

// Close ends the application.
func (a *App) Close() {
	a.server.CloseClientConnections()
	a.server.Close()
}

// Posts is how often the page with a key has posted.
func (a *App) Posts(key string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.posts[key]
}

// Twice returns the keys that have posted more than once.
func (a *App) Twice() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var keys []string
	for key, n := range a.posts {
		if n > 1 {
			keys = append(keys, fmt.Sprintf("%s: %d times", key, n))
		}
	}
	return keys
}

// Gets is how many pages behind the login were asked for.
func (a *App) Gets() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.gets
}

// Pictures is how many pictures that come late were asked for.
func (a *App) Pictures() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.lates
}

// late answers a picture after a while, or not as long as it is waited for.
func (a *App) late(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.lates++
	a.mu.Unlock()
	after := 600 * time.Millisecond
	if r.FormValue("late") == "never" {
		after = time.Hour
	}
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// Slow makes each post take so long before it counts as done.
func (a *App) Slow(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.slow = d
}

const page = `<!doctype html><title>%s</title><h1>%[1]s</h1>%s`

func write(w http.ResponseWriter, title, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, page, html.EscapeString(title), body)
}

func (a *App) loginPage(w http.ResponseWriter, _ *http.Request) {
	write(w, "Login", `<form method=post action=/login><label>Name <input name=name></label><label>Password <input name=password type=password></label><button>Log in</button></form>`)
}

func (a *App) login(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("name") != "ada" || r.FormValue("password") != "secret" {
		http.Redirect(w, r, "/login", http.StatusSeeOther)
		return
	}
	token := rand.Text()
	a.mu.Lock()
	a.logins[token] = true
	a.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: "login", Value: token, Path: "/", HttpOnly: true})
	http.Redirect(w, r, "/home?new=1", http.StatusSeeOther)
}

// behindLogin sends whoever is not logged in to the login.
func (a *App) behindLogin(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("login")
		a.mu.Lock()
		known := err == nil && a.logins[cookie.Value]
		a.gets++
		a.mu.Unlock()
		if !known {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		serve(w, r)
	}
}

// stored puts something into the browser's storage and shows what is there, so
// that a page tells whether it came back. IndexedDB is asked for by a script.
const stored = `<p id=stored></p><label>Note <input id=note></label><script>
if (new URLSearchParams(location.search).has('new')) {
  localStorage.basket = 'apples';
  const r = indexedDB.open('shop', 1);
  r.onupgradeneeded = () => r.result.createObjectStore('kept').put('pears', 'fruit');
}
document.getElementById('stored').textContent = 'Basket: ' + (localStorage.basket || 'empty');
</script>`

func (a *App) home(w http.ResponseWriter, _ *http.Request) {
	write(w, "Home", `<p>Welcome, ada</p>`+stored+`<a href="/work?k=home">Work</a>`)
}

// work is a page with every kind of action, each of which posts its key once for
// each time that it is done.
func (a *App) work(w http.ResponseWriter, r *http.Request) {
	key := html.EscapeString(r.FormValue("k"))
	picture := ""
	if late := r.FormValue("late"); late != "" {
		picture = `<img alt="" onerror="say('picture came')" src="/late?late=` + html.EscapeString(late) + `">`
	}
	write(w, "Work "+key, `<p>Welcome, ada</p>`+stored+`
<button onclick="act('click')">Count</button>`+picture+`
<form method=post action="/act?k=`+key+`&what=submit"><label>Text <input name=text></label><button>Send</button></form>
<label>Line <input onkeydown="if (event.key == 'Enter') act('enter')"></label>
<label>Colour <select onchange="act('select')"><option>red<option>blue</select></label>
<button onmouseover="act('hover')">Point</button>
<p>Items</p><ul><li>One <button onclick="say('one')">Open</button><li>Two <button onclick="say('two')">Open</button></ul>
<p role=status id=said></p>
<script>
const key = `+"`"+key+"`"+`;
const say = text => { document.getElementById('said').textContent = text; };
const act = what => fetch('/act?k=' + key + '&what=' + what, { method: 'POST' }).then(() => say(what + ' done'));
</script>`)
}

func (a *App) act(w http.ResponseWriter, r *http.Request) {
	key := r.FormValue("k") + " " + r.FormValue("what")
	a.mu.Lock()
	a.posts[key]++
	slow := a.slow
	a.mu.Unlock()
	timer := time.NewTimer(slow)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
		return
	}
	if r.FormValue("what") == "submit" {
		http.Redirect(w, r, "/done?k="+r.FormValue("k"), http.StatusSeeOther)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (a *App) done(w http.ResponseWriter, r *http.Request) {
	write(w, "Done "+r.FormValue("k"), `<p>Welcome, ada</p>`+stored+`<a href=/home>Home</a>`)
}

// await waits until a key has posted so often.
func (a *App) await(t testing.TB, key string, n int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); a.Posts(key) < n; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s was posted %d times, not %d", key, a.Posts(key), n)
		}
	}
}
