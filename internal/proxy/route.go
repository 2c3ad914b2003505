package proxy

// Requests about resources and prompts, and those whose method is not known.

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
	s.whenListed(r, func(ctx context.Context) {
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
	s.noteUnsubscribed(r.method, owner.Source, uri)
	s.forward(r, m, s.ups[owner.Source], func(resp jsonrpc.Message, err error) {
		if err == nil && !resp.Error.Present() {
			s.noteSubscribed(r.method, owner.Source, uri)
		}
		s.deliver(r, resp, err)
	})
}

// noteSubscribed remembers what an upstream is subscribed to, so that it is
// again after a restart.
func (s *Session) noteSubscribed(method string, i int, uri string) {
	if method == mcp.ResourcesSubscribe {
		s.mu.Lock()
		s.sources[i].subscribed[uri] = true
		s.mu.Unlock()
	}
}

// noteUnsubscribed forgets it when unsubscribing is asked for, not when it is
// answered: if the request has to start the upstream, it must not be subscribed
// again behind the request.
func (s *Session) noteUnsubscribed(method string, i int, uri string) {
	if method == mcp.ResourcesUnsubscribe {
		s.mu.Lock()
		delete(s.sources[i].subscribed, uri)
		s.mu.Unlock()
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
// an error. If none does the last answer stands; that one of them can't be
// reached is said only if no other has answered.
func (s *Session) ask(ctx context.Context, r *request, m jsonrpc.Message, may func(i int) bool) {
	var last jsonrpc.Message
	var lastErr error
	token := progressToken(m.Bytes(m.Params))
	uri := jsonrpc.StringMember(m.Bytes(m.Params), "uri")
	for i, u := range s.ups {
		if !may(i) || s.failed(i) {
			continue
		}
		copied, err := jsonrpc.Parse(slices.Clone(m.Raw))
		if err != nil {
			continue // it was parsed before
		}
		s.noteUnsubscribed(r.method, i, uri)
		answer, err := u.Wait(ctx, &upstream.Request{Message: copied, Token: token})
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			lastErr = err
			continue
		}
		last = answer
		if !last.Error.Present() {
			s.noteSubscribed(r.method, i, uri)
			break
		}
		if !refusesMethod(last) && r.method != mcp.ResourcesRead {
			break
		}
	}
	switch {
	case last.Raw != nil:
		s.deliver(r, last, nil)
	case lastErr != nil:
		s.deliver(r, last, lastErr)
	default:
		s.fail(r, jsonrpc.CodeMethodNotFound, "Method not found: "+r.method)
	}
}

// refusesMethod reports whether an error says that the method is unknown.
func refusesMethod(m jsonrpc.Message) bool {
	code, _ := jsonrpc.Member(m.Bytes(m.Error), "code")
	return string(code) == "-32601"
}
