// What upstreams ask of the client.

package protocol

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/test/harness"
)

// askers are two upstreams that can ask.
func askers() []harness.Upstream {
	return []harness.Upstream{
		{Name: "a", Script: `{"name":"a","prefix":"a_","builtins":["ask","answers","log"]}`},
		{Name: "b", Script: `{"name":"b","prefix":"b_","builtins":["ask","answers","log"]}`},
	}
}

const allCapabilities = `{"roots":{"listChanged":true},"sampling":{},"elicitation":{}}`

// manual is a client that declares everything and answers nothing by itself: the
// tests read the requests from its lines and answer them as they like. Its
// handshake asks for no other thread.
func manual(t *testing.T, setup harness.Setup) *harness.Peer {
	t.Helper()
	block := make(chan struct{})
	setup.Client = client.Options{
		Capabilities: json.RawMessage(allCapabilities),
		OnRequest: func(string, json.RawMessage) (json.RawMessage, *client.RPCError) {
			<-block // the test answers with a line of its own
			return nil, nil
		},
	}
	p := harness.Start(t, setup)
	t.Cleanup(func() { close(block) }) // before the client is closed, which waits for its handlers
	return p.Ready()
}

// Two upstreams ask with the same id at once, one of them also with the string
// of that number: the client sees three ids, and each answer, an error too, goes
// to the one that asked, with its own id as it wrote it.
func TestReverseRequestsWithOneID(t *testing.T) {
	p := manual(t, harness.Setup{Upstreams: askers()})
	calls := map[string]string{ // what asks, by the marker in its params
		"first":  p.AskTool("a_ask", `{"id":1,"method":"sampling/createMessage","params":{"m":"first","n":9007199254740993}}`),
		"second": p.AskTool("b_ask", `{"id":1,"method":"elicitation/create","params":{"m":"second"}}`),
		"third":  p.AskTool("a_ask", `{"id":"1","method":"roots/list","params":{"m":"third"}}`),
	}
	asked := map[string]harness.Message{}
	for _, marker := range []string{"first", "second", "third"} {
		asked[marker] = harness.Parse(p.Await(func(line string) bool {
			m := harness.Parse(line)
			return m.Method != "" && strings.Contains(string(m.Params), `"`+marker+`"`)
		}))
	}
	if string(asked["first"].Params) != `{"m":"first","n":9007199254740993}` || asked["third"].Method != "roots/list" {
		t.Errorf("the requests came as %v", asked)
	}
	id := func(marker string) string { return string(asked[marker].ID) }
	if id("first") == id("second") || id("second") == id("third") || id("first") == id("third") {
		t.Fatalf("ids are used twice: %s, %s, %s", id("first"), id("second"), id("third"))
	}
	p.Send(`{"jsonrpc":"2.0","id":` + id("third") + `,"error":{"code":-1,"message":"no","data":{"n":9007199254740993}},"x":1}`)
	p.Send(`{"result":{"of":"second"} , "id":` + id("second") + `,"jsonrpc":"2.0"}`)
	p.Send(`{"jsonrpc":"2.0","id":` + id("first") + `,"result":{"of":"first","n":9007199254740993}}`)
	for marker, want := range map[string]string{
		"first":  `{"jsonrpc":"2.0","id":1,"result":{"of":"first","n":9007199254740993}}`,
		"second": `{"result":{"of":"second"} , "id":1,"jsonrpc":"2.0"}`,
		"third":  `{"jsonrpc":"2.0","id":"1","error":{"code":-1,"message":"no","data":{"n":9007199254740993}},"x":1}`,
	} {
		if got, _ := harness.TextOf(t, p.Answer(calls[marker])); got != want {
			t.Errorf("the %s was answered with\n%s\ninstead of\n%s", marker, got, want)
		}
	}
	// An answer to nothing, and a second one to something, reach nobody.
	p.Send(`{"jsonrpc":"2.0","id":` + id("first") + `,"result":{}}`)
	p.Send(`{"jsonrpc":"2.0","id":"unasked","result":{}}`)
	if answers, _ := p.Text("a_answers", `{}`); strings.Count(answers, "\n") != 1 {
		t.Errorf("the upstream has got\n%s", answers)
	}
}

