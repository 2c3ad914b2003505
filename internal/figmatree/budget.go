package figmatree

// Module 7: which branches stay when not all of them fit.

import "slices"

// branch is a layer for the question what fits: sizes in characters.
type branch struct {
	own   int // the layer alone
	stub  int // what stands for it when it is cut
	total int // the whole branch; set by measure
	kids  []*branch

	cut    bool // it becomes a stub
	root   bool // it is what was asked for: never a stub
	pinned bool // it is on the way to a top-level section, or one: never below a stub
	shown  int  // of a pinned one: how many kids there is room for as stubs
}

// measure sums up a branch.
func (b *branch) measure() int {
	b.total = b.own
	for _, kid := range b.kids {
		b.total += kid.measure()
	}
	return b.total
}

// pin marks the way to the top-level sections: the roots or, where there is but
// one, what is below it.
func pin(roots []*branch) {
	for _, b := range roots {
		b.pinned = true
	}
	if len(roots) == 1 {
		pin(roots[0].kids)
	}
}

// trim decides which branches are cut so that the roots take no more than budget
// characters, if that can be: sections are never left out as long as there is
// room for their stubs.
func trim(roots []*branch, budget int) {
	for _, b := range roots {
		b.reset()
	}
	top := &branch{kids: roots, pinned: true}
	top.measure()
	top.fit(budget)
}

func (b *branch) reset() {
	b.cut, b.shown = false, len(b.kids)
	for _, kid := range b.kids {
		kid.reset()
	}
}

// fit cuts inside a branch until it takes no more than budget, and returns what
// it takes. The space is shared out in proportion to the branches' sizes, from
// the smallest on, so that what one leaves over goes to the next.
func (b *branch) fit(budget int) int {
	if b.total <= budget {
		return b.total
	}
	stubs := b.own
	for _, kid := range b.kids {
		stubs += kid.stub
	}
	onWay := b.pinned && len(b.kids) > 0 && b.kids[0].pinned
	if stubs > budget || len(b.kids) == 0 {
		switch {
		case onWay:
			return b.fitSections(budget)
		case !b.root:
			b.cut = true
			return b.stub
		case len(b.kids) == 0:
			return b.own
		}
	}
	kids := slices.Clone(b.kids)
	slices.SortStableFunc(kids, func(x, y *branch) int { return (x.total - x.stub) - (y.total - y.stub) })
	excess := 0
	for _, kid := range kids {
		excess += max(0, kid.total-kid.stub)
	}
	spare, used := budget-stubs, stubs
	for _, kid := range kids {
		weight := max(0, kid.total-kid.stub)
		if weight == 0 {
			continue
		}
		share := int(float64(spare) * float64(weight) / float64(excess))
		taken := kid.fit(kid.stub+share) - kid.stub
		used, spare, excess = used+taken, spare-taken, excess-weight
	}
	return used
}

// fitSections shows as many sections as there is room for, as stubs.
func (b *branch) fitSections(budget int) int {
	used := b.own
	b.shown = 0
	for i, kid := range b.kids {
		if used+kid.stub > budget && i > 0 {
			break
		}
		kid.fit(kid.stub)
		used += kid.stub
		b.shown++
	}
	return used
}

// largest finds the largest budget for trim with which fits is true of what is
// left, within the given number of tries. fits must say true of small ones.
func largest(roots []*branch, limit, tries int, fits func() bool) {
	high := 0
	for _, b := range roots {
		high += b.measure()
	}
	low := 0
	high = min(high, 16*limit) // whatever the form saves, not more than that
	for ; tries > 0 && low < high-limit/64; tries-- {
		middle := low + (high-low+1)/2
		if trim(roots, middle); fits() {
			low = middle
		} else {
			high = middle
		}
	}
	trim(roots, low)
}
