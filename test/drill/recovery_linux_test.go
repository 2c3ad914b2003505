package drill

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/proctree"
	"github.com/playguard/playguard/test/harness"
)

func TestMain(m *testing.M) {
	proctree.Guard() // the installation runs npm under a guard
	os.Exit(harness.Main(m))
}

// The cases of the failure table, one after the other in one session.
func TestRecovery(t *testing.T) {
	t.Parallel()
	app := Serve()
	t.Cleanup(app.Close)
	s := start(t, app, "--isolated", "PLAYGUARD_BROWSER_TIMEOUT_MS=10000")
	s.logIn()
	s.newTab("/work?k=first")
	step := func(name string, run func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			outer := s.t
			s.t = t
			defer func() { s.t = outer }()
			run(t)
			if t.Failed() {
				t.Logf("stderr:\n%s", tail(s.Stderr()))
			}
		})
	}
	pid := s.Process().Pid

	step("browser killed before a look", func(t *testing.T) {
		view := s.open("/work?k=look")
		s.die(browsers(below(pid)))
		contains(t, s.call("browser_snapshot", nil), "[PlayGuard: the browser died; restored")
		s.checkTabs()
		s.acts(view, "look")
	})
	step("browser killed before a click", func(t *testing.T) {
		view := s.open("/work?k=click")
		s.die(browsers(below(pid)))
		s.acts(view, "click")
		s.checkTabs()
	})
	step("page crashed before a click", func(t *testing.T) {
		view := s.open("/work?k=crash")
		s.die(renderers(below(pid)))
		s.acts(view, "crash")
		s.checkTabs()
	})
	step("server killed before a click", func(t *testing.T) {
		view := s.open("/work?k=server")
		all := below(pid)
		s.die(node(all))
		s.acts(view, "server")
		s.checkTabs()
		s.awaitGone(all)
	})
	step("guard killed before a script", func(t *testing.T) {
		s.open("/work?k=guard")
		all := below(pid)
		s.die(guards(all))
		contains(t, s.call("browser_evaluate", map[string]any{"function": "() => document.title + localStorage.basket"}), "Work guardapples")
		s.checkTabs()
		s.awaitGone(all)
	})
	step("a navigation after a kill is logged in", func(t *testing.T) {
		s.open("/home")
		s.die(browsers(below(pid)))
		contains(t, s.open("/work?k=nav"), "Welcome, ada", "Basket: apples")
		s.checkTabs()
		contains(t, s.call("browser_evaluate", map[string]any{"function": fruit}), "pears")
	})
	step("the way back", func(t *testing.T) {
		s.open("/home")
		s.open("/work?k=back")
		s.die(browsers(below(pid)))
		s.tabs[s.at] = app.URL + "/home"
		contains(t, s.call("browser_navigate_back", nil), "URL: "+app.URL+"/home")
		s.checkTabs()
	})
	step("killed when it had gone back", func(t *testing.T) {
		s.open("/home")
		s.open("/work?k=gone&late=1")
		s.open("/home?gone")
		pictures := app.Pictures()
		waiting := s.AskTool("browser_wait_for", `{"text":"picture came"}`) // may be answered on the restored page before the step is repeated
		id := s.AskTool("browser_navigate_back", `{}`)
		for deadline := time.Now().Add(harness.Patience); app.Pictures() == pictures; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the page before does not come")
			}
		}
		s.die(browsers(below(pid)))
		if text, failed := s.answer(waiting); failed {
			t.Errorf("the waiting failed: %s", text)
		}
		text, failed := s.answer(id)
		if failed {
			t.Error("the step back failed")
		}
		s.tabs[s.at] = app.URL + "/work?k=gone&late=1"
		contains(t, text, "URL: "+s.tabs[s.at])
		s.checkTabs()
		s.tabs[s.at] = app.URL + "/home"
		contains(t, s.call("browser_navigate_back", nil), "URL: "+s.tabs[s.at])
		s.checkTabs()
	})
	step("viewport and media", func(t *testing.T) {
		s.open("/work?k=size")
		s.call("browser_resize", map[string]any{"width": 641, "height": 481})
		s.call("browser_emulate_media", map[string]any{"colorScheme": "dark"})
		s.die(browsers(below(pid)))
		contains(t, s.call("browser_evaluate", map[string]any{"function": "() => innerWidth + 'x' + innerHeight + matchMedia('(prefers-color-scheme: dark)').matches"}), "641x481true")
	})
	step("killed during an action", func(t *testing.T) {
		view := s.open("/work?k=during")
		app.Slow(time.Minute)
		id := s.AskTool("browser_click", toJSON(t, map[string]any{"target": handle(t, view, "Send")}))
		app.await(t, "during submit", 1)
		s.die(browsers(below(pid)))
		app.Slow(0)
		text, failed := s.answer(id)
		if !failed {
			t.Error("the click is said to have succeeded")
		}
		contains(t, text, "The browser died during browser_click. Whether it took effect is unknown", "Restored: "+app.URL+"/work?k=during", "button Send")
		if n := app.Posts("during submit"); n != 1 {
			t.Errorf("it was posted %d times", n)
		}
		s.acts(view, "during")
	})
	step("killed again under the action that it was restored for", func(t *testing.T) {
		view := s.open("/work?k=again")
		s.dieKnown(browsers(below(pid))) // so that the click is only sent to the restored page
		app.Slow(time.Minute)
		id := s.AskTool("browser_click", toJSON(t, map[string]any{"target": handle(t, view, "Send")}))
		app.await(t, "again submit", 1)
		s.die(browsers(below(pid)))
		app.Slow(0)
		text, failed := s.answer(id)
		if !failed {
			t.Error("the click is said to have succeeded")
		}
		contains(t, text, "The browser died during browser_click. Whether it took effect is unknown", "Restored: "+app.URL+"/work?k=again", "button Send")
		if n := app.Posts("again submit"); n != 1 {
			t.Errorf("it was posted %d times", n)
		}
	})
	step("several calls share one crash", func(t *testing.T) {
		s.open("/work?k=shared")
		restores := strings.Count(s.Stderr(), "session was restored")
		waiting := s.AskTool("browser_wait_for", `{"time":2}`)
		s.die(browsers(below(pid)))
		var ids []string
		for i := range 4 {
			ids = append(ids, s.AskTool("browser_evaluate", fmt.Sprintf(`{"function":"() => document.title + ' %d'"}`, i)))
		}
		for i, id := range ids {
			text, failed := s.answer(id)
			if failed {
				t.Error("a reading call failed")
			}
			contains(t, text, fmt.Sprintf("Work shared %d", i))
		}
		if text, failed := s.answer(waiting); failed {
			t.Errorf("the waiting failed: %s", text)
		}
		if n := strings.Count(s.Stderr(), "session was restored") - restores; n != 1 {
			t.Errorf("the session was restored %d times", n)
		}
	})
	for _, hang := range []struct {
		name string
		of   func([]process) []process
	}{{"server", node}, {"browser", browsers}} {
		step(hang.name+" hangs", func(t *testing.T) {
			s.open("/work?k=hang" + hang.name)
			all := below(pid)
			signal(hang.of(all), syscall.SIGSTOP)
			contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Work hang"+hang.name, "The browser hung and was ended; restored"[4:])
			s.checkTabs()
			s.awaitGone(all)
		})
	}
	step("an empty page is left alone", func(t *testing.T) {
		s.tabs[s.at] = "about:blank"
		s.call("browser_navigate", map[string]any{"url": "about:blank"})
		lacks(t, s.call("browser_snapshot", nil), "restored")
		s.checkTabs()
	})
	step("a closed browser is left alone", func(t *testing.T) {
		s.call("browser_close", nil)
		text := s.call("browser_snapshot", nil)
		contains(t, text, "about:blank")
		lacks(t, text, "restored")
	})
	s.End()
	if left := s.savedFiles(); len(left) > 0 {
		t.Errorf("saved storage is left: %q", left)
	}
	var revived, replayed int
	for _, e := range s.entries() {
		if e["revived"] == true {
			revived++
			if e["died"] == nil || e["noticed"] == nil || e["recoveryMs"] == nil {
				t.Errorf("the log's line does not say what happened: %v", e)
			}
		}
		if e["replayed"] == true {
			replayed++
		}
	}
	t.Logf("%d calls revived, %d sent again", revived, replayed)
	if revived < 12 {
		t.Errorf("the log has only %d revived calls", revived)
	}
}

