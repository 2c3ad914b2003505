package jsonrpc

// New messages, and other bytes in place of a member of one.

import "strconv"

// Error codes of JSON-RPC 2.0, section 5.1, and the ones MCP adds.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	// CodeUpstream is PlayGuard's own, in the range that JSON-RPC reserves for
	// implementations: an upstream could not be reached or died.
	CodeUpstream = -32050
)

// RPCError is the error member of a response.
type RPCError struct {
	Code    int
	Message string
	Data    []byte // raw JSON, may be nil
}

func (e *RPCError) Error() string { return e.Message }

// Splice returns raw with the bytes of span replaced. It reuses raw's room
// where that suffices, so raw must not be used afterwards.
func Splice(raw []byte, span Span, with []byte) []byte {
	delta := len(with) - (span.End - span.Start)
	if delta > 0 && cap(raw)-len(raw) < delta {
		out := make([]byte, 0, len(raw)+delta+spare)
		out = append(out, raw[:span.Start]...)
		out = append(out, with...)
		return append(out, raw[span.End:]...)
	}
	tail := raw[span.End:]
	if delta > 0 {
		raw = raw[:len(raw)+delta]
	}
	copy(raw[span.End+delta:], tail)
	copy(raw[span.Start:], with)
	if delta < 0 {
		raw = raw[:len(raw)+delta]
	}
	return raw
}

// AppendInt appends an integer id.
func AppendInt(dst []byte, id int64) []byte { return strconv.AppendInt(dst, id, 10) }

// NewRequest builds a request; params may be nil.
func NewRequest(id []byte, method string, params []byte) []byte {
	out := make([]byte, 0, len(method)+len(params)+len(id)+64)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, id...)
	return finish(out, method, params)
}

// NewNotification builds a notification; params may be nil.
func NewNotification(method string, params []byte) []byte {
	out := make([]byte, 0, len(method)+len(params)+64)
	return finish(append(out, `{"jsonrpc":"2.0"`...), method, params)
}

func finish(out []byte, method string, params []byte) []byte {
	out = append(out, `,"method":`...)
	out = AppendString(out, method)
	if params != nil {
		out = append(out, `,"params":`...)
		out = append(out, params...)
	}
	return append(out, '}')
}

// NewResult builds a response that carries a result.
func NewResult(id, result []byte) []byte {
	out := make([]byte, 0, len(id)+len(result)+48)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, id...)
	out = append(out, `,"result":`...)
	out = append(out, result...)
	return append(out, '}')
}

// NewError builds a response that carries an error. An empty id becomes null
// (JSON-RPC 2.0, section 5: the id could not be read).
func NewError(id []byte, e *RPCError) []byte {
	if len(id) == 0 {
		id = []byte("null")
	}
	out := make([]byte, 0, len(id)+len(e.Message)+len(e.Data)+80)
	out = append(out, `{"jsonrpc":"2.0","id":`...)
	out = append(out, id...)
	out = append(out, `,"error":{"code":`...)
	out = strconv.AppendInt(out, int64(e.Code), 10)
	out = append(out, `,"message":`...)
	out = AppendString(out, e.Message)
	if e.Data != nil {
		out = append(out, `,"data":`...)
		out = append(out, e.Data...)
	}
	return append(out, "}}"...)
}
