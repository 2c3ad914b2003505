package playwright

// Looking where upstream has acted without looking.

import (
	"context"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// sightless are the actions that upstream answers without a view of what they
// changed (0.0.83): some with an empty text, some with the page's address only,
// browser_tabs with the list of tabs.
var sightless = map[string]bool{
	"browser_type": true, "browser_fill_form": true, "browser_press_key": true, "browser_resize": true,
	"browser_emulate_media": true, "browser_handle_dialog": true, "browser_tabs": true,
}

// saysNothing reports whether an action was answered without a view, and what
// was said instead.
func (r *row) saysNothing(resp jsonrpc.Message, call *upstream.Call) (said answer, silent bool) {
	if !sightless[call.Tool] || !r.config.Compact || r.config.ActionView != config.ActionView {
		return said, false
	}
	result := resp.Bytes(resp.Result)
	texts := mcp.Texts(result)
	if len(texts) != 1 || mcp.IsError(result) || call.Tool == tabsTool && jsonrpc.StringMember(call.Arguments(), "action") == "list" {
		return said, false
	}
	a, ok := parseAnswer(texts[0].Text)
	if !ok || a.file != "" || a.inline || len(a.modals) > 0 {
		return said, false
	}
	if call.Tool == tabsTool {
		r.mu.Lock()
		defer r.mu.Unlock()
		tabs, ok := listedTabs(a.head)
		if !ok {
			return said, false
		}
		r.pages.arrange(tabs)
		a.head = "" // the tabs are listed with every view
	}
	return a, true
}

// answerSilent takes the look that upstream did not take, so that the agent need
// not ask for it. When there is none to be had the answer stands.
func (r *row) answerSilent(ctx context.Context, resp jsonrpc.Message, said answer, call *upstream.Call, asked request, next upstream.Next) (jsonrpc.Message, error) {
	seen, err := next(ctx, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`))
	if err != nil || seen.Error.Present() || mcp.IsError(seen.Bytes(seen.Result)) {
		return resp, nil
	}
	return r.answer(seen, call, request{before: &said, number: asked.number, note: asked.note})
}
