package figmatree

// Random answers in Framelink's shape, full of what is hard to write on one line.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// hostile are texts that could be taken for something else.
var hostile = []string{
	"Label", "Two words", "", " lead", "trail ", "text", "frame 1", "rect", "#1:2", "a #1:2: b", "x: y", "=#1:2", "<b>", `"quoted"`, "line\nbreak",
	"tab\there", "ls\u2028ps\u2029nel\u0085", "bidi\u202eabc", "emoji 👁️‍🗨️", "日本語", "\\", "{ts1}a{/ts1}", "null", "true", "12", "-1.5", "a,b", "[x]", "{y}", "a+b", "…3", "a=b",
	"lower \x00 control", "del \x7f", "components", "file x", "style ts1={a:1}", "é\u0301", "\ufeffbom", "\u200bzero",
}

var hostileNames = []string{"Body/M", "Gray 300", `He said "x"`, "fill_1a2b3c4d", "layout_00000000", "#FFF", "1.5", "effect_ff", "fill_primary", "layout_main", "style_heading", "fill_ACCENT", "fill_1A2B3C", "deadbeef", "Two words", " lead", "trail ", "text", "frame 1"}

// generator makes one answer.
type generator struct {
	*rand.Rand
	last     int
	styles   map[string]any
	elements map[string]any
}

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

func (g *generator) text() string { return pick(g, hostile...) }

func (g *generator) number() json.Number {
	return json.Number(pick(g, "0", "1", "-3", "12", "340", "0.5", "17.25", "1e3", "-0.045"))
}

func (g *generator) px() string {
	var parts []string
	for range 1 + g.IntN(4) {
		parts = append(parts, pick(g, "0", "8", "1.5", "-4", "120")+"px")
	}
	return strings.Join(parts, " ")
}

func (g *generator) maybe(m map[string]any, name string, v any) {
	if g.IntN(3) == 0 {
		m[name] = v
	}
}

func (g *generator) layout() any {
	sizing, dimensions := map[string]any{}, map[string]any{}
	g.maybe(sizing, "horizontal", pick(g, "fixed", "hug", "fill"))
	g.maybe(sizing, "vertical", pick(g, "fixed", "hug", "fill"))
	g.maybe(dimensions, "width", g.number())
	g.maybe(dimensions, "height", g.number())
	g.maybe(dimensions, "aspectRatio", json.Number("1.5"))
	l := map[string]any{"mode": pick(g, "none", "row", "column", "grid", "none", "circle"), "sizing": sizing}
	if len(dimensions) > 0 {
		l["dimensions"] = dimensions
	}
	g.maybe(l, "justifyContent", pick(g, "center", "space-between", "flex-end", "odd value"))
	g.maybe(l, "alignItems", pick(g, "center", "stretch", "baseline"))
	g.maybe(l, "alignSelf", "stretch")
	g.maybe(l, "gap", pick(g, "8px", "8px 4px", "auto", "1.5em"))
	g.maybe(l, "padding", g.px())
	g.maybe(l, "wrap", pick(g, true, false))
	g.maybe(l, "position", pick(g, "absolute", "sticky"))
	g.maybe(l, "overflowScroll", []any{"x", "y"})
	g.maybe(l, "gridTemplateColumns", "repeat(2, 1fr)")
	g.maybe(l, "locationRelativeToParent", map[string]any{"x": g.number(), "y": g.number()})
	g.maybe(l, g.text(), g.text())
	return l
}

func (g *generator) paint() any {
	return pick[any](g, "#FFFFFF", "#1976D2", "rgba(0, 0, 0, 0.5)", "hsl(1, 2%, 3%)", "",
		map[string]any{"type": "IMAGE", "imageRef": "0e5", "scaleMode": "FILL", "name": g.text()},
		map[string]any{"type": "GRADIENT_LINEAR", "gradient": "linear-gradient(90deg, #FFF 0%, rgba(0, 0, 0, 0.1) 100%)"})
}

func (g *generator) paints() any {
	list := []any{}
	for range g.IntN(3) {
		list = append(list, g.paint())
	}
	return pick[any](g, list, list, map[string]any{"colors": list, "strokeWeight": "1px"})
}

func (g *generator) font() any {
	f := map[string]any{"fontFamily": pick(g, "Inter", "Work Sans", "400", "A, B", `Q"x`), "fontWeight": json.Number("400"), "fontSize": g.number()}
	g.maybe(f, "fontStyle", pick(g, "Bold", "Semi Bold", "700", "left"))
	g.maybe(f, "lineHeight", pick(g, "1.4em", "20px", "normal", "120%"))
	g.maybe(f, "letterSpacing", "-0.02em")
	g.maybe(f, "textAlignHorizontal", pick(g, "LEFT", "CENTER", "RIGHT", "JUSTIFIED", "ODD"))
	g.maybe(f, "textAlignVertical", pick(g, "TOP", "CENTER", "BOTTOM"))
	g.maybe(f, "textCase", "UPPER")
	if g.IntN(8) == 0 {
		delete(f, "fontSize")
	}
	return f
}

// style puts a value under a name, now and then, and returns what a node says.
func (g *generator) style(kind string, v any) any {
	if g.IntN(2) == 0 {
		return v
	}
	name := pick(g, hostileNames...) + pick(g, "", " (1:2)")
	if g.IntN(2) == 0 {
		name = fmt.Sprintf("%s_%08x", kind, g.IntN(6))
	}
	if old, taken := g.styles[name]; taken {
		if canon(old) != canon(v) {
			return v
		}
	}
	g.styles[name] = v
	return name
}

