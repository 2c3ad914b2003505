package aria

// This file writes a delta, docs/snapshot-format.md.

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Render writes the delta as text. revision numbers the view that it leads to;
// whole is the size in bytes of the text it is sent instead of, 0 for the new
// view's.
func (d *Delta) Render(revision, whole int) string {
	body := d.body()
	if whole <= 0 {
		whole = d.whole
	}
	var counts []string
	for _, c := range []struct {
		n    int
		sign string
		name string
	}{{d.Added, "+", "added"}, {d.Removed, "", "removed"}, {d.Changed, "", "changed"}, {d.Moved, "", "moved"}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%s%d %s", c.sign, c.n, c.name))
		}
	}
	if len(counts) == 0 {
		counts = []string{"nothing changed"}
	}
	saved := 0
	if whole > 0 {
		saved = max(0, 100*(whole-len(body))/whole)
	}
	head := fmt.Sprintf("[PlayGuard delta r%d: %s, ~%d%% saved]", revision, strings.Join(counts, ", "), saved)
	if len(body) == 0 {
		return head
	}
	return head + "\n" + string(body)
}

// body writes the sections, without a line feed at the end.
func (d *Delta) body() []byte {
	var added, removed, changed []byte
	// The page and every unit that is in both views, in order.
	for u := range d.new.units {
		n := &d.new.units[u]
		if u > 0 && n.pair == 0 {
			continue
		}
		if o := &d.old.units[n.pair]; o.head != n.head {
			changed = d.change(changed, o, n)
		}
		added = d.additions(added, int32(u))
	}
	for u := range d.old.units {
		if u == 0 || d.old.units[u].pair != 0 {
			removed = d.removals(removed, int32(u))
		}
	}
	var out []byte
	for _, s := range []struct {
		name string
		text []byte
	}{{"ADDED:\n", added}, {"REMOVED:\n", removed}, {"CHANGED:\n", changed}} {
		if len(s.text) > 0 {
			out = append(append(out, s.name...), s.text...)
		}
	}
	return bytes.TrimSuffix(out, []byte("\n"))
}

// change writes a unit that is rendered in another way now.
func (d *Delta) change(out []byte, o, n *unit) []byte {
	out = append(out, ' ')
	if n.handle == "" || n.handle != o.handle || n.head[0] == '"' {
		out = d.old.call(out, n.pair)
		out = append(out, " -> "...)
	}
	return append(append(out, n.head...), '\n')
}

// addition is a row of new parts of one container.
type addition struct {
	lo, hi int32 // units
	anchor []byte
	items  []int32
}

// additions writes the new parts of unit p, which is in both views.
func (d *Delta) additions(out []byte, p int32) []byte {
	var runs []addition
	before, open := int32(0), false
	for c := d.new.units[p].first; c != 0; c = d.new.units[c].next {
		u := &d.new.units[c]
		if u.pair != 0 {
			if open {
				runs[len(runs)-1].anchor = d.anchor(p, before, c)
			}
			before, open = c, false
			continue
		}
		if !open {
			runs, open = append(runs, addition{lo: c}), true
		}
		runs[len(runs)-1].hi = u.end
	}
	if len(runs) == 0 {
		return out
	}
	if open {
		runs[len(runs)-1].anchor = d.anchor(p, before, 0)
	}
	d.new.gather(d.new.units[p].item, runs)
	for i := range runs {
		out = append(append(out, ' '), runs[i].anchor...)
		out = append(out, ':')
		out = appendIndented(out, d.new.fragment(runs[i].items))
	}
	return out
}

// anchor says where new parts of unit p are, between its units before and
// after, of which either may be missing.
func (d *Delta) anchor(p, before, after int32) []byte {
	old := func(u int32) int32 { return d.new.units[u].pair }
	switch {
	case before != 0 && d.old.units[old(before)].handle != "":
		return d.old.call([]byte("after "), old(before))
	case after != 0 && d.old.units[old(after)].handle != "":
		return d.old.call([]byte("before "), old(after))
	case before != 0:
		return d.old.call([]byte("after "), old(before))
	case p != 0:
		return d.old.call([]byte("in "), old(p))
	}
	return []byte("in page")
}

