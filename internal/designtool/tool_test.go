package designtool

// The tool against upstreams that are functions.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/designdiff"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// stage has a design of cards 1:1 to 1:99, each with its text, and a page whose
// elements are all alike.
type stage struct {
	mu      sync.Mutex
	designs []string // arguments of the calls for designs
	pages   []string // targets of the calls of the browser
	design  func(id string) (string, error)
	page    func(targets []string) (string, bool)
}

func (s *stage) ask(_ context.Context, name, tool string, args []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case name == "figma" && tool == "get_figma_data":
		s.designs = append(s.designs, string(args))
		text, err := s.design(jsonrpc.StringMember(args, "nodeId"))
		if err != nil {
			return mcp.ErrorResult(err.Error()), nil
		}
		return mcp.TextResult(text), nil
	case name == "playwright" && tool == "elements":
		list, _ := jsonrpc.Member(args, "targets")
		s.pages = append(s.pages, string(list))
		var targets []string
		if err := json.Unmarshal(list, &targets); err != nil {
			return nil, err
		}
		text, failed := s.page(targets)
		if failed {
			return mcp.ErrorResult(text), nil
		}
		return mcp.TextResult(text), nil
	}
	return nil, fmt.Errorf("nobody has %s of %s", tool, name)
}

// node is a design with one layer.
func node(id string) string {
	return `{"metadata":{"name":"n"},"nodes":[{"id":"` + id + `","type":"FRAME","fills":["#1976D2"]}],"globalVars":{"styles":{}},"elements":{}}`
}

// blue is what the page says of every target but those whose selector is bad.
func blue(targets []string) (string, bool) {
	var out []string
	for _, selector := range targets {
		if strings.HasPrefix(selector, "bad") {
			out = append(out, `{"error":"matches no element"}`)
		} else {
			out = append(out, `{"element":{"tag":"div","width":10,"height":10,"style":{"background-color":"rgb(25, 118, 210)"},"label":{"texts":0}}}`)
		}
	}
	return "[" + strings.Join(out, ",") + "]", false
}

func newStage() *stage {
	return &stage{design: func(id string) (string, error) { return node(id), nil }, page: blue}
}

func (s *stage) call(t *testing.T, args string) (text string, failed bool) {
	t.Helper()
	tool := Tool(Options{Tolerance: designdiff.Tolerance{PX: 2, Color: 5}, Figma: "figma", DesignTool: "get_figma_data", Browser: "playwright", ElementsTool: "elements"})
	result, err := tool.Handle(t.Context(), &upstream.Call{
		Tool: Name, Params: []byte(`{"arguments":` + args + `}`), Log: &calllog.Entry{}, Ask: s.ask,
	})
	if err != nil {
		return err.Error(), true
	}
	return textOf(result)
}

func TestSingle(t *testing.T) {
	s := newStage()
	text, failed := s.call(t, `{"figmaNodeId":"1-2","browserSelector":47,"fileKey":"abc","properties":["background-color"]}`)
	if failed || text != "[PlayGuard design diff: 1:2 → 47 0 mismatches, 1 match]\n\n  backgroundColor: Figma rgb(25, 118, 210) → Browser rgb(25, 118, 210) ✓ MATCH\n" {
		t.Errorf("the answer is %s", text)
	}
	if len(s.designs) != 1 || s.designs[0] != `{"nodeId":"1:2","fileKey":"abc"}` || s.pages[0] != `["47"]` {
		t.Errorf("asked %q and %q", s.designs, s.pages)
	}
}

// Fifty pairs are one call of the browser, whatever goes wrong with some.
func TestBatchIsOneBrowserCall(t *testing.T) {
	s := newStage()
	s.design = func(id string) (string, error) {
		if id == "1:7" {
			return "", errors.New("Node 1:7 was not found in the Figma file.\nLikely causes: many")
		}
		return node(id), nil
	}
	var pairs []string
	for i := range 50 {
		selector := fmt.Sprintf("#e%d", i)
		if i == 3 {
			selector = "bad"
		}
		pairs = append(pairs, fmt.Sprintf(`{"figmaNodeId":"1:%d","browserSelector":%q}`, i, selector))
	}
	text, failed := s.call(t, `{"pairs":[`+strings.Join(pairs, ",")+`],"properties":["backgroundColor"]}`)
	if failed || !strings.HasPrefix(text, "[PlayGuard design diff: 50 pairs, 0 mismatches, 48 matches, 2 failed]\n") {
		t.Errorf("the answer is %s", text)
	}
	for _, part := range []string{"1:3 → bad failed: bad matches no element.", "1:7 → #e7 failed: Node 1:7 was not found in the Figma file.\n", "✓ all match: 1:0 → #e0; "} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %s", part, text)
		}
	}
	if len(s.pages) != 1 {
		t.Errorf("the browser was called %d times", len(s.pages))
	}
}

