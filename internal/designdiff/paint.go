package designdiff

// Stacks of paints: a layer's fills, an element's backgrounds.

import (
	"slices"
	"strings"
)

// paintKind is what a paint is.
type paintKind uint8

const (
	solid paintKind = iota
	gradientPaint
	imagePaint
	otherPaint // of a kind that can't be compared
)

// paint is one layer of colour.
type paint struct {
	kind     paintKind
	color    color    // of a solid
	gradient gradient // of a gradient
	text     string   // how it was written, for the reader
}

// stack is what a pile of paints comes to: one colour at the bottom and what
// can't be mixed into it above, the topmost first.
type stack struct {
	above []paint
	base  color
}

// flatten makes a stack of paints, the topmost first, under an opacity.
func flatten(paints []paint, opacity float64) stack {
	var kept []paint
	for _, p := range paints {
		if p.kind == gradientPaint {
			if c, one := p.gradient.uniform(); one {
				p = paint{kind: solid, color: c}
			}
		}
		if p.kind == solid && p.color.a <= 0 {
			continue
		}
		if last := len(kept) - 1; p.kind == solid && last >= 0 && kept[last].kind == solid {
			kept[last].color = kept[last].color.over(p.color)
		} else {
			kept = append(kept, p)
		}
		if p.kind == solid && p.color.a >= 1 || p.kind == gradientPaint && p.gradient.opaque() {
			break // it hides the rest
		}
	}
	var s stack
	if last := len(kept) - 1; last >= 0 && kept[last].kind == solid {
		s.base, kept = kept[last].color.faded(opacity), kept[:last]
	}
	for _, p := range kept {
		p.color, p.gradient = p.color.faded(opacity), p.gradient.faded(opacity)
		s.above = append(s.above, p)
	}
	return s
}

// compare compares what lies above the colour at the bottom.
func (s stack) compare(o stack, t Tolerance) (Status, string) {
	status, note := Match, ""
	for _, p := range append(append([]paint(nil), s.above...), o.above...) {
		switch p.kind {
		case imagePaint:
			return Unknown, "images are not compared"
		case otherPaint:
			return Unknown, "a paint of this kind is not compared"
		}
	}
	if len(s.above) != len(o.above) {
		return Mismatch, ""
	}
	for i, p := range s.above {
		q := o.above[i]
		one, why := Mismatch, ""
		switch {
		case p.kind != q.kind:
		case p.kind == solid:
			if p.color.distance(q.color) <= t.Color+epsilon {
				one = Match
			}
		default:
			one, why = p.gradient.compare(q.gradient, t)
		}
		if one == Mismatch {
			return Mismatch, ""
		}
		if one == Unknown {
			status, note = Unknown, why
		}
	}
	return status, note
}

// uncertain reports whether something above the colour is of a kind that may
// look like anything.
func (s stack) uncertain() bool {
	return slices.ContainsFunc(s.above, func(p paint) bool { return p.kind == otherPaint })
}

// aboveText is what lies above the colour, for the reader.
func (s stack) aboveText() string {
	if len(s.above) == 0 {
		return "none"
	}
	var parts []string
	for _, p := range s.above {
		switch p.kind {
		case solid:
			parts = append(parts, p.color.String())
		case gradientPaint:
			parts = append(parts, p.gradient.String())
		default:
			parts = append(parts, p.text)
		}
	}
	return strings.Join(parts, ", ")
}

// cssBackground reads an element's backgrounds, the topmost first; under is the
// colour below them.
func cssBackground(style map[string]string, under string, w, h float64) []paint {
	var out []paint
	if images := strings.TrimSpace(style["background-image"]); images != "" && images != "none" {
		for i, image := range splitTop(images, ',') {
			if image == "none" {
				continue
			}
			p := paint{kind: otherPaint, text: shortText(image)}
			if g, ok := parseGradient(image, w, h); ok {
				if how := placement(style, i); how != "" {
					p.text += " (" + how + ")"
					out = append(out, p)
					continue
				}
				if g.kind == "radial" {
					g.oval = cssOval(g.geometry, w, h)
				}
				p.kind, p.gradient = gradientPaint, g
			} else if name, _, isFunction := function(image); isFunction && !strings.HasSuffix(name, "-gradient") {
				p.kind, p.text = imagePaint, "image"
			}
			out = append(out, p)
		}
	}
	c, ok := parseColor(under)
	if !ok {
		return append(out, paint{kind: otherPaint, text: shortText(under)})
	}
	return append(out, paint{kind: solid, color: c})
}

// placement is how a background lies on its element or is mixed with what is
// below, empty if it just fills the element as a paint fills a layer.
func placement(style map[string]string, i int) string {
	of := func(name, def string) string {
		list := splitTop(style[name], ',')
		if len(list) == 0 || list[0] == "" {
			return def
		}
		return list[i%len(list)] // a list that is too short begins again
	}
	size, position, repeat := of("background-size", "auto"), of("background-position", "0% 0%"), of("background-repeat", "repeat")
	if mode := of("background-blend-mode", "normal"); mode != "normal" {
		return "mixed by " + mode
	}
	switch size {
	case "auto", "auto auto", "100%", "100% 100%", "cover", "contain": // a gradient has no size of its own
	default:
		return "of size " + size
	}
	for _, place := range strings.Fields(position) {
		// What is as large as its element is at one place for all percentages.
		if l, ok := parseLength(place); !ok || l.unit != "%" && l.n != 0 {
			return "at " + position
		}
	}
	if border, known := (&Element{Style: style}).borders(); repeat != "repeat" && known && !border.zero() {
		return repeat // it does not reach below the border; letters are within it
	}
	return ""
}

// shortText bounds a value that is shown as it was written.
func shortText(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
