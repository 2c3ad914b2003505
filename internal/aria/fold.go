package aria

// This file makes a view fit into a budget of tokens.

import (
	"slices"
	"sort"
)

// Budget is what a view must fit into.
type Budget struct {
	// Tokens is the limit.
	Tokens int
	// Count estimates the tokens of a text; nil counts bytes.
	Count func(text string) int
	// Around is a handle near which nothing is left out as long as possible.
	Around string
}

func (b *Budget) tokens(text string) int {
	if b.Count != nil {
		return b.Count(text)
	}
	return EstimateTokens(text)
}

// Fold returns the view within the budget, and how many elements with a handle
// it leaves out. Groups of like elements go first, the largest first, then what
// is in sections, then other content, then form controls; last, what comes
// last. Dialogs, alerts and the focused element stay longest.
func (v *View) Fold(b Budget) (folded *View, left int) {
	text, _ := v.Render()
	if b.tokens(text) <= b.Tokens {
		return v, 0
	}
	f := &folder{whole: v, budget: &b, editor: v.edit()}
	f.mark(b.Around)
	f.aim(text)
	for _, runs := range []func() []run{f.likeRuns, f.sectionRuns, f.contentRuns, f.controlRuns} {
		// Sizes are estimates: what was folded too little is folded again.
		for before := f.excess + 1; f.excess < before; f.mark(b.Around) {
			before = f.excess
			if folded := f.fold(runs()); folded != nil {
				return folded, v.view.handles - folded.view.handles
			}
		}
	}
	folded = f.cut()
	return folded, v.view.handles - folded.view.handles
}

// folder folds a copy of a view.
type folder struct {
	whole *View
	*editor
	budget *Budget
	// strong items hold a dialog, an alert, the focus or the wanted handle;
	// forms hold a control.
	strong, form []bool
	// excess is about how many bytes are too many.
	excess int
}

// run is a part of the parts of an item.
type run struct {
	parent int32
	items  []int32
	width  int
	noun   string
	// keep is how many items stay at the start whatever the need.
	keep int
}

// mark finds the items that are to stay.
func (f *folder) mark(around string) {
	around = bareRef(around)
	f.measure()
	f.strong, f.form = make([]bool, len(f.items)), make([]bool, len(f.items))
	var walk func(i int32) (strong, form bool)
	walk = func(i int32) (strong, form bool) {
		for c := f.items[i].first; c != 0; c = f.items[c].next {
			it := &f.items[c]
			s, m := walk(c)
			if it.kind == elem {
				switch it.role {
				case "dialog", "alertdialog", "alert":
					s = true
				}
				m = m || isFormControl(it.role)
				if it.first == 0 && it.role != "" && f.tree.Nodes[it.node].State&Active != 0 {
					s = true
				}
				if around != "" && it.handle != "" && (it.handle == around || string(appendHandle(nil, it, f.opt)) == around) {
					s = true
				}
			}
			f.strong[c], f.form[c] = s, m
			strong, form = strong || s, form || m
		}
		return strong, form
	}
	walk(0)
}

// aim sets how much is too much.
func (f *folder) aim(text string) {
	tokens := f.budget.tokens(text)
	f.excess = len(text) - int(float64(len(text))*float64(f.budget.Tokens)/float64(max(tokens, 1))) + 200
}

// fold folds runs, the largest first, until the view fits; it returns nil if
// it does not fit with all of them folded.
func (f *folder) fold(runs []run) *View {
	slices.SortStableFunc(runs, func(a, b run) int { return b.width - a.width })
	for i := range runs {
		f.foldRun(&runs[i])
		if f.excess > 0 && i < len(runs)-1 {
			continue
		}
		folded := f.snapshot()
		text, _ := folded.Render()
		if f.budget.tokens(text) <= f.budget.Tokens {
			return folded
		}
		f.aim(text)
	}
	return nil
}

// snapshot is the view as it is now.
func (f *folder) snapshot() *View {
	v := &View{Tree: f.tree, opt: f.whole.opt, view: &f.view, stubs: f.stubs}
	return v.edit().done()
}

// minFold is the size of what is worth a stub, in bytes.
const minFold = 60

// foldRun puts stubs in the place of as many items of a run as need be. The
// first ones and those that must stay are kept.
func (f *folder) foldRun(r *run) {
	if r.width < minFold || f.excess <= 0 {
		return
	}
	gone := map[int32]bool{}
	saved := 0
	for i := len(r.items) - 1; i >= r.keep && saved < f.excess; i-- {
		c := r.items[i]
		width := int(f.items[c].width)
		switch {
		case f.strong[c]:
		case r.noun == "" && width > f.excess-saved+minFold && f.items[c].first != 0 && !f.atomic(c):
			// Only the end of what it holds need go.
			inner := run{parent: c, items: f.list(c), width: width}
			f.excess -= saved
			f.foldRun(&inner)
			f.excess += saved
		default:
			gone[c] = true
			saved += width
		}
	}
	if saved < minFold {
		return // a stub would be as long
	}
	f.excess -= saved
	var parts, row []int32
	news := false // the row has items that go now
	flush := func() {
		if news {
			f.excess += minFold
			row = []int32{f.newStub(row, r.noun)}
		}
		parts, row, news = append(parts, row...), nil, false
	}
	for _, c := range f.list(r.parent) {
		switch {
		case gone[c]:
			row, news = append(row, c), true
		case f.items[c].kind == stub:
			row = append(row, c) // it becomes part of the new one
		default:
			flush()
			parts = append(parts, c)
		}
	}
	flush()
	f.setList(r.parent, parts)
	f.grow()
}

