package figmatree

// Document: an answer as a tree of nodes whose styles can be looked up, whatever
// shape it came in.

import (
	"errors"
	"strings"
)

// Shape says who wrote an answer.
type Shape uint8

// The shapes that are understood.
const (
	Framelink Shape = iota + 1 // figma-developer-mcp: styles as CSS-like texts
	REST                       // the REST API: styles as Figma's own objects
)

// Component is an entry of the list of components or component sets.
type Component struct {
	ID    string
	Name  string // for a variant "Property=Value, …"
	SetID string // the component set that it is a variant of; empty for none
}

// Document is a parsed answer.
type Document struct {
	Shape      Shape
	Name       string // the file's name
	Roots      []*Node
	Missing    []string             // the ids that were asked for and that the file does not have
	Components map[string]Component // by id
	Sets       map[string]Component // component sets by id

	rootsOnly bool
	styles    map[string]*Value
	elements  map[string]*Value
	nodes     map[string]*Node
}

// Node is one layer.
type Node struct {
	ID          string
	Name        string // what the answer says; Framelink leaves out default names
	Type        string // FRAME, TEXT, INSTANCE, IMAGE-SVG, …
	Text        string // a TEXT layer's characters
	ComponentID string // of an INSTANCE: what it is an instance of
	Parent      *Node
	Children    []*Node
	Value       *Value // the node as it was written, children included

	doc      *Document
	template *Value
}

// Parse reads an answer, JSON or YAML. The error says what it is not.
func Parse(text string) (*Document, error) {
	v, err := ParseText(text)
	if err != nil {
		return nil, err
	}
	return NewDocument(v)
}

// ParseText reads JSON or YAML without asking what it means. Text that is
// neither, as Framelink's own tree format, is an error.
func ParseText(text string) (*Value, error) {
	trimmed := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		return ParseJSON(trimmed)
	}
	return ParseYAML(trimmed)
}

// errShape is what an answer gets that is valid and still no design.
var errShape = errors.New("it holds no Figma nodes in a known shape")

// NewDocument makes the tree of a parsed answer. Nodes refer to the value.
func NewDocument(v *Value) (*Document, error) { return newDocument(v, true) }

// newDocument makes the tree, or for those that work on values only its roots.
func newDocument(v *Value, whole bool) (*Document, error) {
	d := &Document{rootsOnly: !whole, Name: v.Get("name").Str(), nodes: map[string]*Node{}, Components: map[string]Component{}, Sets: map[string]Component{}}
	roots := d.roots(v)
	if len(roots) == 0 {
		return nil, errShape
	}
	for _, root := range roots {
		if n := d.node(root, nil); n != nil {
			d.Roots = append(d.Roots, n)
		}
	}
	if len(d.Roots) == 0 {
		return nil, errShape
	}
	return d, nil
}

// roots finds the top nodes, and the lists beside them.
func (d *Document) roots(v *Value) []*Value {
	var out []*Value
	d.Shape = REST
	nodes, document := v.Get("nodes"), v.Get("document")
	switch {
	case v.Kind == Array: // nodes alone
		for i := range v.Kids {
			out = append(out, &v.Kids[i])
		}
	case nodes.Items() != nil:
		d.Shape = Framelink
		d.styles, d.elements = index(v.Path("globalVars", "styles")), index(v.Get("elements"))
		if metadata := v.Get("metadata"); metadata != nil {
			d.Name = metadata.Get("name").Str()
			d.list(metadata)
		}
		d.list(v)
		for i := range nodes.Kids {
			out = append(out, &nodes.Kids[i])
		}
	case nodes.Members() != nil:
		for i := range nodes.Kids {
			entry := &nodes.Kids[i] // null for an id that the file does not have
			if node := entry.Get("document"); node != nil {
				d.list(entry)
				out = append(out, node)
			} else if entry.Kind == Null {
				d.Missing = append(d.Missing, entry.Name)
			}
		}
	case document != nil:
		d.list(v)
		out = append(out, document)
	case v.Get("id") != nil:
		d.Name = "" // v's name is the layer's
		out = append(out, v)
	}
	return out
}

// list reads the lists of components and component sets of v.
func (d *Document) list(v *Value) {
	read := func(name string, into map[string]Component) {
		for _, m := range v.Get(name).Members() {
			into[m.Name] = Component{ID: m.Name, Name: m.Get("name").Str(), SetID: m.Get("componentSetId").Str()}
		}
	}
	read("components", d.Components)
	read("componentSets", d.Sets)
}

func (d *Document) node(v *Value, parent *Node) *Node {
	if v.Kind != Object || v.Get("id") == nil {
		return nil
	}
	n := &Node{ID: v.Get("id").Str(), Parent: parent, Value: v, doc: d}
	if name := v.Get("template").Str(); name != "" {
		n.template = d.elements[name]
	}
	n.Name, n.Type, n.ComponentID = n.Attr("name").Str(), n.Attr("type").Str(), n.Attr("componentId").Str()
	if n.Text = n.Attr("text").Str(); n.Text == "" {
		n.Text = n.Attr("characters").Str()
	}
	if _, taken := d.nodes[n.ID]; !taken {
		d.nodes[n.ID] = n
	}
	if d.rootsOnly {
		return n
	}
	kids := v.Get("children").Items()
	for i := range kids {
		if child := d.node(&kids[i], n); child != nil {
			n.Children = append(n.Children, child)
		}
	}
	return n
}

// Node returns the layer with an id, which may be written as in a URL (1-2 for
// 1:2); nil when the answer does not hold it.
func (d *Document) Node(id string) *Node {
	if n := d.nodes[id]; n != nil {
		return n
	}
	return d.nodes[strings.ReplaceAll(id, "-", ":")]
}

// Len returns how many layers there are.
func (d *Document) Len() int { return len(d.nodes) }

// styleMembers are those whose value may be the name of a shared style.
var styleMembers = map[string]bool{"layout": true, "fills": true, "strokes": true, "effects": true, "textStyle": true}

// Attr returns what the node says under a name, nil when it says nothing: its
// own member, or its template's, and for layout, fills, strokes, effects and
// textStyle what the name of a shared style stands for. REST nodes have their
// own members only.
func (n *Node) Attr(name string) *Value {
	v := n.Value.Get(name)
	if v == nil {
		v = n.template.Get(name)
	}
	if v != nil && v.Kind == String && styleMembers[name] {
		if style := n.doc.styles[v.Text]; style != nil {
			return style
		}
	}
	return v
}

// StyleName returns the name under which a layer's layout, fills, strokes,
// effects or textStyle is shared, as "Body/M"; empty when it is the layer's own.
func (n *Node) StyleName(member string) string {
	v := n.Value.Get(member)
	if v == nil {
		v = n.template.Get(member)
	}
	if name := v.Str(); styleMembers[member] && n.doc.styles[name] != nil {
		return name
	}
	return ""
}

// index returns an object's members by name.
func index(v *Value) map[string]*Value {
	out := make(map[string]*Value, len(v.Members()))
	for i, m := range v.Members() {
		out[m.Name] = &v.Kids[i]
	}
	return out
}
