package aria

// This file decides how tables are laid out.

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
