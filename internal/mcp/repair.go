package mcp

// Tools that clients refuse, often together with the whole list: what is wrong
// with them, and the least change that mends it.

import (
	"fmt"
	"strings"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// Repair makes a tool's entry one that clients accept. It returns the entry to
// list, what was done to it (empty when nothing had to be), and false where it
// can't be listed at all. Only the parts clients choke on are touched: a
// missing or non-object root gets an open object schema, a union at the root
// loses the keyword but keeps the properties beside it and in its branches. An
// outputSchema with such a fault is left out, because it is optional.
func (t Tool) Repair() (Tool, string, bool) {
	if len(t) == 0 || t[0] != '{' {
		return t, "the entry is no object", false
	}
	if t.Name() == "" {
		return t, "it has no name", false
	}
	out := t
	var done []string
	input, present := jsonrpc.Member(t, "inputSchema")
	if fixed, faults := repairSchema(input, present); len(faults) > 0 {
		out = jsonrpc.SetMember(out, "inputSchema", fixed)
		done = append(done, "its inputSchema is repaired: "+strings.Join(faults, "; "))
	}
	if output, present := jsonrpc.Member(t, "outputSchema"); present {
		if _, faults := repairSchema(output, true); len(faults) > 0 {
			out = jsonrpc.DeleteMember(out, "outputSchema")
			done = append(done, "its outputSchema is left out: "+strings.Join(faults, "; "))
		}
	}
	return out, strings.Join(done, "; "), true
}

// repairSchema returns the schema that clients accept and what was wrong.
func repairSchema(schema []byte, present bool) ([]byte, []string) {
	open := []byte(`{"type":"object"}`)
	if !present {
		return open, []string{"there was none"}
	}
	if schema[0] != '{' {
		return open, []string{"it was no object"}
	}
	var faults []string
	if kind, ok := jsonrpc.Member(schema, "type"); string(kind) != `"object"` {
		fault := "its root had no type"
		if ok {
			fault = fmt.Sprintf("its root type was %s", kind)
		}
		faults = append(faults, fault)
		schema = jsonrpc.SetMember(schema, "type", []byte(`"object"`))
	}
	schema, fault := repairProperties(schema)
	faults = append(faults, fault...)
	for _, union := range []string{"oneOf", "anyOf", "allOf"} {
		branches, ok := jsonrpc.Member(schema, union)
		if !ok {
			continue
		}
		faults = append(faults, "clients refuse "+union+" at the root")
		schema = flatten(jsonrpc.DeleteMember(schema, union), branches)
	}
	return schema, faults
}

// repairProperties mends the members of a root that the TypeScript SDK checks:
// properties is an object of objects, required an array of strings.
func repairProperties(schema []byte) ([]byte, []string) {
	var faults []string
	if properties, ok := jsonrpc.Member(schema, "properties"); ok && properties[0] != '{' {
		faults = append(faults, "its properties were no object")
		schema = jsonrpc.DeleteMember(schema, "properties")
	} else if ok {
		mended := properties
		jsonrpc.Members(properties, func(key, value jsonrpc.Span) {
			name, err := jsonrpc.Unquote(properties[key.Start:key.End])
			if properties[value.Start] == '{' || err != nil {
				return
			}
			as := `{}`
			if string(properties[value.Start:value.End]) == "false" {
				as = `{"not":{}}` // what false stands for in a schema
			}
			faults = append(faults, fmt.Sprintf("its property %q was no object", name))
			mended = jsonrpc.SetMember(mended, name, []byte(as))
		})
		if len(faults) > 0 {
			schema = jsonrpc.SetMember(schema, "properties", mended)
		}
	}
	if required, ok := jsonrpc.Member(schema, "required"); ok && !isStrings(required) {
		faults = append(faults, "its required was no list of names")
		schema = jsonrpc.DeleteMember(schema, "required")
	}
	return schema, faults
}

func isStrings(value []byte) bool {
	all := value[0] == '['
	jsonrpc.Elements(value, func(v jsonrpc.Span) { all = all && value[v.Start] == '"' })
	return all
}

// flatten adds the properties of a union's branches to the schema, all
// optional, so that every parameter can still be given.
func flatten(schema, branches []byte) []byte {
	properties, _ := jsonrpc.Member(schema, "properties")
	added := false
	jsonrpc.Elements(branches, func(v jsonrpc.Span) {
		more, _ := jsonrpc.Member(branches[v.Start:v.End], "properties")
		jsonrpc.Members(more, func(key, value jsonrpc.Span) {
			name, err := jsonrpc.Unquote(more[key.Start:key.End])
			if err != nil || more[value.Start] != '{' {
				return
			}
			if _, has := jsonrpc.Member(properties, name); !has {
				properties = jsonrpc.SetMember(properties, name, more[value.Start:value.End])
				added = true
			}
		})
	})
	if !added {
		return schema
	}
	return jsonrpc.SetMember(schema, "properties", properties)
}