// Nodes that came with another one are not asked for again.
func TestNodesOfOneDesign(t *testing.T) {
	s := newStage()
	s.design = func(string) (string, error) {
		return `{"nodes":[{"id":"1:1","type":"FRAME","children":[{"id":"1:2","type":"FRAME"},{"id":"1:3","type":"FRAME"}]}],"globalVars":{"styles":{}}}`, nil
	}
	text, failed := s.call(t, `{"pairs":[{"figmaNodeId":"1:1","browserSelector":"a"},{"figmaNodeId":"1:2","browserSelector":"b"},{"figmaNodeId":"1:3","browserSelector":"c"},{"figmaNodeId":"1:2","browserSelector":"d"}]}`)
	if failed || len(s.designs) != 1 {
		t.Errorf("asked %q for %s", s.designs, text)
	}
	// A node that the answer does not hold is an error and never its root.
	text, _ = s.call(t, `{"figmaNodeId":"9:9","browserSelector":"a"}`)
	if !strings.Contains(text, "does not hold the node 9:9") {
		t.Errorf("the answer is %s", text)
	}
}

func TestAutoMap(t *testing.T) {
	s := newStage()
	s.design = func(string) (string, error) {
		return `{"nodes":[{"id":"1:1","name":"card","type":"FRAME","children":[{"id":"1:2","type":"TEXT","text":"a"},{"id":"1:3","name":"row","type":"FRAME"}]}],"globalVars":{"styles":{}}}`, nil
	}
	found := `{"how":"class","selector":".x","element":{"tag":"div","style":{},"label":{}}}`
	s.page = func(targets []string) (string, bool) {
		if len(targets) == 1 {
			return `[{"layers":[` + found + `,{"why":"no element"},{"why":"2 elements by class"}]}]`, false
		}
		return `[{"layers":[` + found + `,{"why":"no element"}]},{"element":{"tag":"main","style":{},"label":{}}}]`, false
	}
	text, failed := s.call(t, `{"figmaNodeId":"1:1","autoMap":true,"properties":"opacity"}`)
	if failed || !strings.Contains(text, "1:1 auto-mapped 1 layer, ") || !strings.Contains(text, `unmapped: 1:2 (no element); 1:3 "row" (2 elements by class)`) {
		t.Errorf("the answer is %s", text)
	}
	text, failed = s.call(t, `{"figmaNodeId":"1:1","autoMap":true,"browserSelector":"[12]","properties":["opacity"],"format":"json"}`)
	if failed || !strings.Contains(text, `"browserSelector":"[12]"`) || !strings.Contains(text, `"autoMap":"1:1"`) || len(s.pages) != 2 || s.pages[1] != `["[12]","[12]"]` {
		t.Errorf("asked %q for %s", s.pages, text)
	}
	s.page = func([]string) (string, bool) { return `[{"error":"[12] is gone from the page."},{"error":"x"}]`, false }
	if text, failed = s.call(t, `{"figmaNodeId":"1:1","autoMap":true,"browserSelector":"[12]"}`); !failed || text != "[12] is gone from the page." {
		t.Errorf("a gone handle gives %s", text)
	}
}

func TestQueryProblems(t *testing.T) {
	s := newStage()
	for args, want := range map[string]string{
		`{}`:                    "figmaNodeId is missing",
		`{"figmaNodeId":"1:1"}`: "browserSelector is missing",
		`{"figmaNodeId":"Button","browserSelector":"a"}`: `"Button" is no Figma node`,
		`{"pairs":[]}`:                      "pairs is empty",
		`{"pairs":[{"figmaNodeId":"1:1"}]}`: "Pair 1: browserSelector is missing",
		`{"pairs":"x"}`:                     "pairs is a list",
		`{"pairs":[{}],"autoMap":true}`:     "without autoMap",
		`{"figmaNodeId":"1:1","browserSelector":"a","properties":["zIndex"]}`:                                                                `"zIndex" is not compared`,
		`{"figmaNodeId":"1:1","browserSelector":"a","format":"xml"}`:                                                                         "format is text or json",
		`{"pairs":[` + strings.Repeat(`{"figmaNodeId":"1:1","browserSelector":"a"},`, 200) + `{"figmaNodeId":"1:1","browserSelector":"a"}]}`: "one call takes 200",
	} {
		if text, failed := s.call(t, args); !failed || !strings.Contains(text, want) {
			t.Errorf("%.60s gave %s", args, text)
		}
	}
	if len(s.designs)+len(s.pages) > 0 {
		t.Error("something was asked for all the same")
	}
}

