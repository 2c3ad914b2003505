package playwright

// Noticing that something has died: from the watching script, from an error, or
// from an answer that comes from a browser that nobody asked for.

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// What dies, as the log has it.
const (
	diedBrowser = "browser"
	diedPage    = "page"
	diedServer  = "server"
	diedHang    = "hang"
	// diedConnection is that to a browser that is not PlayGuard's.
	diedConnection = "connection"
)

// How it is noticed, as the log has it.
const (
	byWatch    = "watch"
	byAnswer   = "answer"
	byEnd      = "end"
	byDeadline = "deadline"
)

// death is what has died under a call.
type death struct {
	what    string
	noticed string
	unsent  bool // the call was never written
	without bool // the call had certainly no effect on the page, nor elsewhere
}

// phrase is how a sentence calls what has died.
func (d death) phrase() string {
	switch d.what {
	case diedPage:
		return "The page crashed"
	case diedServer:
		return "Playwright MCP ended"
	case diedConnection:
		return "The connection to the browser broke"
	case diedHang:
		return "The browser hung and was ended"
	}
	return "The browser died"
}

// deadWords are upstream's errors when a page, the browser or the connection to
// it is gone.
var deadWords = regexp.MustCompile(`(?i)Target.*(?:closed|crashed)|Browser.*(?:closed|disconnected)|connect ECONNREFUSED|crashed|No open pages available|Page status: crashed`)

// pulseLimit is how long a living browser may take to name its cookies, on a
// machine that is busy.
const pulseLimit = 5 * time.Second

// pulse asks the browser for something that needs no page.
func (v *recovery) pulse(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, pulseLimit)
	defer cancel()
	return v.watch.Pulse(limited)
}

// watchPatience is how long the script's word is waited for when an error says
// that something is gone: they come by different ways.
const watchPatience = 500 * time.Millisecond

// diagnose says whether something has died under a call. Only what certainly has
// counts: an error's words may be a page's own.
func (v *recovery) diagnose(ctx context.Context, c *sent, resp jsonrpc.Message, err error) (death, bool) {
	var failure *upstream.Error
	switch {
	case errors.As(err, &failure):
		switch failure.Reason {
		case upstream.Ended:
			return death{diedServer, byEnd, !failure.Sent, !failure.Sent}, true
		case upstream.Hung:
			return death{diedHang, byDeadline, !failure.Sent, !failure.Sent}, true
		}
		return death{}, false
	case err != nil || resp.Error.Present() || c.tool == closeTool || ctx.Err() != nil:
		return death{}, false
	}
	text, failed := answerText(resp)
	if v.watching() {
		return v.watched(ctx, c, text, failed)
	}
	return v.guessed(ctx, c, text, failed)
}

func answerText(resp jsonrpc.Message) (text string, failed bool) {
	result := resp.Bytes(resp.Result)
	if texts := mcp.Texts(result); len(texts) > 0 {
		text = texts[0].Text
	}
	return text, mcp.IsError(result)
}

// watched compares an answer with what the script knows.
func (v *recovery) watched(ctx context.Context, c *sent, text string, failed bool) (death, bool) {
	what, blank := v.deadSince(c), answerIsBlank(text)
	if what == "" && !failed && blank && !c.blank && c.shows() && v.pulse(ctx) == nil {
		what = v.deadSince(c) // what the script had said before the answer is known now
	}
	if what == "" && failed {
		// A dying browser has many errors, that of an unknown ref among them.
		switch err := v.pulse(ctx); {
		case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
			v.link.Recycle()
			return death{what: diedHang, noticed: byDeadline}, true
		case err != nil || deadWords.MatchString(head(text)):
			what = v.awaitDeath(ctx)
		default:
			what = v.deadSince(c) // all that the script had said before is known now
		}
	}
	if what == "" {
		return death{}, false
	}
	d := death{what: what, noticed: byWatch}
	replaced := v.otherBrowser(c)
	// In the browser that the call was sent to, an empty page may have come after
	// what the call has done; only that of another browser proves something.
	d.without = blank && replaced && c.shows() && c.kind != escapes
	switch {
	case failed:
		d.without = d.without || refusesTarget(text, c.tool, c.args)
		return d, true
	case blank && !c.blank && c.shows(), replaced:
		// It was answered without the session, and done who knows where.
		return d, true
	case c.kind.repeatable() && v.replacedSince(c), v.undone(c):
		return d, true
	}
	// It was answered before the death; the next call finds out.
	return death{}, false
}

