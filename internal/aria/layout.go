package aria

// This file measures the view: which parts share a line in the dense form.

const (
	// lineWidth is the number of bytes up to which the parts of a wrapper
	// are put on one line.
	lineWidth = 160
	// rowWidth is the same for the cells of a table row.
	rowWidth = 1000
	// runWidth is the same for a run of elements of one role.
	runWidth = 400
)

// measure sets width, flow, hard and oneLine of every item. Parts have higher
// indices than what they are parts of.
func (b *builder) measure() {
	for i := len(b.items) - 1; i >= 0; i-- {
		b.measureItem(&b.items[i])
	}
}

func (b *builder) measureItem(it *item) {
	width := len(it.role) + len(it.label) + len(it.value) + len(it.attrs) + len(it.handle) + 4
	texts, others := 0, 0
	fits, run := true, true
	if it.first != 0 {
		run = b.items[it.first].kind == elem && b.items[it.first].role != ""
	}
	for c := it.first; c != 0; c = b.items[c].next {
		p := &b.items[c]
		width += int(p.width)
		if p.kind == text {
			texts++
		} else {
			others++
		}
		run = run && p.kind == elem && p.first == 0 && p.role == b.items[it.first].role
		last := p.next == 0
		if p.hard || p.ends && !last {
			fits = false
		}
	}
	switch it.kind {
	case group:
		it.ends = it.last != 0 && b.items[it.last].ends
	case elem:
		it.ends = it.first != 0 || it.level > 0
	}
	it.width = int32(min(width, 1<<30))
	it.flow = texts > 0 && others > 0
	limit := lineWidth
	switch {
	case it.role == "row":
		limit = rowWidth
	case run:
		limit = runWidth
	}
	it.oneLine = fits && (it.first == it.last || it.flow && it.role != "row" || width <= limit)
	it.below = it.first != 0 && it.level == 0 && (it.kind == rawItem ||
		it.kind == elem && it.label != "" && it.handle == "" && it.attrs == "")
	if it.below {
		it.hard = true
		return
	}
	it.hard = !it.oneLine || it.kind == rawItem || it.kind == elem && roles[it.role]&block != 0 && (!it.covered || it.role == "row")
}