func TestNodeRefs(t *testing.T) {
	for given, want := range map[string]nodeRef{
		"42:1337":   {"k", "42:1337"},
		" 42-1337 ": {"k", "42:1337"},
		"I12:3;4:5": {"k", "I12:3;4:5"},
		"I12-3;4-5": {"k", "I12:3;4:5"},
		"https://www.figma.com/design/AbC/Name?node-id=42-1337&t=x": {"AbC", "42:1337"},
		"https://figma.com/file/AbC/Name?node-id=42%3A1337":         {"AbC", "42:1337"},
		"https://figma.com/design/AbC/branch/DeF/Name?node-id=1-2":  {"DeF", "1:2"},
	} {
		if got, ok := readNodeRef(given, "k"); !ok || got != want {
			t.Errorf("%s is %v (%v)", given, got, ok)
		}
	}
	for _, given := range []string{"", "42", "Button", "https://figma.com/design/AbC/Name", "42:", "a:b"} {
		if got, ok := readNodeRef(given, "k"); ok {
			t.Errorf("%q is %v", given, got)
		}
	}
}

// One call takes 200 pairs, as the README says.
func TestHowManyPairs(t *testing.T) {
	for n, want := range map[int]string{200: "", 201: "There are 201 pairs; one call takes 200."} {
		pairs := strings.Repeat(`,{"figmaNodeId":"1:2","browserSelector":"a"}`, n)[1:]
		if _, problem := readQuery([]byte(`{"pairs":[` + pairs + `]}`)); problem != want {
			t.Errorf("%d pairs: %q", n, problem)
		}
	}
}

// fileKey may be given as the file's URL, of a branch too.
func TestFileKeys(t *testing.T) {
	for given, want := range map[string]string{
		"AbC":                                   "AbC",
		"https://www.figma.com/design/AbC/Name": "AbC",
		"https://www.figma.com/design/AbC/branch/DeF/Name?node-id=1-2":     "DeF",
		"https://www.figma.com/file/AbC/branch/DeF":                        "DeF",
		"https://www.figma.com/design/AbC/branch-of-something?node-id=1-2": "AbC",
	} {
		q, problem := readQuery([]byte(`{"figmaNodeId":"1:2","browserSelector":"a","fileKey":"` + given + `"}`))
		if problem != "" || q.pairs[0].node.file != want {
			t.Errorf("%s is %+v, %s", given, q.pairs, problem)
		}
	}
}

// The tool says of an element that it is not shown, in every mode.
func TestHiddenElement(t *testing.T) {
	const hidden = `{"tag":"div","hidden":true,"style":{"background-color":"rgb(25, 118, 210)"},"label":{"texts":0}}`
	for args, reading := range map[string]string{
		`{"figmaNodeId":"1:2","browserSelector":"a"`:                `[{"element":` + hidden + `}]`,
		`{"pairs":[{"figmaNodeId":"1:2","browserSelector":"a"}]`:    `[{"element":` + hidden + `}]`,
		`{"figmaNodeId":"1:2","autoMap":true`:                       `[{"layers":[{"how":"id","selector":"#a","element":` + hidden + `}]}]`,
		`{"figmaNodeId":"1:2","autoMap":true,"browserSelector":"a"`: `[{"layers":[]},{"element":` + hidden + `}]`,
	} {
		s := newStage()
		s.page = func([]string) (string, bool) { return reading, false }
		if text, failed := s.call(t, args+`,"properties":["background-color"]}`); failed || !strings.Contains(text, "is not shown") {
			t.Errorf("%s: %s", args, text)
		}
	}
}

// What the upstreams fail with is the answer.
func TestUpstreamErrors(t *testing.T) {
	s := newStage()
	s.page = func([]string) (string, bool) { return "### Error\nTool does not handle the modal state.", true }
	if text, failed := s.call(t, `{"figmaNodeId":"1:1","browserSelector":"a"}`); !failed || !strings.Contains(text, "could not be read: Tool does not handle") {
		t.Errorf("an open dialog gives %s", text)
	}
	s.page = func([]string) (string, bool) { return "[]", false }
	if text, failed := s.call(t, `{"figmaNodeId":"1:1","browserSelector":"a"}`); !failed || !strings.Contains(text, "not understood") {
		t.Errorf("an empty answer gives %s", text)
	}
	s.design = func(string) (string, error) { return `NAME: "tree"`, nil }
	if text, _ := s.call(t, `{"figmaNodeId":"1:1","browserSelector":"a"}`); !strings.Contains(text, "OUTPUT_FORMAT") {
		t.Errorf("another format gives %s", text)
	}
}

func TestWithoutADesign(t *testing.T) {
	tool := Tool(Options{Missing: "It needs a Figma server."})
	result, err := tool.Handle(t.Context(), &upstream.Call{Params: []byte(`{}`)})
	if text, failed := textOf(result); err != nil || !tool.Unlisted || !failed || text != "It needs a Figma server." {
		t.Errorf("%s, %v", text, err)
	}
	if err := jsonrpc.Valid(tool.Definition); err != nil || len(tool.Definition) > 1200 {
		t.Errorf("the definition has %d bytes (%v)", len(tool.Definition), err)
	}
}
