package aria

// This file cuts a view that does not fit into its budget however much of it
// is folded.

// cut shows dialogs, alerts and the focus first and drops what does not fit
// at the end.
func (f *folder) cut() *View {
	var first []int32
	var lift func(i int32)
	lift = func(i int32) {
		f.filter(i, func(c int32) bool {
			switch f.items[c].role {
			case "dialog", "alertdialog", "alert":
				first = append(first, c)
				return false
			}
			lift(c)
			return true
		})
	}
	lift(0)
	f.setList(0, append(first, f.list(0)...))
	whole := f.snapshot()
	order := make([]int32, 0, len(whole.view.items))
	whole.view.visit(0, func(c int32) { order = append(order, c) })
	// The most items that fit, by bisection.
	var best *View
	lo, hi := 0, len(order)
	for lo <= hi {
		mid := (lo + hi) / 2
		v := whole.prefix(order, mid, f.whole.view.handles)
		if text, _ := v.Render(); f.budget.tokens(text) <= f.budget.Tokens {
			best, lo = v, mid+1
		} else {
			hi = mid - 1
		}
	}
	if best == nil {
		e := whole.edit()
		e.setList(0, nil)
		best = e.done()
	}
	return best
}

// prefix is the view of the first n items, and a stub for the rest.
func (v *View) prefix(order []int32, n, handles int) *View {
	e := v.edit()
	gone := make([]bool, len(e.items))
	for _, c := range order[n:] {
		gone[c] = true
	}
	var trim func(i int32)
	trim = func(i int32) {
		e.filter(i, func(c int32) bool {
			if !gone[c] {
				trim(c)
			}
			return !gone[c]
		})
	}
	trim(0)
	if n < len(order) {
		shown := 0
		e.visit(0, func(c int32) {
			if e.items[c].handle != "" {
				shown++
			}
		})
		label := ellipsis + " cut here; "
		label += plural(handles-shown, "interactive element") + " left out: " + snapshotCall + "full:true}"
		e.link(0, e.newItem(item{kind: stub, label: label}))
	}
	return e.done()
}
