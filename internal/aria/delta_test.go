package aria

// This file proves that a delta says all there is to say: what is read from it
// by its grammar alone turns the old view into the new one.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// shownNode is an element or text of a view as a reader knows it.
type shownNode struct {
	read
	head  string // its line in the old view
	tag   string // its handle in the old view
	gone  bool
	parts []*shownNode
	up    *shownNode
}

// applier applies the text of a delta to what a reader was shown.
type applier struct {
	root *shownNode
	old  []*shownNode // in the order they were read
	line string
}

// shownNodes lists what a view shows.
func shownNodes(v *View) *applier {
	a := &applier{root: &shownNode{}}
	units := newUnitTree(v.view, &v.opt, newUnitIDs(v.view))
	for i, r := range flatten(v.view, &v.opt) {
		n := &shownNode{read: r, head: units.units[i+1].head, tag: r.Handle, up: a.root}
		if r.Parent >= 0 {
			n.up = a.old[r.Parent]
		}
		n.up.parts = append(n.up.parts, n)
		a.old = append(a.old, n)
	}
	return a
}

func (n *shownNode) index() int { return slices.Index(n.up.parts, n) }

var (
	readDeltaHead = regexp.MustCompile(`^\[PlayGuard delta r\d+: (nothing changed|\+?\d+ [a-z]+(, \d+ [a-z]+)*), ~\d+% saved\]$`)
	readCall      = regexp.MustCompile(`^\[(\d+|(?:f\d+)?e\d+)\]`)
	readOrdinal   = regexp.MustCompile(`^#(\d+) "`)
)

// apply reads the delta. A panic says what cannot be read.
func (a *applier) apply(text string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v in %q", p, a.line)
		}
	}()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if !readDeltaHead.MatchString(lines[0]) {
		panic("a bad first line " + lines[0])
	}
	section := ""
	for i := 1; i < len(lines); i++ {
		a.line = lines[i]
		switch {
		case lines[i] == "ADDED:" || lines[i] == "REMOVED:" || lines[i] == "CHANGED:":
			section = lines[i]
		case section == "ADDED:":
			n := i + 1
			for n < len(lines) && strings.HasPrefix(lines[n], "  ") {
				n++
			}
			a.added(lines[i], lines[i+1:n])
			i = n - 1
		case section == "REMOVED:":
			a.removed(lines[i][1:])
		case section == "CHANGED:":
			a.changed(lines[i][1:])
		default:
			panic("a line outside the sections")
		}
	}
	for _, n := range a.old {
		if n.gone {
			n.up.parts = slices.DeleteFunc(n.up.parts, func(p *shownNode) bool { return p == n })
		}
	}
	return nil
}

// call reads what a unit is called, and returns what follows.
func (a *applier) call(s string) (*shownNode, string) {
	if m := readCall.FindStringSubmatch(s); m != nil {
		for _, n := range a.old {
			if n.tag == m[1] {
				return n, s[len(m[0]):]
			}
		}
		panic("no handle " + m[1])
	}
	nth := 1
	if m := readOrdinal.FindStringSubmatch(s); m != nil {
		nth, _ = strconv.Atoi(m[1])
		s = s[len(m[0])-1:]
	}
	name, n, ok := decodeJSON(s)
	if !ok {
		panic("no call")
	}
	for _, u := range a.old {
		if u.tag == "" && shortHead(u.head) == name {
			if nth--; nth == 0 {
				return u, s[n:]
			}
		}
	}
	panic("no unit " + name)
}

func (a *applier) added(line string, below []string) {
	where, rest, _ := strings.Cut(line[1:], " ")
	at := a.root
	if !strings.HasPrefix(rest, "page:") {
		at, rest = a.call(rest)
	} else {
		rest = rest[len("page"):]
	}
	rest, ok := strings.CutPrefix(rest, ":")
	if !ok {
		panic("no colon")
	}
	dense := strings.TrimPrefix(rest, " ")
	if rest == "" {
		for i := range below {
			below[i] = below[i][2:]
		}
		dense = strings.Join(below, "\n")
	} else if len(below) > 0 {
		panic("lines below a line with parts")
	}
	reads, err := readDense(dense)
	if err != nil {
		panic(err)
	}
	var roots, all []*shownNode
	for _, r := range reads {
		n := &shownNode{read: r}
		if all = append(all, n); r.Parent < 0 {
			roots = append(roots, n)
		} else {
			n.up = all[r.Parent]
			n.up.parts = append(n.up.parts, n)
		}
		for _, o := range a.old { // it moved
			if o.tag == n.Handle && n.Handle != "" {
				o.gone = true
			}
		}
	}
	up, i := at, 0
	switch where {
	case "after":
		up, i = at.up, at.index()+1
	case "before":
		up, i = at.up, at.index()
	case "in":
	default:
		panic("no place")
	}
	for _, n := range roots {
		n.up = up
	}
	up.parts = slices.Insert(up.parts, i, roots...)
}

func (a *applier) removed(s string) {
	var last *shownNode
	for s != "" {
		sep := ""
		if last != nil {
			switch {
			case strings.HasPrefix(s, ": "):
				return
			case strings.HasPrefix(s, " to "):
				sep = " to "
			case strings.HasPrefix(s, "-"):
				sep = "-"
			default:
				sep = " "
			}
			s = strings.TrimPrefix(s, sep)
		}
		var n *shownNode
		if n, s = a.call(s); len(sep) > 1 || sep == "-" {
			if n.up != last.up {
				panic("a range over two containers")
			}
			originals := slices.DeleteFunc(slices.Clone(n.up.parts), func(p *shownNode) bool { return !slices.Contains(a.old, p) })
			for _, p := range originals[slices.Index(originals, last):slices.Index(originals, n)] {
				p.gone = true
			}
		}
		n.gone = true
		last = n
	}
}

func (a *applier) changed(s string) {
	var n *shownNode
	if readCall.MatchString(s) || readOrdinal.MatchString(s) || s[0] == '"' {
		u, rest := (*shownNode)(nil), ""
		func() {
			defer func() { _ = recover() }()
			u, rest = a.call(s)
		}()
		if u != nil && strings.HasPrefix(rest, " -> ") {
			n, s = u, rest[len(" -> "):]
		}
	}
	reads, err := readDense(s)
	if err != nil || len(reads) != 1 {
		panic(fmt.Sprint("not one unit: ", reads, err))
	}
	if n == nil {
		n, _ = a.call("[" + reads[0].Handle + "]")
	}
	n.read = reads[0]
}

// reads lists what the reader knows now.
func (a *applier) reads() []read {
	var out []read
	var visit func(n *shownNode, parent int)
	visit = func(n *shownNode, parent int) {
		for _, p := range n.parts {
			r := p.read
			r.Parent = parent
			out = append(out, r)
			visit(p, len(out)-1)
		}
	}
	visit(a.root, -1)
	return out
}
