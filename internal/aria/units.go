package aria

// This file takes a view apart into the units that a delta is about: each
// element and each text that a reader sees, inside the one it belongs to.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unit is one element or text. Links are indices into unitTree.units; 0, the
// page, means none.
type unit struct {
	item int32
	// end is behind the last unit inside this one.
	end int32
	// id is equal for units that are the same: of one handle, or, without
	// one, of one rendering.
	id int32
	// pair is the same unit in the other view, 0 if there is none.
	pair int32
	// head is how the unit is written without its parts.
	head string
	// handle is what stands in its brackets, empty without one.
	handle string

	parent, first, last, next int32
}

// unitTree is a view as units, in the order they are read.
type unitTree struct {
	*view
	opt   *Options
	units []unit
	// lo and hi are the first and behind the last unit of each item.
	lo, hi []int32
	// handled finds units by their handle.
	handled map[string]int32
	// heads has the units without a handle by what a delta calls them.
	heads map[string][]int32
}

// unitIDs numbers what is the same in several views.
type unitIDs struct {
	last      int32
	byHandle  map[string]int32
	byWriting map[string]int32
}

// newUnitIDs returns numbers for a view and others like it.
func newUnitIDs(v *view) *unitIDs {
	return &unitIDs{byHandle: make(map[string]int32, v.handles), byWriting: make(map[string]int32, 64)}
}

// of returns the number of a unit.
func (ids *unitIDs) of(u *unit) int32 {
	known, key := ids.byWriting, u.head
	if u.handle != "" {
		known, key = ids.byHandle, u.handle
	}
	id, ok := known[key]
	if !ok {
		ids.last++
		id = ids.last
		known[key] = id
	}
	return id
}

// newUnitTree takes a view apart. ids numbers what is the same in both views.
func newUnitTree(v *view, o *Options, ids *unitIDs) *unitTree {
	t := &unitTree{
		view: v, opt: o, units: make([]unit, 1, len(v.items)),
		lo: make([]int32, len(v.items)), hi: make([]int32, len(v.items)),
		handled: make(map[string]int32, v.handles),
	}
	d := &dense{view: v, opt: o}
	ends := make([]int, 1, len(v.items))
	ends = t.add(d, 0, 0, ends)
	t.units[0].end = int32(len(t.units))
	// All heads are parts of one string.
	heads := string(d.out)
	for n := 1; n < len(t.units); n++ {
		u := &t.units[n]
		u.head = heads[ends[n-1]:ends[n]]
		if it := &v.items[u.item]; it.handle != "" {
			// A head with a handle ends with it.
			handle := u.head[strings.LastIndexByte(u.head, '[')+1 : len(u.head)-1]
			// Upstream gives no ref twice; if it did, the handle would say nothing.
			if _, twice := t.handled[handle]; !twice {
				t.handled[handle] = int32(n)
				u.handle = handle
			}
		}
		u.id = ids.of(u)
	}
	return t
}

// add makes units of what is inside item i, as parts of unit parent, and writes
// their heads. ends has where each unit's head ends.
func (t *unitTree) add(d *dense, i, parent int32, ends []int) []int {
	for c := t.items[i].first; c != 0; c = t.items[c].next {
		it := &t.items[c]
		t.lo[c] = int32(len(t.units))
		inner := parent
		if it.kind != group && !t.headless(it) {
			inner = t.unit(c, parent)
			d.alone(c)
			ends = append(ends, len(d.out))
		}
		ends = t.add(d, c, inner, ends)
		t.hi[c] = int32(len(t.units))
		if inner != parent {
			t.units[inner].end = t.hi[c]
		}
	}
	return ends
}

// unit adds the unit of item c.
func (t *unitTree) unit(c, parent int32) int32 {
	n := int32(len(t.units))
	t.units = append(t.units, unit{item: c, parent: parent})
	p := &t.units[parent]
	if p.first == 0 {
		p.first = n
	} else {
		t.units[p.last].next = n
	}
	p.last = n
	return n
}

// alone writes an item as if it had no parts and stood on a line of its own.
func (d *dense) alone(c int32) {
	it := d.items[c]
	it.below = true // nothing will follow behind a colon
	switch it.kind {
	case text:
		d.out = appendText(d.out, it.label)
	case stub:
		d.stub(&it)
	case rawItem:
		d.element(&it)
	default:
		d.head(&it, false)
	}
}

// parts returns the units directly inside unit u.
func (t *unitTree) parts(u int32) []int32 {
	var parts []int32
	for c := t.units[u].first; c != 0; c = t.units[c].next {
		parts = append(parts, c)
	}
	return parts
}

// callText is the length up to which a unit without a handle is called by its
// whole rendering, in bytes.
const callText = 40

// call writes what a delta calls unit u: its handle, or its rendering as a JSON
// string, with a number in front if others before it are called the same.
func (t *unitTree) call(out []byte, u int32) []byte {
	if h := t.units[u].handle; h != "" {
		return append(append(append(out, '['), h...), ']')
	}
	if t.heads == nil {
		t.heads = map[string][]int32{}
		for i := 1; i < len(t.units); i++ {
			if t.units[i].handle == "" {
				s := shortHead(t.units[i].head)
				t.heads[s] = append(t.heads[s], int32(i))
			}
		}
	}
	s := shortHead(t.units[u].head)
	if i := searchInt32(t.heads[s], u); i > 0 {
		out = append(strconv.AppendInt(append(out, '#'), int64(i+1), 10), ' ')
	}
	return appendJSON(out, s)
}

// shortHead cuts a rendering to what a delta calls the unit by.
func shortHead(head string) string {
	if len(head) <= callText {
		return head
	}
	cut := callText - len(ellipsis)
	for !utf8.RuneStart(head[cut]) {
		cut--
	}
	return head[:cut] + ellipsis
}

// searchInt32 returns the index of x in the ascending list s, which has it.
func searchInt32(s []int32, x int32) int {
	lo, hi := 0, len(s)
	for lo < hi {
		if mid := (lo + hi) / 2; s[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
