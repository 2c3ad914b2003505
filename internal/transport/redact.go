package transport

// Errors of a server without the credentials of its address.

import (
	"strconv"

	"github.com/playguard/playguard/internal/endpoint"
	"github.com/playguard/playguard/internal/jsonrpc"
)

// redactedError is an error of a server that may have put its address into it.
// Only texts change: the names of members and the numbers are for programs.
func redactedError(at endpoint.Endpoint, raw []byte) *jsonrpc.RPCError {
	e := &jsonrpc.RPCError{Code: jsonrpc.CodeUpstream, Message: at.Redact(jsonrpc.StringMember(raw, "message"))}
	if code, _ := jsonrpc.Member(raw, "code"); len(code) > 0 {
		if n, err := strconv.Atoi(string(code)); err == nil {
			e.Code = n
		}
	}
	if data, ok := jsonrpc.Member(raw, "data"); ok {
		e.Data = redactedTexts(at, data)
	}
	return e
}

// redactedTexts is a valid JSON value with every string in it redacted, but not
// the keys.
func redactedTexts(at endpoint.Endpoint, raw []byte) []byte {
	if raw[0] == '"' {
		text, err := jsonrpc.Unquote(raw)
		if clean := at.Redact(text); err == nil && clean != text {
			return jsonrpc.Quote(clean)
		}
		return raw
	}
	var out []byte
	done := 0
	part := func(v jsonrpc.Span) {
		out = append(append(out, raw[done:v.Start]...), redactedTexts(at, raw[v.Start:v.End])...)
		done = v.End
	}
	jsonrpc.Members(raw, func(_, v jsonrpc.Span) { part(v) })
	jsonrpc.Elements(raw, part)
	return append(out, raw[done:]...)
}
