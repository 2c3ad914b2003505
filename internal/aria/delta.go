package aria

// This file finds what changed between two views of a page.

import (
	"slices"
	"strings"
	"unicode"
)

// Delta is what changed between two views.
type Delta struct {
	// Added, Removed, Changed and Moved count elements and texts.
	Added, Removed, Changed, Moved int

	old, new *unitTree
	// whole is the size of the new view in bytes.
	whole int
}

// Diff compares two views of one page that were made with the same options.
//
// It matches the parts of each container in order: those with a handle by it,
// the others by what is written, so that order and repetition count. What has
// the same place and the same role, but another text, has changed.
func Diff(old, new *View) *Delta {
	ids := newUnitIDs(new.view)
	text, _ := new.Render()
	d := &Delta{
		old:   newUnitTree(old.view, &new.opt, ids),
		new:   newUnitTree(new.view, &new.opt, ids),
		whole: len(text),
	}
	pairs := [][2]int32{{0, 0}}
	for len(pairs) > 0 {
		p := pairs[len(pairs)-1]
		pairs = pairs[:len(pairs)-1]
		a, b := d.old.parts(p[0]), d.new.parts(p[1])
		d.align(a, b, 0)
		d.pairChanged(a, b)
		for _, u := range b {
			if pair := d.new.units[u].pair; pair != 0 && (d.new.units[u].first != 0 || d.old.units[pair].first != 0) {
				pairs = append(pairs, [2]int32{pair, u})
			}
		}
	}
	d.count()
	return d
}

// Empty reports whether nothing changed.
func (d *Delta) Empty() bool { return d.Added+d.Removed+d.Changed+d.Moved == 0 }

// Fraction is the share of elements and texts that changed, from 0 to 1.
func (d *Delta) Fraction() float64 {
	all := max(len(d.old.units), len(d.new.units)) - 1
	if all == 0 {
		return 0
	}
	return min(1, float64(d.Added+d.Removed+d.Changed+d.Moved)/float64(all))
}

func (d *Delta) count() {
	for u := 1; u < len(d.new.units); u++ {
		switch n := &d.new.units[u]; {
		case n.pair != 0:
			if d.old.units[n.pair].head != n.head {
				d.Changed++
			}
		case n.handle != "" && d.old.handled[n.handle] != 0:
			d.Moved++
		default:
			d.Added++
		}
	}
	for u := 1; u < len(d.old.units); u++ {
		if n := &d.old.units[u]; n.pair == 0 && !d.moved(n) {
			d.Removed++
		}
	}
}

// moved reports whether a unit without a pair is in the new view elsewhere.
func (d *Delta) moved(u *unit) bool {
	return u.handle != "" && d.new.handled[u.handle] != 0
}

func (d *Delta) match(a, b int32) {
	d.old.units[a].pair, d.new.units[b].pair = b, a
}

// same reports whether an old and a new unit are the same.
func (d *Delta) same(a, b int32) bool { return d.old.units[a].id == d.new.units[b].id }

const (
	// maxAlignDepth and maxAlignCells bound the time of an alignment.
	maxAlignDepth = 24
	maxAlignCells = 1 << 16
)

