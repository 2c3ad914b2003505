// An upstream's life as the client sees it: start, deadline, failure, restart.

package protocol

import (
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

// starts counts the starts noted in a script's startFile.
func starts(t *testing.T, file string) int { return len(fileLines(t, file)) }

// With a saved catalogue initialize and tools/list are answered before any
// upstream runs, however long it takes; nothing lazy is started for them.
func TestListsComeFromTheSavedCatalogue(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{Playwright: `{"builtins":["small"]}`, Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["echo"],"instructions":"Say a."}`}}})
	first := scene.Start().Ready()
	want := first.Result("tools/list", `{}`)
	first.End()
	// From now on neither ever answers its handshake.
	started := scene.Path("a.starts")
	scene.WriteScript("playwright", `{"methods":{"initialize":[]}}`)
	scene.WriteScript("a", `{"startFile":`+quoted(started)+`,"methods":{"initialize":[]}}`)
	p := scene.Start()
	contains(t, string(p.Init()), "Say a.")
	if got := p.Result("tools/list", `{}`); got != want {
		t.Errorf("the saved list is\n%s\ninstead of\n%s", got, want)
	}
	if starts(t, started) != 0 {
		t.Error("a lazy upstream was started for its list")
	}
}

// The Playwright row is started behind initialize, or at its first call with
// PLAYGUARD_START=lazy; any other at its first call.
func TestEagerAndLazyStart(t *testing.T) {
	for _, mode := range []string{"eager", "lazy"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			scene := harness.NewScene(t, harness.Setup{
				Env:       []string{"PLAYGUARD_START=" + mode},
				Upstreams: []harness.Upstream{{Name: "a"}},
			})
			eager, lazy := scene.Path("playwright.starts"), scene.Path("a.starts")
			scene.WriteScript("playwright", `{"builtins":["small"],"startFile":`+quoted(eager)+`}`)
			scene.WriteScript("a", `{"builtins":["echo"],"startFile":`+quoted(lazy)+`}`)
			scene.Start().Ready().End() // saves the lists
			before, beforeLazy := starts(t, eager), starts(t, lazy)
			p := scene.Start().Ready()
			if mode == "eager" {
				awaitFile(t, eager, func(lines []string) bool { return len(lines) > before })
			} else if starts(t, eager) != before {
				t.Error("it was started before it was needed")
			}
			if starts(t, lazy) != beforeLazy {
				t.Error("the further upstream was started before it was needed")
			}
			p.Text("small", `{}`)
			p.Text("echo", `{}`)
			if n, m := starts(t, eager)-before, starts(t, lazy)-beforeLazy; n != 1 || m != 1 {
				t.Errorf("they were started %d and %d times", n, m)
			}
		})
	}
}

// On the very first start the list waits a while, then comes without the slow
// upstream, whose tools are announced when they are there.
func TestSlowFirstStartIsAnnounced(t *testing.T) {
	p := harness.Start(t, harness.Setup{
		Env: []string{"PLAYGUARD_LIST_WAIT_MS=200"},
		Upstreams: []harness.Upstream{
			{Name: "slow", Script: `{"prefix":"slow_","builtins":["small"],"methods":{"initialize":[{"delayMs":4000},{"default":true}]}}`},
			{Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`},
		},
	})
	p.Init()
	awaitTools(t, p, "browser_small", "b_small")
	announced := len(withMethod(p.Lines.Lines(), "notifications/tools/list_changed"))
	p.Await(func(string) bool {
		return len(withMethod(p.Lines.Lines(), "notifications/tools/list_changed")) > announced
	})
	equal(t, "then", names(t, p.Result("tools/list", `{}`), "tools", "name"), "browser_small", "slow_small", "b_small")
}

// awaitTools lists the tools until they are the given ones: on a slow machine an
// upstream may not be there at the first time.
func awaitTools(t *testing.T, p *harness.Peer, want ...string) {
	t.Helper()
	ctx := harness.Context(t)
	for {
		got := names(t, p.Result("tools/list", `{}`), "tools", "name")
		if strings.Join(got, " ") == strings.Join(want, " ") {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("the tools are %q instead of %q", got, want)
		}
	}
}

