package playwright

// Running a function on elements of the page for PlayGuard's own tools, in one
// call of the server whatever the number of elements.

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// ElementsTool is what PlayGuard's own tools call; the server has no such tool.
// Arguments: targets, a list of handles, refs and selectors; function, in
// JavaScript; param, anything. The function only reads; it runs in the page, once in each frame
// that a handle is in, with one argument {found, index, param}: found[k] is the
// element of target index[k], or null for a CSS selector, which the function
// looks up itself. It returns a list with an entry for each of index. The result
// is the entries of all targets as JSON, {"error": "…"} for a handle that stands
// for nothing.
const ElementsTool = "playguard_elements"

// ownHandler returns the code for calls by PlayGuard's own tools.
func (r *row) ownHandler(tool string) upstream.Handler {
	if tool != ElementsTool {
		return nil
	}
	return r.elements
}

func (r *row) elements(ctx context.Context, call *upstream.Call, next upstream.Next) (jsonrpc.Message, error) {
	args := call.Arguments()
	list, _ := jsonrpc.Member(args, "targets")
	param, ok := jsonrpc.Member(args, "param")
	if !ok {
		param = []byte("null")
	}
	function := jsonrpc.StringMember(args, "function")
	params := r.locate(list).call(function, param)
	// Whenever it is sent the handles are looked up, for it may have waited until a
	// page was restored, on which the elements have other refs.
	send := func(ctx context.Context, p []byte) (jsonrpc.Message, error) {
		if string(p) == string(params) {
			p = r.locate(list).call(function, param)
		}
		return next(ctx, p)
	}
	resp, err := r.recovery.guarded(call, send)(ctx, params)
	if err != nil || resp.Error.Present() {
		return resp, err
	}
	result := resp.Bytes(resp.Result)
	texts := mcp.Texts(result)
	if len(texts) == 0 || mcp.IsError(result) {
		return resp, nil
	}
	a, _ := parseAnswer(texts[0].Text) // without a page all of it is the head
	// Other sections may stand around it; JSON has no line that begins like one.
	_, value, ok := strings.Cut("\n"+a.head, "\n### Result\n")
	value, _, _ = strings.Cut(value, "\n### ")
	if !ok {
		return resp, fmt.Errorf("the answer of Playwright MCP to a script is not understood: %.200s", texts[0].Text)
	}
	return toolText(value)
}

// located is how the targets of one call are found.
type located struct {
	count    int
	locators map[int]string // by Playwright: refs, and selectors of its own engines
	refused  map[int]string // why a handle can't be used
}

// ownEngine is a selector that only Playwright understands.
var ownEngine = regexp.MustCompile(`^(?:text|role|xpath|css|id|data-testid|internal:[a-z-]+)=|^//|^\.\.|>>`)

// locate maps handles to refs.
func (r *row) locate(list []byte) located {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := located{locators: map[int]string{}, refused: map[int]string{}}
	jsonrpc.Elements(list, func(value jsonrpc.Span) {
		i := l.count
		l.count++
		v := list[value.Start:value.End]
		ref, changed, refusal := r.refOf(v)
		text, err := jsonrpc.Unquote(ref)
		switch {
		case refusal != "":
			l.refused[i] = refusal
		case changed:
			l.locators[i] = "aria-ref=" + text
		case err == nil && ownEngine.MatchString(text):
			l.locators[i] = text
		}
	})
	return l
}

// call is the params of the one call that runs the function: where every target
// is a CSS selector a script in the page does, otherwise Playwright has to find
// the elements.
func (l located) call(function string, param []byte) []byte {
	tool, name, code := evaluateTool, "function", ""
	if len(l.locators)+len(l.refused) == 0 {
		found := strings.TrimSuffix(strings.Repeat("null,", l.count), ",")
		var index []string
		for i := range l.count {
			index = append(index, strconv.Itoa(i))
		}
		code = fmt.Sprintf("() => (%s)({found: [%s], index: [%s], param: %s})", function, found, strings.Join(index, ","), param)
	} else {
		tool, name = "browser_run_code_unsafe", "code"
		code = fmt.Sprintf(inFrames, object(l.locators), object(l.refused), l.count, function, param)
	}
	args := jsonrpc.SetMember(nil, name, jsonrpc.Quote(code))
	return jsonrpc.SetMember(jsonrpc.SetMember(nil, "name", jsonrpc.Quote(tool)), "arguments", args)
}

// inFrames runs a function in every frame that has a target. An element can be
// handed to a function of its own frame only.
const inFrames = `async (page) => {
  const locators = %s, refused = %s, out = [], frames = new Map();
  const add = (frame, i, found) => frames.set(frame, [...(frames.get(frame) || []), { i, found }]);
  for (let i = 0; i < %d; i++) {
    if (refused[i]) { out[i] = { error: refused[i] }; continue; }
    if (!locators[i]) { add(page.mainFrame(), i, null); continue; }
    try {
      const l = page.locator(locators[i]), n = await l.count();
      if (n !== 1) { out[i] = { error: n ? 'matches ' + n + ' elements: make it match one' : 'is not on the page any more' }; continue; }
      const h = await l.elementHandle({ timeout: 2000 });
      add(await h.ownerFrame(), i, h);
    } catch (e) { out[i] = { error: String(e.message).split('\n')[0] }; }
  }
  for (const [frame, list] of frames) {
    const part = await frame.evaluate(%s, { found: list.map((x) => x.found), index: list.map((x) => x.i), param: %s });
    list.forEach((x, k) => { out[x.i] = part[k]; });
  }
  return out;
}`

// object writes a map as JavaScript.
func object(m map[int]string) []byte {
	out := []byte("{}")
	for i, text := range m {
		out = jsonrpc.SetMember(out, strconv.Itoa(i), jsonrpc.Quote(text))
	}
	return out
}
