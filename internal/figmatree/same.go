package figmatree

// Module 8a: sibling subtrees that repeat an earlier one.

import (
	"hash/maphash"
	"strconv"
	"strings"
)

// Members of a stub that stands for a repeated subtree.
const (
	sameAsMember   = "_sameAs"   // the id of the earlier sibling
	textDiffMember = "_textDiff" // what is different, by the id of the layer in this copy
	idsMember      = "_ids"      // the ids below, parents first; missing where they follow from the earlier one's
)

// resolver finds what a node says, its template's members included.
type resolver struct{ elements map[string]*Value }

// members calls f with the members of a node but id, template and children; the
// node's own go before its template's.
func (r resolver) members(n *Value, f func(m *Value)) {
	var template *Value
	for i := range n.Kids {
		switch m := &n.Kids[i]; m.Name {
		case "id", childrenMember:
		case "template":
			if template = r.elements[m.Str()]; template == nil {
				f(m)
			}
		default:
			f(m)
		}
	}
	for i := range template.Members() {
		if m := &template.Kids[i]; n.Get(m.Name) == nil {
			f(m)
		}
	}
}

func (r resolver) member(n *Value, name string) *Value {
	if m := n.Get(name); m != nil {
		return m
	}
	return r.elements[n.Get("template").Str()].Get(name)
}

// shape is a subtree's hash over what copies may not differ in. Members are
// added up, so that their order does not count.
func (r resolver) shape(seed maphash.Seed, n *Value, shapes map[*Value]uint64) uint64 {
	var sum uint64
	r.members(n, func(m *Value) {
		if !varies(m) {
			sum += maphash.String(seed, m.Name+"="+m.JSON())
		}
	})
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteString(strconv.FormatUint(sum, 16))
	children := n.Get(childrenMember).Items()
	for i := range children {
		h.WriteString("," + strconv.FormatUint(r.shape(seed, &children[i], shapes), 16))
	}
	shapes[n] = h.Sum64()
	return shapes[n]
}

// varies reports whether copies may differ in a member: text, name, position.
func varies(m *Value) bool {
	return m.Name == "text" || m.Name == "name" || m.Name == "layout"
}

// sameLayout reports whether two layouts differ in nothing but the position.
func (r resolver) sameLayout(a, b *Value, styles map[string]*Value) bool {
	a, b = styleOf(a, styles), styleOf(b, styles)
	if a == nil || b == nil {
		return a == b
	}
	strip := func(v *Value) Value {
		out := Value{Kind: v.Kind, Text: v.Text, Kids: append([]Value(nil), v.Kids...)}
		out.remove(func(m *Value) bool { return m.Name == "locationRelativeToParent" })
		return out
	}
	x, y := strip(a), strip(b)
	return equal(&x, &y)
}

func styleOf(v *Value, styles map[string]*Value) *Value {
	if v != nil && v.Kind == String && styles[v.Text] != nil {
		return styles[v.Text]
	}
	return v
}

// repeats replaces the repeated siblings of Framelink's nodes.
type repeats struct {
	resolver
	styles map[string]*Value
	shapes map[*Value]uint64
	counts *Counts
}

// foldRepeats runs module 8a on an answer, in place.
func foldRepeats(v *Value, counts *Counts) {
	r := repeats{
		resolver: resolver{elements: index(v.Get("elements"))},
		styles:   index(v.Path("globalVars", "styles")), shapes: map[*Value]uint64{}, counts: counts,
	}
	seed := maphash.MakeSeed()
	nodes := v.Get("nodes")
	for i := range nodes.Items() {
		r.shape(seed, &nodes.Kids[i], r.shapes)
	}
	r.siblings(nodes.Items())
}

func (r repeats) siblings(list []Value) {
	first := map[uint64]int{}
	stubs := make([]Value, len(list))
	for i := range list {
		shape := r.shapes[&list[i]]
		at, seen := first[shape]
		if !seen {
			first[shape] = i
			continue
		}
		stub, different, ok := r.stub(&list[at], &list[i])
		if !ok {
			continue
		}
		if stubs[i] = stub; different {
			r.counts.TextDiffs++
		} else {
			r.counts.SameAs++
		}
	}
	for i := range list {
		if stubs[i].Kind == Object {
			list[i] = stubs[i]
			continue
		}
		r.siblings(list[i].Get(childrenMember).Items())
	}
}

