// Faults of an upstream: what the client sees, and that the others go on.

package protocol

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

// faulty is a setup whose upstream a has a tool "odd" with the given reply
// besides the built-in ones; b is well.
func faulty(reply string, env ...string) harness.Setup {
	return harness.Setup{Env: env, Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"builtins":["small","pid","echo"],"tools":[{"name":"odd","inputSchema":{"type":"object"}}],"calls":{"odd":` + reply + `}}`},
		{Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`},
	}}
}

// well fails the test unless both upstreams answer.
func well(t *testing.T, p *harness.Peer) {
	t.Helper()
	for _, tool := range []string{"small", "b_small", "browser_small"} {
		if text, isError := p.Text(tool, `{}`); isError || text != "ok" {
			t.Errorf("%s answers %q", tool, text)
		}
	}
}

// answersTo counts the responses with a raw id.
func answersTo(p *harness.Peer, id string) int {
	n := 0
	for _, line := range p.Lines.Lines() {
		if m := harness.Parse(line); m.Method == "" && string(m.ID) == id {
			n++
		}
	}
	return n
}

// What an upstream prints on stdout by mistake is skipped, wherever it comes.
func TestBannersOnStdout(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"builtins":["small"],"tools":[{"name":"odd","inputSchema":{"type":"object"}}],
			"start":[{"line":"npm notice New version!"},{"line":""},{"line":"{\"level\":30,\"msg\":\"listening\"}"},{"line":"[1,2]"},{"line":"{ broken"},{"line":"42"}],
			"calls":{"odd":[{"line":"console.log of <a page>"},{"line":"   "},{"line":"{}"},{"line":"{\"id\":${id}}"},{"write":"  \t"},{"text":"fine"}]}}`},
		{Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`},
	}}).Ready()
	if text, _ := p.Text("odd", `{}`); text != "fine" {
		t.Errorf("the call was answered with %q", text)
	}
	for _, line := range p.Lines.Lines() {
		if strings.Contains(line, "npm notice") || strings.Contains(line, "console.log") || strings.Contains(line, "listening") {
			t.Errorf("the client saw %s", line)
		}
	}
	p.AwaitStderr("npm notice New version!")
	well(t, p)
}

// The second of two answers is dropped.
func TestAnswersTwice(t *testing.T) {
	p := harness.Start(t, faulty(`[{"text":"first"},{"text":"second"},{"error":{"code":1,"message":"third"}}]`)).Ready()
	id := p.AskTool("odd", `{}`)
	if text, _ := harness.TextOf(t, p.Answer(id)); text != "first" {
		t.Errorf("the client got %q", text)
	}
	well(t, p)
	if n := answersTo(p, id); n != 1 {
		t.Errorf("the client got %d answers", n)
	}
}

// Answers to what was never asked, of whatever kind of id, are dropped.
func TestAnswersToUnknownIDs(t *testing.T) {
	p := harness.Start(t, faulty(`[{"line":"{\"jsonrpc\":\"2.0\",\"id\":999999,\"result\":{}}"},{"line":"{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}"},
		{"line":"{\"jsonrpc\":\"2.0\",\"id\":-1,\"result\":{}}"},{"line":"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"result\":{}}"},
		{"line":"{\"jsonrpc\":\"2.0\",\"id\":9007199254740993000000,\"result\":{}}"},
		{"line":"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}"},{"text":"right"}]`)).Ready()
	before := len(p.Lines.Lines())
	if text, _ := p.Text("odd", `{}`); text != "right" {
		t.Errorf("the client got %q", text)
	}
	if lines := p.Lines.Lines()[before:]; len(lines) != 1 {
		t.Errorf("the client saw\n%s", strings.Join(lines, "\n"))
	}
	p.AwaitStderr("Parse error")
	well(t, p)
}

// An answer over the limit fails its call alone, with what to do about it; a
// request over the limit is refused to the upstream.
func TestTooLongLinesOfTheUpstream(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, line := range map[string]string{
		"the id first": `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"` + long + `"}]}}`,
		"the id last":  `{"result":{"content":[{"type":"text","text":"` + long + `","id":1}]},"jsonrpc":"2.0","id":${id}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := harness.Start(t, faulty(`[{"line":`+quoted(line)+`}]`, "PLAYGUARD_MAX_LINE_MB=1")).Ready()
			text, isError := p.Text("odd", `{}`)
			if !isError {
				t.Error("it came through")
			}
			contains(t, text, "[PlayGuard] a answered too much", "Ask for less, or raise PLAYGUARD_MAX_LINE_MB")
			well(t, p)
		})
	}
	t.Run("a request", func(t *testing.T) {
		t.Parallel()
		request := `{"request":{"id":1,"method":"x/ask","params":"` + long + `"}},{"text":"${answer}"}`
		p := harness.Start(t, faulty(`[`+request+`]`, "PLAYGUARD_MAX_LINE_MB=1")).Ready()
		text, _ := p.Text("odd", `{}`)
		contains(t, text, `"id":1,"error":`, "over the limit")
		well(t, p)
	})
}

// An answer that is broken JSON, or that has a member twice, fails its call at
// once and not at the deadline.
func TestBrokenAnswers(t *testing.T) {
	for name, line := range map[string]string{
		"cut off":        `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"te`,
		"two results":    `{"jsonrpc":"2.0","id":${id},"result":{},"result":{"content":[]}}`,
		"a control byte": "{\"jsonrpc\":\"2.0\",\"id\":${id},\"result\":{\"content\":\"\x01\"}}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := harness.Start(t, faulty(`[{"line":`+quoted(line)+`}]`)).Ready()
			text, isError := p.Text("odd", `{}`)
			if !isError {
				t.Errorf("the client got %q", text)
			}
			contains(t, text, "[PlayGuard] a sent a broken answer", "Whether the call took effect is unknown")
			well(t, p)
		})
	}
}

