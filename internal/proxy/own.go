package proxy

// Calls of PlayGuard's own tools.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/catalog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// ownName is what the log calls PlayGuard itself as a server.
const ownName = "playguard"

// ownSource is PlayGuard's own tools as one more source of the catalogue. It is
// the last one, so its index is the number of the upstreams.
func ownSource(own []upstream.Own) catalog.Source {
	lists := &catalog.Lists{Server: []byte(`{"capabilities":{"tools":{}}}`)}
	for _, tool := range own {
		if !tool.Unlisted {
			lists.Tools = append(lists.Tools, tool.Definition)
		}
	}
	return catalog.Source{Spec: &upstream.Spec{Name: ownName}, Lists: lists}
}

// callOwn answers a call of one of PlayGuard's own tools.
func (s *Session) callOwn(r *request, m jsonrpc.Message, name string) {
	i := slices.IndexFunc(s.opts.Own, func(o upstream.Own) bool { return o.Definition.Name() == name })
	own := s.opts.Own[i] // who calls this knows that there is one
	entry := &calllog.Entry{Server: ownName, Tool: name, Intercepted: true}
	began := time.Now()
	s.later(r, func(ctx context.Context) {
		call := &upstream.Call{Tool: name, Params: m.Bytes(m.Params), Log: entry, Ask: s.askUpstream}
		answer := func(ctx context.Context, call *upstream.Call, _ upstream.Next) (jsonrpc.Message, error) {
			result, err := own.Handle(ctx, call)
			if err != nil {
				return jsonrpc.Message{}, err
			}
			for _, t := range mcp.Texts(result) {
				entry.RawBytes += len(t.Text)
			}
			entry.KeptBytes = entry.RawBytes
			return jsonrpc.Parse(jsonrpc.NewResult(r.id, result))
		}
		resp, err := s.guard(ctx, answer, call, nil)
		var taken *upstream.CancelledError
		s.finish(r, resp, err, errors.As(context.Cause(ctx), &taken), entry, began)
	})
}

// ownUnlisted reports whether a tool is one of PlayGuard's own that is not listed.
func (s *Session) ownUnlisted(name string) bool {
	return slices.ContainsFunc(s.opts.Own, func(o upstream.Own) bool { return o.Unlisted && o.Definition.Name() == name })
}

// askUpstream calls a tool of an upstream for one of PlayGuard's own tools; see
// upstream.Ask.
func (s *Session) askUpstream(ctx context.Context, name, tool string, arguments []byte) ([]byte, error) {
	i := slices.IndexFunc(s.ups, func(u *upstream.Upstream) bool { return u.Spec.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no upstream %s", name)
	}
	u := s.ups[i]
	params := jsonrpc.SetMember(jsonrpc.SetMember(nil, "name", jsonrpc.Quote(tool)), "arguments", arguments)
	m := upstream.OwnMessage(mcp.ToolsCall, params)
	next := func(ctx context.Context, params []byte) (jsonrpc.Message, error) {
		return u.Wait(ctx, &upstream.Request{Message: withParams(m, params)})
	}
	handler := func(ctx context.Context, _ *upstream.Call, next upstream.Next) (jsonrpc.Message, error) {
		return next(ctx, params)
	}
	if u.Spec.OwnHandler != nil {
		if h := u.Spec.OwnHandler(tool); h != nil {
			handler = h
		}
	}
	resp, err := s.guard(ctx, handler, &upstream.Call{Tool: tool, Params: params, Log: &calllog.Entry{}}, next)
	if err != nil {
		return nil, err
	}
	if resp.Error.Present() {
		return nil, fmt.Errorf("%s answered %s: %s", u.Spec.Title, tool, jsonrpc.StringMember(resp.Bytes(resp.Error), "message"))
	}
	return resp.Bytes(resp.Result), nil
}
