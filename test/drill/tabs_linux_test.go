package drill

// Tabs: which crash, which live on, and whose they are.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/playguard/playguard/test/harness"
)

// crashOf makes the page with the first home crash, and goes on when that is known.
const crashOf = `async page => { const c = page.context(); const one = c.pages().find(p => p.url().includes('new=1')); const gone = new Promise(done => one.once('crash', done)); const s = await c.newCDPSession(one); s.send('Page.crash').catch(() => {}); await gone; return %s; }`

// crash ends the renderer of the current tab's page.
const crash = `async page => { const session = await page.context().newCDPSession(page); session.send('Page.crash').catch(() => {}); }`

// The crash of one tab's page leaves the others as they are, with what is in
// their memory.
func TestLivingTabsStay(t *testing.T) {
	t.Parallel()
	web := serveSite(t)
	s := start(t, serveApp(t), "--isolated")
	web.show(s)
	s.logIn()
	s.call("browser_tabs", map[string]any{"action": "new", "url": web.URL + "/page"})
	s.tabs = append(s.tabs, web.URL+"/page")
	s.call("browser_resize", map[string]any{"width": 700, "height": 500})
	s.call("browser_evaluate", map[string]any{"function": "() => { window.mark = 'alive' }"})
	s.call("browser_tabs", map[string]any{"action": "select", "index": 0})
	s.try("browser_run_code_unsafe", map[string]any{"code": crash}) // it may be over before the crash
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Welcome, ada")
	s.checkTabs() // the one that was opened anew has the place of the crashed one
	contains(t, s.call("browser_tabs", map[string]any{"action": "select", "index": 1}), web.URL+"/page")
	contains(t, s.call("browser_evaluate", map[string]any{"function": "() => window.mark + innerWidth"}), "alive700")
	s.End()
}

// What is opened beside a crashed tab stays, whoever has opened it.
func TestTabsOpenedBesideACrash(t *testing.T) {
	t.Parallel()
	s := loggedIn(t, "--isolated", "/work?k=beside")
	app := s.app
	s.call("browser_run_code_unsafe", map[string]any{"code": fmt.Sprintf(crashOf, `(async () => {
		const p = await c.newPage(); await p.goto('`+app.URL+`/work?k=made');
		for (const [k, how] of [['popup', ''], ['noopener', 'noopener']])
			await Promise.all([c.waitForEvent('page').then(p => p.waitForURL('**/work?k=' + k)), page.evaluate(([k, how]) => { open('/work?k=' + k, '', how); }, [k, how])]);
	})()`)})
	s.tabs = append(s.tabs, app.URL+"/work?k=made", app.URL+"/work?k=popup", app.URL+"/work?k=noopener")
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Work beside")
	s.checkTabs()
	s.End()
}

// The crash of another tab is nothing to a call that is under way, nor to a tab's
// way back, and one that crashes again and again keeps nobody from the others.
func TestCrashesOfAnotherTab(t *testing.T) {
	t.Parallel()
	s := loggedIn(t, "--isolated", "/home")
	app := s.app
	s.open("/work?k=one")
	s.call("browser_evaluate", map[string]any{"function": "() => { location.href = '/work?k=two' }"})
	s.call("browser_wait_for", map[string]any{"text": "Work two"})
	s.tabs[s.at] = app.URL + "/work?k=two"

	s.call("browser_run_code_unsafe", map[string]any{"code": `async page => { const c = page.context(); setTimeout(async () => { const s = await c.newCDPSession(c.pages().find(p => p.url().includes('new=1'))); s.send('Page.crash').catch(() => {}); }, 300); }`})
	text := s.call("browser_wait_for", map[string]any{"time": 2})
	contains(t, text, "Waited for 2 seconds")
	lacks(t, text, "again", "Error")
	s.checkTabs()
	contains(t, s.call("browser_navigate_back", nil), app.URL+"/work?k=one")
	contains(t, s.call("browser_navigate_back", nil), app.URL+"/home")
	s.tabs[s.at] = app.URL + "/home"

	// From now on the other tab's page crashes whenever it is loaded.
	s.call("browser_run_code_unsafe", map[string]any{"code": `async page => { const c = page.context(); c.on('response', async r => { if (r.url().includes('new=1')) { const s = await c.newCDPSession(r.frame().page()); s.send('Page.crash').catch(() => {}); } }); await c.pages().find(p => p.url().includes('new=1')).reload().catch(() => {}); }`})
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Home", "tab 0 is empty, "+app.URL+"/home?new=1 could not be opened again: its page crashes")
	contains(t, s.call("browser_navigate", map[string]any{"url": app.URL + "/work?k=three"}), "Work three")
	s.call("browser_tabs", map[string]any{"action": "close", "index": 0})
	s.tabs, s.at = []string{app.URL + "/work?k=three"}, 0
	s.checkTabs()
	s.End()
}

