// Bad input from the client: what it sees, and that it sees nothing else.

package protocol

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

// Each of these lines is answered with one error, and the session goes on.
func TestLinesThatAreNoRequest(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: beside()}).Ready()
	for line, want := range map[string]struct {
		code int64
		id   string
	}{
		`{"jsonrpc":"2.0","id":1,"method":"ping"`:              {-32700, "null"},
		`{"jsonrpc":"2.0","id":1,"method":"ping",}`:            {-32700, "null"},
		`not JSON at all`:                                      {-32700, "null"},
		`{"jsonrpc":"2.0","id":01,"method":"ping"}`:            {-32700, "null"},
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\tng\"}": {-32700, "null"},
		`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`:          {-32700, "null"},
		strings.Repeat("[", 20000):                             {-32700, "null"},
		`42`:                                                   {-32600, "null"},
		`"text"`:                                               {-32600, "null"},
		`null`:                                                 {-32600, "null"},
		`{}`:                                                   {-32600, "null"},
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                      {-32600, "null"},
		`{"jsonrpc":"2.0","id":[1],"method":"ping"}`:                       {-32600, "null"},
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`:                      {-32600, "null"},
		`{"jsonrpc":"2.0","id":"a","id":"b","method":"ping"}`:              {-32600, "null"},
		`{"jsonrpc":"2.0","id":"a","method":{}}`:                           {-32600, `"a"`},
		`{"jsonrpc":"2.0","id":"a"}`:                                       {-32600, `"a"`},
		`{"jsonrpc":"2.0","id":"a","method":"initialize","params":"none"}`: {-32602, `"a"`},
	} {
		before := len(p.Lines.Lines())
		p.Send(line)
		p.Result("ping", `{}`)
		lines := p.Lines.Lines()[before:]
		if len(lines) != 2 {
			t.Errorf("%.80s was answered with %d lines: %s", line, len(lines)-1, strings.Join(lines, "\n"))
			continue
		}
		if e := harness.ErrorOf(t, lines[0]); e.Code != want.code || string(harness.Parse(lines[0]).ID) != want.id {
			t.Errorf("%.80s was answered with %s instead of code %d and id %s", line, lines[0], want.code, want.id)
		}
	}
	for _, line := range []string{"", "   ", "\t\r", `{"jsonrpc":"2.0","method":7}`, `{"jsonrpc":"2.0","id":7,"result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`} {
		before := len(p.Lines.Lines())
		p.Send(line)
		p.Result("ping", `{}`)
		if lines := p.Lines.Lines()[before:]; len(lines) != 1 {
			t.Errorf("%q was answered with %s", line, lines[0])
		}
	}
	if text, _ := p.Text("a_small", `{}`); text != "ok" {
		t.Errorf("the session has suffered: %q", text)
	}
}

// A request over the limit is refused under its own id, wherever that stands; an
// answer over the limit fails the upstream's request; the session goes on.
func TestTooLongLinesOfTheClient(t *testing.T) {
	p := manual(t, harness.Setup{Env: []string{"PLAYGUARD_MAX_LINE_MB=1"}, Upstreams: askers()})
	long := strings.Repeat("x", 1<<20)
	for id, line := range map[string]string{
		`"first"`: `{"jsonrpc":"2.0","id":"first","method":"tools/call","params":{"name":"` + long + `"}}`,
		`"last"`:  `{"method":"tools/call","params":{"name":"` + long + `"},"jsonrpc":"2.0","id":"last"}`,
		`null`:    `["` + long + `"]`,
	} {
		p.Send(line)
		e := harness.ErrorOf(t, p.Answer(id))
		if e.Code != -32600 {
			t.Errorf("%s was answered with %v", id, &e)
		}
		contains(t, e.Message, "PLAYGUARD_MAX_LINE_MB", fmt.Sprint(len(line)), fmt.Sprint(1<<20))
	}
	call := p.AskTool("a_ask", `{"id":7,"method":"sampling/createMessage","params":{}}`)
	asked := p.AwaitMethod("sampling/createMessage")
	p.Send(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,"result":{"text":"` + long + `"}}`)
	answer, _ := harness.TextOf(t, p.Answer(call))
	contains(t, answer, `"id":7`, `"code":-32600`)
	p.Send(`{"jsonrpc":"2.0","method":"notifications/x","params":"` + long + `"}`)
	p.Result("ping", `{}`)
}

// The same with the real limit: 65 MB.
func TestSixtyFiveMegabytes(t *testing.T) {
	if testing.Short() {
		t.Skip("this test needs memory and time for two messages of 65 MB")
	}
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["big","small"]}`}}}).Ready()
	p.Send(`{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"small","arguments":"` + strings.Repeat("x", 65<<20) + `"}}`)
	contains(t, harness.ErrorOf(t, p.Answer(`"big"`)).Message, "the limit is 67108864")
	text, isError := p.Text("big", `{"bytes":68157440}`)
	if !isError {
		t.Error("an answer of 65 MB came through")
	}
	contains(t, text, "[PlayGuard] a answered too much", "PLAYGUARD_MAX_LINE_MB")
	if text, _ := p.Text("small", `{}`); text != "ok" {
		t.Errorf("the session has suffered: %q", text)
	}
}