// However many calls find the upstream dead, it is started once.
func TestRestartIsSingleFlight(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a"}, {Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`}}})
	started := scene.Path("a.starts")
	scene.WriteScript("a", `{"builtins":["small","exit","pid"],"startFile":`+quoted(started)+`}`)
	p := scene.Start().Ready()
	first, _ := p.Text("pid", `{}`)
	text, isError := p.Text("exit", `{"code":7}`)
	if !isError {
		t.Errorf("the call that killed the upstream was answered with %q", text)
	}
	contains(t, text, "[PlayGuard] a ended during this call", "status 7", "Whether the call took effect is unknown")
	var ids []string
	for range 20 {
		ids = append(ids, p.AskTool("small", `{}`), p.AskTool("b_small", `{}`))
	}
	for _, id := range ids {
		if text, isError := harness.TextOf(t, p.Answer(id)); isError || text != "ok" {
			t.Errorf("a call after the restart was answered with %q", text)
		}
	}
	if second, _ := p.Text("pid", `{}`); second == first {
		t.Error("the process is the same")
	}
	if n := starts(t, started); n != 2 {
		t.Errorf("it was started %d times", n)
	}
}

// An upstream that can't be started: its tools stay listed, a call says what is
// wrong with its last words, calls in the backoff do not start it again, and the
// others work.
func TestFailedStartBacksOff(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["echo"]}`}, {Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`}}})
	scene.Start().Ready().End()
	started := scene.Path("a.starts")
	scene.WriteScript("a", `{"startFile":`+quoted(started)+`,"start":[{"stderr":{"text":"the <license> has expired"}},{"exit":4}]}`)
	p := scene.Start().Ready()
	contains(t, p.Result("tools/list", `{}`), `"echo"`)
	first, isError := p.Text("echo", `{}`)
	if !isError {
		t.Errorf("the call was answered with %q", first)
	}
	contains(t, first, "[PlayGuard] a is not running", "status 4", "the <license> has expired", "PLAYGUARD_CONFIG")
	second, _ := p.Text("echo", `{}`)
	contains(t, second, "[PlayGuard] a is not running", "the <license> has expired", "A call after ")
	if n := starts(t, started); n != 1 {
		t.Errorf("it was started %d times", n)
	}
	if text, _ := p.Text("b_small", `{}`); text != "ok" {
		t.Errorf("the other upstream answers %q", text)
	}
	// After the backoff a call starts it again, and it is well.
	scene.WriteScript("a", `{"builtins":["echo"],"calls":{"echo":[{"text":"well"}]}}`)
	awaitTool(t, p, "echo", func(text string) bool { return text == "well" })
}

// A program that does not exist fails its own calls with a sentence.
func TestMissingProgram(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "gone", Command: []string{"/nowhere/server", "--port", "1"}},
		{Name: "b", Script: `{"prefix":"b_","builtins":["small"],"resources":[{"uri":"b://1","name":"1"}]}`},
	}}).Ready()
	equal(t, "tools", names(t, p.Result("tools/list", `{}`), "tools", "name"), "browser_small", "b_small")
	contains(t, p.Result("resources/read", `{"uri":"b://1"}`), "b://1 of")
	p.AwaitStderr("there is no such file")
}

// An upstream that dies again and again before it has answered anything is not
// started for every call.
func TestCrashLoopBacksOff(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["echo"]}`}}})
	scene.Start().Ready().End()
	started := scene.Path("a.starts")
	scene.WriteScript("a", `{"startFile":`+quoted(started)+`,"methods":{"tools/list":[{"exit":9}],"tools/call":[{"exit":9}]}}`)
	p := scene.Start().Ready()
	var last string
	for range 10 {
		last, _ = p.Text("echo", `{}`)
	}
	contains(t, last, "ended 2 times in a row before it answered anything", "status 9", "A call after ")
	if n := starts(t, started); n != 2 {
		t.Errorf("it was started %d times", n)
	}
}

// Deadlines: of the start, of a call, and of a call that shows progress.
func TestDeadlines(t *testing.T) {
	p := harness.Start(t, harness.Setup{
		Env: []string{"PLAYGUARD_START_TIMEOUT_MS=1000", "PLAYGUARD_CALL_TIMEOUT_MS=700"},
		Upstreams: []harness.Upstream{
			{Name: "mute", Script: `{"methods":{"initialize":[]},"start":[{"stderr":{"text":"still warming up"}}]}`},
			{Name: "a", Script: `{"prefix":"a_","builtins":["wait","small","cancelled"],
				"tools":[{"name":"steady","inputSchema":{"type":"object"}}],
				"calls":{"steady":[{"delayMs":400},{"progress":{"progress":1}},{"delayMs":400},{"progress":{"progress":2}},{"delayMs":400},{"text":"done"}]}}`},
		},
	}).Ready()
	p.AwaitStderr("it did not answer initialize within 1s")
	text, isError := p.Text("a_wait", `{"answer":true}`)
	if !isError {
		t.Errorf("a call without answer was answered with %q", text)
	}
	contains(t, text, "[PlayGuard] a did not answer within 700ms", "PLAYGUARD_CALL_TIMEOUT_MS")
	contains(t, awaitTool(t, p, "a_cancelled", func(text string) bool { return text != "" }), `"reason":"timeout"`)
	text, _ = harness.TextOf(t, p.Answer(p.Ask("tools/call", `{"name":"steady","_meta":{"progressToken":"p"}}`)))
	if text != "done" {
		t.Errorf("a call that shows progress was answered with %q", text)
	}
	text, isError = harness.TextOf(t, p.Answer(p.Ask("tools/call", `{"name":"steady"}`)))
	if !isError {
		t.Errorf("a call that shows none was answered with %q", text)
	}
}

// A start that takes too long fails the call that waits for it, with the
// server's last words.
func TestStartDeadlineFailsTheCall(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{
		Env:       []string{"PLAYGUARD_START_TIMEOUT_MS=500"},
		Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["echo"]}`}},
	})
	scene.Start().Ready().End()
	scene.WriteScript("a", `{"methods":{"initialize":[]},"start":[{"stderr":{"text":"still warming up"}}]}`)
	p := scene.Start().Ready()
	text, isError := p.Text("echo", `{}`)
	if !isError {
		t.Errorf("the call was answered with %q", text)
	}
	contains(t, text, "[PlayGuard] a is not running: it did not answer initialize within 500ms", "still warming up")
}