// shows reports whether the page that a call was sent to was not an empty one.
func (c *sent) shows() bool {
	return c.current < len(c.tabs) && c.tabs[c.current] != "about:blank" && c.tabs[c.current] != ""
}

// otherBrowser reports whether upstream works on another browser context than
// the one that a call was sent to.
func (v *recovery) otherBrowser(c *sent) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.otherBrowserLocked(c)
}

// otherBrowserLocked is otherBrowser, called with mu.
func (v *recovery) otherBrowserLocked(c *sent) bool {
	s := v.watch.State()
	return c.context != "" && s.Context != c.context || s.Alive && s.Context != v.ours
}

// guessed goes by the answer alone, with upstream asked once more where that can
// mean two things. Whether an empty page is that of another browser, or has come
// after a crash of the page that the call worked on, nothing tells here: it proves
// no call to be without effect.
func (v *recovery) guessed(ctx context.Context, c *sent, text string, failed bool) (death, bool) {
	if !v.expects() {
		return death{}, false
	}
	d := death{what: diedBrowser, noticed: byAnswer}
	if what := v.deadSince(c); what != "" && (failed || answerIsBlank(text) && !c.blank) {
		// Another call has noticed it before.
		d.what = what
		d.without = failed && refusesTarget(text, c.tool, c.args)
		return d, true
	}
	switch {
	case failed && strings.Contains(text, "### Modal state"):
		return death{}, false
	case failed && deadWords.MatchString(head(text)):
		if strings.Contains(head(text), "crashed") {
			d.what = diedPage
		}
		return d, v.blankNow(ctx)
	case failed:
		d.without = refusesTarget(text, c.tool, c.args)
		return d, v.blankNow(ctx)
	case answerIsBlank(text) && !c.blank:
		return d, v.blankNow(ctx)
	}
	return death{}, false
}

// head is an error's own first lines; what follows may be a page's.
func head(text string) string {
	lines := strings.SplitN(text, "\n", 4)
	return strings.Join(lines[:min(3, len(lines))], "\n")
}

// blankTab is a list of tabs with nothing but an empty one.
var blankTab = regexp.MustCompile(`^### Result\n- 0: \(current\) \[[^\n]*\]\(about:blank\)(?:\n### |$)`)

// answerIsBlank reports whether an answer comes from an empty page.
func answerIsBlank(text string) bool {
	if a, ok := parseAnswer(text); ok && a.hasPage {
		return a.url == "about:blank"
	}
	return blankTab.MatchString(text)
}

// blankNow asks whether the browser shows an empty page that nothing led to: a
// new one's history has one entry, that of a page that went there has more.
func (v *recovery) blankNow(ctx context.Context) bool {
	for range 2 { // the first call after a death may only report it
		list, failed, err := v.ask(ctx, tabsTool, `{"action":"list"}`)
		if err != nil {
			return true
		}
		if failed {
			continue
		}
		if !blankTab.MatchString(list) {
			return false
		}
		length, failed, err := v.ask(ctx, evaluateTool, `{"function":"() => history.length"}`)
		return err != nil || failed || strings.HasPrefix(length, "### Result\n1\n") || length == "### Result\n1"
	}
	return true
}

// askTwice is ask for what may be asked twice: what has gone wrong in the server beside
// a call, as when a page crashed, comes as an error with the next answer (0.0.83).
func (v *recovery) askTwice(ctx context.Context, tool, args string) (text string, failed bool, err error) {
	text, failed, err = v.ask(ctx, tool, args)
	if err == nil && failed && !deadWords.MatchString(head(text)) {
		return v.ask(ctx, tool, args)
	}
	return text, failed, err
}

// ask calls a tool for PlayGuard itself.
func (v *recovery) ask(ctx context.Context, tool, args string) (text string, failed bool, err error) {
	resp, err := v.link.Do(ctx, mcp.ToolsCall, []byte(`{"name":"`+tool+`","arguments":`+args+`}`))
	if err != nil {
		return "", false, err
	}
	if resp.Error.Present() {
		return jsonrpc.StringMember(resp.Bytes(resp.Error), "message"), true, nil
	}
	text, failed = answerText(resp)
	return text, failed, nil
}
