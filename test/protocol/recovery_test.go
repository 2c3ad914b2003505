package protocol

import (
	"os"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

// A Playwright MCP that takes no init page and fails on demand: what is noticed
// by answers alone, and what no real one can be brought to.

const (
	shopText  = "### Page\n- Page URL: http://shop.test/a\n- Page Title: Shop\n### Snapshot\n```yaml\n- generic [ref=e1]:\n  - button \"Buy\" [ref=e2]\n  - button \"Sell\" [ref=e3]\n```"
	again     = "### Page\n- Page URL: http://shop.test/a\n- Page Title: Shop\n### Snapshot\n```yaml\n- generic [ref=e1]:\n  - button \"Sell\" [ref=e2]\n  - button \"Buy\" [ref=e3]\n```"
	blankText = "### Page\n- Page URL: about:blank\n### Snapshot\n```yaml\n\n```"
	blankTabs = "### Result\n- 0: (current) [](about:blank)"
)

// browser is the script of such a server; replies are those of single tools.
func browser(replies map[string]string) string {
	calls := map[string]string{
		"browser_navigate": text(shopText), "browser_snapshot": text(shopText), "browser_tabs": text(blankTabs),
		"browser_evaluate": text("### Result\n1"), "browser_click": text("### Result\nclicked"),
	}
	for tool, reply := range replies {
		calls[tool] = reply
	}
	var tools, all []string
	for tool, reply := range calls {
		tools = append(tools, `{"name":"`+tool+`","inputSchema":{"type":"object"}}`)
		all = append(all, quoted(tool)+":"+reply)
	}
	return `{"builtins":["log","pid"],"tools":[` + strings.Join(tools, ",") + `],"calls":{` + strings.Join(all, ",") + `}}`
}

func text(s string) string { return `[{"text":` + quoted(s) + `}]` }

func failing(s string) string {
	return `{"result":{"isError":true,"content":[{"type":"text","text":` + quoted(s) + `}]}}`
}

// counted is how often the server was called with a tool.
func counted(t *testing.T, p *harness.Peer, tool string) int {
	t.Helper()
	log, _ := p.Text("log", `{}`)
	return strings.Count(log, `"name":"`+tool+`"`)
}

// The silent case: an answer without an error from an empty page.
func TestSilentNewBrowser(t *testing.T) {
	p := harness.Start(t, harness.Setup{Playwright: browser(map[string]string{
		"browser_snapshot": `[{"onCall":2,"text":` + quoted(blankText) + `},{"text":` + quoted(shopText) + `}]`,
	})}).Ready()
	p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
	p.Text("browser_snapshot", `{"full":true}`)
	got, isError := p.Text("browser_snapshot", `{"full":true}`)
	if isError {
		t.Error("the look failed")
	}
	contains(t, got, "Buy", "[PlayGuard: the browser died; restored")
}

// A page that went to about:blank by itself has a history and is left alone.
func TestEmptyPageIsLeftAlone(t *testing.T) {
	p := harness.Start(t, harness.Setup{Playwright: browser(map[string]string{
		"browser_snapshot": text(blankText), "browser_evaluate": text("### Result\n2"),
	})}).Ready()
	p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
	got, isError := p.Text("browser_snapshot", `{}`)
	if isError || strings.Contains(got, "restored") || !strings.Contains(got, "about:blank") {
		t.Errorf("the look is answered with %q", got)
	}
	if n := counted(t, p, "browser_navigate"); n != 1 {
		t.Errorf("the page was opened %d times", n)
	}
}

// A click that found its element gone together with the page is done again, on
// the element that its number stands for in the new browser.
func TestClickIsCarriedOver(t *testing.T) {
	p := harness.Start(t, harness.Setup{Playwright: browser(map[string]string{
		"browser_snapshot": `[{"onCall":1,"text":` + quoted(shopText) + `},{"text":` + quoted(again) + `}]`,
		"browser_click": `[{"onCall":1,` + failing("### Error\nError: Ref e2 not found in the current page snapshot. Try capturing new snapshot.")[1:] +
			`,{"text":"### Result\nclicked"}]`,
	})}).Ready()
	p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
	view, _ := p.Text("browser_snapshot", `{"full":true}`)
	contains(t, view, "button Buy [1]")
	got, isError := p.Text("browser_click", `{"target":"1"}`)
	if isError {
		t.Errorf("the click failed: %s", got)
	}
	log, _ := p.Text("log", `{}`)
	contains(t, log, `"name":"browser_click","arguments":{"target":"e2"}`, `"name":"browser_click","arguments":{"target":"e3"}`)
}

// What went wrong in the server beside a call comes with the next answer: that is not
// taken for the page.
func TestErrorOfSomethingElse(t *testing.T) {
	p := harness.Start(t, harness.Setup{Playwright: browser(map[string]string{
		"browser_snapshot": `[{"onCall":1,"text":` + quoted(shopText) + `},{"onCall":2,` +
			failing("### Error\nAssertion error\n    at assert (coreBundle.js:885:11)\n### Page\n- Page URL: http://shop.test/a")[1:] + `,{"text":` + quoted(again) + `}]`,
		"browser_click": `[{"onCall":1,` + failing("### Error\nError: Ref e2 not found in the current page snapshot. Try capturing new snapshot.")[1:] +
			`,{"text":"### Result\nclicked"}]`,
	})}).Ready()
	p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
	p.Text("browser_snapshot", `{"full":true}`)
	if got, isError := p.Text("browser_click", `{"target":"1"}`); isError {
		t.Errorf("the click failed: %s", got)
	}
	log, _ := p.Text("log", `{}`)
	contains(t, log, `"name":"browser_click","arguments":{"target":"e3"}`)
}

// An ordinary stale ref is not taken for a death.
func TestStaleRefIsNoDeath(t *testing.T) {
	p := harness.Start(t, harness.Setup{Playwright: browser(map[string]string{
		"browser_tabs":  text("### Result\n- 0: (current) [Shop](http://shop.test/a)"),
		"browser_click": `[` + failing("### Error\nError: Ref e9 not found in the current page snapshot. Try capturing new snapshot.") + `]`,
	})}).Ready()
	p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
	got, isError := p.Text("browser_click", `{"target":"e9"}`)
	if !isError || strings.Contains(got, "died") {
		t.Errorf("the click is answered with %q", got)
	}
	if n := counted(t, p, "browser_click"); n != 1 {
		t.Errorf("the click was sent %d times", n)
	}
}

// The server dies again when the session is restored: the calls say so, with its
// last words, and try again only after the backoff.
func TestCrashLoopIsTold(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{})
	script := browser(map[string]string{"browser_snapshot": `[{"stderr":{"text":"segfault at <0>"}},{"exit":139}]`})
	scene.WriteScript("playwright", `{"startFile":`+quoted(scene.Path("starts"))+","+script[1:])
	p := scene.Start().Ready()
	starts := func() string {
		data, err := os.ReadFile(scene.Path("starts"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
	got, isError := p.Text("browser_snapshot", `{}`)
	if !isError {
		t.Errorf("the look is answered with %q", got)
	}
	contains(t, got, "Playwright MCP ended, and again when the session was restored", "segfault at <0>", "tries again")
	if strings.Contains(got, "took effect") {
		t.Errorf("of a look it is said what effect it had: %q", got)
	}
	at := starts()
	if second, isError := p.Text("browser_snapshot", `{}`); !isError || second != got {
		t.Errorf("in the backoff a look is answered with %q", second)
	}
	want := strings.Replace(got, "[PlayGuard] ", "[PlayGuard] browser_click was not done. ", 1)
	if third, isError := p.Text("browser_click", `{"target":"e2"}`); !isError || third != want {
		t.Errorf("in the backoff a click is answered with %q instead of %q", third, want)
	}
	if now := starts(); now != at {
		t.Errorf("in the backoff the server was started again: %s starts instead of %s", now, at)
	}
}

// Troubles that no second try mends are explained, and not tried twice.
func TestTroublesAreExplained(t *testing.T) {
	for said, remedy := range map[string]string{
		"Browser is already in use for /home/ada/profile, use --isolated to run multiple instances of the same browser": "Another browser uses this profile",
		"browserType.launchPersistentContext: Missing X server or $DISPLAY":                                             "--headless",
		"ENOSPC: no space left on device, mkdtemp":                                                                      "The disk is full",
		"browserType.launch: Executable doesn't exist at /opt/chrome":                                                   "--executable-path",
	} {
		t.Run(remedy, func(t *testing.T) {
			t.Parallel()
			p := harness.Start(t, harness.Setup{Playwright: browser(map[string]string{
				"browser_navigate": `[` + failing("### Error\nError: browserBackend.callTool: "+said) + `]`,
			})}).Ready()
			got, isError := p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
			if !isError {
				t.Error("the navigation succeeded")
			}
			contains(t, got, said, remedy)
			if n := counted(t, p, "browser_navigate"); n != 1 {
				t.Errorf("it was tried %d times", n)
			}
		})
	}
}

// An action under which the server dies: its outcome is unknown and it is sent
// once, unless the user wants it otherwise. A look is sent again, unless the user
// wants nothing to be.
func TestReplayPolicies(t *testing.T) {
	const unknown, harmless = "Whether it took effect is unknown", "It only reads and may be repeated"
	for policy, want := range map[string]struct{ act, look string }{
		"safe":   {unknown, "Buy"},
		"always": {"clicked", "Buy"},
		"never":  {unknown, harmless},
	} {
		for tool, answer := range map[string]string{"browser_click": want.act, "browser_find": want.look} {
			t.Run(policy+" "+tool, func(t *testing.T) {
				t.Parallel()
				scene := harness.NewScene(t, harness.Setup{Env: []string{"PLAYGUARD_REPLAY=" + policy}})
				script := browser(map[string]string{
					"browser_click": `[{"onStart":1,"exit":1},{"text":"### Result\nclicked"}]`,
					"browser_find":  `[{"onStart":1,"exit":1},{"text":"### Result\nBuy"}]`,
				})
				scene.WriteScript("playwright", `{"startFile":`+quoted(scene.Path("starts"))+","+script[1:])
				p := scene.Start().Ready()
				p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
				p.Text("browser_snapshot", `{"full":true}`)
				got, isError := p.Text(tool, `{"target":"e2"}`)
				told := answer == unknown || answer == harmless
				if isError != told {
					t.Errorf("an error: %v", isError)
				}
				contains(t, got, answer)
				if told {
					contains(t, got, "Playwright MCP ended during "+tool, "Restored: http://shop.test/a", "button Buy")
				}
			})
		}
	}
}

// A call that comes while the server ends waits for the session, and does not go to
// an empty one before it.
func TestCallsWaitForTheSession(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{})
	script := browser(map[string]string{
		"browser_find":      `[{"onStart":1,"closeStdout":true},{"text":"### Result\nfound"}]`,
		"browser_press_key": text("### Result\npressed"),
	})
	scene.WriteScript("playwright", `{"startFile":`+quoted(scene.Path("starts"))+","+script[1:])
	p := scene.Start().Ready()
	p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
	p.Text("browser_snapshot", `{"full":true}`)
	find := p.AskTool("browser_find", `{"text":"Buy"}`)
	var keys []string
	for range 3 {
		keys = append(keys, p.AskTool("browser_press_key", `{"key":"Enter"}`))
	}
	for _, id := range append(keys, find) {
		p.Answer(id)
	}
	log, _ := p.Text("log", `{}`)
	pressed, opened := strings.Index(log, `"name":"browser_press_key"`), strings.Index(log, `"name":"browser_navigate"`)
	if opened < 0 || pressed >= 0 && pressed < opened {
		t.Errorf("the successor was sent a key before the session was restored:\n%s", log)
	}
}

// A server that ended while no call was under way: the next call finds the session.
func TestEndBetweenCalls(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{})
	script := browser(map[string]string{
		"browser_find":      `[{"onStart":1,"text":"### Result\nfound"},{"onStart":1,"exit":1},{"text":"### Result\nfound"}]`,
		"browser_press_key": text("### Result\npressed"),
	})
	scene.WriteScript("playwright", `{"startFile":`+quoted(scene.Path("starts"))+","+script[1:])
	p := scene.Start().Ready()
	p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
	p.Text("browser_find", `{"text":"Buy"}`)
	p.AwaitStderr("an upstream ended")
	p.Text("browser_snapshot", `{}`)
	log, _ := p.Text("log", `{}`)
	looked, opened := strings.Index(log, `"name":"browser_snapshot"`), strings.Index(log, `"name":"browser_navigate"`)
	if opened < 0 || looked < opened {
		t.Errorf("the successor was asked for a page before it had one:\n%s", log)
	}
}

// Routes are not restored: the agent is told so with the answer that comes first.
func TestLostRoutesAreTold(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{})
	script := browser(map[string]string{
		"browser_find":  `[{"onStart":1,"exit":1},{"text":"### Result\nfound"}]`,
		"browser_route": text("### Result\nRoute added for pattern: **/pay"),
	})
	scene.WriteScript("playwright", `{"startFile":`+quoted(scene.Path("starts"))+","+script[1:])
	p := scene.Start().Ready()
	p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
	p.Text("browser_snapshot", `{"full":true}`)
	p.Text("browser_route", `{"pattern":"**/pay"}`)
	got, isError := p.Text("browser_find", `{"text":"Buy"}`)
	if isError {
		t.Error("the search failed")
	}
	contains(t, got, "restored, form input and scroll position are lost; lost: the routes of browser_route (**/pay)]")
	if got, isError := p.Text("browser_click", `{"target":"e2"}`); isError || !strings.Contains(got, "clicked") {
		t.Errorf("after the agent was told a click is answered with %q", got)
	}
}

