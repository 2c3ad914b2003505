package figmatree

// Module 3: repeated instances, and that nothing of them is lost.

import (
	"math"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/figmafile"
)

func TestInstances(t *testing.T) {
	in := `{"id":"0:1","type":"CANVAS","children":[
		{"id":"1:1","name":"A","type":"INSTANCE","componentId":"9:1","absoluteBoundingBox":{"x":0,"y":0,"width":100,"height":40},"fills":["white"],"children":[
			{"id":"I1:1;9:2","name":"icon","type":"VECTOR","absoluteBoundingBox":{"x":4,"y":4,"width":16,"height":16},"fillGeometry":[{"path":"M0"}]},
			{"id":"I1:1;9:3","name":"label","type":"TEXT","characters":"Save","opacity":0.5,"absoluteBoundingBox":{"x":24,"y":4,"width":60,"height":16}}]},
		{"id":"1:2","name":"A","type":"INSTANCE","componentId":"9:1","absoluteBoundingBox":{"x":200,"y":300,"width":100,"height":40},"fills":["white"],"children":[
			{"id":"I1:2;9:2","name":"icon","type":"VECTOR","absoluteBoundingBox":{"x":204,"y":304,"width":16,"height":16},"fillGeometry":[{"path":"M0"}]},
			{"id":"I1:2;9:3","name":"label","type":"TEXT","characters":"Save","opacity":0.5,"absoluteBoundingBox":{"x":224.01,"y":304,"width":60,"height":16}}]},
		{"id":"1:3","name":"B","type":"INSTANCE","componentId":"9:1","absoluteBoundingBox":{"x":0,"y":100,"width":120,"height":40},"fills":["red"],"overrides":[{"id":"1:3","overriddenFields":["fills"]}],"children":[
			{"id":"I1:3;9:2","name":"icon","type":"VECTOR","visible":false,"absoluteBoundingBox":{"x":4,"y":104,"width":16,"height":16}},
			{"id":"I1:3;9:3","name":"label","type":"TEXT","characters":"Delete","absoluteBoundingBox":{"x":24,"y":104,"width":80,"height":16}}]}]}`
	want := `{"id":"1:2","name":"A","type":"INSTANCE","_ref":"1:1","absoluteBoundingBox":{"x":200,"y":300,"width":100,"height":40},"overrides":[]},` +
		`{"id":"1:3","name":"B","type":"INSTANCE","_ref":"1:1","fills":["red"],"absoluteBoundingBox":{"x":0,"y":100,"width":120,"height":40},"overrides":[` +
		`{"id":"I1:3;9:2","_removed":true},{"id":"I1:3;9:3","characters":"Delete","_gone":["opacity"],"absoluteBoundingBox":{"x":24,"y":104,"width":80,"height":16}}]}]}`
	got, counts := optimised(t, in, Options{})
	if !strings.HasSuffix(got, want) || counts.InstancesCollapsed != 2 {
		t.Errorf("%+v\ngot  %s\nwant …%s", counts, got, want)
	}
}

// An instance is not collapsed where its layers were exchanged without an end.
func TestSwappedLayers(t *testing.T) {
	in := `{"id":"0:1","type":"CANVAS","children":[
		{"id":"1:1","name":"A","type":"INSTANCE","componentId":"9:1","children":[{"id":"I1:1;9:2","name":"a","type":"FRAME","cornerRadius":4,"strokeWeight":1,"children":[]}]},
		{"id":"1:2","name":"A","type":"INSTANCE","componentId":"9:1","children":[{"id":"I1:2;9:7","name":"b","type":"TEXT","characters":"other"},{"id":"I1:2;9:8","name":"c","type":"TEXT","characters":"more"}]}]}`
	got, _ := optimised(t, in, Options{})
	for _, part := range []string{`"other"`, `"more"`, `I1:2;9:8`} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is lost in %s", part, got)
		}
	}
}

// expander puts the instances back.
type expander struct{ nodes map[string]*Value }

func (e expander) find(v *Value) {
	e.nodes[v.Get("id").Str()] = v
	for i := range v.Get("children").Items() {
		e.find(&v.Get("children").Kids[i])
	}
}

