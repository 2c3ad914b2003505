package aria

// This file holds the numbers that stand for elements during a session.

import (
	"slices"
	"strings"
)

const (
	// maxPages and maxGone bound what is remembered of pages and of
	// elements that are no more.
	maxPages = 64
	maxGone  = 4096
)

// Numbers gives elements numbers that last for a session. A number belongs to
// one element of one page and is never given to another. The zero value is
// ready for use; it is not safe for use by several goroutines at once.
type Numbers struct {
	last  int32
	clock int
	pages map[string]*numberedPage
	// where has the page of each number whose element was there when its
	// page was last identified.
	where map[int32]*numberedPage
	gone  map[int32]departed
	// order has the keys of gone, the oldest first.
	order []int32
}

// numberedPage is a page as it was when it was last identified.
type numberedPage struct {
	key  string
	seen int // Numbers.clock
	tree *Tree
	sig  *signatures
	// refs has the numbers by upstream's ref, also of elements that vanished
	// since.
	refs map[string]numberedRef
	byNo map[int32]int32 // number to node of tree
}

// numberedRef is what is known of a ref.
type numberedRef struct {
	role, name string
	no         int32
}

// departed describes an element that is no more.
type departed struct{ page, role, name string }

// IdentifyOptions say how a tree follows on what was seen before.
type IdentifyOptions struct {
	// Carry lets numbers pass to a new document, after a reload for example.
	// Within one document they always pass to elements of equal content.
	Carry bool
	// From is the key of the page that this one takes the place of, as after
	// a restart of the browser. Empty means the page of the same key.
	From string
}

// Identify sets Node.Number of every node that is shown with a handle, or was:
// numbers stay short when none is spent on what nobody sees. page is the caller's
// key of the tab and of the browser's generation, within which upstream never
// uses a ref twice for different elements.
//
// An element keeps its number as long as its ref, role and name stay: upstream
// gives a ref again when a frame shows another document (0.0.83). Otherwise the number passes to the new element of the same content, if before
// and now there is exactly one such element.
func (n *Numbers) Identify(page string, t *Tree, o IdentifyOptions) {
	if n.pages == nil {
		n.pages = map[string]*numberedPage{}
		n.where = map[int32]*numberedPage{}
		n.gone = map[int32]departed{}
	}
	n.clock++
	if o.From == "" {
		o.From = page
	}
	before := n.pages[o.From]
	now := &numberedPage{
		key: page, seen: n.clock, tree: t, sig: sign(t, before),
		refs: make(map[string]numberedRef, len(t.Nodes)), byNo: make(map[int32]int32, len(t.Nodes)),
	}
	var fresh []int32
	shown := planHandles(t, HandlesLeaf)
	for i := range t.Nodes {
		nd := &t.Nodes[i]
		nd.Number = 0
		if nd.Ref == "" {
			continue
		}
		if before != nil && o.From == page {
			if r, ok := before.refs[nd.Ref]; ok && r.role == nd.Role && r.name == nd.Name {
				if _, twice := now.byNo[r.no]; !twice {
					now.give(int32(i), r.no)
					continue
				}
			}
		}
		if shown[i]&keeps != 0 {
			fresh = append(fresh, int32(i))
		}
	}
	if before != nil && len(fresh) > 0 {
		fresh = carry(before, now, fresh, o.Carry || o.From != page)
	}
	for _, i := range fresh {
		n.last++
		now.give(i, n.last)
	}
	n.settle(o.From, page, before, now)
}

// give assigns a number to a node.
func (p *numberedPage) give(i, no int32) {
	nd := &p.tree.Nodes[i]
	nd.Number = no
	p.refs[nd.Ref] = numberedRef{nd.Role, nd.Name, no}
	p.byNo[no] = i
}

// settle puts the page in the place of the one before and notes what is gone.
func (n *Numbers) settle(from, page string, before, now *numberedPage) {
	if before != nil {
		for no, i := range before.byNo {
			if _, here := now.byNo[no]; !here {
				n.depart(no, departed{page, before.tree.Nodes[i].Role, describe(before.tree, i)})
			}
		}
		// An element that is hidden for a while comes back with its ref.
		if from == page && len(before.refs) <= 2*len(now.refs)+maxGone {
			for ref, r := range before.refs {
				_, here := now.byNo[r.no]
				if _, again := now.refs[ref]; !here && !again {
					now.refs[ref] = r
				}
			}
		}
		delete(n.pages, from)
	}
	for no := range now.byNo {
		n.where[no] = now
		delete(n.gone, no)
	}
	if old := n.pages[page]; old != nil && old != before {
		n.Forget(page)
	}
	n.pages[page] = now
	if len(n.pages) > maxPages {
		oldest := page
		for key, p := range n.pages {
			if p.seen < n.pages[oldest].seen {
				oldest = key
			}
		}
		n.Forget(oldest)
	}
}

// depart notes that the element of a number is no more.
func (n *Numbers) depart(no int32, d departed) {
	delete(n.where, no)
	n.gone[no] = d
	n.order = append(n.order, no)
	for len(n.order) > maxGone {
		delete(n.gone, n.order[0])
		n.order = n.order[1:]
	}
}

