package playwright

// What the agent is sent of a page: whole, by what has changed, or in outline.

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/upstream"
)

const (
	// refreshCalls and refreshAfter are how many deltas, and how long, a reader
	// is trusted to still have the whole view they build on.
	refreshCalls = 20
	refreshAfter = 10 * time.Minute
)

// look answers browser_snapshot: the whole view, what has changed since, or a
// line that nothing has. Called with mu.
func (r *row) look(a answer, text string, page *page, call *upstream.Call, asked request) (string, bool) {
	read, err := aria.ReadAnswer(text)
	if err != nil {
		call.Log.ParseSkip = err.Error()
	}
	if read == nil {
		return text, false
	}
	if asked.partial {
		return r.partial(read, page)
	}
	r.identify(page, a, read.Tree)
	moved, renamed := !sameAddress(page.url, a.url), page.title != a.title
	notes := r.notes(a, page, call.Tool)
	page.url, page.title, page.facts = a.url, a.title, a.facts
	if asked.raw {
		if page.raw != text {
			r.recovery.shown()
		}
		page.view, page.raw = nil, text
		return text, false
	}
	options := r.viewOptions()
	if asked.text != "" || asked.urls {
		options = ViewOptions(orElse(asked.text, r.config.Text), r.config.Format, asked.urls)
		options.Refs, options.Handles = r.viewOptions().Refs, r.viewOptions().Handles
	}
	view, warning := aria.NewView(read.Tree, options), ""
	if asked.filter != (aria.Filter{}) {
		view, warning = aria.NewFilteredView(read.Tree, options, asked.filter)
	}
	call.Log.Handles = len(view.Handles())
	if !asked.plain() {
		if moved {
			page.view = nil // of the document before
		}
		text, _, changed := r.whole(read, view, asked, warning)
		return text, changed
	}
	if !asked.foreseen {
		r.looked = look{at: r.now(), call: asked.number}
	}
	before := page.view
	page.view = view
	var changes *aria.Delta
	if before != nil {
		changes = aria.Diff(before, view)
	}
	if moved || renamed || changes == nil || !changes.Empty() {
		r.recovery.shown()
	}
	if changes != nil && !moved && !asked.full && page.sent != sentOutline && r.config.Delta && r.fresh(page) && len(a.modals) == 0 {
		if delta, ok := r.delta(changes, view, page, r.config.TokenBudget); ok {
			call.Log.Delta = true
			first, rest, _ := strings.Cut(delta, "\n")
			return joinLines(append([]string{first}, append(notes, rest)...)), true
		}
	}
	r.sentFull(page)
	text, page.sent, _ = r.whole(read, view, asked, warning)
	if !strings.HasPrefix(text, "[PlayGuard compact") {
		page.view = nil // the agent has upstream's own form, with other handles
	}
	r.looked.text = text
	return text, true
}

// partial answers a look at one element that only upstream can find, such as by
// a selector. Its elements have the numbers they had; nothing else is gone.
func (r *row) partial(read *aria.Answer, page *page) (string, bool) {
	key := r.pages.key(page)
	for i := range read.Tree.Nodes {
		if n := &read.Tree.Nodes[i]; n.Ref != "" {
			n.Number = int32(r.numbers.NumberOf(key, n.Ref))
		}
	}
	text, _, changed := r.whole(read, aria.NewView(read.Tree, r.viewOptions()), request{}, "")
	return text, changed
}

// whole returns an answer with a view in the place of its tree, within the
// budget, how much of the view that is, and whether it is another text.
func (r *row) whole(read *aria.Answer, view *aria.View, asked request, warning string) (text string, how sending, changed bool) {
	notes := []string{warning}
	if budget := r.config.TokenBudget; budget > 0 && !asked.full {
		folded, left := view.Fold(aria.Budget{Tokens: budget, Around: asked.filter.Around})
		if len(folded.Handles()) < len(view.Handles()) || left > 0 {
			how = sentFolded
		}
		if view = folded; left > 0 {
			notes = append(notes, fmt.Sprintf("[PlayGuard: %d elements left out to fit PLAYGUARD_TOKEN_BUDGET; browser_snapshot {full:true} gives all]", left))
		}
	}
	result := read.Result(view)
	first, rest, _ := strings.Cut(result.Text, "\n")
	if !strings.HasPrefix(first, "[PlayGuard") {
		// It would not be smaller.
		return joinLines([]string{warning, result.Text}), how, warning != ""
	}
	return joinLines(append([]string{first}, append(notes, rest)...)), how, true
}

