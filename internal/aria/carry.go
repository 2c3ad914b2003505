package aria

// This file decides which new element a number passes to when a page renders
// an element again and upstream gives it a new ref.

import (
	"hash/maphash"
	"strings"
)

// signatures describe the content of each node of a tree by hashes.
type signatures struct {
	seed maphash.Seed
	// content is of the names and texts of the node and all inside it, but
	// neither of states nor of the values of controls, which change.
	content []uint64
	// shape is of the roles alone; it is dropped when the keys are known.
	shape []uint64
	// key is what two nodes must share to be taken for the same element: 0
	// if the node says too little.
	key []uint64
	// cards has the shapes of wrappers that were seen side by side, and so
	// are items of a list although no role says it.
	cards map[uint64]bool
}

// sign computes the signatures of a tree with the seed and the knowledge of
// the page before, if there is one.
func sign(t *Tree, before *numberedPage) *signatures {
	s := &signatures{
		content: make([]uint64, len(t.Nodes)),
		shape:   make([]uint64, len(t.Nodes)),
		key:     make([]uint64, len(t.Nodes)),
	}
	if before != nil {
		s.seed, s.cards = before.sig.seed, before.sig.cards
	} else {
		s.seed, s.cards = maphash.MakeSeed(), map[uint64]bool{}
	}
	// Backwards, the parts of a node come before it.
	for i := len(t.Nodes) - 1; i > 0; i-- {
		nd := &t.Nodes[i]
		s.shape[i] = mix(s.shape[i], s.str(nd.Role)) | 1
		if says := s.own(nd); says != 0 || s.content[i] != 0 {
			s.content[i] = mix(s.content[i], says)
			s.content[nd.Parent] = mix(s.content[nd.Parent], s.content[i])
		}
		s.shape[nd.Parent] = mix(s.shape[nd.Parent], s.shape[i])
	}
	s.learn(t)
	s.keys(t, 0, context{})
	s.shape = nil
	return s
}

// own is the hash of what a node itself says, 0 if nothing.
func (s *signatures) own(nd *Node) uint64 {
	if nd.Name == "" && (nd.Value == "" || roles[nd.Role]&valued != 0) {
		return 0
	}
	h := s.str(nd.Name)
	if roles[nd.Role]&valued == 0 {
		h = mix(h, s.str(nd.Value))
	}
	return h | 1
}

// learn notes the shapes of wrappers that stand side by side.
func (s *signatures) learn(t *Tree) {
	const limit = 1 << 12
	for i := range t.Nodes {
		nd := &t.Nodes[i]
		if nd.Role == "generic" && nd.First != 0 && len(s.cards) < limit {
			if next := nd.Next; next != 0 && s.shape[next] == s.shape[i] {
				s.cards[s.shape[i]] = true
			}
		}
	}
}

// context is what surrounds a node.
type context struct {
	// hash is of the frame, the named sections and the heading above.
	hash uint64
	// item is the content of the list item, row or card around the node, 0
	// outside of any.
	item uint64
}

// keys sets the keys of all nodes inside node i and returns the hash of the
// last heading among them, 0 if there is none.
func (s *signatures) keys(t *Tree, i int32, around context) uint64 {
	heading := uint64(0)
	frames := uint64(0)
	for c := t.Nodes[i].First; c != 0; c = t.Nodes[c].Next {
		nd := &t.Nodes[c]
		here := around
		here.hash = mix(here.hash, heading)
		s.key[c] = s.keyOf(nd, c, here)
		inner := here
		switch {
		case nd.Role == "iframe":
			frames++
			inner = context{hash: mix(mix(here.hash, s.str(nd.Name)), frames)}
		case s.isItem(nd, c):
			inner.item = mix(around.item, s.content[c]) | 1
		case nd.Name != "" && roles[nd.Role]&fromContent == 0:
			inner.hash = mix(here.hash, mix(s.str(nd.Role), s.str(withoutDigits(nd.Name))))
		}
		below := s.keys(t, c, inner)
		switch {
		case nd.Role == "heading":
			heading = mix(s.str(withoutDigits(nd.Name)), s.str(withoutDigits(nd.Value))) | 1
		case below != 0 && nd.Role != "iframe" && !s.isItem(nd, c):
			heading = below
		}
	}
	return heading
}

// keyOf is the key of node c in its surroundings.
func (s *signatures) keyOf(nd *Node, c int32, around context) uint64 {
	says := s.str(nd.Name)
	switch {
	case nd.Name != "":
	case roles[nd.Role]&valued == 0 && s.content[c] != 0:
		says = s.content[c]
	case around.item == 0 && len(nd.Props) == 0:
		return 0
	}
	for _, p := range nd.Props {
		says = mix(says, mix(s.str(p.Name), s.str(p.Value)))
	}
	return mix(mix(mix(around.hash, around.item), s.str(nd.Role)), says) | 1
}

// isItem reports whether a node is an item of a list.
func (s *signatures) isItem(nd *Node, i int32) bool {
	switch nd.Role {
	case "listitem", "row", "article", "treeitem", "option":
		return true
	}
	return nd.Role == "generic" && nd.First != 0 && s.content[i] != 0 && s.cards[s.shape[i]]
}

