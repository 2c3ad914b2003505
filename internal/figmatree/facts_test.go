package figmatree

// What an answer says, fact by fact, to hold the dense form against.

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plain makes Go values of a value.
func plain(v *Value) any {
	switch v.Kind {
	case Bool:
		return v.Text == "true"
	case Number:
		return json.Number(v.Text)
	case String:
		return v.Text
	case Array:
		out := []any{}
		for i := range v.Kids {
			out = append(out, plain(&v.Kids[i]))
		}
		return out
	case Object:
		out := map[string]any{}
		for i := range v.Kids {
			out[v.Kids[i].Name] = plain(&v.Kids[i])
		}
		return out
	}
	return nil
}

// madeUp reports whether Framelink itself named a style: kind_1a2b3c4d, or as
// older versions did kind_1A2B3C.
func madeUp(name string) bool {
	kind, tail, ok := strings.Cut(name, "_")
	if !ok || !slices.Contains([]string{"fill", "layout", "style", "effect", "stroke"}, kind) || !strings.ContainsAny(tail, "0123456789") {
		return false
	}
	return len(tail) == 8 && strings.Trim(tail, "0123456789abcdef") == "" || len(tail) == 6 && strings.Trim(tail, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// saysNone reports whether a layout has no mode, no sizing and nothing else.
func saysNone(layout any) bool { return canon(layout) == `{"mode":"none","sizing":{}}` }

// answerFacts lists what a Framelink answer says, in the lines of
// readDocument.facts.
func answerFacts(t testing.TB, v *Value) []string {
	t.Helper()
	doc, err := NewDocument(v)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{"file " + doc.Name}
	used := map[string]bool{}
	var walk func(n *Node, at string)
	walk = func(n *Node, at string) {
		members := map[string]any{}
		resolver{elements: doc.elements}.members(n.Value, func(m *Value) {
			value := plain(n.Attr(m.Name))
			name := n.StyleName(m.Name)
			used[name] = true
			if m.Name == "layout" && saysNone(value) {
				return
			}
			if name != "" && !madeUp(name) {
				value = map[string]any{"name": name, "value": value}
			}
			members[m.Name] = value
		})
		out = append(out, at+" "+n.ID+" "+canon(members))
		for i, kid := range n.Children {
			walk(kid, at+"."+strconv.Itoa(i))
		}
	}
	for i, root := range doc.Roots {
		walk(root, strconv.Itoa(i))
	}
	for _, m := range v.Path("globalVars", "styles").Members() {
		if !used[m.Name] && !saysNone(plain(&m)) {
			out = append(out, "style "+m.Name+" "+canon(plain(&m)))
		}
	}
	for _, at := range listHolders(v) {
		for list, kind := range map[string]string{"components": "component ", "componentSets": "set "} {
			for _, m := range at.Get(list).Members() {
				entry := plain(&m).(map[string]any)
				delete(entry, "key")
				entry["id"] = m.Name
				for k, v := range entry {
					if list, ok := v.([]any); v == "" || v == false || ok && len(list) == 0 {
						delete(entry, k)
					}
				}
				out = append(out, kind+m.Name+" "+canon(entry))
			}
		}
	}
	slices.Sort(out)
	return out
}

// checkDense reports everything that an answer says and its dense form does not,
// and the other way round. What is expected is what the answer said as it came,
// which has no numbers that are rounded.
func checkDense(t testing.TB, answer string) {
	t.Helper()
	v, err := ParseText(answer)
	if err != nil {
		t.Fatal(err)
	}
	want := answerFacts(t, v)
	r := Optimize(answer, Options{})
	if r.Skipped != nil {
		t.Fatal(r.Skipped)
	}
	doc, err := readDense(r.Text)
	if err != nil {
		t.Fatalf("the dense form can't be read: %v\n%s", err, r.Text)
	}
	got := doc.facts()
	// Components that are layers, but not listed in the answer, are no news.
	got = slices.DeleteFunc(got, func(s string) bool {
		return !slices.Contains(want, s) && (len(s) > 4 && (s[:4] == "comp" || s[:4] == "set "))
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the dense form says something else (-answer +dense):\n%s\n%.3000s", diff, r.Text)
	}
}

// canon writes a value with its members in order.
func canon(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// facts lists what a read document says, a line for each fact.
func (d *readDocument) facts() []string {
	out := []string{"file " + d.file}
	for name, v := range d.styles {
		out = append(out, "style "+name+" "+canon(v))
	}
	components, sets := map[string]string{}, map[string]string{}
	for id, c := range d.components {
		components[id] = canon(c)
	}
	for id, c := range d.sets {
		sets[id] = canon(c)
	}
	var walk func(l, parent *readLayer, at string)
	walk = func(l, parent *readLayer, at string) {
		if place, ok := l.members["@"]; ok {
			delete(l.members, "@")
			layoutOf(l.members)["locationRelativeToParent"] = place
		}
		out = append(out, at+" "+l.id+" "+canon(l.members))
		name, _ := l.members["name"].(string)
		entry := map[string]any{"id": l.id, "name": name}
		switch l.members["type"] {
		case "COMPONENT":
			if parent != nil && parent.members["type"] == "COMPONENT_SET" {
				entry["componentSetId"] = parent.id
			}
			if components[l.id] == "" {
				components[l.id] = canon(entry)
			}
		case "COMPONENT_SET":
			if sets[l.id] == "" {
				sets[l.id] = canon(entry)
			}
		}
		for i, kid := range l.kids {
			walk(kid, l, at+"."+strconv.Itoa(i))
		}
	}
	for i, root := range d.roots {
		walk(root, nil, strconv.Itoa(i))
	}
	for id, c := range components {
		out = append(out, "component "+id+" "+c)
	}
	for id, c := range sets {
		out = append(out, "set "+id+" "+c)
	}
	slices.Sort(out)
	return out
}
