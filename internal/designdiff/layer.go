package designdiff

// What a Figma layer says, in one form for both shapes of answers.

import (
	"regexp"
	"strings"

	"github.com/playguard/playguard/internal/figmatree"
)

// layer is a Figma layer with what is compared of it.
type layer struct {
	node    *figmatree.Node
	kind    string
	fills   []paint // the topmost first; visible ones only
	strokes []paint
	border  sides // widths of the stroke; 0 without one
	dashed  bool
	radius  sides
	shadows []shadow // of the box, or of the characters of a text
	blur    float64  // px as in filter: blur()
	behind  float64  // the same of what is behind the layer
	opacity float64
	blend   string // how it is mixed with what is behind it; empty is not at all

	auto       bool // it has auto layout: its padding and gap mean something
	padding    sides
	gaps       gaps
	wide, high float64 // 0 when the answer does not say
	hugs       bool    // its width follows its content
	filled     bool    // it paints nothing, and a layer inside is as large

	text textStyle
	// odd names the properties that the answer gives in a form that is not
	// understood: they are unknown.
	odd map[string]bool
}

// textStyle is a TEXT layer's type.
type textStyle struct {
	family        string
	size          float64
	weight        float64
	italic        bool
	lineHeight    float64 // px; 0 is the font's own
	autoHeight    bool    // lineHeight is the font's own, as Figma measured it
	letterSpacing float64 // px
	textCase      string  // UPPER, LOWER, TITLE, …; empty as typed
	decoration    string  // UNDERLINE, STRIKETHROUGH; empty for none
	align         string  // LEFT, CENTER, RIGHT, JUSTIFIED
	mixed         bool    // runs of characters have styles of their own
}

// newLayer reads a node.
func newLayer(n *figmatree.Node) *layer {
	l := &layer{node: n, kind: n.Type, opacity: 1, odd: map[string]bool{}}
	if v, ok := n.Attr("opacity").Float(); ok {
		l.opacity = v
	}
	if mode := n.Attr("blendMode").Str(); mode != "NORMAL" && mode != "PASS_THROUGH" {
		l.blend = strings.ToLower(mode)
	}
	l.wide, l.high = sizeOf(n)
	if isREST(n) {
		l.readREST()
	} else {
		l.readFramelink()
	}
	l.adoptBackdrop()
	return l
}

// sizeOf is a layer's size in px, 0 where the answer does not say.
func sizeOf(n *figmatree.Node) (wide, high float64) {
	if size := n.Attr("size"); size != nil { // before rotation
		return number(size.Get("x")), number(size.Get("y"))
	}
	if box := n.Attr("absoluteBoundingBox"); box != nil {
		return number(box.Get("width")), number(box.Get("height"))
	}
	dimensions := n.Attr("layout").Get("dimensions")
	return number(dimensions.Get("width")), number(dimensions.Get("height"))
}

// isREST tells the shapes apart by members that only one of them has.
func isREST(n *figmatree.Node) bool {
	for _, name := range []string{"absoluteBoundingBox", "characters", "blendMode", "scrollBehavior", "fillGeometry", "style", "constraints"} {
		if n.Attr(name) != nil {
			return true
		}
	}
	for _, fill := range n.Attr("fills").Items() {
		if fill.Get("blendMode") != nil || fill.Get("color") != nil {
			return true
		}
	}
	return false
}

// readFramelink reads figma-developer-mcp's form: CSS texts.
func (l *layer) readFramelink() {
	n := l.node
	layout := n.Attr("layout")
	l.auto = layout.Get("mode").Str() != "" && layout.Get("mode").Str() != "none"
	l.sides("padding", layout.Get("padding"), &l.padding)
	l.framelinkGaps(layout)
	l.hugs = layout.Path("sizing", "horizontal").Str() == "hug"

	l.fills = l.framelinkPaints("fills", n.Attr("fills"))
	l.sides("borderRadius", n.Attr("borderRadius"), &l.radius)
	if l.strokes = l.framelinkPaints("strokes", n.Attr("strokes")); len(l.strokes) > 0 {
		l.sides("borderWidth", n.Attr("strokeWeight"), &l.border)
		l.dashed = n.Attr("strokeDashes") != nil
	}
	effects, name := n.Attr("effects"), "boxShadow"
	if l.kind == "TEXT" {
		name = "textShadow"
	}
	var ok bool
	if l.shadows, ok = parseShadows(effects.Get(name).Str()); !ok {
		l.odd[name] = true
	}
	l.blurOf("filter", effects.Get("filter").Str(), &l.blur)
	l.blurOf("backdropFilter", effects.Get("backdropFilter").Str(), &l.behind)
	if style := n.Attr("textStyle"); style != nil {
		l.framelinkText(style)
	}
}

func (l *layer) sides(name string, v *figmatree.Value, into *sides) {
	if v == nil {
		return
	}
	if f, ok := v.Float(); ok {
		*into = sides{f, f, f, f}
		return
	}
	s, ok := parseSides(v.Str())
	if !ok {
		l.odd[name] = true
		return
	}
	*into = s
}