// delta returns what has changed since the view before, if that is worth it and
// within the budget.
func (r *row) delta(d *aria.Delta, after *aria.View, page *page, budget int) (string, bool) {
	if d.Empty() {
		return fmt.Sprintf("[PlayGuard r%d: UNCHANGED]", page.revision), true
	}
	if d.Fraction() > r.config.DeltaThreshold || page.sent == sentFolded {
		return "", false
	}
	text := strings.TrimSuffix(d.Render(page.revision+1, 0), "\n")
	if whole, _ := after.Render(); len(text) >= len(whole) || budget > 0 && aria.EstimateTokens(text) > budget {
		return "", false
	}
	page.revision++
	return text, true
}

// fresh reports whether the reader can be trusted to still have the whole view.
func (r *row) fresh(p *page) bool {
	return r.calls-p.fullCall <= refreshCalls && r.now().Sub(p.full) < refreshAfter
}

func (r *row) sentFull(p *page) {
	p.revision++
	p.fullCall, p.full = r.calls, r.now()
}

// remembered answers a plain look that follows another one at once, with no
// call between or under way, without asking the browser.
func (r *row) remembered(call *upstream.Call, asked request) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if call.Tool != snapshotTool || !asked.plain() || asked.full || r.flying > 1 ||
		r.looked.call != asked.number-1 || r.now().Sub(r.looked.at) >= r.config.SnapshotTTL {
		return "", false
	}
	page := r.pages.current
	if page == nil || page.view == nil || page != r.pages.answered {
		return "", false
	}
	r.looked.call = asked.number
	if !r.config.Delta {
		return r.noted(r.looked.text, call, asked), r.looked.text != ""
	}
	return r.noted(fmt.Sprintf("[PlayGuard r%d: UNCHANGED]", page.revision), call, asked), true
}

// act answers an action or a navigation: what it has changed on the page, or
// the new page, from the file that upstream has just written. Called with mu.
func (r *row) act(a answer, text string, page *page, call *upstream.Call) (string, bool) {
	data, ok := a.tree, true
	if !a.inline {
		data, ok = r.readOutput(a.file)
		call.Log.RawBytes += len(data)
	}
	if !ok {
		call.Log.ParseSkip = "the snapshot's file could not be read"
		return text, false
	}
	read, err := aria.ReadAnswer("### Page\n- Page URL: " + a.url + "\n### Snapshot\n```yaml\n" + data + "\n```")
	if err != nil || read == nil {
		call.Log.ParseSkip = "the snapshot's file is not understood"
		return text, false
	}
	notes := r.notes(a, page, call.Tool)
	return r.show(a, read, page, call, notes), true
}

// show tells what is on the page after an action: what has changed since the view
// before, or the new page, within the budgets.
func (r *row) show(a answer, read *aria.Answer, page *page, call *upstream.Call, notes []string) string {
	r.identify(page, a, read.Tree)
	view := aria.NewView(read.Tree, r.viewOptions())
	call.Log.Handles = len(view.Handles())
	before, moved := page.view, !sameAddress(page.url, a.url)
	page.url, page.title, page.facts = a.url, a.title, a.facts
	page.view = view
	if before != nil && !moved && r.config.Delta {
		if delta, ok := r.delta(aria.Diff(before, view), view, page, least(r.config.ActionBudget, r.config.TokenBudget)); ok {
			call.Log.Delta = true
			first, rest, _ := strings.Cut(delta, "\n")
			return joinLines(append([]string{first}, append(notes, rest)...))
		}
	}
	r.sentFull(page)
	page.sent = sentWhole
	if budget := r.config.ActionBudget; budget > 0 {
		if text, _ := view.Render(); aria.EstimateTokens(text) > budget {
			view, _ = view.Outline(aria.Budget{Tokens: budget})
			page.sent = sentOutline
		}
	}
	if budget := r.config.TokenBudget; budget > 0 {
		all := len(view.Handles())
		if view, _ = view.Fold(aria.Budget{Tokens: budget}); len(view.Handles()) < all && page.sent == sentWhole {
			page.sent = sentFolded
		}
	}
	body, lines := view.Render()
	first, _, _ := strings.Cut(read.Result(view).Text, "\n")
	if !strings.HasPrefix(first, "[PlayGuard") {
		first = fmt.Sprintf("[PlayGuard compact: %d/%d lines]", lines, read.Tree.Lines)
	}
	// The heading keeps what the page says apart from what is said of it.
	return joinLines(append([]string{first}, append(notes, "### Snapshot", body)...))
}

