package figmatree

// Module 3: repeated instances of a component become a reference to the first
// one and what is different in them.

import (
	"math"
	"strings"
)

// collapser finds the first instance of each component and writes the others as
// references. It makes new values and leaves the old ones alone, since later
// instances are still compared with them.
type collapser struct {
	first  map[string]*Value // by component id: the instance as it was
	counts *Counts
}

// Members of a reference besides Figma's own.
const (
	refMember       = "_ref"      // the id of the first instance
	overridesMember = "overrides" // the differences from it
	goneMember      = "_gone"     // members that the first instance has and this one lacks
	removedMember   = "_removed"  // true: this layer is not in the instance
	boxMember       = "absoluteBoundingBox"
	placeMember     = "_box" // the same with the place in the parent, for the dense form
	childrenMember  = "children"
)

// collapse returns v with all instances that can be told by another one
// replaced.
func (c *collapser) collapse(v *Value) Value {
	if id := v.Get("componentId").Str(); id != "" && v.Get("type").Str() == "INSTANCE" {
		if first := c.first[id]; first == nil {
			c.first[id] = v
		} else if ref, ok := c.reference(first, v); ok {
			c.counts.InstancesCollapsed++
			return ref
		}
	}
	return c.inside(v)
}

// inside collapses what is below v.
func (c *collapser) inside(v *Value) Value {
	out := *v
	children := v.Get(childrenMember)
	if children == nil || len(children.Items()) == 0 {
		return out
	}
	out.Kids = append([]Value(nil), v.Kids...)
	list := out.Get(childrenMember)
	kids := make([]Value, len(list.Kids))
	for i := range list.Kids {
		kids[i] = c.collapse(&list.Kids[i])
	}
	list.Kids = kids
	return out
}

// reference writes an instance as its differences from the first; false when
// that is not shorter.
func (c *collapser) reference(first, v *Value) (Value, bool) {
	d := instanceDiff{collapser: c, first: first, this: v}
	ref := Value{Name: v.Name, Kind: Object}
	for _, name := range []string{"id", "name", "type"} {
		if m := v.Get(name); m != nil {
			ref.Kids = append(ref.Kids, *m)
		}
	}
	ref.Kids = append(ref.Kids, StringValue(refMember, first.Get("id").Str()))
	// The instance's own place and size are always its own.
	own := d.changes(first, v, func(m *Value) bool {
		return m.Name == "id" || m.Name == "name" || m.Name == "type" || m.Name == overridesMember || isBox(m)
	})
	if box := boxOf(v); box != nil {
		own = append(own, *box)
	}
	ref.Kids = append(ref.Kids, own...)
	d.children(first, v)
	ref.Kids = append(ref.Kids, Value{Name: overridesMember, Kind: Array, Kids: d.overrides})
	return ref, jsonLen(&ref) < jsonLen(v)
}

// instanceDiff gathers the differences of one instance.
type instanceDiff struct {
	collapser   *collapser
	first, this *Value
	overrides   []Value
}

// relative is a layer's id inside its instance: what follows I<instance>; the
// whole id for one that does not follow this form.
func relative(id, instance string) string {
	if rest, ok := strings.CutPrefix(id, "I"+strings.TrimPrefix(instance, "I")+";"); ok {
		return rest
	}
	return id
}

// children compares the layers below a pair of layers. Layers are matched by
// their place in the component. Where layers were added or moved, the list as a
// whole is the override.
func (d *instanceDiff) children(first, this *Value) {
	before, after := first.Get(childrenMember).Items(), this.Get(childrenMember).Items()
	firstID, thisID := d.first.Get("id").Str(), d.this.Get("id").Str()
	var pairs [][2]*Value
	var removed []string
	plain, at := false, 0
	for i := range before {
		id := relative(before[i].Get("id").Str(), firstID)
		if at < len(after) && sameLayer(&before[i], &after[at], id, relative(after[at].Get("id").Str(), thisID)) {
			pairs = append(pairs, [2]*Value{&before[i], &after[at]})
			at++
		} else {
			removed = append(removed, id)
			plain = plain || id == before[i].Get("id").Str()
		}
	}
	if at < len(after) || plain { // something was added or moved, or has no id of its own
		whole := d.collapser.inside(this)
		d.override(this, *whole.Get(childrenMember))
		return
	}
	for _, id := range removed {
		d.overrides = append(d.overrides, Value{Kind: Object, Kids: []Value{
			StringValue("id", "I"+strings.TrimPrefix(thisID, "I")+";"+id), {Name: removedMember, Kind: Bool, Text: "true"},
		}})
	}
	moved := false
	for _, pair := range pairs {
		moved = d.layer(pair[0], pair[1], autoLayout(this)) || moved
	}
	if box := this.Get(boxMember); moved && this != d.this && box != nil {
		d.override(this, *box) // the origin of the positions that are said
	}
}

