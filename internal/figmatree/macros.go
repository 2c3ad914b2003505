package figmatree

// Macros: words that several lines share get a short name, defined once.

import (
	"slices"
	"strconv"
	"strings"
)

// macro is a name for some words.
type macro struct {
	name  string
	words []string // as they are written: words, or names of other macros
	count int
}

// macros are those of one text.
type macros struct {
	byKey map[string]*macro // by the words they stand for
	list  []*macro
}

// worth reports whether a name saves more than its definition costs.
func worth(words string, count int) bool {
	c := cost(words)
	return count > 1 && (count-1)*(c-1) > 3
}

// findMacros looks for what is worth a name on the lines of some layers.
func findMacros(lines []*layer) *macros {
	m := &macros{byKey: map[string]*macro{}}
	whole, part := map[string]int{}, map[string]int{}
	for _, l := range lines {
		if len(l.rest) > 0 {
			whole[l.key()]++
		}
	}
	m.take(lines, whole, (*attrs).key)
	for _, l := range lines {
		if len(l.rest) > 1 && l.size != "" && m.byKey[l.key()] == nil {
			part[strings.Join(l.rest, " ")]++
		}
	}
	m.take(lines, part, func(a *attrs) string { return strings.Join(a.rest, " ") })
	words := map[string]int{}
	for _, l := range lines {
		if m.of(l) == nil {
			for _, w := range l.rest {
				words[w]++
			}
		}
	}
	for _, def := range m.list {
		for _, w := range def.words {
			words[w]++
		}
	}
	var single []*macro
	for w, n := range words {
		if m.byKey[w] == nil && worth(w, n) {
			single = append(single, &macro{words: []string{w}, count: n})
		}
	}
	for _, def := range single {
		m.byKey[def.words[0]] = def
		m.list = append(m.list, def)
	}
	m.name(lines)
	return m
}

// take makes macros of the keys that are worth it.
func (m *macros) take(lines []*layer, counts map[string]int, key func(*attrs) string) {
	for _, l := range lines {
		k := key(&l.attrs)
		if n := counts[k]; worth(k, n) && m.byKey[k] == nil {
			def := &macro{words: append([]string(nil), l.rest...), count: n}
			if k == l.key() && l.size != "" {
				def.words = append([]string{l.size}, def.words...)
			}
			m.byKey[k] = def
			m.list = append(m.list, def)
		}
	}
}

// of returns the macro of a line's words, that with the size first.
func (m *macros) of(l *layer) *macro {
	if def := m.byKey[l.key()]; def != nil {
		return def
	}
	if l.size != "" && len(l.rest) > 1 {
		return m.byKey[strings.Join(l.rest, " ")]
	}
	return nil
}

// name gives the shortest names to those that are used most.
func (m *macros) name(lines []*layer) {
	uses := map[*macro]int{}
	for _, l := range lines {
		if def := m.of(l); def != nil {
			uses[def]++
		} else {
			for _, w := range l.rest {
				if def := m.byKey[w]; def != nil {
					uses[def]++
				}
			}
		}
	}
	for _, def := range m.list {
		for _, w := range def.words {
			if inner := m.byKey[w]; inner != nil && inner != def {
				uses[inner]++
			}
		}
	}
	slices.SortStableFunc(m.list, func(a, b *macro) int {
		if uses[a] != uses[b] {
			return uses[b] - uses[a]
		}
		return strings.Compare(strings.Join(a.words, " "), strings.Join(b.words, " "))
	})
	for i, def := range m.list {
		def.name = macroName(i)
	}
}

// macroName returns a, b, … z, A, … Z, aa, ab, … ZZ, M0, M1, …: no word of a
// style looks like one of them.
func macroName(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	const n = len(letters)
	switch {
	case i < n:
		return letters[i : i+1]
	case i < n+n*n:
		i -= n
		return letters[i/n:i/n+1] + letters[i%n:i%n+1]
	}
	return "M" + strconv.Itoa(i-n-n*n)
}

// words returns a line's words with macros put in.
func (m *macros) words(l *layer) []string {
	var out []string
	switch def := m.of(l); {
	case def == nil:
		if l.size != "" {
			out = append(out, l.size)
		}
		for _, w := range l.rest {
			out = append(out, m.word(w))
		}
	case def == m.byKey[l.key()]:
		out = append(out, def.name)
	default:
		out = append(out, l.size, def.name)
	}
	return out
}

func (m *macros) word(w string) string {
	if def := m.byKey[w]; def != nil {
		return def.name
	}
	return w
}

// define writes the definitions, one on a line.
func (m *macros) define(dst []byte) []byte {
	for _, def := range m.list {
		dst = append(append(dst, def.name...), '=')
		for i, w := range def.words {
			if i > 0 {
				dst = append(dst, ' ')
			}
			if inner := m.byKey[w]; inner != nil && inner != def {
				w = inner.name
			}
			dst = append(dst, w...)
		}
		dst = append(dst, '\n')
	}
	return dst
}
