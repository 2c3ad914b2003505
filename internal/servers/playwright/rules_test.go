package playwright

// What happens to tools and calls.

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

func settings(t *testing.T, values ...string) *config.Config {
	t.Helper()
	return options(t, values...).Config
}

func TestToolRewriter(t *testing.T) {
	const look = `{"name":"browser_snapshot","description":"Look","inputSchema":{"type":"object","properties":{"target":{"type":"string"}},"required":[]},"x":1}`
	const evaluate = `{"name":"browser_evaluate","description":"Evaluate ","inputSchema":{"type":"object","properties":{}}}`
	const click = `{ "name":"browser_click","inputSchema":{"type":"object"},"annotations":{"n":1.50}}`
	tests := []struct{ name, setting, tool, want string }{
		{"parameters", "", look, `{"name":"browser_snapshot","description":"Look","inputSchema":{"type":"object","properties":{"target":{"type":"string"},` +
			`"raw":{"type":"boolean","description":"Answer of the server untouched"},"urls":{"type":"boolean","description":"Show link targets"},` +
			`"text":{"type":"string","enum":["full","short","none"],"description":"How much running text"}},"required":[]},"x":1}`},
		{"no parameters", "PLAYGUARD_COMPACT=false", look, look},
		{"hint", "", evaluate, `{"name":"browser_evaluate","description":"Evaluate` + batchingHint + `","inputSchema":{"type":"object","properties":{}}}`},
		{"no hint", "PLAYGUARD_HINTS=false", evaluate, evaluate},
		{"untouched", "", click, click},
		{"without a schema", "", `{"name":"browser_snapshot"}`, `{"name":"browser_snapshot"}`},
		{"no name", "", `{}`, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, keep := toolRewriter(settings(t, tt.setting))(mcp.Tool(tt.tool))
			if !keep || string(got) != tt.want {
				t.Errorf("listed (%v) as\n%s\ninstead of\n%s", keep, got, tt.want)
			}
		})
	}
}

// PlayGuard's own parameters never reach the server, and everything else does
// as it was written.
func TestSnapshotRequest(t *testing.T) {
	tests := []struct {
		name, setting, tool, params, want string
		raw, urls                         bool
		text                              string
	}{
		{"no arguments", "", snapshotTool, `{"name":"browser_snapshot"}`, `{"name":"browser_snapshot"}`, false, false, "full"},
		{"nothing of ours", "", snapshotTool, `{"arguments":{ "target" : "e1"},"name":"browser_snapshot"}`, `{"arguments":{ "target" : "e1"},"name":"browser_snapshot"}`, false, false, "full"},
		{"all of ours", "", snapshotTool, `{"name":"browser_snapshot","arguments":{"raw":true,"target":"e1","urls":true,"text":"none"},"_meta":{"n":1.0}}`, `{"name":"browser_snapshot","arguments":{"target":"e1"},"_meta":{"n":1.0}}`, true, true, "none"},
		{"as strings", "", snapshotTool, `{"arguments":{"raw":"true","urls":"true"}}`, `{"arguments":{}}`, true, true, "full"},
		{"false", "", snapshotTool, `{"arguments":{"raw":false,"urls":"false","text":"short"}}`, `{"arguments":{}}`, false, false, "short"},
		{"unknown values", "PLAYGUARD_TEXT=short", snapshotTool, `{"arguments":{"raw":1,"urls":null,"text":"loud"}}`, `{"arguments":{}}`, false, false, "short"},
		{"arguments that are none", "", snapshotTool, `{"arguments":[1]}`, `{"arguments":[1]}`, false, false, "full"},
		{"turned off", "PLAYGUARD_COMPACT=false", snapshotTool, `{"arguments":{"raw":true}}`, `{"arguments":{"raw":true}}`, true, false, "full"},
		{"another tool", "", "browser_find", `{"arguments":{"text":"none","raw":true}}`, `{"arguments":{"text":"none","raw":true}}`, false, false, "full"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			call := &upstream.Call{Tool: tt.tool, Params: []byte(tt.params), Log: &calllog.Entry{}}
			got := snapshotRequest(settings(t, tt.setting), call)
			if string(got.params) != tt.want || got.raw != tt.raw || got.urls != tt.urls || got.text != tt.text {
				t.Errorf("got %s raw %v urls %v text %s", got.params, got.raw, got.urls, got.text)
			}
			if string(call.Params) != tt.params {
				t.Errorf("the client's params were changed to %s", call.Params)
			}
		})
	}
}

