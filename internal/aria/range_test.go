package aria

// This file tests which handles are written as a range.

import "testing"

func TestRanges(t *testing.T) {
	for _, test := range []struct {
		name, tree, want string
		options          Options
	}{
		{name: "cells", tree: `
- row [ref=e1]:
  - cell "1000" [ref=e2]
  - cell "Ada Adler" [ref=e3]
  - cell "Open" [ref=e4]:
    - button "Open" [ref=e5]`,
			want: "1000 [1] Ada Adler [2] button Open [3]"},
		{name: "cells only", tree: `
- row [ref=e1]:
  - cell "a" [ref=e2]
  - cell [ref=e3]
  - cell "b; c" [ref=e4]
  - cell "d" [ref=e5]`,
			want: "a [1] [2] b; c [3] d [4]"},
		{name: "cells that can be acted on, have bars or several parts", tree: `
- row [ref=e1]:
  - cell "a" [ref=e2] [cursor=pointer]
  - gridcell "b" [ref=e3]
  - cell "c|d" [ref=e4]
  - cell "\"e\" f" [ref=e5]
  - cell "g" [ref=e6]
  - cell [ref=e7]:
    - button "h" [ref=e8]
    - button "i" [ref=e9]`,
			want: `a [1] b [2] c|d | "e" f | g [3-5] || button h [6]; i [7]`},
		{name: "many cells", tree: `
- row [ref=e1]:
  - cell "1000" [ref=e2]
  - cell "Ada Adler" [ref=e3]
  - cell "c | d" [ref=e4]
  - cell "e" [ref=e5]
  - cell "Open" [ref=e6]:
    - button "Open" [ref=e7]`,
			want: `1000 | Ada Adler | "c | d" | e [1-4] button Open [5]`},
		{name: "labels of fields", tree: `
- generic [ref=e1]:
  - generic [ref=e2]: Mail
  - textbox "Mail" [ref=e3]
  - generic [ref=e4]: Town
  - textbox "City" [ref=e5]
  - generic [ref=e6]: News
  - checkbox "News" [ref=e7]`,
			want: "Mail [1] textbox Mail [2] Town [3] textbox City [4] News [5] checkbox News [6]"},
		{name: "behind text, before a control", tree: `
- generic [ref=e1]:
  - text: Size
  - generic [ref=e2]: Disk
  - generic [ref=e3]: 5 GB
  - generic [ref=e4]: used
  - generic [ref=e5] [cursor=pointer]: More
  - button "Free" [ref=e6]`,
			want: "Size | Disk | 5 GB | used [1-3] More [4] button Free [5]"},
		{name: "upstream's refs", options: Options{Refs: true}, tree: `
- row [ref=e1]:
  - cell "a" [ref=e2]
  - cell "b" [ref=e3]
  - cell "c" [ref=e4]`,
			want: "a [e2] b [e3] c [e4]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := parseTree(t, test.tree[1:])
			new(Numbers).Identify("p", tree, IdentifyOptions{})
			v := NewView(tree, test.options)
			got, _ := v.Render()
			if got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
			if want := len(v.Handles()); want != v.view.handles {
				t.Errorf("%d handles of %d are listed", want, v.view.handles)
			}
		})
	}
}

// TestRangesAreOfNeighbours checks that no range leaves out a number.
func TestRangesAreOfNeighbours(t *testing.T) {
	n := &Numbers{}
	n.Identify("p", parseTree(t, "- row [ref=e1]:\n  - cell \"a\" [ref=e2]\n  - cell \"c\" [ref=e3]\n  - cell \"d\" [ref=e5]"), IdentifyOptions{})
	tree := parseTree(t, "- row [ref=e1]:\n  - cell \"a\" [ref=e2]\n  - cell \"b\" [ref=e4]\n  - cell \"c\" [ref=e3]\n  - cell \"d\" [ref=e5]")
	n.Identify("p", tree, IdentifyOptions{})
	if got, _ := NewView(tree, Options{}).Render(); got != "a [1] b [4] c [2] d [3]" {
		t.Errorf("got %s", got)
	}
}
