// Package watch sees a browser's life from inside Playwright MCP: which tabs
// there are and when the browser or a page has died, before any answer shows it.
// It also saves and restores what a session stores.
//
// A small script is handed to the server as an init page. It connects to a
// loopback port, shows the token it was written with, and speaks lines of JSON.
package watch

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

//go:embed watch.cjs
var script []byte

// storageScript is the part of it that saves and restores what pages store.
//
//go:embed storage.cjs
var storageScript []byte

// maxLine bounds a line of the script: a session's storage is the longest.
const maxLine = 64 << 20

// State is what is known of the browser.
type State struct {
	Connected bool   // the script is there: what follows can be trusted
	Context   string // names the browser context among all there were; empty for none
	Alive     bool   // it has not been closed
	// Ours says that the context, in a browser that is not, was made for this
	// connection: it goes with it, and what is stored in it is the session's only.
	Ours    bool
	Crashed []int // places of tabs that have crashed and were not replaced, among Pages
	// Lost are the IDs of all pages of this context that have crashed so far.
	Lost []string
	// Current is the place of the tab that the server works on, -1 if that is not
	// known. A tab that was selected since is told by the answer to that.
	Current int
	// Pages are the URLs of its tabs, in their order; as they last were once it is
	// closed. Of a tab that could not be opened again it is the one that was meant.
	Pages []string
	// IDs name the pages, at the same places, among all that there were; in the user's
	// own browser also for the next connection to it.
	IDs []string
	// Unopened are the tabs that do not show yet what they are to show.
	Unopened []Unopened
}

// Unopened is a tab that could not be opened again, or not yet.
type Unopened struct {
	At          int // among the browser's tabs
	URL, Reason string
}

// Tab is what was set for one tab by tools.
type Tab struct {
	Viewport json.RawMessage `json:"viewport,omitempty"`
	Media    json.RawMessage `json:"media,omitempty"`
}

// Plan is what to restore.
type Plan struct {
	State json.RawMessage // storage, as saved; nil leaves it as it is
	Pages []string        // URLs of the tabs
	IDs   []string        // what State named them, at the same places; empty if that is not known
	Tabs  []Tab           // at the same places
	// Current is the place of the tab that is opened first and waited for.
	Current int
	// CookiesOnly adds cookies that are missing, and leaves all else that is stored.
	CookiesOnly bool
	// Same says that only pages have crashed: what lives is not touched.
	Same bool
	// Adopt leaves the tabs of a browser that is not ours as they are, and opens
	// only those that are missing. A context that is Ours is filled all the same.
	Adopt bool
	// Attempt counts the tries to restore the same, from 1. Tabs beside the current
	// one whose pages have crashed in two of them are left empty.
	Attempt int
}

// Restored is what came of a plan.
type Restored struct {
	Places []int // of the plan's pages among the browser's tabs
	// Kept tells which of them are those that there were before the first attempt; the
	// others were opened anew.
	Kept []bool
}

// Watcher listens for the script. It can be used by several goroutines.
type Watcher struct {
	dir      string
	listener net.Listener
	token    string
	settings []byte // for the script
	serving  sync.WaitGroup
	changed  func()

	mu        sync.Mutex
	closed    bool
	conns     map[net.Conn]bool
	strangers []net.Conn // of conns those that have not greeted yet, the oldest first
	conn      net.Conn   // the one that has greeted last
	starts    int        // connections that have greeted so far
	state     State
	lastID    int
	waiting   map[int]chan message
}

// message is one line of the script.
type message struct {
	Token   string
	Event   string
	Context int
	Ours    bool
	Pages   []string
	IDs     []string
	Current *int
	Answer  int
	State   json.RawMessage
	Places  []int
	Kept    []bool
	Error   string

	Unopened []Unopened
}

// New writes the script into dir, which only the user may read, and listens. remote
// says that the browser is the user's own, which outlives the connection to it.
// changed is called, from a goroutine of the watcher, when the state is another.
func New(dir string, remote bool, changed func()) (*Watcher, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("the browser can't be watched, since no port on loopback is to be had: %w", err)
	}
	w := &Watcher{dir: dir, listener: listener, token: rand.Text(), changed: changed, waiting: map[int]chan message{}, conns: map[net.Conn]bool{}}
	settings, err := json.Marshal(map[string]any{"port": listener.Addr().(*net.TCPAddr).Port, "token": w.token, "remote": remote})
	if err == nil {
		w.settings = settings
		err = w.Write()
	}
	if err != nil {
		listener.Close()
		return nil, fmt.Errorf("the browser can't be watched, since the script for it can't be written: %w", err)
	}
	w.serving.Go(w.accept)
	return w, nil
}

