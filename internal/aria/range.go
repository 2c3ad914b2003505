package aria

// This file writes neighbours with consecutive handles as one range:
// "a | b | c [5-7]" is "a [5] b [6] c [7]".

import "strconv"

// minRange is the least number of elements for which a range is shorter.
const minRange = 3

// ranged returns how many of the parts, from the first on, can be written as a
// range: plain elements that only a listener of their own could make a control.
func (d *dense) ranged(parts []step) int {
	first := &d.items[parts[0].item]
	number := first.number
	for n, p := range parts {
		if it := &d.items[p.item]; p.mark || it.number != number || it.role != first.role || !d.plain(it) {
			return n
		}
		number++
	}
	return len(parts)
}

// plain reports whether an item is nothing but a text with a handle, and a role
// maybe that nothing can be done with, such as a column's header.
func (d *dense) plain(it *item) bool {
	if it.number == 0 || it.handle == "" || d.opt.Refs || it.kind != elem {
		return false
	}
	nd := &d.tree.Nodes[it.node]
	return it.level == 0 && it.label != "" && it.value == "" && it.attrs == "" && it.first == 0 &&
		len(nd.Props) == 0 && !nd.actionable()
}

// writeRange writes parts with one range for all of them.
func (d *dense) writeRange(parts []step) {
	for i, p := range parts {
		it := d.items[p.item]
		it.handle = ""
		run := i > 0 && it.role != ""
		if run {
			d.out = append(d.out, "; "...)
		} else {
			d.separate()
		}
		d.head(&it, run)
	}
	first := int64(d.items[parts[0].item].number)
	d.out = append(d.out, " ["...)
	d.out = strconv.AppendInt(d.out, first, 10)
	d.out = append(d.out, '-')
	d.out = strconv.AppendInt(d.out, first+int64(len(parts))-1, 10)
	d.out = append(d.out, ']')
	d.end, d.role, d.flow = afterHandle, "", false
}
