// The merged lists: order, names, pages, schemas, changes.

package protocol

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

// upstreams cuts PlayGuard's own tools, which come last, off a tools/list result.
func upstreams(result string) string {
	if before, _, found := strings.Cut(result, `,{"name":"playguard_`); found {
		return before + "]}"
	}
	return result
}

// names returns a member of each entry of a list result, in order, without
// PlayGuard's own tools.
func names(t *testing.T, result, list, member string) []string {
	t.Helper()
	var r map[string]json.RawMessage
	if err := json.Unmarshal([]byte(upstreams(result)), &r); err != nil {
		t.Fatal(err)
	}
	var entries []map[string]json.RawMessage
	if err := json.Unmarshal(r[list], &entries); err != nil {
		t.Fatalf("%v in %s", err, result)
	}
	var out []string
	for _, e := range entries {
		var s string
		if err := json.Unmarshal(e[member], &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func equal(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%s: %q instead of %q", what, got, want)
	}
}

// oddTool is an entry with everything that a typed library loses.
const oddTool = `{"zeta":9007199254740993,"name":"%","title":"<T & t>","inputSchema":{"$schema":"x","type":"object","required":["b","a"],"properties":{"b":{"type":"integer","maximum":9007199254740993},"a":{"const":1.0}},"additionalProperties":{}},"execution":{"taskSupport":"optional"},"annotations":{"readOnlyHint":true,"vendor":[]},"icons":[{"src":"data:,","x":1}],"_meta":{"k":null},"outputSchema":{"type":"object"}}`

// The tools come in the order of the upstreams and of their own lists, each
// entry with the upstream's bytes, in one page however many the upstream has.
func TestToolsAreMergedInOrder(t *testing.T) {
	entry := func(name string) string { return strings.Replace(oddTool, "%", name, 1) }
	list := func(names ...string) string {
		for i, n := range names {
			names[i] = entry(n)
		}
		return strings.Join(names, ",")
	}
	a, b := list("zz", "aa", "mm", "bb", "yy"), list("q", "c")
	scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "b", Script: `{"pageSize":2,"tools":[` + a + `]}`},
		{Name: "a", Script: `{"pageSize":1,"tools":[` + b + `]}`},
	}})
	p := scene.Start()
	p.Init()
	want := `{"tools":[{"name":"browser_small","description":"Answers ok.","inputSchema":{"type":"object"}},` + a + `,` + b + `]}`
	if got := upstreams(p.Result("tools/list", `{}`)); got != want {
		t.Errorf("the list is\n%s\ninstead of\n%s", got, want)
	}
	if got := upstreams(p.Result("tools/list", `{"cursor":null}`)); got != want {
		t.Errorf("a null cursor gives\n%s", got)
	}
	if e := p.Failure("tools/list", `{"cursor":"from-2"}`); e.Code != -32602 {
		t.Errorf("a foreign cursor was answered with %v", &e)
	}
	p.End()
	again := scene.Start()
	again.Init()
	if got := upstreams(again.Result("tools/list", `{}`)); got != want {
		t.Errorf("the saved list is\n%s\ninstead of\n%s", got, want)
	}
}

// Of two tools with one name the first upstream keeps it, the second is listed
// behind its upstream's name, and each is called under its own name.
func TestClashingToolNames(t *testing.T) {
	p := harness.Start(t, harness.Setup{
		Playwright: `{"builtins":["pid"],"calls":{"pid":[{"text":"playwright"}]}}`,
		Upstreams: []harness.Upstream{
			{Name: "a", Script: `{"builtins":["pid","echo"],"calls":{"pid":[{"text":"a"}]}}`},
			{Name: "b", Script: `{"builtins":["pid","echo"],"calls":{"pid":[{"text":"b"}]}}`},
		},
	}).Ready()
	equal(t, "tools", names(t, p.Result("tools/list", `{}`), "tools", "name"), "pid", "echo", "a_pid", "b_echo", "b_pid")
	for tool, owner := range map[string]string{"pid": "playwright", "a_pid": "a", "b_pid": "b"} {
		if text, _ := p.Text(tool, `{}`); text != owner {
			t.Errorf("%s was answered by %s", tool, text)
		}
	}
	got, _ := p.Text("b_echo", `{"n":9007199254740993}`)
	if want := `{"name":"echo","arguments":{"n":9007199254740993}}`; got != want {
		t.Errorf("a renamed tool was called with %s instead of %s", got, want)
	}
	p.AwaitStderr(`the tool \"pid\" of a is listed as \"a_pid\"`)
}

