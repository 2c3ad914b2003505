package playwright

// Taking over the tabs that the script tells.

import (
	"slices"
	"testing"

	"github.com/playguard/playguard/internal/servers/playwright/watch"
)

// The current tab is the same one wherever its place is, and one that has crashed
// keeps its place until it is restored.
func TestTakeTabs(t *testing.T) {
	for name, c := range map[string]struct {
		says    watch.State
		tabs    []string
		current int
	}{
		"one before it is closed":  {watch.State{Pages: []string{"b", "c"}, IDs: []string{"2", "3"}}, []string{"b", "c"}, 0},
		"one behind it is closed":  {watch.State{Pages: []string{"a", "b"}, IDs: []string{"1", "2"}}, []string{"a", "b"}, 1},
		"it is closed":             {watch.State{Pages: []string{"a", "c"}, IDs: []string{"1", "3"}, Current: 1}, []string{"a", "c"}, 1},
		"it is closed, unknown":    {watch.State{Pages: []string{"a"}, IDs: []string{"1"}, Current: -1}, []string{"a"}, 0},
		"it goes elsewhere":        {watch.State{Pages: []string{"a", "x", "c"}, IDs: []string{"1", "2", "3"}}, []string{"a", "x", "c"}, 1},
		"one more":                 {watch.State{Pages: []string{"a", "b", "c", "d"}, IDs: []string{"1", "2", "3", "4"}}, []string{"a", "b", "c", "d"}, 1},
		"in another order":         {watch.State{Pages: []string{"b", "c", "a"}, IDs: []string{"2", "3", "1"}}, []string{"b", "c", "a"}, 0},
		"it has crashed":           {watch.State{Pages: []string{"a", "b", "c"}, IDs: []string{"1", "2", "3"}, Crashed: []int{1}, Lost: []string{"2"}}, []string{"a", "b", "c"}, 1},
		"replaced after its crash": {watch.State{Pages: []string{"a", "c", "about:blank"}, IDs: []string{"1", "3", "4"}, Crashed: []int{1}, Lost: []string{"2"}, Current: 2}, []string{"a", "b", "c"}, 1},
		"closed beside a crash":    {watch.State{Pages: []string{"a", "b"}, IDs: []string{"1", "2"}, Crashed: []int{0}, Lost: []string{"1"}}, []string{"a", "b"}, 1},
		"opened beside a crash":    {watch.State{Pages: []string{"a", "b", "c", "d"}, IDs: []string{"1", "2", "3", "4"}, Crashed: []int{0}, Lost: []string{"1"}}, []string{"a", "b", "c", "d"}, 1},
		"without names":            {watch.State{Pages: []string{"x"}}, []string{"a", "b", "c"}, 1},
	} {
		v := newRecovery(nil, "")
		v.tabs, v.ids, v.current = []string{"a", "b", "c"}, []string{"1", "2", "3"}, 1
		v.takeTabs(c.says)
		if !slices.Equal(v.tabs, c.tabs) || v.current != c.current || len(v.ids) != len(v.tabs) {
			t.Errorf("%s: the tabs are %q (%q) with %d as the current one", name, v.tabs, v.ids, v.current)
		}
	}
}

// The crash of a tab is that of the calls that work on it, not of others.
func TestCrashOfAnotherTab(t *testing.T) {
	const (
		two    = `{"event":"pages","context":1,"pages":["http://a.b/","http://a.b/2"],"ids":["1","2"]}`
		other  = `{"event":"crashed","context":1,"places":[1],"ids":["2"]}`
		its    = `{"event":"crashed","context":1,"places":[0],"ids":["1"]}`
		mended = `{"event":"mended","context":1}`
	)
	for name, c := range map[string]struct {
		says       []string
		tool, args string
		text       string
		failed     bool
		died       bool
	}{
		"a look beside it":              {[]string{other}, snapshotTool, `{}`, onPage, false, false},
		"a look on it":                  {[]string{its}, snapshotTool, `{}`, onPage, false, true},
		"a failure beside it":           {[]string{other}, "browser_click", `{"target":"e9"}`, "### Error\nError: Element is not visible", true, false},
		"a failure on it":               {[]string{its}, "browser_click", `{"target":"e9"}`, "### Error\nError: Target crashed", true, true},
		"a look beside a restored one":  {[]string{other, mended}, snapshotTool, `{}`, onPage, false, false},
		"a list with it":                {[]string{other}, tabsTool, `{"action":"list"}`, onPage, false, true},
		"another tab opened beside it":  {[]string{other}, tabsTool, `{"action":"new","url":"http://a.b/3"}`, onPage, false, false},
		"an empty tab opened beside it": {[]string{other}, tabsTool, `{"action":"new"}`, onPage, false, true},
		"a tab closed beside it":        {[]string{other}, tabsTool, `{"action":"close","index":1}`, onPage, false, true},
		"another tab selected":          {[]string{other}, tabsTool, `{"action":"select","index":0}`, onPage, false, false},
		"another tab that did not open": {[]string{other}, tabsTool, `{"action":"new"}`, "### Error\nError: Target crashed", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSpoken(t)
			s.says(opened1, two)
			call := s.called(c.tool, c.args)
			s.says(c.says...)
			if _, died := s.watched(t.Context(), call, c.text, c.failed); died != c.died {
				t.Errorf("it counts as dead: %v", died)
			}
		})
	}
}

