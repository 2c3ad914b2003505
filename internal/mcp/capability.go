package mcp

import (
	"bytes"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// MergeCapabilities is the union of two capability objects: objects are merged
// member by member, true wins over false, and elsewhere the first one stays.
// Unknown capabilities are kept.
func MergeCapabilities(a, b []byte) []byte {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 || b[0] != '{' || a[0] != '{' {
		if bytes.Equal(b, []byte("true")) {
			return b
		}
		return a
	}
	out := a
	jsonrpc.Members(b, func(key, value jsonrpc.Span) {
		name, err := jsonrpc.Unquote(b[key.Start:key.End])
		if err != nil {
			return
		}
		have, _ := jsonrpc.Member(out, name)
		out = jsonrpc.SetMember(out, name, MergeCapabilities(have, b[value.Start:value.End]))
	})
	return out
}

// Has reports whether a capability object declares name, "tools" or
// "resources.subscribe" for one level down. A member that is false is absent.
func Has(capabilities []byte, name string) bool {
	at := capabilities
	for part := range bytes.SplitSeq([]byte(name), []byte(".")) {
		v, ok := jsonrpc.Member(at, string(part))
		if !ok || bytes.Equal(v, []byte("false")) || bytes.Equal(v, []byte("null")) {
			return false
		}
		at = v
	}
	return true
}

// requestCapability is the client capability that each request of a server
// needs (server features depend on the client's declaration).
var requestCapability = map[string]string{
	RootsList:     "roots",
	CreateMessage: "sampling",
	Elicit:        "elicitation",
}

// NeededFromClient returns the capability a client must have declared to be
// asked method, empty when it needs none.
func NeededFromClient(method string) string { return requestCapability[method] }