// Write writes the script, and what it has to know, again if something of it is
// missing: a server that is told of an init page does not start without it.
func (w *Watcher) Write() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil // its folder is gone for good
	}
	for name, data := range map[string][]byte{"watch.cjs": script, "storage.cjs": storageScript, "watch.json": w.settings} {
		path := filepath.Join(w.dir, name)
		if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, data) {
			continue
		}
		if err := errors.Join(os.MkdirAll(w.dir, 0o700), os.WriteFile(path, data, 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// Script is the path of the init page.
func (w *Watcher) Script() string { return filepath.Join(w.dir, "watch.cjs") }

// State returns what is known now.
func (w *Watcher) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.state
	s.Pages, s.Crashed = slices.Clone(s.Pages), slices.Clone(s.Crashed)
	s.IDs, s.Unopened, s.Lost = slices.Clone(s.IDs), slices.Clone(s.Unopened), slices.Clone(s.Lost)
	return s
}

func (w *Watcher) receive(conn net.Conn, m message) {
	w.mu.Lock()
	if w.conn != conn {
		w.mu.Unlock()
		return
	}
	name := fmt.Sprintf("%d/%d", w.starts, m.Context)
	switch {
	case m.Answer != 0:
		if got := w.waiting[m.Answer]; got != nil {
			delete(w.waiting, m.Answer)
			got <- m
		}
		w.mu.Unlock()
		return
	case m.Event == "opened":
		w.state.Context, w.state.Alive, w.state.Crashed = name, true, nil
		w.state.Unopened, w.state.Lost, w.state.Current, w.state.Ours = nil, nil, -1, m.Ours
	case name != w.state.Context: // of one before
	case m.Event == "closed":
		w.state.Alive = false
	case m.Event == "crashed":
		w.state.Crashed = append(w.state.Crashed, m.Places...)
		w.state.Lost = append(w.state.Lost, m.IDs...)
	case m.Event == "pages":
		w.state.Pages, w.state.IDs, w.state.Unopened, w.state.Current = m.Pages, m.IDs, m.Unopened, -1
		if m.Current != nil {
			w.state.Current = *m.Current
		}
	case m.Event == "mended":
		w.state.Crashed = nil
	}
	w.mu.Unlock()
	w.changed()
}

// left notes the end of a connection: the process is gone.
func (w *Watcher) left(conn net.Conn) {
	w.mu.Lock()
	if w.conn == conn {
		w.conn = nil
		w.state.Alive = false
		for id, got := range w.waiting {
			delete(w.waiting, id)
			got <- message{Error: "Playwright MCP has ended"}
		}
	}
	w.mu.Unlock()
	w.changed()
}

// ask sends a request to the script and waits for its answer.
func (w *Watcher) ask(ctx context.Context, request map[string]any) (message, error) {
	w.mu.Lock()
	w.lastID++
	id, conn := w.lastID, w.conn
	got := make(chan message, 1)
	if conn != nil {
		w.waiting[id] = got
	}
	w.mu.Unlock()
	if conn == nil {
		return message{}, errors.New("the script in Playwright MCP is not there")
	}
	request["id"] = id
	line, err := json.Marshal(request)
	if err == nil {
		_ = conn.SetWriteDeadline(deadlineOf(ctx)) // the worst is that writing waits
		_, err = conn.Write(append(line, '\n'))
	}
	if err != nil {
		w.forget(id)
		return message{}, fmt.Errorf("the script in Playwright MCP can't be asked: %w", err)
	}
	select {
	case m := <-got:
		if m.Error != "" {
			return m, errors.New(m.Error)
		}
		return m, nil
	case <-ctx.Done():
		w.forget(id)
		return message{}, context.Cause(ctx)
	}
}

func (w *Watcher) forget(id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.waiting, id)
}

// Save returns what the session has stored: cookies, local storage and IndexedDB,
// in the form of Playwright's storage state, only cookies if the rest is kept by a
// profile. Of an origin that no page shows it is what was known last, if anything.
// An origin's "unread" names the databases that could not be read; without
// "indexedDB" none could.
func (w *Watcher) Save(ctx context.Context, cookiesOnly bool) (state []byte, err error) {
	m, err := w.ask(ctx, map[string]any{"do": "save", "cookiesOnly": cookiesOnly})
	return m.State, err
}

// Pulse returns when the browser has answered something that needs no page.
func (w *Watcher) Pulse(ctx context.Context) error {
	_, err := w.ask(ctx, map[string]any{"do": "pulse"})
	return err
}

// Restore puts storage and tabs back. A tab that can't be opened is no error; it
// is then among State's Unopened. That the browser dies on the way is one.
func (w *Watcher) Restore(ctx context.Context, p Plan) (Restored, error) {
	request := map[string]any{"do": "restore", "pages": orEmpty(p.Pages), "ids": orEmpty(p.IDs), "tabs": orEmpty(p.Tabs), "current": p.Current,
		"cookiesOnly": p.CookiesOnly, "same": p.Same, "adopt": p.Adopt, "attempt": p.Attempt}
	if p.State != nil {
		request["state"] = p.State
	}
	m, err := w.ask(ctx, request)
	return Restored{m.Places, m.Kept}, err
}

// Retry tries once more to open the tab at a place, if it is among State's
// Unopened, where the outcome is.
func (w *Watcher) Retry(ctx context.Context, at int) error {
	_, err := w.ask(ctx, map[string]any{"do": "retry", "at": at})
	return err
}

// deadlineOf is when a context ends, zero if it has no deadline.
func deadlineOf(ctx context.Context) time.Time {
	deadline, _ := ctx.Deadline()
	return deadline
}

// orEmpty is a list that is never null in JSON.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
