package designdiff

// Boxes: background, padding, corners, border, shadow, size.

import (
	"math"
	"strings"
)

func (c *comparison) background(name string) Row {
	var fills []paint
	if c.layer.kind != "TEXT" {
		fills = c.layer.fills
	}
	figma := flatten(fills, c.layer.opacity)
	var css []paint
	if !clipsToText(c.el.Style) {
		css = cssBackground(c.el.Style, c.el.Style["background-color"], c.el.Width, c.el.Height)
	}
	browser := flatten(css, c.el.opacity())
	if name == "backgroundColor" {
		// What lies above may hide the colour, or be all there is.
		hidden := len(figma.above)+len(browser.above) > 0 && (figma.base.a == 0 || browser.base.a == 0)
		d := figma.base.distance(browser.base)
		r := verdict(d <= c.tol.Color+epsilon, figma.base.String(), browser.base.String(), colorDelta(figma.base, browser.base))
		r.unset = figma.base.a == 0 && browser.base.a == 0
		if c.shinesThrough(figma, browser) {
			return Row{Status: Match, Figma: r.Figma, Browser: c.el.Behind, Note: "painted by an element around it"}
		}
		if r.Status == Mismatch && (figma.uncertain() || browser.uncertain()) {
			return unknown(r.Figma, r.Browser, "a paint that is not compared lies on it")
		}
		return c.covered(r, hidden && r.Status == Mismatch && opaqueAbove(figma, browser), "a gradient or image covers it")
	}
	status, note := figma.compare(browser, c.tol)
	r := Row{Status: status, Figma: figma.aboveText(), Browser: browser.aboveText(), Note: note}
	r.unset = len(figma.above)+len(browser.above) == 0
	if pictures[c.el.Tag] && len(figma.above) > 0 {
		return unknown(r.Figma, r.Browser, "the element is a picture")
	}
	return c.covered(r, false, "")
}

// shinesThrough reports whether an element without a background looks as the
// layer does because what is around it is painted so.
func (c *comparison) shinesThrough(figma, browser stack) bool {
	if len(figma.above)+len(browser.above) > 0 || figma.base.a < 1 || browser.base.a > 0 {
		return false
	}
	around, ok := parseColor(c.el.Behind)
	return ok && figma.base.distance(around) <= c.tol.Color+epsilon
}

// pictures are elements whose content is the picture.
var pictures = map[string]bool{"img": true, "picture": true, "svg": true, "video": true, "canvas": true}

// opaqueAbove reports whether on the sides that have something above the colour,
// it may hide all of it.
func opaqueAbove(stacks ...stack) bool {
	for _, s := range stacks {
		if s.base.a > 0 && len(s.above) == 0 {
			return false
		}
	}
	return true
}

// covered makes a mismatch unknown where something else may paint the box.
func (c *comparison) covered(r Row, hidden bool, note string) Row {
	switch {
	case r.Status != Mismatch:
		return r
	case hidden:
		return unknown(r.Figma, r.Browser, note)
	case c.layer.filled && bare(r.Figma):
		return unknown(r.Figma, r.Browser, "a layer inside fills this one and may be what is painted")
	case c.el.Painted:
		return unknown(r.Figma, r.Browser, "a pseudo-element paints on it")
	case pictures[c.el.Tag]:
		return unknown(r.Figma, r.Browser, "the element is a picture")
	}
	return r
}

// bare reports whether a layer has nothing of what is compared.
func bare(figma string) bool { return figma == "transparent" || figma == "none" || figma == "0px" }

// colorDelta is by how much two colours differ, Figma's minus the browser's.
func colorDelta(a, b color) string {
	if a.a == 0 || b.a == 0 {
		return ""
	}
	var parts []string
	for _, ch := range []struct {
		name string
		d    float64
	}{{"r", math.Round(a.r) - math.Round(b.r)}, {"g", math.Round(a.g) - math.Round(b.g)}, {"b", math.Round(a.b) - math.Round(b.b)}} {
		if ch.d != 0 {
			parts = append(parts, "Δ"+ch.name+":"+signed(ch.d))
		}
	}
	if d := a.a - b.a; math.Abs(d) >= 0.005 {
		parts = append(parts, "Δalpha:"+signed(d))
	}
	return strings.Join(parts, ", ")
}

var (
	sideNames   = [4]string{"top", "right", "bottom", "left"}
	cornerNames = [4]string{"topLeft", "topRight", "bottomRight", "bottomLeft"}
)

