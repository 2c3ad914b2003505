package playwright

// A tab whose address could not be opened again: its calls try once more, and
// nothing is done on the page that stands there instead.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/playguard/playguard/internal/servers/playwright/watch"
	"github.com/playguard/playguard/internal/upstream"
)

// retryLimit bounds one more try to open a tab; the script waits less.
const retryLimit = 30 * time.Second

// unopenedLocked is the current tab if it does not show its address, as a list of
// at most one. Called with mu.
func (v *recovery) unopenedLocked() []watch.Unopened {
	for _, u := range v.allUnopenedLocked() {
		if u.At == v.current {
			return []watch.Unopened{u}
		}
	}
	return nil
}

// allUnopenedLocked are all tabs that do not show their addresses. Called with mu.
func (v *recovery) allUnopenedLocked() []watch.Unopened {
	if v.ours == "" || !v.watching() {
		return nil
	}
	if s := v.watch.State(); s.Context == v.ours && s.Alive {
		return s.Unopened
	}
	return nil
}

// othersUnopened says which tabs beside the current one do not show their addresses,
// as a sentence goes on with it. Called with mu.
func (v *recovery) othersUnopened() string {
	out := ""
	for _, u := range v.allUnopenedLocked() {
		if u.At != v.current {
			out += fmt.Sprintf("; tab %d is empty, %s could not be opened again: %s", u.At, u.URL, u.Reason)
		}
	}
	return out
}

// unopened says which address the current tab could not be opened at, and why;
// empty if it shows what it is to show.
func (v *recovery) unopened() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, u := range v.unopenedLocked() {
		return u.URL + " could not be opened again: " + u.Reason
	}
	return ""
}

// missing reports whether a tab does not show its address in the browser where the
// tabs have these places.
func (v *recovery) missing(tab int, places []int) bool {
	return v.watching() && tab < len(places) && slices.ContainsFunc(v.watch.State().Unopened, func(u watch.Unopened) bool { return u.At == places[tab] })
}

// leavesTab reports whether a call does not need the page of the current tab.
func leavesTab(c *sent) bool {
	return c.kind == navigates || c.tool == tabsTool || c.tool == closeTool
}

// openTab tries again to open the current tab for a call that came since the last
// try. A refusal is for a call that must not meet another page than its own, and for
// one whose answer does not say that it comes from there.
func (v *recovery) openTab(ctx context.Context, c *sent, call *upstream.Call) (refusal string) {
	if v.unopened() == "" || leavesTab(c) {
		return ""
	}
	if call.Place != nil {
		call.Place() // else nothing is read from the client meanwhile
	}
	select {
	case v.opening <- struct{}{}: // one call tries for all
		defer func() { <-v.opening }()
	case <-ctx.Done():
		return "" // nobody waits for the answer any more
	}
	v.mu.Lock()
	at, due := v.current, c.number > v.tried && len(v.unopenedLocked()) > 0
	v.mu.Unlock()
	if due {
		limited, cancel := context.WithTimeout(ctx, retryLimit)
		defer cancel()
		if err := v.watch.Retry(limited, at); err != nil {
			v.row.log.Warn("a tab could not be opened again", "reason", err.Error())
		}
		v.mu.Lock()
		v.tried = v.last
		v.mu.Unlock()
	}
	said := v.unopened()
	switch {
	case said == "" && due:
		v.look(ctx)
	case said != "" && (c.kind != reading || call.Tool == ElementsTool):
		return "[PlayGuard] " + c.tool + " was not done: " + said + ". The next call tries again."
	}
	return ""
}

// look takes in the page of the current tab, which could be opened at last. The others
// are as they were.
func (v *recovery) look(ctx context.Context) {
	text, failed, err := v.askTwice(ctx, snapshotTool, `{}`)
	if err != nil {
		return
	}
	v.mu.Lock()
	tabs := reopened{urls: slices.Clone(v.tabs), kept: make([]bool, len(v.tabs)), same: true}
	for i := range tabs.kept {
		tabs.kept[i] = i != v.current
	}
	v.mu.Unlock()
	v.row.adopt(text, failed, tabs)
}
