package catalog

// Merging: names, order, instructions, capabilities, and entries that keep their bytes.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

func spec(name string) *upstream.Spec { return &upstream.Spec{Name: name} }

// tools are lists of tools with these names.
func tools(names ...string) *Lists {
	l := &Lists{Server: []byte(`{"capabilities":{"tools":{}}}`)}
	for _, n := range names {
		l.Tools = append(l.Tools, fmt.Appendf(nil, `{"name":%s,"inputSchema":{"type":"object"}}`, jsonrpc.Quote(n)))
	}
	return l
}

// members returns one string member of each entry of a list.
func members(list []byte, member string) []string {
	var out []string
	jsonrpc.Elements(list, func(v jsonrpc.Span) { out = append(out, jsonrpc.StringMember(list[v.Start:v.End], member)) })
	return out
}

func said(c *Catalog, part string) int {
	n := 0
	for _, note := range c.Notes {
		if strings.Contains(note, part) {
			n++
		}
	}
	return n
}

var accepted = regexp.MustCompile(`^[A-Za-z0-9_-]{1,48}$`)

// checkMerged checks what must hold of every catalogue.
func checkMerged(t *testing.T, c *Catalog) {
	t.Helper()
	for _, list := range [][]byte{c.Tools, c.Resources, c.Templates, c.Prompts, c.Capabilities} {
		if !json.Valid(list) {
			t.Fatalf("not valid: %s", list)
		}
	}
	if len(c.Instructions) > 2048 {
		t.Errorf("instructions of %d bytes", len(c.Instructions))
	}
	names := members(c.Tools, "name")
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] || !accepted.MatchString(n) {
			t.Errorf("the name %q is taken or not accepted", n)
		}
		seen[n] = true
		if _, ok := c.Tool(n); !ok {
			t.Errorf("the listed tool %q has no owner", n)
		}
	}
	for _, n := range members(c.Prompts, "name") {
		if _, ok := c.Prompt(n); !ok {
			t.Errorf("the listed prompt %q has no owner", n)
		}
	}
	for _, n := range members(c.Resources, "uri") {
		if _, ok := c.Resource(n); !ok {
			t.Errorf("the listed resource %q has no owner", n)
		}
	}
	jsonrpc.Elements(c.Tools, func(v jsonrpc.Span) {
		tool := mcp.Tool(c.Tools[v.Start:v.End])
		if _, problem, ok := tool.Repair(); problem != "" || !ok {
			t.Errorf("the listed tool %s: %s", tool, problem)
		}
		if len(tool.Description()) > 2048 {
			t.Errorf("a description of %d bytes", len(tool.Description()))
		}
	})
}

func TestMergeNames(t *testing.T) {
	long := strings.Repeat("long_name_", 10)
	c := Merge([]Source{
		{spec("one"), tools("a", "search", "with.dot", "with:colon", long+"1", long+"2")},
		{spec("two"), tools("search", "b", "one_search", "with_dot")},
		{spec("three"), tools("search", "two_search", "three_search", "ünïcode", "", "b")},
	}, "", nil)
	checkMerged(t, c)
	names := members(c.Tools, "name")
	owner := map[string]Owner{
		"a": {0, "a"}, "search": {0, "search"}, "with_dot": {0, "with.dot"}, "with_colon": {0, "with:colon"},
		"two_search": {1, "search"}, "b": {1, "b"}, "one_search": {1, "one_search"}, "two_with_dot": {1, "with_dot"},
		"three_search": {2, "search"}, "three_two_search": {2, "two_search"}, "three_three_search": {2, "three_search"}, "_n_code": {2, "ünïcode"}, "three_b": {2, "b"},
	}
	for name, want := range owner {
		if got, ok := c.Tool(name); !ok || got != want || !slices.Contains(names, name) {
			t.Errorf("%s belongs to %v, %v; want %v", name, got, ok, want)
		}
	}
	if len(names) != len(owner)+2 {
		t.Errorf("names %q", names)
	}
	order := []string{"a", "search", "with_dot", "with_colon"}
	if !slices.Equal(names[:4], order) || names[6] != "two_search" {
		t.Errorf("the order is %q", names)
	}
	for i, n := range names[4:6] {
		if got, _ := c.Tool(n); got.Name != fmt.Sprint(long, i+1) || !strings.HasPrefix(n, "long_name_") || len(n) > 48 {
			t.Errorf("%s belongs to %v", n, got)
		}
	}
	for _, note := range []string{`"search" of two is listed as "two_search"`, `"with.dot" of one is listed as "with_dot"`, `"" of three: it has no name`} {
		if said(c, note) != 1 {
			t.Errorf("%q is not among %q", note, c.Notes)
		}
	}
	if _, ok := c.Tool("with.dot"); ok {
		t.Error("a name that is not listed has an owner")
	}
}