// sidesRow compares side by side. With presence a line of no width differs from
// any other, whatever the tolerance.
func (c *comparison) sidesRow(figma, browser sides, names [4]string, presence bool) Row {
	var parts []string
	alike := true // all differ by the same
	for i := range figma {
		d := figma[i] - browser[i]
		alike = alike && d == figma[0]-browser[0]
		if math.Abs(d) > c.tol.PX+epsilon || presence && (figma[i] == 0) != (browser[i] == 0) {
			parts = append(parts, "Δ"+names[i]+":"+signed(d)+"px")
		}
	}
	delta := strings.Join(parts, ", ")
	if len(parts) == 4 && alike {
		delta = signed(figma[0]-browser[0]) + "px"
	}
	r := verdict(len(parts) == 0, figma.String(), browser.String(), delta)
	r.unset = figma.zero() && browser.zero()
	return r
}

func (c *comparison) padding() Row {
	browser, ok := c.el.box("padding", "")
	switch {
	case !ok:
		return unknown(c.layer.padding.String(), "", "the page's value is not understood")
	case !c.layer.auto:
		return unknown("", browser.String(), "the layer has no auto layout")
	}
	return c.sidesRow(c.layer.padding, browser, sideNames, false)
}

func (c *comparison) sizeRow(figma, browser float64) Row {
	return verdict(math.Abs(figma-browser) <= c.tol.PX+epsilon, pxText(figma), pxText(browser), sizeDelta(figma-browser))
}

// sizeDelta is a difference with at least one decimal.
func sizeDelta(d float64) string {
	text := signed(d)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text + "px"
}

func (c *comparison) radius() Row {
	shape, ok := c.el.radii()
	browser, figma := shape.across, c.layer.radius
	switch {
	case !ok:
		return unknown(figma.String(), "", "the page's value is not understood")
	case c.layer.kind == "ELLIPSE":
		return c.ellipse(shape)
	case !shape.round():
		return unknown(figma.String(), browser.String(), "the corners are elliptic")
	}
	half := min(c.el.Width, c.el.Height) / 2
	pill := func(r sides) bool { return min(r[0], r[1], r[2], r[3]) >= half-c.tol.PX-epsilon }
	if half > 0 && c.layer.wide > 0 && c.layer.high > 0 {
		// Radii larger than the box are the same as half of it, on both sides.
		limit := min(c.layer.wide, c.layer.high) / 2
		if min(figma[0], figma[1], figma[2], figma[3]) >= limit-epsilon && pill(browser) {
			return Row{Status: Match, Figma: figma.String(), Browser: browser.String()}
		}
	}
	fits := figma
	if half > 0 && pill(figma) && pill(browser) {
		fits = browser
	}
	r := c.sidesRow(fits, browser, cornerNames, false)
	r.Figma = figma.String()
	return c.covered(r, false, "")
}

// ellipse compares the corners with those of an ellipse: half the width across,
// half the height down. A pill is none, nor is a rounded box.
func (c *comparison) ellipse(shape corners) Row {
	halfW, halfH, off := c.el.Width/2, c.el.Height/2, 0.0
	for i := range shape.across {
		off = max(off, math.Abs(shape.across[i]-halfW), math.Abs(shape.down[i]-halfH))
	}
	shown := shape.across.String()
	if !shape.round() {
		shown += " / " + shape.down.String()
	}
	const exact = 0.1
	switch small := min(halfW, halfH); {
	case small <= 0:
		return unknown("50%", shown, "the element has no size")
	case off > exact && off <= c.tol.PX+epsilon && small <= 2*c.tol.PX:
		return unknown("50%", shown, "the element is too small to tell")
	}
	return c.covered(verdict(off <= c.tol.PX+epsilon, "50%", shown, ""), false, "")
}

// edge is what draws a line around the element: its border, or an outline or a
// ring-shaped shadow in the border's place.
type edge struct {
	widths  sides
	colors  [4]string
	style   string
	shadows []shadow // the others
	ok      bool
}

func (c *comparison) edge() edge {
	style := c.el.Style
	e := edge{}
	shadows, okShadows := parseShadows(style["box-shadow"])
	e.shadows = shadows
	if e.widths, e.ok = c.el.borders(); !e.ok || !okShadows {
		return e
	}
	e.style = c.el.borderStyle(e.widths)
	for i, side := range sideNames {
		e.colors[i] = style["border-"+side+"-color"]
	}
	if !e.widths.zero() || c.layer.border.zero() {
		return e
	}
	for i, s := range shadows {
		if s.ring() {
			e.widths = sides{s.spread, s.spread, s.spread, s.spread}
			e.colors = [4]string{s.color.String(), s.color.String(), s.color.String(), s.color.String()}
			e.style, e.shadows = "solid", append(append([]shadow(nil), shadows[:i]...), shadows[i+1:]...)
			return e
		}
	}
	if w, ok := px(style["outline-width"]); ok && w > 0 && style["outline-style"] != "none" && style["outline-style"] != "auto" {
		e.widths, e.style = sides{w, w, w, w}, style["outline-style"]
		e.colors = [4]string{style["outline-color"], style["outline-color"], style["outline-color"], style["outline-color"]}
	}
	return e
}

