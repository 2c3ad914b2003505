package playwright

// Actions on a page that was opened anew, which build on what it lacks.

import (
	"errors"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
)

func TestNeedsOf(t *testing.T) {
	for _, c := range []struct {
		tool, args string
		want       needs
	}{
		{"browser_click", `{"target":"e2"}`, input},
		{"browser_of_tomorrow", `{}`, input},
		{"browser_type", `{"target":"e2","text":"a"}`, nothing},
		{"browser_type", `{"target":"e2","text":"a","submit":false}`, nothing},
		{"browser_type", `{"target":"e2","text":"a","submit":true}`, input},
		{"browser_fill_form", `{"fields":[]}`, nothing},
		{"browser_press_key", `{"key":"Enter"}`, place},
		{"browser_press_sequentially", `{"text":"a"}`, place},
		{"browser_press_sequentially", `{"text":"a","target":"e2"}`, input},
		{"browser_mouse_click_xy", `{"x":1,"y":1}`, place},
		{"browser_mouse_wheel", `{"deltaY":1}`, place},
		{"browser_handle_dialog", `{"accept":true}`, dialog},
		{evaluateTool, `{"function":"() => document.title"}`, nothing},
		{evaluateTool, `{"function":"() => document.forms[0].submit()"}`, input},
		{"browser_wait_for", `{"time":1}`, nothing},
		{"browser_navigate", `{"url":"http://a.b/"}`, nothing},
		{closeTool, `{}`, nothing},
	} {
		if got := needsOf(c.tool, []byte(c.args)); got != c.want {
			t.Errorf("%s %s needs %q, not %q", c.tool, c.args, got, c.want)
		}
	}
}

func TestPutsIn(t *testing.T) {
	for call, want := range map[string]bool{
		`browser_type {"text":"a"}`: true, `browser_check {}`: true, `browser_drop {}`: true,
		`browser_press_key {"key":"a"}`: true, `browser_press_key {"key":"é"}`: true, `browser_press_key {"key":"Enter"}`: false,
		`browser_click {}`: false, `browser_snapshot {}`: false,
	} {
		tool, args, _ := strings.Cut(call, " ")
		if got := putsIn(tool, []byte(args)); got != want {
			t.Errorf("%s puts something in: %v", call, got)
		}
	}
}

// onTabs is a recovery whose tabs have these addresses; the first is the current one.
func onTabs(t *testing.T, urls ...string) *spoken {
	t.Helper()
	s := newSpoken(t)
	var list []tab
	for i, url := range urls {
		list = append(list, tab{current: i == 0, url: url})
	}
	s.row.pages.arrange(list)
	s.tabs, s.current = urls, 0
	return s
}

// sends is a call that was sent and has come back.
func (s *spoken) sends(tool, args string) *sent {
	s.t.Helper()
	c := s.called(tool, args)
	s.entering(c)
	return c
}

// reopens is a restoration that has opened tabs anew, but for those that it kept.
func (s *spoken) reopens(kept ...bool) {
	places := make([]int, len(s.tabs))
	for i := range places {
		places[i] = i
	}
	s.row.openedAnew(s.tabs, places, kept)
	s.done.what, s.notice = diedPage, true
}

const (
	typing   = `{"target":"e1","text":"100"}`
	clicking = `{"target":"e2"}`
)

