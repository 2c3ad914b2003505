package aria

// This file holds the view's rules for elements: wrappers go, a wrapper and
// its one part become one, and text becomes label or value.

import (
	"strconv"
	"strings"
)

// simplify drops what says nothing about item i, whose children are built.
func (b *builder) simplify(i int32, info roleInfo, inCovered bool) int32 {
	it := &b.items[i]
	nd := &b.tree.Nodes[it.node]
	if it.label != "" && info&actionable == 0 && (!nd.actionable() || info&fromContent != 0) &&
		it.first != 0 && b.repeated(i) {
		it.label = ""
	}
	if info&wrapper != 0 && len(nd.Props) == 0 && (it.label == "" || it.first == 0) {
		it.role = ""
		return b.simplifyPlain(i)
	}
	if it.level > 0 && it.label == "" && it.first != 0 {
		b.takeHeading(i)
	}
	bare := it.label == "" && it.handle == "" && it.attrs == "" && it.first == 0
	switch {
	case bare && (nd.Role == "img" || nd.Role == "separator") && inCovered && len(nd.Props) == 0:
		return 0
	case bare && nd.Role == "link" && !b.opt.URLs &&
		(len(nd.Props) == 0 || len(nd.Props) == 1 && nd.Props[0].Name == "url"):
		// Neither visible, since it has no handle, nor readable.
		return 0
	case info&covering != 0 && it.label == "" && b.onlyImage(it.first):
		it.label = b.items[it.first].label
		it.first, it.last = 0, 0
	case info&covering != 0 && it.label == "" && it.first != 0 && it.first == it.last && b.turn(i):
		return b.items[i].first
	case info&valued != 0 && b.onlyText(it.first):
		it.value = b.joinText(it.first)
		it.first, it.last = 0, 0
	case nd.Role != "row" && it.first != 0 && b.onlyText(it.first):
		joined := b.joinText(it.first)
		if it.label == "" {
			it.label = joined
		} else {
			it.value = joined
		}
		it.first, it.last = 0, 0
	}
	return i
}

// simplifyPlain does the same for a wrapper whose role is not shown.
func (b *builder) simplifyPlain(i int32) int32 {
	it := &b.items[i]
	only := it.first != 0 && it.first == it.last
	if it.handle == "" && it.attrs == "" {
		switch {
		case it.first == 0 && it.label != "":
			it.kind = text
			return i
		case it.first == 0 && !it.cell:
			return 0
		case only && (!it.cell || !b.items[it.first].cell):
			c := it.first
			b.items[c].cell = it.cell
			return c
		}
		it.kind = group
		return i
	}
	only = it.first != 0 && it.first == it.last
	if it.first == 0 {
		return i
	}
	if b.onlyText(it.first) {
		it.label = strings.TrimSpace(it.label + " " + b.joinText(it.first))
		it.first, it.last = 0, 0
		return i
	}
	if c := &b.items[it.first]; only && c.kind == elem && c.handle == "" && c.first == 0 &&
		!strings.Contains(it.attrs, "[level=") {
		// Acting on the wrapper acts on its one part: a label on its
		// radio button, a clickable box on its image.
		c.handle, c.number, c.cell = it.handle, it.number, it.cell
		c.attrs = joinAttrs(c.attrs, it.attrs)
		return it.first
	}
	if it.label == "" && b.tree.Nodes[it.node].covers() {
		b.takeLeadingText(i)
	}
	return i
}

// takeHeading gives a heading without a label that of its first part, with
// that part's handle.
func (b *builder) takeHeading(i int32) {
	it := &b.items[i]
	first := it.first
	it.first, it.last = 0, 0
	b.ungroup(i, first)
	c := &b.items[it.first]
	if c.kind == elem && c.role == "" && c.first == 0 && c.attrs == "" && it.handle == "" && it.attrs == "" {
		it.label, it.handle, it.number, it.first = c.label, c.handle, c.number, c.next
		return
	}
	b.takeLeadingText(i)
	if it.label == "" && it.handle == "" && c.kind == elem && c.role == "" {
		// Behind signs, the part would be read as the heading itself.
		it.attrs = joinAttrs("[level="+strconv.Itoa(int(it.level))+"]", it.attrs)
		it.level = 0
	}
}

// ungroup makes the items of a list, and those of the groups in it, parts of
// item i.
func (b *builder) ungroup(i, first int32) {
	for c := first; c != 0; {
		next := b.items[c].next
		b.items[c].next = 0
		if b.items[c].kind == group {
			b.ungroup(i, b.items[c].first)
		} else {
			b.link(i, c)
		}
		c = next
	}
}

