package playwright

// Bringing a session back: the process, the storage, the tabs, the elements.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/servers/playwright/watch"
)

// restoreLimit bounds the opening of all tabs; the script waits for none of them
// that long.
const restoreLimit = 45 * time.Second

// finalError is a failure that a second try does not mend.
type finalError struct{ text string }

func (e *finalError) Error() string { return e.text }

// noteWatch takes in what the script has said.
func (v *recovery) noteWatch() {
	s := v.watch.State()
	v.mu.Lock()
	defer v.mu.Unlock()
	close(v.wake)
	v.wake = make(chan struct{})
	if what := v.deadLocked(); what != v.known {
		if v.known = what; what != "" {
			v.row.log.Info("something has died", "what", what)
		}
	}
	if !s.Alive || v.closing || v.restoring {
		return
	}
	if v.ours == "" && s.Context != v.gone {
		v.ours = s.Context
	}
	if s.Context == v.ours && v.presumed == "" {
		v.takeTabs(s)
		v.touch()
	}
}

// watching reports whether the script is there, or was when the browser died.
func (v *recovery) watching() bool {
	return v.watch != nil && !v.blind.Load() && v.watch.State().Connected
}

// deadSince says what has died since a call was sent, also if it has been restored
// meanwhile. The crash of another tab is not the call's.
func (v *recovery) deadSince(c *sent) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	what := v.deadLocked()
	switch {
	case what != "":
	case v.restoring:
		what = v.dying
	case c.restores != v.restores:
		what = v.done.what
	}
	if what == diedPage && v.watching() && !v.otherBrowserLocked(c) && !v.lostTab(c) {
		return ""
	}
	return what
}

// lostTab reports whether the tab that a call works on has crashed since: any tab,
// where it is not known or the call works on all. Called with mu.
func (v *recovery) lostTab(c *sent) bool {
	lost := v.watch.State().Lost
	if c.tab == "" || c.tool == tabsTool {
		return v.deadLocked() != "" || v.restoring || c.restores != v.restores
	}
	return slices.Contains(lost, c.tab)
}

// deadLocked is dead, called with mu.
func (v *recovery) deadLocked() string {
	if v.presumed != "" {
		return v.presumed
	}
	if v.ours == "" || v.closing || !v.watching() {
		return ""
	}
	switch s := v.watch.State(); {
	case (s.Context != v.ours || !s.Alive) && v.remote:
		return diedConnection
	case s.Context != v.ours || !s.Alive:
		return diedBrowser
	case len(s.Crashed) > 0:
		return diedPage
	}
	return ""
}

// replacedSince reports whether upstream works on a browser, or a page, that was
// not there when a call was sent.
func (v *recovery) replacedSince(c *sent) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	// A list of tabs shows a crashed one. One that was opened, closed or selected
	// is that nevertheless.
	return v.otherBrowserLocked(c) || v.lostTab(c) && (c.tool != tabsTool || c.kind == reading)
}

// undone reports whether a restoration undoes what a call has done with the tabs: it
// puts back those that were there before. Of a crash that is still to be restored it
// takes in what was selected since, and what was opened at an address.
func (v *recovery) undone(c *sent) bool {
	if c.tool != tabsTool || c.kind == reading {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.restoring || c.restores != v.restores {
		return true
	}
	action := jsonrpc.StringMember(c.args, "action")
	return v.deadLocked() != "" && (action == "close" || action == "new" && jsonrpc.StringMember(c.args, "url") == "")
}

// expects reports whether the current page has something to lose.
func (v *recovery) expects() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.current < len(v.tabs) && v.tabs[v.current] != "about:blank" && v.tabs[v.current] != ""
}

// awaitDeath waits a moment for the script's word that something is dead.
func (v *recovery) awaitDeath(ctx context.Context) string {
	timer := time.NewTimer(watchPatience)
	defer timer.Stop()
	for {
		v.mu.Lock()
		what, wake := v.deadLocked(), v.wake
		v.mu.Unlock()
		if what != "" {
			return what
		}
		select {
		case <-wake:
		case <-timer.C:
			return ""
		case <-ctx.Done():
			return ""
		}
	}
}

