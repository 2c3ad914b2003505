package mcp

// Tools: edits and repairs.

import (
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/jsonrpc"
)

func TestToolEdits(t *testing.T) {
	const tool = `{"execution":{"taskSupport":"optional"},"name":"look","description":"Looks <around> & \"sees\"","inputSchema":{"$schema":"x","type":"object","properties":{"n":{"default":9007199254740993}},"required":["n"]},"annotations":{"readOnlyHint":true}}`
	edited := Tool(tool).WithName("a_look").WithDescription("Line\n<b>").WithProperty("raw", `{"type":"boolean"}`).WithProperty("raw", `{}`).WithProperty("n", `{}`)
	const want = `{"execution":{"taskSupport":"optional"},"name":"a_look","description":"Line\n<b>","inputSchema":{"$schema":"x","type":"object","properties":{"n":{"default":9007199254740993},"raw":{"type":"boolean"}},"required":["n"]},"annotations":{"readOnlyHint":true}}`
	if string(edited) != want {
		t.Errorf("edited to\n%s, want\n%s", edited, want)
	}
	if edited.Name() != "a_look" || edited.Description() != "Line\n<b>" || Tool(tool).Description() != `Looks <around> & "sees"` {
		t.Errorf("name %q, description %q", edited.Name(), edited.Description())
	}
}

func TestWithProperty(t *testing.T) {
	for in, want := range map[string]string{
		`{"inputSchema":{}}`:                             `{"inputSchema":{"properties":{"p":{}}}}`,
		`{"inputSchema":{"properties":{}}}`:              `{"inputSchema":{"properties":{"p":{}}}}`,
		`{"inputSchema":{"properties":{"\u0070":true}}}`: `{"inputSchema":{"properties":{"\u0070":true}}}`,
		`{"inputSchema":{"properties":[]}}`:              `{"inputSchema":{"properties":[]}}`,
		`{"inputSchema":true}`:                           `{"inputSchema":true}`,
		`{"name":"x"}`:                                   `{"name":"x"}`,
	} {
		if got := string(Tool(in).WithProperty("p", "{}")); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestRepair(t *testing.T) {
	for _, c := range []struct{ in, want, said string }{
		// Nothing wrong: not a byte changes.
		{`{"name":"x", "inputSchema":{"type":"object"}}`, ``, ``},
		{`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["a"]},"outputSchema":{"type":"object"}}`, ``, ``},
		{`{"name":"x","inputSchema":{"type":"object","properties":{},"required":[]},"vendor":[1]}`, ``, ``},
		// The root.
		{`{"name":"x"}`, `{"name":"x","inputSchema":{"type":"object"}}`, "there was none"},
		{`{"name":"x","inputSchema":null}`, `{"name":"x","inputSchema":{"type":"object"}}`, "no object"},
		{`{"name":"x","inputSchema":true}`, `{"name":"x","inputSchema":{"type":"object"}}`, "no object"},
		{`{"name":"x","inputSchema":"object"}`, `{"name":"x","inputSchema":{"type":"object"}}`, "no object"},
		{`{"name":"x","inputSchema":{}}`, `{"name":"x","inputSchema":{"type":"object"}}`, "no type"},
		{`{"name":"x","inputSchema":{"properties":{"a":{}}}}`, `{"name":"x","inputSchema":{"properties":{"a":{}},"type":"object"}}`, "no type"},
		{`{"name":"x","inputSchema":{"type":"array","items":{}}}`, `{"name":"x","inputSchema":{"type":"object","items":{}}}`, `"array"`},
		{`{"name":"x","inputSchema":{"type":["object","null"]}}`, `{"name":"x","inputSchema":{"type":"object"}}`, `["object","null"]`},
		// Unions at the root.
		{
			`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"const":1}},"anyOf":[{"properties":{"a":{},"b":{"type":"string"}},"required":["b"]},{"required":["a"]}]}}`,
			`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"const":1},"b":{"type":"string"}}}}`, "anyOf",
		},
		{
			`{"name":"x","inputSchema":{"oneOf":[{"properties":{"a":{}}},{"properties":{"b":{}}},true]}}`,
			`{"name":"x","inputSchema":{"type":"object","properties":{"a":{},"b":{}}}}`, "oneOf",
		},
		{
			`{"name":"x","inputSchema":{"type":"object","allOf":[{"$ref":"#/$defs/A"}],"$defs":{"A":{}}}}`,
			`{"name":"x","inputSchema":{"type":"object","$defs":{"A":{}}}}`, "allOf",
		},
		{
			`{"name":"x","inputSchema":{"type":"object","oneOf":[],"allOf":{},"anyOf":null}}`,
			`{"name":"x","inputSchema":{"type":"object"}}`, "anyOf",
		},
		// What stands in the root.
		{`{"name":"x","inputSchema":{"type":"object","properties":[]}}`, `{"name":"x","inputSchema":{"type":"object"}}`, "properties"},
		{`{"name":"x","inputSchema":{"type":"object","properties":[],"anyOf":[{"properties":{"b":{}}}]}}`, `{"name":"x","inputSchema":{"type":"object","properties":{"b":{}}}}`, "properties"},
		{`{"name":"x","inputSchema":{"type":"object","properties":{"a":true,"b":{},"c":false}}}`, `{"name":"x","inputSchema":{"type":"object","properties":{"a":{},"b":{},"c":{"not":{}}}}}`, `property "c"`},
		{`{"name":"x","inputSchema":{"type":"object","required":true}}`, `{"name":"x","inputSchema":{"type":"object"}}`, "required"},
		{`{"name":"x","inputSchema":{"type":"object","required":["a",1]}}`, `{"name":"x","inputSchema":{"type":"object"}}`, "required"},
		// outputSchema is optional.
		{`{"name":"x","inputSchema":{"type":"object"},"outputSchema":{"properties":{}},"title":"X"}`, `{"name":"x","inputSchema":{"type":"object"},"title":"X"}`, "outputSchema is left out: its root had no type"},
		{`{"name":"x","outputSchema":null,"inputSchema":{"type":"object"}}`, `{"name":"x","inputSchema":{"type":"object"}}`, "outputSchema"},
		{`{"name":"x","outputSchema":{"type":"array"}}`, `{"name":"x","inputSchema":{"type":"object"}}`, "there was none; its outputSchema"},
	} {
		got, said, ok := Tool(c.in).Repair()
		want := c.want
		if want == "" {
			want = c.in
		}
		if !ok || string(got) != want {
			t.Errorf("%s:\n%s, %v, want\n%s", c.in, got, ok, want)
		}
		if (said == "") != (c.said == "") || !strings.Contains(said, c.said) {
			t.Errorf("%s: said %q, want %q in it", c.in, said, c.said)
		}
		if again, said, _ := got.Repair(); said != "" || string(again) != string(got) {
			t.Errorf("%s: repaired again (%s) to %s", got, said, again)
		}
		if err := jsonrpc.Valid(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
}

func TestRepairDropsWhatCannotBeListed(t *testing.T) {
	for _, in := range []string{``, `null`, `[]`, `"tool"`, `7`, `{}`, `{"name":""}`, `{"name":7,"inputSchema":{"type":"object"}}`, `{"name":null}`} {
		if got, said, ok := Tool(in).Repair(); ok || said == "" {
			t.Errorf("%s: %s, said %q", in, got, said)
		}
	}
}