// stub writes copy as a stub for first; false when they are no copies after all
// or nothing is saved.
func (r repeats) stub(first, copied *Value) (stub Value, different, ok bool) {
	stub = Value{Kind: Object, Kids: []Value{{Name: "id", Kind: String, Text: copied.Get("id").Str()}}}
	if name := r.member(copied, "name"); name != nil {
		stub.Kids = append(stub.Kids, StringValue("name", name.Str()))
	}
	stub.Kids = append(stub.Kids, StringValue(sameAsMember, first.Get("id").Str()))
	var ids []Value
	derived := true
	diff := Value{Name: textDiffMember, Kind: Object}
	from, to := first.Get("id").Str(), copied.Get("id").Str()
	var compare func(a, b *Value, top bool) bool
	compare = func(a, b *Value, top bool) bool {
		id := b.Get("id").Str()
		if !top {
			ids = append(ids, StringValue("", id))
			derived = derived && shiftID(a.Get("id").Str(), from, to) == id
		}
		changes, same := r.changes(a, b, top)
		if !same {
			return false
		}
		if len(changes) > 0 {
			diff.Kids = append(diff.Kids, Value{Name: id, Kind: Object, Kids: changes})
		}
		x, y := a.Get(childrenMember).Items(), b.Get(childrenMember).Items()
		if len(x) != len(y) || (a.Get(childrenMember) == nil) != (b.Get(childrenMember) == nil) {
			return false
		}
		for i := range x {
			if !compare(&x[i], &y[i], false) {
				return false
			}
		}
		return true
	}
	if !compare(first, copied, true) {
		return stub, false, false
	}
	if len(diff.Kids) > 0 {
		stub.Kids = append(stub.Kids, diff)
	}
	if !derived {
		stub.Kids = append(stub.Kids, Value{Name: idsMember, Kind: Array, Kids: ids})
	}
	return stub, len(diff.Kids) > 0, jsonLen(&stub) < jsonLen(copied)
}

// changes returns the members of b that are not as in a; false when there is one
// that copies may not differ in, or that is missing in one of them.
func (r repeats) changes(a, b *Value, top bool) (changed []Value, same bool) {
	same = true
	n := 0
	r.members(b, func(m *Value) {
		n++
		other := r.member(a, m.Name)
		switch {
		case other == nil || !varies(m) && !equal(other, m):
			same = false
		case equal(other, m) || top && m.Name == "name": // the stub has its name
		case m.Name == "layout" && !r.sameLayout(other, m, r.styles):
			same = false
		default:
			changed = append(changed, *m)
		}
	})
	r.members(a, func(*Value) { n-- })
	return changed, same && n == 0
}

// shiftID returns the id that a layer below from has in a copy called to: ids
// that Figma gave out one after the other when it copied differ by the same
// number, and those inside an instance begin with the instance's.
func shiftID(id, from, to string) string {
	prefix := ""
	if rest, ok := strings.CutPrefix(id, "I"); ok {
		prefix, id = "I", rest
	}
	from, to = strings.TrimPrefix(from, "I"), strings.TrimPrefix(to, "I")
	if rest, ok := strings.CutPrefix(id, from); ok && (rest == "" || rest[0] == ';') {
		return prefix + to + rest
	}
	head, tail, nested := strings.Cut(id, ";")
	page, number, ok := numbered(head)
	fromPage, fromNumber, okFrom := numbered(from)
	toPage, toNumber, okTo := numbered(to)
	if !ok || !okFrom || !okTo || page != fromPage {
		return ""
	}
	if id = prefix + toPage + ":" + strconv.Itoa(number-fromNumber+toNumber); nested {
		id += ";" + tail
	}
	return id
}

// numbered splits an id of the form page:number.
func numbered(id string) (page string, number int, ok bool) {
	page, tail, ok := strings.Cut(id, ":")
	number, err := strconv.Atoi(tail)
	return page, number, ok && err == nil && strconv.Itoa(number) == tail
}
