package aria

// This file writes the dense form, docs/snapshot-format.md.

import "strings"

// ending is what the line written so far ends with; it decides how the next
// part is set off.
type ending uint8

const (
	atStart ending = iota
	// afterHandle: a handle, which ends a part by itself.
	afterHandle
	// afterText: text without a handle.
	afterText
	// afterLabel: an element without a handle.
	afterLabel
)

type dense struct {
	*view
	opt *Options
	out []byte
	// state of the current line
	end  ending
	role string // the role of the last element, for runs
	flow bool   // text was written on this line
	cell bool   // the last cell had several parts
	used int    // where the line started in out
	// steps has the parts of the lists that are being written.
	steps []step
	// section: lines at depth 0 belong to a section.
	section bool
}

// renderDense writes the view and returns the number of lines.
func renderDense(out []byte, v *view, o *Options) ([]byte, int) {
	d := &dense{view: v, opt: o, out: out}
	start := len(out)
	d.block(v.items[0].first, v.items[0].flow, top)
	if n := len(d.out); n > start && d.out[n-1] == '\n' {
		d.out = d.out[:n-1]
	}
	if len(d.out) == start {
		return d.out, 0
	}
	lines := 1
	for _, c := range d.out[start:] {
		if c == '\n' {
			lines++
		}
	}
	return d.out, lines
}

func (d *dense) startLine(depth int) {
	for range depth {
		d.out = append(d.out, ' ')
	}
	d.end, d.role, d.flow, d.cell, d.used = atStart, "", false, false, len(d.out)
}

func (d *dense) endLine() {
	if d.used >= 0 {
		d.out = append(d.out, '\n')
		d.used = -1
	}
}

// top is the depth of what is outside every section. It is written without
// indentation, as what is inside one.
const top = -1

// sectionEnd is the line that ends a section where none follows.
const sectionEnd = "---"

// block writes a list of items on lines of their own; what belongs together
// shares a line.
func (d *dense) block(first int32, flow bool, depth int) {
	open := false // the current line may take more parts
	for c := first; c != 0; c = d.items[c].next {
		it := &d.items[c]
		if open && !d.joins(it, flow) {
			d.endLine()
			open = false
		}
		if depth == top && (it.kind != group || !it.hard) && d.startSection(it) {
			continue
		}
		switch {
		case it.kind == group && it.hard:
			d.block(it.first, it.flow, depth)
		case it.kind == group:
			if !open {
				d.startLine(depth)
			}
			d.inline(it.first)
			if open = flow && !it.ends; !open {
				d.endLine()
			}
		case it.hard:
			d.startLine(depth)
			d.element(it)
			d.parts(it, depth, false)
		default:
			if !open {
				d.startLine(depth)
			}
			d.part(it)
			if open = !it.ends; !open {
				d.endLine()
			}
		}
	}
	if open {
		d.endLine()
	}
}

// startSection writes a landmark at the top as a section, whose lines need no
// indentation, and reports whether it did. If it did not, what follows is
// set off from the section before.
func (d *dense) startSection(it *item) bool {
	if it.kind != elem || it.first == 0 || roles[it.role]&landmark == 0 {
		if d.section {
			d.out = append(append(d.out, sectionEnd...), '\n')
			d.section = false
		}
		return false
	}
	d.startLine(0)
	d.head(it, false)
	d.out = append(d.out, ':')
	d.endLine()
	d.section = true
	if it.oneLine {
		d.startLine(0)
		d.inline(it.first)
		d.endLine()
	} else {
		d.block(it.first, it.flow, 0)
	}
	return true
}

// joins reports whether it may follow on the current line.
func (d *dense) joins(it *item, flow bool) bool {
	switch {
	case it.hard || it.kind == text && d.end == afterText && !d.phrase(it):
		return false
	case flow && (it.kind == text || d.end == afterText || d.flow && it.role == "link"):
		return it.first == 0 || it.kind == group
	}
	return it.kind == elem && it.first == 0 && it.role != "" && it.role == d.role &&
		len(d.out)-d.used+int(it.width) <= runWidth
}

