package proxy

import (
	"context"
	"errors"
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
		lists.Tools = append(lists.Tools, tool.Definition)
	}
	return catalog.Source{Spec: &upstream.Spec{Name: ownName}, Lists: lists}
}

// callOwn answers a call of one of PlayGuard's own tools.
func (s *Session) callOwn(r *request, m jsonrpc.Message, name string) {
	i := slices.IndexFunc(s.opts.Own, func(o upstream.Own) bool { return o.Definition.Name() == name })
	own := s.opts.Own[i] // the catalogue lists no other
	entry := &calllog.Entry{Server: ownName, Tool: name, Intercepted: true}
	began := time.Now()
	s.later(r, func(ctx context.Context) {
		call := &upstream.Call{Tool: name, Params: m.Bytes(m.Params), Log: entry}
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
