package playwright

// What an answer tells when something has died: from which browser it comes, and
// whether the call was done.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/upstream"
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
				fmt.Fprintf(conn, `{"answer":%d,"places":[0]}`+"\n", m.ID)
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
	pages1  = `{"event":"pages","context":1,"pages":["http://a.b/"],"ids":["1"]}`
	blank1  = `{"event":"pages","context":1,"pages":["about:blank"],"ids":["1"]}`
	crash1  = `{"event":"crashed","context":1,"places":[0],"ids":["1"]}`

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

// A call that opens or closes a tab is sent again on the tabs as they were before
// it; where they were restored for another call, only if they are the same.
func TestTabsAsBefore(t *testing.T) {
	for name, c := range map[string]struct {
		others, after []string // the tabs that another call restores, and those that come of it
		differ        bool
	}{
		"noticed first":                {nil, nil, false},
		"restored for another":         {[]string{"http://a.b/"}, []string{"http://a.b/"}, false},
		"restored with the new one":    {[]string{"http://a.b/", "http://a.b/n"}, []string{"http://a.b/", "http://a.b/n"}, true},
		"restored, and it has come by": {[]string{"http://a.b/"}, []string{"http://a.b/", "http://a.b/n"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSpoken(t)
			s.says(opened1, pages1)
			call := s.called(tabsTool, `{"action":"new","url":"http://a.b/n"}`)
			s.mu.Lock()
			s.tabs = []string{"http://a.b/", "http://a.b/n"}
			if c.others != nil {
				s.restores, s.tabs = s.restores+1, c.others
			}
			s.failures, s.failure, s.retryAt = maxFailures, errors.New("in the backoff"), time.Now().Add(time.Hour)
			s.mu.Unlock()
			if err := s.revive(context.Background(), call, &upstream.Call{}, death{what: diedBrowser, noticed: byWatch}, false, nil); err == nil {
				t.Error("a call in the backoff is not refused")
			}
			s.mu.Lock()
			if c.others == nil && !slices.Equal(s.tabs, call.tabs) {
				t.Errorf("the tabs to be restored are %q", s.tabs)
			}
			if c.after != nil {
				s.tabs = c.after
			}
			s.mu.Unlock()
			if got := s.tabsDiffer(call); got != c.differ {
				t.Errorf("the tabs differ: %v", got)
			}
		})
	}
}

// After routes are lost no action is done that the agent has asked for before it
// was told.
func TestLostRoutes(t *testing.T) {
	s := newSpoken(t)
	v := s.recovery
	v.settings.note(routeTool, []byte(`{"pattern":"**/pay"}`))
	v.settings.note(routeTool, []byte(`{"pattern":"**/cart"}`))
	v.settings.note(unrouteTool, []byte(`{"pattern":"**/cart"}`))
	v.settings.note(networkTool, []byte(`{"state":"offline"}`))
	before, look := s.called("browser_click", `{}`), s.called(snapshotTool, `{}`)
	if got := v.withoutSettings(before); got != "" {
		t.Errorf("before anything is lost a click is refused: %s", got)
	}
	if !v.settings.lose() {
		t.Fatal("nothing is lost")
	}
	v.done.what = diedBrowser
	if got := v.withoutSettings(look); got != "" {
		t.Errorf("a look is refused: %s", got)
	}
	if got := v.withoutSettings(s.called(routeTool, `{"pattern":"**/pay"}`)); got != "" {
		t.Errorf("setting it again is refused: %s", got)
	}
	beside := s.called("browser_press_key", keyPress)
	for _, c := range []*sent{before, beside} {
		if got := v.withoutSettings(c); !strings.Contains(got, "the routes of browser_route (**/pay) and being offline were lost") {
			t.Errorf("%s is refused with %q", c.tool, got)
		}
	}
	if got := v.withoutSettings(s.called("browser_click", `{}`)); got != "" {
		t.Errorf("after the agent was told a click is refused: %s", got)
	}
	v.settings.note(unrouteTool, []byte(`{}`))
	v.settings.note(networkTool, []byte(`{"state":"online"}`))
	if v.settings.lose() {
		t.Error("what was taken back is lost")
	}
}
