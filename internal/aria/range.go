package aria

// This file writes neighbours with consecutive handles as one range:
// "a | b | c [5-7]" is "a [5] b [6] c [7]".

import "strconv"

// minRange is the least number of elements for which a range is shorter.
const minRange = 3

// rangeFrom returns how many items from c on can be written as a range: plain
// elements that only a listener of their own could make a control.
func (d *dense) rangeFrom(c int32) int {
	n := 0
	for number := d.items[c].number; c != 0; c = d.items[c].next {
		if it := &d.items[c]; it.number != number || !d.plain(it) {
			break
		}
		n, number = n+1, number+1
	}
	return n
}

// plain reports whether an item is nothing but a text with a handle.
func (d *dense) plain(it *item) bool {
	if it.number == 0 || it.handle == "" || d.opt.Refs || it.kind != elem {
		return false
	}
	nd := &d.tree.Nodes[it.node]
	return it.role == "" && it.label != "" && it.value == "" && it.attrs == "" && it.first == 0 &&
		len(nd.Props) == 0 && !nd.actionable()
}

// writeRange writes n items from c on and returns the one behind them.
func (d *dense) writeRange(c int32, n int) (next int32) {
	first := int(d.items[c].number)
	for range n {
		d.separate()
		d.out = appendText(d.out, d.items[c].label)
		d.end = afterLabel
		c = d.items[c].next
	}
	d.out = append(d.out, " ["...)
	d.out = strconv.AppendInt(d.out, int64(first), 10)
	d.out = append(d.out, '-')
	d.out = strconv.AppendInt(d.out, int64(first+n-1), 10)
	d.out = append(d.out, ']')
	d.end, d.role, d.flow = afterHandle, "", false
	return c
}