// A server that refuses the handshake is not used.
func TestRefusedHandshake(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["echo"]}`}}})
	scene.Start().Ready().End()
	scene.WriteScript("a", `{"methods":{"initialize":[{"error":{"code":-32602,"message":"not you"}}]}}`)
	text, isError := scene.Start().Ready().Text("echo", `{}`)
	if !isError {
		t.Errorf("the call was answered with %q", text)
	}
	contains(t, text, `it refused initialize: {"code":-32602,"message":"not you"}`)
}

// Megabytes on stderr do not block the upstream, and stay out of the answers.
func TestStderrFloodIsDrained(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"tools":[{"name":"loud","inputSchema":{"type":"object"}}],
		"calls":{"loud":[{"stderr":{"text":"` + strings.Repeat("noise ", 30) + `","bytes":4000000}},{"text":"done"}]}}`}}}).Ready()
	if text, _ := p.Text("loud", `{}`); text != "done" {
		t.Errorf("the loud upstream answers %q", text)
	}
	if strings.Contains(p.Stderr(), "noise") {
		t.Error("the noise reaches PlayGuard's stderr without PLAYGUARD_STDERR=debug")
	}
}

// An upstream gets the variables that its row allows, its entry's own, and those
// of PLAYGUARD_PASS_ENV; no other name arrives.
func TestEnvironmentIsAnAllowList(t *testing.T) {
	p := harness.Start(t, harness.Setup{
		Env: []string{
			"PLAYGUARD_PASS_ENV=HARNESS_PASS_*,HARNESS_ONE,GORACE", "HARNESS_PASS_X=1", "HARNESS_ONE=1", "HARNESS_TWO=secret",
			"PLAYWRIGHT_MCP_TEST_SECRET=for playwright", "AWS_SECRET_ACCESS_KEY=secret", "FIGMA_API_KEY=secret", "LC_ALL=C",
			"BASH_FUNC_f%%=() { :; }",
		},
		Playwright: `{"builtins":["env"]}`,
		Upstreams: []harness.Upstream{
			{Name: "a", Script: `{"prefix":"a_","builtins":["env"]}`, Env: map[string]string{"A_KEY": "for a", "EXPANDED": "${HARNESS_TWO}"}},
			{Name: "b", Script: `{"prefix":"b_","builtins":["env"]}`, Env: map[string]string{"B_KEY": "for b"}},
		},
	}).Ready()
	for tool, own := range map[string]string{"env": "PLAYWRIGHT_MCP_TEST_SECRET PLAYWRIGHT_MCP_OUTPUT_DIR PLAYWRIGHT_MCP_INIT_PAGE PLAYWRIGHT_MCP_CMD", "a_env": "A_KEY EXPANDED", "b_env": "B_KEY"} {
		text, _ := p.Text(tool, `{}`)
		allowed := strings.Fields(own + " HARNESS_PASS_X HARNESS_ONE GORACE PLAYGUARD_TREE PATH HOME LANG LC_ALL TZ TMPDIR TMP TEMP LOGNAME SHELL TERM USER " +
			"HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy NODE_EXTRA_CA_CERTS NODE_OPTIONS NODE_PATH SSL_CERT_FILE SSL_CERT_DIR " +
			"DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS PWDEBUG DEBUG DEBUG_COLORS CHROME_DEVEL_SANDBOX CHROME_CONFIG_HOME LD_LIBRARY_PATH")
		prefixes := []string{"LC_", "XDG_", "npm_config_", "NPM_CONFIG_", "PW_", "PWTEST_", "FONTCONFIG_"}
		for line := range strings.SplitSeq(text, "\n") {
			name, _, _ := strings.Cut(line, "=")
			ok := false
			for _, a := range allowed {
				ok = ok || a == name
			}
			for _, prefix := range prefixes {
				ok = ok || strings.HasPrefix(name, prefix)
			}
			if !ok {
				t.Errorf("%s: the variable %s arrives", tool, name)
			}
		}
		for _, name := range strings.Fields(own + " HARNESS_PASS_X HARNESS_ONE LC_ALL PATH") {
			if !strings.Contains("\n"+text, "\n"+name+"=") {
				t.Errorf("%s: the variable %s is missing", tool, name)
			}
		}
	}
	contains(t, strings.Join(p.Lines.Lines(), "\n"), "EXPANDED=secret")
}

