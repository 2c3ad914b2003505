package mcp

import (
	"fmt"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// Tool is one entry of a tools/list result, as bytes.
type Tool []byte

// Name returns the tool's name.
func (t Tool) Name() string { return jsonrpc.StringMember(t, "name") }

// WithName returns the tool under another name.
func (t Tool) WithName(name string) Tool {
	return jsonrpc.SetMember(t, "name", jsonrpc.Quote(name))
}

// Description returns the tool's description.
func (t Tool) Description() string { return jsonrpc.StringMember(t, "description") }

// WithDescription returns the tool with another description.
func (t Tool) WithDescription(text string) Tool {
	return jsonrpc.SetMember(t, "description", jsonrpc.Quote(text))
}

// WithProperty returns the tool with one more optional parameter; schema is its
// JSON Schema. A parameter that the tool already has is left alone.
func (t Tool) WithProperty(name string, schema string) Tool {
	input, ok := jsonrpc.Member(t, "inputSchema")
	if !ok || input[0] != '{' {
		return t
	}
	properties, ok := jsonrpc.Member(input, "properties")
	if !ok {
		properties = []byte("{}")
	}
	if _, has := jsonrpc.Member(properties, name); has || properties[0] != '{' {
		return t
	}
	properties = jsonrpc.SetMember(properties, name, []byte(schema))
	return jsonrpc.SetMember(t, "inputSchema", jsonrpc.SetMember(input, "properties", properties))
}

// rootUnions are the keywords that clients refuse at the root of an input
// schema, and with it often the whole list.
var rootUnions = []string{"oneOf", "anyOf", "allOf"}

// Repair makes a tool's entry one that clients accept. It returns the entry to
// list, what was done to it (empty when nothing had to be), and false where it
// can't be listed at all. Only the parts clients choke on are touched: a
// missing or non-object root gets an open object schema, a union at the root
// loses the keyword but keeps the properties beside it and in its branches.
func (t Tool) Repair() (Tool, string, bool) {
	if len(t) == 0 || t[0] != '{' {
		return t, "the entry is no object", false
	}
	if t.Name() == "" {
		return t, "it has no name", false
	}
	out, done := t, ""
	for _, member := range []string{"inputSchema", "outputSchema"} {
		schema, ok := jsonrpc.Member(out, member)
		if !ok && member == "outputSchema" {
			continue
		}
		fixed, problem := repairSchema(schema, ok)
		if problem == "" {
			continue
		}
		if member == "outputSchema" {
			out = jsonrpc.DeleteMember(out, member)
			done = join(done, "its outputSchema ("+problem+") is left out")
			continue
		}
		out = jsonrpc.SetMember(out, member, fixed)
		done = join(done, "its inputSchema is repaired: "+problem)
	}
	return out, done, true
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

func repairSchema(schema []byte, present bool) ([]byte, string) {
	open := []byte(`{"type":"object"}`)
	if !present {
		return open, "there was none"
	}
	if schema[0] != '{' {
		return open, "it was no object"
	}
	problem := ""
	if kind, ok := jsonrpc.Member(schema, "type"); !ok || string(kind) != `"object"` {
		if ok {
			problem = fmt.Sprintf("its root type was %s", kind)
		} else {
			problem = "its root had no type"
		}
		schema = jsonrpc.SetMember(schema, "type", []byte(`"object"`))
	}
	for _, union := range rootUnions {
		branches, ok := jsonrpc.Member(schema, union)
		if !ok {
			continue
		}
		problem = join(problem, "clients refuse "+union+" at the root")
		schema = flatten(jsonrpc.DeleteMember(schema, union), branches)
	}
	return schema, problem
}

// flatten adds the properties of a union's branches to the schema, all
// optional, so that every parameter can still be given.
func flatten(schema, branches []byte) []byte {
	jsonrpc.Elements(branches, func(value jsonrpc.Span) {
		branch := branches[value.Start:value.End]
		if branch[0] != '{' {
			return
		}
		more, ok := jsonrpc.Member(branch, "properties")
		if !ok {
			return
		}
		have, ok := jsonrpc.Member(schema, "properties")
		if !ok {
			have = []byte("{}")
		}
		jsonrpc.Members(more, func(key, value jsonrpc.Span) {
			name, err := jsonrpc.Unquote(more[key.Start:key.End])
			if err != nil {
				return
			}
			if _, has := jsonrpc.Member(have, name); !has {
				have = jsonrpc.SetMember(have, name, more[value.Start:value.End])
			}
		})
		schema = jsonrpc.SetMember(schema, "properties", have)
	})
	return schema
}
