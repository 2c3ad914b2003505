// Arrays of messages (revision 2025-03-26), ids in use, and many calls at once.

package protocol

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

// awaitArray waits for an array among the lines and returns its elements by raw
// id; "null" is that of answers to what was no request.
func awaitArray(t *testing.T, p *harness.Peer, marker string) map[string][]harness.Message {
	t.Helper()
	line := p.Await(func(line string) bool { return strings.HasPrefix(line, "[") && strings.Contains(line, marker) })
	var all []json.RawMessage
	if err := json.Unmarshal([]byte(line), &all); err != nil {
		t.Fatal(err)
	}
	out := map[string][]harness.Message{}
	for _, one := range all {
		m := harness.Parse(string(one))
		out[string(m.ID)] = append(out[string(m.ID)], m)
	}
	return out
}

// A batch of everything is answered by one array that holds one answer for each
// request and each thing that is none, from whichever upstream.
func TestMixedBatch(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"prefix":"a_","builtins":["sleep","log","echo","wait"]}`},
		{Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`},
	}}).Ready()
	p.Send(strings.ReplaceAll(mixedBatch, "\n", ""))
	got := awaitArray(t, p, `"one"`)
	for id, want := range map[string]int{`"one"`: 1, `"two"`: 1, `3.50`: 1, `"four"`: 1, `"m"`: 1, `null`: 5} {
		if len(got[id]) != want {
			t.Errorf("the id %s has %d answers instead of %d", id, len(got[id]), want)
		}
	}
	if len(got) != 6 {
		t.Errorf("the array has answers of %d ids: %v", len(got), got)
	}
	if e := got[`"four"`][0].Error; !strings.Contains(string(e), "-32601") {
		t.Errorf("the unknown method was answered with %s", e)
	}
	log, _ := p.Text("a_log", `{}`)
	contains(t, log, `{"jsonrpc":"2.0","method":"notifications/x","params":{"in":"batch"}}`)
}

const mixedBatch = `[{"jsonrpc":"2.0","id":"one","method":"tools/call","params":{"name":"a_sleep","arguments":{"ms":50}}},
{"jsonrpc":"2.0","method":"notifications/x","params":{"in":"batch"}},7,"text",{},[],
{"jsonrpc":"2.0","id":{},"method":"ping"},{"jsonrpc":"2.0","id":"m","method":5},
{"id":"two","method":"ping"}, {"jsonrpc":"2.0","id":3.50,"method":"tools/call","params":{"name":"b_small"}},
{"jsonrpc":"2.0","id":"four","method":"x/unknown"},
{"jsonrpc":"2.0","id":"gone","method":"tools/call","params":{"name":"a_wait","arguments":{}}},
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"gone"}},
{"jsonrpc":"2.0","id":"nobody","result":{}}]`

// A batch without a request is answered with nothing, an empty one and a broken
// one with one error.
func TestBatchesWithoutRequests(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: beside()}).Ready()
	before := len(p.Lines.Lines())
	p.Send(`[{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","method":"notifications/x"}]`)
	p.Send(`[]`)
	p.Send(`[{"jsonrpc":"2.0","id":1,"method":"ping"},`)
	p.Result("ping", `{}`)
	lines := p.Lines.Lines()[before:]
	if len(lines) != 3 || harness.ErrorOf(t, lines[0]).Code != -32600 || harness.ErrorOf(t, lines[1]).Code != -32700 ||
		string(harness.Parse(lines[0]).ID) != "null" {
		t.Errorf("the client saw\n%s", strings.Join(lines, "\n"))
	}
}

// Answers of the client may come as a batch too.
func TestBatchOfAnswers(t *testing.T) {
	p := manual(t, harness.Setup{Upstreams: askers()})
	callA := p.AskTool("a_ask", `{"id":1,"method":"roots/list","params":{"of":"a"}}`)
	callB := p.AskTool("b_ask", `{"id":1,"method":"roots/list","params":{"of":"b"}}`)
	var answers []string
	for _, of := range []string{"a", "b"} {
		asked := harness.Parse(p.Await(func(line string) bool {
			m := harness.Parse(line)
			return m.Method == "roots/list" && strings.Contains(string(m.Params), `"`+of+`"`)
		}))
		answers = append(answers, `{"jsonrpc":"2.0","id":`+string(asked.ID)+`,"result":{"of":"`+of+`"}}`)
	}
	p.Send("[" + strings.Join(answers, ",") + "]")
	for call, of := range map[string]string{callA: "a", callB: "b"} {
		if text, _ := harness.TextOf(t, p.Answer(call)); text != `{"jsonrpc":"2.0","id":1,"result":{"of":"`+of+`"}}` {
			t.Errorf("the answer came as %s", text)
		}
	}
}

// A request whose id is in use is refused; the first one gets its answer.
func TestIDInUse(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["sleep","log"]}`}}}).Ready()
	const request = `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"sleep","arguments":{"ms":100}}}`
	p.Send(request)
	p.Send(request)
	isX := func(line string) bool { return string(harness.Parse(line).ID) == `"x"` }
	if e := harness.ErrorOf(t, p.Await(isX)); e.Code != -32600 {
		t.Errorf("the second request was answered with %v", &e)
	}
	p.Await(func(line string) bool { return isX(line) && harness.Parse(line).Result != nil })
	if log, _ := p.Text("log", `{}`); strings.Count(log, `"sleep"`) != 1 {
		t.Errorf("the upstream was sent\n%s", log)
	}
}

// With 200 calls in flight on three upstreams, one of which is killed, every
// call is answered exactly once.
func TestExactlyOneAnswerUnderFire(t *testing.T) {
	const calls = 200
	p := harness.Start(t, harness.Setup{
		Playwright: `{"tools":[{"name":"browser_x","inputSchema":{"type":"object"}}],"calls":{"browser_x":[{"delayMs":1},{"text":"x"}]}}`,
		Upstreams: []harness.Upstream{
			{Name: "a", Script: `{"prefix":"a_","builtins":["small","sleep"],"afterCalls":{"count":40,"do":[{"exit":1}]}}`},
			{Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`},
		},
	}).Ready()
	before := len(p.Lines.Lines())
	tools := []string{"browser_x", "a_small", "b_small", "a_sleep"}
	var sending sync.WaitGroup
	for i := range calls {
		sending.Go(func() {
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":"call %d","method":"tools/call","params":{"name":"%s","arguments":{"ms":5}}}`, i, tools[i%len(tools)])
			if err := p.SendRaw([]byte(line)); err != nil {
				t.Error(err)
			}
			if i%10 == 0 {
				_ = p.SendRaw([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never used"}}`))
			}
		})
	}
	sending.Wait()
	for i := range calls {
		p.Answer(fmt.Sprintf(`"call %d"`, i))
	}
	p.Result("ping", `{}`)
	answers := map[string]int{}
	for _, line := range p.Lines.Lines()[before:] {
		if m := harness.Parse(line); m.Method == "" {
			answers[string(m.ID)]++
		}
	}
	for id, n := range answers {
		if n != 1 {
			t.Errorf("%s was answered %d times", id, n)
		}
	}
	if len(answers) != calls+1 {
		t.Errorf("%d requests were answered instead of %d", len(answers), calls+1)
	}
}