// takeLeadingText makes the text that an element starts with its label.
func (b *builder) takeLeadingText(i int32) {
	it := &b.items[i]
	c := it.first
	var sb strings.Builder
	for c != 0 && (b.items[c].kind == text || b.items[c].kind == group && b.onlyText(b.items[c].first)) {
		next := b.items[c].next
		b.items[c].next = 0
		if sb.Len() > 0 {
			sb.WriteByte(' ')
		}
		sb.WriteString(b.joinText(c))
		c = next
	}
	if c != it.first {
		it.label, it.first = sb.String(), c
	}
}

// joinHeaders makes one column header, on one line, of neighbours in row i that
// each hold one control, such as a button that sorts: what stands in the first row
// of a table is known for headers anyway. Empty ones between them come along.
func (b *builder) joinHeaders(i int32) {
	into := int32(0)
	for c := b.items[i].first; c != 0; c = b.items[c].next {
		it := &b.items[c]
		if it.role != "columnheader" || it.label != "" || it.value != "" || it.attrs != "" || len(b.tree.Nodes[it.node].Props) > 0 {
			into = 0
			continue
		}
		part := it.first
		control := part != 0 && part == it.last && it.handle == "" && b.items[part].kind == elem &&
			b.items[part].first == 0 && roles[b.items[part].role]&actionable != 0
		switch {
		case into == 0:
			if control {
				into = c
			}
			continue
		case control:
			b.link(into, part)
		case part == 0 && it.handle != "":
			empty := *it
			empty.role, empty.next, empty.cell = "", 0, false
			b.link(into, b.newItem(empty))
		default:
			into = 0
			continue
		}
		b.items[into].next = b.items[c].next
		if b.items[i].last == c {
			b.items[i].last = into
		}
	}
}

// dropCaptions drops, among the parts of item i, text that repeats the name of
// the control beside it: <label><input type="radio"> Private</label>.
func (b *builder) dropCaptions(i int32) {
	before, c := int32(0), b.items[i].first
	for c != 0 {
		next := b.items[c].next
		switch {
		case before != 0 && (b.captions(c, before) || next != 0 && b.captions(c, next)):
			b.items[before].next = next
		case before == 0 && next != 0 && b.captions(c, next):
			b.items[i].first = next
		default:
			before = c
		}
		c = next
	}
	b.items[i].last = before
}

// captions reports whether item c is text that repeats the name of control.
func (b *builder) captions(c, control int32) bool {
	t, e := &b.items[c], &b.items[control]
	return t.kind == text && e.kind == elem && t.label == e.label && roles[e.role]&actionable != 0
}

func joinAttrs(a, c string) string {
	if a == "" || c == "" {
		return a + c
	}
	return a + " " + c
}

// turn puts a nameless element whose one part is a heading inside that
// heading, as if the page had it the usual way round, and reports whether it
// did: "## link News [7]".
func (b *builder) turn(i int32) bool {
	it := &b.items[i]
	h := &b.items[it.first]
	if h.level == 0 || h.handle != "" || h.attrs != "" || h.value != "" || h.first != 0 || h.label == "" ||
		len(b.tree.Nodes[h.node].Props) > 0 {
		return false
	}
	inner := *it
	inner.label, inner.first, inner.last, inner.next = h.label, 0, 0, 0
	h.label, h.covered, h.cell = "", it.covered, it.cell
	c := b.newItem(inner)
	b.link(b.items[i].first, c)
	return true
}

// onlyImage reports whether the list is one image with nothing but a name.
func (b *builder) onlyImage(first int32) bool {
	it := &b.items[first]
	return first != 0 && it.next == 0 && it.role == "img" && it.label != "" &&
		it.handle == "" && it.attrs == "" && it.value == "" && it.first == 0 &&
		len(b.tree.Nodes[it.node].Props) == 0
}

// onlyText reports whether the list of items holds nothing but text.
func (b *builder) onlyText(first int32) bool {
	for c := first; c != 0; c = b.items[c].next {
		it := &b.items[c]
		if it.kind != text && (it.kind != group || !b.onlyText(it.first)) {
			return false
		}
	}
	return true
}

// joinText returns the text of the list with single spaces between.
func (b *builder) joinText(first int32) string {
	if first != 0 && b.items[first].next == 0 && b.items[first].kind == text {
		return b.items[first].label
	}
	var sb strings.Builder
	b.appendText(&sb, first)
	return sb.String()
}

func (b *builder) appendText(sb *strings.Builder, first int32) {
	for c := first; c != 0; c = b.items[c].next {
		if b.items[c].kind == group {
			b.appendText(sb, b.items[c].first)
			continue
		}
		if sb.Len() > 0 {
			sb.WriteByte(' ')
		}
		sb.WriteString(b.items[c].label)
	}
}
