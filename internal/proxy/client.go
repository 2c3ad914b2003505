package proxy

// The client's messages: which are answered here, and who gets the others.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
)

// read handles the client's lines until it closes its side.
func (s *Session) read() {
	for {
		line, err := s.client.Read()
		var tooLong *jsonrpc.TooLongError
		switch {
		case errors.As(err, &tooLong):
			s.tooLong(tooLong)
			continue
		case err != nil:
			return
		}
		line, _ = jsonrpc.ValidUTF8(line)
		if line[0] == '[' {
			s.batch(line)
			continue
		}
		s.message(line, nil)
	}
}

// tooLong refuses a message over the limit: a request under its own id where
// that can be found; to the upstream that waits for it if it was an answer.
func (s *Session) tooLong(e *jsonrpc.TooLongError) {
	failure := &jsonrpc.RPCError{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf(
		"PlayGuard refused a message of %d bytes: the limit is %d (PLAYGUARD_MAX_LINE_MB).", e.Size, e.Limit)}
	switch o := jsonrpc.OutlineOf(e.Head, e.Tail); o.Kind {
	case jsonrpc.Response:
		if m, err := jsonrpc.Parse(jsonrpc.NewError(o.ID, failure)); err == nil {
			s.reverseAnswer(m)
		}
	case jsonrpc.Notification:
		s.log.Warn("a notification of the client was dropped", "bytes", e.Size, "limit", e.Limit)
	default:
		s.refuse(o.ID, failure.Code, failure.Message)
	}
}

// refuse answers a message that is no request: with the id if one could be
// read, else with null.
func (s *Session) refuse(id []byte, code int, message string) {
	_ = s.client.SendWait(jsonrpc.NewError(id, &jsonrpc.RPCError{Code: code, Message: message}))
}

// message handles one message of the client. In a batch, answers go to b.
func (s *Session) message(line []byte, b *batch) {
	m, err := jsonrpc.Parse(line)
	if err != nil {
		code, what := jsonrpc.CodeInvalidRequest, "is no JSON-RPC request"
		if jsonrpc.Valid(line) != nil {
			code, what = jsonrpc.CodeParse, "is no JSON"
		}
		b.refuse(s, nil, code, fmt.Sprintf("The message %s: %v.", what, err))
		return
	}
	switch m.Kind() {
	case jsonrpc.Request:
		id := m.Bytes(m.ID)
		if c := id[0]; c != '"' && c != '-' && (c < '0' || c > '9') {
			b.refuse(s, nil, jsonrpc.CodeInvalidRequest, "A request's id must be a string or a number.")
			return
		}
		r := &request{id: slices.Clone(id), method: m.MethodName(), batch: b}
		if m.Bytes(m.Method)[0] != '"' {
			b.refuse(s, r.id, jsonrpc.CodeInvalidRequest, "A request's method must be a string.")
			return
		}
		if refusal := s.register(r); refusal != "" {
			b.refuse(s, r.id, jsonrpc.CodeInvalidRequest, refusal)
			return
		}
		if b != nil {
			b.expect()
		}
		s.request(r, m)
	case jsonrpc.Notification:
		s.notification(m)
	case jsonrpc.Response:
		s.reverseAnswer(m)
	default:
		b.refuse(s, slices.Clone(m.Bytes(m.ID)), jsonrpc.CodeInvalidRequest, "The message is neither a request nor a notification nor a response.")
	}
}

// request answers or routes a request.
func (s *Session) request(r *request, m jsonrpc.Message) {
	switch r.method {
	case mcp.Initialize, mcp.Ping, mcp.Discover:
	default:
		s.clientReady() // it has left the handshake, said or not
	}
	switch r.method {
	case mcp.Initialize:
		s.initializeClient(r, m.Bytes(m.Params))
	case mcp.Ping:
		s.result(r, []byte(`{}`))
	case mcp.Discover:
		// Clients of the revision 2026-07-28 probe with it and fall back to
		// initialize on this error.
		s.fail(r, jsonrpc.CodeMethodNotFound, "Method not found: "+r.method)
	case mcp.ToolsList, mcp.ResourcesList, mcp.TemplatesList, mcp.PromptsList:
		s.list(r, m.Bytes(m.Params))
	case mcp.ToolsCall:
		s.call(r, m)
	case mcp.ResourcesRead, mcp.ResourcesSubscribe, mcp.ResourcesUnsubscribe, mcp.PromptsGet, mcp.Complete:
		s.route(r, m)
	case mcp.SetLevel:
		s.setLevel(r, m.Bytes(m.Params))
	default:
		s.offer(r, m)
	}
}