// Forget drops all that is known of a page, such as a tab that was closed. Its
// numbers then count as gone.
func (n *Numbers) Forget(page string) {
	p := n.pages[page]
	if p == nil {
		return
	}
	for no := range p.byNo {
		if n.where[no] == p {
			delete(n.where, no)
		}
	}
	delete(n.pages, page)
}

// Resolution says what a handle stands for.
type Resolution struct {
	// Number is the element's, 0 for a ref of upstream's.
	Number int
	// Ref is what upstream knows the element by; empty if it is gone.
	Ref string
	// Page is the key of the page the element is or was on, empty if not
	// known. A ref means nothing on another page.
	Page string
	// Role and Name describe the element; both are empty if it is not known
	// any more, or if no element ever had the number.
	Role, Name string
	// Given tells a number that some element had from one that none had.
	Given bool
	// Candidates are elements now on the page that are most like one that
	// is gone, at most 3, the best first.
	Candidates []Candidate
}

// Candidate is an element that may be meant by a handle that is gone.
type Candidate struct {
	Number     int
	Role, Name string
}

// Resolve says what an argument stands for: 47, [47], ref=47 and [ref=47], or
// a ref of upstream's such as e12 in the same forms. It returns false for
// anything else, such as a selector.
func (n *Numbers) Resolve(arg string) (Resolution, bool) {
	ref := bareRef(arg)
	if isUpstreamRef(ref) {
		return Resolution{Ref: ref}, true
	}
	no, ok := parseNumber(ref)
	if !ok {
		return Resolution{}, false
	}
	r := Resolution{Number: no, Given: no > 0 && no <= int(n.last)}
	if !r.Given {
		return r, true
	}
	if p := n.where[int32(no)]; p != nil {
		i := p.byNo[int32(no)]
		nd := &p.tree.Nodes[i]
		r.Page, r.Ref, r.Role, r.Name = p.key, nd.Ref, nd.Role, describe(p.tree, i)
		return r, true
	}
	d := n.gone[int32(no)]
	r.Page, r.Role, r.Name = d.page, d.role, d.name
	if p := n.pages[d.page]; p != nil {
		r.Candidates = p.similar(d.role, d.name)
	}
	return r, true
}

// NumberOf returns the number of the element that has an upstream ref on a
// page as it was last identified, 0 if there is none.
func (n *Numbers) NumberOf(page, ref string) int {
	if p := n.pages[page]; p != nil {
		if r := p.refs[ref]; r.no != 0 {
			if _, here := p.byNo[r.no]; here {
				return int(r.no)
			}
		}
	}
	return 0
}

// bareRef takes the brackets and "ref=" off a handle.
func bareRef(arg string) string {
	arg = strings.TrimSpace(arg)
	if len(arg) > 1 && arg[0] == '[' && arg[len(arg)-1] == ']' {
		arg = arg[1 : len(arg)-1]
	}
	return strings.TrimPrefix(arg, "ref=")
}

// isUpstreamRef reports whether s has the form e12 or f2e12.
func isUpstreamRef(s string) bool {
	if rest, ok := strings.CutPrefix(s, "f"); ok {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 {
			return false
		}
		s = rest[digits:]
	}
	rest, ok := strings.CutPrefix(s, "e")
	return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
}

// parseNumber reads a number of at most nine digits.
func parseNumber(s string) (int, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

// similar returns the elements of a role whose names are most like name.
func (p *numberedPage) similar(role, name string) []Candidate {
	type scored struct {
		Candidate
		score int
	}
	var found []scored
	words := strings.Fields(strings.ToLower(name))
	for i := range p.tree.Nodes {
		nd := &p.tree.Nodes[i]
		if nd.Number == 0 || nd.Role != role {
			continue
		}
		own := describe(p.tree, int32(i))
		score := 0
		if own == name {
			score = 1000
		} else {
			theirs := strings.Fields(strings.ToLower(own))
			for _, w := range words {
				if slices.Contains(theirs, w) {
					score += 10
				}
			}
			score -= max(0, len(theirs)-len(words))
		}
		if score > 0 {
			found = append(found, scored{Candidate{int(nd.Number), role, own}, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.score - a.score })
	var best []Candidate
	for _, f := range found[:min(3, len(found))] {
		best = append(best, f.Candidate)
	}
	return best
}

// describe returns the name of a node, or the start of the text inside it.
func describe(t *Tree, i int32) string {
	const limit = 60
	nd := &t.Nodes[i]
	if nd.Name != "" {
		return cutText(nd.Name, limit)
	}
	var sb strings.Builder
	collectText(&sb, t, i, limit)
	return cutText(strings.TrimSpace(sb.String()), limit)
}

// collectText adds the texts and names inside a node, up to about limit bytes.
func collectText(sb *strings.Builder, t *Tree, i int32, limit int) {
	nd := &t.Nodes[i]
	if nd.Value != "" {
		sb.WriteString(nd.Value + " ")
	}
	for c := nd.First; c != 0 && sb.Len() < limit; c = t.Nodes[c].Next {
		if name := t.Nodes[c].Name; name != "" {
			sb.WriteString(name + " ")
			continue
		}
		collectText(sb, t, c, limit)
	}
}

// cutText shortens s to at most limit characters, at the end of a word.
func cutText(s string, limit int) string {
	if kept := cutWords(s, limit); len(kept) < len(s) {
		return kept + ellipsis
	}
	return s
}
