// Each request reaches the upstream that owns what it is about.

package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

// owners are two upstreams with names of their own and names that clash.
func owners() harness.Setup {
	script := func(name string) string {
		return `{"name":"` + name + `","prefix":"` + name + `_","builtins":["log","notify","exit","small"],
			"capabilities":{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}},
			"resources":[{"uri":"` + name + `://one","name":"1"},{"uri":"both://x","name":"of ` + name + `"}],
			"resourceTemplates":[{"uriTemplate":"` + name + `://files/{+path}","name":"t"}],
			"prompts":[{"name":"` + name + `_prompt"},{"name":"both"}]}`
	}
	return harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: script("a")}, {Name: "b", Script: script("b")}}}
}

func TestResourcesReachTheirOwner(t *testing.T) {
	p := harness.Start(t, owners()).Ready()
	for uri, owner := range map[string]string{
		"a://one": "a", "b://one": "b", // listed
		"both://x":           "a", // the first that lists it
		"a://files/x/y?z#1":  "a", // by a template
		"b://files/deep/er":  "b",
		"unlisted://nothing": "a", // nobody's: whoever can read it
	} {
		want := uri + " of " + owner
		contains(t, p.Result("resources/read", `{"uri":"`+uri+`"}`), want)
	}
	equal(t, "resources", names(t, p.Result("resources/list", `{}`), "resources", "uri"), "a://one", "both://x", "b://one")
	equal(t, "templates", names(t, p.Result("resources/templates/list", `{}`), "resourceTemplates", "uriTemplate"), "a://files/{+path}", "b://files/{+path}")
	p.AwaitStderr("the resource both://x of b is left out")
}

func TestPromptsReachTheirOwner(t *testing.T) {
	p := harness.Start(t, owners()).Ready()
	equal(t, "prompts", names(t, p.Result("prompts/list", `{}`), "prompts", "name"), "a_prompt", "both", "b_prompt", "b_both")
	for prompt, want := range map[string]string{
		"a_prompt": "a_prompt of a", "b_prompt": "b_prompt of b", "both": "both of a", "b_both": "both of b",
	} {
		contains(t, p.Result("prompts/get", `{"name":"`+prompt+`"}`), want)
	}
	if e := p.Failure("prompts/get", `{"name":"nobody's"}`); e.Code != -32602 || e.Message != "Unknown prompt: nobody's" {
		t.Errorf("an unknown prompt was answered with %v", &e)
	}
	log, _ := p.Text("b_log", `{}`)
	contains(t, log, `"params":{"name":"both"}`)
}

func TestCompletionsReachTheirOwner(t *testing.T) {
	p := harness.Start(t, owners()).Ready()
	for ref, owner := range map[string]string{
		`{"type":"ref/prompt","name":"a_prompt"}`:             "a",
		`{"type":"ref/prompt","name":"b_both","x":1}`:         "b",
		`{"type":"ref/resource","uri":"b://files/{+path}"}`:   "b",
		`{"type":"ref/resource","uri":"a://files/{+path}"}`:   "a",
		`{"type":"ref/resource","uri":"b://one"}`:             "b",
		`{"type":"ref/resource","uri":"nobody://{has}/this"}`: "a",
	} {
		contains(t, p.Result("completion/complete", `{"ref":`+ref+`,"argument":{"name":"n","value":"v"}}`), owner+"-1")
	}
	log, _ := p.Text("b_log", `{}`)
	contains(t, log, `"params":{"ref":{"type":"ref/prompt","name":"both","x":1},"argument":{"name":"n","value":"v"}}`)
}

// A tool that nobody has is an error that names it, and a call without a name
// one that says so.
func TestUnknownTool(t *testing.T) {
	p := harness.Start(t, owners()).Ready()
	for params, want := range map[string]string{
		`{"name":"nobody's","arguments":{}}`: "Unknown tool: nobody's",
		`{"name":7}`:                         "tools/call needs the name of a tool.",
		`{}`:                                 "tools/call needs the name of a tool.",
		`[]`:                                 "tools/call needs the name of a tool.",
		`null`:                               "tools/call needs the name of a tool.",
		`"text"`:                             "tools/call needs the name of a tool.",
	} {
		if e := p.Failure("tools/call", params); e.Code != -32602 || e.Message != want {
			t.Errorf("the call %s was answered with %v", params, &e)
		}
	}
}

// A tool of a server that could never be started is unknown, and the agent is
// told what is wrong with the server.
func TestUnknownToolOfABrokenServer(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "broken", Script: `{"start":[{"exit":3}]}`}}}).Ready()
	e := p.Failure("tools/call", `{"name":"its_tool","arguments":{}}`)
	contains(t, e.Message, "Unknown tool: its_tool", "broken is not running", "status 3")
}