// What is sent again to the successor of a server that died: requests that only
// ask, and what it had not read; a tool's call never, unless the user says so.
func TestWhatIsSentAgain(t *testing.T) {
	for policy, want := range map[string]struct{ read, called bool }{
		"":       {read: true},
		"safe":   {read: true},
		"always": {read: true, called: true},
		"never":  {},
	} {
		t.Run("policy "+policy, func(t *testing.T) {
			t.Parallel()
			scene := harness.NewScene(t, harness.Setup{
				Env:       []string{"PLAYGUARD_REPLAY=" + policy},
				Upstreams: []harness.Upstream{{Name: "a"}},
			})
			scene.WriteScript("a", `{"builtins":["small"],"startFile":`+quoted(scene.Path("a.starts"))+`,
				"tools":[{"name":"frail","inputSchema":{"type":"object"}}],"resources":[{"uri":"x:1","name":"x"}],
				"calls":{"frail":[{"exit":3,"onStart":2},{"text":"done"}]},
				"reads":{"x:1":[{"exit":3,"onStart":1},{"result":{"contents":[]}}]}}`)
			p := scene.Start().Ready()
			m := harness.Parse(p.Answer(p.Ask("resources/read", `{"uri":"x:1"}`)))
			if read := m.Result != nil; read != want.read {
				t.Errorf("reading was answered with %s %s", m.Result, m.Error)
			}
			text, isError := p.Text("small", `{}`) // the second start at the latest
			if isError || text != "ok" {
				t.Errorf("the successor answers %q", text)
			}
			text, isError = p.Text("frail", `{}`)
			if called := !isError && text == "done"; called != want.called {
				t.Errorf("the call was answered with %q", text)
			}
			well := starts(t, scene.Path("a.starts"))
			if want.called && well != 3 || !want.called && well != 2 {
				t.Errorf("it was started %d times", well)
			}
		})
	}
}

// A call past its deadline ends a server that does not even answer a ping, and
// only the call with one that does.
func TestHangs(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{
		Env:       []string{"PLAYGUARD_CALL_TIMEOUT_MS=500"},
		Upstreams: []harness.Upstream{{Name: "busy"}, {Name: "stuck"}},
	})
	scene.WriteScript("busy", `{"prefix":"busy_","builtins":["wait","pid"]}`)
	scene.WriteScript("stuck", `{"prefix":"stuck_","builtins":["pid"],"tools":[{"name":"freeze","inputSchema":{"type":"object"}}],"calls":{"freeze":[{"hang":true}]}}`)
	p := scene.Start().Ready()
	for tool, same := range map[string]bool{"busy_wait": true, "freeze": false} {
		pid := map[string]string{"busy_wait": "busy_pid", "freeze": "stuck_pid"}[tool]
		before, _ := p.Text(pid, `{}`)
		text, isError := p.Text(tool, `{}`)
		if !isError {
			t.Errorf("%s was answered with %q", tool, text)
		}
		contains(t, text, "did not answer within 500ms")
		if tool == "freeze" {
			p.AwaitStderr("an upstream hangs and is ended")
		}
		after, isError := p.Text(pid, `{}`)
		if isError || (after == before) != same {
			t.Errorf("after %s the process is %s instead of %s", tool, after, before)
		}
	}
}