// align matches units of two lists in order. Units that occur once in each
// divide the lists; what is between them is aligned by itself.
func (d *Delta) align(a, b []int32, depth int) {
	for len(a) > 0 && len(b) > 0 && d.same(a[0], b[0]) {
		d.match(a[0], b[0])
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && d.same(a[len(a)-1], b[len(b)-1]) {
		d.match(a[len(a)-1], b[len(b)-1])
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	switch {
	case len(a) == 0 || len(b) == 0:
		return
	case len(a)*len(b) <= maxAlignCells:
		d.alignExactly(a, b)
		return
	case depth == maxAlignDepth:
		d.alignGreedily(a, b)
		return
	}
	anchors := d.anchors(a, b)
	if len(anchors) == 0 {
		d.alignGreedily(a, b)
		return
	}
	i, j := 0, 0
	for _, at := range anchors {
		d.match(a[at[0]], b[at[1]])
		d.align(a[i:at[0]], b[j:at[1]], depth+1)
		i, j = at[0]+1, at[1]+1
	}
	d.align(a[i:], b[j:], depth+1)
}

// anchors returns the longest chain of units that occur once in each list, as
// pairs of indices in ascending order.
func (d *Delta) anchors(a, b []int32) [][2]int {
	at := make(map[int32]int, len(a)) // index in a, -1 if there are several
	for i, u := range a {
		id := d.old.units[u].id
		if _, twice := at[id]; twice {
			at[id] = -1
		} else {
			at[id] = i
		}
	}
	seen := make(map[int32]int, len(b))
	for _, u := range b {
		seen[d.new.units[u].id]++
	}
	// Patience sorting: tails[n] ends the best chain of n+1 pairs.
	type link struct{ i, j, before int }
	var links []link
	var tails []int
	for j, u := range b {
		id := d.new.units[u].id
		i, ok := at[id]
		if !ok || i < 0 || seen[id] != 1 {
			continue
		}
		n, _ := slices.BinarySearchFunc(tails, i, func(l, i int) int { return links[l].i - i })
		l := link{i, j, -1}
		if n > 0 {
			l.before = tails[n-1]
		}
		links = append(links, l)
		if n == len(tails) {
			tails = append(tails, 0)
		}
		tails[n] = len(links) - 1
	}
	chain := make([][2]int, len(tails))
	if len(tails) > 0 {
		l := tails[len(tails)-1]
		for n := len(chain) - 1; n >= 0; n-- {
			chain[n] = [2]int{links[l].i, links[l].j}
			l = links[l].before
		}
	}
	return chain
}

// alignExactly matches a longest common subsequence.
func (d *Delta) alignExactly(a, b []int32) {
	w := len(b) + 1
	best := make([]int32, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if d.same(a[i], b[j]) {
				best[i*w+j] = best[(i+1)*w+j+1] + 1
			} else {
				best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case d.same(a[i], b[j]):
			d.match(a[i], b[j])
			i++
			j++
		case best[(i+1)*w+j] >= best[i*w+j+1]:
			i++
		default:
			j++
		}
	}
}

// alignGreedily matches each unit with the next equal one.
func (d *Delta) alignGreedily(a, b []int32) {
	where := map[int32][]int{}
	for i, u := range a {
		id := d.old.units[u].id
		where[id] = append(where[id], i)
	}
	next := 0
	for _, u := range b {
		id := d.new.units[u].id
		at := where[id]
		for len(at) > 0 && at[0] < next {
			at = at[1:]
		}
		where[id] = at
		// A far leap would leave all between it unmatched.
		if len(at) > 0 && at[0] < next+len(a)/8+16 {
			d.match(a[at[0]], u)
			next = at[0] + 1
		}
	}
}

// pairChanged matches, between units that are matched, those that have the
// same place and role and another text.
func (d *Delta) pairChanged(a, b []int32) {
	for i, j := 0, 0; i < len(a) || j < len(b); i, j = i+1, j+1 {
		i0, j0 := i, j
		for i < len(a) && d.old.units[a[i]].pair == 0 {
			i++
		}
		for j < len(b) && d.new.units[b[j]].pair == 0 {
			j++
		}
		d.pairGap(a[i0:i], b[j0:j])
	}
}

func (d *Delta) pairGap(a, b []int32) {
	if len(a) == 0 || len(a) != len(b) {
		return
	}
	for i := range a {
		if !d.replaces(&d.old.units[a[i]], &d.new.units[b[i]], len(a) > 1) {
			return
		}
	}
	for i := range a {
		d.match(a[i], b[i])
	}
}

// replaces reports whether unit n can be called a changed o.
func (d *Delta) replaces(o, n *unit, several bool) bool {
	x, y := &d.old.items[o.item], &d.new.items[n.item]
	if x.kind != y.kind || x.role != y.role || x.level != y.level || d.moved(o) ||
		n.handle != "" && d.old.handled[n.handle] != 0 {
		return false
	}
	if (o.handle != "" || n.handle != "") && (several || !alike(x.label, y.label)) {
		return false
	}
	if o.first == 0 || n.first == 0 {
		return o.first == 0 && n.first == 0
	}
	for p := o.first; p != 0; p = d.old.units[p].next {
		for q, tries := n.first, 0; q != 0 && tries < 16; q, tries = d.new.units[q].next, tries+1 {
			if d.same(p, q) {
				return true
			}
		}
	}
	return false
}

// alike reports whether two labels may be of one element: "Follow" and
// "Following", "Basket 2" and "Basket 3".
func alike(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		return true
	}
	notWord := func(r rune) bool { return !unicode.IsLetter(r) }
	words := strings.FieldsFunc(a, notWord)
	for w := range strings.FieldsFuncSeq(b, notWord) {
		if len(w) > 2 && slices.Contains(words, w) {
			return true
		}
	}
	return false
}
