package figmatree

// The dense form within a budget.

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"
)

// tries is how often a text is written to find out how much fits.
const tries = 10

// fitted returns the text of a document, cut to budget characters; 0 is no limit.
func (d *dense) fitted(budget int, counts *Counts) string {
	var whole []*branch
	estimate := 0
	words := map[string]int{}
	for _, root := range d.roots {
		root.countWords(words)
	}
	for _, root := range d.roots {
		b := root.branch(words)
		estimate += b.measure()
		whole = append(whole, b)
	}
	// What is far too large is not written in full to see that it is.
	if budget <= 0 || estimate < 16*budget {
		findCopies(d.roots, maphash.MakeSeed())
		text := d.text()
		if budget <= 0 || utf8.RuneCountInString(text) <= budget {
			return text
		}
	}
	pin(whole)
	if len(d.roots) == 1 {
		d.fitRoot(whole[0], budget, words, counts)
	}
	var text string
	var cut *dense
	render := func() bool {
		cut = d.kept(whole)
		text = cut.text()
		return utf8.RuneCountInString(text) <= budget
	}
	largest(whole, budget, tries, render)
	render()
	for _, root := range cut.roots {
		root.countStubs(counts)
	}
	return text
}

// fitRoot slices what is long in the only root, until it fits: alone, or with as
// much room again for those below it.
func (d *dense) fitRoot(b *branch, budget int, words map[string]int, counts *Counts) {
	root := d.roots[0]
	size := func() int { return utf8.RuneCountInString(d.text()) }
	if len(root.kids) > 0 {
		budget /= 2
		size = func() int { return root.branch(words).own }
	}
	fitRoot(budget, size, func(over int) bool { return root.shorten(over, counts) })
	*b = *root.branch(words)
	b.root = true
	pin([]*branch{b})
}

// countWords counts how often each word is there.
func (l *layer) countWords(counts map[string]int) {
	for _, w := range l.rest {
		counts[w]++
	}
	for _, kid := range l.kids {
		kid.countWords(counts)
	}
}

// branch estimates a layer's line. A word that is there several times has a
// macro.
func (l *layer) branch(words map[string]int) *branch {
	const id, macro = 8, 3 // characters
	b := &branch{stub: len(l.name) + id + 12}
	if l.textIsName() {
		b.stub += len(l.text)
	}
	b.own = len(l.name) + id + 8 + len(l.place) + min(len(l.attrs.size), 8) + len(l.text)
	for _, w := range l.rest {
		if words[w] > 1 {
			b.own += macro
		} else {
			b.own += len(w) + 1
		}
	}
	if len(l.kids) == 0 && b.own < 2*b.stub {
		b.stub = b.own // a stub would hardly be shorter, and say less
	}
	b.stub = min(b.stub, b.own)
	for _, kid := range l.kids {
		b.kids = append(b.kids, kid.branch(words))
	}
	return b
}

// kept returns the document with what was not cut, as layers of its own.
func (d *dense) kept(branches []*branch) *dense {
	out := &dense{doc: d.doc}
	for i, root := range d.roots {
		out.roots = append(out.roots, root.kept(branches[i]))
	}
	findCopies(out.roots, maphash.MakeSeed())
	// What the lists say of what was cut goes with it.
	components, styles := map[string]bool{}, map[string]bool{}
	var walk func(l *layer)
	walk = func(l *layer) {
		if l.component != "" {
			components[l.component] = true
		}
		for _, id := range l.shared {
			styles[id] = true
		}
		for rest := l.text; ; {
			_, after, found := strings.Cut(rest, "{")
			if !found {
				break
			}
			name, tail, _ := strings.Cut(after, "}")
			styles[name] = true
			rest = tail
		}
		for _, kid := range l.kids {
			walk(kid)
		}
	}
	for _, root := range out.roots {
		walk(root)
	}
	for _, c := range d.lists {
		if components[c.ID] && c.SetID != "" {
			components[c.SetID] = true
		}
	}
	for _, c := range d.lists {
		if components[c.ID] {
			out.lists = append(out.lists, c)
		}
	}
	for _, style := range d.styles {
		if styles[style.Name] {
			out.styles = append(out.styles, style)
		}
	}
	return out
}

func (l *layer) kept(b *branch) *layer {
	out := &layer{id: l.id, name: l.name, named: l.named, kind: l.kind, count: l.count}
	if b.cut {
		out.cut = true
		if l.textIsName() {
			out.text, out.worded = l.text, true
		}
		return out
	}
	out.text, out.worded, out.component, out.shared = l.text, l.worded, l.component, l.shared
	out.attrs = attrs{place: l.place, size: l.attrs.size, rest: l.rest}
	for i, kid := range l.kids[:b.shown] {
		out.kids = append(out.kids, kid.kept(b.kids[i]))
	}
	for _, kid := range l.kids[b.shown:] {
		out.more += kid.count
	}
	return out
}

// maxTextName is how long a text may be to stand for a name, in bytes.
const maxTextName = 60

// textIsName reports whether a stub shows the layer's text, since it has no other
// name: Framelink leaves out those that are the text.
func (l *layer) textIsName() bool { return l.worded && !l.named && len(l.text) <= maxTextName }

func (l *layer) countStubs(counts *Counts) {
	if l.cut {
		counts.Stubs++
		counts.LayersLeftOut += l.count - 1
	}
	counts.LayersLeftOut += l.more
	for _, kid := range l.kids {
		kid.countStubs(counts)
	}
}