// One that answers nothing at all, neither handshake nor list, delays nobody
// else; its list is waited for no longer than the setting says.
func TestNeverAnswers(t *testing.T) {
	for _, method := range []string{"initialize", "tools/list"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			p := harness.Start(t, harness.Setup{
				Env: []string{"PLAYGUARD_LIST_WAIT_MS=300"},
				Upstreams: []harness.Upstream{
					{Name: "a", Script: `{"builtins":["echo"],"methods":{"` + method + `":[]}}`},
					{Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`},
				},
			}).Ready()
			awaitTools(t, p, "browser_small", "b_small")
			if text, _ := p.Text("b_small", `{}`); text != "ok" {
				t.Errorf("the other upstream answers %q", text)
			}
			if e := p.Failure("tools/call", `{"name":"echo"}`); e.Code != -32602 {
				t.Errorf("a call of its tool was answered with %v", &e)
			}
		})
	}
}

// One that ends in the middle of its answer, or of a line, fails the calls that
// were open; the next call starts it again.
func TestDiesDuringACall(t *testing.T) {
	for name, c := range map[string]struct{ reply, text string }{
		"without a word":           {`[{"stderr":{"text":"segfault at <0>"}},{"exit":139}]`, "segfault at <0>"},
		"in the middle of a line":  {`[{"write":"{\"jsonrpc\":\"2.0\",\"id\":${id},\"result\":{\"con"},{"exit":1}]`, "ended during this call"},
		"behind a whole half line": {`[{"write":"{\"json"},{"exit":1}]`, "ended during this call"},
		"with stdout held open":    {`[{"grandchildMs":60000},{"exit":1}]`, "ended during this call"},
		"by closing stdout":        {`[{"closeStdout":true}]`, "ended during this call"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := harness.Start(t, faulty(c.reply)).Ready()
			before, _ := p.Text("pid", `{}`)
			text, isError := p.Text("odd", `{}`)
			if !isError {
				t.Errorf("the client got %q", text)
			}
			contains(t, text, c.text, "Whether the call took effect is unknown")
			well(t, p)
			if after, _ := p.Text("pid", `{}`); after == before {
				t.Error("the process is the same")
			}
		})
	}
}

// One that stops reading takes in what its pipe holds; its calls fail at their
// deadline, or go to its successor if it certainly has not read them; the others'
// go on, and PlayGuard ends in time.
func TestStopsReading(t *testing.T) {
	p := harness.Start(t, faulty(`[{"hang":true}]`, "PLAYGUARD_CALL_TIMEOUT_MS=1000")).Ready()
	ids := []string{p.AskTool("odd", `{}`)}
	for range 30 {
		ids = append(ids, p.AskTool("echo", `{"text":"`+strings.Repeat("x", 100_000)+`"}`))
	}
	if text, _ := p.Text("b_small", `{}`); text != "ok" {
		t.Errorf("the other upstream answers %q", text)
	}
	for i, id := range ids {
		text, isError := harness.TextOf(t, p.Answer(id))
		switch {
		case isError:
			contains(t, text, "[PlayGuard] a did not answer")
		case i == 0 || !strings.Contains(text, "xxx"):
			t.Errorf("a call was answered with %.100q", text)
		}
	}
	well(t, p) // its successor
	p.End()
}

// An upstream's end is nothing to the calls of the others.
func TestOneEndDisturbsNobody(t *testing.T) {
	setup := faulty(`[{"exit":1}]`)
	setup.Upstreams[1].Script = `{"prefix":"b_","builtins":["small","sleep"]}`
	p := harness.Start(t, setup).Ready()
	slow := p.AskTool("b_sleep", `{"ms":300}`)
	if _, isError := p.Text("odd", `{}`); !isError {
		t.Error("the call came through")
	}
	if text, isError := harness.TextOf(t, p.Answer(slow)); isError || text != "slept" {
		t.Errorf("the other's call was answered with %q", text)
	}
	well(t, p)
}

// What is no UTF-8 in an answer without an id that can be found is skipped.
func TestInvalidBytesAlone(t *testing.T) {
	noise := base64.StdEncoding.EncodeToString([]byte("\xff\xfe\x00noise\n"))
	p := harness.Start(t, faulty(`[{"base64":"`+noise+`"},{"text":"fine"}]`)).Ready()
	if text, _ := p.Text("odd", `{}`); text != "fine" {
		t.Errorf("the client got %q", text)
	}
	well(t, p)
}