// initializeClient answers initialize from what is known, without waiting for
// any upstream (clients give up early), and starts the eager ones behind it.
func (s *Session) initializeClient(r *request, params []byte) {
	if len(params) == 0 || params[0] != '{' {
		s.fail(r, jsonrpc.CodeInvalidParams, "initialize needs params.")
		return
	}
	version := mcp.Negotiate(jsonrpc.StringMember(params, "protocolVersion"))
	s.mu.Lock()
	again := s.greeted
	if !again {
		s.initialize, s.version, s.greeted = slices.Clone(params), version, true
	}
	s.mu.Unlock()
	if again { // the upstreams have been told what the first one said
		s.fail(r, jsonrpc.CodeInvalidRequest, "This session is initialized already.")
		return
	}
	c := s.catalog.Load()
	out := append([]byte(nil), `{"protocolVersion":`...)
	out = jsonrpc.AppendString(out, version)
	out = append(out, `,"capabilities":`...)
	out = append(out, c.Capabilities...)
	out = append(out, `,"serverInfo":{"name":"playguard","title":"PlayGuard","version":`...)
	out = jsonrpc.AppendString(out, s.opts.Version)
	out = append(out, '}')
	if c.Instructions != "" {
		out = append(out, `,"instructions":`...)
		out = jsonrpc.AppendString(out, c.Instructions)
	}
	s.result(r, append(out, '}'))
	for _, u := range s.ups {
		if u.Spec.Eager {
			u.Start()
		}
	}
}

// notification handles a notification of the client.
func (s *Session) notification(m jsonrpc.Message) {
	switch m.MethodName() {
	case mcp.Initialized:
		s.clientReady()
	case mcp.Cancelled:
		s.cancelled(m.Bytes(m.Params))
	case mcp.Progress:
		s.reverseProgress(m)
	default:
		for _, u := range s.ups {
			u.Notify(slices.Clone(m.Raw))
		}
	}
}

// cancelled takes a request back. It gets no answer any more (utilities,
// cancellation); one that is unknown or answered is ignored, as is initialize.
func (s *Session) cancelled(params []byte) {
	id, ok := jsonrpc.Member(params, "requestId")
	if !ok {
		return
	}
	s.mu.Lock()
	r := s.open[string(id)]
	if r == nil || r.method == mcp.Initialize {
		s.mu.Unlock()
		return
	}
	take := r.take
	s.mu.Unlock()
	if !s.settle(r) {
		return
	}
	if r.batch != nil {
		s.writeBatch(r.batch.add(nil))
	}
	if take != nil {
		take(slices.Clone(params))
	}
}

// levels are the severities of logging/setLevel (utilities, logging).
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// levelWithin is how long the upstreams that run or start are waited for when they are
// told the log level.
const levelWithin = time.Second

// setLevel passes the level on to every upstream that declared logging, now or
// when it starts. It is answered when they have taken it over: a server may work on the
// client's next call before that.
func (s *Session) setLevel(r *request, params []byte) {
	if !slices.Contains(levels, jsonrpc.StringMember(params, "level")) {
		s.fail(r, jsonrpc.CodeInvalidParams, fmt.Sprintf("The level must be one of %v.", levels))
		return
	}
	params = slices.Clone(params)
	s.mu.Lock()
	s.level = params
	s.mu.Unlock()
	var taken []<-chan struct{}
	for i, u := range s.ups {
		if s.declares(i, "logging") {
			taken = append(taken, s.sendLevel(u, params))
		}
	}
	if len(taken) == 0 {
		s.result(r, []byte(`{}`))
		return
	}
	s.later(r, func(ctx context.Context) {
		limited, cancel := context.WithTimeout(ctx, levelWithin)
		defer cancel()
		for _, one := range taken {
			select {
			case <-one:
			case <-limited.Done():
			}
		}
		if ctx.Err() == nil {
			s.result(r, []byte(`{}`))
		}
	})
}