// Without the capability the upstream gets "method not found" and the client
// nothing; with it the request goes through. Each upstream was told as much.
func TestReverseRequestsNeedTheCapability(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: askers(), Client: client.Options{
		Capabilities: json.RawMessage(`{"roots":{},"sampling":false}`),
		OnRequest: func(method string, _ json.RawMessage) (json.RawMessage, *client.RPCError) {
			return json.RawMessage(`{"for":"` + method + `"}`), nil
		},
	}}).Ready()
	for method, want := range map[string]string{
		"roots/list":             `"result":{"for":"roots/list"}`,
		"sampling/createMessage": `"code":-32601`,
		"elicitation/create":     `"code":-32601`,
		"x/unknown":              `"result":{"for":"x/unknown"}`,
	} {
		got, _ := p.Text("a_ask", `{"id":9007199254740993,"method":"`+method+`","params":{}}`)
		contains(t, got, want, `"id":9007199254740993`)
	}
	if lines := p.Lines.Lines(); has(lines, "sampling/createMessage") || has(lines, "elicitation/create") {
		t.Error("the client was asked for what it can't do")
	}
	log, _ := p.Text("a_log", `{}`)
	contains(t, log, `"capabilities":{"roots":{},"sampling":false}`)
}

// A client's refusal of an unknown method comes back whole.
func TestUnknownReverseMethod(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: askers()}).Ready()
	got, _ := p.Text("b_ask", `{"id":5,"method":"x/unknown"}`)
	contains(t, got, `"code":-32601`, `"id":5`, "x/unknown")
}

// An upstream that asks as soon as it runs is held back until the client has
// said that it is initialized.
func TestNothingIsAskedBeforeInitialized(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{
		Client: client.Options{Capabilities: json.RawMessage(allCapabilities)},
	})
	log := scene.Path("received.log")
	scene.WriteScript("playwright", `{"name":"browser","builtins":["small"],"logFile":`+quoted(log)+`,
		"methods":{"notifications/initialized":[
			{"request":{"id":1,"method":"roots/list","wait":false}},
			{"notify":{"method":"notifications/message","params":{"level":"info","data":"up"}}}]}}`)
	p := scene.Start()
	p.Result("initialize", `{"protocolVersion":"2025-11-25","capabilities":`+allCapabilities+`,"clientInfo":{"name":"n","version":"1"}}`)
	// The list is asked for behind what the upstream has sent.
	awaitFile(t, log, func(lines []string) bool { return has(lines, "tools/list") })
	p.Result("ping", `{}`)
	if lines := p.Lines.Lines(); has(lines, "roots/list") || has(lines, "notifications/message") {
		t.Errorf("before it was initialized the client got\n%s", strings.Join(lines, "\n"))
	}
	p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.AwaitMethod("notifications/message")
	if lines := p.Lines.Lines(); !has(lines, "roots/list") {
		t.Errorf("the upstream's messages came in another order:\n%s", strings.Join(lines, "\n"))
	}
	awaitFile(t, log, func(lines []string) bool { return strings.Contains(lines[len(lines)-1], `"error"`) })
}