// tree is a view as the server writes it, long enough to become smaller.
const tree = "### Page\n- Page URL: http://shop.test/\n- Page Title: Shop\n### Snapshot\n```yaml\n" +
	"- generic [active] [ref=e1]:\n  - navigation [ref=e2]:\n    - link \"Home\" [ref=e3] [cursor=pointer]:\n      - /url: /home\n" +
	"    - link \"Cart\" [ref=e4] [cursor=pointer]:\n      - /url: /cart\n  - main [ref=e5]:\n    - heading \"Welcome\" [level=1] [ref=e6]\n" +
	"    - generic [ref=e7]:\n      - generic [ref=e8]:\n        - button \"Buy\" [ref=e9] [cursor=pointer]\n```"

// result is a tools/call result with text blocks.
func result(texts ...string) string {
	var blocks []string
	for _, text := range texts {
		blocks = append(blocks, `{"type":"text","text":`+string(jsonrpc.Quote(text))+`}`)
	}
	return `{"content":[` + strings.Join(blocks, ",") + `],"x":9007199254740993}`
}

// handled runs one call against a server that answers with a fixed result.
func handled(t *testing.T, c *config.Config, tool, arguments, answer string) (got string, e *calllog.Entry) {
	t.Helper()
	e = &calllog.Entry{}
	call := &upstream.Call{Tool: tool, Params: []byte(`{"name":"` + tool + `","arguments":` + arguments + `}`), Log: e}
	m, err := handlers(c)(tool)(t.Context(), call, func(context.Context, []byte) (jsonrpc.Message, error) {
		return jsonrpc.Parse(jsonrpc.NewResult([]byte("1"), []byte(answer)))
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(m.Bytes(m.Result)), e
}

func TestHandlerMakesViewsCompact(t *testing.T) {
	got, e := handled(t, settings(t), snapshotTool, `{}`, result(tree))
	text := mcp.Texts([]byte(got))[0].Text
	for _, part := range []string{"[PlayGuard compact: ", "URL: http://shop.test/", "Home", "[e3]", "Welcome", "Buy", "[e9]"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in %s", part, text)
		}
	}
	if !strings.HasSuffix(got, `],"x":9007199254740993}`) {
		t.Errorf("the rest of the result has changed: %s", got)
	}
	if e.RawBytes != len(tree) || e.KeptBytes != len(text) || e.Handles != 5 || e.SnapCount != 1 || e.ParseSkip != "" {
		t.Errorf("the log says %+v", e)
	}
	if urls, _ := handled(t, settings(t), snapshotTool, `{"urls":true}`, result(tree)); !strings.Contains(urls, "/cart") {
		t.Errorf("there is no target in %s", urls)
	}
	// Any tool's answer may carry a tree, also behind another text.
	got, e = handled(t, settings(t), "browser_click", `{}`, result("first", tree, "last"))
	texts := mcp.Texts([]byte(got))
	if len(texts) != 3 || texts[0].Text != "first" || texts[1].Text != text || texts[2].Text != "last" || e.RawBytes != len("firstlast")+len(tree) {
		t.Errorf("the answer is %s, the log says %+v", got, e)
	}
}

// Answers that are not made smaller pass byte for byte; the log says why when
// there was a tree.
func TestHandlerPassesTheRest(t *testing.T) {
	broken := strings.Replace(tree, "  - main [ref=e5]:", "  main {", 1)
	tests := []struct {
		name, setting, arguments, answer string
		skipped                          bool
	}{
		{"raw", "", `{"raw":true}`, result(tree), false},
		{"turned off", "PLAYGUARD_COMPACT=false", `{}`, result(tree), false},
		{"no tree", "", `{}`, result("### Error\nError: no"), false},
		{"no text", "", `{}`, `{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`, false},
		{"no content", "", `{}`, `{"structuredContent":{"a":1}}`, false},
		{"a tree that is not understood", "", `{}`, result(broken), true},
		{"a fence that is not closed", "", `{}`, result(strings.TrimSuffix(tree, "```")), false},
		{"one that does not get smaller", "", `{}`, result("### Snapshot\n```yaml\n- button \"A\" [ref=e1]\n```"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, e := handled(t, settings(t, tt.setting), snapshotTool, tt.arguments, tt.answer)
			if got != tt.answer {
				t.Errorf("the answer became %s", got)
			}
			if (e.ParseSkip != "") != tt.skipped || e.RawBytes != e.KeptBytes {
				t.Errorf("the log says %+v", e)
			}
		})
	}
}

// What is no result passes too.
func TestHandlerPassesFailures(t *testing.T) {
	handler := handlers(settings(t))(snapshotTool)
	call := &upstream.Call{Tool: snapshotTool, Params: []byte(`{"name":"browser_snapshot"}`), Log: &calllog.Entry{}}
	gone := errors.New("gone")
	if _, err := handler(t.Context(), call, func(context.Context, []byte) (jsonrpc.Message, error) { return jsonrpc.Message{}, gone }); !errors.Is(err, gone) {
		t.Errorf("the failure became %v", err)
	}
	const refused = `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`
	m, err := handler(t.Context(), call, func(context.Context, []byte) (jsonrpc.Message, error) { return jsonrpc.Parse([]byte(refused)) })
	if err != nil || string(m.Raw) != refused {
		t.Errorf("the error became %s (%v)", m.Raw, err)
	}
	if handlers(settings(t))("other_tool") != nil {
		t.Error("a tool that is none of the browser's runs through a rule")
	}
}

func TestObserve(t *testing.T) {
	tests := []struct {
		tool, arguments string
		want            calllog.Entry
	}{
		{"browser_wait_for", `{"time":1.5}`, calllog.Entry{WaitKind: "time", WaitTime: 1.5}},
		{"browser_wait_for", `{"text":"secret"}`, calllog.Entry{WaitKind: "text"}},
		{"browser_wait_for", `{"textGone":"secret"}`, calllog.Entry{WaitKind: "textGone"}},
		{"browser_wait_for", `{"time":"soon"}`, calllog.Entry{WaitKind: "time"}},
		{"browser_wait_for", `{}`, calllog.Entry{}},
		{"browser_evaluate", `{"function":"() => 1"}`, calllog.Entry{ScriptHash: hash("() => 1")}},
		{"browser_run_code_unsafe", `{"code":"setTimeout; é.waitForTimeout(1); setTimeout"}`, calllog.Entry{CodeChars: 43, CodeHash: hash("setTimeout; é.waitForTimeout(1); setTimeout"), CodeSleeps: 3}},
		{"browser_take_screenshot", `{}`, calllog.Entry{Type: "png"}},
		{"browser_take_screenshot", `{"fullPage":true,"type":"jpeg"}`, calllog.Entry{Type: "jpeg", FullPage: true}},
		{"browser_type", `{"text":"secret","target":"e1"}`, calllog.Entry{}},
	}
	for _, tt := range tests {
		got := calllog.Entry{}
		observe(&upstream.Call{Tool: tt.tool, Params: []byte(`{"arguments":` + tt.arguments + `}`), Log: &got})
		if got != tt.want {
			t.Errorf("%s %s is logged as %+v", tt.tool, tt.arguments, got)
		}
	}
	if a, b := hash("a"), hash("b"); a == b || len(a) != 12 || a != hash("a") {
		t.Errorf("the hashes are %s and %s", a, b)
	}
}

func TestLookCounter(t *testing.T) {
	var l lookCounter
	for i, step := range []struct {
		tool string
		want int
	}{
		{snapshotTool, 1}, {snapshotTool, 2}, {"browser_console_messages", 0}, {"browser_take_screenshot", 0}, {snapshotTool, 3},
		{"browser_click", 0}, {snapshotTool, 1}, {"browser_navigate", 0}, {"browser_find", 0}, {snapshotTool, 1},
	} {
		if got := l.count(step.tool); got != step.want {
			t.Errorf("step %d, %s, counts %d instead of %d", i, step.tool, got, step.want)
		}
	}
}
