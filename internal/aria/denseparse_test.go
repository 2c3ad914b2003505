package aria

// This file reads the dense form by its grammar alone, to prove that what was
// written can be read back without doubt. It shares nothing with the writer
// but the table of roles.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// read is one thing read back. Text and plain elements have no role.
type read struct {
	Role, Label, Value, Attrs, Handle, Props string
	Parent                                   int // index of what holds it, -1 for the page
}

var (
	readHandle = regexp.MustCompile(`^(?:ref=)?(?:(?:f\d+)?e\d+|\d+(?:-\d+)?)$`)
	readMarks  = regexp.MustCompile(`^#{1,6}(?: |$)`)
)

type denseReader struct {
	out  []read
	line string
	at   int
	// inHeading: the label of a heading is read, which is no section.
	inHeading bool
}

// readDense parses the lines of a tree.
func readDense(text string) (out []read, err error) {
	r := &denseReader{}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v in line %q at %d", p, r.line, r.at)
		}
	}()
	section, around := -1, -1
	inTable := false
	var path []int // last part of the line at each depth
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "---" {
			if section, path = -1, nil; inTable {
				section, inTable = around, false
			}
			continue
		}
		depth := len(line) - len(strings.TrimLeft(line, " "))
		if depth > len(path) {
			panic("deeper than the line before allows")
		}
		path = path[:depth]
		parent := section
		if depth > 0 {
			parent = path[depth-1]
		}
		r.line, r.at = line, depth
		first := len(r.out)
		if r.parts(parent, depth == 0) {
			switch r.out[first].Role {
			case "table", "grid", "treegrid":
				around, section, path, inTable = section, first, nil, true
				continue
			}
			for i := first; i < len(r.out); i++ {
				if r.out[i].Parent == section {
					r.out[i].Parent = -1
				}
			}
			section, path = first, nil
			continue
		}
		path = append(path, len(r.out)-1)
	}
	return r.out, nil
}

func (r *denseReader) rest() string { return r.line[r.at:] }

func (r *denseReader) skip(prefix string) bool {
	if strings.HasPrefix(r.rest(), prefix) {
		r.at += len(prefix)
		return true
	}
	return false
}

// parts reads the rest of the line as parts of parent. It reports whether the
// line is the head of a section.
func (r *denseReader) parts(parent int, mayBeSection bool) bool {
	role := ""
	for r.at < len(r.line) {
		if r.skip("|| ") || r.rest() == "||" && r.skip("||") {
			role = ""
			continue
		}
		i := len(r.out)
		if role != "" && r.skip("; ") {
			r.out = append(r.out, read{Role: role, Parent: parent})
			r.head(i)
		} else {
			if i > 0 && !r.skip(" | ") {
				r.skip(" ")
			}
			if r.skip("|| ") {
				role = ""
				continue
			}
			r.part(parent)
			r.spell()
		}
		role = r.out[i].Role
		if r.out[i].Role == "#link" {
			r.out[i].Role, role = "link", ""
		}
		if strings.HasPrefix(role, "#") {
			role = ""
			if r.at < len(r.line) {
				return r.parts(i, false)
			}
		}
		if mayBeSection && r.rest() == ":" {
			r.at++
			return true
		}
		if r.skip(": ") {
			return r.parts(i, false)
		}
	}
	return false
}

func (r *denseReader) part(parent int) {
	i := len(r.out)
	r.out = append(r.out, read{Parent: parent})
	s := r.rest()
	if readMarks.MatchString(s) {
		n := strings.IndexFunc(s, func(c rune) bool { return c != '#' })
		if n < 0 {
			n = len(s)
		}
		r.out[i].Role = s[:n]
		r.at += n
		if r.skip(" ") {
			if word, _ := r.word(); isRoleWord(word) || readMarks.MatchString(r.rest()) {
				return
			}
			r.inHeading = true
			r.head(i)
			r.inHeading = false
		}
		return
	}
	if strings.HasPrefix(s, "["+ellipsis) {
		end := strings.IndexByte(s, ']')
		r.out[i].Role, r.out[i].Label = "stub", s[1:end]
		r.at += end + 1
		return
	}
	if label, ok := r.flowLink(); ok {
		r.out[i].Role, r.out[i].Label = "#link", label
		r.brackets(i)
		return
	}
	if word, end := r.word(); isRoleWord(word) {
		r.out[i].Role = word
		r.at += end
		if r.skip(" ") {
			r.head(i)
		}
		return
	}
	if !strings.HasPrefix(s, "[") {
		r.out[i].Label = r.scalar(" [", "[", " | ", " || ")
	}
	r.brackets(i)
}

// spell gives the parts that end with a range their handles.
func (r *denseReader) spell() {
	last := len(r.out) - 1
	from, to, ranged := strings.Cut(r.out[last].Handle, "-")
	if !ranged {
		return
	}
	first, err := strconv.Atoi(from)
	if err != nil {
		panic(err)
	}
	end, err := strconv.Atoi(to)
	if err != nil {
		panic(err)
	}
	for no := end; no >= first; no-- {
		r.out[last-(end-no)].Handle = strconv.Itoa(no)
	}
}

func (r *denseReader) word() (string, int) {
	s := r.rest()
	if i := strings.IndexAny(s, " :;"); i >= 0 {
		return s[:i], i
	}
	return s, len(s)
}

