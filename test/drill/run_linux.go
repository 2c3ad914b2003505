package drill

// Running a drill and judging it.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/playguard/playguard/test/harness"
)

// prepare gives a drill its page, with tabs around.
func (s *session) prepare(p plan, key string) (view string) {
	s.t.Helper()
	for len(s.tabs) <= p.tabs {
		s.newTab("/home")
	}
	s.at = p.tabs
	s.call("browser_tabs", map[string]any{"action": "select", "index": s.at})
	s.open("/home")
	view = s.open("/work?k=" + key + p.page)
	s.call("browser_evaluate", map[string]any{"function": fmt.Sprintf(keep, key)})
	if s.cutOff == nil {
		// What is saved in the background is the session that counts.
		s.awaitSaved(`"login"`, `"apples `+key+`"`, `"value":"`+key+`"`, "pears")
	}
	return view
}

// note types something into the first tab, and returns the current tab's renderer
// if the first one has another.
func (s *session) note(key string) (current []process) {
	s.t.Helper()
	s.call("browser_tabs", map[string]any{"action": "select", "index": 0})
	s.call("browser_evaluate", map[string]any{"function": "() => { document.getElementById('note').value = '" + key + "' }"})
	first := s.renderer()
	s.call("browser_tabs", map[string]any{"action": "select", "index": s.at})
	if now := s.renderer(); now.pid != first.pid {
		return []process{now}
	}
	s.t.Errorf("the tabs share the renderer %d", first.pid)
	return nil
}

// checkNote checks that what was typed into the first tab is still there.
func (s *session) checkNote(p plan, key string) {
	s.t.Helper()
	s.call("browser_tabs", map[string]any{"action": "select", "index": 0})
	if got := s.call("browser_evaluate", map[string]any{"function": "() => document.getElementById('note').value"}); !strings.Contains(got, `"`+key+`"`) {
		s.t.Errorf("%s\nwhat was typed into a tab that did not die is not there: %s", p, got)
	}
	s.call("browser_tabs", map[string]any{"action": "select", "index": s.at})
}

// hit does what the plan does to the processes.
func (s *session) hit(f fault, current []process) {
	s.t.Helper()
	if f == closePort {
		s.cutOff()
		return
	}
	all := below(s.Process().Pid)
	of := map[fault]func([]process) []process{
		killOne:     func([]process) []process { return current },
		killBrowser: browsers, killRenderer: renderers, killNode: node, killGuard: guards, stopNode: node, stopBrowser: browsers,
	}[f](all)
	sig := syscall.SIGKILL
	if f.hangs() {
		sig = syscall.SIGSTOP
	}
	if len(of) == 0 {
		s.t.Errorf("there is nothing for %s", f)
	}
	signal(of, sig)
}

// hitAgain strikes while the session is restored: when its first page is asked for
// once more, if it is.
func (s *session) hitAgain(f fault, gets int) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Second); s.app.Gets() == gets && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if f == closePort {
		s.cutOff()
		return
	}
	signal(map[fault]func([]process) []process{
		killBrowser: browsers, killRenderer: renderers, killNode: node,
	}[f](below(s.Process().Pid)), syscall.SIGKILL) // there may be nothing at the moment
}

