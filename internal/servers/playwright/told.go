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

// failureOf is what upstream said when something died under a call. A good answer
// says nothing of that.
func failureOf(resp jsonrpc.Message, err error) error {
	if err != nil {
		return err
	}
	text, failed := answerText(resp)
	if !failed {
		return errors.New("its answer came from another page")
	}
	return errors.New(errorText(text))
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
	text := cause.Error()
	var ended *upstream.Error
	if errors.As(cause, &ended) {
		plain := *ended
		plain.Sent = false // that call may have been one of PlayGuard's own
		text = strings.Replace(text, ended.Error(), plain.Error(), 1)
	}
	text = strings.TrimRight(text, ". \n")
	out := fmt.Sprintf("[PlayGuard] %s, and again when the session was restored: %s.", d.phrase(), strings.TrimPrefix(text, "[PlayGuard] "))
	if remedy := remedyFor(text); remedy != "" {
		out += " " + remedy
	} else {
		out += " `playguard setup` installs what is missing and looks for a browser; browser_navigate to another page may help if it is the page that crashes."
	}
	out += fmt.Sprintf(" A call after %s tries again.", backoff)
	if lines := v.link.Stderr(); len(lines) > 0 && !strings.Contains(text, "stderr:") {
		out += "\nIts last lines on stderr:\n" + strings.Join(lines, "\n")
	}
	return errors.New(out)
}

// withOutcome puts what is known of an action before the error of a session that could
// not be restored.
func withOutcome(err error, c *sent, d death) error {
	rest, ours := strings.CutPrefix(err.Error(), "[PlayGuard] ")
	switch {
	case !ours || c.kind.repeatable() || c.tool == closeTool:
		return err
	case d.unsent || d.without:
		return fmt.Errorf("[PlayGuard] %s was not done. %s", c.tool, rest)
	}
	return fmt.Errorf("[PlayGuard] Whether %s took effect is unknown: check before you repeat it. %s", c.tool, rest)
}

// unknown is what the agent is told of a call that is not sent again, with the reason
// where that is not what the call is.
func (v *recovery) unknown(c *sent, d death, why string) string {
	v.mu.Lock()
	url, meant := v.done.url, v.done.meant
	v.notice = false // this says it
	unopened, loss := v.unopenedLocked(), v.lossLocked()
	if loss == "" && v.lacks(c, place) {
		loss = inputLost // it was said to another call
	}
	v.tellLoss(true)
	loss = strings.TrimPrefix(loss+v.lostNote(), "; ")
	v.mu.Unlock()
	text := fmt.Sprintf("[PlayGuard] %s during %s. ", d.phrase(), c.tool)
	switch {
	case c.kind == reading:
		text += "It only reads and may be repeated."
	case c.kind.repeatable() && c.tool != tabsTool: // the index may mean another tab now
		text += "It may be repeated: done twice it does no harm."
	case d.without && why != "":
		text += "It had no effect."
	case d.without:
		text += "It had no effect and was not repeated (PLAYGUARD_REPLAY)."
	default:
		text += "Whether it took effect is unknown: check before you repeat it."
	}
	text += why
	if url != "" {
		text += " Restored: "
		if meant != "" {
			text += meant + ", which leads to " + url + " now"
		} else {
			text += url
		}
		if loss != "" {
			text += " (" + loss + ")"
		}
		text += "."
	}
	for _, u := range unopened {
		text += " " + u.URL + " could not be opened again: " + u.Reason + "."
	}
	return text
}

// told answers a call with an error of PlayGuard's and the page as it is now, or the
// dialog that it has opened.
func (v *recovery) told(ctx context.Context, call *upstream.Call, text string, next upstream.Next) (jsonrpc.Message, error) {
	resp, err := next(ctx, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`))
	if err != nil || resp.Error.Present() {
		return toolError(text)
	}
	if said, failed := answerText(resp); failed {
		if _, modal, ok := strings.Cut(said, "### Modal state\n"); ok {
			text += "\n" + modal
		}
		return toolError(text)
	}
	look := *call
	look.Tool, look.Params = snapshotTool, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`)
	asked := readRequest(v.row.config, &look)
	asked.full = true
	if seen, err := v.row.answer(resp, &look, asked); err == nil {
		view, _ := answerText(seen)
		text += "\n" + view
	}
	return toolError(text)
}

// noted puts the notice of a restoration to what an answer is told besides, once. To
// an error it is put as well, and then to the next answer again.
func (v *recovery) noted(note string, resp jsonrpc.Message) (string, jsonrpc.Message) {
	result := resp.Bytes(resp.Result)
	texts := mcp.Texts(result)
	if !mcp.IsError(result) {
		return joinLines([]string{note, v.noticeOf(true)}), resp
	}
	if len(texts) == 0 || strings.HasPrefix(texts[0].Text, "[PlayGuard]") { // PlayGuard's own, which says it
		return note, resp
	}
	if notice := v.noticeOf(false); notice != "" {
		text := strings.TrimRight(texts[0].Text, "\n") + "\n" + notice
		if with, err := upstream.WithResult(resp, mcp.ReplaceText(result, texts[0], text)); err == nil {
			resp = with
		}
	}
	return note, resp
}

// noticeOf is the notice of a restoration that has not been said, empty without one.
// last says that no answer behind this one need say it.
func (v *recovery) noticeOf(last bool) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	unopened := ""
	for _, u := range v.unopenedLocked() {
		unopened = u.URL + " could not be opened again: " + u.Reason + "; the next call tries again"
	}
	if !v.notice {
		if unopened == "" {
			return ""
		}
		return "[PlayGuard: " + unopened + "]"
	}
	said, loss := unopened, v.lossLocked()
	if said == "" && v.done.meant != "" {
		said = v.done.meant + " leads to " + v.done.url + " now"
	}
	switch {
	case said != "" && loss != "":
		said += "; " + loss
	case said != "":
	case loss == inputLost:
		said = "restored, " + loss
	default:
		said = orElse(loss, "restored")
	}
	v.tellLoss(last)
	v.notice = !last
	what := v.done.phrase()
	return "[PlayGuard: " + strings.ToLower(what[:1]) + what[1:] + "; " + said + v.othersUnopened() + v.lostNote() + "]"
}
