package playwright

// A call whose element was rendered anew since the agent looked.

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// refNotFound is upstream's error (0.0.83) for a ref whose element is no more:
// the page was rendered anew since it was last seen. A script's own error has
// another beginning or a stack behind it.
var refNotFound = regexp.MustCompile(`^### Error\nError: Ref ((?:f\d+)?e\d+) not found in the current page snapshot\. Try capturing new snapshot\.\s*$`)

// scripted are tools whose error may be one that the page has thrown.
var scripted = map[string]bool{evaluateTool: true, "browser_run_code_unsafe": true}

// relooked answers a call that upstream refused because an element's ref is gone;
// it had not begun with it. PlayGuard looks at the page anew. Where nothing but the
// refs has changed since the agent's view, the call is sent once more, to the
// element that has taken the old one's place. Otherwise the agent decides: the
// answer says what has changed.
func (r *row) relooked(ctx context.Context, resp jsonrpc.Message, call *upstream.Call, asked *request, next upstream.Next) (jsonrpc.Message, error) {
	result := resp.Bytes(resp.Result)
	texts := mcp.Texts(result)
	if len(texts) == 0 || !mcp.IsError(result) || !asked.mapped || scripted[call.Tool] {
		return resp, nil
	}
	m := refNotFound.FindStringSubmatch(texts[0].Text)
	if m == nil || !strings.Contains(string(asked.params), string(jsonrpc.Quote(m[1]))) {
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
	params, told, understood := r.remapped(text, m[1], call, asked)
	if !understood {
		return resp, nil
	}
	if told != "" {
		return toolError(told)
	}
	call.Log.Relocated = true
	asked.params = params
	return next(ctx, params)
}

// remapped maps a call's handles after another look at the page, or returns what
// the agent is told instead. ref is the one that was missing; a look that is not
// understood says nothing.
func (r *row) remapped(look, ref string, call *upstream.Call, asked *request) (params []byte, told string, understood bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := parseAnswer(look)
	if !ok || !a.hasPage || r.pages.current == nil {
		return nil, "", false
	}
	read, err := aria.ReadAnswer(look)
	if err != nil || read == nil {
		return nil, "", false
	}
	missing := r.called(r.numbers.NumberOf(r.pages.key(r.pages.current), ref))
	page := r.pages.see(a)
	before := page.view
	r.identify(page, a, read.Tree)
	same := before != nil && sameAddress(page.url, a.url) && aria.Diff(before, aria.NewView(read.Tree, r.viewOptions())).Empty()
	args, refusal := r.mapHandles(call.Tool, asked.args)
	// Of a form's fields those before the one that is gone are filled already.
	first := call.Tool != "browser_fill_form" || firstRef(asked.params) == ref
	if same && refusal == "" && first {
		return jsonrpc.SetMember(call.Params, "arguments", args), "", true
	}
	why := refusal
	switch {
	case !first:
		why = fmt.Sprintf("%s was rendered anew before it was filled; the fields in front of it are filled.", missing)
	case why == "":
		why = fmt.Sprintf("Nothing was done: the page has changed since you looked, and %s was rendered anew.", missing)
	}
	notes := r.notes(a, page, call.Tool)
	return nil, why + "\n" + r.show(a, read, page, call, notes), true
}

// firstRef is the first field's ref in a form's parameters.
func firstRef(params []byte) string {
	args, _ := jsonrpc.Member(params, "arguments")
	fields, _ := jsonrpc.Member(args, "fields")
	ref, found := "", false
	if len(fields) > 0 && fields[0] == '[' {
		jsonrpc.Elements(fields, func(value jsonrpc.Span) {
			if !found {
				ref, found = jsonrpc.StringMember(fields[value.Start:value.End], targetParam), true
			}
		})
	}
	return ref
}