func TestANameTakenTwiceIsLeftOut(t *testing.T) {
	c := Merge([]Source{
		{spec("one"), tools("x", "two_x")},
		{spec("two"), tools("x", "y")},
	}, "", nil)
	checkMerged(t, c)
	if got := members(c.Tools, "name"); !slices.Equal(got, []string{"x", "two_x", "y"}) {
		t.Errorf("names %q", got)
	}
	if said(c, `the tool "x" of two is left out`) != 1 {
		t.Errorf("said %q", c.Notes)
	}
}

func TestMergeOrderIsStable(t *testing.T) {
	var sources []Source
	for i := range 5 {
		l := tools("a", "b", fmt.Sprint("c", i))
		l.Server = []byte(`{"capabilities":{"tools":{},"prompts":{},"resources":{},"x` + fmt.Sprint(i) + `":{}},"instructions":"I"}`)
		l.Prompts = [][]byte{[]byte(`{"name":"p"}`)}
		l.Resources = [][]byte{fmt.Appendf(nil, `{"uri":"r:%d"}`, i)}
		l.Templates = [][]byte{fmt.Appendf(nil, `{"uriTemplate":"t%d:{x}"}`, i)}
		sources = append(sources, Source{spec(fmt.Sprint("s", i)), l})
	}
	first := Merge(sources, "own", nil)
	checkMerged(t, first)
	for range 50 {
		again := Merge(sources, "own", nil)
		for _, pair := range [][2]any{
			{string(first.Tools), string(again.Tools)}, {string(first.Resources), string(again.Resources)}, {string(first.Templates), string(again.Templates)},
			{string(first.Prompts), string(again.Prompts)}, {string(first.Capabilities), string(again.Capabilities)}, {first.Instructions, again.Instructions}, {fmt.Sprint(first.Notes), fmt.Sprint(again.Notes)},
		} {
			if pair[0] != pair[1] {
				t.Fatalf("once %s, once %s", pair[0], pair[1])
			}
		}
	}
}

func TestUntouchedEntriesKeepTheirBytes(t *testing.T) {
	l := &Lists{
		Server:    []byte(all),
		Tools:     [][]byte{[]byte(`{ "inputSchema":{"type":"object","properties":{"n":{"const":9007199254740993}}}, "name":"a","execution":{"taskSupport":"x"},"description":"<&>` + "\u2028" + `"}`)},
		Prompts:   [][]byte{[]byte(`{"name":"p", "z":1e5}`)},
		Resources: [][]byte{[]byte(`{ "uri":"r:1" }`)},
		Templates: [][]byte{[]byte(`{"uriTemplate": "t:{x}"}`)},
	}
	c := Merge([]Source{{spec("one"), l}}, "", nil)
	for _, pair := range [][2][]byte{{c.Tools, l.Tools[0]}, {c.Prompts, l.Prompts[0]}, {c.Resources, l.Resources[0]}, {c.Templates, l.Templates[0]}} {
		if string(pair[0]) != "["+string(pair[1])+"]" {
			t.Errorf("%s, want [%s]", pair[0], pair[1])
		}
	}
	if len(c.Notes) > 0 {
		t.Errorf("said %q", c.Notes)
	}
}