// grow extends the marks to new items.
func (f *folder) grow() {
	for len(f.strong) < len(f.items) {
		f.strong, f.form = append(f.strong, false), append(f.form, false)
	}
}

// likeRuns finds groups of like siblings.
func (f *folder) likeRuns() []run {
	const least, keep = 5, 3
	var runs []run
	var walk func(i int32)
	walk = func(i int32) {
		parts := f.list(i)
		for start := 0; start < len(parts); {
			end := start + 1
			for end < len(parts) && f.alike(parts[start], parts[end]) {
				end++
			}
			if end-start >= least {
				r := run{parent: i, items: parts[start:end], noun: f.noun(parts[start]), keep: keep}
				for _, c := range r.items[keep:] {
					r.width += int(f.items[c].width)
				}
				runs = append(runs, r)
			}
			start = end
		}
		for _, c := range parts {
			if !f.atomic(c) {
				walk(c)
			}
		}
	}
	walk(0)
	// What is inside a folded item need not be folded.
	sort.SliceStable(runs, func(i, j int) bool { return runs[i].width > runs[j].width })
	return f.outermost(runs)
}

// outermost drops runs inside the items of earlier runs.
func (f *folder) outermost(runs []run) []run {
	inside := make([]bool, len(f.items))
	kept := runs[:0]
	for _, r := range runs {
		if inside[r.parent] {
			continue
		}
		kept = append(kept, r)
		for _, c := range r.items[r.keep:] {
			inside[c] = true
			f.visit(c, func(p int32) { inside[p] = true })
		}
	}
	return kept
}

// alike reports whether two siblings are items of one list.
func (f *folder) alike(a, b int32) bool {
	x, y := &f.items[a], &f.items[b]
	if x.kind != y.kind || x.role != y.role || x.kind == text || x.kind == stub || x.level > 0 ||
		x.role != "" && roles[x.role]&landmark != 0 {
		return false
	}
	if x.kind == elem && x.first == 0 && f.form[a] {
		return false // a form's own controls
	}
	if x.first == 0 || y.first == 0 {
		return x.first == 0 && y.first == 0
	}
	if f.form[a] || f.form[b] {
		// The fields of a form look alike too, but differ in their parts.
		return f.shape(a) == f.shape(b)
	}
	p, q := &f.items[x.first], &f.items[y.first]
	return p.kind == q.kind && p.role == q.role
}

// shape lists the kinds and roles of the first parts of an item.
func (f *folder) shape(i int32) [8]string {
	var s [8]string
	for c, n := f.items[i].first, 0; c != 0 && n < len(s); c, n = f.items[c].next, n+1 {
		s[n] = string('0'+f.items[c].kind) + f.items[c].role
	}
	return s
}

// sectionRuns finds what is in landmarks other than the main one.
func (f *folder) sectionRuns() []run {
	return f.plainRuns(func(role string) bool { return roles[role]&landmark != 0 && role != "main" }, false)
}

// contentRuns finds all that is no control.
func (f *folder) contentRuns() []run {
	return f.plainRuns(func(string) bool { return true }, false)
}

// controlRuns finds all that need not stay.
func (f *folder) controlRuns() []run {
	return f.plainRuns(func(string) bool { return true }, true)
}

// plainRuns finds rows of siblings that may go, inside the items of certain
// roles. Landmarks stay, and what is in them goes.
func (f *folder) plainRuns(in func(role string) bool, controls bool) []run {
	var runs []run
	var walk func(i int32, inside bool)
	walk = func(i int32, inside bool) {
		var r run
		flush := func() {
			if len(r.items) > 0 {
				runs = append(runs, r)
			}
			r = run{parent: i}
		}
		flush()
		for _, c := range f.list(i) {
			it := &f.items[c]
			isLandmark := it.kind == elem && roles[it.role]&landmark != 0
			stays := f.strong[c] || f.form[c] && !controls || isLandmark && it.first != 0 || it.kind == stub
			if inside && !stays {
				r.items = append(r.items, c)
				r.width += int(it.width)
				continue
			}
			flush()
			if it.kind != stub && !f.atomic(c) {
				walk(c, inside || it.kind == elem && in(it.role))
			}
		}
		flush()
	}
	walk(0, in(""))
	return runs
}
