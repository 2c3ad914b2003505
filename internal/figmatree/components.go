package figmatree

// The lists of components and component sets in the dense form.

import (
	"slices"
	"strings"
)

// listedComponent is an entry that the tree does not show as a layer.
type listedComponent struct {
	Component
	set   bool
	extra Value // what else is said of it
}

// listComponents finds the entries of an answer's lists that the tree does not
// show. The keys of published components, by which plugins find them in a
// library, are left out and counted.
func (d *dense) listComponents(v *Value, counts *Counts) {
	shown := d.shownComponents()
	var sets, rest []listedComponent
	variants := map[string][]listedComponent{}
	for _, at := range listHolders(v) {
		for _, list := range [2]string{"componentSets", "components"} {
			members := at.Get(list).Members()
			for i := range members {
				c := readComponent(&members[i], counts)
				c.set = list == "componentSets"
				if was, ok := shown[c.ID]; ok && was == c.Component && len(c.extra.Kids) == 0 {
					continue
				}
				switch {
				case c.set:
					sets = append(sets, c)
				case c.SetID != "":
					variants[c.SetID] = append(variants[c.SetID], c)
				default:
					rest = append(rest, c)
				}
			}
		}
	}
	for _, set := range sets {
		d.lists = append(d.lists, set)
		d.lists = append(d.lists, variants[set.ID]...)
		delete(variants, set.ID)
	}
	// A set that the answer does not list still groups its variants.
	var ids []string
	for id := range variants {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		d.lists = append(d.lists, listedComponent{Component: Component{ID: id}, set: true})
		d.lists = append(d.lists, variants[id]...)
	}
	d.lists = append(d.lists, rest...)
}

func readComponent(m *Value, counts *Counts) listedComponent {
	c := listedComponent{Component: Component{ID: m.Name, Name: m.Get("name").Str(), SetID: m.Get("componentSetId").Str()}}
	c.extra.Kind = Object
	for _, member := range m.Members() {
		switch {
		case member.Name == "key":
			counts.MetaKeysDeleted++
		case member.Name == "id" || member.Name == "name" || member.Name == "componentSetId":
		case saysNothing(&member):
		default:
			c.extra.Kids = append(c.extra.Kids, member)
		}
	}
	return c
}

// shownComponents are those that the tree has as layers, with what it says of
// them.
func (d *dense) shownComponents() map[string]Component {
	shown := map[string]Component{}
	var walk func(l, parent *layer)
	walk = func(l, parent *layer) {
		switch {
		case l.kind == "COMPONENT_SET":
			shown[l.id] = Component{ID: l.id, Name: l.name}
		case l.kind == "COMPONENT" && parent != nil && parent.kind == "COMPONENT_SET":
			shown[l.id] = Component{ID: l.id, Name: l.name, SetID: parent.id}
		case l.kind == "COMPONENT":
			shown[l.id] = Component{ID: l.id, Name: l.name}
		}
		for _, kid := range l.kids {
			walk(kid, l)
		}
	}
	for _, root := range d.roots {
		walk(root, nil)
	}
	return shown
}

// listHolders are the places where an answer may have its lists of components.
func listHolders(v *Value) []*Value {
	out := []*Value{v, v.Get("metadata")}
	if nodes := v.Get("nodes"); nodes != nil && nodes.Kind == Object {
		for i := range nodes.Kids {
			out = append(out, &nodes.Kids[i])
		}
	}
	return slices.DeleteFunc(out, func(v *Value) bool { return v == nil })
}

// components writes the list: a component on each line, the variants of a set
// below it.
func (w *writer) components(list []listedComponent) {
	if len(list) == 0 {
		return
	}
	w.dst = append(w.dst, "components\n"...)
	for i := range list {
		c := &list[i]
		switch {
		case c.set:
			w.dst = append(w.dst, "set "...)
		case c.SetID != "":
			w.dst = append(w.dst, ' ')
		}
		w.dst = append(w.dst, '#')
		w.id(c.ID, "", false)
		if len(c.extra.Kids) > 0 {
			w.dst = appendRelaxed(append(w.dst, ' '), &c.extra, true)
		}
		if c.Name != "" {
			w.dst = append(w.dst, ' ')
			if strings.HasPrefix(c.Name, "{") {
				w.dst = appendQuoted(w.dst, c.Name)
			} else {
				w.dst = append(w.dst, relaxedLine(c.Name)...)
			}
		}
		w.dst = append(w.dst, '\n')
	}
}