// run does one drill.
func (s *session) run(p plan, f *figures) {
	s.t.Helper()
	key := fmt.Sprintf("n%d", p.number)
	view := s.prepare(p, key)
	var current []process
	if p.fault == killOne {
		current = s.note(key)
	}
	old := below(s.Process().Pid)
	s.app.Slow(p.slow)
	lines := make([]string, len(p.calls))
	for i, c := range p.calls {
		lines[i] = toJSON(s.t, c.args(s, view, key))
	}
	send := func() (ids []string) {
		for i, c := range p.calls {
			ids = append(ids, s.AskTool(c.tool, lines[i]))
		}
		return ids
	}
	var ids []string
	if p.during {
		ids = send()
		time.Sleep(p.delay) // the random moment is the point of the drill
	}
	gets := s.app.Gets()
	deaths := s.deaths()
	s.hit(p.fault, current)
	at := time.Now()
	if !p.during {
		time.Sleep(p.delay)
		if p.settled {
			s.awaitDeath(deaths)
			at = time.Now() // from then on the agent waits
		}
		ids = send()
	}
	if p.second != "" {
		s.hitAgain(p.second, gets)
	}
	moved := ""
	for i, c := range p.calls {
		text, failed := s.answer(ids[i])
		if i == len(p.calls)-1 {
			f.took(p, time.Since(at))
		}
		if to := s.judge(p, c, key, text, failed, f); to != "" {
			moved = to
		}
	}
	s.app.Slow(0)
	s.after(p, key, view, moved, f)
	if p.fault == killOne && p.second == "" {
		s.checkNote(p, key)
	}
	if s.cutOff == nil && !p.fault.hangs() && p.fault != killRenderer && p.fault != killOne {
		s.awaitGone(pick(old, func(o process) bool { return strings.Contains(o.command, "--user-data-dir") }))
	}
}

// astray is what no answer has that comes from the session's own pages.
var astray = regexp.MustCompile(`about:blank|/login\b|\bLog in\b`)

// right reports whether a reading call's answer is of the page with the key, or,
// beside a call that moves, of one that it leads to.
func (p plan) right(c call, key, text string) bool {
	if astray.MatchString(text) {
		return false
	}
	if strings.Contains(text, strings.ReplaceAll(c.want, "KEY", key)) {
		return true
	}
	var others []string
	switch c.name {
	case "snapshot", "title":
		others = []string{"Work " + key, "Home", "Done " + key}
	case "tabs":
		others = []string{"(current) [Home]", "(current) [Done " + key + "]"}
	}
	return p.moves() && slices.ContainsFunc(others, func(other string) bool { return strings.Contains(text, other) })
}

// diedAgain is the honest answer to a call that two deaths came under.
const diedAgain = "and again when the session was restored"

// judge checks one answer. It returns the path that the page is on by the call,
// empty if it stays.
func (s *session) judge(p plan, c call, key, text string, failed bool, f *figures) (moved string) {
	s.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if c.kind == reads {
		if failed && p.second != "" && strings.Contains(text, diedAgain) {
			f.twice++
			return ""
		}
		f.reads++
		if failed || !p.right(c, key, text) {
			s.t.Errorf("%s\n%s was answered wrongly:\n%s\nstderr:\n%s", p, c.name, text, tail(s.Stderr()))
		} else {
			f.readRight++
		}
		switch c.name {
		case "navigate":
			return "/work?k=" + key + "&again=1"
		case "back":
			return "/home"
		}
		return ""
	}
	f.acts++
	unmade := p.settled && p.second == ""
	if unmade && p.toBeSent(c) {
		f.unmade++
	}
	posts := 0
	if c.posts != "" {
		posts = s.app.Posts(key + " " + c.posts)
	}
	switch {
	case failed && p.second != "" && strings.Contains(text, diedAgain):
		f.twice++
		if !strings.Contains(text, "Whether "+c.tool+" took effect is unknown") && (posts > 0 || !strings.Contains(text, c.tool+" was not done")) {
			s.t.Errorf("%s\n%s does not say what is known of it:\n%s", p, c.name, text)
		}
	case !failed:
		if astray.MatchString(text) {
			s.t.Errorf("%s\n%s was answered from elsewhere:\n%s", p, c.name, text)
		}
		f.done++
		if unmade && p.toBeSent(c) {
			f.replayed++
		} else if unmade {
			s.t.Errorf("%s\n%s was done on a page that was opened anew:\n%s", p, c.name, text)
		}
		if c.posts == "submit" {
			s.app.await(s.t, key+" submit", 1)
			return "/done?k=" + key
		}
		if c.posts != "" {
			s.app.await(s.t, key+" "+c.posts, 1)
		}
	case c.kind == placed && !remote(p.number) && strings.Contains(text, "are lost, so "+c.tool+" was not done"):
		f.refused++
		if !showsPage(text) {
			s.t.Errorf("%s\n%s does not show the page:\n%s", p, c.name, text)
		}
	case strings.Contains(text, "Whether it took effect is unknown"):
		f.unknown++
		if !strings.Contains(text, "Restored: ") || !showsPage(text) {
			s.t.Errorf("%s\n%s does not show the page:\n%s", p, c.name, text)
		}
		if unmade {
			s.t.Errorf("%s\n%s had certainly not been executed, and was not repeated:\n%s", p, c.name, text)
		}
		// The page may have moved before the death.
		if c.posts == "submit" && posts > 0 && strings.Contains(text, "/done?k="+key) {
			return "/done?k=" + key
		}
	default:
		s.t.Errorf("%s\n%s failed with:\n%s\nstderr:\n%s", p, c.name, text, tail(s.Stderr()))
	}
	return ""
}

