package aria

// This file leaves parts of a view out and puts a stub in their place: a
// bracket that says how much is missing and which call shows it.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// snapshotCall starts the call that shows what a stub stands for.
const snapshotCall = "browser_snapshot {"

// editor changes a copy of a view.
type editor struct {
	*builder
	// stubs has what each stub stands for.
	stubs map[int32]leftOut
}

func (v *View) edit() *editor {
	c := *v.view
	c.items = slices.Clone(c.items)
	o := v.opt
	stubs := maps.Clone(v.stubs)
	if stubs == nil {
		stubs = map[int32]leftOut{}
	}
	return &editor{builder: &builder{view: c, opt: &o}, stubs: stubs}
}

// done finishes the copy.
func (e *editor) done() *View {
	e.dropEmpty(0)
	e.measure()
	e.handles = 0
	e.visit(0, func(c int32) {
		if e.items[c].handle != "" {
			e.handles++
		}
	})
	return &View{Tree: e.tree, opt: *e.opt, view: &e.view, stubs: e.stubs, lines: -1}
}

// dropEmpty takes out wrappers that hold nothing any more.
func (e *editor) dropEmpty(i int32) {
	e.filter(i, func(c int32) bool {
		if e.items[c].first == 0 {
			return e.items[c].kind != group
		}
		e.dropEmpty(c)
		return e.items[c].kind != group || e.items[c].first != 0
	})
}

// filter keeps the parts of item i for which keep is true.
func (e *editor) filter(i int32, keep func(int32) bool) {
	c := e.items[i].first
	e.items[i].first, e.items[i].last = 0, 0
	for c != 0 {
		next := e.items[c].next
		if e.items[c].next = 0; keep(c) {
			e.link(i, c)
		}
		c = next
	}
}

// list returns the parts of item i.
func (e *editor) list(i int32) []int32 {
	var parts []int32
	for c := e.items[i].first; c != 0; c = e.items[c].next {
		parts = append(parts, c)
	}
	return parts
}

// setList makes items the parts of item i.
func (e *editor) setList(i int32, parts []int32) {
	e.items[i].first, e.items[i].last = 0, 0
	for _, c := range parts {
		e.items[c].next = 0
		e.link(i, c)
	}
}

// leftOut is what a stub stands for.
type leftOut struct {
	noun string
	// items counts the members of a list, parts all elements and texts.
	items, parts int
	// first and last are the items with a handle at both ends, 0 if none.
	first, last int32
}

// add counts an item, without what is inside it.
func (l *leftOut) add(e *editor, c int32) {
	it := &e.items[c]
	if it.kind == stub {
		more := e.stubs[c]
		l.parts += more.parts
		l.end(more.first)
		l.end(more.last)
		return
	}
	if it.kind != group {
		l.parts++
	}
	if it.handle != "" {
		l.end(c)
	}
}

func (l *leftOut) end(c int32) {
	if c == 0 {
		return
	}
	if l.first == 0 {
		l.first = c
	}
	l.last = c
}

// newStub makes the item that stands for items left out, among them stubs. A
// noun is what they are all called.
func (e *editor) newStub(left []int32, noun string) int32 {
	l := leftOut{noun: noun}
	for _, c := range left {
		switch more, isStub := e.stubs[c]; {
		case !isStub:
			l.items++
		case more.noun == noun:
			l.items += more.items
		default:
			l.noun = ""
		}
		l.add(e, c)
		e.visit(c, func(p int32) { l.add(e, p) })
	}
	n := l.items
	if l.noun == "" || n == 1 {
		n, noun = l.parts, "more"
	}
	label := fmt.Sprintf("%s %d %s", ellipsis, n, noun)
	if l.first != 0 {
		from := appendHandle(nil, &e.items[l.first], e.opt)
		if l.first != l.last {
			label += fmt.Sprintf(" %s-%s", from, appendHandle(nil, &e.items[l.last], e.opt))
		}
		label += fmt.Sprintf(": %saround:%s}", snapshotCall, from)
	} else {
		label += ": " + snapshotCall + "full:true}"
	}
	c := e.newItem(item{kind: stub, label: label, node: e.items[left[0]].node})
	e.stubs[c] = l
	return c
}

// nouns name items of a list by their role.
var nouns = map[string]string{
	"row": "rows", "link": "links", "button": "buttons", "option": "options", "tab": "tabs", "img": "images",
	"treeitem": "items", "menuitem": "items", "checkbox": "checkboxes", "radio": "radio buttons", "textbox": "text boxes",
	"heading": "headings", "cell": "cells",
}

// noun names items of which c is one.
func (e *editor) noun(c int32) string {
	if n := nouns[e.items[c].role]; n != "" {
		return n
	}
	return "items"
}

// atomic reports whether an item is only shown whole: what it says is in its
// parts.
func (v *view) atomic(c int32) bool {
	it := &v.items[c]
	return it.level > 0 || it.kind == elem && roles[it.role]&covering != 0 && it.role != "combobox"
}

// plural counts things.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
