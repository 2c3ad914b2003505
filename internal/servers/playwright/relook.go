package playwright

import (
	"context"
	"regexp"
	"strings"

	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// refNotFound is upstream's error (0.0.83) for a ref whose element is no more:
// the page was rendered anew since it was last seen.
var refNotFound = regexp.MustCompile(`Ref (?:f\d+)?e\d+ not found in the current page snapshot`)

// relooked answers a call that upstream refused because an element's ref is gone.
// It looks at the page anew: where the handle has passed on to the element that
// took the old one's place, the call is sent once more, since upstream had not
// begun with it; otherwise the error names what is closest.
func (r *row) relooked(ctx context.Context, resp jsonrpc.Message, call *upstream.Call, asked *request, next upstream.Next) (jsonrpc.Message, error) {
	result := resp.Bytes(resp.Result)
	texts := mcp.Texts(result)
	if len(texts) == 0 || !mcp.IsError(result) || !refNotFound.MatchString(texts[0].Text) || string(asked.params) == string(call.Params) {
		return resp, nil
	}
	seen, err := next(ctx, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`))
	if err != nil || seen.Error.Present() {
		return resp, nil // the error there is, is still true
	}
	text, ok := r.wholeAnswer(seen)
	if !ok {
		return resp, nil
	}
	params, refusal := r.remapped(text, call, asked)
	switch {
	case refusal != "":
		call.Log.SetError(refusal)
		return toolError(refusal)
	case string(params) == string(asked.params), call.Tool == "browser_fill_form":
		// Of a form's fields those before the one that is gone are filled already.
		return resp, nil
	}
	call.Log.Relocated = true
	asked.params = params
	return next(ctx, params)
}

// remapped maps a call's handles after another look at the page.
func (r *row) remapped(look string, call *upstream.Call, asked *request) (params []byte, refusal string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := parseAnswer(look)
	if !ok || !a.hasPage {
		return asked.params, ""
	}
	read, err := aria.ReadAnswer(look)
	if err != nil || read == nil {
		return asked.params, ""
	}
	r.identify(r.pages.see(a), a, read.Tree)
	args, refusal := r.mapHandles(call.Tool, asked.args)
	return jsonrpc.SetMember(call.Params, "arguments", args), strings.TrimSpace(refusal)
}