// Bytes that are no UTF-8 reach neither side: they become U+FFFD, since a strict
// peer would drop the connection.
func TestInvalidUTF8(t *testing.T) {
	answer := base64.StdEncoding.EncodeToString([]byte(`"result":{"content":[{"type":"text","text":"caf` + "\xe9\xff" + `"}]}}` + "\n"))
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["echo"],"tools":[{"name":"latin","inputSchema":{"type":"object"}}],
		"calls":{"latin":[{"write":"{\"jsonrpc\":\"2.0\",\"id\":${id},"},{"base64":"` + answer + `"}]}}`}}}).Ready()
	if text, _ := p.Text("latin", `{}`); text != "caf\ufffd" {
		t.Errorf("the client got %q", text)
	}
	p.Send(`{"jsonrpc":"2.0","id":"utf","method":"tools/call","params":{"name":"echo","arguments":{"k":"na` + "\xef" + `ve"}}}`)
	if text, _ := harness.TextOf(t, p.Answer(`"utf"`)); text != `{"name":"echo","arguments":{"k":"na`+"\ufffd"+`ve"}}` {
		t.Errorf("the upstream got %q", text)
	}
}

// A client that sends without reading: its requests wait in the pipe instead of
// filling PlayGuard's memory, and closing its side ends PlayGuard all the same.
func TestClientThatNeverReads(t *testing.T) {
	for _, request := range []string{
		`{"jsonrpc":"2.0","id":%d,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"big","arguments":{"bytes":300000}}}`,
		`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"small"}}`,
	} {
		scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["big","small"],"record":false}`}}})
		p := scene.Blind()
		var lines bytes.Buffer
		fmt.Fprintln(&lines, `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"n","version":"1"}}}`)
		fmt.Fprintln(&lines, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		for i := range 300_000 {
			fmt.Fprintf(&lines, request+"\n", i)
		}
		sent := p.Flood(lines.Bytes())
		if peak := harness.PeakMemory(t, p.Process().Pid); peak > 150<<20 && !harness.RaceEnabled {
			t.Errorf("%s: PlayGuard took %d MB for a client that does not read", request, peak>>20)
		} else {
			t.Logf("%s: %d bytes were taken, the peak is %d MB", request, sent, peak>>20)
		}
		p.CloseInput()
		t.Logf("gone after %v", p.AwaitEnd())
	}
}

// A client that vanishes takes PlayGuard and everything below it along.
func TestClientThatVanishes(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{Upstreams: beside()})
	started := scene.Path("starts")
	scene.WriteScript("a", `{"builtins":["small"],"startFile":`+quoted(started)+`}`)
	p := scene.Blind()
	p.Flood([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"))
	awaitFile(t, started, func(lines []string) bool { return len(lines) == 1 })
	if n := len(harness.Processes(scene.Dir)); n < 4 && harness.CanSeeProcesses {
		t.Errorf("there are only %d processes: %q", n, harness.Processes(scene.Dir))
	}
	p.Vanish()
	t.Logf("gone after %v", p.AwaitEnd())
	if left := harness.Remaining(scene.Dir, harness.Patience); len(left) > 0 {
		t.Errorf("these are left: %q", left)
	}
}
