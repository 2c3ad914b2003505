package aria

// This file holds the node tree that the parser produces.

// Kind tells what a line of the snapshot was.
type Kind uint8

const (
	// Element is a line with a role.
	Element Kind = iota
	// Text is a "- text: …" line.
	Text
	// Raw is a line that starts like a node but is none this package knows.
	// It is carried along unchanged.
	Raw
)

// State is the set of attributes that make a node actionable by state.
type State uint8

// The states upstream prints that say a node is a control in some state.
const (
	Checked State = 1 << iota
	Disabled
	Expanded
	Active // has the keyboard focus
	Invalid
	Pressed
	Selected
)

// Node is one line of the snapshot. Links are indices into Tree.Nodes; 0,
// the synthetic root, means none.
type Node struct {
	Kind Kind
	// State and Level repeat, decoded, what Attrs holds.
	State State
	// Level is the heading or tree level, 0 if there is none.
	Level uint16
	// Pointer is upstream's [cursor=pointer].
	Pointer bool
	// HasValue tells a node with an empty value from one without.
	HasValue bool

	Role string
	Name string
	// Value is the text behind the colon of an element's own line, the
	// content of a text line, or the whole of a raw line.
	Value string
	// Ref is upstream's reference such as e12 or f2e12, empty if none.
	Ref string
	// Number is what stands for the element during the session; Numbers
	// sets it. 0 means none.
	Number int32
	// Attrs are the attributes other than ref, cursor, aria-hidden and a
	// heading's level of 1 to 6, as upstream wrote them:
	// "[checked] [expanded]".
	Attrs string
	// Props are the "- /name: value" lines.
	Props []Prop

	Parent, First, Last, Next int32
}

// Prop is a property line such as /url or /placeholder.
type Prop struct{ Name, Value string }

// Tree is a parsed snapshot. Nodes[0] is a synthetic root whose children are
// the top-level lines; all other nodes follow in document order.
type Tree struct {
	Nodes []Node
	// Lines is how many lines the snapshot had.
	Lines int
}

// add appends a node as the last child of parent and returns its index.
func (t *Tree) add(parent int32, n Node) int32 {
	i := int32(len(t.Nodes))
	n.Parent = parent
	t.Nodes = append(t.Nodes, n)
	p := &t.Nodes[parent]
	if p.First == 0 {
		p.First = i
	} else {
		t.Nodes[p.Last].Next = i
	}
	p.Last = i
	return i
}
