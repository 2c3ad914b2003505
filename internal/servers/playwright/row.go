package playwright

// A call's way through the row: what is asked, remembered, sent on and rewritten.

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/project"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/upstream"
)

// The tools that PlayGuard has rules of their own for.
const (
	snapshotTool = "browser_snapshot"
	tabsTool     = "browser_tabs"
	closeTool    = "browser_close"
)

// row is what PlayGuard knows of the browser in one session: which tabs there
// are, which element each handle stands for, and what the agent was last sent.
type row struct {
	config    *config.Config
	dirs      project.Dirs
	originals *store.Store
	log       *slog.Logger
	wantsCode bool // the user asked for the code that upstream ran
	now       func() time.Time
	sleep     func(context.Context, time.Duration) error

	mu      sync.Mutex
	numbers aria.Numbers
	pages   pages
	looks   int // in a row, without an action between
	calls   int // so far
	flying  int // of them under way
	looked  look

	evaluations evaluations
	prefetched  prefetched

	recovery *recovery
}

// look is the last plain browser_snapshot that the browser answered, for one that
// follows at once.
type look struct {
	at   time.Time
	call int    // its number
	text string // what the agent got, if that was a whole view
}

func newRow(o Options) *row {
	c := o.Config
	asked := flags{args: slices.Concat(c.PlaywrightCmd, c.PlaywrightArgs), env: o.Environment, file: readConfigFile(c.PlaywrightArgs, o.Environment, o.Dirs.Root)}
	r := &row{
		wantsCode: c.KeepCodegen || asked.given("codegen") || asked.file.Codegen != "",
		config:    o.Config, dirs: o.Dirs, originals: o.Originals, log: o.Log, now: time.Now, sleep: sleep}
	r.recovery = newRecovery(r, o.StateDir)
	return r
}

// handler returns the code for one tool: every browser tool's calls run through
// the row, since any may take a handle or answer with a view.
func (r *row) handler(tool string) upstream.Handler {
	if !strings.HasPrefix(tool, "browser_") {
		return nil
	}
	return r.handle
}

func (r *row) handle(ctx context.Context, call *upstream.Call, next upstream.Next) (jsonrpc.Message, error) {
	observe(call)
	r.enter()
	defer r.leave()
	next = r.recovery.guarded(call, next)
	call, note, refusal := r.screenshotPolicy(call)
	if refusal != "" {
		return toolError(refusal)
	}
	asked, refusal := r.prepare(call)
	if refusal != "" {
		return toolError(refusal)
	}
	asked.note = note
	if refusal = r.verifyTab(ctx, call, &asked, next); refusal != "" {
		return toolError(refusal)
	}
	if text, ok := r.remembered(call, asked); ok {
		call.Log.CacheHit, call.Log.KeptBytes = true, len(text)
		return toolText(text)
	}
	if resp, ok := r.foreseen(call, asked); ok {
		asked.foreseen = true
		resp, err := r.answer(resp, call, asked)
		call.Log.RawBytes = 0 // upstream sent nothing
		return resp, err
	}
	if result, ok := r.evaluated(call, asked); ok {
		return jsonrpc.Parse(jsonrpc.NewResult([]byte("0"), result))
	}
	changed := r.changing(call)
	resp, err := next(ctx, asked.params)
	if err == nil && !resp.Error.Present() {
		resp, err = r.relooked(ctx, resp, call, &asked, next)
	}
	changed()
	if err != nil || resp.Error.Present() {
		return resp, err
	}
	asked.note, resp = r.recovery.noted(asked.note, resp)
	if resp, err = r.settled(ctx, resp, call, &asked, next); err != nil {
		return resp, err
	}
	r.foresee(resp, call, asked)
	if resp, err = r.pixels(resp, call); err != nil {
		return resp, err
	}
	r.noteClosing(resp, call)
	if said, silent := r.saysNothing(resp, call); silent {
		return r.answerSilent(ctx, resp, said, call, asked, next)
	}
	resp, err = r.answer(resp, call, asked)
	if asked.partial && !asked.raw {
		r.restoreRefs(ctx, next)
	}
	return resp, err
}

func (r *row) enter() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flying++
}

func (r *row) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flying--
}

// narrow turns a look at an element that has a handle into a filter on the whole
// page, which leaves upstream's other refs alone. Called with mu.
func (r *row) narrow(asked *request) {
	if !asked.partial || asked.raw || asked.file {
		return
	}
	target := word(asked.args, targetParam)
	if found, ok := r.numbers.Resolve(target); ok && found.Ref != "" {
		asked.partial = false
		asked.filter.Around = target
		asked.args = jsonrpc.DeleteMember(asked.args, targetParam)
	}
}

