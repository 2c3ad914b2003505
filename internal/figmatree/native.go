package figmatree

// The words for the members of REST nodes.

import (
	"math"
	"strconv"
)

// native adds the words for one member of a REST node. Empty lists are what a
// layer has where it says nothing, so they are not written; in a reference they
// say that what the first instance has is not there.
func (a *attrs) native(m *Value, n *Node) {
	if empty := (m.Kind == Array || m.Kind == Object) && len(m.Kids) == 0; empty && (n.Value.Get(refMember) == nil || m.Name == overridesMember) {
		return
	}
	switch m.Name {
	case "_svgRef":
		if m.Str() == n.ID {
			a.add("outline")
			return
		}
	case placeMember:
		if a.bounds(m) {
			return
		}
	case "componentId":
		a.add("comp=" + idText(m))
		return
	case refMember:
		a.add("ref=" + idText(m))
		return
	}
	v := shortPaints(m)
	v.Name = m.Name
	a.other(&v)
}

// bounds writes a box as place and size.
func (a *attrs) bounds(m *Value) bool {
	w, h, x, y := m.Get("width"), m.Get("height"), m.Get("x"), m.Get("y")
	for _, v := range []*Value{w, h} {
		if v == nil || v.Kind != Number {
			return false
		}
	}
	switch {
	case len(m.Kids) == 2:
	case len(m.Kids) == 4 && x != nil && y != nil && x.Kind == Number && y.Kind == Number:
		a.place = "@" + Round(x.Text) + "," + Round(y.Text)
	default:
		return false
	}
	a.size = Round(w.Text) + "x" + Round(h.Text)
	return true
}

// shortPaints returns a member with its colours as hex, and a solid paint without
// anything special as its colour alone.
func shortPaints(v *Value) Value {
	if hex, ok := hexOf(v); ok {
		return Value{Name: v.Name, Kind: String, Text: hex}
	}
	if v.Kind != Array && v.Kind != Object {
		out := *v
		if v.Kind == Number {
			out.Text = Round(v.Text)
		}
		return out
	}
	out := Value{Name: v.Name, Kind: v.Kind, Kids: make([]Value, len(v.Kids))}
	for i := range v.Kids {
		out.Kids[i] = shortPaints(&v.Kids[i])
	}
	if color := out.Get("color"); color != nil && color.Kind == String && len(out.Kids) == 3 &&
		out.Get("type").Str() == "SOLID" && out.Get("blendMode").Str() == "NORMAL" {
		return Value{Name: v.Name, Kind: String, Text: color.Text}
	}
	return out
}

// hexOf writes {r,g,b,a} with channels from 0 to 1 as #RRGGBB, or #RRGGBBAA if it
// is not opaque. Figma's own channels are 8 bits; a colour that is none of those
// stays as it is.
func hexOf(v *Value) (string, bool) {
	if v.Kind != Object || len(v.Kids) < 3 || len(v.Kids) > 4 || v.Get("r") == nil {
		return "", false
	}
	hex := []byte{'#'}
	for i, name := range []string{"r", "g", "b", "a"} {
		m := v.Get(name)
		if m == nil && i == 3 && len(v.Kids) == 3 {
			break
		}
		f, ok := m.Float()
		n := math.Round(f * 255)
		// A colour's alpha is a percentage as often as a byte.
		if !ok || f < 0 || f > 1 || math.Abs(f*255-n) > 0.01 {
			return "", false
		}
		if i == 3 && n == 255 {
			break
		}
		if n < 16 {
			hex = append(hex, '0')
		}
		hex = strconv.AppendInt(hex, int64(n), 16)
	}
	return string(hex), true
}
