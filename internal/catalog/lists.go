// Package catalog merges what the upstreams offer (tools, resources, resource
// templates, prompts) into one list each, knows which upstream owns which name,
// and keeps each upstream's lists on disk, so that a later start can list them
// before the upstream runs.
package catalog

// This file holds one upstream's lists: asking for them, to bytes and back.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
)

// Lists are what one upstream offers, each entry as the upstream wrote it.
type Lists struct {
	Server    []byte // the result of initialize: capabilities, serverInfo, instructions
	Tools     [][]byte
	Resources [][]byte
	Templates [][]byte
	Prompts   [][]byte
}

// kind ties a list's method to its place and to the capability it needs.
type kind struct {
	method, member, capability string
	list                       func(*Lists) *[][]byte
}

func kinds() []kind {
	return []kind{
		{mcp.ToolsList, "tools", "tools", func(l *Lists) *[][]byte { return &l.Tools }},
		{mcp.ResourcesList, "resources", "resources", func(l *Lists) *[][]byte { return &l.Resources }},
		{mcp.TemplatesList, "resourceTemplates", "resources", func(l *Lists) *[][]byte { return &l.Templates }},
		{mcp.PromptsList, "prompts", "prompts", func(l *Lists) *[][]byte { return &l.Prompts }},
	}
}

// Capabilities returns the upstream's capabilities object.
func (l *Lists) Capabilities() []byte {
	c, _ := jsonrpc.Member(l.Server, "capabilities")
	return c
}

// Equal reports whether two upstreams' lists have the same bytes.
func (l *Lists) Equal(o *Lists) bool {
	return l != nil && o != nil && bytes.Equal(l.Encode(), o.Encode())
}

// Do sends one request to an upstream and returns its response.
type Do func(ctx context.Context, method string, params []byte) (jsonrpc.Message, error)

// maxPages stops an upstream whose cursors never end.
const maxPages = 1000

// Fetch asks an upstream for all that it declares, page by page (utilities,
// pagination). server is the result of its handshake. It returns no lists when
// the upstream could not be asked; a list that it answers wrongly is left empty,
// so that the others can be used, and is said in the error.
func Fetch(ctx context.Context, server []byte, do Do) (*Lists, error) {
	l := &Lists{Server: server}
	var wrong []error
	for _, k := range kinds() {
		if !mcp.Has(l.Capabilities(), k.capability) {
			continue
		}
		asked, err := k.fetch(ctx, l, do)
		switch {
		case err != nil && !asked:
			return nil, fmt.Errorf("%s: %w", k.method, err)
		case err != nil:
			*k.list(l) = nil
			wrong = append(wrong, fmt.Errorf("%s: %w", k.method, err))
		}
	}
	return l, errors.Join(wrong...)
}

// fetch reads one list. It returns whether the upstream has answered at all.
func (k kind) fetch(ctx context.Context, l *Lists, do Do) (asked bool, err error) {
	var params []byte
	for range maxPages {
		m, err := do(ctx, k.method, params)
		if err != nil {
			return false, err
		}
		if m.Error.Present() {
			if code, _ := jsonrpc.Member(m.Bytes(m.Error), "code"); string(code) == "-32601" && k.method == mcp.TemplatesList {
				return true, nil // servers with resources need not have templates
			}
			return true, fmt.Errorf("it answered %s", m.Bytes(m.Error))
		}
		result := m.Bytes(m.Result)
		list, ok := jsonrpc.Member(result, k.member)
		if !ok || list[0] != '[' {
			return true, fmt.Errorf("its result has no array %q", k.member)
		}
		into := k.list(l)
		jsonrpc.Elements(list, func(v jsonrpc.Span) {
			*into = append(*into, bytes.Clone(list[v.Start:v.End]))
		})
		cursor, ok := jsonrpc.Member(result, "nextCursor")
		if !ok || string(cursor) == "null" {
			return true, nil
		}
		params = jsonrpc.SetMember(nil, "cursor", cursor)
	}
	return true, errors.New("its pages do not end")
}

// Encode writes lists as one JSON object in which every entry keeps its bytes.
func (l *Lists) Encode() []byte {
	out := append([]byte(nil), `{"format":1,"server":`...)
	out = append(out, l.Server...)
	for _, k := range kinds() {
		out = append(out, ",\n\""...)
		out = append(out, k.member...)
		out = append(out, `":`...)
		out = append(out, join(*k.list(l))...)
	}
	return append(out, "}\n"...)
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Lists, error) {
	data = bytes.TrimSpace(data)
	if err := jsonrpc.Valid(data); err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		return nil, errors.New("it is not UTF-8")
	}
	if format, _ := jsonrpc.Member(data, "format"); string(format) != "1" {
		return nil, errors.New("it is of another format")
	}
	l := &Lists{}
	l.Server, _ = jsonrpc.Member(data, "server")
	if len(l.Server) == 0 || l.Server[0] != '{' {
		return nil, errors.New("it does not say what the server is")
	}
	for _, k := range kinds() {
		list, _ := jsonrpc.Member(data, k.member)
		if len(list) == 0 || list[0] != '[' {
			return nil, fmt.Errorf("it has no list of %s", k.member)
		}
		if bytes.IndexByte(list, '\n') >= 0 {
			return nil, fmt.Errorf("its list of %s has a line end, which would end a message", k.member)
		}
		into := k.list(l)
		jsonrpc.Elements(list, func(v jsonrpc.Span) { *into = append(*into, list[v.Start:v.End:v.End]) })
	}
	return l, nil
}

func join(entries [][]byte) []byte {
	out := append([]byte(nil), '[')
	for i, e := range entries {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, e...)
	}
	return append(out, ']')
}
