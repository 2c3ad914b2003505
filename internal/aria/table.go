package aria

// This file writes tables densely. Handles of plain cells can be counted:
// "a|b [8]" is "a [7] b [8]".

// counts reports whether a plain element's handle can be told from the next
// one's: it is the number before. So are those of cells and of the labels of
// fields, which hardly anything listens to, and of all plain elements if not all
// text is wanted.
func (d *dense) counts(it, next *item) bool {
	if it.number == 0 || next.number != it.number+1 || it.handle == "" || next.handle == "" ||
		next.kind != elem || d.opt.Refs {
		return false
	}
	nd := &d.tree.Nodes[it.node]
	if it.kind != elem || it.role != "" || it.label == "" || it.value != "" || it.attrs != "" || it.first != 0 ||
		len(nd.Props) > 0 || nd.actionable() || it.label[0] == '"' || !bareText(it.label) {
		return false
	}
	field := roles[next.role]&valued != 0 && roles[next.role]&fromContent == 0
	return it.cell && next.cell || field && it.label == next.label || d.opt.Text != TextFull
}

// counted writes such an element, with the bar that says so. Words are cheaper
// for a reader with a blank before them, and numbers without.
func (d *dense) counted(it, next *item) {
	d.separate()
	d.out = append(append(d.out, it.label...), '|')
	if next.role != "" || next.label != "" && (next.label[0] >= 'A' || next.label[0] == '"') {
		d.out = append(d.out, ' ')
	}
	d.end, d.role, d.flow = afterBar, "", false
}

// flat reports whether a table is written as a section, without indentation: where
// rows start with numbers, a blank before them costs a token each.
func (d *dense) flat(it *item) bool {
	switch it.role {
	case "table", "grid", "treegrid":
	default:
		return false
	}
	rows, numbers := 0, 0
	d.countRows(it.first, &rows, &numbers)
	return numbers >= 4 && 2*numbers >= rows
}

// countRows counts the rows in a list that are nothing but cells, and those of them
// that start with a digit.
func (d *dense) countRows(first int32, rows, numbers *int) {
	for c := first; c != 0; c = d.items[c].next {
		it := &d.items[c]
		switch {
		case it.kind == group:
			d.countRows(it.first, rows, numbers)
		case d.headless(it):
			*rows++
			if cell := &d.items[it.first]; cell.role == "" && cell.label != "" && cell.label[0] >= '0' && cell.label[0] <= '9' {
				*numbers++
			}
		}
	}
}
