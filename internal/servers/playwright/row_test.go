package playwright

// What happens to calls and their answers.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/upstream"
)

// tree is a view as the server writes it, long enough to become smaller.
const tree = "- generic [active] [ref=e1]:\n  - navigation [ref=e2]:\n    - link \"Home\" [ref=e3] [cursor=pointer]:\n      - /url: /home\n" +
	"    - link \"Cart\" [ref=e4] [cursor=pointer]:\n      - /url: /cart\n  - main [ref=e5]:\n    - heading \"Welcome\" [level=1] [ref=e6]\n" +
	"    - generic [ref=e7]:\n      - generic [ref=e8]:\n        - button \"Buy\" [ref=e9] [cursor=pointer]"

const pageHead = "### Page\n- Page URL: http://shop.test/\n- Page Title: Shop\n"

// inline is the answer of browser_snapshot.
func inline(tree string) string {
	return pageHead + "### Snapshot\n```yaml\n" + tree + "\n```"
}

// result is a tools/call result with text blocks.
func result(texts ...string) string {
	var blocks []string
	for _, text := range texts {
		blocks = append(blocks, `{"type":"text","text":`+string(jsonrpc.Quote(text))+`}`)
	}
	return `{"content":[` + strings.Join(blocks, ",") + `],"x":9007199254740993}`
}

// session is a row with a server that answers by what was put in for it.
type session struct {
	*row
	t     *testing.T
	clock time.Time
	slept []time.Duration
	sent  []string // the arguments that reached the server, with the tool's name
	next  []string // the results to come; the last one stays
	files int      // written so far
}

func newSession(t *testing.T, settings ...string) *session {
	t.Helper()
	o := options(t, settings...)
	o.Dirs.Root = t.TempDir()
	o.Dirs.QA = filepath.Join(o.Dirs.Root, "qa")
	if err := os.Mkdir(o.Dirs.QA, 0o700); err != nil {
		t.Fatal(err)
	}
	o.Originals = store.New(t.TempDir(), store.DefaultLimits())
	s := &session{row: newRow(o), t: t, clock: time.Unix(1000, 0)}
	s.row.now = func() time.Time { return s.clock }
	s.row.sleep = func(_ context.Context, d time.Duration) error {
		s.slept = append(s.slept, d)
		return nil
	}
	return s
}

// answers says what the server will answer.
func (s *session) answers(results ...string) *session { s.next = results; return s }

// file writes a tree as the server does, and returns an answer that links to it.
func (s *session) file(tree string) string {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dirs.QA, "page-1.yml"), []byte(tree), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return pageHead + "### Snapshot\n- [Snapshot](qa/page-1.yml)"
}

// call makes a call and returns the result and the log's line.
func (s *session) call(tool, arguments string) (result string, e *calllog.Entry) {
	s.t.Helper()
	s.clock = s.clock.Add(time.Millisecond)
	e = &calllog.Entry{}
	call := &upstream.Call{Tool: tool, Params: []byte(`{"name":"` + tool + `","arguments":` + arguments + `}`), Log: e}
	m, err := s.handler(tool)(s.t.Context(), call, s.serve)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(m.Bytes(m.Result)), e
}

// text makes a call and returns the first text of its answer.
func (s *session) text(tool, arguments string) (text string, e *calllog.Entry) {
	s.t.Helper()
	got, e := s.call(tool, arguments)
	return mcp.Texts([]byte(got))[0].Text, e
}

func (s *session) serve(_ context.Context, params []byte) (jsonrpc.Message, error) {
	args, _ := jsonrpc.Member(params, "arguments")
	s.sent = append(s.sent, jsonrpc.StringMember(params, "name")+" "+string(args))
	answer := s.next[0]
	if len(s.next) > 1 {
		s.next = s.next[1:]
	}
	return jsonrpc.Parse(jsonrpc.NewResult([]byte("1"), []byte(answer)))
}

func TestRowMakesViewsCompact(t *testing.T) {
	s := newSession(t).answers(result(inline(tree)))
	got, e := s.call(snapshotTool, `{}`)
	text := mcp.Texts([]byte(got))[0].Text
	for _, part := range []string{"[PlayGuard", "http://shop.test/", "Home", "[1]", "Welcome", "Buy"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in %s", part, text)
		}
	}
	if !strings.HasSuffix(got, `],"x":9007199254740993}`) {
		t.Errorf("the rest of the result has changed: %s", got)
	}
	if e.RawBytes != len(inline(tree)) || e.KeptBytes != len(text) || e.Handles == 0 || e.SnapCount != 1 || e.ParseSkip != "" {
		t.Errorf("the log says %+v", e)
	}
	if urls, _ := s.text(snapshotTool, `{"urls":true}`); !strings.Contains(urls, "/cart") {
		t.Errorf("there is no target in %s", urls)
	}
}

