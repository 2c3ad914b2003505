package figmatree

// The dense form of REST files, read back: all that a file says, but for what
// docs/figma-format.md names, is in it, and at the right place. What is expected
// comes from the file as it was sent.

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/figmafile"
)

// unsaid are the members that the dense form leaves out, wherever they are.
var unsaid = strings.Fields(`id children overrides _ref _gone absoluteRenderBounds exportSettings interactions reactions pluginData
	prototypeDevice prototypeStartNodeID flowStartingPoints fillGeometry strokeGeometry relativeTransform`)

// takenForGranted is what Figma's defaults are.
var takenForGranted = map[string]any{"blendMode": "PASS_THROUGH", "scrollBehavior": "SCROLLS", "layoutPositioning": "AUTO"}

type object = map[string]any

func decoded(t testing.TB, text string) object {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v object
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func number(v any) float64 {
	n, _ := v.(json.Number)
	f, err := n.Float64()
	if err != nil {
		return math.NaN()
	}
	return f
}

// restRoots returns the top layers of a file or of an answer for nodes, in order
// of their ids, and all shared styles.
func restRoots(answer object) (roots []object, styles object) {
	styles = object{}
	add := func(at object) {
		if node, ok := at["document"].(object); ok {
			roots = append(roots, node)
		}
		list, _ := at["styles"].(object)
		for id, s := range list {
			styles[id] = s
		}
	}
	if answer["id"] != nil {
		return []object{answer}, styles
	}
	add(answer)
	nodes, _ := answer["nodes"].(object)
	for _, id := range sortedKeys(nodes) {
		if entry, ok := nodes[id].(object); ok {
			add(entry)
		}
	}
	return roots, styles
}

func kidsOf(n object) []object {
	var out []object
	list, _ := n["children"].([]any)
	for _, kid := range list {
		k := kid.(object)
		if k["visible"] == false || number(k["opacity"]) == 0 {
			continue
		}
		out = append(out, k)
	}
	return out
}

// comparer holds the layers of a file against those that were read back.
type comparer struct{ problems []string }

func (c *comparer) say(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// layer compares want, whose parent's corner is at x and y, with got. free says
// that the place follows from an auto layout.
func (c *comparer) layer(want, got object, x, y float64, free bool) {
	id := want["id"].(string)
	if got["id"] != id {
		c.say("%s became %v", id, got["id"])
		return
	}
	outlined := false
	for _, name := range []string{"fillGeometry", "strokeGeometry"} {
		list, _ := want[name].([]any)
		outlined = outlined || len(list) > 0
	}
	if _, has := got["_svgRef"]; has != outlined {
		c.say("%s: outline is %v", id, has)
	}
	if box, ok := want["absoluteBoundingBox"].(object); ok {
		c.box(id, box, got["_box"], x, y, free)
		x, y = number(box["x"]), number(box["y"])
	}
	names := map[string]bool{}
	for name := range want {
		names[name] = true
	}
	for name := range got {
		names[name] = true
	}
	for name := range names {
		a, b := want[name], got[name]
		switch {
		case slices.Contains(unsaid, name) || name == "_svgRef" || name == "_box" || name == "absoluteBoundingBox":
		case b == nil && (empty(a) || takenForGranted[name] == a) || a == nil && empty(b):
		case !likeness(a, b):
			c.say("%s: %s is %v, not %v", id, name, b, a)
		}
	}
	before, after := kidsOf(want), kidsOf(got)
	if len(before) != len(after) {
		c.say("%s has %d layers, not %d", id, len(after), len(before))
		return
	}
	auto := want["layoutMode"] == "HORIZONTAL" || want["layoutMode"] == "VERTICAL"
	for i := range before {
		c.layer(before[i], after[i], x, y, auto && before[i]["layoutPositioning"] != "ABSOLUTE")
	}
}

func (c *comparer) box(id string, want object, read any, x, y float64, free bool) {
	got, _ := read.(object)
	place := object{"x": number(want["x"]) - x, "y": number(want["y"]) - y, "width": number(want["width"]), "height": number(want["height"])}
	for name, v := range place {
		if free && (name == "x" || name == "y") {
			continue
		}
		if f := v.(float64); !(math.Abs(number(got[name])-f) <= 0.03+0.005*math.Abs(f)) {
			c.say("%s: %s is %v, not %v", id, name, got[name], f)
		}
	}
}

func empty(v any) bool {
	list, isList := v.([]any)
	m, isObject := v.(object)
	return isList && len(list) == 0 || isObject && len(m) == 0
}

// likeness compares two values: numbers are rounded, colours and solid paints are
// written as hex.
func likeness(a, b any) bool {
	switch want := a.(type) {
	case json.Number:
		f := number(want)
		return math.Abs(number(b)-f) <= 0.00501*math.Abs(f)
	case []any:
		got, ok := b.([]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for i := range want {
			if !likeness(want[i], got[i]) {
				return false
			}
		}
		return true
	case object:
		if hex, ok := b.(string); ok {
			if want["type"] == "SOLID" && want["blendMode"] == "NORMAL" && len(want) == 3 {
				want, _ = want["color"].(object)
			}
			return sameColor(want, hex)
		}
		got, ok := b.(object)
		if !ok || len(got) != len(want) {
			return false
		}
		for name := range want {
			if !likeness(want[name], got[name]) {
				return false
			}
		}
		return true
	}
	return a == b
}

func sameColor(want object, hex string) bool {
	if len(hex) != 7 && len(hex) != 9 || hex[0] != '#' {
		return false
	}
	for i, name := range []string{"r", "g", "b", "a"} {
		channel := uint64(255)
		if at := 1 + 2*i; at < len(hex) {
			var err error
			if channel, err = strconv.ParseUint(hex[at:at+2], 16, 8); err != nil {
				return false
			}
		}
		f := 1.0
		if v, ok := want[name]; ok {
			f = number(v)
		}
		if !(math.Abs(f*255-float64(channel)) <= 0.0101) {
			return false
		}
	}
	return true
}

// restLayer returns a read layer with REST's names.
func restLayer(l *readLayer) object {
	out := object{"id": l.id}
	for name, v := range l.members {
		switch name {
		case "text":
			out["characters"] = v
		case "ref":
			out["_ref"] = v
		case "layout", "@":
		default:
			out[name] = v
		}
	}
	box := object{}
	if place, ok := l.members["@"].(object); ok {
		box["x"], box["y"] = place["x"], place["y"]
	}
	if layout, ok := l.members["layout"].(object); ok {
		if size, ok := layout["dimensions"].(object); ok {
			box["width"], box["height"] = size["width"], size["height"]
		}
	}
	if len(box) > 0 {
		out["_box"] = box
	}
	if len(l.kids) > 0 {
		var kids []any
		for _, kid := range l.kids {
			kids = append(kids, restLayer(kid))
		}
		out["children"] = kids
	}
	return out
}

// checkREST holds the dense form of a REST answer against the answer.
func checkREST(t testing.TB, answer string) {
	t.Helper()
	r := Optimize(answer, Options{})
	if r.Skipped != nil {
		t.Fatal(r.Skipped)
	}
	doc, err := readDense(r.Text)
	if err != nil {
		t.Fatalf("the dense form can't be read: %v\n%s", err, r.Text)
	}
	e := expander{nodes: map[string]*Value{}}
	var trees []*Value
	for _, root := range doc.roots {
		v, err := ParseJSON(canon(restLayer(root)))
		if err != nil {
			t.Fatal(err)
		}
		e.find(v)
		trees = append(trees, v)
	}
	said := decoded(t, answer)
	roots, styles := restRoots(said)
	if len(roots) != len(trees) {
		t.Fatalf("there are %d top layers, not %d", len(trees), len(roots))
	}
	var c comparer
	for i, root := range roots {
		expanded := e.expand(trees[i])
		c.layer(root, plain(&expanded).(object), 0, 0, false)
	}
	for id, s := range styles {
		want := s.(object)
		for name, v := range want {
			if name == "key" || v == "" || v == false {
				delete(want, name)
			}
		}
		if !likeness(want, doc.styles[id]) {
			c.say("the shared style %s is %v, not %v", id, doc.styles[id], want)
		}
	}
	nodes, _ := said["nodes"].(object)
	for id, entry := range nodes {
		if entry == nil && !slices.Contains(strings.Split(doc.missing, ", "), id) {
			c.say("it is not said that the file does not have %s", id)
		}
	}
	if len(c.problems) > 0 {
		t.Errorf("%s\nin %.6000s\nof %.6000s", strings.Join(c.problems[:min(len(c.problems), 12)], "\n"), r.Text, answer)
	}
}

func TestRESTSaysEverything(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 50
	}
	for seed := range uint64(n) {
		answer := randomREST(seed)
		if ok := t.Run(fmt.Sprint(seed), func(t *testing.T) { checkREST(t, answer) }); !ok {
			return
		}
	}
}

func TestRESTFilesSayEverything(t *testing.T) {
	for name, text := range map[string][]byte{"shop": figmafile.Shop(), "poster": figmafile.Poster(), "form": figmafile.Form()} {
		t.Run(name, func(t *testing.T) { checkREST(t, string(text)) })
	}
}

// An instance that takes away what the first one has says so.
func TestClearedLists(t *testing.T) {
	in := `{"id":"1:1","type":"FRAME","children":[
		{"id":"1:2","name":"A","type":"INSTANCE","componentId":"9:1","fills":[{"type":"SOLID","blendMode":"NORMAL","color":{"r":1,"g":0,"b":0,"a":1}}],"effects":[{"type":"LAYER_BLUR","radius":4}],"strokes":[1],"children":[{"id":"I1:2;9:2","type":"TEXT","characters":"a","name":"a"}]},
		{"id":"1:3","name":"A","type":"INSTANCE","componentId":"9:1","fills":[],"effects":[],"strokes":[],"children":[{"id":"I1:3;9:2","type":"TEXT","characters":"a","name":"a"}]}]}`
	checkREST(t, in)
	if text := Optimize(in, Options{}).Text; !strings.Contains(text, "instance A #1:3 effects=[] fills=[] ref=1:2 strokes=[]") {
		t.Errorf("what the second instance takes away is not said:\n%s", text)
	}
}

// In JSON, positions are those on the canvas: wherever one is said, that of the
// layer around is said as well.
func TestPositionsHaveAnOrigin(t *testing.T) {
	for seed := range uint64(100) {
		text, _ := optimised(t, randomREST(seed), Options{})
		roots, _ := restRoots(decoded(t, text))
		var walk func(n, parent object)
		walk = func(n, parent object) {
			box, _ := n["absoluteBoundingBox"].(object)
			around, boxed := parent["absoluteBoundingBox"].(object)
			auto := parent["layoutMode"] != nil && n["layoutPositioning"] != "ABSOLUTE" // its place is of use for those in it
			if box["x"] != nil && boxed && around["x"] == nil && !auto {
				t.Errorf("seed %d: %v has a position, and %v around it has none", seed, n["id"], parent["id"])
			}
			list, _ := n["overrides"].([]any)
			for _, o := range list {
				if moved, _ := o.(object)["absoluteBoundingBox"].(object); moved["x"] != nil && box["x"] == nil {
					t.Errorf("seed %d: %v has a position, and its instance %v has none", seed, o, n["id"])
				}
			}
			for _, kid := range kidsOf(n) {
				walk(kid, n)
			}
		}
		for _, root := range roots {
			walk(root, nil)
		}
	}
}