// expand returns a node with all references replaced by what they stand for.
func (e expander) expand(v *Value) Value {
	ref := v.Get(refMember).Str()
	if ref == "" {
		out := *v
		out.Kids = append([]Value(nil), v.Kids...)
		if list := out.Get("children"); list != nil {
			kids := make([]Value, len(list.Kids))
			for i := range list.Kids {
				kids[i] = e.expand(&list.Kids[i])
			}
			list.Kids = kids
		}
		return out
	}
	first := e.expand(e.nodes[ref])
	overrides := map[string]*Value{}
	for i := range v.Get(overridesMember).Items() {
		o := &v.Get(overridesMember).Kids[i]
		overrides[o.Get("id").Str()] = o
	}
	from, to := first.Get("id").Str(), v.Get("id").Str()
	var apply func(old *Value, with *Value, top bool) (Value, bool)
	apply = func(old *Value, with *Value, top bool) (Value, bool) {
		out := Value{Kind: Object}
		gone := map[string]bool{}
		for _, name := range with.Get(goneMember).Items() {
			gone[name.Str()] = true
		}
		for i := range old.Kids {
			m := old.Kids[i]
			switch {
			case gone[m.Name] || m.Name == overridesMember:
				continue
			case m.Name == "id":
				m.Text = to
				if !top {
					m.Text = "I" + strings.TrimPrefix(to, "I") + ";" + relative(old.Get("id").Str(), from)
				}
			case m.Name == "_svgRef":
				m.Text = out.Get("id").Str()
			case m.Name == "children" && with.Get("children") == nil:
				list := Value{Name: m.Name, Kind: Array}
				for i := range m.Kids {
					id := "I" + strings.TrimPrefix(to, "I") + ";" + relative(m.Kids[i].Get("id").Str(), from)
					if kid, ok := apply(&m.Kids[i], overrides[id], false); ok {
						list.Kids = append(list.Kids, kid)
					}
				}
				m = list
			case with.Get(m.Name) != nil:
				m = *with.Get(m.Name)
				if m.Name == "children" {
					expanded := Value{Name: m.Name, Kind: Array}
					for i := range m.Kids {
						expanded.Kids = append(expanded.Kids, e.expand(&m.Kids[i]))
					}
					m = expanded
				}
			}
			out.Kids = append(out.Kids, m)
		}
		for _, m := range with.Members() {
			if m.Name != goneMember && m.Name != refMember && m.Name != overridesMember && out.Get(m.Name) == nil {
				out.Kids = append(out.Kids, m)
			}
		}
		return out, !with.Get(removedMember).IsTrue()
	}
	own := *v
	if list := overrides[to].Get("children"); list != nil { // layers were added
		own.Kids = append(append([]Value(nil), v.Kids...), *list)
	}
	out, _ := apply(&first, &own, true)
	return out
}

// sameNode compares two nodes; members may be in any order.
func sameNode(t *testing.T, got, want *Value) {
	t.Helper()
	for i := range want.Kids {
		m := &want.Kids[i]
		other := got.Get(m.Name)
		switch {
		case m.Name == overridesMember:
		case m.Name == "children":
			if len(other.Items()) != len(m.Kids) {
				t.Errorf("%s has %d layers instead of %d", want.Get("id").Str(), len(other.Items()), len(m.Kids))
				return
			}
			for i := range m.Kids {
				sameNode(t, &other.Kids[i], &m.Kids[i])
			}
		case m.Name == boxMember:
			for _, side := range m.Members() {
				a, _ := side.Float()
				b, ok := other.Get(side.Name).Float()
				if !ok || (side.Name == "width" || side.Name == "height") && math.Abs(a-b) > closeEnough {
					t.Errorf("%s: %s is %v instead of %v", want.Get("id").Str(), side.Name, b, a)
				}
			}
		case !equal(other, m):
			t.Errorf("%s: %s is %s instead of %s", want.Get("id").Str(), m.Name, other.JSON(), m.JSON())
		}
	}
	for i := range got.Kids {
		if m := &got.Kids[i]; want.Get(m.Name) == nil && m.Name != overridesMember {
			t.Errorf("%s has %s, which it did not have", want.Get("id").Str(), m.Name)
		}
	}
}

// The instances of a file can be put back from the references.
func TestInstancesExpand(t *testing.T) {
	for name, text := range map[string]string{"shop": string(figmafile.Shop()), "poster": string(figmafile.Poster())} {
		t.Run(name, func(t *testing.T) {
			want, err := ParseText(text)
			if err != nil {
				t.Fatal(err)
			}
			c := cleaner{counts: &Counts{}}
			c.root(want.Get("document"))
			compressLayout(want.Get("document"), c.counts)
			got, counts := optimised(t, text, Options{})
			v, err := ParseJSON(got)
			if err != nil {
				t.Fatal(err)
			}
			if name == "shop" && counts.InstancesCollapsed != 188 {
				t.Errorf("%d instances were collapsed, want 200 of 12 components less the first ones", counts.InstancesCollapsed)
			}
			e := expander{nodes: map[string]*Value{}}
			e.find(v.Get("document"))
			expanded := e.expand(v.Get("document"))
			sameNode(t, &expanded, want.Get("document"))
		})
	}
}

// The figure of the specification: spec's modules alone, JSON kept.
func TestFileOfInstancesShrinks(t *testing.T) {
	text := string(figmafile.Instances(100))
	got, counts := optimised(t, text, Options{})
	// Against the same JSON without white space, so that only the modules count.
	minified := len(text) - counts.WhitespaceBytes
	if saved := 100 - 100*len(got)/minified; saved < 70 {
		t.Errorf("%d of %d bytes are left, %d %% saved", len(got), minified, saved)
	}
}