// A name that clients refuse is mended in the list and restored in the call.
func TestRefusedToolNames(t *testing.T) {
	long := strings.Repeat("n", 100)
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"tools":[{"name":"with.dots/ünd spaces","inputSchema":{"type":"object"}},{"name":"` + long + `","inputSchema":{"type":"object"}}],
			"methods":{"tools/call":[{"text":"${params}"}]}}`},
	}}).Ready()
	listed := names(t, p.Result("tools/list", `{}`), "tools", "name")
	for i, original := range []string{"with.dots/ünd spaces", long} {
		name := listed[i+1]
		if len("mcp__playguard__"+name) > 64 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
			t.Errorf("the name %q is one that clients refuse", name)
		}
		got, _ := p.Text(name, `{}`)
		if want := `{"name":"` + original + `","arguments":{}}`; got != want {
			t.Errorf("%s was called with %s", name, got)
		}
	}
}

// A tool whose schema clients choke on is repaired or left out alone; all others
// keep their bytes.
func TestBrokenSchemas(t *testing.T) {
	const good = `{"name":"good","inputSchema":{"type":"object","properties":{"x":{"oneOf":[{}]}}}}`
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"tools":[
		{"name":"none"},
		{"name":"text","inputSchema":"object"},
		{"name":"array","inputSchema":{"type":"array","items":{}}},
		{"name":"untyped","inputSchema":{"properties":{"a":{}}}},
		{"name":"union","inputSchema":{"type":"object","oneOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{}}}],"allOf":[true]}},
		{"name":"output","inputSchema":{"type":"object"},"outputSchema":{"type":"string"}},
		{"inputSchema":{"type":"object"}},
		"no object",7,null,
		` + good + `]}`}}}).Ready()
	result := p.Result("tools/list", `{}`)
	equal(t, "tools", names(t, result, "tools", "name"), "browser_small", "none", "text", "array", "untyped", "union", "output", "good")
	contains(t, result, good,
		`{"name":"none","inputSchema":{"type":"object"}}`,
		`{"name":"text","inputSchema":{"type":"object"}}`,
		`{"name":"output","inputSchema":{"type":"object"}}`,
		`"a":{"type":"string"}`, `"b":{}`)
	if text, isError := p.Text("union", `{"a":"x"}`); isError || text != "ok" {
		t.Errorf("a repaired tool was answered with %q", text)
	}
	p.AwaitStderr(`the tool \"union\" of a: its inputSchema is repaired`)
}

// An error in one of an upstream's lists takes away that list and no other.
func TestOneListFails(t *testing.T) {
	for what, reply := range map[string]string{
		"an error":       `[{"error":{"code":-32603,"message":"no prompts today"}}]`,
		"no list":        `[{"result":{"prompts":"none"}}]`,
		"unknown method": `[{"error":{"code":-32601,"message":"what"}}]`,
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{
				{Name: "a", Script: `{"prefix":"a_","builtins":["small"],"capabilities":{"tools":{},"prompts":{},"resources":{}},
					"resources":[{"uri":"a://1","name":"1"}],"methods":{"prompts/list":` + reply + `}}`},
			}}).Ready()
			equal(t, "tools", names(t, p.Result("tools/list", `{}`), "tools", "name"), "browser_small", "a_small")
			equal(t, "resources", names(t, p.Result("resources/list", `{}`), "resources", "uri"), "a://1")
			equal(t, "prompts", names(t, p.Result("prompts/list", `{}`), "prompts", "name"))
			p.AwaitStderr("prompts/list")
		})
	}
}

