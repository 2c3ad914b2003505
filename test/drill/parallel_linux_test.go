package drill

// Calls that are asked for at once, and meet one crash.

import (
	"testing"
)

// A call that was sent to a tab is not done on another one that was selected since.
func TestSelectedBesideACallThatDies(t *testing.T) {
	t.Parallel()
	app := Serve()
	t.Cleanup(app.Close)
	s := start(t, app, "--isolated --timeout-action 20000")
	s.logIn()
	s.newTab("/work?k=first")
	waiting := s.AskTool("browser_wait_for", `{"text":"Home"}`) // which the first tab shows
	s.call("browser_tabs", map[string]any{"action": "select", "index": 0})
	s.at = 0
	s.dieKnown(browsers(below(s.Process().Pid)))
	text, failed := s.answer(waiting)
	if !failed {
		t.Errorf("the wait was over on another tab:\n%s", text)
	}
	contains(t, text, "It only reads and may be repeated. It was not repeated, for another tab is the current one now.")
	s.checkTabs()
	s.End()
}

// What a call waits for may be what the call behind it does.
func TestWaitingForTheCallBehind(t *testing.T) {
	t.Parallel()
	app := Serve()
	t.Cleanup(app.Close)
	s := start(t, app, "--isolated")
	s.logIn()
	view := s.open("/work?k=behind")
	s.dieKnown(browsers(below(s.Process().Pid)))
	waiting := s.AskTool("browser_wait_for", `{"text":"click done"}`)
	click := s.AskTool("browser_click", toJSON(t, map[string]any{"target": handle(t, view, "Count")}))
	for _, id := range []string{waiting, click} {
		if text, failed := s.answer(id); failed {
			t.Errorf("a call failed with:\n%s", text)
		}
	}
	s.app.await(t, "behind click", 1)
	s.End()
}