func TestABrokenToolAloneIsMendedOrDropped(t *testing.T) {
	l := tools("good")
	for _, raw := range []string{`{"name":"noschema"}`, `{"name":"union","inputSchema":{"type":"object","anyOf":[{"properties":{"p":{}}}]}}`, `null`, `[]`, `{}`, `{"name":5}`, `{"name":"last","inputSchema":{"type":"object"}}`} {
		l.Tools = append(l.Tools, []byte(raw))
	}
	c := Merge([]Source{{spec("one"), l}}, "", nil)
	checkMerged(t, c)
	if got := members(c.Tools, "name"); !slices.Equal(got, []string{"good", "noschema", "union", "last"}) {
		t.Errorf("names %q", got)
	}
	for part, n := range map[string]int{`"noschema" of one: its inputSchema is repaired`: 1, `"union" of one: its inputSchema is repaired`: 1, "the entry is no object": 2, "it has no name": 2, "good": 0, "last": 0} {
		if said(c, part) != n {
			t.Errorf("%q is said %d times in %q", part, said(c, part), c.Notes)
		}
	}
}

func TestRewriteTool(t *testing.T) {
	s := spec("one")
	s.RewriteTool = func(tool mcp.Tool) (mcp.Tool, bool) {
		switch tool.Name() {
		case "hidden":
			return nil, false
		case "renamed":
			return tool.WithName("other"), true
		}
		return tool.WithProperty("raw", `{"type":"boolean"}`), true
	}
	c := Merge([]Source{{s, tools("a", "hidden", "renamed")}, {spec("two"), tools("hidden")}}, "", nil)
	checkMerged(t, c)
	// A rewriter has no say about names: calls come back by them.
	if got := members(c.Tools, "name"); !slices.Equal(got, []string{"a", "renamed", "hidden"}) || !strings.Contains(string(c.Tools), `"raw":{"type":"boolean"}`) {
		t.Errorf("tools %s", c.Tools)
	}
	if o, _ := c.Tool("hidden"); o.Source != 1 {
		t.Errorf("hidden belongs to %v", o)
	}
}

func TestLongDescriptions(t *testing.T) {
	sentence := "This is a sentence about e1.5 and example.com which goes on. "
	for name, text := range map[string]string{
		"sentences": strings.Repeat(sentence, 60), "words": strings.Repeat("word ", 600), "one word": strings.Repeat("x", 5000),
		"lines": strings.Repeat("- a point without a full stop\n", 100), "runes": strings.Repeat("é", 2000), "dots": strings.Repeat("1.2.3", 600),
	} {
		l := tools()
		l.Tools = [][]byte{mcp.Tool(`{"name":"x","inputSchema":{"type":"object"}}`).WithDescription(text)}
		c := Merge([]Source{{spec("one"), l}}, "", nil)
		checkMerged(t, c)
		got := members(c.Tools, "description")[0]
		kept, marked := strings.CutSuffix(got, " […]")
		if !marked || !strings.HasPrefix(text, kept) || len(kept) < 1024 || said(c, "shortened") != 1 {
			t.Errorf("%s: %d bytes, ...%q, %q", name, len(got), got[max(0, len(got)-40):], c.Notes)
		}
		ends := map[string]string{"sentences": "goes on.", "words": "word", "lines": "full stop"}
		if !strings.HasSuffix(kept, ends[name]) {
			t.Errorf("%s: cut in the middle: ...%q", name, kept[len(kept)-40:])
		}
	}
	l := tools()
	fits := strings.Repeat("x", 2048)
	l.Tools = [][]byte{mcp.Tool(`{"name":"x","inputSchema":{"type":"object"}}`).WithDescription(fits)}
	if c := Merge([]Source{{spec("one"), l}}, "", nil); members(c.Tools, "description")[0] != fits || len(c.Notes) > 0 {
		t.Error("a description that fits was touched")
	}
}

func TestInstructions(t *testing.T) {
	of := func(text string) *Lists {
		return &Lists{Server: jsonrpc.SetMember([]byte(`{"capabilities":{}}`), "instructions", jsonrpc.Quote(text))}
	}
	quiet := spec("quiet")
	quiet.Instructions = func(string) string { return "" }
	short := spec("short")
	short.Instructions = func(own string) string { return own[:5] }
	c := Merge([]Source{{spec("one"), of(" One says.\n")}, {quiet, of("Not heard.")}, {short, of("Short version")}, {spec("none"), &Lists{Server: []byte(`{}`)}}, {spec("off"), nil}}, "Own.", nil)
	if c.Instructions != "Own.\n\nOne says.\n\nShort" {
		t.Errorf("%q", c.Instructions)
	}
	c = Merge([]Source{{spec("one"), of(strings.Repeat("More to say. ", 1000))}}, "Own, which is vital.", nil)
	checkMerged(t, c)
	if !strings.HasPrefix(c.Instructions, "Own, which is vital.\n\nMore to say. ") || !strings.HasSuffix(c.Instructions, "say. […]") {
		t.Errorf("%q", c.Instructions)
	}
	if c := Merge(nil, "", nil); c.Instructions != "" || string(c.Tools) != "[]" || string(c.Capabilities) != `{"tools":{"listChanged":true}}` {
		t.Errorf("of nothing: %+v", c)
	}
}