// Calls written one after the other arrive in that order, whether or not a rule
// looks at them: a look must not overtake the click before it.
func TestPipelinedCallsKeepTheirOrder(t *testing.T) {
	p := harness.Start(t, harness.Setup{
		Playwright: `{"builtins":["log","small"],"tools":[{"name":"browser_click","inputSchema":{"type":"object"}},{"name":"browser_snapshot","inputSchema":{"type":"object"}}],
			"calls":{"browser_click":[{"text":"clicked"}],"browser_snapshot":[{"text":"seen"}]}}`,
	}).Ready()
	p.Text("small", `{}`)
	tools := []string{"browser_click", "browser_snapshot", "small"}
	var lines, ids []string
	const calls = 300
	for i := range calls {
		id := fmt.Sprintf(`"o%d"`, i)
		ids = append(ids, id)
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":{"turn":%d}}}`, id, tools[i%3], i))
	}
	if err := p.SendRaw([]byte(strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		p.Answer(id)
	}
	log, _ := p.Text("log", `{}`)
	next := 0
	for line := range strings.Lines(log) {
		if strings.Contains(line, fmt.Sprintf(`"turn":%d}`, next)) {
			next++
		} else if strings.Contains(line, `"turn":`) {
			t.Fatalf("call %d was expected, and this came: %s", next, line)
		}
	}
	if next != calls {
		t.Errorf("%d of %d calls are in the upstream's log", next, calls)
	}
}

// A subscription goes to the resource's owner, its updates come to the client
// untouched, and after a restart of the upstream it is subscribed again, unless
// it was unsubscribed meanwhile.
func TestSubscriptions(t *testing.T) {
	p := harness.Start(t, owners()).Ready()
	for _, uri := range []string{"a://one", "b://one", "b://files/1"} {
		if got := p.Result("resources/subscribe", `{"uri":"`+uri+`"}`); got != "{}" {
			t.Errorf("subscribing was answered with %s", got)
		}
	}
	p.Text("b_notify", `{"method":"notifications/resources/updated","params":{"uri":"b://one","n":9007199254740993}}`)
	if got := p.AwaitMethod("notifications/resources/updated"); string(got.Params) != `{"uri":"b://one","n":9007199254740993}` {
		t.Errorf("the update came as %s", got.Params)
	}
	p.Result("resources/unsubscribe", `{"uri":"b://files/1"}`)
	p.Text("b_exit", `{}`)
	p.Text("b_small", `{}`) // starts it again
	log := awaitTool(t, p, "b_log", func(log string) bool { return strings.Contains(log, "resources/subscribe") })
	contains(t, log, `"uri":"b://one"`)
	if strings.Contains(log, "b://files/1") || strings.Contains(log, "a://one") {
		t.Errorf("the restarted upstream was asked\n%s", log)
	}

	p.Text("b_exit", `{}`)
	p.Result("resources/unsubscribe", `{"uri":"b://one"}`) // starts it again
	p.Text("b_small", `{}`)
	log, _ = p.Text("b_log", `{}`)
	if strings.Contains(log, "resources/subscribe") {
		t.Errorf("the upstream was subscribed again behind the unsubscription:\n%s", log)
	}
}

// awaitTool calls a tool until its text satisfies a condition.
func awaitTool(t *testing.T, p *harness.Peer, tool string, enough func(text string) bool) string {
	t.Helper()
	ctx := harness.Context(t)
	for {
		text, _ := p.Text(tool, `{}`)
		if enough(text) {
			return text
		}
		if ctx.Err() != nil {
			t.Fatalf("%s answers only\n%s", tool, text)
		}
	}
}

// logging/setLevel goes to the upstreams that declared logging and to no other,
// again after a restart; their messages come to the client untouched.
func TestLogLevel(t *testing.T) {
	setup := owners()
	setup.Upstreams = append(setup.Upstreams, harness.Upstream{Name: "quiet", Script: `{"prefix":"quiet_","builtins":["log"],
		"methods":{"logging/setLevel":[{"error":{"code":-32601,"message":"what?"}}]}}`})
	p := harness.Start(t, setup).Ready()
	if e := p.Failure("logging/setLevel", `{"level":"loud"}`); e.Code != -32602 {
		t.Errorf("an unknown level was answered with %v", &e)
	}
	if got := p.Result("logging/setLevel", `{"level":"warning","x":1}`); got != "{}" {
		t.Errorf("setLevel was answered with %s", got)
	}
	told := func(log string) bool {
		return strings.Contains(log, `"method":"logging/setLevel","params":{"level":"warning","x":1}`)
	}
	for _, tool := range []string{"a_log", "b_log"} {
		awaitTool(t, p, tool, told)
	}
	if log, _ := p.Text("quiet_log", `{}`); strings.Contains(log, "setLevel") {
		t.Error("an upstream without logging was told the level")
	}
	p.Text("a_exit", `{}`)
	awaitTool(t, p, "a_log", told)

	p.Text("b_notify", `{"method":"notifications/message","params":{"level":"error","data":{"n":9007199254740993},"logger":"<b>"}}`)
	if got := p.AwaitMethod("notifications/message"); string(got.Params) != `{"level":"error","data":{"n":9007199254740993},"logger":"<b>"}` {
		t.Errorf("the message came as %s", got.Params)
	}
}

// The level is there before the call that starts the upstream, and before a call
// that follows setLevel at once: else what it logs would be lost.
func TestLogLevelComesBeforeTheCall(t *testing.T) {
	scene := harness.NewScene(t, owners())
	scene.Start().Ready().End()
	p := scene.Start()
	p.Init()
	for range 2 {
		for _, level := range []string{"info", "debug"} {
			set, log := p.Ask("logging/setLevel", `{"level":"`+level+`"}`), p.AskTool("a_log", `{}`)
			p.Answer(set)
			text, _ := harness.TextOf(t, p.Answer(log))
			lines := strings.Split(text, "\n")
			said := withMethod(lines, "logging/setLevel")
			if harness.Parse(lines[len(lines)-1]).Method != "tools/call" || len(said) == 0 || !strings.Contains(said[len(said)-1], level) {
				t.Errorf("the upstream got the level %s in this order:\n%s", level, text)
			}
		}
		p.Text("a_exit", `{}`)
	}
}

// setLevel is answered when the upstreams have taken it over: a server may work on the
// client's next call first, which then logs nothing.
func TestLogLevelIsTakenOverFirst(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"capabilities":{"tools":{},"logging":{}},
		"methods":{"logging/setLevel":[{"notify":{"method":"notifications/message","params":{"level":"info","data":"taken over"}}},{"result":{}}]}}`}}}).Ready()
	for i := range 5 {
		set := p.Ask("logging/setLevel", `{"level":"info"}`)
		answer := p.Answer(set)
		lines := p.Lines.Lines()
		said := withMethod(lines[:slices.Index(lines, answer)], "notifications/message")
		if len(said) <= i {
			t.Fatalf("setLevel is answered before the upstream has taken it over: %q", lines)
		}
	}
}

// A method that PlayGuard does not know is offered to the upstreams in their
// order; the first that knows it answers. If none does, their refusal comes back
// whole, even when one of them can't be started.
func TestUnknownMethods(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"methods":{"x/a":[{"result":{"by":"a"}}],"x/both":[{"result":{"by":"a"}}],"x/fails":[{"error":{"code":-1,"message":"a fails","data":[1]}}]}}`},
		{Name: "b", Script: `{"methods":{"x/b":[{"result":{"by":"b"}}],"x/both":[{"result":{"by":"b"}}],"x/none":[{"error":{"code":-32601,"message":"never heard","data":{"n":9007199254740993}}}]}}`},
		{Name: "broken", Command: []string{"/nowhere/to/be/found"}},
	}}).Ready()
	for method, want := range map[string]string{"x/a": `{"by":"a"}`, "x/b": `{"by":"b"}`, "x/both": `{"by":"a"}`} {
		if got := p.Result(method, `{}`); got != want {
			t.Errorf("%s was answered with %s", method, got)
		}
	}
	if e := p.Failure("x/fails", `{}`); e.Code != -1 || string(e.Data) != "[1]" {
		t.Errorf("the error of a known method came as %v", &e)
	}
	if e := p.Failure("x/none", `{}`); e.Code != -32601 || string(e.Data) != `{"n":9007199254740993}` {
		t.Errorf("the refusal came as %v", &e)
	}
}

