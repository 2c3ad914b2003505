package playwright

// Calls of PlayGuard's own tools for elements of the page.

import (
	"context"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// elementsCall runs a call by an own tool and returns the tool and the script
// that the server was asked for, and the answer.
func elementsCall(t *testing.T, targets, answer string) (tool, code, text string, err error) {
	t.Helper()
	r := newSession(t).row
	h := r.ownHandler(ElementsTool)
	params := []byte(`{"name":"` + ElementsTool + `","arguments":{"targets":` + targets + `,"function":"(arg) => 1","param":{"a":"100%"}}}`)
	resp, err := h(t.Context(), &upstream.Call{Tool: ElementsTool, Params: params, Log: &calllog.Entry{}}, func(_ context.Context, params []byte) (jsonrpc.Message, error) {
		tool = jsonrpc.StringMember(params, "name")
		args, _ := jsonrpc.Member(params, "arguments")
		code = jsonrpc.StringMember(args, "function") + jsonrpc.StringMember(args, "code")
		return toolText(answer)
	})
	if err != nil {
		return tool, code, "", err
	}
	for _, part := range mcp.Texts(resp.Bytes(resp.Result)) {
		text += part.Text
	}
	return tool, code, text, nil
}

// Selectors are looked up by one script in the page; handles and refs need
// Playwright to find them, which is one call too.
func TestElements(t *testing.T) {
	tool, code, text, err := elementsCall(t, `["#a",".b"]`, "### Result\n[1,2]\n### Page\n- Page URL: http://x/\n- Page Title: x")
	if err != nil || text != "[1,2]" || tool != "browser_evaluate" || code != `() => ((arg) => 1)({found: [null,null], index: [0,1], param: {"a":"100%"}})` {
		t.Errorf("%s %s: %s, %v", tool, code, text, err)
	}
	_, _, text, err = elementsCall(t, `["#a"]`, "### Result\n[\n  1\n]\n### Ran Playwright code\n```js\nawait page.evaluate('### Result');\n```")
	if err != nil || text != "[\n  1\n]" {
		t.Errorf("beside code: %s, %v", text, err)
	}
	tool, code, _, err = elementsCall(t, `["#a","e12","[9999]","text=Save"]`, "### Result\n[1]")
	if err != nil || tool != "browser_run_code_unsafe" {
		t.Errorf("%s, %v", tool, err)
	}
	for _, part := range []string{`"1":"aria-ref=e12"`, `"3":"text=Save"`, `"2":"No element was ever called 9999`, "i < 4", "(arg) => 1", `param: {"a":"100%"}`} {
		if !strings.Contains(strings.ReplaceAll(code, "[9999]", "9999"), part) {
			t.Errorf("%s is not in %s", part, code)
		}
	}
	if _, _, _, err = elementsCall(t, `["#a"]`, "something else"); err == nil {
		t.Error("an answer without a result is taken")
	}
	if newSession(t).ownHandler("browser_click") != nil {
		t.Error("other tools have a handler")
	}
}

// reviving is a server whose browser has died: what it is asked for it does in another one.
type reviving struct {
	answering
	asked []string
}

func (a *reviving) Do(ctx context.Context, method string, params []byte) (jsonrpc.Message, error) {
	a.asked = append(a.asked, jsonrpc.StringMember(params, "name"))
	return a.answering.Do(ctx, method, params)
}

// PlayGuard's own tools look at the restored page too, with the elements as they are
// called there.
func TestElementsAfterADeath(t *testing.T) {
	s := newSpoken(t)
	r := s.row
	s.says(opened1, pages1)
	const seen = "### Page\n- Page URL: http://a.b/\n### Snapshot\n```yaml\n- button \"Buy\" [ref=REF]\n```"
	r.adopt(strings.ReplaceAll(seen, "REF", "e2"), false, reopened{})
	link := &reviving{answering: answering{text: strings.ReplaceAll(seen, "REF", "e5")}}
	s.link = link
	s.says(closed1)
	code := ""
	params := []byte(`{"name":"` + ElementsTool + `","arguments":{"targets":["[1]"],"function":"(arg) => 1"}}`)
	_, err := r.elements(t.Context(), &upstream.Call{Tool: ElementsTool, Params: params, Log: &calllog.Entry{}}, func(_ context.Context, params []byte) (jsonrpc.Message, error) {
		args, _ := jsonrpc.Member(params, "arguments")
		code = jsonrpc.StringMember(args, "code")
		return toolText("### Result\n[1]")
	})
	if err != nil || len(link.asked) == 0 || !strings.Contains(code, `"0":"aria-ref=e5"`) {
		t.Errorf("%q were asked of the server, and then %s was sent (%v)", link.asked, code, err)
	}
}
