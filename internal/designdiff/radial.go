package designdiff

// Where a radial gradient ends (CSS Images 3, 3.2), in fractions of its box:
// CSS writes it with words, Figma's REST API with three points.

import (
	"math"
	"strings"
)

// oval is the line on which a radial gradient's last colour is reached.
type oval struct{ x, y, rx, ry float64 }

// restOval is the oval of a centre and two arms in px. False is for one that
// CSS can't draw: its axes are not the box's.
func restOval(x, y, ax, ay, bx, by, w, h float64) (*oval, bool) {
	a, b := math.Hypot(ax, ay), math.Hypot(bx, by)
	if a == 0 || b == 0 || !atRightAngles(ax, ay, bx, by) {
		return nil, false
	}
	const slack = 0.02
	switch {
	case math.Abs(ay) <= slack*a, math.Abs(a-b) <= slack*a: // a circle is the same however it is turned
	case math.Abs(ax) <= slack*a:
		a, b = b, a
	default:
		return nil, false
	}
	return &oval{x / w, y / h, a / w, b / h}, true
}

// atRightAngles reports whether two lines cross as CSS has them cross.
func atRightAngles(ax, ay, bx, by float64) bool {
	cos := (ax*bx + ay*by) / max(math.Hypot(ax, ay)*math.Hypot(bx, by), 1e-9)
	return math.Abs(cos) <= 0.03
}

func (o *oval) String() string {
	size := numberText(math.Round(o.rx*1000)/10) + "% " + numberText(math.Round(o.ry*1000)/10) + "%"
	return strings.TrimSpace(size + " " + centreText(o.x, o.y))
}

// cssOval is the oval of what stands before a radial gradient's stops in a box
// of w by h px, nil for what is not understood.
func cssOval(geometry string, w, h float64) *oval {
	if w <= 0 || h <= 0 {
		return nil
	}
	shape, place, placed := strings.Cut(" "+geometry+" ", " at ")
	x, y, ok := w/2, h/2, true
	if placed {
		x, y, ok = position(strings.Fields(place), w, h)
	}
	if !ok || x < 0 || y < 0 || x > w || y > h {
		return nil
	}
	var sizes []string
	circle, size := false, "farthest-corner"
	for _, word := range strings.Fields(shape) {
		switch word {
		case "circle":
			circle = true
		case "ellipse":
		case "closest-side", "closest-corner", "farthest-side", "farthest-corner":
			size = word
		default:
			sizes = append(sizes, word)
		}
	}
	var rx, ry float64
	switch len(sizes) {
	case 0:
		rx, ry = extent(size, circle, x, y, w, h)
	case 1:
		rx, ok = px(sizes[0])
		ry = rx
	case 2:
		var okY bool
		rx, ok = relativeTo(sizes[0], w)
		ry, okY = relativeTo(sizes[1], h)
		ok = ok && okY && !circle
	default:
		return nil
	}
	if !ok || rx <= 0 || ry <= 0 {
		return nil
	}
	return &oval{x / w, y / h, rx / w, ry / h}
}

// extent is what the words for a size come to.
func extent(size string, circle bool, x, y, w, h float64) (rx, ry float64) {
	pick := math.Min
	if strings.HasPrefix(size, "farthest") {
		pick = math.Max
	}
	rx, ry = pick(x, w-x), pick(y, h-y)
	corner := strings.HasSuffix(size, "corner")
	switch {
	case circle && corner:
		r := math.Hypot(rx, ry)
		return r, r
	case circle:
		r := pick(rx, ry)
		return r, r
	case corner:
		return rx * math.Sqrt2, ry * math.Sqrt2
	}
	return rx, ry
}

// position reads a place of one or two words in px.
func position(words []string, w, h float64) (x, y float64, ok bool) {
	if len(words) == 1 {
		words = append(words, "center")
	}
	if len(words) != 2 {
		return 0, 0, false
	}
	if across := words[1]; across == "left" || across == "right" || words[0] == "top" || words[0] == "bottom" {
		words = []string{words[1], words[0]}
	}
	x, okX := placeOf(words[0], "left", "right", w)
	y, okY := placeOf(words[1], "top", "bottom", h)
	return x, y, okX && okY
}

func placeOf(word, start, end string, whole float64) (float64, bool) {
	switch word {
	case start:
		return 0, true
	case end:
		return whole, true
	case "center":
		return whole / 2, true
	}
	return relativeTo(word, whole)
}

// onOneLine brings the stops of two radial gradients to the same line, from the
// centre to the box's farthest corner. False is for ovals that can't be brought
// together: of another centre or another shape.
func onOneLine(g, o gradient) (gradient, gradient, bool) {
	a, b := g.oval, o.oval
	if math.Abs(a.x-b.x) > placeSlack+epsilon || math.Abs(a.y-b.y) > placeSlack+epsilon {
		return g, o, false
	}
	if lean := (a.rx / b.rx) / (a.ry / b.ry); lean > 1+2*placeSlack || lean < 1-2*placeSlack {
		return g, o, false
	}
	return g.stretched(a.reach()), o.stretched(b.reach()), true
}

// reach is how far the farthest corner is, in radii.
func (o *oval) reach() float64 {
	return math.Hypot(max(o.x, 1-o.x)/o.rx, max(o.y, 1-o.y)/o.ry)
}

// stretched are the stops on a line that is longer by a factor.
func (g gradient) stretched(by float64) gradient {
	stops := make([]stop, len(g.stops))
	for i, s := range g.stops {
		stops[i] = stop{s.at / by, s.color}
	}
	g.stops = stops
	return g
}
