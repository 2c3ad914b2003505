package playwright

// Waiting a moment for a page that is not there yet.

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// navigations are the tools that bring another page.
var navigations = map[string]bool{"browser_navigate": true, "browser_navigate_back": true}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// settled looks again at a page that seems to be loading, a few times, and
// returns the answer with the last tree (smart wait).
func (r *row) settled(ctx context.Context, resp jsonrpc.Message, call *upstream.Call, asked *request, next upstream.Next) (jsonrpc.Message, error) {
	if !r.config.SmartWait || asked.file || asked.partial || call.Tool != snapshotTool && !(navigations[call.Tool] && r.config.Compact && r.config.ActionView == config.ActionView) {
		return resp, nil
	}
	text, ok := r.wholeAnswer(resp)
	for ok && r.seemsLoading(text) {
		if call.Log.Retried == r.config.SmartWaitRetries {
			if !asked.raw {
				asked.note = strings.TrimPrefix(asked.note+"\n[PlayGuard: the page still seems to be loading]", "\n")
			}
			break
		}
		call.Log.Retried++
		if err := r.sleep(ctx, r.config.SmartWaitEvery); err != nil {
			return resp, err
		}
		again, err := next(ctx, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`))
		if err != nil || again.Error.Present() {
			return resp, nil // the answer there is, is still one
		}
		later, fine := r.wholeAnswer(again)
		if !fine {
			return resp, nil
		}
		texts := mcp.Texts(resp.Bytes(resp.Result))
		text = withLook(texts[0].Text, later)
		if resp, err = upstream.WithResult(resp, mcp.ReplaceText(resp.Bytes(resp.Result), texts[0], text)); err != nil {
			return resp, err
		}
	}
	return resp, nil
}

// withLook is an answer with a later look in it. What it said of events stays.
func withLook(text, look string) string {
	a, _ := parseAnswer(text)
	b, _ := parseAnswer(look)
	var out strings.Builder
	if a.head != "" {
		out.WriteString(a.head + "\n")
	}
	out.WriteString(strings.TrimRight(look, "\n"))
	if len(a.events) > 0 {
		if len(b.events) == 0 {
			out.WriteString("\n### Events")
		}
		out.WriteString("\n- " + strings.Join(a.events, "\n- "))
	}
	return out.String()
}

// wholeAnswer returns the text of an answer with its tree in it, also when that
// was written to a file; false when there is none.
func (r *row) wholeAnswer(resp jsonrpc.Message) (string, bool) {
	result := resp.Bytes(resp.Result)
	texts := mcp.Texts(result)
	if len(texts) == 0 || mcp.IsError(result) {
		return "", false
	}
	text := texts[0].Text
	a, ok := parseAnswer(text)
	if !ok || len(a.modals) > 0 {
		return "", false
	}
	if a.file != "" {
		data, ok := r.readOutput(a.file)
		if !ok {
			return "", false
		}
		link := "\n- [Snapshot](" + a.file + ")"
		at := strings.LastIndex(text, link)
		return text[:at] + "\n```yaml\n" + data + "\n```" + text[at+len(link):], true
	}
	return text, a.inline
}

var (
	loadingWord = regexp.MustCompile(`(?i)\b(?:loading|please wait|spinner|skeleton)\b|(?m:^\s*- '?progressbar\b)`)
	controlLine = regexp.MustCompile(`(?m)^\s*- '?(?:([a-z]+)\b)?.*\[ref=.*$`)
)

// seemsLoading reports whether an answer's tree has few controls and something
// that says that more is to come.
func (r *row) seemsLoading(text string) bool {
	_, tree, ok := strings.Cut(text, "\n```yaml\n")
	if !ok {
		return false
	}
	tree, _, _ = strings.Cut(tree, "\n```")
	if !loadingWord.MatchString(tree) {
		return false
	}
	controls := 0
	for _, m := range controlLine.FindAllStringSubmatch(tree, -1) {
		if controlRoles[m[1]] || strings.Contains(m[0], "[cursor=pointer]") {
			controls++
		}
	}
	return controls < r.config.SmartWaitControls
}
