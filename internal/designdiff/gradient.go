package designdiff

// Gradients, in CSS's form. Framelink writes Figma's so; rest.go brings the REST
// API's into it.

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// gradient is a CSS gradient.
type gradient struct {
	kind     string  // linear, radial, conic
	angle    float64 // of a linear one, degrees clockwise from upwards
	corner   string  // "top right" instead of the angle: it depends on the box
	geometry string  // of the others: what stands before the stops
	oval     *oval   // of a radial one, nil if it is not known where it ends
	space    string  // the colour space of interpolation, empty for sRGB
	stops    []stop
}

type stop struct {
	at    float64 // 0 to 1 along the line
	color color
}

// rawStop is a stop whose place may be missing or in px.
type rawStop struct {
	at    length
	given bool
	color color
}

// parseGradient reads a gradient for a box of w by h px (0 if unknown). False
// is for what is none, or one of a kind that is not compared.
func parseGradient(s string, w, h float64) (gradient, bool) {
	name, args, ok := function(s)
	kind, isGradient := strings.CutSuffix(name, "-gradient")
	if !ok || !isGradient || kind != "linear" && kind != "radial" && kind != "conic" {
		return gradient{}, false // repeating ones too
	}
	g := gradient{kind: kind, angle: 180}
	parts := splitTop(args, ',')
	if len(parts) == 0 {
		return gradient{}, false
	}
	if _, isStop := parseStop(parts[0]); !isStop {
		if !g.prelude(parts[0]) {
			return gradient{}, false
		}
		parts = parts[1:]
	}
	var raw []rawStop
	for _, part := range parts {
		stops, ok := parseStop(part)
		if !ok {
			return gradient{}, false // a hint at the middle, most likely
		}
		raw = append(raw, stops...)
	}
	if g.corner != "" && w > 0 && h > 0 {
		g.angle, g.corner = cornerAngle(g.corner, w, h), ""
	}
	g.stops, ok = placeStops(raw, g.lineLength(w, h))
	return g, ok
}

// prelude reads what stands before the stops.
func (g *gradient) prelude(s string) bool {
	words := splitTop(strings.ToLower(s), ' ')
	if i := slices.Index(words, "in"); i >= 0 {
		if i+1 == len(words) {
			return false
		}
		if g.space = strings.Join(words[i+1:], " "); g.space == "srgb" {
			g.space = ""
		}
		words = words[:i]
	}
	if g.kind != "linear" {
		g.geometry = strings.Join(words, " ")
		return true
	}
	if len(words) == 0 {
		return true
	}
	if words[0] == "to" {
		slices.Sort(words[1:]) // "bottom|top" is before "left|right" by chance
		angles := map[string]float64{"top": 0, "right": 90, "bottom": 180, "left": 270}
		if len(words) == 2 {
			angle, ok := angles[words[1]]
			g.angle = angle
			return ok
		}
		g.corner = strings.Join(words[1:], " ")
		return cornerAngle(g.corner, 1, 1) >= 0
	}
	l, ok := parseLength(words[0])
	if !ok || len(words) > 1 {
		return false
	}
	switch l.unit {
	case "deg", "":
		g.angle = l.n
	case "turn":
		g.angle = l.n * 360
	case "rad":
		g.angle = l.n * 180 / math.Pi
	case "grad":
		g.angle = l.n * 0.9
	default:
		return false
	}
	return l.unit != "" || l.n == 0
}

// cornerAngle is the angle of "to top right" for a box (CSS Images 3, 3.1.1): the
// line through the middle is at right angles to the box's other diagonal. It is
// negative for what is no corner.
func cornerAngle(corner string, w, h float64) float64 {
	toRight := math.Atan2(h, w) * 180 / math.Pi
	switch corner {
	case "right top", "top right":
		return toRight
	case "bottom right":
		return 180 - toRight
	case "bottom left":
		return 180 + toRight
	case "left top", "top left":
		return 360 - toRight
	}
	return -1
}

// lineLength is the length of a linear gradient's line in a box.
func (g gradient) lineLength(w, h float64) float64 {
	if g.kind != "linear" || g.corner != "" {
		return 0
	}
	sin, cos := math.Sincos(g.angle * math.Pi / 180)
	return math.Abs(w*sin) + math.Abs(h*cos)
}

// parseStop reads a colour with up to two places.
func parseStop(s string) ([]rawStop, bool) {
	words := splitTop(s, ' ')
	if len(words) == 0 || len(words) > 3 {
		return nil, false
	}
	c, ok := parseColor(words[0])
	if !ok {
		return nil, false
	}
	if len(words) == 1 {
		return []rawStop{{color: c}}, true
	}
	var out []rawStop
	for _, word := range words[1:] {
		at, ok := parseLength(word)
		if !ok {
			return nil, false
		}
		out = append(out, rawStop{at, true, c})
	}
	return out, true
}