func (s *signatures) str(v string) uint64 {
	if v == "" {
		return 0
	}
	return maphash.String(s.seed, v)
}

// mix combines two hashes; the order matters.
func mix(a, b uint64) uint64 {
	a = (a ^ (b + 0x9e3779b97f4a7c15 + a<<6 + a>>2)) * 0xff51afd7ed558ccd
	return a ^ a>>33
}

// withoutDigits drops the digits of a heading: counters change.
func withoutDigits(s string) string {
	if !strings.ContainsAny(s, "0123456789") {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, s)
}

// afterCount drops a number that other words follow.
func afterCount(s string) string {
	if rest := strings.TrimLeft(s, "0123456789"); strings.HasPrefix(rest, " ") {
		return rest
	}
	return s
}

// carry passes numbers of elements that vanished to those among the fresh
// nodes that are equal in content, and returns the other fresh nodes. Elements
// of a document that is no more count only if across is set.
//
// It compares all elements there were with all there are: of two equal ones,
// of which one stayed, nobody knows whether a new one is the other.
func carry(before, now *numberedPage, fresh []int32, across bool) []int32 {
	old, cur := before.sig.unique(before.tree), now.sig.unique(now.tree)
	rest := fresh[:0]
	shared := map[[2]int32]bool{}
	for _, i := range fresh {
		key := now.sig.key[i]
		was, ok := old[key]
		if key == 0 || !ok || was < 0 || cur[key] < 0 {
			rest = append(rest, i)
			continue
		}
		wasNode, node := &before.tree.Nodes[was], &now.tree.Nodes[i]
		no := wasNode.Number
		if _, stayed := now.byNo[no]; stayed || no == 0 || !across && frameOf(wasNode.Ref) != frameOf(node.Ref) ||
			!sameSurroundings(before, now, was, i, shared) {
			rest = append(rest, i)
			continue
		}
		now.give(i, no)
	}
	return rest
}

// unique maps each key to the one node that has it, or to -1.
func (s *signatures) unique(t *Tree) map[uint64]int32 {
	nodes := make(map[uint64]int32, len(t.Nodes))
	for i := 1; i < len(t.Nodes); i++ {
		if t.Nodes[i].Ref == "" {
			continue
		}
		if _, twice := nodes[s.key[i]]; twice {
			nodes[s.key[i]] = -1
		} else {
			nodes[s.key[i]] = int32(i)
		}
	}
	return nodes
}

// frameOf is the part of a ref that names the document.
func frameOf(ref string) string {
	if i := strings.IndexByte(ref, 'e'); i > 0 {
		return ref[:i]
	}
	return ""
}

// sameSurroundings guards against a lone card whose place another one takes:
// what stands next to the node must for the most part be what it was.
func sameSurroundings(before, now *numberedPage, was, is int32, known map[[2]int32]bool) bool {
	a, b := before.sig.surroundings(before.tree, was), now.sig.surroundings(now.tree, is)
	if before.sig.content[a] == now.sig.content[b] || a == 0 || b == 0 {
		return true
	}
	switch role := now.tree.Nodes[b].Role; role {
	case "main", "banner", "contentinfo", "navigation", "search", "toolbar", "tablist", "menubar":
		if role == before.tree.Nodes[a].Role {
			return true // no card
		}
	}
	pair := [2]int32{a, b}
	same, ok := known[pair]
	if !ok {
		had, has := map[uint64]bool{}, map[uint64]bool{}
		before.sig.texts(had, before.tree, a)
		now.sig.texts(has, now.tree, b)
		both := 0
		for h := range had {
			if has[h] {
				both++
			}
		}
		same = 2*both >= max(len(had), len(has))
		known[pair] = same
	}
	return same
}

// surroundings is the nearest node around i that says more than i does.
func (s *signatures) surroundings(t *Tree, i int32) int32 {
	up := i
	for up != 0 {
		up = t.Nodes[up].Parent
		if nd := &t.Nodes[up]; nd.First != nd.Last && s.speaksBeside(t, up, i) {
			break
		}
	}
	return up
}

// speaksBeside reports whether a part of node up says something that is not
// said by the part which holds i.
func (s *signatures) speaksBeside(t *Tree, up, i int32) bool {
	for c := t.Nodes[up].First; c != 0; c = t.Nodes[c].Next {
		holds := c <= i && (t.Nodes[c].Next == 0 || i < t.Nodes[c].Next)
		if !holds && s.content[c] != 0 {
			return true
		}
	}
	return false
}

// texts collects the texts and headings inside node i that are no controls, a
// few hundred at most.
func (s *signatures) texts(into map[uint64]bool, t *Tree, i int32) {
	const limit = 300
	for c := t.Nodes[i].First; c != 0 && len(into) < limit; c = t.Nodes[c].Next {
		nd := &t.Nodes[c]
		if roles[nd.Role]&covering != 0 {
			continue
		}
		if s.own(nd) != 0 {
			// A number in front is a count: "3 items left".
			into[mix(s.str(afterCount(nd.Name)), s.str(afterCount(nd.Value)))] = true
		}
		s.texts(into, t, c)
	}
}