// phrase reports whether a text is part of a sentence and not one of its own,
// as the text of a paragraph is.
func (d *dense) phrase(it *item) bool {
	n := &d.tree.Nodes[it.node]
	return n.Kind == Text || roles[n.Role]&phrase != 0
}

// parts writes what belongs to a hard item behind or below its head, which starts
// its line unless it is chained to another.
func (d *dense) parts(it *item, depth int, chained bool) {
	switch {
	case it.first == 0:
		d.endLine()
	case it.oneLine && it.below:
		d.endLine()
		d.startLine(max(depth, 0) + 1)
		d.inline(it.first)
		d.endLine()
	case it.oneLine:
		d.colon(it)
		d.inline(it.first)
		d.endLine()
	case it.first == it.last && !it.below && d.chains(it):
		d.colon(it)
		child := &d.items[it.first]
		d.element(child)
		d.parts(child, depth, true)
	case depth <= 0 && !chained && d.flat(it):
		d.out = append(d.out, ':')
		d.endLine()
		d.block(it.first, it.flow, 0)
		d.out = append(append(d.out, sectionEnd...), '\n')
	default:
		depth = max(depth, 0)
		d.endLine()
		d.block(it.first, it.flow, depth+1)
	}
}

// chains reports whether the only part of the item, which has lines of its
// own, may start on the line of the item's head.
func (d *dense) chains(it *item) bool {
	child := &d.items[it.first]
	return it.kind == elem && it.role != "" && it.level == 0 && it.role != "row" &&
		child.kind == elem && child.hard && child.role != "" && child.role != "row"
}

// colon leads over from the head of an element to its parts on the same line.
func (d *dense) colon(it *item) {
	switch {
	case it.level > 0:
		if d.end == afterLabel && it.label == "" {
			d.out = append(d.out, ' ')
			d.end = atStart
		}
		d.role, d.flow = "", d.end == afterText
		return
	case d.end != atStart:
		d.out = append(d.out, ": "...)
	}
	d.end, d.role, d.flow = atStart, "", false
}

// step is one part of a line, or the mark of a cell that may precede it.
type step struct {
	item   int32
	mark   bool
	inCell bool // of a mark: the part before is a cell of several parts
}

// inline writes a list of items on the current line.
func (d *dense) inline(first int32) {
	base := len(d.steps)
	d.flatten(first)
	end := len(d.steps)
	for i := base; i < end; {
		s := d.steps[i]
		if s.mark {
			d.cellMark(&d.items[s.item], s.inCell)
			i++
			continue
		}
		if n := d.ranged(d.steps[i:end]); n >= minRange {
			d.writeRange(d.steps[i : i+n])
			i += n
			continue
		}
		d.part(&d.items[s.item])
		i++
	}
	d.steps = d.steps[:base]
}

// flatten adds the parts of a list to the steps, those inside groups too.
func (d *dense) flatten(first int32) {
	for c := first; c != 0; c = d.items[c].next {
		it := &d.items[c]
		if it.cell && (d.cell || it.kind == group) {
			d.steps = append(d.steps, step{c, true, d.cell})
		}
		d.cell = it.cell && it.kind == group
		if it.kind == group {
			d.flatten(it.first)
		} else {
			d.steps = append(d.steps, step{item: c})
		}
	}
}

// separate sets a part off from the one before.
func (d *dense) separate() {
	switch d.end {
	case atStart:
	case afterHandle:
		d.out = append(d.out, ' ')
	default:
		d.out = append(d.out, " | "...)
	}
}

// cellMark sets a cell off that has several parts, or follows one.
func (d *dense) cellMark(it *item, inCell bool) {
	if d.end == atStart && it.first != 0 && !inCell {
		return
	}
	if d.end != atStart {
		d.out = append(d.out, ' ')
	}
	d.out = append(d.out, "|| "...)
	d.end, d.role, d.flow = atStart, "", false
}

