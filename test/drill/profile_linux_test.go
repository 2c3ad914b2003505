package drill

// Where the storage is kept: a profile on disk, nowhere, and what saving costs.

import (
	"strings"
	"testing"
	"time"
)

// The default of Playwright MCP is a profile on disk. The killed browser's lock on
// it does not stand in the way, and the session's own cookies, which no profile
// keeps, are back; what the profile has kept itself, even what no saved storage can
// hold, is left as it is.
func TestProfileOnDisk(t *testing.T) {
	t.Parallel()
	s := start(t, serveApp(t), "")
	s.enter(s.open("/login"))
	s.awaitSaved(`"login"`)
	contains(t, s.call("browser_evaluate", map[string]any{"function": putKey}), "secret")
	view := s.newTab("/work?k=profile")
	s.die(browsers(below(s.Process().Pid)))
	s.acts(view, "profile")
	s.checkTabs()
	all := below(s.Process().Pid)
	s.die(node(all))
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Work profile", "Welcome, ada")
	contains(t, s.call("browser_evaluate", map[string]any{"function": getKey}), "secret")
	s.checkTabs()
	s.awaitGone(all)
	s.End()
}

// putKey stores a key that can't be read out, and getKey says of which type it is.
const (
	putKey = `async () => { const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']);
		await new Promise(done => { const r = indexedDB.open('vault', 1); r.onupgradeneeded = () => r.result.createObjectStore('keys').put(key, 'one'); r.onsuccess = () => { r.result.close(); done(); }; });
		return key.type; }`
	getKey = `() => new Promise(done => { const r = indexedDB.open('vault', 1); r.onsuccess = () => { const g = r.result.transaction('keys').objectStore('keys').get('one'); g.onsuccess = () => done(g.result.type); }; })`
)

// Nothing is saved when the user does not want it; tabs come back all the same.
func TestWithoutSaving(t *testing.T) {
	t.Parallel()
	s := start(t, serveApp(t), "--isolated", "PLAYGUARD_RESTORE_STATE=false")
	s.open("/login")
	s.die(browsers(below(s.Process().Pid)))
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Login", "Password")
	s.checkTabs()
	if files := s.savedFiles(); len(files) > 0 {
		t.Errorf("storage was saved: %q", files)
	}
	s.End()
}

// savedNote is what PlayGuard notes on stderr after each saving.
const savedNote = "storage was saved"

// rounds is how often each kind of call is timed.
const rounds = 15

// Saving is done while the server is idle, once for each change of a page, and a
// call that comes meanwhile is not held up. The times are printed, beside those
// of a session that saves nothing.
func TestSaving(t *testing.T) {
	app := serveApp(t)
	times := map[bool][]time.Duration{}
	sessions := map[bool]*session{
		true:  start(t, app, "--isolated"),
		false: start(t, app, "--isolated", "PLAYGUARD_RESTORE_STATE=false"),
	}
	for _, s := range sessions {
		s.enter(s.open("/login"))
	}
	changes := 3
	for range rounds {
		for saving, s := range sessions {
			view := s.open("/work?k=saving")
			s.call("browser_click", map[string]any{"target": handle(t, view, "Open")})
			// The pause is as long as the quiet before a saving, so that the next
			// call comes while it is done.
			time.Sleep(55 * time.Millisecond)
			began := time.Now()
			s.call("browser_find", map[string]any{"text": "Welcome"})
			times[saving] = append(times[saving], time.Since(began))
		}
		changes += 2
	}
	saves := strings.Count(sessions[true].Stderr(), savedNote)
	with, without := quantile(times[true], 0.5), quantile(times[false], 0.5)
	t.Logf("%d savings for %d changing calls; a call during one takes %s (median of %d), without saving %s; 90 %% within %s and %s",
		saves, changes, with.Round(100*time.Microsecond), rounds, without.Round(100*time.Microsecond),
		quantile(times[true], 0.9).Round(100*time.Microsecond), quantile(times[false], 0.9).Round(100*time.Microsecond))
	if saves > changes || saves == 0 {
		t.Errorf("%d savings for %d changes", saves, changes)
	}
	for _, s := range sessions {
		s.End()
	}
}
