package designdiff

// The REST API's form of a layer.

import (
	"math"
	"slices"
	"strings"

	"github.com/playguard/playguard/internal/figmatree"
)

// visible reports whether a node, paint or effect is shown; the API leaves the
// member out of those that are.
func visible(v *figmatree.Value) bool { return !v.Get("visible").IsFalse() }

func number(v *figmatree.Value) float64 {
	f, _ := v.Float() // absent is 0 in the API
	return f
}

func (l *layer) readREST() {
	n := l.node
	mode := n.Attr("layoutMode").Str()
	l.auto = mode != "" && mode != "NONE"
	l.padding = sides{number(n.Attr("paddingTop")), number(n.Attr("paddingRight")), number(n.Attr("paddingBottom")), number(n.Attr("paddingLeft"))}
	l.restGaps()
	l.hugs = n.Attr("layoutSizingHorizontal").Str() == "HUG" || strings.HasPrefix(n.Attr("style").Get("textAutoResize").Str(), "WIDTH")

	l.fills = l.restPaints(n.Attr("fills"))
	l.strokes = l.restPaints(n.Attr("strokes"))
	if len(l.strokes) > 0 {
		w := number(n.Attr("strokeWeight"))
		l.border = sides{w, w, w, w}
		if each := n.Attr("individualStrokeWeights"); each != nil {
			l.border = sides{number(each.Get("top")), number(each.Get("right")), number(each.Get("bottom")), number(each.Get("left"))}
		}
		l.dashed = len(n.Attr("strokeDashes").Items()) > 0
	}
	r := number(n.Attr("cornerRadius"))
	l.radius = sides{r, r, r, r}
	if each := n.Attr("rectangleCornerRadii").Items(); len(each) == 4 {
		for i := range each {
			l.radius[i] = number(&each[i])
		}
	}
	l.restEffects(n.Attr("effects"))
	if style := n.Attr("style"); style != nil {
		l.restText(style)
	}
}

// restPaints reads a list of paints, which the API gives from the bottom up.
func (l *layer) restPaints(v *figmatree.Value) []paint {
	var out []paint
	items := v.Items()
	for i := range items {
		if p := &items[i]; visible(p) {
			out = append(out, l.restPaint(p))
		}
	}
	slices.Reverse(out)
	return out
}

func restColor(v *figmatree.Value, opacity float64) color {
	a := 1.0
	if alpha := v.Get("a"); alpha != nil {
		a = number(alpha)
	}
	return color{number(v.Get("r")) * 255, number(v.Get("g")) * 255, number(v.Get("b")) * 255, a * opacity}.clamped()
}

func (l *layer) restPaint(v *figmatree.Value) paint {
	opacity := 1.0
	if o := v.Get("opacity"); o != nil {
		opacity = number(o)
	}
	kind := v.Get("type").Str()
	if mode := v.Get("blendMode").Str(); mode != "" && mode != "NORMAL" && mode != "PASS_THROUGH" {
		return paint{kind: otherPaint, text: strings.ToLower(kind + " " + mode)}
	}
	switch kind {
	case "SOLID":
		return paint{kind: solid, color: restColor(v.Get("color"), opacity)}
	case "IMAGE", "VIDEO":
		return paint{kind: imagePaint, text: "image"}
	case "GRADIENT_LINEAR", "GRADIENT_RADIAL", "GRADIENT_ANGULAR":
		if g, ok := l.restGradient(v, opacity); ok {
			return paint{kind: gradientPaint, gradient: g}
		}
	}
	return paint{kind: otherPaint, text: strings.ToLower(kind)}
}