func TestCapabilities(t *testing.T) {
	of := func(capabilities string) *Lists {
		return &Lists{Server: []byte(`{"capabilities":` + capabilities + `}`)}
	}
	for _, c := range []struct {
		sources []Source
		has     string
		hasNot  string
	}{
		{[]Source{{spec("a"), nil}}, "tools.listChanged resources.subscribe resources.listChanged prompts.listChanged completions logging", "experimental"},
		{[]Source{{spec("a"), of(`{"tools":{"listChanged":false}}`)}}, "tools.listChanged", "resources prompts completions logging"},
		{[]Source{{spec("a"), of(`{}`)}}, "tools.listChanged", "resources prompts"},
		{[]Source{{spec("a"), of(`null`)}}, "tools.listChanged", "resources prompts"},
		{[]Source{{spec("a"), of(`{"resources":{"subscribe":false}}`)}, {spec("b"), of(`{"prompts":{},"logging":{}}`)}}, "resources.listChanged prompts.listChanged logging", "resources.subscribe completions"},
		{[]Source{{spec("a"), of(`{"resources":{}}`)}, {spec("b"), nil}}, "resources.subscribe resources.listChanged prompts.listChanged completions", ""},
		{[]Source{{spec("a"), of(`{"experimental":{"x":{}}}`)}, {spec("b"), of(`{"resources":{"subscribe":true}}`)}}, "experimental.x resources.subscribe", "prompts"},
	} {
		got := Merge(c.sources, "", nil)
		checkMerged(t, got)
		for name := range strings.FieldsSeq(c.has) {
			if !mcp.Has(got.Capabilities, name) {
				t.Errorf("%s is missing in %s", name, got.Capabilities)
			}
		}
		for name := range strings.FieldsSeq(c.hasNot) {
			if mcp.Has(got.Capabilities, name) {
				t.Errorf("%s is declared in %s", name, got.Capabilities)
			}
		}
	}
}

func TestPrompts(t *testing.T) {
	of := func(names ...string) *Lists {
		l := &Lists{Server: []byte(all)}
		for _, n := range names {
			l.Prompts = append(l.Prompts, fmt.Appendf(nil, `{"name":%s,"arguments":[{"name":"n"}]}`, jsonrpc.Quote(n)))
		}
		return l
	}
	c := Merge([]Source{{spec("one"), of("p", "q.r")}, {spec("two"), of("p", "")}}, "", nil)
	checkMerged(t, c)
	if got := members(c.Prompts, "name"); !slices.Equal(got, []string{"p", "q_r", "two_p"}) {
		t.Errorf("names %q", got)
	}
	for name, want := range map[string]Owner{"p": {0, "p"}, "q_r": {0, "q.r"}, "two_p": {1, "p"}} {
		if got, ok := c.Prompt(name); !ok || got != want {
			t.Errorf("%s belongs to %v, %v", name, got, ok)
		}
	}
	if said(c, "a prompt of two has no name") != 1 || said(c, `listed as "two_p"`) != 1 {
		t.Errorf("said %q", c.Notes)
	}
}