func (c *comparison) border(name string) Row {
	e := c.edge()
	figma := c.layer.border
	if !e.ok {
		return unknown(figma.String(), "", "the page's value is not understood")
	}
	switch name {
	case "borderWidth":
		return c.covered(c.sidesRow(figma, e.widths, sideNames, true), false, "")
	case "borderStyle":
		want := "solid"
		if c.layer.dashed {
			want = "dashed"
		}
		if figma.zero() || e.widths.zero() {
			return Row{Status: Match, Figma: "none", Browser: "none", unset: true}
		}
		if thin := max(e.widths[0], e.widths[1], e.widths[2], e.widths[3]) < 3; thin && e.style == "double" {
			return unknown(want, e.style, "a double line as thin as this is drawn as one")
		}
		// Figma's dashes may be as short as dots.
		return verdict(e.style == want || c.layer.dashed && e.style == "dotted", want, e.style, "")
	}
	if figma.zero() || e.widths.zero() {
		return Row{Status: Match, Figma: "none", Browser: "none", unset: true} // the width says that one is missing
	}
	stroke := flatten(c.layer.strokes, c.layer.opacity)
	if len(stroke.above) > 0 {
		return unknown(stroke.aboveText(), e.colors[0], "a stroke of more than one colour is not compared")
	}
	for i, css := range e.colors {
		if e.widths[i] == 0 || figma[i] == 0 {
			continue
		}
		browser, ok := parseColor(css)
		if !ok {
			return unknown(stroke.base.String(), css, "the page's value is not understood")
		}
		browser = browser.faded(c.el.opacity())
		if stroke.base.distance(browser) > c.tol.Color+epsilon {
			return c.covered(verdict(false, stroke.base.String(), browser.String(), colorDelta(stroke.base, browser)), false, "")
		}
	}
	return verdict(true, stroke.base.String(), stroke.base.String(), "")
}

func (c *comparison) boxShadow() Row {
	var figma []shadow
	if c.layer.kind != "TEXT" {
		figma = fadeShadows(c.layer.shadows, c.layer.opacity)
	}
	e := c.edge()
	if _, ok := parseShadows(c.el.Style["box-shadow"]); !ok {
		return unknown(shadowsText(figma), shortText(c.el.Style["box-shadow"]), "the page's value is not understood")
	}
	browser := e.shadows
	if len(browser) == 0 {
		browser = dropShadows(c.el.Style["filter"])
	}
	browser = fadeShadows(browser, c.el.opacity())
	r := verdict(sameShadows(figma, browser, c.tol), shadowsText(figma), shadowsText(browser), "")
	r.unset = len(figma)+len(browser) == 0
	return c.covered(r, false, "")
}

// dropShadows are the shadows that a filter draws.
func dropShadows(filter string) []shadow {
	var out []shadow
	for _, f := range splitTop(filter, ' ') {
		name, args, ok := function(f)
		if !ok || name != "drop-shadow" {
			continue
		}
		if list, ok := parseShadows(args); ok {
			out = append(out, list...)
		}
	}
	return out
}

// opacity compares the opacities themselves. They may be spread differently over
// opacity and colours, so a difference counts only for what has more below.
func (c *comparison) opacity() Row {
	figma, browser := c.layer.opacity, c.el.opacity()
	r := verdict(abs(figma-browser)*255 <= c.tol.Color+epsilon, numberText(figma), numberText(browser), signed(figma-browser))
	r.unset = figma == 1 && browser == 1
	if r.Status == Mismatch && len(c.layer.node.Children) == 0 && len(c.layer.fills) > 0 {
		return unknown(r.Figma, r.Browser, "the colours carry the opacity")
	}
	return r
}

func (c *comparison) blur(figma float64, css string) Row {
	want := "none"
	if figma > 0 {
		want = "blur(" + pxText(figma) + ")"
	}
	browser, other := 0.0, false
	for _, f := range splitTop(css, ' ') {
		name, args, ok := function(f)
		v, isPx := px(args)
		switch {
		case f == "none" || ok && name == "drop-shadow":
		case ok && name == "blur" && isPx:
			browser += v
		default:
			other = true
		}
	}
	if other {
		return unknown(want, shortText(css), "other filters are not compared")
	}
	shown := "none"
	if browser > 0 {
		shown = "blur(" + pxText(browser) + ")"
	}
	r := verdict(abs(figma-browser) <= c.tol.PX+epsilon && (figma > 0) == (browser > 0), want, shown, sizeDelta(figma-browser))
	r.unset = figma == 0 && browser == 0
	return r
}

func (c *comparison) size(figma, browser float64) Row {
	switch {
	case c.el.Hidden && browser == 0:
		return unknown(pxText(figma), "", "the element is not shown")
	case figma == 0:
		return unknown("", pxText(browser), "Figma's answer has no size: the layer fills or hugs")
	}
	r := c.sizeRow(figma, browser)
	r.Note = "it depends on the viewport"
	return r
}
