package proxy

import (
	"context"
	"fmt"
	"slices"

	"github.com/playguard/playguard/internal/catalog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// route sends a request about a resource or a prompt to its owner.
func (s *Session) route(r *request, m jsonrpc.Message) {
	if owner, ok := s.owner(r.method, m.Bytes(m.Params)); ok {
		s.routeTo(r, m, owner)
		return
	}
	s.later(r, func(ctx context.Context) {
		s.waitLists(ctx)
		if owner, ok := s.owner(r.method, m.Bytes(m.Params)); ok {
			s.routeTo(r, m, owner)
			return
		}
		if r.method == mcp.PromptsGet {
			s.fail(r, jsonrpc.CodeInvalidParams, fmt.Sprintf("Unknown prompt: %s", jsonrpc.StringMember(m.Bytes(m.Params), "name")))
			return
		}
		// A resource need not be listed to be readable: ask those who have any.
		s.ask(ctx, r, m, func(i int) bool { return s.declares(i, capabilityOf(r.method)) })
	})
}

func capabilityOf(method string) string {
	if method == mcp.Complete {
		return "completions"
	}
	return "resources"
}

// owner finds who a request about a resource or a prompt belongs to.
func (s *Session) owner(method string, params []byte) (catalog.Owner, bool) {
	c := s.catalog.Load()
	switch method {
	case mcp.PromptsGet:
		return c.Prompt(jsonrpc.StringMember(params, "name"))
	case mcp.Complete:
		ref, _ := jsonrpc.Member(params, "ref")
		if jsonrpc.StringMember(ref, "type") == "ref/prompt" {
			return c.Prompt(jsonrpc.StringMember(ref, "name"))
		}
		return c.Resource(jsonrpc.StringMember(ref, "uri"))
	}
	return c.Resource(jsonrpc.StringMember(params, "uri"))
}

// routeTo sends a request to its owner, under the owner's own name of the
// prompt.
func (s *Session) routeTo(r *request, m jsonrpc.Message, owner catalog.Owner) {
	params := m.Bytes(m.Params)
	switch r.method {
	case mcp.PromptsGet:
		if jsonrpc.StringMember(params, "name") != owner.Name {
			m = rename(m, owner.Name)
		}
	case mcp.Complete:
		ref, _ := jsonrpc.Member(params, "ref")
		if name := jsonrpc.StringMember(ref, "name"); name != "" && name != owner.Name {
			ref = jsonrpc.SetMember(ref, "name", jsonrpc.Quote(owner.Name))
			m = withParams(m, jsonrpc.SetMember(params, "ref", ref))
		}
	}
	uri := jsonrpc.StringMember(params, "uri")
	s.forward(r, m, s.ups[owner.Source], func(resp jsonrpc.Message, err error) {
		if err == nil && !resp.Error.Present() {
			s.noteSubscription(r.method, owner.Source, uri)
		}
		s.deliver(r, resp, err)
	})
}

// noteSubscription remembers what an upstream is subscribed to, so that it is
// again after a restart.
func (s *Session) noteSubscription(method string, i int, uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case mcp.ResourcesSubscribe:
		s.sources[i].subscribed[uri] = true
	case mcp.ResourcesUnsubscribe:
		delete(s.sources[i].subscribed, uri)
	}
}

// offer sends a request whose method PlayGuard does not know to the upstreams
// in their order; the first that knows it answers.
func (s *Session) offer(r *request, m jsonrpc.Message) {
	if len(s.ups) == 1 {
		s.forward(r, m, s.ups[0], func(resp jsonrpc.Message, err error) { s.deliver(r, resp, err) })
		return
	}
	s.later(r, func(ctx context.Context) { s.ask(ctx, r, m, func(int) bool { return true }) })
}

// ask tries a request on each upstream that may know, until one answers without
// an error. The answer of the last one stands if none does.
func (s *Session) ask(ctx context.Context, r *request, m jsonrpc.Message, may func(i int) bool) {
	var last jsonrpc.Message
	var lastErr error
	token := progressToken(m.Bytes(m.Params))
	for i, u := range s.ups {
		if !may(i) || s.failed(i) {
			continue
		}
		copied, err := jsonrpc.Parse(slices.Clone(m.Raw))
		if err != nil {
			continue // it was parsed before
		}
		last, lastErr = u.Wait(ctx, &upstream.Request{Message: copied, Token: token})
		if ctx.Err() != nil {
			return
		}
		if lastErr == nil && !last.Error.Present() {
			s.noteSubscription(r.method, i, jsonrpc.StringMember(m.Bytes(m.Params), "uri"))
			break
		}
		if lastErr == nil && !refusesMethod(last) && r.method != mcp.ResourcesRead {
			break
		}
	}
	if last.Raw == nil && lastErr == nil {
		s.fail(r, jsonrpc.CodeMethodNotFound, "Method not found: "+r.method)
		return
	}
	s.deliver(r, last, lastErr)
}

// refusesMethod reports whether an error says that the method is unknown.
func refusesMethod(m jsonrpc.Message) bool {
	code, _ := jsonrpc.Member(m.Bytes(m.Error), "code")
	return string(code) == "-32601"
}
