package aria

// This file holds the view's rules for text: what repeats a name goes, and
// running text is cut if the caller asks for it.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// TextMode says how much running text is kept (PLAYGUARD_TEXT).
type TextMode uint8

const (
	// TextFull keeps all text.
	TextFull TextMode = iota
	// TextShort cuts running text after shortText characters.
	TextShort
	// TextNone keeps names, labels, headings, messages and values only.
	TextNone
)

const (
	// shortText is where TextShort cuts, in characters.
	shortText = 80
	// labelText is the length up to which the text of a node counts as a
	// label and not as running text, in bytes.
	labelText = 40
	// repeatedText is where an image's name is cut that stood there before, in
	// characters.
	repeatedText = 20
	ellipsis     = "…"
)

// runningText adds the texts of one node and cuts them as one.
type runningText struct {
	b     *builder
	scope scope
	// label: the node's text is short enough to be one.
	label bool
	used  int  // characters kept so far
	cut   bool // an ellipsis was written
}

// add puts the text v of node n below item i, unless it repeats a name.
func (r *runningText) add(i, n int32, v string) {
	b := r.b
	if strings.TrimSpace(v) == "" || repeats(r.scope.name, v) {
		return
	}
	if nd := &b.tree.Nodes[b.items[i].node]; v == nd.Name && roles[nd.Role]&valued == 0 {
		return
	}
	v = r.shorten(v)
	if v != "" {
		b.link(i, b.newItem(item{kind: text, node: n, label: v}))
	}
}

// isLabel reports whether all text of a node together is short.
func (b *builder) isLabel(nd *Node) bool {
	size := 0
	if nd.Kind == Element {
		size = len(nd.Value)
	}
	for c := nd.First; c != 0 && size <= labelText; c = b.tree.Nodes[c].Next {
		if child := &b.tree.Nodes[c]; child.Kind == Text {
			size += len(child.Value)
		}
	}
	return size <= labelText
}

// shorten applies the text mode.
func (r *runningText) shorten(v string) string {
	mode := r.b.opt.Text
	if mode == TextFull || r.scope.exempt {
		return v
	}
	limit := shortText - r.used
	if mode == TextNone {
		if r.label {
			return v
		}
		limit = 0
	}
	kept := cutWords(v, limit)
	r.used += utf8.RuneCountInString(kept)
	if len(kept) == len(v) {
		return v
	}
	r.b.cut += utf8.RuneCountInString(v) - utf8.RuneCountInString(kept)
	if r.cut {
		return ""
	}
	r.cut, r.used = true, shortText
	return kept + ellipsis
}

// shortName cuts the long name of a control and counts what it loses.
func (b *builder) shortName(name string) string {
	kept := cutWords(name, shortText)
	if len(kept) == len(name) {
		return name
	}
	b.cut += utf8.RuneCountInString(name) - utf8.RuneCountInString(kept)
	return kept + ellipsis
}

// cutWords returns the longest prefix of v of at most limit characters that
// ends at the end of a word. A first word longer than that is cut inside.
func cutWords(v string, limit int) string {
	if len(v) <= limit {
		return v
	}
	end, n := 0, 0
	for i, r := range v {
		if n > limit {
			break
		}
		if unicode.IsSpace(r) && n > 0 {
			end = i
		}
		if n == limit {
			if end == 0 {
				end = i
			}
			return strings.TrimRightFunc(v[:end], unicode.IsSpace)
		}
		n++
	}
	return v
}

// repeats reports whether v occurs in name as whole words.
func repeats(name, v string) bool {
	if name == "" || len(v) > len(name) {
		return false
	}
	for from := 0; ; {
		i := strings.Index(name[from:], v)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(v)
		before, _ := utf8.DecodeLastRuneInString(name[:start])
		first, _ := utf8.DecodeRuneInString(v)
		after, _ := utf8.DecodeRuneInString(name[end:])
		last, _ := utf8.DecodeLastRuneInString(v)
		if !(isWordRune(before) && isWordRune(first)) && !(isWordRune(last) && isWordRune(after)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(name[start:])
		from = start + size
	}
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

// repeated reports whether every word of item i's label is said by its parts.
func (b *builder) repeated(i int32) bool {
	label := b.items[i].label
	var sb strings.Builder
	// Upstream prints no names of more than 900 characters; bounding what is
	// searched keeps the whole linear.
	b.gather(&sb, b.items[i].first, 2*len(label)+200)
	inner := sb.String()
	for word := range strings.FieldsFuncSeq(label, func(r rune) bool { return !isWordRune(r) }) {
		if !repeats(inner, word) {
			return false
		}
	}
	return true
}

// gather collects the texts of the items, up to about limit bytes.
func (b *builder) gather(sb *strings.Builder, first int32, limit int) {
	for c := first; c != 0 && sb.Len() < limit; c = b.items[c].next {
		it := &b.items[c]
		sb.WriteString(it.label)
		sb.WriteByte(' ')
		sb.WriteString(it.value)
		sb.WriteByte(' ')
		b.gather(sb, it.first, limit)
	}
}