// What the agent had typed is lost with the browser: a click that had no effect there
// is not done on the page that was opened anew, and the next one is.
func TestClickOnLostInput(t *testing.T) {
	for policy, want := range map[string]string{
		"safe": "[PlayGuard] The browser died; form input and scroll position are lost, so browser_click was not done.", "always": "clicked",
		"never": "It had no effect and was not repeated",
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			p := harness.Start(t, harness.Setup{Env: []string{"PLAYGUARD_REPLAY=" + policy}, Playwright: browser(map[string]string{
				"browser_type": text("### Result\ntyped"),
				"browser_click": `[{"onCall":1,` + failing("### Error\nError: Ref e2 not found in the current page snapshot. Try capturing new snapshot.")[1:] +
					`,{"text":"### Result\nclicked"}]`,
			})}).Ready()
			p.Text("browser_navigate", `{"url":"http://shop.test/a"}`)
			p.Text("browser_snapshot", `{"full":true}`)
			p.Text("browser_type", `{"target":"e3","text":"100"}`)
			got, isError := p.Text("browser_click", `{"target":"e2"}`)
			contains(t, got, want)
			if policy == "always" {
				return
			}
			if !isError {
				t.Error("the click is said to be done")
			}
			contains(t, got, "button Buy")
			if got, isError := p.Text("browser_click", `{"target":"e2"}`); isError || !strings.Contains(got, "clicked") {
				t.Errorf("the next click is answered with %q", got)
			}
			if n := counted(t, p, "browser_click"); n != 2 {
				t.Errorf("clicks were sent %d times", n)
			}
		})
	}
}
