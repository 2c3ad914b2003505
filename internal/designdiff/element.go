package designdiff

// What is read from the page.

import (
	_ "embed"
	"math"
	"slices"
	"strings"
)

// Script is the function that reads elements in the page. It gets one argument,
// {found, index, param}: found[k] is the element of target index[k], or null
// where its selector is to be looked up; param is a Request. It returns a list
// with a Reading for each entry of index.
//
//go:embed page.js
var Script string

// Request is the script's param.
type Request struct {
	Targets []Target `json:"targets"`
}

// Target is one element that is asked for.
type Target struct {
	Selector string  `json:"selector,omitempty"` // a CSS selector; empty where the element is handed over
	Label    string  `json:"label,omitempty"`    // the text whose style is wanted, as Figma has it
	Layers   []Found `json:"layers,omitempty"`   // layers to find below the element instead
}

// Found is a layer that is looked for on the page.
type Found struct {
	At     int      `json:"at"`     // its place in the list
	Parent int      `json:"parent"` // its parent's place, -1 for none
	IDs    []string `json:"ids"`
	Keys   []string `json:"keys"` // names it may have as an id, a class or a test id
	Text   string   `json:"text,omitempty"`
	Label  string   `json:"label,omitempty"`
}

// Reading is what the script says of a target.
type Reading struct {
	Error   string         `json:"error"`
	Element *Element       `json:"element"`
	Layers  []LayerReading `json:"layers"`
}

// LayerReading is what it says of a layer that was looked for.
type LayerReading struct {
	Why      string   `json:"why"`      // why it has no element
	How      string   `json:"how"`      // by what it was found
	Selector string   `json:"selector"` // what the element is called
	Element  *Element `json:"element"`
}

// Element is the computed style of an element.
type Element struct {
	Tag     string            `json:"tag"`
	Style   map[string]string `json:"style"`
	Width   float64           `json:"width"` // px, of the border box
	Height  float64           `json:"height"`
	Behind  string            `json:"behind"`  // the colour of what is around it; empty if that is not one
	Painted bool              `json:"painted"` // a pseudo-element paints something on it
	Hidden  bool              `json:"hidden"`  // it is not shown
	Label   Label             `json:"label"`
}

// Label is the element that carries the text.
type Label struct {
	Texts        int               `json:"texts"` // how many elements carry text
	Style        map[string]string `json:"style"` // nil when it is not clear which is meant
	Decoration   string            `json:"decoration"`
	Opacity      float64           `json:"opacity"`      // of it and what is between it and the element
	NormalHeight float64           `json:"normalHeight"` // px of a line as the font has it; 0 is unknown
	Text         string            `json:"text"`
	Width        float64           `json:"width"`
	Height       float64           `json:"height"`
}

// box reads the four sides of a property, as padding-top and so on.
func (e *Element) box(before, after string) (sides, bool) {
	var out sides
	for i, side := range []string{"top", "right", "bottom", "left"} {
		v, ok := px(e.Style[before+"-"+side+after])
		if !ok {
			return sides{}, false
		}
		out[i] = v
	}
	return out, true
}

// corners are the corners' radii as they come to be, in px.
type corners struct{ across, down sides }

// round reports whether the corners are parts of circles.
func (c corners) round() bool {
	for i := range c.across {
		if math.Abs(c.across[i]-c.down[i]) > 0.5 {
			return false
		}
	}
	return true
}

// radii are the element's corners.
func (e *Element) radii() (c corners, ok bool) {
	for i, corner := range []string{"top-left", "top-right", "bottom-right", "bottom-left"} {
		parts := splitTop(e.Style["border-"+corner+"-radius"], ' ')
		if len(parts) == 0 {
			return c, false
		}
		var okX, okY bool
		c.across[i], okX = relativeTo(parts[0], e.Width)
		c.down[i], okY = relativeTo(parts[len(parts)-1], e.Height)
		if !okX || !okY {
			return c, false
		}
	}
	// Radii that do not fit are made smaller together (CSS Backgrounds 3, 4.5).
	shrink := 1.0
	for _, s := range []struct{ room, need float64 }{
		{e.Width, c.across[0] + c.across[1]}, {e.Width, c.across[3] + c.across[2]}, {e.Height, c.down[0] + c.down[3]}, {e.Height, c.down[1] + c.down[2]},
	} {
		if s.need > s.room && s.need > 0 && s.room > 0 {
			shrink = min(shrink, s.room/s.need)
		}
	}
	for i := range c.across {
		c.across[i] *= shrink
		c.down[i] *= shrink
	}
	return c, true
}

func relativeTo(s string, whole float64) (float64, bool) {
	l, ok := parseLength(s)
	if l.unit == "%" {
		return l.n / 100 * whole, ok && whole > 0
	}
	v, isPx := px(s)
	return v, isPx
}

// opacity is the element's own.
func (e *Element) opacity() float64 {
	if l, ok := parseLength(e.Style["opacity"]); ok {
		return l.n
	}
	return 1
}

// borders are the widths of the border as it is seen; a style of none computes
// to 0.
func (e *Element) borders() (sides, bool) { return e.box("border", "-width") }

// borderStyle is the style of the sides that have a width; of several they are
// all named.
func (e *Element) borderStyle(widths sides) string {
	var styles []string
	for i, side := range sideNames {
		if s := e.Style["border-"+side+"-style"]; widths[i] > 0 && !slices.Contains(styles, s) {
			styles = append(styles, s)
		}
	}
	return strings.Join(styles, " ")
}

func clipsToText(style map[string]string) bool {
	return strings.Contains(style["background-clip"], "text")
}
