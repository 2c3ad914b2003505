package designdiff

// Auto-map: which layers are looked for on the page, and by what.

import (
	"strings"

	"github.com/playguard/playguard/internal/figmatree"
)

const (
	// maxLayers bounds how many layers one call looks for.
	maxLayers = 300
	// maxKey is the longest name that is looked for as an id or a class, maxText
	// the longest text.
	maxKey, maxText = 60, 300
)

// LayersOf lists the layers at and below a node that may have an element of
// their own, parents first. With root false the node itself is left out. cut is
// how many there were no room for.
func LayersOf(n *figmatree.Node, root bool) (layers []Found, nodes []*figmatree.Node, cut int) {
	var walk func(n *figmatree.Node, parent int, listed bool)
	walk = func(n *figmatree.Node, parent int, listed bool) {
		if n.Attr("visible").IsFalse() {
			return
		}
		if listed && Comparable(n) {
			if len(layers) == maxLayers {
				cut++
			} else {
				layers = append(layers, found(n, len(layers), parent))
				nodes = append(nodes, n)
				parent = len(layers) - 1
			}
		}
		for _, c := range n.Children {
			walk(c, parent, true)
		}
	}
	walk(n, -1, root)
	return layers, nodes, cut
}

func found(n *figmatree.Node, at, parent int) Found {
	f := Found{At: at, Parent: parent, IDs: []string{n.ID}, Keys: []string{}, Label: LabelText(n)}
	if dashed := strings.ReplaceAll(n.ID, ":", "-"); dashed != n.ID {
		f.IDs = append(f.IDs, dashed)
	}
	if n.Type == "TEXT" && len(f.Label) <= maxText {
		f.Text = f.Label
	}
	name := strings.TrimSpace(n.Name)
	if name == "" || len(name) > maxKey {
		return f
	}
	f.Keys = append(f.Keys, name)
	if slug := slugOf(name); slug != "" && slug != name {
		f.Keys = append(f.Keys, slug)
	}
	return f
}

// slugOf is how a layer's name is written as an id or a class: Button/Primary
// becomes button-primary.
func slugOf(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7F || r == '_' {
			b.WriteRune(r)
		} else if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}
