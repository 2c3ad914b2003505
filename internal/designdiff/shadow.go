package designdiff

// Shadows, as CSS writes them; Framelink writes Figma's effects the same way.

import (
	"math"
	"strings"
)

// shadow is one shadow of a box or a text.
type shadow struct {
	inset              bool
	x, y, blur, spread float64
	color              color
}

// parseShadows reads box-shadow, text-shadow or the same as Framelink writes it.
// Shadows that can't be seen are left out.
func parseShadows(s string) ([]shadow, bool) {
	s = strings.TrimSpace(s)
	if s == "" || s == "none" {
		return nil, true
	}
	var out []shadow
	for _, part := range splitTop(s, ',') {
		one, ok := parseShadow(part)
		if !ok {
			return nil, false
		}
		if one.color.a > 0 && (one.x != 0 || one.y != 0 || one.blur != 0 || one.spread != 0) {
			out = append(out, one)
		}
	}
	return out, true
}

func parseShadow(s string) (shadow, bool) {
	out := shadow{color: color{0, 0, 0, 1}}
	var lengths []float64
	colored := false
	for _, word := range splitTop(s, ' ') {
		if word == "inset" {
			out.inset = true
			continue
		}
		if v, ok := px(word); ok {
			lengths = append(lengths, v)
			continue
		}
		c, ok := parseColor(word)
		if !ok || colored {
			return shadow{}, false
		}
		out.color, colored = c, true
	}
	if len(lengths) < 2 || len(lengths) > 4 {
		return shadow{}, false
	}
	lengths = append(lengths, 0, 0)
	out.x, out.y, out.blur, out.spread = lengths[0], lengths[1], lengths[2], lengths[3]
	return out, true
}

// ring reports whether a shadow is a line around the box, as borders are drawn
// where they must not take room.
func (s shadow) ring() bool { return s.x == 0 && s.y == 0 && s.blur == 0 && s.spread > 0 }

func (s shadow) like(o shadow, t Tolerance) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= t.PX+epsilon }
	return s.inset == o.inset && near(s.x, o.x) && near(s.y, o.y) && near(s.blur, o.blur) && near(s.spread, o.spread) &&
		s.color.distance(o.color) <= t.Color+epsilon
}

func (s shadow) String() string {
	text := pxText(s.x) + " " + pxText(s.y) + " " + pxText(s.blur)
	if s.spread != 0 {
		text += " " + pxText(s.spread)
	}
	if s.inset {
		text = "inset " + text
	}
	return text + " " + s.color.String()
}

func shadowsText(list []shadow) string {
	if len(list) == 0 {
		return "none"
	}
	var parts []string
	for _, s := range list {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, ", ")
}

// sameShadows reports whether each shadow of one side has its like on the other.
// Their order hardly shows.
func sameShadows(a, b []shadow, t Tolerance) bool {
	if len(a) != len(b) {
		return false
	}
	taken := make([]bool, len(b))
next:
	for _, s := range a {
		for i, o := range b {
			if !taken[i] && s.like(o, t) {
				taken[i] = true
				continue next
			}
		}
		return false
	}
	return true
}

func fadeShadows(list []shadow, opacity float64) []shadow {
	out := make([]shadow, len(list))
	for i, s := range list {
		out[i] = s
		out[i].color = s.color.faded(opacity)
	}
	return out
}
