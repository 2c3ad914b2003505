package playwright

// Keeping what is known of the tabs true when they close.

import (
	"context"
	"strconv"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// verifyTab asks which tab is the current one before a handle is used, where there
// are several: a tab that closes itself makes another one current, in which
// upstream may have the same ref for another element.
func (r *row) verifyTab(ctx context.Context, call *upstream.Call, asked *request, next upstream.Next) (refusal string) {
	r.mu.Lock()
	several := len(r.pages.tabs) > 1
	r.mu.Unlock()
	if !several || !asked.mapped {
		return ""
	}
	resp, err := next(ctx, []byte(`{"name":"`+tabsTool+`","arguments":{"action":"list"}}`))
	if err != nil || resp.Error.Present() {
		return "" // the call itself will meet what is wrong
	}
	texts := mcp.Texts(resp.Bytes(resp.Result))
	if len(texts) == 0 {
		return ""
	}
	tabs, ok := listedTabs(texts[0].Text)
	if !ok {
		return ""
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages.arrange(tabs)
	r.forgetClosed()
	args, refusal := r.mapHandles(call.Tool, asked.args)
	if refusal == "" {
		asked.params = jsonrpc.SetMember(call.Params, "arguments", args)
	}
	return refusal
}

// noteClosing forgets what a call has closed.
func (r *row) noteClosing(resp jsonrpc.Message, call *upstream.Call) {
	if mcp.IsError(resp.Bytes(resp.Result)) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case call.Tool == closeTool:
		r.pages.forget()
	case call.Tool == tabsTool && jsonrpc.StringMember(call.Arguments(), "action") == "close":
		index := -1
		if v := word(call.Arguments(), "index"); v != "" {
			index, _ = strconv.Atoi(v)
		}
		r.pages.close(index)
	}
	r.forgetClosed()
}

// forgetClosed drops what is known of the elements of closed tabs. Called with mu.
func (r *row) forgetClosed() {
	for _, key := range r.pages.takeClosed() {
		r.numbers.Forget(key)
	}
}
