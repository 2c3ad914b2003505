package aria

// This file writes the view as lines of upstream's own form: the same nodes
// and handles as the dense form, in upstream's spelling
// (renderAriaSnapshotAsYaml in Playwright).

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type yamlWriter struct {
	*view
	opt   *Options
	out   []byte
	lines int
}

// renderYAML writes the view and returns the number of lines.
func renderYAML(out []byte, v *view, o *Options) ([]byte, int) {
	w := &yamlWriter{view: v, opt: o, out: out}
	w.list(v.items[0].first, 0)
	return w.out, w.lines
}

// list writes the items of a list at one depth.
func (w *yamlWriter) list(first int32, depth int) {
	for c := first; c != 0; c = w.items[c].next {
		it := &w.items[c]
		switch it.kind {
		case group:
			w.list(it.first, depth)
		case text:
			w.scalar(depth, "text", it.label)
		case stub:
			w.scalar(depth, "/more", it.label)
		case rawItem:
			w.dash(depth)
			w.out = append(w.out, it.label...)
			w.list(it.first, depth+1)
		default:
			w.element(it, depth)
		}
	}
}

// element writes an element, its properties and its parts.
func (w *yamlWriter) element(it *item, depth int) {
	nd := &w.tree.Nodes[it.node]
	name, value := it.label, it.value
	if name != nd.Name && value == "" && roles[nd.Role]&covering == 0 {
		name, value = "", it.label // the label is the element's text
	}
	var key []byte
	key = append(key, nd.Role...)
	if name != "" {
		key = appendJSON(append(key, ' '), name)
	}
	if it.attrs != "" {
		key = append(append(key, ' '), it.attrs...)
	}
	if it.level > 0 {
		key = append(key, " [level="...)
		key = append(strconv.AppendUint(key, uint64(it.level), 10), ']')
	}
	if it.handle != "" {
		key = append(key, " ["...)
		if it.number == 0 || w.opt.Refs {
			key = append(key, "ref="...)
		}
		key = append(appendHandle(key, it, w.opt), ']')
	}
	w.dash(depth)
	if yamlNeedsQuotes(string(key)) {
		w.out = append(w.out, '\'')
		w.out = append(w.out, strings.ReplaceAll(string(key), "'", "''")...)
		w.out = append(w.out, '\'')
	} else {
		w.out = append(w.out, key...)
	}
	props := w.shownProps(it, w.opt)
	if len(props) == 0 && it.first == 0 {
		if value != "" {
			w.out = append(w.out, ": "...)
			w.out = appendYAML(w.out, value)
		}
		return
	}
	w.out = append(w.out, ':')
	for _, p := range props {
		w.scalar(depth+1, "/"+p.Name, p.Value)
	}
	if value != "" {
		w.scalar(depth+1, "text", value)
	}
	w.list(it.first, depth+1)
}

// scalar writes a line that has a key and a value.
func (w *yamlWriter) scalar(depth int, key, value string) {
	w.dash(depth)
	w.out = append(append(w.out, key...), ": "...)
	w.out = appendYAML(w.out, value)
}

// dash starts a line.
func (w *yamlWriter) dash(depth int) {
	if w.lines > 0 {
		w.out = append(w.out, '\n')
	}
	w.lines++
	for range depth {
		w.out = append(w.out, "  "...)
	}
	w.out = append(w.out, "- "...)
}

// appendYAML writes a value, quoted where upstream quotes it.
func appendYAML(b []byte, s string) []byte {
	if yamlNeedsQuotes(s) {
		return appendJSON(b, s)
	}
	return append(b, s...)
}

// yamlNeedsQuotes reports whether s cannot stand plain. It follows upstream's
// yamlStringNeedsQuotes and quotes a few numbers more.
func yamlNeedsQuotes(s string) bool {
	if s == "" || strings.IndexByte("-&*],?!>|@\"'#%[", s[0]) >= 0 || strings.ContainsAny(s, "{}`") {
		return true
	}
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	if unicode.IsSpace(first) || unicode.IsSpace(last) || last == ':' {
		return true
	}
	var before rune
	for _, r := range s {
		if isControl(r) || r == utf8.RuneError || before == ':' && unicode.IsSpace(r) ||
			r == '#' && unicode.IsSpace(before) {
			return true
		}
		before = r
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "true", "false", "on", "off", "null":
		return true
	}
	if first != '.' && first != '+' && (first < '0' || first > '9') && first != 'I' {
		return false
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return true
	}
	_, err := strconv.ParseInt(s, 0, 64)
	return err == nil
}
