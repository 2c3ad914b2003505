package aria

// This file builds the view: the tree without wrappers and repetitions. The
// renderers work on it.

import (
	"strconv"
	"strings"
)

// itemKind tells what a part of the view is.
type itemKind uint8

const (
	// elem is an element with a role that is shown, or a plain one (role
	// empty) that has a handle.
	elem itemKind = iota
	// text is readable text without a handle.
	text
	// group is a wrapper with several parts; only its extent matters.
	group
	// rawItem is a line of unknown form.
	rawItem
)

// item is one part of the view. Links are indices into view.items, 0 is the
// root group and means none.
type item struct {
	kind itemKind
	// cell: the item is a cell of a table row.
	cell bool
	// covered: the item is inside one that can be acted on in its stead.
	covered bool
	// flow: text and elements alternate among the children, as in prose.
	flow bool
	// hard: the item cannot share a line with its siblings.
	hard bool
	// oneLine: the item's parts fit on one line.
	oneLine bool
	// ends: nothing may follow on the item's line, since what does is a part
	// of the item: it has parts behind a colon, or is a heading.
	ends bool
	// below: that line is the next one, since behind its label, which no
	// bracket ends, the parts would need quotes around it.
	below bool
	// level is that of a heading which signs show, 1 to 6, otherwise 0.
	level uint8
	// width estimates the bytes of the item on one line.
	width int32
	// node is the node of the tree that the item shows.
	node int32

	role   string
	label  string
	value  string
	attrs  string
	handle string // upstream's ref, empty if none is printed

	first, last, next int32
}

// view is the compacted tree.
type view struct {
	tree  *Tree
	items []item
	// handles counts the handles that are kept.
	handles int
	// cut counts the characters of running text that were left out.
	cut int
}

// scope is what a node inherits from those around it.
type scope struct {
	// name is the name that text further in may repeat.
	name string
	// exempt: text is a label, heading or message and never cut.
	exempt bool
	// covered: the node is inside an actionable one.
	covered bool
	// row: the parent is a table row.
	row bool
}

type builder struct {
	view
	marks []mark
	opt   *Options
}

// buildView applies the plan and the rules for text to the tree.
func buildView(t *Tree, marks []mark, o *Options) *view {
	b := &builder{
		view:  view{tree: t, items: make([]item, 1, len(t.Nodes)+1)},
		marks: marks,
		opt:   o,
	}
	b.items[0].kind = group
	b.children(0, 0, scope{})
	b.liftRoot()
	b.measure()
	return &b.view
}

// liftRoot makes a lone top element that has only a handle or a state, such
// as the focused body, a sibling of what it holds: its extent is the page.
func (b *builder) liftRoot() {
	r := b.items[0].first
	if r == 0 || b.items[r].next != 0 {
		return
	}
	it := &b.items[r]
	if it.kind == elem && it.role == "" && it.label == "" && it.first != 0 {
		it.next, b.items[0].last = it.first, it.last
		it.first, it.last = 0, 0
	}
}

// children builds the parts of node n below item i.
func (b *builder) children(i, n int32, s scope) {
	nd := &b.tree.Nodes[n]
	run := runningText{b: b, scope: s}
	if b.opt.Text == TextNone {
		run.label = b.isLabel(nd)
	}
	if nd.Kind == Element && nd.HasValue {
		run.add(i, n, nd.Value)
	}
	for c := nd.First; c != 0; c = b.tree.Nodes[c].Next {
		if child := &b.tree.Nodes[c]; child.Kind == Text {
			run.add(i, c, child.Value)
			continue
		}
		b.link(i, b.build(c, s))
	}
	b.dropCaptions(i)
}

// link makes item c the last child of item i.
func (b *builder) link(i, c int32) {
	if c == 0 {
		return
	}
	p := &b.items[i]
	if p.first == 0 {
		p.first = c
	} else {
		b.items[p.last].next = c
	}
	p.last = c
}

// newItem appends an item for node n.
func (b *builder) newItem(it item) int32 {
	b.items = append(b.items, it)
	return int32(len(b.items) - 1)
}

// build makes the item for an element or raw node; 0 means that nothing of
// it is shown.
func (b *builder) build(n int32, s scope) int32 {
	nd := &b.tree.Nodes[n]
	if nd.Kind == Raw {
		i := b.newItem(item{kind: rawItem, node: n, label: nd.Value})
		b.children(i, n, scope{exempt: true})
		return i
	}
	info, known := roles[nd.Role]
	m := b.marks[n]
	it := item{kind: elem, node: n, role: nd.Role, label: nd.Name, attrs: nd.Attrs}
	if nd.marked() {
		it.level = uint8(nd.Level)
	}
	if !known {
		it.role = "role=" + nd.Role
	}
	if m&keeps != 0 {
		it.handle = nd.Ref
		b.handles++
	}
	it.cell = s.row && info&cell != 0
	it.covered = m&covered != 0
	i := b.newItem(it)

	inner := s
	inner.row = nd.Role == "row"
	inner.covered = m&covered != 0 || nd.covers()
	inner.exempt = s.exempt || inner.covered || info&(message|valued) != 0
	switch {
	case nd.Role == "iframe":
		inner = scope{}
	case inner.row:
		inner.name = ""
	case nd.Name != "" && (nd.actionable() || info&fromContent != 0 && m&below == 0):
		inner.name = nd.Name
	case info&fromContent != 0 && m&below != 0:
		inner.name = ""
	case info&wrapper == 0:
		inner.name = ""
	}
	if info&valued != 0 {
		inner.name = ""
	}
	b.children(i, n, inner)
	return b.simplify(i, info, inner.covered)
}

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
	if c := &b.items[it.first]; only && c.kind == elem && c.handle == "" && c.first == 0 {
		// Acting on the wrapper acts on its one part: a label on its
		// radio button, a clickable box on its image.
		c.handle, c.cell = it.handle, it.cell
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
	if c.kind == elem && c.role == "" && c.first == 0 && it.handle == "" && it.attrs == "" {
		it.label, it.handle = c.label, c.handle
		it.attrs, it.first = c.attrs, c.next
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
