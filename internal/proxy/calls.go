package proxy

// tools/call, with and without a rule of the row, and the forwarding of requests.

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// call routes a tools/call to the upstream that owns the tool.
func (s *Session) call(r *request, m jsonrpc.Message) {
	name := jsonrpc.StringMember(m.Bytes(m.Params), "name")
	if owner, ok := s.catalog.Load().Tool(name); ok {
		s.callOwner(r, m, owner.Source, name, owner.Name)
		return
	}
	if s.ownUnlisted(name) {
		s.callOwn(r, m, name)
		return
	}
	// An upstream that has never been listed may own it: wait for the lists.
	s.whenListed(r, func(context.Context) {
		owner, ok := s.catalog.Load().Tool(name)
		if !ok {
			s.unknownTool(r, name)
			return
		}
		s.callOwner(r, m, owner.Source, name, owner.Name)
	})
}

// unknownTool answers a call of a tool that nobody lists. The reason may be that
// a server which has it could not be started, so that is said too.
func (s *Session) unknownTool(r *request, name string) {
	text := "Unknown tool: " + name
	if name == "" {
		text = "tools/call needs the name of a tool."
	}
	s.mu.Lock()
	for i := range s.sources {
		if failure := s.sources[i].failure; failure != "" && s.sources[i].lists == nil {
			text += "\n" + failure
		}
	}
	s.mu.Unlock()
	entry := calllog.Entry{Server: "playguard", Tool: name, Thrown: true}
	entry.SetError(text)
	s.opts.Calls.Add(entry)
	s.fail(r, jsonrpc.CodeInvalidParams, text)
}

// later runs what must wait in a goroutine of its own, with a context that ends
// when the request is cancelled or the session ends. After that end it runs
// nothing and returns false.
func (s *Session) later(r *request, run func(ctx context.Context)) bool {
	ctx, cancel := context.WithCancelCause(s.ctx)
	s.setTake(r, func(params []byte) { cancel(&upstream.CancelledError{Params: params}) })
	return s.task(func() {
		defer cancel(nil)
		run(ctx)
	})
}

// callOwner sends a call to its upstream, through the handler for its tool if
// there is one.
func (s *Session) callOwner(r *request, m jsonrpc.Message, source int, listed, tool string) {
	if source == len(s.ups) {
		s.callOwn(r, m, tool)
		return
	}
	u := s.ups[source]
	if listed != tool {
		m = rename(m, tool)
	}
	entry := &calllog.Entry{Server: u.Spec.Name, Tool: tool}
	began := time.Now()
	if u.Spec.Handler != nil {
		if h := u.Spec.Handler(tool); h != nil {
			entry.Intercepted = true
			s.handle(r, m, u, h, entry, began)
			return
		}
	}
	again := func() { entry.Revived, entry.Replayed, entry.Died, entry.Noticed = true, true, "server", "end" }
	s.forwardNoting(r, m, u, again, func(resp jsonrpc.Message, err error) {
		if err == nil {
			entry.RawBytes = len(resp.Bytes(resp.Result))
			entry.KeptBytes = entry.RawBytes
		}
		s.finish(r, resp, err, errors.Is(err, context.Canceled), entry, began)
	})
}

// rename gives a call its upstream's own name of the tool.
func rename(m jsonrpc.Message, tool string) jsonrpc.Message {
	params := jsonrpc.SetMember(m.Bytes(m.Params), "name", jsonrpc.Quote(tool))
	return withParams(m, params)
}

// withParams returns a copy of a request with other params.
func withParams(m jsonrpc.Message, params []byte) jsonrpc.Message {
	raw := slices.Clone(m.Raw)
	out, err := jsonrpc.Parse(jsonrpc.Splice(raw, m.Params, params))
	if err != nil {
		return m // params come from a valid message, edited member by member
	}
	return out
}

// forward sends a request to an upstream as it is; reply gets what came back, or
// context.Canceled when the client took the request back.
func (s *Session) forward(r *request, m jsonrpc.Message, u *upstream.Upstream, reply func(jsonrpc.Message, error)) {
	s.forwardNoting(r, m, u, nil, reply)
}

