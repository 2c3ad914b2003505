package designdiff

// The comparison of one layer with one element, property by property.

import (
	"slices"
	"strings"

	"github.com/playguard/playguard/internal/figmatree"
)

// Status is what a comparison came to.
type Status string

// What a comparison can come to.
const (
	Match    Status = "match"
	Mismatch Status = "mismatch"
	Unknown  Status = "unknown" // it can't be told for certain
)

// epsilon lets a difference of exactly the tolerance be within it.
const epsilon = 1e-6

// Tolerance is what still counts as the same.
type Tolerance struct {
	PX    float64 // of sizes
	Color float64 // of a colour's channels, in steps of 255
}

// Row is one property's comparison.
type Row struct {
	Property string `json:"property"`
	Status   Status `json:"status"`
	Figma    string `json:"figma,omitempty"`
	Browser  string `json:"browser,omitempty"`
	Delta    string `json:"delta,omitempty"` // by how much they differ, Figma's minus the browser's
	Note     string `json:"note,omitempty"`  // why it is unknown, or what to bear in mind
	unset    bool   // neither side has anything
}

// Properties are the names that can be asked for, in the order of the rows.
func Properties() []string {
	return []string{
		"fontFamily", "fontSize", "fontWeight", "fontStyle", "lineHeight", "letterSpacing", "textTransform", "textDecoration", "textAlign", "textShadow", "color",
		"backgroundColor", "backgroundImage", "padding", "gap", "margin", "borderRadius", "borderWidth", "borderStyle", "borderColor",
		"boxShadow", "opacity", "filter", "backdropFilter", "width", "height",
	}
}

var typography = []string{"fontFamily", "fontSize", "fontWeight", "fontStyle", "lineHeight", "letterSpacing", "textTransform", "textDecoration", "color"}

// comparison is one layer beside one element.
type comparison struct {
	layer *layer
	label *layer // the TEXT layer that typography is read from; nil without one
	fade  float64
	texts int // TEXT layers with styles of their own
	el    *Element
	tol   Tolerance
}

// LabelText is the text of the layer that a node's typography is read from, for
// Target.Label.
func LabelText(n *figmatree.Node) string {
	if label, _, _ := labelOf(n); label != nil {
		return strings.Join(strings.Fields(run.ReplaceAllString(strings.ReplaceAll(label.Text, "**", ""), "")), " ")
	}
	return ""
}

// labelOf finds the TEXT layer whose style a layer's typography is: its only
// one, at any depth. Several count as one if they are styled alike. opacity is
// that of the layers from the node down to it, the node's own left out.
func labelOf(n *figmatree.Node) (label *figmatree.Node, opacity float64, texts int) {
	if n.Type == "TEXT" {
		return n, 1, 1
	}
	style := ""
	opacity = 1
	var walk func(n *figmatree.Node, above float64)
	walk = func(n *figmatree.Node, above float64) {
		for _, c := range n.Children {
			if c.Attr("visible").IsFalse() {
				continue
			}
			own := above
			if o, ok := c.Attr("opacity").Float(); ok {
				own *= o
			}
			if c.Type != "TEXT" {
				walk(c, own)
				continue
			}
			textStyle := c.Attr("textStyle")
			if textStyle == nil {
				textStyle = c.Attr("style")
			}
			s := textStyle.JSON() + c.Attr("fills").JSON() + numberText(own)
			if label == nil {
				label, style, opacity = c, s, own
			}
			if texts == 0 || s != style {
				texts++
			}
		}
	}
	walk(n, 1)
	if texts != 1 {
		label = nil
	}
	return label, opacity, texts
}

// Compare compares a layer with an element. properties are the names asked for;
// none lets the layer decide.
func Compare(n *figmatree.Node, el *Element, tol Tolerance, properties []string) []Row {
	c := &comparison{layer: newLayer(n), el: el, tol: tol}
	label, fade, texts := labelOf(n)
	c.fade, c.texts = fade, texts
	switch {
	case label == n:
		c.label = c.layer
	case label != nil:
		c.label = newLayer(label)
		c.fade /= nonZero(c.label.opacity) // which the label's own paints get
	}
	auto := len(properties) == 0
	if auto {
		properties = c.chosen()
	}
	var rows []Row
	for _, name := range Properties() {
		if !slices.Contains(properties, name) {
			continue
		}
		r := c.row(name)
		r.Property = name
		if c.odd(name) {
			r.Status, r.Delta, r.Note, r.unset = Unknown, "", "Figma's value is not understood", false
		}
		if mode := c.blended(name); mode != "" && !r.unset {
			r.Status, r.Delta, r.Note = Unknown, "", "the blend mode "+mode+" mixes it with what is behind"
		}
		// What depends on something that neither side has is not worth a row.
		if auto && r.unset && optional[name] {
			continue
		}
		rows = append(rows, r)
	}
	return rows
}

