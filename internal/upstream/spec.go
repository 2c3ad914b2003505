// Package upstream keeps one upstream MCP server running: it starts the server
// when it is needed, shakes hands, gives each request an id of its own, hands
// answers back, and starts the server again after it has died.
//
// What is special about a server is said by its Spec; this package and the
// proxy above it know no server by name.
package upstream

import (
	"context"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/transport"
)

// Spec says what is special about one upstream.
type Spec struct {
	// Name is the short name, [a-z0-9_-]: it is in the log, and in front of a
	// tool whose name another upstream has taken.
	Name string
	// Title is what sentences call the server, as "Playwright MCP".
	Title string
	// Eager starts the server behind the client's initialize instead of at the
	// first call.
	Eager bool
	// Launch finds out how to start the server. It may take long (an install);
	// its error is a sentence for the agent that says what is missing and the
	// command that repairs it.
	Launch func(ctx context.Context) (transport.Command, error)
	// Key is what the saved catalogue depends on: command, arguments, versions,
	// names of the environment. No values of the environment.
	Key []string
	// Seed is a catalogue to list from before the server was ever started, as
	// saved by the catalog package; nil when there is none.
	Seed []byte
	// Withhold names client capabilities that the server is not told of.
	Withhold []string
	// Instructions is what the agent is told about the server; nil passes on
	// what the server says of itself.
	Instructions func(own string) string
	// RewriteTool changes a tool as it is listed; false leaves it out. Nil lists
	// the tools as they are.
	RewriteTool func(mcp.Tool) (mcp.Tool, bool)
	// Handler returns the code that a call of a tool runs through, nil when the
	// call passes untouched. A nil function passes every call.
	Handler func(tool string) Handler
	// OwnHandler returns the code that a call by one of PlayGuard's own tools runs
	// through, nil when it passes untouched, as with a nil function. It may know
	// tools that the server does not have.
	OwnHandler func(tool string) Handler
	// Hint is added to the error when the server can't be started.
	Hint string
}

// Call is one tools/call on its way to its upstream.
type Call struct {
	Tool   string         // the upstream's own name of the tool
	Params []byte         // the params object, as the client sent it
	Log    *calllog.Entry // the line this call gets; handlers add their fields
	Ask    Ask            // for PlayGuard's own tools only
}

// Ask calls a tool of an upstream, which is named as in its Spec, and returns the
// result of the call. The error is a sentence for the agent.
type Ask func(ctx context.Context, upstream, tool string, arguments []byte) (result []byte, err error)

// Arguments returns the arguments object of the call; an empty object when
// there is none.
func (c *Call) Arguments() []byte {
	if args, ok := jsonrpc.Member(c.Params, "arguments"); ok && args[0] == '{' {
		return args
	}
	return []byte("{}")
}

// Next sends params down to the upstream and returns its response.
type Next func(ctx context.Context, params []byte) (jsonrpc.Message, error)

// Handler handles a call of an intercepted tool: it may answer by itself, change
// the params, call next, and edit the response. It returns a response, whose id
// is replaced by the client's; a response that it did not touch keeps its bytes.
type Handler func(ctx context.Context, call *Call, next Next) (jsonrpc.Message, error)

// Own is a tool that PlayGuard answers itself, without an upstream.
type Own struct {
	// Definition is the tool as it is listed.
	Definition mcp.Tool
	// Unlisted leaves it out of the list: it can't work with these settings.
	// Called all the same it says why.
	Unlisted bool
	// Handle returns the result of a call. An error becomes one that the agent
	// reads, as with an upstream.
	Handle func(ctx context.Context, call *Call) (result []byte, err error)
}

// WithResult returns a response with another result; everything else in the
// message keeps its bytes.
func WithResult(m jsonrpc.Message, result []byte) (jsonrpc.Message, error) {
	return jsonrpc.Parse(jsonrpc.Splice(m.Raw[:len(m.Raw):len(m.Raw)], m.Result, result))
}