// placeStops gives every stop its place (CSS Images 3, 3.4.3).
func placeStops(raw []rawStop, lineLength float64) ([]stop, bool) {
	if len(raw) < 2 {
		return nil, false
	}
	out := make([]stop, len(raw))
	raw[0].given, raw[len(raw)-1].given = true, true
	for i, r := range raw {
		out[i].color = r.color
		switch {
		case i == len(raw)-1 && r.at == (length{}):
			out[i].at = 1
		case !r.given:
		case r.at.unit == "%":
			out[i].at = r.at.n / 100
		case r.at.unit == "deg":
			out[i].at = r.at.n / 360
		case r.at.n == 0:
		case r.at.unit == "px" && lineLength > 0:
			out[i].at = r.at.n / lineLength
		default:
			return nil, false
		}
	}
	last := 0 // the last stop with a place
	for i := 1; i < len(raw); i++ {
		if !raw[i].given {
			continue
		}
		out[i].at = max(out[i].at, out[last].at)
		for j := last + 1; j < i; j++ {
			out[j].at = out[last].at + (out[i].at-out[last].at)*float64(j-last)/float64(i-last)
		}
		last = i
	}
	return out, true
}

// uniform is the colour of a gradient that has only one.
func (g gradient) uniform() (color, bool) {
	for _, s := range g.stops[1:] {
		if s.color != g.stops[0].color {
			return color{}, false
		}
	}
	return g.stops[0].color, true
}

// opaque reports whether nothing shines through.
func (g gradient) opaque() bool {
	return !slices.ContainsFunc(g.stops, func(s stop) bool { return s.color.a < 1 })
}

func (g gradient) faded(opacity float64) gradient {
	g.stops = slices.Clone(g.stops)
	for i := range g.stops {
		g.stops[i].color = g.stops[i].color.faded(opacity)
	}
	return g
}

// at is the colour at a place of the line. Premultiplied, as browsers mix.
func (g gradient) at(t float64) color {
	before := g.stops[0]
	if t <= before.at {
		return before.color
	}
	for _, s := range g.stops[1:] {
		if t < s.at {
			f := (t - before.at) / (s.at - before.at)
			a := before.color.a*(1-f) + s.color.a*f
			if a == 0 {
				return transparent
			}
			mix := func(x, y float64) float64 { return (x*before.color.a*(1-f) + y*s.color.a*f) / a }
			return color{mix(before.color.r, s.color.r), mix(before.color.g, s.color.g), mix(before.color.b, s.color.b), a}
		}
		before = s
	}
	return before.color
}

const (
	// angleSlack is how many degrees two lines may differ by, placeSlack how far
	// two stops may be apart: Framelink rounds both.
	angleSlack = 1.5
	placeSlack = 0.02
)

// compare says whether two gradients look the same. What can't be told for
// certain is unknown, with the reason.
func (g gradient) compare(o gradient, t Tolerance) (Status, string) {
	if g.kind != o.kind {
		return Mismatch, ""
	}
	if g.kind == "linear" {
		if g.corner != o.corner {
			return Unknown, "the gradient's direction depends on a size that is not known"
		}
		turn := math.Mod(g.angle-o.angle+720, 360)
		switch {
		case g.corner != "" || turn <= angleSlack || turn >= 360-angleSlack:
		case math.Abs(turn-180) <= angleSlack:
			o = o.reversed()
		default:
			return Mismatch, ""
		}
	}
	ends := g.oval != nil && o.oval != nil // it is known where both end
	if ends {
		var ok bool
		if g, o, ok = onOneLine(g, o); !ok {
			return Mismatch, ""
		}
	}
	if !g.sameStops(o, t) {
		return Mismatch, ""
	}
	if g.kind != "linear" && !ends && plainGeometry(g.geometry) != plainGeometry(o.geometry) {
		return Unknown, "the stops match; shape and centre are not compared"
	}
	if g.space != o.space {
		return Unknown, "the stops match; the page mixes them in " + o.space
	}
	return Match, ""
}

// plainGeometry leaves out what is the default.
func plainGeometry(s string) string {
	s = strings.NewReplacer("at center center", "", "at center", "", "at 50% 50%", "", "from 0deg", "", "ellipse", "", "farthest-corner", "").Replace(s)
	return strings.Join(strings.Fields(s), " ")
}

func (g gradient) reversed() gradient {
	g.stops = slices.Clone(g.stops)
	slices.Reverse(g.stops)
	for i := range g.stops {
		g.stops[i].at = 1 - g.stops[i].at
	}
	return g
}

// sameStops compares stop by stop, and else what the two look like along the
// line: the same gradient can be written with more stops or fewer.
func (g gradient) sameStops(o gradient, t Tolerance) bool {
	same := len(g.stops) == len(o.stops)
	for i := 0; same && i < len(g.stops); i++ {
		same = math.Abs(g.stops[i].at-o.stops[i].at) <= placeSlack+epsilon && g.stops[i].color.distance(o.stops[i].color) <= t.Color+epsilon
	}
	if same {
		return true
	}
	const samples = 50
	for i := range samples + 1 {
		if at := float64(i) / samples; g.at(at).distance(o.at(at)) > t.Color+epsilon {
			return false
		}
	}
	return true
}

func (g gradient) String() string {
	var parts []string
	switch {
	case g.corner != "":
		parts = append(parts, "to "+g.corner)
	case g.kind == "linear":
		parts = append(parts, numberText(g.angle)+"deg")
	case g.geometry != "":
		parts = append(parts, g.geometry)
	}
	for _, s := range g.stops {
		parts = append(parts, fmt.Sprintf("%s %s%%", s.color, numberText(s.at*100)))
	}
	return g.kind + "-gradient(" + strings.Join(parts, ", ") + ")"
}
