package playwright

// What is known of the browser's tabs between the calls.

import (
	"slices"
	"strings"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/servers/playwright/watch"
)

// sending notes the tabs as they are before a call.
func (v *recovery) sending(c *sent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.active++
	c.tabs, c.ids, c.current, c.restores, c.context = slices.Clone(v.tabs), slices.Clone(v.ids), v.current, v.restores, v.ours
	c.tab = v.tabLocked()
}

// tabLocked is what the script names the current tab, empty if that is not known. Called
// with mu.
func (v *recovery) tabLocked() string {
	if v.current < len(v.ids) && len(v.ids) == len(v.tabs) {
		return v.ids[v.current]
	}
	return ""
}

// isCurrent reports whether a tab, which may have been opened anew since it was named,
// is the current one. It is, where nothing tells which one that is. Called with mu.
func (v *recovery) isCurrent(tab string) bool {
	for range v.became { // no further, whatever the names are
		next, ok := v.became[tab]
		if !ok {
			break
		}
		tab = next
	}
	now := v.tabLocked()
	return tab == "" || now == "" || tab == now
}

// leftTab reports whether a call behind this one has made another tab the current one
// than that which this one was sent to: sent again, it would be done there.
func (v *recovery) leftTab(c *sent) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return c.tool != tabsTool && v.chosen > c.number && !v.isCurrent(c.tab)
}

// besides refuses a call whose elements are in another tab than the current one: one
// that was asked for beside it has changed that while it waited.
func (v *recovery) besides(c *sent) (refusal string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if c.named == "" || v.isCurrent(c.named) {
		return ""
	}
	return "[PlayGuard] " + c.tool + " was not done: what it names is in another tab. Select it with browser_tabs first."
}

// renameTabs notes what the script names the tabs that were opened anew. Called with mu.
func (v *recovery) renameTabs(ids []string, places []int) {
	for i, at := range places {
		if at < 0 || at >= len(v.ids) || i >= len(ids) || ids[i] == "" || ids[i] == v.ids[at] {
			continue
		}
		if v.became == nil {
			v.became = map[string]string{}
		}
		v.became[ids[i]] = v.ids[at]
	}
}

// takeTabs takes over the tabs as the script tells them. One that has crashed keeps
// its place until it is restored, although the server closes it when it is the
// current one and puts an empty one in its stead. Called with mu.
func (v *recovery) takeTabs(s watch.State) {
	if len(s.IDs) != len(s.Pages) {
		return
	}
	here := ""
	if v.current < len(v.ids) {
		here = v.ids[v.current]
	}
	pages, ids := s.Pages, s.IDs
	if len(s.Crashed) > 0 {
		pages, ids = nil, nil
		for i, id := range s.IDs {
			if s.Pages[i] != "about:blank" || slices.Contains(v.ids, id) {
				pages, ids = append(pages, s.Pages[i]), append(ids, id)
			}
		}
		for i, id := range v.ids {
			if at := min(i, len(ids)); slices.Contains(s.Lost, id) && !slices.Contains(ids, id) && i < len(v.tabs) {
				pages, ids = slices.Insert(pages, at, v.tabs[i]), slices.Insert(ids, at, id)
			}
		}
	}
	switch at := slices.Index(ids, here); {
	case at >= 0:
		v.current = at
	case s.Current >= 0 && s.Current < len(s.IDs) && slices.Contains(ids, s.IDs[s.Current]):
		v.current = slices.Index(ids, s.IDs[s.Current]) // the current one was closed
	default:
		v.current = min(v.current, max(0, len(ids)-1))
	}
	v.tabs, v.ids = pages, ids
}

// answered notes that a call is back, which may have changed the page.
func (v *recovery) answered(c *sent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.active--
	switch {
	case c.kind != reading || c.tool == "browser_wait_for": // what is waited for is a change
		v.touch()
	case v.dirty: // it could not be saved while the call was under way
		v.arm()
	}
}

// settle notes what an answer says of the tabs.
func (v *recovery) settle(c *sent, resp jsonrpc.Message, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if c.tool == closeTool {
		v.closing = false
	}
	if err != nil || resp.Error.Present() {
		return
	}
	text, failed := answerText(resp)
	if !failed {
		v.failures = 0
	}
	if c.tool == closeTool && !failed {
		v.dropLocked()
		return
	}
	if !failed {
		v.row.keepSettings(c.tool, c.args)
	}
	before := v.current
	if v.noteTabs(text); c.tool == tabsTool && v.current != before {
		v.chosen = c.number
	}
}

// drop forgets the session: the agent has closed the browser.
func (v *recovery) drop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dropLocked()
}

// dropLocked is drop, called with mu.
func (v *recovery) dropLocked() {
	v.generation++
	v.settings = contextSettings{}
	v.gone, v.ours, v.closing = orElse(v.ours, v.gone), "", false
	v.tabs, v.ids, v.current, v.presumed, v.failures, v.done, v.notice = nil, nil, 0, "", 0, restored{}, false
	v.saved.forget()
}

// nothingToClose reports whether the browser that the agent closes is dead
// already; then there is nothing to restore either.
func (v *recovery) nothingToClose() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closing = false
	dead := v.deadLocked() != ""
	v.closing = !dead
	if dead {
		v.dropLocked()
	}
	return dead
}

// noteTabs takes the tabs from an answer: their URLs where no script tells them,
// and the current one. Called with mu.
func (v *recovery) noteTabs(text string) {
	a, ok := parseAnswer(text)
	list := a.tabs
	if !ok {
		return
	}
	if !a.hasPage {
		if list, ok = listedTabs(text); !ok {
			return
		}
	}
	if len(list) == 0 {
		list = []tab{{current: true, url: a.url}}
	}
	if v.watching() && len(v.tabs) > 0 && len(list) == len(v.tabs) || !v.watching() {
		v.tabs = v.tabs[:0:0]
		for i, t := range list {
			v.tabs = append(v.tabs, v.meant(i, t.url))
			if t.current {
				v.current = i
			}
		}
		return
	}
	for i, t := range list {
		if t.current {
			v.current = i
		}
	}
}

// meant is the address of a tab that an answer lists. The script knows better of
// one that shows an error page or nothing yet. Called with mu.
func (v *recovery) meant(at int, url string) string {
	if url != "about:blank" && !strings.HasPrefix(url, "chrome-error:") || !v.watching() {
		return url
	}
	if s := v.watch.State(); s.Alive && s.Context == v.ours && at < len(s.Pages) {
		return s.Pages[at]
	}
	return url
}
