package watch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// peer is the other side, as the init page would be.
type peer struct {
	t     *testing.T
	conn  net.Conn
	lines *bufio.Scanner
}

func settings(t *testing.T, w *Watcher) (port int, token string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(filepath.Dir(w.Script()), "watch.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Port  int
		Token string
	}
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s.Port, s.Token
}

func connect(t *testing.T, w *Watcher, token string) *peer {
	t.Helper()
	port, own := settings(t, w)
	if token == "" {
		token = own
	}
	conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	s := &peer{t, conn, bufio.NewScanner(conn)}
	s.say(`{"token":"%s"}`, token)
	return s
}

func (s *peer) say(format string, args ...any) {
	s.t.Helper()
	if _, err := fmt.Fprintf(s.conn, format+"\n", args...); err != nil {
		s.t.Error(err)
	}
}

func begin(t *testing.T) (*Watcher, func(is func(State) bool) State) {
	t.Helper()
	changed := make(chan struct{}, 100)
	w, err := New(t.TempDir(), false, func() { changed <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w, func(is func(State) bool) State {
		t.Helper()
		for {
			if s := w.State(); is(s) {
				return s
			}
			select {
			case <-changed:
			case <-time.After(30 * time.Second):
				t.Fatalf("the state stays %+v", w.State())
			}
		}
	}
}

// The life of a browser, its successor in the same server, and one in the next.
func TestLife(t *testing.T) {
	w, await := begin(t)
	s := connect(t, w, "")
	s.say(`{"event":"opened","context":1}`)
	s.say(`{"event":"pages","context":1,"pages":["http://a/","http://b/"]}`)
	first := await(func(s State) bool { return len(s.Pages) == 2 })
	if !first.Connected || !first.Alive || first.Context == "" {
		t.Errorf("with a browser the state is %+v", first)
	}
	s.say(`{"event":"crashed","context":1,"places":[1]}`)
	await(func(s State) bool { return slices.Equal(s.Crashed, []int{1}) })
	s.say(`{"event":"mended","context":1}`)
	s.say(`{"event":"pages","context":1,"pages":["http://a/","http://b/"],"unopened":[{"at":1,"url":"http://b/","reason":"refused"}]}`)
	if mended := await(func(s State) bool { return len(s.Unopened) > 0 }); len(mended.Crashed) > 0 || mended.Unopened[0] != (Unopened{1, "http://b/", "refused"}) {
		t.Errorf("after the crashed page was replaced the state is %+v", mended)
	}
	s.say(`{"event":"closed","context":1}`)
	if gone := await(func(s State) bool { return !s.Alive }); len(gone.Pages) != 2 {
		t.Errorf("the tabs of a closed browser are %q", gone.Pages)
	}
	s.say(`{"event":"opened","context":2}`)
	second := await(func(s State) bool { return s.Alive })
	if second.Context == first.Context || len(second.Crashed) > 0 || len(second.Unopened) > 0 {
		t.Errorf("the successor is %+v", second)
	}
	s.say(`{"event":"pages","context":1,"pages":[]}`) // late news of the first
	s.say(`{"event":"pages","context":2,"pages":["about:blank"]}`)
	await(func(s State) bool { return slices.Equal(s.Pages, []string{"about:blank"}) })
	s.conn.Close()
	await(func(s State) bool { return !s.Alive && s.Connected })

	s = connect(t, w, "")
	s.say(`{"event":"opened","context":2}`)
	if third := await(func(s State) bool { return s.Alive }); third.Context == second.Context {
		t.Error("a context of another server has the same name")
	}
}

// Who does not show the token is sent away and changes nothing.
func TestStranger(t *testing.T) {
	w, _ := begin(t)
	for _, token := range []string{"wrong", `"}`} {
		s := connect(t, w, token)
		if s.lines.Scan() {
			t.Errorf("a stranger is told %q", s.lines.Text())
		}
	}
	if w.State().Connected {
		t.Error("a stranger counts as connected")
	}
}

// Saving and restoring: what is asked, and every way in which no answer comes.
func TestAsking(t *testing.T) {
	w, await := begin(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := w.Save(ctx, false); err == nil {
		t.Error("without a script saving succeeds")
	}
	s := connect(t, w, "")
	s.say(`{"event":"opened","context":1}`)
	await(func(s State) bool { return s.Alive })
	answers := make(chan struct{})
	go func() {
		defer close(answers)
		for s.lines.Scan() {
			var m struct {
				ID    int
				Do    string
				Pages []string
				State json.RawMessage
				Adopt bool
			}
			if err := json.Unmarshal(s.lines.Bytes(), &m); err != nil {
				t.Error(err)
			}
			switch {
			case m.Do == "save":
				s.say(`{"answer":%d,"state":{"cookies":[1]}}`, m.ID)
			case m.Adopt:
				s.say(`{"answer":%d,"error":"no"}`, m.ID)
			case m.State == nil:
				s.conn.Close() // the server dies
			default:
				s.say(`{"answer":%d,"places":[1,0]}`, m.ID)
			}
		}
	}()
	state, err := w.Save(ctx, false)
	if err != nil || string(state) != `{"cookies":[1]}` {
		t.Errorf("saved is %s (%v)", state, err)
	}
	done, err := w.Restore(ctx, Plan{State: state, Pages: []string{"http://a/", "http://b/"}})
	if err != nil || !slices.Equal(done.Places, []int{1, 0}) {
		t.Errorf("restored is %+v (%v)", done, err)
	}
	if _, err := w.Restore(ctx, Plan{State: state, Adopt: true}); err == nil || err.Error() != "no" {
		t.Errorf("the script's error is %v", err)
	}
	if _, err := w.Restore(ctx, Plan{}); err == nil {
		t.Error("restoring succeeds although the server died")
	}
	<-answers
}

// What is written for the script only the user can read.
func TestFilesArePrivate(t *testing.T) {
	w, _ := begin(t)
	for _, name := range []string{w.Script(), filepath.Join(filepath.Dir(w.Script()), "storage.cjs"), filepath.Join(filepath.Dir(w.Script()), "watch.json")} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
	}
}

// FuzzLines: whatever the other side says, the watcher stays.
func FuzzLines(f *testing.F) {
	f.Add([]byte(`{"event":"opened","context":1}`))
	f.Add([]byte(`{"event":"pages","context":1,"pages":["a"]}` + "\n" + `{"answer":1}`))
	f.Add([]byte(`{"event":"crashed","places":[-1,9]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		w := &Watcher{waiting: map[int]chan message{}, changed: func() {}}
		for part := range slices.Values(splitLines(line)) {
			var m message
			if json.Unmarshal(part, &m) == nil {
				w.receive(nil, m)
			}
		}
		_ = w.State()
	})
}

func splitLines(data []byte) [][]byte {
	var out [][]byte
	for len(data) > 0 {
		n, line, err := bufio.ScanLines(data, true)
		if err != nil || n == 0 {
			break
		}
		out, data = append(out, line), data[n:]
	}
	return out
}

// Connections that say nothing, or too much, are closed, and neither keep the
// script out nor the watching from its end.
func TestIdleConnections(t *testing.T) {
	w, await := begin(t)
	port, _ := settings(t, w)
	idle := make([]net.Conn, maxStrangers+2)
	for i := range idle {
		conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		idle[i] = conn
	}
	gone := func(what string, conn net.Conn) {
		t.Helper()
		_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second)) // the reading then fails otherwise
		if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s is still open: %v", what, err)
		}
	}
	gone("the oldest of too many idle connections", idle[0])
	long := idle[len(idle)-1]
	if _, err := long.Write(bytes.Repeat([]byte("x"), 2*maxGreeting)); err != nil {
		t.Error(err)
	}
	gone("a connection with an endless first line", long)
	s := connect(t, w, "")
	s.say(`{"event":"opened","context":1}`)
	await(func(s State) bool { return s.Alive })
	w.Close()
	gone("an idle connection at the end", idle[len(idle)-2])
}

// A connection that never greets is closed after a while.
func TestGreetingHasALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &Watcher{conns: map[net.Conn]bool{}}
		ours, theirs := net.Pipe()
		defer theirs.Close()
		if !w.meet(ours) {
			t.Fatal("the connection is not taken in")
		}
		began := time.Now()
		w.serve(ours)
		if took := time.Since(began); took != greetLimit {
			t.Errorf("it was closed after %s", took)
		}
		if len(w.conns)+len(w.strangers) > 0 {
			t.Error("it is still known")
		}
	})
}

// What is missing of the script is there again before the next start, until the
// watching has ended.
func TestWrittenAgain(t *testing.T) {
	w, _ := begin(t)
	folder := filepath.Dir(w.Script())
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(w.Script()); err != nil || !bytes.Equal(data, script) {
		t.Errorf("the script is not there again: %v", err)
	}
	settings(t, w)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if err := w.Write(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("the folder is there again after the end")
	}
}
