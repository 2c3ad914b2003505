package aria

// This file shows a part of a page only.

import (
	"fmt"
	"strings"
)

// Filter says which part of a page is shown. The zero value shows all of it.
type Filter struct {
	// Section is the landmark, or else the heading or other container, whose
	// label is, starts with or contains this: form, navigation "Footer".
	Section string
	// Around is a handle: the smallest landmark with it is shown.
	Around string
	// Depth is the number of levels shown, 0 for all.
	Depth int
}

// NewFilteredView makes the view of the part of a tree that f names. A part
// that is not found leaves all of it; the warning then says so in one line.
func NewFilteredView(t *Tree, o Options, f Filter) (v *View, warning string) {
	part, what := t, "full view"
	if f.Section != "" {
		if roots := findSection(t, f.Section); roots != nil {
			part, what = subtree(t, roots), "the section"
		} else {
			warning = fmt.Sprintf("[PlayGuard: section %s not found; full view follows]", appendJSON(nil, f.Section))
		}
	}
	if f.Around != "" {
		if root := findAround(part, bareRef(f.Around)); root != 0 {
			part = subtree(part, []int32{root})
		} else {
			note := fmt.Sprintf("[PlayGuard: around %s not found; %s follows]", appendJSON(nil, f.Around), what)
			if warning != "" {
				warning = fmt.Sprintf("[PlayGuard: neither section %s nor around %s found; full view follows]",
					appendJSON(nil, f.Section), appendJSON(nil, f.Around))
			} else {
				warning = note
			}
		}
	}
	v = NewView(part, o)
	if f.Depth > 0 {
		e := v.edit()
		e.limitDepth(0, f.Depth)
		v = e.done()
	}
	return v, warning
}

// limitDepth leaves out what is more than depth levels below item i.
func (e *editor) limitDepth(i int32, depth int) {
	var left []int32
	e.filter(i, func(c int32) bool {
		switch {
		case e.items[c].kind == group || e.headless(&e.items[c]):
			e.limitDepth(c, depth)
			return depth > 0 || e.items[c].first != 0
		case depth == 0:
			left = append(left, c)
			return false
		case !e.atomic(c):
			e.limitDepth(c, depth-1)
		}
		return true
	})
	if len(left) > 0 {
		e.link(i, e.newStub(left, ""))
	}
}

// findSection returns the nodes of the section that a label names, nil if
// there is none.
func findSection(t *Tree, label string) []int32 {
	want := strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(label, `"`, " ")), " "))
	if want == "" {
		return nil
	}
	best, bestScore := int32(0), 0
	for i := 1; i < len(t.Nodes); i++ {
		if score := sectionScore(&t.Nodes[i], want); score > bestScore {
			best, bestScore = int32(i), score
		}
	}
	if best == 0 {
		return nil
	}
	if t.Nodes[best].Role == "heading" {
		return belowHeading(t, best)
	}
	return []int32{best}
}

// sectionScore says how well a node fits a label, 0 if not at all.
func sectionScore(nd *Node, want string) int {
	info, known := roles[nd.Role]
	kind := 0
	switch {
	case !known || nd.Kind != Element:
		return 0
	case info&landmark != 0:
		kind = 3
	case nd.Role == "heading":
		kind = 2
	case nd.First != 0 && (info&block != 0 && nd.Role != "row" || nd.Name != "" && info&(covering|cell) == 0):
		kind = 1
	default:
		return 0
	}
	name := strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(nd.Name+" "+nd.Value, `"`, " ")), " "))
	label := strings.TrimSpace(nd.Role + " " + name)
	switch {
	case label == want, name == want, nd.Role == want:
		return 30 + kind
	case strings.HasPrefix(label, want), strings.HasPrefix(name, want):
		return 20 + kind
	case strings.Contains(label, want):
		return 10 + kind
	}
	return 0
}

// belowHeading returns a heading and what follows up to the next one of its
// level. A heading in a wrapper of its own heads what follows the wrapper.
func belowHeading(t *Tree, h int32) []int32 {
	level := t.Nodes[h].Level
	for p := t.Nodes[h].Parent; p != 0 && t.Nodes[h].Next == 0 && roles[t.Nodes[p].Role]&landmark == 0; p = t.Nodes[h].Parent {
		h = p
	}
	nodes := []int32{h}
	for c := t.Nodes[h].Next; c != 0 && !headsLevel(t, c, level); c = t.Nodes[c].Next {
		nodes = append(nodes, c)
	}
	return nodes
}

// headsLevel reports whether node i is or starts with a heading of at most a
// level.
func headsLevel(t *Tree, i int32, level uint16) bool {
	for ; i != 0; i = t.Nodes[i].First {
		if nd := &t.Nodes[i]; nd.Role == "heading" {
			return nd.Level <= level
		}
	}
	return false
}

// findAround returns the smallest landmark with the element of a handle, or
// else the smallest block, or else the topmost element; 0 without the element.
func findAround(t *Tree, handle string) int32 {
	number, _ := parseNumber(handle)
	at := int32(0)
	for i := range t.Nodes {
		if nd := &t.Nodes[i]; nd.Ref != "" && (nd.Ref == handle || number > 0 && int(nd.Number) == number) {
			at = int32(i)
			break
		}
	}
	top, near := at, int32(0)
	for i := at; i != 0; i = t.Nodes[i].Parent {
		top = i
		nd := &t.Nodes[i]
		switch info := roles[nd.Role]; {
		case info&landmark != 0:
			return i
		case near == 0 && nd.First != 0 && info&block != 0 && nd.Role != "row" && nd.Role != "heading":
			near = i
		}
	}
	if near != 0 {
		return near
	}
	return top
}

// subtree returns a tree of some nodes, in order, with all below them.
func subtree(t *Tree, roots []int32) *Tree {
	s := &Tree{Nodes: make([]Node, 1, 64), Lines: t.Lines}
	var copyNode func(parent, i int32)
	copyNode = func(parent, i int32) {
		nd := t.Nodes[i]
		nd.First, nd.Last, nd.Next = 0, 0, 0
		at := s.add(parent, nd)
		for c := t.Nodes[i].First; c != 0; c = t.Nodes[c].Next {
			copyNode(at, c)
		}
	}
	for _, i := range roots {
		copyNode(0, i)
	}
	return s
}
