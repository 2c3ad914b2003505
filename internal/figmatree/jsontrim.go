package figmatree

// JSON within a budget.

import "unicode/utf8"

// stubMember marks a node whose branch was left out.
const stubMember = "_stub"

// fittedJSON returns the answer as JSON, cut to budget characters; 0 is no limit.
func fittedJSON(v *Value, budget int, counts *Counts) string {
	text := v.JSON()
	if budget <= 0 || utf8.RuneCountInString(text) <= budget {
		return text
	}
	doc, err := NewDocument(v)
	if err != nil {
		return text // it was a document before; there is nothing to cut
	}
	var branches []*branch
	for _, root := range doc.Roots {
		branches = append(branches, root.branch())
	}
	pin(branches)
	if len(doc.Roots) == 1 {
		root := doc.Roots[0]
		room := budget
		size := func() int { return utf8.RuneCountInString(v.JSON()) }
		if len(root.Children) > 0 {
			room /= 2
			size = func() int { return root.branch().own }
		}
		fitRoot(room, size, func(over int) bool { return shortenText(root.Value, over, counts) })
		branches[0] = root.branch()
		branches[0].root = true
		pin(branches)
	}
	var cut jsonCut
	render := func() bool {
		cut = jsonCut{used: map[string]bool{}, roots: map[*Value]Value{}, gone: map[string]bool{}}
		for i, root := range doc.Roots {
			cut.roots[root.Value] = cut.node(root, branches[i])
		}
		out := cut.document(v)
		text = out.JSON()
		return utf8.RuneCountInString(text) <= budget
	}
	largest(branches, budget, tries, render)
	render()
	counts.Stubs, counts.LayersLeftOut = cut.stubs, cut.leftOut
	return text
}

func (n *Node) branch() *branch {
	b := &branch{stub: jsonLen(stubOf(n)) + 1}
	for _, m := range n.Value.Kids {
		if m.Name != childrenMember {
			b.own += jsonLen(&m) + quotedLen(m.Name) + 2
		}
	}
	for _, child := range n.Children {
		b.kids = append(b.kids, child.branch())
	}
	b.stub = min(b.stub, max(b.own, 1))
	return b
}

// stubOf is what stands for a branch that was cut.
func stubOf(n *Node) *Value {
	v := &Value{Kind: Object, Kids: []Value{StringValue("id", n.ID)}}
	switch {
	case n.Attr("name") != nil:
		v.Kids = append(v.Kids, StringValue("name", n.Name))
	case n.Text != "" && len(n.Text) <= maxTextName: // the default name of a text
		v.Kids = append(v.Kids, StringValue("name", n.Text))
	}
	if n.Type != "" {
		v.Kids = append(v.Kids, StringValue("type", n.Type))
	}
	v.Kids = append(v.Kids, Value{Name: stubMember, Kind: Bool, Text: "true"})
	return v
}

// jsonCut writes what was kept.
type jsonCut struct {
	used           map[string]bool // names of styles, elements and components that kept nodes have
	roots          map[*Value]Value
	gone           map[string]bool // ids of the layers that became stubs
	stubs, leftOut int
}

func (c *jsonCut) node(n *Node, b *branch) Value {
	// A copy is hardly longer than a stub; without its original it says nothing.
	if original := n.Value.Get(sameAsMember); b.cut && original == nil || original != nil && c.gone[original.Str()] {
		c.stubs++
		c.gone[n.ID] = true
		c.leftOut += n.count() - 1
		stub := *stubOf(n)
		stub.Name = n.Value.Name
		return stub
	}
	c.names(n.Value)
	c.names(n.template)
	out := *n.Value
	if len(n.Children) == 0 {
		return out
	}
	out.Kids = append([]Value(nil), out.Kids...)
	list := out.Get(childrenMember)
	kids := make([]Value, 0, b.shown)
	for i, child := range n.Children[:b.shown] {
		kids = append(kids, c.node(child, b.kids[i]))
	}
	more := 0
	for _, child := range n.Children[b.shown:] {
		more += child.count()
	}
	if more > 0 {
		c.leftOut += more
		kids = append(kids, Value{Kind: Object, Kids: []Value{{Name: stubMember, Kind: Bool, Text: "true"}, numberValue("_more", more)}})
	}
	list.Kids = kids
	return out
}

func (n *Node) count() int {
	total := 1
	for _, child := range n.Children {
		total += child.count()
	}
	return total
}

// names notes what a node refers to.
func (c *jsonCut) names(v *Value) {
	for i := range v.Members() {
		switch m := &v.Kids[i]; {
		case m.Name == childrenMember:
		case m.Kind == String:
			c.used[m.Text] = true
		case m.Name == "styles":
			for _, s := range m.Members() {
				c.used[s.Str()] = true
			}
		}
	}
}

// document returns the answer with the kept roots, and the lists with what they
// refer to.
func (c *jsonCut) document(v *Value) Value {
	if root, ok := c.roots[v]; ok {
		return root
	}
	for _, m := range v.Get("components").Members() {
		if set := m.Get("componentSetId").Str(); set != "" && c.used[m.Name] {
			c.used[set] = true
		}
	}
	out := *v
	out.Kids = make([]Value, 0, len(v.Kids))
	for i := range v.Kids {
		m := &v.Kids[i]
		switch {
		case m.Name == "components" || m.Name == "componentSets" || m.Name == "styles" || m.Name == "elements":
			kept := *m
			kept.Kids = nil
			for _, entry := range m.Kids {
				if c.used[entry.Name] {
					kept.Kids = append(kept.Kids, entry)
				}
			}
			out.Kids = append(out.Kids, kept)
		case m.Kind == Object || m.Kind == Array:
			out.Kids = append(out.Kids, c.document(m))
		default:
			out.Kids = append(out.Kids, *m)
		}
	}
	return out
}