// gather finds the items that show each run, whole wrappers where it can.
// The runs are parts of what is inside item i, in order.
func (t *unitTree) gather(i int32, runs []addition) []addition {
	for c := t.items[i].first; c != 0; c = t.items[c].next {
		lo, hi := t.lo[c], t.hi[c]
		for len(runs) > 0 && runs[0].hi <= lo {
			runs = runs[1:]
		}
		switch {
		case len(runs) == 0:
			return nil
		case lo == hi || hi <= runs[0].lo:
		case runs[0].lo <= lo && hi <= runs[0].hi:
			runs[0].items = append(runs[0].items, c)
		case t.items[c].kind == group || t.headless(&t.items[c]):
			runs = t.gather(c, runs)
		}
	}
	return runs
}

// fragment writes items as lines of the dense form.
func (t *unitTree) fragment(items []int32) []byte {
	b := &builder{view: view{tree: t.tree, items: make([]item, 1, 2*len(items)+1)}, opt: t.opt}
	b.items[0].kind = group
	for _, c := range items {
		b.copyItem(0, t.view, c)
	}
	b.measure()
	w := &dense{view: &b.view, opt: t.opt}
	w.block(b.items[0].first, b.items[0].flow, 0)
	return bytes.TrimSuffix(w.out, []byte("\n"))
}

// copyItem makes a copy of item c of another view, with all that is inside
// it, the last part of item i.
func (b *builder) copyItem(i int32, from *view, c int32) {
	it := from.items[c]
	it.first, it.last, it.next = 0, 0, 0
	n := b.newItem(it)
	b.link(i, n)
	for p := from.items[c].first; p != 0; p = from.items[p].next {
		b.copyItem(n, from, p)
	}
}

// appendIndented writes one line behind a colon, or several below it.
func appendIndented(out, lines []byte) []byte {
	if bytes.IndexByte(lines, '\n') < 0 {
		return append(append(append(out, ' '), lines...), '\n')
	}
	out = append(out, "\n  "...)
	out = append(out, bytes.ReplaceAll(lines, []byte("\n"), []byte("\n  "))...)
	return append(out, '\n')
}

// removals writes the parts of unit p, which is in both views, that are gone.
// What moved is among the additions.
func (d *Delta) removals(out []byte, p int32) []byte {
	var run []int32
	flush := func() {
		if len(run) > 0 {
			out = d.removal(append(out, ' '), run)
			out = append(out, '\n')
			run = run[:0]
		}
	}
	for c := d.old.units[p].first; c != 0; c = d.old.units[c].next {
		if u := &d.old.units[c]; u.pair != 0 || d.moved(u) {
			flush()
		} else {
			run = append(run, c)
		}
	}
	flush()
	return out
}

// removal writes units that stood one after the other.
func (d *Delta) removal(out []byte, run []int32) []byte {
	const many = 4 // from here on the first and the last will do
	handles := true
	for _, u := range run {
		handles = handles && d.old.units[u].handle != ""
	}
	if !handles && len(run) >= many {
		out = append(d.old.call(out, run[0]), " to "...)
		out = d.old.call(out, run[len(run)-1])
	} else {
		for i := 0; i < len(run); i++ {
			if i > 0 {
				out = append(out, ' ')
			}
			out = d.old.call(out, run[i])
			last := i
			for last+1 < len(run) && follows(d.old.units[run[last]].handle, d.old.units[run[last+1]].handle) {
				last++
			}
			if last > i+1 {
				out = append(out, '-')
				out = d.old.call(out, run[last])
				i = last
			}
		}
	}
	if d.old.units[run[0]].handle != "" {
		if label := d.old.items[d.old.units[run[0]].item].label; label != "" {
			out = appendText(append(out, ": "...), cutText(label, 30))
		}
	}
	return out
}

// follows reports whether handle b is the number after handle a.
func follows(a, b string) bool {
	x, err := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return err == nil && err2 == nil && y == x+1
}
