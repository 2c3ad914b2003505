package playwright

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	moved := !sameAddress(page.url, a.url)
	page.url, page.title, page.console = a.url, a.title, a.console
	if asked.raw {
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
		return r.whole(read, view, asked.filter.Around, warning)
	}
	r.looked = look{at: r.now(), call: r.calls}
	before := page.view
	page.view = view
	if before != nil && !moved && !asked.full && r.config.Delta && page.fresh(r.now()) && len(a.modals) == 0 {
		if delta, ok := r.delta(before, view, page); ok {
			call.Log.Delta = true
			return delta, true
		}
	}
	page.sentFull(r.now())
	return r.whole(read, view, "", warning)
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
	return r.whole(read, aria.NewView(read.Tree, r.viewOptions()), "", "")
}

// whole returns an answer with a view in the place of its tree, within the
// budget, and whether that is another text.
func (r *row) whole(read *aria.Answer, view *aria.View, around, warning string) (string, bool) {
	notes := []string{warning}
	if budget := r.config.TokenBudget; budget > 0 {
		folded, left := view.Fold(aria.Budget{Tokens: budget, Around: around})
		if view = folded; left > 0 {
			notes = append(notes, fmt.Sprintf("[PlayGuard: %d elements left out to fit PLAYGUARD_TOKEN_BUDGET]", left))
		}
	}
	result := read.Result(view)
	first, rest, _ := strings.Cut(result.Text, "\n")
	if notes = append([]string{first}, append(notes, rest)...); !strings.HasPrefix(first, "[PlayGuard") {
		return result.Text, false // it would not be smaller
	}
	return joinLines(notes), true
}

// delta returns what has changed since the view before, if that is worth it.
func (r *row) delta(before, after *aria.View, page *page) (string, bool) {
	d := aria.Diff(before, after)
	if d.Empty() {
		page.deltas++
		return fmt.Sprintf("[PlayGuard r%d: UNCHANGED]", page.revision), true
	}
	if d.Fraction() > r.config.DeltaThreshold {
		return "", false
	}
	text := strings.TrimSuffix(d.Render(page.revision+1, 0), "\n")
	if whole, _ := after.Render(); len(text) >= len(whole) {
		return "", false
	}
	page.revision++
	page.deltas++
	return text, true
}

// fresh reports whether the reader can be trusted to have the whole view.
func (p *page) fresh(now time.Time) bool {
	return p.deltas < refreshCalls && now.Sub(p.full) < refreshAfter
}

func (p *page) sentFull(now time.Time) {
	p.revision++
	p.deltas, p.full = 0, now
}

// remembered answers a plain look that follows another one at once, with no
// call between, without asking the browser.
func (r *row) remembered(call *upstream.Call, asked request) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if call.Tool != snapshotTool || !asked.plain() || asked.full || r.looked.call != r.calls-1 || r.now().Sub(r.looked.at) >= r.config.SnapshotTTL || !r.config.Delta {
		return "", false
	}
	page := r.pages.current
	if page == nil || page.view == nil {
		return "", false
	}
	r.looked.call = r.calls
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
	notes := r.notes(a, page)
	if len(a.modals) > 0 {
		// The page stands still behind the dialog and has no view; what it shows
		// comes with the answer that closes it.
		return strings.Join(notes, "\n"), true
	}
	r.identify(page, a, read.Tree)
	view := aria.NewView(read.Tree, r.viewOptions())
	call.Log.Handles = len(view.Handles())
	before, moved := page.view, !sameAddress(page.url, a.url)
	page.url, page.title, page.console = a.url, a.title, a.console
	page.view = view
	if before != nil && !moved && r.config.Delta {
		if delta, ok := r.delta(before, view, page); ok {
			call.Log.Delta = true
			first, rest, _ := strings.Cut(delta, "\n")
			return joinLines(append([]string{first}, append(notes, rest)...)), true
		}
	}
	page.sentFull(r.now())
	if budget := r.config.ActionBudget; budget > 0 {
		if text, _ := view.Render(); aria.EstimateTokens(len(text)) > budget {
			view, _ = view.Outline(aria.Budget{Tokens: budget})
		}
	}
	if budget := r.config.TokenBudget; budget > 0 {
		view, _ = view.Fold(aria.Budget{Tokens: budget})
	}
	body, lines := view.Render()
	first, _, _ := strings.Cut(read.Result(view).Text, "\n")
	if !strings.HasPrefix(first, "[PlayGuard") {
		first = fmt.Sprintf("[PlayGuard compact: %d/%d lines]", lines, read.Tree.Lines)
	}
	return joinLines(append([]string{first}, append(notes, body)...)), true
}

// notes are the few words around the change: what the tool said, open dialogs,
// where the page is if it moved, new errors and events, tabs that came or went.
func (r *row) notes(a answer, page *page) []string {
	var notes []string
	for _, m := range a.modals {
		notes = append(notes, "Open: "+m)
	}
	if head := strings.TrimPrefix(a.head, "### Result\n"); head != "" {
		notes = append(notes, head)
	}
	if a.url != page.url || page.view == nil {
		notes = append(notes, "URL: "+a.url)
	}
	if a.title != "" && (a.title != page.title || page.view == nil) {
		notes = append(notes, "Title: "+a.title)
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
	return notes
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

// readOutput reads a file that upstream names relative to its workspace.
func (r *row) readOutput(name string) (string, bool) {
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