// part writes one item with all that belongs to it, after what sets it off.
func (d *dense) part(it *item) {
	if it.kind == text {
		switch d.end {
		case afterHandle:
			if !strings.ContainsRune(".,)!?", rune(it.label[0])) {
				d.out = append(d.out, ' ')
			}
		case afterText, afterLabel:
			d.out = append(d.out, " | "...)
		}
		d.out = appendText(d.out, it.label)
		d.end, d.role, d.flow = afterText, "", true
		return
	}
	if it.kind == stub {
		d.separate()
		d.stub(it)
		return
	}
	run := d.end != atStart && it.role != "" && it.role == d.role && it.level == 0 &&
		(it.label != "" || it.handle != "" || it.attrs != "")
	if it.role == "link" && d.flow && it.handle != "" && it.label != "" && it.value == "" &&
		it.attrs == "" && it.first == 0 && len(d.shownProps(it, d.opt)) == 0 {
		if d.end != afterText || !opens(d.out) {
			d.out = append(d.out, ' ')
		}
		d.out = append(d.out, '[')
		d.out = appendLinkLabel(d.out, it.label)
		d.out = append(d.out, "]["...)
		d.out = appendHandle(d.out, it, d.opt)
		d.out = append(d.out, ']')
		d.end, d.role = afterHandle, ""
		return
	}
	if run {
		d.out = append(d.out, "; "...)
	} else {
		d.separate()
	}
	d.head(it, run)
	if it.first != 0 {
		d.colon(it)
		d.inline(it.first)
	}
}

// stub writes what stands for items left out. Its bracket ends like a handle.
func (d *dense) stub(it *item) {
	d.out = append(append(append(d.out, '['), it.label...), ']')
	d.end, d.role = afterHandle, ""
}

// element writes the head of a hard item at the start of a line.
func (d *dense) element(it *item) {
	if it.kind == rawItem {
		d.out = append(d.out, "raw "...)
		d.out = appendJSON(d.out, it.label)
		d.end = afterLabel
		return
	}
	d.head(it, false)
}

// head writes role, label, value, properties, states and handle.
func (d *dense) head(it *item, run bool) {
	d.end, d.role = afterLabel, it.role
	start := len(d.out)
	if it.level > 0 && it.label != "" && it.handle == "" {
		d.end = afterText
	}
	bracket := it.handle != "" || it.attrs != ""
	colon := it.first != 0 && !it.below && !bracket && it.level == 0
	switch {
	case run:
	case it.level > 0:
		d.out = append(d.out, "######"[:it.level]...)
	case d.headless(it):
		d.end = atStart
	default:
		d.out = append(d.out, it.role...)
	}
	if it.label != "" {
		d.space(start)
		switch {
		case colon:
			d.out = appendJSON(d.out, it.label)
		case it.role == "":
			d.out = appendText(d.out, it.label)
		case it.level > 0:
			d.out = appendHeading(d.out, it.label, it.level)
		default:
			d.out = appendLabel(d.out, it.label, bracket)
		}
	}
	if it.value != "" {
		d.space(start)
		d.out = append(d.out, "= "...)
		if colon {
			d.out = appendJSON(d.out, it.value)
		} else {
			d.out = appendLabel(d.out, it.value, bracket)
		}
	}
	d.props(it, start, colon, bracket)
	if it.attrs != "" {
		d.space(start)
		d.out = append(d.out, it.attrs...)
	}
	if it.handle != "" {
		d.space(start)
		d.out = append(d.out, '[')
		d.out = appendHandle(d.out, it, d.opt)
		d.out = append(d.out, ']')
		d.end = afterHandle
	}
}

// headless reports whether the item is a table row that is nothing but its
// cells: the line is the row.
func (v *view) headless(it *item) bool {
	return it.role == "row" && it.label == "" && it.value == "" && it.handle == "" && it.attrs == "" &&
		it.oneLine && it.first != 0 && len(v.tree.Nodes[it.node].Props) == 0
}

func (d *dense) space(start int) {
	if len(d.out) > start {
		d.out = append(d.out, ' ')
	}
}
