package figmatree

// Copies: a subtree that repeats an earlier one is written as a reference and
// its differences (module 8a, in the dense form for subtrees anywhere).

import (
	"hash/maphash"
	"strings"
)

// layerHash tells in three grades how much alike two subtrees are.
type layerHash struct {
	tree  uint64 // the kinds of layers and how they are nested
	style uint64 // and their words, but for places
	whole uint64 // and names, texts and places
}

// hasher computes the hashes of subtrees.
type hasher struct{ seed maphash.Seed }

func (h hasher) sum(parts ...string) uint64 {
	var m maphash.Hash
	m.SetSeed(h.seed)
	for _, part := range parts {
		m.WriteString(part)
		m.WriteByte(0)
	}
	return m.Sum64()
}

func (h hasher) mix(sums []uint64) uint64 {
	var m maphash.Hash
	m.SetSeed(h.seed)
	for _, s := range sums {
		maphash.WriteComparable(&m, s)
	}
	return m.Sum64()
}

func (h hasher) layer(l *layer) {
	tree := []uint64{h.sum(l.kind)}
	style := []uint64{h.sum(l.kind, l.key())}
	whole := []uint64{h.sum(l.kind, l.key(), l.place, l.name, l.text)}
	for _, kid := range l.kids {
		h.layer(kid)
		tree, style, whole = append(tree, kid.hash.tree), append(style, kid.hash.style), append(whole, kid.hash.whole)
	}
	l.hash = layerHash{h.mix(tree), h.mix(style), h.mix(whole)}
	if l.cut || l.more > 0 {
		// It is like no other: what is in it isn't known here.
		own := h.sum(l.id)
		l.hash = layerHash{own, own, own}
	}
}

// copier finds the earlier subtree that each one is told by best.
type copier struct {
	seen map[uint64]*layer // by any of the hashes: the first subtree that is written out
	ids  map[string]int    // how often each id is there
}

// findCopies marks the copies below a list of layers.
func findCopies(roots []*layer, seed maphash.Seed) {
	c := copier{seen: map[uint64]*layer{}, ids: map[string]int{}}
	for _, root := range roots {
		hasher{seed}.layer(root)
		c.count(root)
	}
	for _, root := range roots {
		c.visit(root)
	}
}

func (c copier) count(l *layer) {
	c.ids[l.id]++
	for _, kid := range l.kids {
		c.count(kid)
	}
}

func (c copier) visit(l *layer) {
	if len(l.kids) == 0 {
		return
	}
	if l.more > 0 {
		for _, kid := range l.kids {
			c.visit(kid)
		}
		return
	}
	for _, hash := range []uint64{l.hash.whole, l.hash.style, l.hash.tree} {
		if first := c.seen[hash]; first != nil && c.copies(l, first) {
			return
		}
	}
	for _, hash := range []uint64{l.hash.whole, l.hash.style, l.hash.tree} {
		if c.seen[hash] == nil {
			c.seen[hash] = l
		}
	}
	for _, kid := range l.kids {
		c.visit(kid)
	}
}

// copies makes l a copy of first if that is shorter. A layer that the answer
// holds twice, as part of two of the nodes asked for, can't be referred to.
func (c copier) copies(l, first *layer) bool {
	if l.kind != first.kind || l.worded || first.worded || l.key() != first.key() {
		return false
	}
	var diff []*layer
	texts := map[*layer]bool{}
	listed := false
	plain, told, ids := 0, copyCost, 0
	var compare func(a, b *layer) bool
	compare = func(a, b *layer) bool {
		if a.kind != b.kind || len(a.kids) != len(b.kids) || c.ids[a.id] > 1 || c.ids[b.id] > 1 {
			return false
		}
		if b != l {
			line := lineCost(b)
			plain += line
			ids += idCost
			listed = listed || shiftID(a.id, first.id, l.id) != b.id
			switch {
			case a.sameLine(b):
			case a.sameButText(b):
				diff, texts[b] = append(diff, b), true
				told += idCost + 1 + cost(b.text)
			case b.looksLikeText():
				return false // would be read as a change of the text alone
			default:
				diff = append(diff, b)
				told += line
			}
		}
		for i := range a.kids {
			if !compare(a.kids[i], b.kids[i]) {
				return false
			}
		}
		return true
	}
	if !compare(first, l) {
		return false
	}
	if listed {
		told += ids
	}
	if told*10 >= plain*9 {
		return false
	}
	l.copyOf, l.diff, l.listed = first, diff, listed
	for _, b := range diff {
		b.onlyText = texts[b]
	}
	return true
}

// Estimates in tokens: an id, and what a reference adds to the line of a copy.
const (
	idCost   = 4
	copyCost = 5
)

// lineCost estimates a layer's line. Words count little: those that repeat are
// written once.
func lineCost(l *layer) int {
	return idCost + 1 + cost(l.name) + cost(l.place) + min(cost(l.key()), 3) + cost(l.text)
}

func (l *layer) sameLine(o *layer) bool {
	return l.sameButText(o) && l.text == o.text
}

// sameButText reports whether two lines differ in nothing but the text.
func (l *layer) sameButText(o *layer) bool {
	return l.kind == o.kind && l.named == o.named && l.name == o.name && l.worded == o.worded && l.place == o.place && l.key() == o.key()
}

// looksLikeText reports whether a line has nothing but an id and a text.
func (l *layer) looksLikeText() bool {
	return l.worded && l.kind == textKind && !l.named && l.place == "" && strings.TrimSpace(l.key()) == ""
}
