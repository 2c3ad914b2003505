package playwright

import (
	"context"
	"strings"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/upstream"
)

const snapshotTool = "browser_snapshot"

// handlers returns which calls run through a rule: every browser tool's, since
// any answer may hold a tree, and since each is logged with fields of its own.
func handlers(c *config.Config) func(tool string) upstream.Handler {
	looks := &lookCounter{}
	return func(tool string) upstream.Handler {
		if !strings.HasPrefix(tool, "browser_") {
			return nil
		}
		return func(ctx context.Context, call *upstream.Call, next upstream.Next) (jsonrpc.Message, error) {
			observe(call)
			call.Log.SnapCount = looks.count(tool)
			asked := snapshotRequest(c, call)
			resp, err := next(ctx, asked.params)
			if err != nil || resp.Error.Present() {
				return resp, err
			}
			return compact(resp, asked, call.Log)
		}
	}
}

// request is what a call asks of PlayGuard besides what it asks of the server.
type request struct {
	params []byte // for the server
	raw    bool
	urls   bool
	text   string
	format string
}

// snapshotRequest takes PlayGuard's own parameters out of a call.
func snapshotRequest(c *config.Config, call *upstream.Call) request {
	r := request{params: call.Params, raw: !c.Compact, text: c.Text, format: c.Format}
	if call.Tool != snapshotTool || !c.Compact {
		return r
	}
	args := call.Arguments()
	raw, _ := jsonrpc.Member(args, rawParam)
	urls, _ := jsonrpc.Member(args, urlsParam)
	r.raw = isTrue(raw)
	r.urls = isTrue(urls)
	switch text := jsonrpc.StringMember(args, textParam); text {
	case config.TextFull, config.TextShort, config.TextNone:
		r.text = text
	}
	stripped := args
	for _, p := range snapshotParams {
		stripped = jsonrpc.DeleteMember(stripped, p.name)
	}
	if len(stripped) != len(args) {
		r.params = jsonrpc.SetMember(call.Params, "arguments", stripped)
	}
	call.Log.Raw = r.raw
	return r
}

// isTrue accepts what models write for true.
func isTrue(v []byte) bool { return string(v) == "true" || string(v) == `"true"` }
