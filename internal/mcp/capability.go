package mcp

// Capabilities: what two peers declare, merged and asked about.

import (
	"strings"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// MergeCapabilities is the union of two capability objects: objects are merged
// member by member, what is declared wins over false and null, and elsewhere the
// first one stays. Unknown capabilities are kept.
func MergeCapabilities(a, b []byte) []byte {
	switch {
	case !declared(b):
		if len(a) == 0 {
			return b
		}
		return a
	case !declared(a):
		return b
	case a[0] != '{' || b[0] != '{':
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

// declared reports whether a member's value says that there is something.
func declared(value []byte) bool {
	return len(value) > 0 && string(value) != "false" && string(value) != "null"
}

// Has reports whether a capability object declares name, "tools" or
// "resources.subscribe" for one level down. A member that is false or null is
// absent.
func Has(capabilities []byte, name string) bool {
	at := capabilities
	for part := range strings.SplitSeq(name, ".") {
		at, _ = jsonrpc.Member(at, part)
		if !declared(at) {
			return false
		}
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