func (l *layer) blurOf(name, css string, into *float64) {
	if css == "" {
		return
	}
	fn, args, ok := function(css)
	v, isPx := px(args)
	if !ok || fn != "blur" || !isPx {
		l.odd[name] = true
		return
	}
	*into = v
}

// framelinkPaints reads a list of paints, the topmost first as Framelink writes
// them.
func (l *layer) framelinkPaints(name string, v *figmatree.Value) []paint {
	if list := v.Get("colors"); list != nil { // older versions: {colors, strokeWeight}
		v = list
	}
	if v != nil && v.Kind == figmatree.String {
		l.odd[name] = true // the name of a style that the answer does not hold
		return nil
	}
	var out []paint
	items := v.Items()
	for i := range items {
		out = append(out, l.framelinkPaint(&items[i]))
	}
	return out
}

func (l *layer) framelinkPaint(v *figmatree.Value) paint {
	if v.Kind == figmatree.String {
		if c, ok := parseColor(v.Text); ok {
			return paint{kind: solid, color: c}
		}
		return paint{kind: otherPaint, text: shortText(v.Text)}
	}
	kind := v.Get("type").Str()
	if g, ok := parseGradient(v.Get("gradient").Str(), l.wide, l.high); ok && kind != "GRADIENT_DIAMOND" {
		return paint{kind: gradientPaint, gradient: g}
	}
	if kind == "IMAGE" {
		return paint{kind: imagePaint, text: "image"}
	}
	return paint{kind: otherPaint, text: strings.ToLower(kind)}
}

// run marks a piece of text with a style of its own in Framelink's answers.
var run = regexp.MustCompile(`\{/?ts\d+\}`)

func (l *layer) framelinkText(style *figmatree.Value) {
	t := &l.text
	t.family = style.Get("fontFamily").Str()
	t.size, _ = style.Get("fontSize").Float()
	t.weight, _ = style.Get("fontWeight").Float()
	t.italic = style.Get("italic").IsTrue() || strings.Contains(strings.ToLower(style.Get("fontStyle").Str()), "italic")
	t.textCase = originalCase(style.Get("textCase").Str())
	t.decoration = style.Get("textDecoration").Str()
	t.align = style.Get("textAlignHorizontal").Str()
	t.mixed = run.MatchString(l.node.Text)
	switch v, ok := textLength(style.Get("lineHeight").Str(), t.size); {
	case style.Get("lineHeight") == nil:
		t.autoHeight = true
	case ok:
		t.lineHeight = v
	default:
		l.odd["lineHeight"] = true
	}
	if spacing := style.Get("letterSpacing"); spacing != nil {
		v, ok := textLength(spacing.Str(), t.size)
		if t.letterSpacing = v; !ok {
			l.odd["letterSpacing"] = true
		}
	}
}

// originalCase is empty for text as it was typed.
func originalCase(textCase string) string {
	if textCase == "ORIGINAL" {
		return ""
	}
	return textCase
}

// textLength is a length in px that may be relative to the font's size.
func textLength(s string, size float64) (float64, bool) {
	l, ok := parseLength(s)
	switch {
	case !ok:
		return 0, false
	case l.unit == "px":
		return l.n, true
	case l.unit == "em", l.unit == "" && size > 0:
		return l.n * size, size > 0
	case l.unit == "%":
		return l.n / 100 * size, size > 0
	}
	return 0, false
}

// adoptBackdrop takes over the look of a rectangle that fills the layer: that is
// how a background is drawn where the layer itself has none, as in a group. Of
// another layer that fills it, only that it does is noted: the page may have one
// element for both.
func (l *layer) adoptBackdrop() {
	if len(l.fills) > 0 || len(l.strokes) > 0 || l.kind == "TEXT" {
		return
	}
	kids := l.node.Children
	for i, child := range kids {
		if child.Type == "TEXT" || child.Attr("visible").IsFalse() {
			continue
		}
		wide, high := sizeOf(child)
		sized := wide > 0 && high > 0 && l.wide > 0 && l.high > 0
		fills := sized && abs(wide-l.wide) <= 1 && abs(high-l.high) <= 1
		switch {
		case fills && i == 0 && len(kids) > 1 && child.Type == "RECTANGLE":
			l.adopt(newLayer(child))
			return
		case fills, !sized && len(kids) == 1 && l.padding.zero(), !sized && i == 0 && l.kind == "GROUP":
			l.filled = true
			return
		}
	}
}

// adopt takes over what a layer paints.
func (l *layer) adopt(b *layer) {
	l.fills, l.strokes, l.border, l.dashed, l.radius = fadePaints(b.fills, b.opacity), fadePaints(b.strokes, b.opacity), b.border, b.dashed, b.radius
	l.shadows = append(l.shadows, fadeShadows(b.shadows, b.opacity)...)
	if b.blend != "" {
		l.blend = b.blend
	}
	for name := range b.odd {
		l.odd[name] = true
	}
}

func fadePaints(paints []paint, opacity float64) []paint {
	out := make([]paint, len(paints))
	for i, p := range paints {
		out[i] = p
		out[i].color = p.color.faded(opacity)
		out[i].gradient = p.gradient.faded(opacity)
	}
	return out
}

func abs(f float64) float64 {
	if f < 0 {
		return -f
	}
	return f
}
