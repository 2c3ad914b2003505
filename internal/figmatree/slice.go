package figmatree

// Module 7 for the layer that was asked for: it is never a stub, since fetching
// it would be the same call again. What is too long in it is sliced.

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/playguard/playguard/internal/jsonrpc"
)

const (
	leastSlice = 80 // characters: what is shorter stays whole
	sliceRoom  = 24 // characters: more than a slice's mark takes
)

// sliced cuts over characters, or as many as may be, off a text, and says how
// many those are. left is their number.
func sliced(s string, over int) (text string, left int) {
	before := 0 // what an earlier slice left out
	if i := strings.LastIndex(s, sliceMark); i >= 0 {
		if n, err := strconv.Atoi(strings.TrimSuffix(s[i+len(sliceMark):], "]")); err == nil && n > 0 {
			s, before = s[:i], n
			over += sliceRoom
		}
	}
	all := utf8.RuneCountInString(s)
	// over counts what is written, escapes included.
	keep := max(all-over*all/max(1, utf8.RuneCount(appendQuoted(nil, s)))-sliceRoom, leastSlice)
	if keep >= all && before == 0 {
		return s, 0
	}
	keep = min(keep, all)
	at := 0
	for range keep {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return s[:at] + sliceMark + strconv.Itoa(before+all-keep) + "]", all - keep
}

// sliceMark stands before the number of characters that were left out.
const sliceMark = "…[+"

// shorten slices the longest of a layer's text and words by about over
// characters; false: nothing is long.
func (l *layer) shorten(over int, counts *Counts) bool {
	longest, at := utf8.RuneCountInString(l.text), -1
	for i, w := range l.rest {
		if n := utf8.RuneCountInString(w); n > longest && !shorthand(w) {
			longest, at = n, i
		}
	}
	if at < 0 {
		text, left := sliced(l.text, over)
		l.text = text
		counts.Sliced += left
		return left > 0
	}
	key, value, ok := strings.Cut(l.rest[at], "=")
	if !ok || strings.ContainsAny(key, `"{[(`) {
		key, value = "rest", l.rest[at] // the name of a style may hold anything
	}
	if s, err := jsonrpc.Unquote([]byte(value)); err == nil {
		value = s
	}
	value, left := sliced(value, over)
	if left > 0 {
		l.rest[at] = key + "=" + string(appendQuoted(nil, value))
		counts.Sliced += left
	}
	return left > 0
}

// shorthand reports whether a word has a form of its own, which a slice of it would
// not have: a text style, the component of an instance.
func shorthand(word string) bool {
	for _, key := range []string{"font", "comp"} {
		if rest, ok := strings.CutPrefix(word, key); ok && rest != "" && (rest[0] == '=' || rest[0] == '"') {
			return true
		}
	}
	return false
}

// shortenText slices the longest string of a node, those of its children apart.
func shortenText(n *Value, over int, counts *Counts) bool {
	var longest *Value
	var look func(v *Value)
	look = func(v *Value) {
		if v.Kind == String && v.Name != "id" && (longest == nil || len(v.Text) > len(longest.Text)) {
			longest = v
		}
		for i := range v.Kids {
			look(&v.Kids[i])
		}
	}
	for i := range n.Kids {
		if n.Kids[i].Name != childrenMember {
			look(&n.Kids[i])
		}
	}
	if longest == nil {
		return false
	}
	text, left := sliced(longest.Text, over)
	longest.Text = text
	counts.Sliced += left
	return left > 0
}

// fitRoot calls shorten with how many characters too many there are until there
// are none or it finds nothing more. size returns how many there are.
func fitRoot(budget int, size func() int, shorten func(over int) bool) {
	for range tries {
		if over := size() - budget; over <= 0 || !shorten(over) {
			return
		}
	}
}