// flowLink reads the label of [label][handle].
func (r *denseReader) flowLink() (string, bool) {
	start := r.at
	if !r.skip("[") {
		return "", false
	}
	var label string
	if s := r.rest(); strings.HasPrefix(s, `"`) && !(len(s) > 1 && strings.IndexByte(closing, s[1]) >= 0) {
		if v, n, ok := decodeJSON(s); ok && strings.HasPrefix(s[n:], "][") {
			r.at += n + 1
			return v, true
		}
	}
	end := strings.IndexByte(r.rest(), ']')
	if strings.HasPrefix(r.rest(), "[") {
		end++ // the label's own bracket
	}
	if end < 0 {
		panic("an open bracket")
	}
	label = r.rest()[:end]
	r.at += end + 1
	if !strings.HasPrefix(r.rest(), "[") {
		r.at = start
		return "", false
	}
	return label, true
}

var headStops = []string{" [", " | ", " || ", "; ", " = ", " url=", " placeholder=", " {"}

// head reads label, value, properties and brackets of an element.
func (r *denseReader) head(i int) {
	n := &r.out[i]
	s := r.rest()
	if !strings.HasPrefix(s, "= ") && !strings.HasPrefix(s, "url=") && !strings.HasPrefix(s, "placeholder=") &&
		!strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") && !strings.HasPrefix(s, "|") && !strings.HasPrefix(s, "; ") {
		n.Label = r.scalar(headStops...)
	} else {
		r.at-- // the space that came before
	}
	if r.skip(" = ") {
		n.Value = r.scalar(headStops...)
	}
	for {
		switch {
		case r.skip(" url="):
			n.Props += "url=" + r.scalar(headStops...) + "\n"
			continue
		case r.skip(" placeholder="):
			n.Props += "placeholder=" + r.scalar(headStops...) + "\n"
			continue
		case r.skip(" {"):
			name, k, ok := decodeJSON(r.rest())
			if !ok {
				panic("a property without a name")
			}
			r.at += k + 1
			value, k, ok := decodeJSON(r.rest())
			if !ok {
				panic("a property without a value")
			}
			r.at += k + 1
			n.Props += name + "=" + value + "\n"
			continue
		}
		break
	}
	r.brackets(i)
}

// scalar reads a JSON string, or bare text up to one of the stops.
func (r *denseReader) scalar(stops ...string) string {
	s := r.rest()
	if strings.HasPrefix(s, `"`) && len(s) > 1 && strings.IndexByte(closing, s[1]) < 0 {
		if v, n, ok := decodeJSON(s); ok {
			after := s[n:]
			stop := after == "" || strings.HasPrefix(after, ":")
			for _, p := range stops {
				stop = stop || strings.HasPrefix(after, p)
			}
			if stop || strings.HasPrefix(after, "]") {
				r.at += n
				return v
			}
		}
	}
	end := len(s)
	for _, p := range stops {
		if i := strings.Index(s, p); i >= 0 && i < end {
			end = i
		}
	}
	if end == len(s) && len(stops) > 5 && strings.HasSuffix(s, ":") && !r.inHeading {
		end--
	}
	r.at += end
	return s[:end]
}

// brackets reads the states and the handle that end a part.
func (r *denseReader) brackets(i int) {
	n := &r.out[i]
	for {
		start := r.at
		if r.at > 0 && r.line[r.at-1] != ' ' && r.line[r.at-1] != ']' || n.Role != "#link" {
			r.skip(" ")
		}
		s := r.rest()
		end := strings.IndexByte(s, ']')
		if !strings.HasPrefix(s, "[") || end < 0 || strings.HasPrefix(s[end+1:], "[") || n.Handle != "" {
			r.at = start
			return
		}
		inner := s[1:end]
		if strings.HasPrefix(inner, `"`) || strings.HasPrefix(inner, "[") {
			r.at = start
			return
		}
		r.at += end + 1
		if readHandle.MatchString(inner) {
			n.Handle = inner
			return
		}
		n.Attrs = strings.TrimPrefix(n.Attrs+" ["+inner+"]", " ")
	}
}

// decodeJSON reads the JSON string that s starts with and its length.
func decodeJSON(s string) (string, int, bool) {
	d := json.NewDecoder(strings.NewReader(s))
	var v string
	if err := d.Decode(&v); err != nil {
		return "", 0, false
	}
	return v, int(d.InputOffset()), true
}

// flatten lists what a view shows in the way readDense does.
func flatten(v *view, o *Options) []read {
	var out []read
	var visit func(first int32, parent int)
	visit = func(first int32, parent int) {
		for c := first; c != 0; c = v.items[c].next {
			it := &v.items[c]
			switch {
			case it.kind == group, v.headless(it):
				visit(it.first, parent)
				continue
			}
			n := read{Role: it.role, Label: it.label, Value: it.value, Attrs: it.attrs, Parent: parent}
			if it.level > 0 {
				n.Role = "######"[:it.level]
			}
			switch it.kind {
			case stub:
				n.Role = "stub"
			case rawItem:
				n.Role = "raw"
			case elem:
				for _, p := range v.shownProps(it, o) {
					n.Props += p.Name + "=" + p.Value + "\n"
				}
			}
			if it.handle != "" {
				n.Handle = string(appendHandle(nil, it, o))
			}
			out = append(out, n)
			visit(it.first, len(out)-1)
		}
	}
	visit(v.items[0].first, -1)
	return out
}