// A tab stays the current one when others close by themselves.
func TestCurrentTabStaysCurrent(t *testing.T) {
	t.Parallel()
	s := loggedIn(t, "--isolated", "/work?k=closes", "/work?k=current", "/work?k=last")
	s.call("browser_tabs", map[string]any{"action": "select", "index": 2})
	s.call("browser_run_code_unsafe", map[string]any{"code": "async page => { await page.context().pages().find(p => p.url().includes('closes')).close(); }"})
	s.call("browser_wait_for", map[string]any{"time": 1}) // it gets about behind the answer
	s.die(browsers(below(s.Process().Pid)))
	contains(t, s.call("browser_evaluate", map[string]any{"function": "() => document.title"}), "Work current")
	s.tabs, s.at = []string{s.tabs[0], s.tabs[2], s.tabs[3]}, 1
	s.checkTabs()
	s.End()
}

// In the user's own browser what the user opens and closes meanwhile is the user's
// affair: nothing of it is closed, opened again or acted on.
func TestUsersOwnTabs(t *testing.T) {
	t.Parallel()
	app := serveApp(t)
	_, port := ownBrowser(t)
	user := func(method, path string, out any) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, "http://"+port+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if out != nil {
			if err := json.NewDecoder(answer.Body).Decode(out); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := start(t, app, "--cdp-endpoint http://"+port)
	s.cutOff = func() {} // its storage is not saved
	s.enter(s.open("/login"))
	s.newTab("/work?k=agent")

	s.call("browser_run_code_unsafe", map[string]any{"code": fmt.Sprintf(crashOf, "1")})
	var opened struct{ ID string }
	user(http.MethodPut, "/json/new?"+url.QueryEscape(app.URL+"/work?k=users"), &opened)
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Work agent")
	s.tabs = append(s.tabs, app.URL+"/work?k=users")
	s.checkTabs()

	var all []struct{ ID, URL string }
	user(http.MethodGet, "/json/list", &all)
	for _, one := range all {
		if one.URL == s.tabs[0] {
			user(http.MethodGet, "/json/close/"+one.ID, nil)
		}
	}
	s.tabs, s.at = s.tabs[1:], 0
	s.call("browser_wait_for", map[string]any{"time": 1}) // until it has got about
	s.die(node(below(s.Process().Pid)))
	contains(t, s.call("browser_evaluate", map[string]any{"function": "() => document.title"}), "Work agent")
	s.checkTabs()
	s.End()
	if left := harness.Remaining(s.scene.Dir, harness.Patience); len(left) > 0 {
		t.Errorf("processes are left: %q", left)
	}
}

// A page that crashes before it is set up, here under an init page of the user's, is not
// taken for the tab that it was opened for.
func TestCrashBeforeAPageIsSetUp(t *testing.T) {
	t.Parallel()
	app := Serve()
	t.Cleanup(app.Close)
	crashing := filepath.Join(t.TempDir(), "crashing.cjs")
	script := `let pages = 0;
module.exports.default = async ({ page }) => {
	if (++pages !== 2)
		return;
	const gone = new Promise(done => page.once('crash', done));
	(await page.context().newCDPSession(page)).send('Page.crash').catch(() => {});
	await gone;
};`
	if err := os.WriteFile(crashing, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, app, "--isolated --init-page "+crashing)
	s.logIn()
	s.open("/home")
	s.try("browser_run_code_unsafe", map[string]any{"code": crash}) // it may be over before the crash
	began := time.Now()
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Welcome, ada")
	if took := time.Since(began); took > 40*time.Second { // and not as long as the server may take for a call
		t.Errorf("the restoration took %s", took)
	}
	s.checkTabs()
	s.End()
}