// members are a node's without id, children and template.
func (g *generator) members() map[string]any {
	m := map[string]any{"type": pick(g, "FRAME", "TEXT", "INSTANCE", "RECTANGLE", "IMAGE-SVG", "COMPONENT", "COMPONENT_SET", "WIDGET", "ODD KIND>")}
	if g.IntN(4) > 0 {
		m["name"] = g.text()
	}
	if m["type"] == "TEXT" || g.IntN(10) == 0 {
		m["text"] = g.text()
	}
	g.maybe(m, "layout", g.style("layout", g.layout()))
	g.maybe(m, "fills", g.style("fill", g.paints()))
	g.maybe(m, "strokes", g.style("fill", g.paints()))
	g.maybe(m, "effects", g.style("effect", map[string]any{"boxShadow": "0px 4px rgba(0, 0, 0, 0.1)", "filter": g.text()}))
	g.maybe(m, "textStyle", g.style("style", g.font()))
	g.maybe(m, "borderRadius", g.px())
	g.maybe(m, "strokeWeight", pick(g, "1px", "2px 0px", "thick"))
	g.maybe(m, "opacity", json.Number("0.5"))
	g.maybe(m, "componentId", pick(g, "9:1", "9:2", "odd id"))
	g.maybe(m, "componentProperties", map[string]any{g.text(): g.text(), "on": true, "n": g.number(), "nothing": nil, "list": []any{g.text(), []any{}, map[string]any{}}})
	g.maybe(m, pick(g, "boldWeight", "strokeDashes", "odd key", "ключ"), pick[any](g, g.text(), g.number(), []any{g.number(), g.text()}))
	return m
}

func (g *generator) id(parent string) string {
	g.last++
	switch g.IntN(12) {
	case 0:
		return fmt.Sprintf("%d:%d", g.IntN(3), 1000+g.last)
	case 1, 2, 3:
		return fmt.Sprintf("I%s;%d:%d", strings.TrimPrefix(parent, "I"), 7, g.last)
	case 4:
		if g.IntN(4) == 0 {
			return fmt.Sprintf("odd %d\"", g.last)
		}
	}
	return fmt.Sprintf("1:%d", g.last)
}

func (g *generator) node(parent string, depth int) map[string]any {
	n := map[string]any{}
	if len(g.elements) > 0 && g.IntN(3) == 0 {
		n["template"] = pick(g, sortedKeys(g.elements)...)
	} else {
		n = g.members()
	}
	id := g.id(parent)
	n["id"] = id
	if depth > 0 {
		var kids []any
		for range g.IntN(4) {
			if len(kids) > 0 && g.IntN(3) == 0 {
				kids = append(kids, g.copy(kids[g.IntN(len(kids))].(map[string]any)))
				continue
			}
			kids = append(kids, g.node(id, depth-1))
		}
		if len(kids) > 0 {
			n["children"] = kids
		}
	}
	return n
}

// copy copies a node, with another text here and there.
func (g *generator) copy(n map[string]any) map[string]any {
	g.last++
	return g.shifted(n, g.last*100)
}

func (g *generator) shifted(n map[string]any, by int) map[string]any {
	out := map[string]any{}
	for k, v := range n {
		out[k] = v
	}
	if page, number, ok := numbered(n["id"].(string)); ok && g.IntN(20) > 0 {
		out["id"] = fmt.Sprintf("%s:%d", page, number+by)
	} else {
		out["id"] = g.id("1:1")
	}
	if out["text"] != nil && g.IntN(2) == 0 {
		out["text"] = g.text()
	}
	if out["name"] != nil && g.IntN(6) == 0 {
		out["name"] = g.text()
	}
	if g.IntN(12) == 0 {
		out["opacity"] = json.Number("0.25")
	}
	if kids, ok := n["children"].([]any); ok {
		copied := make([]any, len(kids))
		for i := range kids {
			copied[i] = g.shifted(kids[i].(map[string]any), by)
		}
		out["children"] = copied
	}
	return out
}

func sortedKeys(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	// Go's maps have no order; the answer must depend on the seed alone.
	for i := 1; i < len(keys); i++ {
		for j := i; j > 0 && keys[j] < keys[j-1]; j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
		}
	}
	return keys
}

// randomAnswer makes an answer in Framelink's shape.
func randomAnswer(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 5)), styles: map[string]any{}, elements: map[string]any{}}
	for i := range g.IntN(4) {
		g.elements[fmt.Sprintf("EL-%08x", i)] = g.members()
	}
	var nodes []any
	for range 1 + g.IntN(3) {
		nodes = append(nodes, g.node("0:0", 1+g.IntN(5)))
	}
	components, sets := map[string]any{}, map[string]any{}
	for i := range g.IntN(4) {
		id := fmt.Sprintf("9:%d", i)
		c := map[string]any{"id": id, "key": "0123456789abcdef", "name": g.text()}
		g.maybe(c, "componentSetId", pick(g, "8:1", "8:2"))
		g.maybe(c, "description", g.text())
		components[id] = c
	}
	if g.IntN(2) == 0 {
		sets["8:1"] = map[string]any{"id": "8:1", "key": "0123456789abcdef", "name": g.text()}
	}
	g.styles["ts1"] = map[string]any{"fontSize": json.Number("10"), "note": g.text()}
	out, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"name": g.text(), "components": components, "componentSets": sets}, "nodes": nodes,
		"globalVars": map[string]any{"styles": g.styles}, "elements": g.elements,
	})
	if err != nil {
		panic(err)
	}
	return string(out)
}