// restGradient brings a gradient into CSS's form.
func (l *layer) restGradient(v *figmatree.Value, opacity float64) (gradient, bool) {
	var g gradient
	stops := v.Get("gradientStops").Items()
	for i := range stops {
		g.stops = append(g.stops, stop{number(stops[i].Get("position")), restColor(stops[i].Get("color"), opacity)})
	}
	handles := v.Get("gradientHandlePositions").Items()
	if len(g.stops) < 2 || len(handles) < 3 || l.wide <= 0 || l.high <= 0 {
		return g, false
	}
	slices.SortStableFunc(g.stops, func(a, b stop) int {
		if a.at < b.at {
			return -1
		} else if a.at > b.at {
			return 1
		}
		return 0
	})
	at := func(i int) (x, y float64) {
		return number(handles[i].Get("x")) * l.wide, number(handles[i].Get("y")) * l.high
	}
	x0, y0 := at(0)
	x1, y1 := at(1)
	x2, y2 := at(2)
	switch v.Get("type").Str() {
	case "GRADIENT_RADIAL":
		var ok bool
		g.kind = "radial"
		if g.oval, ok = restOval(x0, y0, x1-x0, y1-y0, x2-x0, y2-y0, l.wide, l.high); ok {
			g.geometry = g.oval.String()
		}
		return g, ok
	case "GRADIENT_ANGULAR":
		// CSS turns evenly and clockwise; Figma's is stretched with its arms.
		ax, ay, bx, by := x1-x0, y1-y0, x2-x0, y2-y0
		if a, b := math.Hypot(ax, ay), math.Hypot(bx, by); math.Abs(a-b) > 0.02*a || !atRightAngles(ax, ay, bx, by) || ax*by-ay*bx <= 0 {
			return g, false
		}
		g.kind = "conic"
		g.geometry = centreText(x0/l.wide, y0/l.high)
		if from := math.Mod(degrees(x1-x0, y1-y0)+360, 360); from > angleSlack && from < 360-angleSlack {
			g.geometry = strings.TrimSpace("from " + numberText(from) + "deg " + g.geometry)
		}
		return g, true
	}
	g.kind = "linear"
	dx, dy := x1-x0, y1-y0
	length := math.Hypot(dx, dy)
	if length == 0 {
		return g, false
	}
	// CSS draws the lines of one colour at right angles to the gradient's line.
	if !atRightAngles(dx, dy, x2-x0, y2-y0) {
		return g, false
	}
	g.angle = degrees(dx, dy)
	// The stops' places on CSS's line, which goes through the middle of the box.
	line := g.lineLength(l.wide, l.high)
	for i, s := range g.stops {
		px, py := x0+s.at*dx-l.wide/2, y0+s.at*dy-l.high/2
		g.stops[i].at = (px*dx+py*dy)/length/line + 0.5
	}
	return g, true
}

// degrees is the angle of a direction, clockwise from upwards.
func degrees(dx, dy float64) float64 {
	return math.Mod(math.Atan2(dx, -dy)*180/math.Pi+360, 360)
}

// centreText is a gradient's centre, empty for the default.
func centreText(x, y float64) string {
	if math.Abs(x-0.5) < 0.005 && math.Abs(y-0.5) < 0.005 {
		return ""
	}
	return "at " + numberText(math.Round(x*100)) + "% " + numberText(math.Round(y*100)) + "%"
}

func (l *layer) restEffects(v *figmatree.Value) {
	items := v.Items()
	for i := range items {
		e := &items[i]
		if !visible(e) {
			continue
		}
		radius := number(e.Get("radius"))
		switch kind := e.Get("type").Str(); kind {
		case "DROP_SHADOW", "INNER_SHADOW":
			l.shadows = append(l.shadows, shadow{
				inset: kind == "INNER_SHADOW", x: number(e.Path("offset", "x")), y: number(e.Path("offset", "y")),
				blur: radius, spread: number(e.Get("spread")), color: restColor(e.Get("color"), 1),
			})
		case "LAYER_BLUR":
			l.blur = radius / 2 // as Figma's own code panel gives it
		case "BACKGROUND_BLUR":
			l.behind = radius / 2
		default:
			l.odd["filter"] = true
		}
	}
}

func (l *layer) restText(style *figmatree.Value) {
	t := &l.text
	t.family = style.Get("fontFamily").Str()
	t.size, t.weight = number(style.Get("fontSize")), number(style.Get("fontWeight"))
	t.italic = style.Get("italic").IsTrue()
	t.textCase = originalCase(style.Get("textCase").Str())
	if t.decoration = style.Get("textDecoration").Str(); t.decoration == "NONE" {
		t.decoration = ""
	}
	t.align = style.Get("textAlignHorizontal").Str()
	t.letterSpacing = number(style.Get("letterSpacing"))
	t.lineHeight = number(style.Get("lineHeightPx"))
	t.autoHeight = style.Get("lineHeightUnit").Str() == "INTRINSIC_%"
	overrides := l.node.Attr("characterStyleOverrides").Items()
	for i := range overrides {
		t.mixed = t.mixed || number(&overrides[i]) != 0
	}
}
