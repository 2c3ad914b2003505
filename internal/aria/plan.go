package aria

// This file decides which nodes keep their handle.

// HandlesMode says which nodes keep a handle.
type HandlesMode uint8

const (
	// HandlesLeaf keeps the handle of every actionable node and of every
	// leaf outside one: such a leaf may have a click listener of its own,
	// which the snapshot does not show.
	HandlesLeaf HandlesMode = iota
	// HandlesAction keeps actionable nodes' handles only.
	HandlesAction
)

// mark is the plan's verdict on one node.
type mark uint8

const (
	// keeps: the node's handle is printed.
	keeps mark = 1 << iota
	// covered: the node is inside one that can be acted on in its stead.
	covered
	// below: some node further down keeps its handle.
	below
)

// planHandles applies the leaf rule. The result has one mark per node.
//
// A handle is dropped only from a non-actionable node that has a kept handle
// further down, and from a non-actionable node inside an actionable one.
func planHandles(t *Tree, mode HandlesMode) []mark {
	marks := make([]mark, len(t.Nodes))
	// Document order puts parents before children.
	for i := 1; i < len(t.Nodes); i++ {
		p := t.Nodes[i].Parent
		parent := &t.Nodes[p]
		if p == 0 || parent.Role == "iframe" {
			continue // a frame's content is acted on by itself
		}
		if marks[p]&covered != 0 || parent.covers() {
			marks[i] |= covered
		}
	}
	// Backwards, children come before parents.
	for i := len(t.Nodes) - 1; i > 0; i-- {
		n := &t.Nodes[i]
		if n.Ref != "" {
			leaf := mode == HandlesLeaf && marks[i]&(covered|below) == 0
			if leaf || n.actionable() && !t.focusedPage(int32(i)) {
				marks[i] |= keeps
			}
		}
		if marks[i]&(keeps|below) != 0 {
			marks[n.Parent] |= below
		}
	}
	return marks
}

// actionable reports whether the node can be acted on, judged by its role,
// the pointer cursor, focus and state.
func (n *Node) actionable() bool {
	return n.Pointer || n.State != 0 || roles[n.Role]&actionable != 0
}

// focusedPage reports whether node i is the root of a document, the page's or
// a frame's, that has the focus only because nothing in it has.
func (t *Tree) focusedPage(i int32) bool {
	n := &t.Nodes[i]
	if n.Role != "generic" || n.State != Active || n.Attrs != "[active]" || n.Pointer || n.Name != "" {
		return false
	}
	p := &t.Nodes[n.Parent]
	return (n.Parent == 0 || p.Role == "iframe") && p.First == i && n.Next == 0
}

// covers reports whether acting on the node is acting on what is inside it.
// Focus and states alone do not: a focused dialog is not its buttons.
func (n *Node) covers() bool {
	return n.Ref != "" && (n.Pointer || roles[n.Role]&covering != 0)
}
