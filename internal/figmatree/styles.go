package figmatree

// The shared styles of REST files: layers name them by id.

// listStyles returns the entries of an answer's lists of styles, without what
// only plugins need (counted as deleted) and what says nothing.
func listStyles(v *Value, counts *Counts) []Value {
	var out []Value
	seen := map[string]bool{}
	for _, at := range listHolders(v) {
		for _, m := range at.Get("styles").Members() {
			if seen[m.Name] {
				continue // each of the nodes asked for lists them
			}
			seen[m.Name] = true
			entry := Value{Name: m.Name, Kind: m.Kind, Text: m.Text}
			for _, member := range m.Kids {
				switch {
				case m.Kind == Object && member.Name == "key":
					counts.MetaKeysDeleted++
				case m.Kind == Object && saysNothing(&member):
				default:
					entry.Kids = append(entry.Kids, member)
				}
			}
			out = append(out, entry)
		}
	}
	return out
}

// saysNothing reports whether a member of a list's entry is what Figma writes
// where there is nothing to say: remote:false, description:"",
// documentationLinks:[].
func saysNothing(m *Value) bool {
	return m.Kind == String && m.Text == "" || m.Kind == Array && len(m.Kids) == 0 || m.IsFalse()
}

// sharedStyles appends the ids of the shared styles that a member of a layer
// names, those of its overrides included.
func sharedStyles(ids []string, m *Value) []string {
	switch m.Name {
	case "styles":
		for _, style := range m.Members() {
			ids = append(ids, style.Str())
		}
	case overridesMember, childrenMember:
		for _, o := range m.Items() {
			for i := range o.Kids {
				ids = sharedStyles(ids, &o.Kids[i])
			}
		}
	}
	return ids
}
