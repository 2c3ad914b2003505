package mcp

// One tool of a list: its name, description and parameters.

import "github.com/playguard/playguard/internal/jsonrpc"

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
