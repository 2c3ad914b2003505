package playwright

// What an answer tells when something has died: from which browser it comes, and
// whether the call was done.

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/playguard/playguard/internal/config"
)

// spoken is a recovery with a watching script that the test speaks for.
type spoken struct {
	*recovery
	t    *testing.T
	conn net.Conn
}

func newSpoken(t *testing.T) *spoken {
	t.Helper()
	r := newRow(Options{Config: &config.Config{Replay: config.ReplaySafe}, Log: slog.New(slog.DiscardHandler), StateDir: t.TempDir()})
	closed := r.recovery.open(nil)
	t.Cleanup(closed)
	data, err := os.ReadFile(filepath.Join(filepath.Dir(r.recovery.watch.Script()), "watch.json"))
	if err != nil {
		t.Fatal(err)
	}
	var at struct {
		Port  int
		Token string
	}
	if err := json.Unmarshal(data, &at); err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", at.Port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() { // ends with the connection: each question is answered at once
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			var m struct{ ID int }
			if json.Unmarshal(lines.Bytes(), &m) == nil {
				fmt.Fprintf(conn, `{"answer":%d}`+"\n", m.ID)
			}
		}
	}()
	s := &spoken{r.recovery, t, conn}
	s.says(`{"token":"` + at.Token + `"}`)
	return s
}

// says sends lines of the script and waits until they are taken in.
func (s *spoken) says(lines ...string) {
	s.t.Helper()
	for _, line := range lines {
		if _, err := fmt.Fprintln(s.conn, line); err != nil {
			s.t.Fatal(err)
		}
	}
	for s.watch.Pulse(context.Background()) != nil { // until the greeting is taken in
		if s.t.Context().Err() != nil {
			s.t.Fatal("the watcher does not answer")
		}
	}
}

// called is a call that was sent.
func (s *spoken) called(tool, args string) *sent {
	s.t.Helper()
	c := s.begin([]byte(`{"name":"` + tool + `","arguments":` + args + `}`))
	s.sending(c)
	return c
}

const (
	opened1 = `{"event":"opened","context":1}`
	closed1 = `{"event":"closed","context":1}`
	opened2 = `{"event":"opened","context":2}`
	pages1  = `{"event":"pages","context":1,"pages":["http://a.b/"]}`
	blank1  = `{"event":"pages","context":1,"pages":["about:blank"]}`
	crash1  = `{"event":"crashed","context":1,"places":[0]}`

	onBlank  = "### Page\n- Page URL: about:blank"
	onPage   = "### Page\n- Page URL: http://a.b/other"
	keyPress = `{"key":"Enter"}`
)

func TestWhatAnAnswerProves(t *testing.T) {
	for name, c := range map[string]struct {
		before, meanwhile []string
		tool, text        string
		failed            bool
		died, without     bool
	}{
		"done before the death":                {[]string{opened1, pages1}, []string{closed1}, "browser_press_key", onPage, false, false, false},
		"on another browser's empty page":      {[]string{opened1, pages1}, []string{closed1, opened2}, "browser_press_key", onBlank, false, true, true},
		"failed on another's empty page":       {[]string{opened1, pages1}, []string{closed1, opened2}, "browser_press_key", onBlank, true, true, true},
		"on another browser's page":            {[]string{opened1, pages1}, []string{closed1, opened2}, "browser_press_key", onPage, false, true, false},
		"a script on another's empty page":     {[]string{opened1, pages1}, []string{closed1, opened2}, "browser_run_code_unsafe", onBlank, false, true, false},
		"a script on another's page":           {[]string{opened1, pages1}, []string{closed1, opened2}, "browser_run_code_unsafe", onPage, false, true, false},
		"empty after a crash of the page":      {[]string{opened1, pages1}, []string{crash1}, "browser_press_key", onBlank, false, true, false},
		"failed, empty after a crash":          {[]string{opened1, pages1}, []string{crash1}, "browser_press_key", onBlank, true, true, false},
		"an empty page all along":              {[]string{opened1, blank1}, []string{closed1, opened2}, "browser_press_key", onBlank, false, true, false},
		"done beside another tab that crashed": {[]string{opened1, pages1}, []string{crash1}, "browser_press_key", onPage, false, false, false},
		"the agent's own empty page":           {[]string{opened1, blank1}, nil, "browser_press_key", onBlank, false, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSpoken(t)
			s.says(c.before...)
			call := s.called(c.tool, keyPress)
			s.says(c.meanwhile...)
			d, died := s.watched(context.Background(), call, c.text, c.failed)
			if died != c.died || d.without != c.without {
				t.Errorf("died %v, certainly without effect %v", died, d.without)
			}
		})
	}
}