// Progress of the client on two upstreams' requests that chose the same token
// reaches the one it is about, under that token.
func TestReverseProgressWithClashingTokens(t *testing.T) {
	p := manual(t, harness.Setup{Upstreams: askers()})
	ask := func(name string) (call string, m harness.Message, token string) {
		call = p.AskTool(name+"_ask", `{"id":1,"method":"sampling/createMessage","params":{"of":"`+name+`","_meta":{"progressToken":7,"k":1}}}`)
		m = harness.Parse(p.Await(func(line string) bool {
			m := harness.Parse(line)
			return m.Method == "sampling/createMessage" && strings.Contains(string(m.Params), `"of":"`+name+`"`)
		}))
		var params struct {
			Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
		}
		if err := json.Unmarshal(m.Params, &params); err != nil {
			t.Fatal(err)
		}
		return call, m, string(params.Meta.ProgressToken)
	}
	callA, askedA, tokenA := ask("a")
	callB, askedB, tokenB := ask("b")
	if tokenA != "7" || tokenB == "7" {
		t.Errorf("the tokens are %s and %s: the first stays, a clashing one is another", tokenA, tokenB)
	}
	p.Send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + tokenB + `,"progress":1,"of":"b","n":9007199254740993}}`)
	p.Send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + tokenA + `,"progress":1,"of":"a"}}`)
	p.Send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody's","progress":1}}`)
	p.Send(`{"jsonrpc":"2.0","id":` + string(askedA.ID) + `,"result":{}}`)
	p.Send(`{"jsonrpc":"2.0","id":` + string(askedB.ID) + `,"result":{}}`)
	p.Answer(callA)
	p.Answer(callB)
	for tool, want := range map[string]string{
		"a_log": `"params":{"progressToken":7,"progress":1,"of":"a"}`,
		"b_log": `"params":{"progressToken":7,"progress":1,"of":"b","n":9007199254740993}`,
	} {
		log, _ := p.Text(tool, `{}`)
		contains(t, log, want)
		if n := len(withMethod(strings.Split(log, "\n"), "notifications/progress")); n != 1 {
			t.Errorf("%s has %d notifications of progress", tool, n)
		}
	}
}

// An upstream that takes its request back: the client is told with the id that
// it knows, reason and _meta kept, and its late answer goes nowhere.
func TestReverseCancellation(t *testing.T) {
	p := manual(t, harness.Setup{Upstreams: append(askers(), harness.Upstream{Name: "c", Script: `{"prefix":"c_","builtins":["answers"],
		"tools":[{"name":"c_cancels","inputSchema":{"type":"object"}}],
		"calls":{"c_cancels":[
			{"request":{"id":"x","method":"elicitation/create","params":{},"wait":false}},
			{"notify":{"method":"notifications/cancelled","params":{"reason":"<changed> mind","requestId":"x","_meta":{"n":9007199254740993}}}},
			{"notify":{"method":"notifications/cancelled","params":{"requestId":"unknown"}}},
			{"text":"done"}]}}`})})
	p.Text("c_cancels", `{}`)
	asked := p.AwaitMethod("elicitation/create")
	want := `{"reason":"<changed> mind","requestId":` + string(asked.ID) + `,"_meta":{"n":9007199254740993}}`
	if got := p.AwaitMethod("notifications/cancelled"); string(got.Params) != want {
		t.Errorf("the cancellation came as %s instead of %s", got.Params, want)
	}
	p.Send(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,"result":{}}`)
	if answers, _ := p.Text("c_answers", `{}`); answers != "" {
		t.Errorf("the late answer reached the upstream: %s", answers)
	}
	if n := len(withMethod(p.Lines.Lines(), "notifications/cancelled")); n != 1 {
		t.Errorf("the client was sent %d cancellations", n)
	}
}

// An upstream that dies while the client is thinking: the client is told that
// nobody waits any more.
func TestReverseRequestOfDeadUpstream(t *testing.T) {
	p := manual(t, harness.Setup{Upstreams: append(askers(), harness.Upstream{Name: "c", Script: `{"prefix":"c_","builtins":["answers"],
		"tools":[{"name":"c_dies","inputSchema":{"type":"object"}}],
		"calls":{"c_dies":[{"request":{"id":1,"method":"roots/list","wait":false}},{"exit":3}]}}`})})
	p.Text("c_dies", `{}`)
	asked := p.AwaitMethod("roots/list")
	contains(t, string(p.AwaitMethod("notifications/cancelled").Params), `"requestId":`+string(asked.ID))
	p.Send(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,"result":{"roots":[]}}`)
	if answers, _ := p.Text("c_answers", `{}`); answers != "" {
		t.Errorf("the answer reached the upstream's successor: %s", answers)
	}
}