func TestResources(t *testing.T) {
	one := &Lists{
		Server:    []byte(all),
		Resources: [][]byte{[]byte(`{"uri":"file:///a"}`), []byte(`{"uri":"note://1"}`), []byte(`{"name":"no uri"}`), []byte(`"odd"`)},
		Templates: [][]byte{[]byte(`{"uriTemplate":"note://{id}"}`), []byte(`{"uriTemplate":"all://{+path}"}`), []byte(`{}`)},
	}
	two := &Lists{
		Server:    []byte(all),
		Resources: [][]byte{[]byte(`{"uri":"file:///a"}`), []byte(`{"uri":"note://2"}`)},
		Templates: [][]byte{
			[]byte(`{"uriTemplate":"doc://{lib}/page{?q,lang}"}`), []byte(`{"uriTemplate":"note://{id}/body"}`), []byte(`{"uriTemplate":"note://{id}"}`),
			[]byte(`{"uriTemplate":"a.b+c://(x)/{id}"}`), []byte(`{"uriTemplate":"all://x/{id}"}`), []byte(`{"uriTemplate":"odd://}{x}{"}`), []byte(`{"uriTemplate":"frag://a{#f}"}`),
		},
	}
	c := Merge([]Source{{spec("one"), one}, {spec("two"), two}}, "", nil)
	checkMerged(t, c)
	if got := members(c.Resources, "uri"); !slices.Equal(got, []string{"file:///a", "note://1", "note://2"}) {
		t.Errorf("resources %q", got)
	}
	if got := members(c.Templates, "uriTemplate"); len(got) != 8 {
		t.Errorf("templates %q", got)
	}
	for part, n := range map[string]int{"the resource file:///a of two is left out, because one has it too": 1, "a resource of one has no uri": 2, "a resource template of one has no uriTemplate": 1, "the resource template note://{id} of two is left out": 1} {
		if said(c, part) != n {
			t.Errorf("%q is said %d times in %q", part, said(c, part), c.Notes)
		}
	}
	for uri, want := range map[string]int{
		"file:///a": 0, "note://1": 0, "note://2": 1, "note://3": 0, "note://3/body": 1, "all://any/thing?x=1#y": 0,
		"doc://react/page": 1, "doc://react/page?q=use%20it&lang=en": 1, "frag://a": 1, "frag://a#b": 1,
		"a.b+c://(x)/7": 1, "odd://}v{": 1,
		// A template as text, for completions; it is also matched by an earlier one.
		"note://{id}": 0, "all://{+path}": 0, "doc://{lib}/page{?q,lang}": 1, "all://x/{id}": 1,
	} {
		if got, ok := c.Resource(uri); !ok || got.Source != want {
			t.Errorf("%s belongs to %v, %v; want %d", uri, got, ok, want)
		}
	}
	for _, uri := range []string{"", "file:///b", "note://", "note://3/other", "note://3?x", "doc://react", "doc://a/b/page", "axb+c://(x)/7", "xnote://3", "odd"} {
		if got, ok := c.Resource(uri); ok {
			t.Errorf("%s belongs to %v", uri, got)
		}
	}
}

func TestTemplatesOfAnyBytes(t *testing.T) {
	for _, text := range []string{"", "{", "}", "{}", "{{}}", "a{b", "a}b{c}", "\xff{x}\xfe", "[(*+?^$|\\.{x}", strings.Repeat("{x}", 5000), "é{é}é"} {
		if _, err := templatePattern(text); err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

// TestNamesKeepTheirOwner: a client may call by the list it was sent last, so an
// upstream that turns up later, but stands before, does not take a name away.
func TestNamesKeepTheirOwner(t *testing.T) {
	lists := func(names ...string) *Lists {
		l := &Lists{Server: []byte(`{"capabilities":{"tools":{}}}`)}
		for _, n := range names {
			l.Tools = append(l.Tools, []byte(`{"name":"`+n+`","inputSchema":{"type":"object"}}`))
		}
		return l
	}
	a, b := &upstream.Spec{Name: "a"}, &upstream.Spec{Name: "b"}
	first := Merge([]Source{{a, nil}, {b, lists("search")}}, "", nil)
	second := Merge([]Source{{a, lists("search")}, {b, lists("search")}}, "", first)
	for name, want := range map[string]Owner{"search": {1, "search"}, "a_search": {0, "search"}} {
		if got, ok := second.Tool(name); !ok || got != want {
			t.Errorf("%s belongs to %v, want %v", name, got, want)
		}
	}
	// The one that was renamed keeps its name when the other one's tool is gone.
	third := Merge([]Source{{a, lists("search")}, {b, lists()}}, "", second)
	if got, ok := third.Tool("a_search"); !ok || got != (Owner{0, "search"}) {
		t.Errorf("a_search belongs to %v after b has dropped its tool", got)
	}
	if owner, ok := third.Tool("search"); ok {
		t.Errorf("search belongs to %v, though its owner has dropped it in this session", owner)
	}
}