// awaitAlive waits a moment for the script's word that there is a browser.
func (v *recovery) awaitAlive(ctx context.Context) bool {
	timer := time.NewTimer(watchPatience)
	defer timer.Stop()
	for {
		v.mu.Lock()
		wake := v.wake
		v.mu.Unlock()
		if v.watch.State().Alive {
			return true
		}
		select {
		case <-wake:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// restore brings the session back. What has died again on the way is an error, and
// nothing of it counts; what the agent has closed meanwhile is closed. Attempts at the
// same restoration are counted from 1.
func (v *recovery) restore(ctx context.Context, attempt int) (restored, error) {
	v.mu.Lock()
	if v.ours == "" && v.presumed == "" { // closed since
		v.mu.Unlock()
		return restored{}, nil
	}
	plan := v.plan()
	plan.Attempt = attempt
	tabs, current, ours, generation := v.tabs, v.current, v.ours, v.generation
	v.mu.Unlock()
	if !v.sameBrowser(ours) { // else upstream would put an empty page in the place of a crashed one
		if err := v.wakeUp(ctx); err != nil {
			return restored{}, err
		}
	}
	if v.watch != nil && v.watch.State().Connected {
		// A server that was started again may be one that takes no script, or takes it again.
		v.blind.Store(!v.awaitAlive(ctx))
	}
	r := restored{tabs: len(tabs)}
	on := v.browserNow()
	done, err := v.reopen(ctx, &plan, ours, &r)
	if err == nil {
		err = v.stillOn(on, generation)
	}
	if err != nil {
		return v.unlessClosed(ctx, r, generation, err)
	}
	asking, over := v.whileOn(ctx, on, generation)
	defer over()
	places := done.Places
	if current < len(places) && (len(tabs) > 1 || v.remote || v.several()) && places[current] >= 0 {
		if text, failed, err := v.askTwice(asking, tabsTool, `{"action":"select","index":`+strconv.Itoa(places[current])+`}`); err != nil || failed {
			return v.unlessClosed(ctx, r, generation, orText(orCause(asking, err), text))
		}
	}
	if len(tabs) > 0 {
		text, failed, err := v.askTwice(asking, snapshotTool, `{}`)
		if err != nil || failed && deadWords.MatchString(head(text)) {
			return v.unlessClosed(ctx, r, generation, orText(orCause(asking, err), text))
		}
		if err := v.stillOn(on, generation); err != nil {
			return v.unlessClosed(ctx, r, generation, err)
		}
		if attempt == 1 && v.emptyInstead(text, failed, plan, places) {
			return v.unlessClosed(ctx, r, generation, errors.New("an empty page stands in the place of "+plan.Pages[plan.Current]))
		}
		// A page that stands there instead tells nothing of the elements.
		r.url = v.row.adopt(text, failed || v.missing(current, places), reopened{plan.Pages, places, done.Kept, plan.Same})
		kept := current < len(done.Kept) && done.Kept[current]
		if current < len(tabs) && !kept && r.url != "" && !sameAddress(r.url, plan.Pages[current]) && !v.missing(current, places) {
			r.meant = plan.Pages[current]
		}
		v.row.openedAnew(tabs, places, done.Kept)
	}
	v.mu.Lock()
	if err := v.stillOnLocked(on, generation); err != nil {
		v.mu.Unlock()
		return v.unlessClosed(ctx, r, generation, err)
	}
	defer v.mu.Unlock()
	v.presumed, v.known = "", ""
	if v.watching() {
		s := v.watch.State()
		v.ours = s.Context
		v.tabs, v.ids = s.Pages, s.IDs
		v.renameTabs(plan.IDs, places)
		v.touch()
	}
	if current < len(places) && places[current] >= 0 {
		v.current = places[current]
	}
	v.tried = v.last
	return r, nil
}

// emptyInstead reports whether the current tab is an empty one that is none of the plan:
// a call that was under way when its page crashed may have the server open one.
func (v *recovery) emptyInstead(text string, failed bool, p watch.Plan, places []int) bool {
	return v.watching() && !failed && answerIsBlank(text) && p.Current < len(p.Pages) &&
		p.Pages[p.Current] != "about:blank" && p.Pages[p.Current] != "" && !v.missing(p.Current, places)
}

// several reports whether the browser has more than one tab.
func (v *recovery) several() bool { return v.watching() && len(v.watch.State().Pages) > 1 }

// sameBrowser reports whether the browser of the session is alive: only pages of it
// have crashed.
func (v *recovery) sameBrowser(ours string) bool {
	if !v.watching() {
		return false
	}
	s := v.watch.State()
	return s.Alive && s.Context == ours
}

// browserNow names the browser that the session is restored in; empty where no
// script tells.
func (v *recovery) browserNow() string {
	if !v.watching() {
		return ""
	}
	return v.watch.State().Context
}

// stillOn returns an error if the browser that the session is restored in has died
// or a page of it has crashed, or if the agent has closed the browser meanwhile.
func (v *recovery) stillOn(context string, generation int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.stillOnLocked(context, generation)
}

// stillOnLocked is stillOn, called with mu.
func (v *recovery) stillOnLocked(context string, generation int) error {
	if v.generation != generation {
		return errors.New("the browser was closed while it was restored")
	}
	if context == "" || !v.watching() {
		return nil
	}
	switch s := v.watch.State(); {
	case s.Context != context || !s.Alive:
		return errors.New("the browser died while it was restored")
	case len(s.Crashed) > 0:
		return errors.New("a page crashed while it was restored")
	}
	return nil
}

// unlessClosed is the outcome of a restoration that has failed. That is none where
// the agent has closed the browser meanwhile: what was opened is then closed too.
func (v *recovery) unlessClosed(ctx context.Context, r restored, generation int, failure error) (restored, error) {
	v.mu.Lock()
	closed := v.generation != generation
	v.mu.Unlock()
	if !closed {
		return r, failure
	}
	_, _, err := v.ask(ctx, closeTool, "{}")
	return restored{}, err
}

// plan is what there is to restore. Called with mu.
func (v *recovery) plan() watch.Plan {
	p := watch.Plan{Pages: slices.Clone(v.tabs), IDs: slices.Clone(v.ids), Current: v.current, CookiesOnly: v.onDisk, Adopt: v.remote}
	p.Tabs = v.row.tabSettings(v.tabs)
	if v.failures >= maxFailures && len(v.line) > 0 && v.line[0].tool == "browser_navigate" && v.current < len(p.Pages) {
		// The page may be what everything dies of, and the agent leaves it.
		p.Pages[v.current] = "about:blank"
	}
	return p
}

// reachWithin is how long a browser of the user's is tried to be reached: its port may be
// closed for a moment only, as when it is forwarded.
const reachWithin = time.Second

// wakeUp makes upstream start what is not there: the process and the browser.
func (v *recovery) wakeUp(ctx context.Context) error {
	var text string
	reachable := time.Now().Add(reachWithin)
	for tries := 0; tries < 3; tries++ { // the first call after a death may do no more than report it
		var failed bool
		var err error
		if text, failed, err = v.ask(ctx, tabsTool, `{"action":"list"}`); err != nil {
			return err
		}
		switch {
		case !failed:
			return nil
		case v.remote && strings.Contains(text, "ECONNREFUSED") && time.Now().Before(reachable):
			tries-- // it is no try that nobody was there to hear
			v.letDeathsCome()
		case remedyFor(text) != "":
			return &finalError{errorText(text)}
		case isLaunchLog(text):
			return errors.New(errorText(text)) // it has been tried
		}
	}
	return errors.New(errorText(text))
}

// reopen puts storage and tabs back, and returns the places of the tabs.
func (v *recovery) reopen(ctx context.Context, plan *watch.Plan, ours string, r *restored) (done watch.Restored, err error) {
	if !v.watching() || !v.watch.State().Alive {
		done.Places, err = v.reopenByTools(ctx, plan.Pages)
		return done, err
	}
	plan.Same = v.sameBrowser(ours)
	switch {
	case plan.Same:
	case v.storageIsOurs():
		plan.State = v.saved.read()
		r.state = plan.State != nil
	default:
		v.saved.forget() // what the user does there makes it old
	}
	limited, cancel := context.WithTimeout(ctx, restoreLimit)
	defer cancel()
	if done, err = v.watch.Restore(limited, *plan); err != nil {
		return done, fmt.Errorf("the tabs could not be opened again: %w", err)
	}
	for _, u := range v.watch.State().Unopened {
		v.row.log.Warn("a tab could not be opened again yet", "url", u.URL, "reason", u.Reason)
	}
	r.kept = done.Kept
	return done, nil
}

// reopenByTools opens the tabs by the server's own tools, where the script is not
// there. Storage is then lost.
func (v *recovery) reopenByTools(ctx context.Context, pages []string) (places []int, err error) {
	for i, url := range pages {
		tool, args := "browser_navigate", map[string]string{"url": url}
		if i > 0 {
			tool, args = tabsTool, map[string]string{"action": "new", "url": url}
		}
		raw, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		text, failed, err := v.ask(ctx, tool, string(raw))
		if err != nil || failed && deadWords.MatchString(head(text)) {
			return nil, orText(err, text)
		}
		if failed { // a server that is down now; the tab stays with its error
			v.row.log.Warn("a tab could not be restored", "reason", errorText(text))
		}
		places = append(places, i)
	}
	return places, nil
}
