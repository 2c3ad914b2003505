package playwright

// What the agent and the log are told of a recovery.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// failureText is what upstream said when something died under a call. A good answer
// says nothing of that.
func failureText(resp jsonrpc.Message, err error) string {
	if err != nil {
		return err.Error()
	}
	text, failed := answerText(resp)
	if !failed {
		return "its answer came from another page"
	}
	return errorText(text)
}

// enter writes into a call's line of the log what was restored for it. Called
// with mu.
func (v *recovery) enter(call *upstream.Call) {
	r := v.done
	if r.what == "" {
		return
	}
	l := call.Log
	l.Revived, l.Died, l.Noticed = true, r.what, r.noticed
	l.RestoredTabs, l.RestoredState = r.tabs, r.state
	l.RecoveryMS = float64(r.took.Microseconds()) / 1000
}

// explained is the error of a session that could not be restored.
func (v *recovery) explained(d death, cause error, backoff time.Duration) error {
	text := strings.TrimRight(cause.Error(), ". \n")
	out := fmt.Sprintf("[PlayGuard] %s, and again when the session was restored: %s.", d.phrase(), strings.TrimPrefix(text, "[PlayGuard] "))
	if remedy := remedyFor(text); remedy != "" {
		out += " " + remedy
	} else {
		out += " `playguard doctor` checks the installation; browser_navigate to another page may help if it is the page that crashes."
	}
	out += fmt.Sprintf(" A call after %s tries again.", backoff)
	if lines := v.link.Stderr(); len(lines) > 0 && !strings.Contains(text, "stderr:") {
		out += "\nIts last lines on stderr:\n" + strings.Join(lines, "\n")
	}
	return errors.New(out)
}

// unknown is what the agent is told of a call that is not sent again.
func (v *recovery) unknown(c *sent, d death) string {
	v.mu.Lock()
	url := v.done.url
	v.notice = false // this says it
	unopened, lost := v.unopenedLocked(), v.inputNote()+v.lostNote()
	v.mu.Unlock()
	text := fmt.Sprintf("[PlayGuard] %s during %s. ", d.phrase(), c.tool)
	if d.without {
		text += "It had no effect and was not repeated (PLAYGUARD_REPLAY)."
	} else {
		text += "Whether it took effect is unknown: check before you repeat it."
	}
	if url != "" {
		text += " Restored: " + url + " (" + lost + ")."
	}
	for _, u := range unopened {
		text += " " + u.URL + " could not be opened again: " + u.Reason + "."
	}
	return text
}

// inputNote says what has become of what was on the pages themselves. Called with mu.
func (v *recovery) inputNote() string {
	if v.done.kept {
		return "the pages are as they were"
	}
	return "form input and scroll position are lost"
}

// told answers a call with an error of PlayGuard's and the page as it is now.
func (v *recovery) told(ctx context.Context, call *upstream.Call, text string, next upstream.Next) (jsonrpc.Message, error) {
	resp, err := next(ctx, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`))
	if err == nil && !resp.Error.Present() && !mcp.IsError(resp.Bytes(resp.Result)) {
		look := *call
		look.Tool, look.Params = snapshotTool, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`)
		asked := readRequest(v.row.config, &look)
		asked.full = true
		if seen, err := v.row.answer(resp, &look, asked); err == nil {
			view, _ := answerText(seen)
			text += "\n" + view
		}
	}
	return toolError(text)
}

// noted puts the notice of a restoration, once, to what an answer is told besides.
func (v *recovery) noted(note string, resp jsonrpc.Message) string {
	if mcp.IsError(resp.Bytes(resp.Result)) {
		return note
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	lost := ""
	for _, u := range v.unopenedLocked() {
		lost = u.URL + " could not be opened again: " + u.Reason + "; the next call tries again"
	}
	if !v.notice {
		if lost != "" {
			note = joinLines([]string{note, "[PlayGuard: " + lost + "]"})
		}
		return note
	}
	v.notice = false
	what := v.done.phrase()
	return joinLines([]string{note, "[PlayGuard: " + strings.ToLower(what[:1]) + what[1:] + "; " + orElse(lost, "restored, "+v.inputNote()) + v.lostNote() + "]"})
}