// A notification that PlayGuard does not know goes to every upstream that runs,
// byte for byte, also while it is starting, and from an upstream to the client.
func TestUnknownNotifications(t *testing.T) {
	scene := harness.NewScene(t, owners())
	p := scene.Start()
	p.Init()
	list := p.Ask("tools/list", `{}`) // starts the upstreams
	const line = `{"method":"notifications/x", "params":{"n":9007199254740993,"<":"` + "\u2028" + `"} ,"jsonrpc":"2.0","more":1}`
	p.Send(line)
	p.Answer(list)
	p.Send(line)
	for _, tool := range []string{"a_log", "b_log"} {
		log, _ := p.Text(tool, `{}`)
		if n := strings.Count(log, line); n != 2 {
			t.Errorf("%d of 2 notifications arrived:\n%s", n, log)
		}
		lines := strings.Split(log, "\n")
		if harness.Parse(lines[0]).Method != "initialize" || harness.Parse(lines[1]).Method != "notifications/initialized" {
			t.Errorf("the handshake did not come first:\n%s", log)
		}
	}
	p.Text("a_notify", `{"method":"notifications/y","params":[1,{"n":9007199254740993}]}`)
	if got := p.AwaitMethod("notifications/y"); string(got.Params) != `[1,{"n":9007199254740993}]` {
		t.Errorf("the upstream's notification came as %s", got.Params)
	}
	if has(p.Lines.Lines(), "notifications/initialized") {
		t.Error("the client's own notification came back")
	}
}