// Answers that are not made smaller pass byte for byte; the log says why when
// there was a tree.
func TestRowPassesTheRest(t *testing.T) {
	broken := strings.Replace(tree, "  - main [ref=e5]:", "  main {", 1)
	tests := []struct {
		name, setting, arguments, answer string
		skipped                          bool
	}{
		{"raw", "", `{"raw":true}`, result(inline(tree)), false},
		{"turned off", "PLAYGUARD_COMPACT=false", `{}`, result(inline(tree)), false},
		{"no tree", "", `{}`, result("### Error\nError: no"), false},
		{"no text", "", `{}`, `{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`, false},
		{"no content", "", `{}`, `{"structuredContent":{"a":1}}`, false},
		{"a tree that is not understood", "", `{}`, result(inline(broken)), true},
		{"a fence that is not closed", "", `{}`, result(strings.TrimSuffix(inline(tree), "```")), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, e := newSession(t, tt.setting).answers(tt.answer).call(snapshotTool, tt.arguments)
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
func TestRowPassesFailures(t *testing.T) {
	s := newSession(t)
	call := &upstream.Call{Tool: snapshotTool, Params: []byte(`{"name":"browser_snapshot"}`), Log: &calllog.Entry{}}
	gone := errors.New("gone")
	if _, err := s.handle(t.Context(), call, func(context.Context, []byte) (jsonrpc.Message, error) { return jsonrpc.Message{}, gone }); !errors.Is(err, gone) {
		t.Errorf("the failure became %v", err)
	}
	const refused = `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`
	m, err := s.handle(t.Context(), call, func(context.Context, []byte) (jsonrpc.Message, error) { return jsonrpc.Parse([]byte(refused)) })
	if err != nil || string(m.Raw) != refused {
		t.Errorf("the error became %s (%v)", m.Raw, err)
	}
	if s.handler("other_tool") != nil {
		t.Error("a tool that is none of the browser's runs through a rule")
	}
}

// PlayGuard's own parameters never reach the server, and everything else does
// as it was written.
func TestRequest(t *testing.T) {
	tests := []struct{ name, setting, tool, params, want string }{
		{"no arguments", "", snapshotTool, `{"name":"browser_snapshot"}`, `{"name":"browser_snapshot"}`},
		{"nothing of ours", "", snapshotTool, `{"arguments":{ "boxes" : true},"name":"browser_snapshot"}`, `{"arguments":{ "boxes" : true},"name":"browser_snapshot"}`},
		{"all of ours", "", snapshotTool, `{"name":"browser_snapshot","arguments":{"raw":true,"boxes":true,"urls":true,"text":"none"},"_meta":{"n":1.0}}`, `{"name":"browser_snapshot","arguments":{"boxes":true},"_meta":{"n":1.0}}`},
		{"as strings", "", snapshotTool, `{"arguments":{"raw":"true","urls":"true","full":1}}`, `{"arguments":{}}`},
		{"filters", "", snapshotTool, `{"arguments":{"section":"form","around":7,"depth":2}}`, `{"arguments":{}}`},
		{"depth of a raw tree", "", snapshotTool, `{"arguments":{"raw":true,"depth":2}}`, `{"arguments":{"depth":2}}`},
		{"turned off", "PLAYGUARD_COMPACT=false", snapshotTool, `{"arguments":{"raw":true}}`, `{"arguments":{"raw":true}}`},
		{"another tool", "", "browser_find", `{"arguments":{"text":"none","raw":true}}`, `{"arguments":{"text":"none","raw":true}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			call := &upstream.Call{Tool: tt.tool, Params: []byte(tt.params), Log: &calllog.Entry{}}
			got, refusal := newSession(t, tt.setting).prepare(call)
			if string(got.params) != tt.want || refusal != "" {
				t.Errorf("got %s (%s)", got.params, refusal)
			}
			if string(call.Params) != tt.params {
				t.Errorf("the client's params were changed to %s", call.Params)
			}
		})
	}
}

func TestCountLooks(t *testing.T) {
	s := newSession(t)
	for i, step := range []struct {
		tool string
		want int
	}{
		{snapshotTool, 1}, {snapshotTool, 2}, {"browser_console_messages", 0}, {screenshotTool, 0}, {snapshotTool, 3},
		{"browser_click", 0}, {snapshotTool, 1}, {"browser_navigate", 0}, {"browser_find", 0}, {snapshotTool, 1},
	} {
		if got := s.countLook(step.tool); got != step.want {
			t.Errorf("step %d, %s, counts %d instead of %d", i, step.tool, got, step.want)
		}
	}
}

func TestHint(t *testing.T) {
	s := newSession(t, "PLAYGUARD_HINT_THRESHOLD=2", "PLAYGUARD_SNAPSHOT_TTL=0").answers(result(inline(tree)))
	for i, want := range []bool{false, true, false, true} {
		text, e := s.text(snapshotTool, `{}`)
		if strings.Contains(text, "looks without an action. Controls: link \"Home\" [") != want || e.Hinted != want {
			t.Errorf("look %d is answered %s", i+1, text)
		}
		if !strings.HasPrefix(text, "[PlayGuard") || want && !strings.Contains(text, "\n[PlayGuard: ") {
			t.Errorf("the first line is lost in %s", text)
		}
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
		{evaluateTool, `{"function":"() => 1"}`, calllog.Entry{ScriptHash: hash("() => 1")}},
		{"browser_run_code_unsafe", `{"code":"setTimeout; é.waitForTimeout(1); setTimeout"}`, calllog.Entry{CodeChars: 43, CodeHash: hash("setTimeout; é.waitForTimeout(1); setTimeout"), CodeSleeps: 3}},
		{screenshotTool, `{}`, calllog.Entry{Type: "png"}},
		{screenshotTool, `{"fullPage":true,"type":"jpeg"}`, calllog.Entry{Type: "jpeg", FullPage: true}},
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