// showsPage reports whether an error has a view behind it.
func showsPage(text string) bool {
	return strings.Contains(text, "[PlayGuard compact: ") || strings.Contains(text, "URL: ")
}

// moves reports whether one of the calls leads to another page.
func (p plan) moves() bool {
	return slices.ContainsFunc(p.calls, func(c call) bool {
		return c.posts == "submit" || c.name == "navigate" || c.name == "back"
	})
}

// after checks that the session is whole again.
func (s *session) after(p plan, key, view, moved string, f *figures) {
	s.t.Helper()
	if moved != "" {
		s.tabs[s.at] = s.app.URL + moved
	}
	if p.second != "" {
		s.awaitBackoff()
	}
	text := s.call("browser_snapshot", map[string]any{"full": true})
	if done := "/done?k=" + key; moved == "" && s.app.Posts(key+" submit") > 0 && strings.Contains(text, "# Done "+key) {
		moved = done // an action that two deaths came under may have got so far
		s.tabs[s.at] = s.app.URL + done
	}
	here := strings.Contains(text, "Welcome, ada") && strings.Contains(text, "Basket: apples")
	last := s.call("browser_evaluate", map[string]any{"function": lately})
	kept := strings.Contains(s.call("browser_evaluate", map[string]any{"function": fruit}), "pears") &&
		strings.Contains(last, "apples "+key+" ") && strings.Contains(last, "seen="+key)
	failed := s.t.Failed()
	s.checkTabs()
	f.mu.Lock()
	f.checks++
	if here && kept && (failed || !s.t.Failed()) {
		f.loggedIn++
	} else {
		s.t.Errorf("%s\nafter it (login %v, storage as it was last %v: %s) the page is:\n%s\nstderr:\n%s", p, here, kept, last, text, tail(s.Stderr()))
	}
	f.drills++
	f.faults[p.fault]++
	f.mu.Unlock()
	if moved == "" {
		// A handle from before the fault still reaches its element.
		s.call("browser_click", map[string]any{"target": handle(s.t, view, "One | button Open")})
		if got := s.call("browser_evaluate", map[string]any{"function": "() => document.getElementById('said').textContent"}); !strings.Contains(got, "one") {
			s.t.Errorf("%s\na handle from before reached something else: %s", p, got)
		}
	}
}

// awaitBackoff waits until calls that two deaths came under are tried again.
func (s *session) awaitBackoff() {
	s.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		text, failed := s.try("browser_snapshot", nil)
		if !failed {
			return
		}
		if !strings.Contains(text, diedAgain) || time.Now().After(deadline) {
			s.t.Errorf("a look fails with: %s", text)
			return
		}
	}
}

// finish ends the session and counts what its log says.
func (s *session) finish(f *figures) {
	s.t.Helper()
	s.End()
	if left := harness.Remaining(s.scene.Dir, harness.Patience); len(left) > 0 {
		s.t.Errorf("processes are left:\n%s", strings.Join(left, "\n"))
	}
	if left := s.savedFiles(); len(left) > 0 {
		s.t.Errorf("saved storage is left: %q", left)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range s.entries() {
		if e["revived"] == true {
			f.revived++
		}
	}
}