// forwardNoting is forward; again, if not nil, is called before the request is
// sent a second time.
func (s *Session) forwardNoting(r *request, m jsonrpc.Message, u *upstream.Upstream, again func(), reply func(jsonrpc.Message, error)) {
	up := &upstream.Request{Message: m, Token: progressToken(m.Bytes(m.Params)), Reply: reply, Again: again}
	u.Send(up)
	s.setTake(r, func(params []byte) {
		if u.Cancel(up, params) { // else reply has been called already
			reply(jsonrpc.Message{}, context.Canceled)
		}
	})
}

// progressToken returns the raw progress token of a request's params, nil
// without one.
func progressToken(params []byte) []byte {
	meta, ok := jsonrpc.Member(params, "_meta")
	if !ok {
		return nil
	}
	token, _ := jsonrpc.Member(meta, "progressToken")
	return slices.Clone(token)
}

// handle runs an intercepted call in its own goroutine. It returns once the call
// has its place among the requests to the upstream, so that calls written one
// after the other arrive in that order: a look must not overtake the click
// before it. Until then a handler only computes.
func (s *Session) handle(r *request, m jsonrpc.Message, u *upstream.Upstream, h upstream.Handler, entry *calllog.Entry, began time.Time) {
	placed := make(chan struct{})
	place := sync.OnceFunc(func() { close(placed) })
	running := s.later(r, func(ctx context.Context) {
		defer place()
		params := m.Bytes(m.Params)
		token := progressToken(params)
		next := func(ctx context.Context, params []byte) (jsonrpc.Message, error) {
			return u.Wait(ctx, &upstream.Request{Message: withParams(m, params), Token: token, Sent: place})
		}
		resp, err := s.guard(ctx, h, &upstream.Call{Tool: entry.Tool, Params: params, Log: entry, Place: place}, next)
		var taken *upstream.CancelledError
		s.finish(r, resp, err, errors.As(context.Cause(ctx), &taken), entry, began)
	})
	if running {
		<-placed
	}
}

// guard keeps a handler's panic from taking the session with it.
func (s *Session) guard(ctx context.Context, h upstream.Handler, call *upstream.Call, next upstream.Next) (resp jsonrpc.Message, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a rule failed", "tool", call.Tool, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = fmt.Errorf("[PlayGuard] A rule for %s failed on this answer: %v. The call may have taken effect. This is a bug in PlayGuard", call.Tool, p)
		}
	}()
	return h(ctx, call, next)
}

// finish answers a call and writes its line in the log. taken tells a call that
// the client took back from one that PlayGuard's own end cut short.
func (s *Session) finish(r *request, resp jsonrpc.Message, err error, taken bool, entry *calllog.Entry, began time.Time) {
	entry.MS = float64(time.Since(began).Microseconds()) / 1000
	switch {
	case err != nil:
		entry.Thrown = true
		entry.SetError(err.Error())
	case resp.Error.Present():
		entry.Thrown = true
		entry.SetError(jsonrpc.StringMember(resp.Bytes(resp.Error), "message"))
	case mcp.IsError(resp.Bytes(resp.Result)):
		text := "the tool failed"
		if texts := mcp.Texts(resp.Bytes(resp.Result)); len(texts) > 0 {
			text = texts[0].Text
		}
		entry.SetError(text)
	}
	if errors.Is(err, context.Canceled) {
		entry.Cancelled = taken
		entry.SetError("PlayGuard is ending")
		if taken {
			entry.SetError("the client took the call back")
		}
	}
	s.deliver(r, resp, err)
	s.opts.Calls.Add(*entry)
}

// deliver brings an upstream's response back under the client's id. A response
// whose request was cancelled is dropped.
func (s *Session) deliver(r *request, resp jsonrpc.Message, err error) {
	if !s.settle(r) {
		return
	}
	switch {
	case err == nil:
		s.write(r, jsonrpc.Splice(resp.Raw, resp.ID, r.id))
	case r.method == mcp.ToolsCall:
		s.write(r, jsonrpc.NewResult(r.id, mcp.ErrorResult(err.Error())))
	default:
		s.write(r, jsonrpc.NewError(r.id, &jsonrpc.RPCError{Code: jsonrpc.CodeUpstream, Message: err.Error()}))
	}
}