// What a call has done with the tabs while they were restored, the restoration undoes.
func TestTabsChosenDuringARestoration(t *testing.T) {
	const (
		two   = `{"event":"pages","context":1,"pages":["http://a.b/","http://a.b/2"],"ids":["1","2"]}`
		other = `{"event":"crashed","context":1,"places":[1],"ids":["2"]}`
	)
	for _, args := range []string{`{"action":"select","index":1}`, `{"action":"new","url":"http://a.b/3"}`, `{"action":"close"}`} {
		for name, while := range map[string]func(s *spoken){
			"under way": func(s *spoken) { s.restoring, s.dying = true, diedPage },
			"over":      func(s *spoken) { s.restores, s.done.what = s.restores+1, diedPage },
		} {
			s := newSpoken(t)
			s.says(opened1, two)
			call := s.called(tabsTool, args)
			s.says(other, `{"event":"mended","context":1}`)
			s.mu.Lock()
			while(s)
			s.mu.Unlock()
			if _, died := s.watched(t.Context(), call, "### Result\n- 0: [A](http://a.b/)\n- 1: (current) [B](http://a.b/2)", false); !died {
				t.Errorf("%s counts as done although the restoration is %s", args, name)
			}
			s.mu.Lock()
			s.restoring = false
			s.mu.Unlock()
		}
	}
}

// A call that was sent to one tab is not repeated on another one, which a call behind it
// has selected; one that waited is not done there with elements of the first. Tabs that
// were opened anew are the same.
func TestNotOnAnotherTab(t *testing.T) {
	for name, c := range map[string]struct {
		ids        []string // after the restoration
		chosen     int      // the place of the current tab
		before     bool     // it was chosen by a call in front
		left, away bool
	}{
		"as it was":                         {[]string{"1", "2"}, 0, false, false, false},
		"opened anew":                       {[]string{"8", "9"}, 0, false, false, false},
		"another one selected":              {[]string{"1", "2"}, 1, false, true, true},
		"another one selected, all anew":    {[]string{"8", "9"}, 1, false, true, true},
		"selected by a call in front":       {[]string{"8", "9"}, 1, true, false, true},
		"what the script says is not known": {nil, 1, false, false, false},
	} {
		s := onTabs(t, "http://a.b/", "http://a.b/2")
		s.row.adopt("### Open tabs\n- 0: (current) [A](http://a.b/)\n- 1: [B](http://a.b/2)\n### Page\n- Page URL: http://a.b/\n### Snapshot\n```yaml\n- button \"Buy\" [ref=e2]\n```", false, reopened{})
		s.mu.Lock()
		s.ids = []string{"1", "2"}
		s.mu.Unlock()
		call := s.called("browser_click", clicking)
		if call.tab != "1" || call.named != "1" {
			t.Fatalf("%s: it was sent to %q, for elements of %q", name, call.tab, call.named)
		}
		s.mu.Lock()
		was := s.ids
		s.ids, s.current, s.chosen = c.ids, c.chosen, call.number+1
		if c.before {
			s.chosen = call.number - 1
		}
		s.renameTabs(was, []int{0, 1})
		s.mu.Unlock()
		if got := s.leftTab(call); got != c.left {
			t.Errorf("%s: the tab was left: %v", name, got)
		}
		if got := s.besides(call); (got != "") != c.away {
			t.Errorf("%s: it is refused with %q", name, got)
		}
	}
}