// optional are the properties that are compared without being asked for only
// where one side has them.
var optional = map[string]bool{
	"fontStyle": true, "textTransform": true, "textDecoration": true, "textShadow": true,
	"backgroundImage": true, "borderStyle": true, "borderColor": true, "opacity": true, "filter": true, "backdropFilter": true,
}

func nonZero(f float64) float64 {
	if f == 0 {
		return 1
	}
	return f
}

// drawings are layers that become pictures: of the element's style nothing
// follows from them.
var drawings = map[string]bool{
	"VECTOR": true, "BOOLEAN_OPERATION": true, "STAR": true, "REGULAR_POLYGON": true, "LINE": true, "IMAGE-SVG": true, "SLICE": true,
}

// Comparable reports whether there is anything to compare of a layer without
// being asked for it.
func Comparable(n *figmatree.Node) bool {
	return !drawings[n.Type] && n.Type != "" && !n.Attr("visible").IsFalse()
}

// chosen are the properties that the layer itself speaks of.
func (c *comparison) chosen() []string {
	switch {
	case c.layer.kind == "TEXT":
		names := append(slices.Clone(typography), "textShadow")
		// It has effects such as blur or noise; the element may be the one around
		// it, so that what only that has is no deviation of the text.
		if c.layer.blur > 0 || c.layer.odd["filter"] {
			names = append(names, "filter")
		}
		if c.layer.behind > 0 || c.layer.odd["backdropFilter"] {
			names = append(names, "backdropFilter")
		}
		return names
	case drawings[c.layer.kind]:
		return []string{"opacity"}
	}
	names := []string{"backgroundColor", "backgroundImage", "borderRadius", "borderWidth", "borderStyle", "borderColor", "boxShadow", "filter", "backdropFilter"}
	if c.layer.auto {
		names = append(names, "padding")
	}
	if c.label != nil {
		names = append(names, typography...)
	} else {
		// With a label its colour, and else the background's, carry the opacity.
		names = append(names, "opacity")
	}
	return names
}

// odd reports whether Figma's value of a property could not be read.
func (c *comparison) odd(name string) bool {
	l := c.layer
	switch name {
	case "lineHeight", "letterSpacing", "textShadow":
		l = c.label
	case "color":
		l, name = c.label, "fills"
	case "backgroundColor", "backgroundImage":
		name = "fills"
	case "borderColor", "borderStyle":
		return l.odd["strokes"]
	case "borderWidth":
		return l.odd["strokes"] || l.odd["borderWidth"]
	}
	return l != nil && l.odd[name]
}

// blended is the blend mode by which a colour is not the one that is seen, empty
// if there is none. Both sides may have one, but not over the same.
func (c *comparison) blended(name string) string {
	layers, styles := []*layer{c.layer}, []map[string]string{c.el.Style}
	switch name {
	case "backgroundColor", "backgroundImage", "borderColor", "boxShadow", "opacity":
	case "color", "textShadow":
		if c.label != nil {
			layers = append(layers, c.label)
		}
		styles = append(styles, c.el.Label.Style)
	default:
		return ""
	}
	for _, l := range layers {
		if l.blend != "" {
			return l.blend
		}
	}
	for _, style := range styles {
		if mode := style["mix-blend-mode"]; mode != "" && mode != "normal" {
			return mode
		}
	}
	return ""
}

// row compares one property.
func (c *comparison) row(name string) Row {
	switch name {
	case "backgroundColor", "backgroundImage":
		return c.background(name)
	case "padding":
		return c.padding()
	case "margin":
		browser, _ := c.el.box("margin", "")
		return unknown("", browser.String(), "Figma has no margins")
	case "gap":
		return c.gap()
	case "borderRadius":
		return c.radius()
	case "borderWidth", "borderColor", "borderStyle":
		return c.border(name)
	case "boxShadow":
		return c.boxShadow()
	case "opacity":
		return c.opacity()
	case "filter":
		return c.blur(c.layer.blur, c.el.Style["filter"])
	case "backdropFilter":
		return c.blur(c.layer.behind, c.el.Style["backdrop-filter"])
	case "width":
		return c.size(c.layer.wide, c.el.Width)
	case "height":
		return c.size(c.layer.high, c.el.Height)
	}
	return c.typography(name)
}

func unknown(figma, browser, note string) Row {
	return Row{Status: Unknown, Figma: figma, Browser: browser, Note: note}
}

// verdict is a row that matches or not.
func verdict(same bool, figma, browser, delta string) Row {
	if same {
		return Row{Status: Match, Figma: figma, Browser: browser}
	}
	return Row{Status: Mismatch, Figma: figma, Browser: browser, Delta: delta}
}