// What the agent asked for before it was told is not done on a page that lacks what
// it builds on; all else is.
func TestWithoutInput(t *testing.T) {
	for name, c := range map[string]struct {
		before     func(s *spoken) // the death
		tool, args string
		kept       bool
		refused    bool
	}{
		"a click on a form that was filled": {func(s *spoken) { s.sends("browser_type", typing) }, "browser_click", clicking, false, true},
		"typing that submits it":            {func(s *spoken) { s.sends("browser_type", typing) }, "browser_type", `{"target":"e1","text":"1","submit":true}`, false, true},
		"filling it":                        {func(s *spoken) { s.sends("browser_type", typing) }, "browser_fill_form", `{"fields":[]}`, false, false},
		"a look":                            {func(s *spoken) { s.sends("browser_type", typing) }, snapshotTool, `{}`, false, false},
		"a click on a page that was kept":   {func(s *spoken) { s.sends("browser_type", typing) }, "browser_click", clicking, true, false},
		"a key on a page that was kept":     {func(*spoken) {}, "browser_press_key", keyPress, true, false},
		"a click where nothing was put in":  {func(*spoken) {}, "browser_click", clicking, false, false},
		"a key":                             {func(*spoken) {}, "browser_press_key", keyPress, false, true},
		"the mouse":                         {func(*spoken) {}, "browser_mouse_click_xy", `{"x":1,"y":1}`, false, true},
		"a dialog":                          {func(*spoken) {}, "browser_handle_dialog", `{"accept":true}`, false, true},
		"a click on another address":        {func(s *spoken) { s.sends("browser_type", typing); s.tabs[0] = "http://a.b/done" }, "browser_click", clicking, false, false},
		"a click behind another fragment":   {func(s *spoken) { s.sends("browser_type", typing); s.tabs[0] += "#part" }, "browser_click", clicking, false, true},
		"a click after a way there and back": {func(s *spoken) {
			s.sends("browser_type", typing)
			s.row.pages.current.visited("http://a.b/done", "browser_click")
			s.row.pages.current.visited("http://a.b/", "browser_click")
		}, "browser_click", clicking, false, false},
		"a click after a reload": {func(s *spoken) {
			s.sends("browser_type", typing)
			s.noteLeft(s.called("browser_reload", `{}`), nil)
		}, "browser_click", clicking, false, false},
		"a click after a navigation that was taken back": {func(s *spoken) {
			s.sends("browser_type", typing)
			s.noteLeft(s.called("browser_navigate", `{"url":"http://a.b/"}`), errors.New("cancelled"))
		}, "browser_click", clicking, false, true},
		"a click after typing that had no effect": {func(s *spoken) { s.notEntered(s.sends("browser_type", typing)) }, "browser_click", clicking, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := onTabs(t, "http://a.b/")
			c.before(s)
			early := s.called(c.tool, c.args)
			s.reopens(c.kept)
			if got := s.withoutInput(early); (got != "") != c.refused || c.refused && !strings.Contains(got, "lost") {
				t.Errorf("it is refused with %q", got)
			}
			if !c.refused {
				return
			}
			if got := s.withoutInput(early); got == "" {
				t.Error("it was asked for before the agent was told, and is done")
			}
			if got := s.withoutInput(s.called(c.tool, c.args)); got != "" {
				t.Errorf("after the agent was told it is refused: %s", got)
			}
			if s.notice {
				t.Error("it is to be told again")
			}
			s.row.config.Replay = config.ReplayAlways
			if got := s.withoutInput(early); got != "" {
				t.Errorf("under always it is refused: %s", got)
			}
		})
	}
}

// What is put in behind a click does not count for it.
func TestOnlyInputBeforeCounts(t *testing.T) {
	s := onTabs(t, "http://a.b/")
	click := s.called("browser_click", clicking)
	s.sends("browser_type", typing)
	s.reopens()
	if got := s.withoutInput(click); got != "" {
		t.Errorf("a click in front of the typing is refused: %s", got)
	}
}

// A click that ticks a box puts something in.
func TestTickedBoxIsInput(t *testing.T) {
	s := onTabs(t, "http://a.b/")
	s.row.adopt("### Page\n- Page URL: http://a.b/\n### Snapshot\n```yaml\n- checkbox \"Agreed\" [ref=e1]\n- button \"Buy\" [ref=e2]\n```", false, reopened{})
	s.sends("browser_click", `{"target":"e1"}`)
	s.reopens()
	if got := s.withoutInput(s.called("browser_click", clicking)); got == "" {
		t.Error("a click after a ticked box is done")
	}
}