// An upstream whose pages never end loses the list in question, and the others
// are not held up for ever.
func TestEndlessPages(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"tools":[],"capabilities":{"tools":{},"prompts":{}},"prompts":[{"name":"p"}],
			"methods":{"tools/list":[{"result":{"tools":[],"nextCursor":"more"}}]}}`},
		{Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`},
	}}).Ready()
	equal(t, "tools", names(t, p.Result("tools/list", `{}`), "tools", "name"), "browser_small", "b_small")
	equal(t, "prompts", names(t, p.Result("prompts/list", `{}`), "prompts", "name"), "p")
}

// A list_changed of an upstream reaches the client once the merged list has
// other bytes, and not before.
func TestToolsListChanged(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"prefix":"a_","builtins":["set_tools","notify","small"]}`},
		{Name: "b", Script: `{"prefix":"b_","builtins":["small"]}`},
	}}).Ready()
	before := p.Result("tools/list", `{}`)
	// Announced without a change: the client is not disturbed. The upstream is
	// asked again for its list before it hears of the next change, so a
	// notification would have come by then.
	p.Text("a_notify", `{"method":"notifications/tools/list_changed"}`)
	p.Text("a_set_tools", `{"tools":[{"name":"fresh","inputSchema":{"type":"object"}}]}`)
	p.AwaitMethod("notifications/tools/list_changed")
	equal(t, "tools", names(t, p.Result("tools/list", `{}`), "tools", "name"), "browser_small", "fresh", "b_small")
	if n := len(withMethod(p.Lines.Lines(), "notifications/tools/list_changed")); n != 1 {
		t.Errorf("the client was notified %d times of one change", n)
	}
	if text, _ := p.Text("fresh", `{}`); text != "ok" {
		t.Errorf("the new tool was answered with %q", text)
	}
	if before == p.Result("tools/list", `{}`) {
		t.Error("the list has not changed")
	}
}

// The same for resources, templates and prompts.
func TestOtherListsChanged(t *testing.T) {
	const second = `[{"onCall":1,"default":true},{"onCall":2,"result":{"%":[]}}]`
	change := func(list string) string { return strings.Replace(second, "%", list, 1) }
	for method, script := range map[string]string{
		"resources/list":           `"resources":[{"uri":"a://1","name":"1"}],"methods":{"resources/list":` + change("resources") + `}`,
		"resources/templates/list": `"resourceTemplates":[{"uriTemplate":"a://{x}","name":"1"}],"methods":{"resources/templates/list":` + change("resourceTemplates") + `}`,
		"prompts/list":             `"prompts":[{"name":"p"}],"methods":{"prompts/list":` + change("prompts") + `}`,
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			p := harness.Start(t, harness.Setup{Upstreams: append(beside(), harness.Upstream{
				Name: "c", Script: `{"prefix":"c_","builtins":["notify"],` + script + `}`})}).Ready()
			before := p.Result(method, `{}`)
			kind := strings.SplitN(method, "/", 2)[0]
			changed := "notifications/" + kind + "/list_changed"
			p.Text("c_notify", `{"method":"`+changed+`"}`)
			p.AwaitMethod(changed)
			after := p.Result(method, `{}`)
			if before == after || !strings.HasSuffix(after, ":[]}") {
				t.Errorf("the list went from %s to %s", before, after)
			}
		})
	}
}

// A client that has been sent the whole list is told of no change, however close to
// each other the upstreams come up. It would not be told of the next one: of changes it
// is told once, until it has listed again.
func TestWholeListIsNoChange(t *testing.T) {
	var all []harness.Upstream
	for i := range 8 {
		all = append(all, harness.Upstream{Name: "u" + strconv.Itoa(i), Script: `{"tools":[{"name":"t` + strconv.Itoa(i) + `","inputSchema":{"type":"object"}}]}`})
	}
	for range 8 {
		p := harness.NewScene(t, harness.Setup{Upstreams: all}).Start()
		p.Init()
		if got := p.Result("tools/list", `{}`); strings.Count(got, `"inputSchema"`) < len(all)+1 {
			t.Fatalf("the first list is %s", got)
		}
		p.Result("ping", `{}`) // what was on its way has come
		p.End()
		if n := len(withMethod(p.Lines.Lines(), "notifications/tools/list_changed")); n > 0 {
			t.Fatalf("the client was told of %d changes", n)
		}
	}
}
