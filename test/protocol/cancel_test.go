// Progress and cancellation of the client's own requests.

package protocol

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

// Progress of an upstream comes before the answer, under the client's token, in
// order, also for an intercepted call and through an unknown method.
func TestProgressReachesTheClient(t *testing.T) {
	p := harness.Start(t, harness.Setup{
		Playwright: `{"builtins":["progress"],"tools":[{"name":"browser_slow","inputSchema":{"type":"object"}}],
			"calls":{"browser_slow":[{"progress":{"progress":1,"n":9007199254740993}},{"text":"done"}]}}`,
		Upstreams: []harness.Upstream{{Name: "a", Script: `{"prefix":"a_","builtins":["progress"],"methods":{"x/slow":[{"progress":{"progress":1}},{"result":{}}]}}`}},
	}).Ready()
	for _, token := range []string{`"t1"`, `9007199254740993`} {
		for method, params := range map[string]string{
			"a_progress":   `{"name":"a_progress","arguments":{"count":3},"_meta":{"progressToken":TOKEN}}`,
			"browser_slow": `{"name":"browser_slow","arguments":{},"_meta":{"progressToken":TOKEN}}`,
		} {
			before := len(p.Lines.Lines())
			answer := p.Answer(p.Ask("tools/call", strings.Replace(params, "TOKEN", token, 1)))
			lines := p.Lines.Lines()[before:]
			if lines[len(lines)-1] != answer || len(withMethod(lines, "notifications/progress")) != len(lines)-1 || len(lines) < 2 {
				t.Errorf("%s: the client saw\n%s", method, strings.Join(lines, "\n"))
			}
			for _, line := range lines[:len(lines)-1] {
				contains(t, line, `"progressToken":`+token)
			}
		}
		p.Result("x/slow", `{"_meta":{"progressToken":`+token+`}}`)
	}
}

// A cancelled call gets no answer, late ones are dropped, and the upstream is
// told with its own id, reason and _meta kept.
func TestCancellationReachesTheUpstream(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{
		Playwright: `{"builtins":["cancelled","log"],"tools":[{"name":"browser_wait","inputSchema":{"type":"object"}}],"calls":{"browser_wait":[{"reply":"wait"}]}}`,
		Upstreams: []harness.Upstream{
			{Name: "a", Script: `{"prefix":"a_","builtins":["wait","cancelled","log"],"methods":{"x/wait":[{"awaitCancel":true}]}}`},
			{Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`},
		},
	})
	p := scene.Start().Ready()
	turn := 0
	for name, c := range map[string]struct{ request, log, cancelled string }{
		"a call":              {`{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"a_wait","arguments":{"answer":true,"turn":TURN}}}`, "a_log", "a_cancelled"},
		"an intercepted call": {`{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"browser_wait","arguments":{"answer":true,"turn":TURN}}}`, "log", "cancelled"},
		"an unknown method":   {`{"jsonrpc":"2.0","id":ID,"method":"x/wait","params":{"turn":TURN}}`, "a_log", "a_cancelled"},
	} {
		for _, id := range []string{`9007199254740993`, `"9007199254740993"`} {
			turn++
			marker := fmt.Sprintf(`"turn":%d}`, turn)
			p.Send(strings.NewReplacer("ID", id, `"turn":TURN}`, marker).Replace(c.request))
			// Cancelled before it gets there it would never be sent.
			awaitTool(t, p, c.log, func(text string) bool { return strings.Contains(text, marker) })
			p.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"<no> need","requestId":` + id + `,"_meta":{` + marker + `}}`)
			cancelled := awaitTool(t, p, c.cancelled, func(text string) bool { return strings.Contains(text, marker) })
			if strings.Contains(cancelled, id) {
				t.Errorf("%s: the upstream was told the client's id:\n%s", name, cancelled)
			}
			contains(t, cancelled, `"reason":"<no> need"`)
			for _, line := range p.Lines.Lines() {
				if m := harness.Parse(line); m.Method == "" && string(m.ID) == id {
					t.Errorf("%s: the cancelled request was answered: %s", name, line)
				}
			}
		}
	}
	// The ids are free again, and cancelling what is not open does nothing.
	p.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never used"}}`)
	p.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`)
	p.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
	exchange(p, `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"b_small"}}`, `9007199254740993`)

	p.End()
	if n := strings.Count(callLog(t, scene), `"cancelled":true`); n != 4 {
		t.Errorf("the call log has %d cancelled calls instead of 4", n)
	}
}

// callLog returns all lines of the scene's call log.
func callLog(t *testing.T, scene *harness.Scene) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(scene.Path("logs"), "*.ndjson"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no call log (%v)", err)
	}
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}

// A string id and the number that looks like it are two requests: cancelling one
// leaves the other.
func TestCancellationTellsStringFromNumber(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["wait","cancelled","small"]}`}}}).Ready()
	for _, id := range []string{`7`, `"7"`} {
		p.Send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"wait","arguments":{"answer":true}}}`)
	}
	p.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}}`)
	text := awaitTool(t, p, "cancelled", func(text string) bool { return text != "" })
	if strings.Contains(text, "\n") {
		t.Errorf("more than one request was cancelled:\n%s", text)
	}
	p.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	awaitTool(t, p, "cancelled", func(text string) bool { return strings.Contains(text, "\n") })
}

// A call that is cancelled while its upstream is still starting never reaches
// it, whether PlayGuard knew the owner already or not.
func TestCancellationDuringTheStart(t *testing.T) {
	for _, saved := range []bool{false, true} {
		scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["echo","small"]}`}}})
		log := scene.Path("received.log")
		if saved {
			scene.Start().Ready().End()
		}
		scene.WriteScript("a", `{"builtins":["echo","small"],"logFile":`+quoted(log)+`,"methods":{"initialize":[{"delayMs":300},{"default":true}]}}`)
		p := scene.Start()
		p.Init()
		for _, id := range []string{"101", "102", "103"} {
			p.Send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"echo","arguments":{"number":` + id + `}}}`)
		}
		awaitFile(t, log, func(lines []string) bool { return has(lines, "initialize") })
		p.Send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":102}}`)
		p.Answer("101")
		p.Answer("103")
		received := strings.Join(fileLines(t, log), "\n")
		if strings.Contains(received, `"number":102`) {
			t.Errorf("saved %v: the cancelled call reached the upstream:\n%s", saved, received)
		}
		contains(t, received, `"number":101`, `"number":103`)
	}
}

// The initialize request can't be cancelled (it would be left without answer).
func TestInitializeIsNotCancelled(t *testing.T) {
	p := harness.Start(t, harness.Setup{})
	p.Send(`[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]`)
	p.Await(func(line string) bool { return strings.HasPrefix(line, `[{"jsonrpc":"2.0","id":1,"result":`) })
}