// restoreRefs takes a whole look after a partial one, so that upstream knows all
// refs again. That it fails shows at the next call.
func (r *row) restoreRefs(ctx context.Context, next upstream.Next) {
	_, _ = next(ctx, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`))
}

// prepare counts the call, takes PlayGuard's own parameters out of it and maps
// its handles. A refusal is the text that answers it instead.
func (r *row) prepare(call *upstream.Call) (asked request, refusal string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	call.Log.SnapCount = r.countLook(call.Tool)
	asked = readRequest(r.config, call)
	asked.number = r.calls
	r.narrow(&asked)
	args, refusal := r.mapHandles(call.Tool, asked.args)
	asked.mapped = string(args) != string(asked.args)
	if len(args) != len(call.Arguments()) || string(args) != string(call.Arguments()) {
		asked.params = jsonrpc.SetMember(call.Params, "arguments", args)
	}
	return asked, refusal
}

// countLook returns how many looks in a row a call makes, 0 for one that is no
// look.
func (r *row) countLook(tool string) int {
	switch tool {
	case snapshotTool:
		r.looks++
		return r.looks
	case "browser_console_messages", "browser_network_requests", "browser_network_request", "browser_find", "browser_take_screenshot":
		return 0 // reads that change nothing
	}
	r.looks = 0
	return 0
}

// answer rewrites the text of a response. What is not understood passes as it
// is.
func (r *row) answer(resp jsonrpc.Message, call *upstream.Call, asked request) (jsonrpc.Message, error) {
	result := resp.Bytes(resp.Result)
	texts := mcp.Texts(result)
	for _, t := range texts {
		call.Log.RawBytes += len(t.Text)
	}
	call.Log.KeptBytes = call.Log.RawBytes
	call.Log.ScreenshotBytes = mcp.ImageBytes(result)
	if len(texts) == 0 {
		return resp, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	failed := mcp.IsError(result)
	text, _ := r.rewrite(texts[0].Text, failed, call, asked)
	if !failed {
		text = r.noted(text, call, asked)
	}
	if text != texts[0].Text {
		call.Log.KeptBytes += len(text) - len(texts[0].Text)
		result = mcp.ReplaceText(result, texts[0], text)
	}
	r.remember(result, texts[0].Text, call, asked)
	if text == texts[0].Text {
		return resp, nil
	}
	return upstream.WithResult(resp, result)
}

// rewrite returns what the agent gets for one answer, and whether that is
// another text. Called with mu.
func (r *row) rewrite(text string, failed bool, call *upstream.Call, asked request) (string, bool) {
	switch {
	case failed && strings.HasPrefix(text, "[PlayGuard]"):
		return text, false // PlayGuard's own
	case failed:
		return r.explain(text)
	case opaque[call.Tool]:
		return text, false
	case call.Tool == "browser_find":
		return r.mapFound(text)
	}
	a, ok := parseAnswer(text)
	if !ok {
		call.Log.ParseSkip = "its sections are not known"
		return text, false
	}
	if !a.hasPage {
		return r.withoutPage(a, text, call)
	}
	page := r.pages.see(a)
	r.forgetClosed()
	if call.Tool == evaluateTool {
		r.evaluations.results = nil // the page has something new to tell
	}
	page.visited(a.url, call.Tool)
	if a.inline || a.file != "" {
		page.before = nil // the agent is shown the refs that there are now
	}
	views := r.config.Compact && r.config.ActionView == config.ActionView
	switch {
	case len(a.modals) > 0 && views && !a.inline && call.Tool != evaluateTool:
		// The page stands still behind the dialog and has no view; what it shows
		// comes with the answer that closes it.
		return joinLines(r.notes(a, page, call.Tool)), true
	case asked.file:
		return text, false
	case a.inline && call.Tool == snapshotTool:
		return r.look(a, text, page, call, asked)
	case a.inline && r.config.Compact:
		if asked.before != nil {
			a.head, a.events = asked.before.head, slices.Concat(asked.before.events, a.events)
		}
		return r.act(a, text, page, call)
	case a.file != "" && views:
		if call.Tool == tabsTool {
			a.head = "" // the tabs are listed with every view
		}
		return r.act(a, text, page, call)
	}
	return r.cut(a, text, call)
}

// opaque are tools whose answers hold text of the page as it is, in which anything
// may imitate a section.
var opaque = map[string]bool{
	"browser_console_messages": true, "browser_network_requests": true, "browser_network_request": true,
}

// withoutPage handles answers that are not about the page's content.
func (r *row) withoutPage(a answer, text string, call *upstream.Call) (string, bool) {
	if tabs, ok := listedTabs(text); ok && call.Tool == tabsTool {
		r.pages.arrange(tabs)
		r.forgetClosed()
	}
	return r.cut(a, text, call)
}

// viewOptions are the options of a view under the configuration.
func (r *row) viewOptions() aria.Options {
	o := ViewOptions(r.config.Text, r.config.Format, false)
	o.Refs = r.config.Refs == config.RefsUpstream
	if r.config.Handles == config.HandlesAction {
		o.Handles = aria.HandlesAction
	}
	return o
}

// identify numbers the elements of a page that was just seen.
func (r *row) identify(page *page, a answer, tree *aria.Tree) {
	r.numbers.Identify(r.pages.key(page), tree, aria.IdentifyOptions{Carry: sameAddress(page.url, a.url), From: page.from})
	page.from = ""
}

// sameAddress reports whether two URLs show the same document, reloaded maybe.
func sameAddress(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}

func toolError(text string) (jsonrpc.Message, error) {
	return jsonrpc.Parse(jsonrpc.NewResult([]byte("0"), mcp.ErrorResult(text)))
}

func toolText(text string) (jsonrpc.Message, error) {
	return jsonrpc.Parse(jsonrpc.NewResult([]byte("0"), mcp.TextResult(text)))
}