// least is the smaller of two budgets, of which 0 is none.
func least(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// notes are the few words around the change: what the tool said, open dialogs,
// where the page is if that is another place than in the last answer, new errors
// and events, tabs that came or went. A navigation says where it has led in any
// case: another call may have shown that page before it.
func (r *row) notes(a answer, page *page, tool string) []string {
	var notes []string
	for _, m := range a.modals {
		notes = append(notes, "Open: "+m)
	}
	if said := r.said(a.head); said != "" {
		notes = append(notes, said)
	}
	if a.url != page.url || page.view == nil || page != r.pages.answered || navigations[tool] {
		notes = append(notes, "URL: "+a.url)
	}
	if a.title != "" && (a.title != page.title || page.view == nil) {
		notes = append(notes, "Title: "+a.title)
	}
	for _, fact := range a.facts {
		if !slices.Contains(page.facts, fact) || a.url != page.url {
			notes = append(notes, fact)
		}
	}
	for _, e := range a.events {
		if lines := r.consoleErrors(e); lines != nil {
			notes = append(notes, lines...)
			continue
		}
		notes = append(notes, e)
	}
	if list := tabList(a.tabs); list != r.pages.listed {
		r.pages.listed = list
		if list != "" {
			notes = append(notes, "Tabs: "+list)
		}
	}
	r.pages.answered = page
	return notes
}

// ranCode is what upstream says last of an action, unless it runs with --codegen
// none as the bundled one does.
var ranCode = regexp.MustCompile("(?s)(?:^|\n)### Ran Playwright code\n```js\n.*\n```\n?$")

// splitCode takes the code that upstream ran off what it said.
func splitCode(head string) (said, code string) {
	if at := ranCode.FindStringIndex(head); at != nil {
		return head[:at[0]], head[at[0]:]
	}
	return head, ""
}

// said is what a tool has said of an action besides the page.
func (r *row) said(head string) string {
	if !r.wantsCode {
		head, _ = splitCode(head)
	}
	return strings.TrimPrefix(head, "### Result\n")
}

func tabList(tabs []tab) string {
	var out []string
	for i, t := range tabs {
		mark := ""
		if t.current {
			mark = " (current)"
		}
		out = append(out, fmt.Sprintf("%d%s %s", i, mark, orElse(t.title, t.url)))
	}
	return strings.Join(out, "; ")
}

// consoleEntries is upstream's event about new lines in the console's file.
var consoleEntries = regexp.MustCompile(`^New console entries: (.*)#L(\d+)(?:-L(\d+))?$`)

// errorLine is an error in that file.
var errorLine = regexp.MustCompile(`^\[ *\d+ms\] \[ERROR\] (.*)$`)

// consoleErrors returns the new errors that an event points to, an empty list
// when there are only other messages, and nil when it is another event.
func (r *row) consoleErrors(event string) []string {
	m := consoleEntries.FindStringSubmatch(event)
	if m == nil {
		return nil
	}
	data, ok := r.readOutput(m[1])
	if !ok {
		return nil
	}
	from, _ := strconv.Atoi(m[2])
	to := from
	if m[3] != "" {
		to, _ = strconv.Atoi(m[3])
	}
	lines := strings.Split(data, "\n")
	out := []string{}
	more := 0
	for i := from; i <= to && i <= len(lines); i++ {
		e := errorLine.FindStringSubmatch(lines[i-1])
		switch {
		case e == nil:
		case len(out) == maxErrors:
			more++
		default:
			out = append(out, "Console error: "+shortened(e[1], maxError))
		}
	}
	if more > 0 {
		out = append(out, fmt.Sprintf("%d more console errors: browser_console_messages", more))
	}
	return out
}

const (
	// maxErrors and maxError bound what an action says of the console.
	maxErrors = 3
	maxError  = 200
)

func shortened(text string, limit int) string {
	if r := []rune(text); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return text
}

// outputName is what upstream calls its own files (0.0.83).
var outputName = regexp.MustCompile(`^(?:page|console)-[\w.:-]+\.(?:yml|log)$`)

// readOutput reads a file that upstream names relative to its workspace.
func (r *row) readOutput(name string) (string, bool) {
	if !outputName.MatchString(filepath.Base(name)) {
		return "", false
	}
	paths := []string{filepath.Join(r.dirs.Root, name), filepath.Join(r.dirs.QA, filepath.Base(name))}
	if filepath.IsAbs(name) {
		paths = []string{name}
	}
	for _, path := range paths {
		if data, err := os.ReadFile(path); err == nil {
			return strings.TrimSuffix(string(data), "\n"), true
		}
	}
	return "", false
}

func joinLines(lines []string) string {
	var kept []string
	for _, l := range lines {
		if l != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
