package figmatree

// layer: a node as the dense form writes it.

import "strings"

// layer is a node with what its line says.
type layer struct {
	id, name, kind string
	text           string
	named, worded  bool // it has a name, a text
	attrs
	component string   // the id of the component that it is an instance of
	shared    []string // REST: the ids of the shared styles that it names
	kids      []*layer
	count     int // layers in the subtree, itself included

	hash   layerHash
	copyOf *layer   // an earlier layer whose subtree is alike, but for the lines in diff
	diff   []*layer // layers below that are not as in copyOf
	listed bool     // the ids below do not follow from copyOf's
	cut    bool     // it stands for a branch that was left out
	more   int      // how many layers below it were left out without a trace

	onlyText bool // in diff, and nothing but the text is another
}

// builder makes layers of nodes.
type builder struct {
	doc  *Document
	used map[string]bool // shared styles that a member names
}

// build makes the layer of a node and of those below it.
func (b *builder) build(n *Node) *layer {
	l := &layer{id: n.ID, name: n.Name, kind: n.Type, text: n.Text, component: n.ComponentID, count: 1}
	l.named = n.Attr("name") != nil
	textMember := "text"
	if b.doc.Shape == REST {
		textMember = "characters"
	}
	l.worded = n.Attr(textMember) != nil && n.Attr(textMember).Kind == String
	if !l.worded {
		l.text = ""
	}
	res := resolver{elements: b.doc.elements}
	res.members(n.Value, func(m *Value) {
		switch {
		case m.Name == "name" && m.Kind == String, m.Name == "type" && m.Kind == String, m.Name == textMember && l.worded:
			return
		case b.doc.Shape == REST:
			l.native(m, n)
			l.shared = sharedStyles(l.shared, m)
			return
		}
		value, name := m, ""
		if styleMembers[m.Name] && m.Kind == String {
			if style := b.doc.styles[m.Text]; style != nil {
				value, name = style, m.Text
				b.used[name] = true
			}
		}
		l.simplified(m, value, name)
	})
	for _, child := range n.Children {
		kid := b.build(child)
		l.kids = append(l.kids, kid)
		l.count += kid.count
	}
	l.attrs.sort()
	return l
}

// order is that of the words of a line; what is not in it comes after, in the
// order of the words.
const order = " row col grid wrap absolute justify- items- self- pad gap layout. fill stroke w r effects opacity font textStyle comp "

func (a *attrs) sort() {
	rank := func(word string) int {
		key := word
		if i := strings.IndexAny(word, `="-0123456789`); i > 0 {
			key = word[:i]
			if word[i] == '-' {
				key += "-"
			}
		}
		if strings.HasPrefix(key, "layout.") {
			key = "layout."
		}
		if at := strings.Index(order, " "+key+" "); at >= 0 {
			return at
		}
		return len(order)
	}
	sortWords(a.rest, rank)
}

func sortWords(words []string, rank func(string) int) {
	// Few words; stable among those of the same rank is not needed, for the words
	// themselves decide then.
	for i := 1; i < len(words); i++ {
		for j := i; j > 0; j-- {
			a, b := rank(words[j-1]), rank(words[j])
			if a < b || a == b && words[j-1] <= words[j] {
				break
			}
			words[j-1], words[j] = words[j], words[j-1]
		}
	}
}

// key is all words but the place, as one text.
func (a *attrs) key() string {
	return strings.TrimLeft(a.size+" "+strings.Join(a.rest, " "), " ")
}

// cost estimates the tokens of a text: one per short word, per three digits, per
// mark.
func cost(s string) int {
	n := 0
	for i := 0; i < len(s); {
		start := i
		c := s[i]
		switch {
		case isDigit(c):
			for i < len(s) && isDigit(s[i]) && i-start < 3 {
				i++
			}
		case isWordByte(c) && c != '.':
			for i < len(s) && isWordByte(s[i]) && !isDigit(s[i]) && s[i] != '.' && i-start < 6 {
				i++
			}
		case c == ' ' && i+1 < len(s) && isWordByte(s[i+1]) && !isDigit(s[i+1]):
			i++ // belongs to the word behind it
			continue
		default:
			i++
		}
		n++
	}
	return n
}