// acts clicks a button whose handle is of a view before the crash.
func (s *session) acts(view, key string) {
	s.t.Helper()
	text := s.call("browser_click", map[string]any{"target": handle(s.t, view, "Count")})
	contains(s.t, text, "click done")
	if n := s.app.Posts(key + " click"); n != 1 {
		s.t.Errorf("the click was posted %d times", n)
	}
}

// die kills processes and waits until they are gone.
func (s *session) die(what []process) {
	s.t.Helper()
	if len(what) == 0 {
		s.t.Fatal("there is nothing to kill")
	}
	signal(what, syscall.SIGKILL)
	for _, p := range what {
		// A zombie's other threads may still hold its files open.
		for deadline := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d", p.pid)); err != nil {
				break
			}
			if time.Now().After(deadline) {
				s.t.Fatalf("%s was killed and is still there", p.command)
			}
		}
	}
}

// dieKnown kills processes and waits until PlayGuard knows that something has died.
func (s *session) dieKnown(what []process) {
	s.t.Helper()
	deaths := s.deaths()
	s.die(what)
	s.awaitDeath(deaths)
}

func contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
}

func lacks(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q must not be in:\n%s", part, text)
		}
	}
}

// A browser that stands still while the server's own limit for a screenshot or a
// wait is over: that is no answer of the page, and the call gets one.
func TestHangBehindTheServersOwnLimit(t *testing.T) {
	t.Parallel()
	app := Serve()
	t.Cleanup(app.Close)
	s := start(t, app, "--isolated")
	s.logIn()
	s.open("/work?k=still")
	all := below(s.Process().Pid)
	signal(browsers(all), syscall.SIGSTOP)
	contains(t, s.call("browser_wait_for", map[string]any{"text": "Welcome"}), "restored")
	s.awaitGone(all)
	s.checkTabs()
	// A page that merely does not show it is answered as ever.
	text, failed := s.try("browser_wait_for", map[string]any{"text": "Nowhere"})
	if !failed || strings.Contains(text, "hung") {
		t.Errorf("waiting for what does not come is answered with:\n%s", text)
	}
	s.End()
}
