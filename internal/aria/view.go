package aria

// This file builds the view: the tree without wrappers and repetitions. The
// renderers work on it.

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
	// stub stands for items that are left out.
	stub
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
	number int32  // the session's number of the same element, 0 if none

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
	// named has the long names so far.
	named map[string]bool
}

// buildView applies the plan and the rules for text to the tree.
func buildView(t *Tree, marks []mark, o *Options) *view {
	size := len(t.Nodes) + len(t.Nodes)/16 + 1
	for i := range t.Nodes {
		if t.Nodes[i].Kind == Element && t.Nodes[i].HasValue {
			size++ // the value is an item of its own
		}
	}
	b := &builder{
		view:  view{tree: t, items: make([]item, 1, size)},
		marks: marks,
		opt:   o,
		named: map[string]bool{},
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
	if b.tree.focusedPage(n) {
		it.attrs = "" // the focus is nowhere
	}
	if nd.marked() {
		it.level = uint8(nd.Level)
	}
	if !known {
		it.role = "role=" + nd.Role
	}
	if len(nd.Name) > labelText {
		if nd.Role == "img" && b.named[nd.Name] {
			it.label = cutText(nd.Name, repeatedText)
		}
		b.named[nd.Name] = true
	}
	if b.opt.Text != TextFull && nd.actionable() && !s.exempt {
		// A name this long is made of all the text inside.
		it.label = b.shortName(it.label)
	}
	if m&keeps != 0 {
		it.handle, it.number = nd.Ref, nd.Number
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
	if inner.row && b.opt.Format == FormatDense {
		b.joinHeaders(i)
	}
	return b.simplify(i, info, inner.covered)
}