// override adds a member to what is said of a layer.
func (d *instanceDiff) override(this *Value, m Value) {
	id := this.Get("id")
	for i := range d.overrides {
		if o := &d.overrides[i]; o.Get("id").Str() == id.Str() {
			o.set(m)
			return
		}
	}
	d.overrides = append(d.overrides, Value{Kind: Object, Kids: []Value{*id, m}})
}

func isBox(m *Value) bool { return m.Name == boxMember || m.Name == placeMember }

// boxOf returns a layer's box in whichever form it is.
func boxOf(v *Value) *Value {
	if box := v.Get(placeMember); box != nil {
		return box
	}
	return v.Get(boxMember)
}

// sameLayer reports whether two layers come from the same one of the component.
func sameLayer(a, b *Value, idA, idB string) bool {
	if a.Get("type").Str() != b.Get("type").Str() {
		return false
	}
	if idA == idB {
		return true
	}
	// Ids without the instance in front say nothing; order and name have to do.
	return !strings.HasPrefix(a.Get("id").Str(), "I") && !strings.HasPrefix(b.Get("id").Str(), "I") && a.Get("name").Str() == b.Get("name").Str()
}

// layer compares one layer of the instance, and those below it. inAuto says that
// its place follows from its parent's auto layout. moved: its position on the
// canvas is said.
func (d *instanceDiff) layer(first, this *Value, inAuto bool) (moved bool) {
	changes := d.changes(first, this, func(m *Value) bool {
		return m.Name == "id" || m.Name == overridesMember || isBox(m) || inAuto && m.Name == "relativeTransform" && onlyMoves(m)
	})
	if box := d.box(first, this, inAuto && placed(this)); box != nil {
		changes = append(changes, *box)
		moved = box.Name == boxMember && box.Get("x") != nil
	}
	if len(changes) > 0 {
		d.overrides = append(d.overrides, Value{Kind: Object, Kids: append([]Value{*this.Get("id")}, changes...)})
	}
	d.children(first, this)
	return moved
}

// changes returns the members of this that are not as in first, children and
// those that ignore reports apart, and the names of those that are missing.
func (d *instanceDiff) changes(first, this *Value, ignore func(*Value) bool) []Value {
	var out []Value
	for i := range this.Kids {
		m := &this.Kids[i]
		if m.Name == childrenMember || ignore(m) || d.same(first, m) {
			continue
		}
		out = append(out, *m)
	}
	var gone []Value
	for i := range first.Kids {
		m := &first.Kids[i]
		if m.Name != childrenMember && !ignore(m) && this.Get(m.Name) == nil {
			gone = append(gone, StringValue("", m.Name))
		}
	}
	if len(gone) > 0 {
		out = append(out, Value{Name: goneMember, Kind: Array, Kids: gone})
	}
	return out
}

// same reports whether first has m alike; a reference to the layer's own outline
// is alike if both have one.
func (d *instanceDiff) same(first, m *Value) bool {
	other := first.Get(m.Name)
	if m.Name == "_svgRef" {
		return other != nil
	}
	return equal(other, m)
}

// closeEnough is how far two lengths may be apart and still be the same: float32
// coordinates on a large canvas are that coarse.
const closeEnough = 0.02

// box returns the layer's bounds if they are not, relative to the instance or to
// the parent, what they are in the first one.
func (d *instanceDiff) box(first, this *Value, inAuto bool) *Value {
	a, b := boxOf(first), boxOf(this)
	if b == nil || b.Kind != Object {
		return b
	}
	differs := a == nil
	onCanvas := b.Name == boxMember
	inAuto = inAuto && !(onCanvas && anchors(this))
	for i, name := range []string{"width", "height", "x", "y"} {
		if i >= 2 && inAuto {
			break
		}
		offset := func(layer, instance *Value) float64 {
			f, _ := layer.Get(name).Float()
			if i >= 2 && onCanvas {
				o, _ := instance.Path(boxMember, name).Float()
				f -= o
			}
			return f
		}
		differs = differs || math.Abs(offset(a, d.first)-offset(b, d.this)) > closeEnough
	}
	if !differs {
		return nil
	}
	box := *b
	if inAuto {
		box.Kids = append([]Value(nil), box.Kids...)
		box.remove(isPosition)
	}
	return &box
}
