package aria

// This file makes the outline of a page that is new and too large to be shown
// whole after an action.

import (
	"fmt"
	"strings"
)

// Outline returns what one needs to see of a large new page, within the
// budget: dialogs, alerts and statuses first, then by landmark the headings,
// the form controls, the focused element, and what else there is as a count
// with the call that shows it. The second result is how many elements with a
// handle are left out.
func (v *View) Outline(b Budget) (outline *View, left int) {
	for deepest := uint8(6); ; deepest-- {
		e := v.edit()
		o := outliner{editor: e, deepest: deepest}
		var parts, rest []int32
		parts, rest = o.walk(0, nil, nil)
		if len(rest) > 0 {
			parts = append(parts, o.summary(rest))
		}
		e.setList(0, append(o.urgent, parts...))
		outline = e.done()
		text, _ := outline.Render()
		if fits := b.tokens(text) <= b.Tokens; fits || deepest == 1 {
			if !fits {
				outline, _ = outline.Fold(b)
			}
			return outline, v.view.handles - outline.view.handles
		}
	}
}

type outliner struct {
	*editor
	// deepest is the level of the headings shown.
	deepest uint8
	// urgent is shown before all else.
	urgent []int32
}

// walk sorts what is inside item i into what is shown and what is counted.
func (o *outliner) walk(i int32, shown, rest []int32) ([]int32, []int32) {
	for _, c := range o.list(i) {
		it := &o.items[c]
		switch {
		case it.kind == elem && (it.role == "dialog" || it.role == "alertdialog" || roles[it.role]&message != 0 && roles[it.role]&(cell|fromContent) == 0):
			o.urgent = append(o.urgent, c)
		case o.shows(c):
			shown = append(shown, c)
		case it.kind == elem && roles[it.role]&landmark != 0 && it.first != 0:
			inner, more := o.walk(c, nil, nil)
			if len(more) > 0 {
				inner = append(inner, o.summary(more))
			}
			o.setList(c, inner)
			shown = append(shown, c)
		case it.first == 0 || o.atomic(c):
			rest = append(rest, c)
		default:
			// A container is taken apart; its own handle is left out.
			shown, rest = o.walk(c, shown, rest)
		}
	}
	return shown, rest
}

// shows reports whether an item is one that an outline shows whole.
func (o *outliner) shows(c int32) bool {
	it := &o.items[c]
	switch {
	case it.kind != elem:
		return it.kind == stub
	case it.level > 0:
		return it.level <= o.deepest
	case it.first == 0 && it.role != "" && o.tree.Nodes[it.node].State&Active != 0:
		return true
	}
	return isFormControl(it.role)
}

// isFormControl reports whether elements of a role take input.
func isFormControl(role string) bool {
	switch role {
	case "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider", "spinbutton":
		return true
	}
	return false
}

// summary makes the stub that counts what an outline leaves out.
func (o *outliner) summary(rest []int32) int32 {
	kinds := []struct {
		name string
		n    int
	}{{"link", 0}, {"button", 0}, {"row", 0}, {"text", 0}, {"other", 0}}
	var from string
	look := func(c int32) {
		it := &o.items[c]
		if it.handle != "" && from == "" {
			from = string(appendHandle(nil, it, o.opt))
		}
		switch {
		case it.kind == text:
			kinds[3].n++
		case it.kind != elem:
		case it.role == "link":
			kinds[0].n++
		case it.role == "button":
			kinds[1].n++
		case it.role == "row":
			kinds[2].n++
		case it.role == "":
			kinds[3].n++
		default:
			kinds[4].n++
		}
	}
	for _, c := range rest {
		look(c)
		o.visit(c, look)
	}
	var counts []string
	for _, k := range kinds {
		if k.n > 0 {
			counts = append(counts, plural(k.n, k.name))
		}
	}
	label := fmt.Sprintf("%s %s", ellipsis, strings.Join(counts, ", "))
	if from != "" {
		label += ": " + snapshotCall + "around:" + from + "}"
	} else {
		label += ": " + snapshotCall + "full:true}"
	}
	return o.newItem(item{kind: stub, label: label, node: o.items[rest[0]].node})
}
