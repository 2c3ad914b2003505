package upstream

// Which requests go to the successor of a server that has died.

import (
	"slices"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/transport"
)

// Policy says which requests are sent again after a crash.
type Policy int

// The policies. What the dead server had certainly not read is always sent.
const (
	ReplaySafe   Policy = iota // what does no harm when it happens twice
	ReplayAlways               // everything
	ReplayNever                // nothing
)

// harmless are the methods that ask for something and change nothing (their
// sections of the specification describe them so). tools/call is not among them:
// what a tool does, only its row knows.
var harmless = []string{
	mcp.Ping, mcp.ToolsList, mcp.ResourcesList, mcp.TemplatesList, mcp.PromptsList, mcp.ResourcesRead, mcp.PromptsGet,
	mcp.Complete, mcp.SetLevel, // a level is the same, set twice
}

// divide parts the requests that a dead server had read into those that fail and
// those that are sent again, each of them once at most.
func (u *Upstream) divide(open []*Request) (failed, again []*Request) {
	for _, r := range open {
		if r.again || !u.mayRepeat(r) {
			failed = append(failed, r)
			continue
		}
		r.again = true
		if r.Again != nil {
			r.Again()
		}
		again = append(again, r)
	}
	return failed, u.resent(again)
}

func (u *Upstream) mayRepeat(r *Request) bool {
	switch u.opts.Replay {
	case ReplayAlways:
		return true
	case ReplayNever:
		return false
	}
	m, err := jsonrpc.Parse(r.line) // the message as it came is the writer's
	if err != nil {
		return false
	}
	method, err := jsonrpc.Unquote(m.Bytes(m.Method))
	if err != nil {
		return false
	}
	if method == mcp.ToolsCall {
		return u.Spec.Repeats != nil && u.Spec.Repeats(m.Bytes(m.Params))
	}
	return slices.Contains(harmless, method)
}

// bound takes out of the queue the tool calls that are meant for the session which
// a server has taken with it: on its successor they would work on an empty one. The
// row is told that they were not sent, restores the session and sends them. Called
// with mu.
func (u *Upstream) bound() []*Request {
	if !u.Spec.Session {
		return nil
	}
	var calls, rest []*Request
	for _, r := range u.queue {
		if !r.own && isBound(r) {
			calls = append(calls, r)
		} else {
			rest = append(rest, r)
		}
	}
	u.queue = rest
	return calls
}

// isBound reports whether a request is meant for the session that a server has.
func isBound(r *Request) bool {
	return r.Reply != nil && string(r.Message.Bytes(r.Message.Method)) == `"`+mcp.ToolsCall+`"`
}

// refuses returns why a request is not sent: the session that it is meant for has ended
// with its server, and the row, whose own call is the first to go to the successor, does
// not know that yet. Called with mu.
func (u *Upstream) refuses(r *Request) *Error {
	switch {
	case u.lost == nil || !isBound(r):
		return nil
	case r.own:
		u.lost = nil
		return nil
	}
	return u.lost
}

// resent makes requests that have been written ready to be written again.
func (u *Upstream) resent(requests []*Request) []*Request {
	for _, r := range requests {
		r.id = 0
		r.Message, _ = jsonrpc.Parse(slices.Clone(r.line)) // it was valid
	}
	return requests
}

// place is where the line that a child was given last stands among its lines.
func place(child transport.Link) int {
	if own, ok := child.(*transport.Child); ok {
		return own.Accepted()
	}
	return 0 // only children tell what they have read
}

// written is how many of the requests, which are in the order of sending, the
// child may have read.
func written(open []*Request, child transport.Link) int {
	own, ok := child.(*transport.Child)
	if !ok {
		return len(open) // over HTTP the link itself says what was not carried out
	}
	delivered := own.Delivered()
	n, _ := slices.BinarySearchFunc(open, delivered+1, func(r *Request, place int) int { return r.place - place })
	return n
}