// The notice says which tabs have lost what was put in: of the current one only if
// it was opened anew.
func TestWhichTabsLostInput(t *testing.T) {
	for _, c := range []struct {
		kept []bool
		want string
	}{
		{nil, "[PlayGuard: the page crashed; restored, form input and scroll position are lost]"},
		{[]bool{true, false, true}, "[PlayGuard: the page crashed; tab 1 was opened anew, its form input and scroll position are lost]"},
		{[]bool{false, true, true}, "[PlayGuard: the page crashed; tab 0 (current) was opened anew, its form input and scroll position are lost]"},
		{[]bool{false, true, false}, "[PlayGuard: the page crashed; tabs 0 (current), 2 were opened anew, their form input and scroll position are lost]"},
		{[]bool{true, true, true}, "[PlayGuard: the page crashed; restored]"},
	} {
		s := onTabs(t, "http://a.b/", "http://a.b/2", "http://a.b/3")
		s.reopens(c.kept...)
		if got := s.noticeOf(true); got != c.want {
			t.Errorf("with %v kept the notice is %q", c.kept, got)
		}
		if got := s.noticeOf(true); got != "" {
			t.Errorf("it is said again: %q", got)
		}
	}
}

// A tab whose loss the agent knows is not among those of the next crash.
func TestKnownLossIsNotToldAgain(t *testing.T) {
	s := onTabs(t, "http://a.b/", "http://a.b/2")
	s.reopens()
	s.noticeOf(true)
	s.reopens(true, false)
	if got := s.noticeOf(true); !strings.Contains(got, "; tab 1 was opened anew") {
		t.Errorf("the notice is %q", got)
	}
}

// An error tells it as well, and leaves it to the next answer.
func TestErrorLeavesTheNotice(t *testing.T) {
	s := onTabs(t, "http://a.b/")
	s.called("browser_handle_dialog", `{"accept":true}`)
	s.reopens()
	response := func(result []byte) jsonrpc.Message {
		m, err := jsonrpc.Parse(jsonrpc.NewResult([]byte("0"), result))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	_, own := s.noted("", response(mcp.ErrorResult("[PlayGuard] was not done.")))
	if text, _ := answerText(own); text != "[PlayGuard] was not done." {
		t.Errorf("PlayGuard's own error became %q", text)
	}
	const want = "[PlayGuard: the page crashed; restored, form input and scroll position are lost]"
	note, failed := s.noted("", response(mcp.ErrorResult("### Error\nError: no")))
	if text, _ := answerText(failed); note != "" || text != "### Error\nError: no\n"+want {
		t.Errorf("the error became %q, with %q", text, note)
	}
	if got := s.withoutInput(s.called("browser_press_key", keyPress)); got != "" {
		t.Errorf("after the error has told it a key is refused: %s", got)
	}
	for _, want := range []string{want, ""} {
		if note, _ := s.noted("", response(mcp.TextResult("fine"))); note != want {
			t.Errorf("behind the error an answer has the note %q, not %q", note, want)
		}
	}
}

// A call that is not repeated is told by what it does.
func TestUnknownByKind(t *testing.T) {
	for call, want := range map[string]string{
		`browser_wait_for {"time":1}`:         "It only reads and may be repeated.",
		`browser_navigate {"url":"http://a"}`: "It may be repeated",
		`browser_tabs {"action":"close"}`:     "Whether it took effect is unknown",
		`browser_click {}`:                    "Whether it took effect is unknown",
	} {
		tool, args, _ := strings.Cut(call, " ")
		s := onTabs(t, "http://a.b/")
		if got := s.unknown(s.called(tool, args), death{what: diedBrowser}, ""); !strings.Contains(got, "The browser died during "+tool+". "+want) {
			t.Errorf("%s is told with %q", call, got)
		}
	}
}

// That the address of the current tab leads elsewhere now, as without a login, is said.
func TestLeadsElsewhere(t *testing.T) {
	const said = "http://a.b/ leads to http://a.b/login now"
	s := onTabs(t, "http://a.b/")
	s.reopens()
	s.done.meant, s.done.url = "http://a.b/", "http://a.b/login"
	if got := s.noticeOf(true); got != "[PlayGuard: the page crashed; "+said+"; "+inputLost+"]" {
		t.Errorf("the notice is %q", got)
	}
	if got := s.unknown(s.called("browser_click", `{}`), death{what: diedBrowser}, ""); !strings.Contains(got, "Restored: http://a.b/, which leads to http://a.b/login now") {
		t.Errorf("of a click it is told %q", got)
	}
}
