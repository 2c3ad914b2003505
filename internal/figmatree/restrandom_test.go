package figmatree

// Random files of the REST API.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

type restGen struct {
	*rand.Rand
	last int
}

func (g *restGen) id() string {
	g.last++
	return fmt.Sprintf("%d:%d", 1+g.last/40, g.last)
}

func (g *restGen) color() any {
	return object{"r": float64(g.IntN(256)) / 255, "g": float64(g.IntN(4)) / 3, "b": 0, "a": []float64{1, 0.12, 0.5}[g.IntN(3)]}
}

// list returns a list that is often empty.
func (g *restGen) list(item func() any) []any {
	out := []any{}
	for range g.IntN(3) {
		out = append(out, item())
	}
	return out
}

func (g *restGen) paint() any {
	p := object{"type": "SOLID", "blendMode": "NORMAL", "color": g.color()}
	if g.IntN(3) == 0 {
		p["opacity"] = 0.1200000047
	}
	return p
}

// style sets what instances of a component may differ in.
func (g *restGen) style(n object) {
	n["fills"], n["strokes"] = g.list(g.paint), g.list(g.paint)
	n["effects"] = g.list(func() any { return object{"type": "LAYER_BLUR", "radius": g.IntN(9), "visible": true} })
	delete(n, "styles")
	if g.IntN(2) == 0 {
		n["styles"] = object{"fill": fmt.Sprintf("7:%d", g.IntN(4))}
	}
	delete(n, "cornerRadius")
	if g.IntN(3) == 0 {
		n["cornerRadius"] = g.IntN(9)
	}
}

// node is a layer with its place on the canvas.
func (g *restGen) node(depth int, x, y float64) object {
	n := object{
		"id": g.id(), "name": fmt.Sprintf("layer %d", g.IntN(5)), "type": "FRAME", "scrollBehavior": "SCROLLS",
		"absoluteBoundingBox": object{"x": x, "y": y, "width": float64(10 + g.IntN(90)), "height": 20.5},
	}
	g.style(n)
	switch {
	case depth == 0 && g.IntN(2) == 0:
		n["type"], n["characters"] = "TEXT", fmt.Sprintf("text %d", g.IntN(9))
		return n
	case depth == 0:
		n["type"], n["fillGeometry"] = "VECTOR", []any{object{"path": "M0 0"}}
		return n
	}
	if g.IntN(2) == 0 {
		n["layoutMode"] = []string{"HORIZONTAL", "VERTICAL"}[g.IntN(2)]
	}
	kids := []any{}
	for i := range 1 + g.IntN(3) {
		kid := g.node(depth-1-g.IntN(depth), x+float64(i*7)+g.Float64(), y+3)
		if g.IntN(6) == 0 {
			kid["layoutPositioning"] = "ABSOLUTE"
		}
		kids = append(kids, kid)
	}
	n["children"] = kids
	return n
}

// instance copies a component to a place, with differences here and there.
func (g *restGen) instance(component object, x, y float64) object {
	id := g.id()
	from := component["absoluteBoundingBox"].(object)
	dx, dy := x-from["x"].(float64), y-from["y"].(float64)
	var copied func(n object, top bool) object
	copied = func(n object, top bool) object {
		out := object{}
		for name, v := range n {
			out[name] = v
		}
		if out["id"] = "I" + id + ";" + n["id"].(string); top {
			out["id"] = id
		}
		box := n["absoluteBoundingBox"].(object)
		moved := object{"x": box["x"].(float64) + dx, "y": box["y"].(float64) + dy, "width": box["width"], "height": box["height"]}
		switch g.IntN(8) {
		case 0:
			g.style(out)
		case 1:
			moved["x"] = moved["x"].(float64) + 5
		case 2:
			if n["characters"] != nil {
				out["characters"] = "another"
			}
		case 3:
			if !top {
				out["visible"] = false
			}
		}
		out["absoluteBoundingBox"] = moved
		if list, ok := n["children"].([]any); ok {
			kids := []any{}
			for _, kid := range list {
				kids = append(kids, copied(kid.(object), false))
			}
			out["children"] = kids
		}
		return out
	}
	out := copied(component, true)
	out["type"], out["componentId"] = "INSTANCE", component["id"]
	return out
}

// randomREST is a file, or an answer for several nodes.
func randomREST(seed uint64) string {
	g := &restGen{Rand: rand.New(rand.NewPCG(seed, 5))}
	var components []object
	for range 1 + g.IntN(2) {
		c := g.node(1+g.IntN(2), 0, 0)
		c["type"] = "COMPONENT"
		components = append(components, c)
	}
	frame := func() object {
		f := g.node(1, float64(g.IntN(900)), 40)
		if list, ok := f["children"].([]any); ok {
			for range 2 + g.IntN(5) {
				list = append(list, g.instance(components[g.IntN(len(components))], float64(g.IntN(500)), float64(g.IntN(500))))
			}
			f["children"] = list
		}
		return f
	}
	styles := object{}
	for i := range 4 {
		styles[fmt.Sprintf("7:%d", i)] = object{"key": "0123", "name": fmt.Sprintf("Brand/%d", i), "styleType": "FILL", "remote": i == 1, "description": ""}
	}
	answer := object{"name": "F", "styles": styles}
	if seed%2 == 0 {
		answer["document"] = object{"id": "0:0", "name": "D", "type": "DOCUMENT", "children": []any{
			object{"id": "0:1", "name": "P", "type": "CANVAS", "children": []any{components[0], frame(), frame()}},
		}}
	} else {
		delete(answer, "styles")
		answer["nodes"] = object{"1:1": object{"document": frame(), "styles": styles}, "2:2": object{"document": frame(), "styles": styles}, "9:9": nil}
	}
	out, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return string(out)
}
