package aria

// Refs returns the number of each element that has an upstream ref on a page as
// it was last identified, nil if the page is not known.
func (n *Numbers) Refs(page string) map[string]int {
	p := n.pages[page]
	if p == nil {
		return nil
	}
	refs := make(map[string]int, len(p.refs))
	for ref, r := range p.refs {
		if _, here := p.byNo[r.no]; here {
			refs[ref] = int(r.no)
		}
	}
	return refs
}
