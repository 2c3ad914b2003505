package aria

// This file tests how tables are written and which handles are left to be counted.

import "testing"

func TestCountedHandles(t *testing.T) {
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
			want: "1000| Ada Adler| button Open [3]"},
		{name: "cells only", tree: `
- row [ref=e1]:
  - cell "a" [ref=e2]
  - cell [ref=e3]
  - cell "b; c" [ref=e4]
  - cell "d" [ref=e5]`,
			want: "a|[2] b; c| d [4]"},
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
			want: `a [1] b [2] "c|d" [3] "e" f [4] g [5] || button h [6]; i [7]`},
		{name: "labels of fields", tree: `
- generic [ref=e1]:
  - generic [ref=e2]: Mail
  - textbox "Mail" [ref=e3]
  - generic [ref=e4]: Town
  - textbox "City" [ref=e5]
  - generic [ref=e6]: News
  - checkbox "News" [ref=e7]`,
			want: "Mail| textbox Mail [2] Town [3] textbox City [4] News [5] checkbox News [6]"},
		{name: "all text but a little", options: Options{Text: TextShort}, tree: `
- generic [ref=e1]:
  - generic [ref=e2]: Disk
  - generic [ref=e3]: 5 GB
  - generic [ref=e4] [cursor=pointer]: More
  - button "Free" [ref=e5]`,
			want: "Disk|5 GB| More [3] button Free [4]"},
		{name: "upstream's refs", options: Options{Refs: true}, tree: `
- row [ref=e1]:
  - cell "a" [ref=e2]
  - cell "b" [ref=e3]`,
			want: "a [e2] b [e3]"},
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

// TestOnlyNeighboursAreCounted checks that a number is not counted from one that
// does not follow it.
func TestOnlyNeighboursAreCounted(t *testing.T) {
	n := &Numbers{}
	n.Identify("p", parseTree(t, "- row [ref=e1]:\n  - cell \"a\" [ref=e2]\n  - cell \"c\" [ref=e3]"), IdentifyOptions{})
	tree := parseTree(t, "- row [ref=e1]:\n  - cell \"a\" [ref=e2]\n  - cell \"b\" [ref=e4]\n  - cell \"c\" [ref=e3]")
	n.Identify("p", tree, IdentifyOptions{})
	if got, _ := NewView(tree, Options{}).Render(); got != "a [1] b [3] c [2]" {
		t.Errorf("got %s", got)
	}
}

func TestTableOfNumbers(t *testing.T) {
	const rows = "    - row [ref=e2]:\n      - columnheader \"No\" [ref=e3]\n      - columnheader \"Tea\" [ref=e4]\n" +
		"    - row [ref=e5]:\n      - cell \"1\" [ref=e6]\n      - cell \"Assam\" [ref=e7]\n" +
		"    - row [ref=e8]:\n      - cell \"2\" [ref=e9]\n      - cell \"Ceylon\" [ref=e10]\n" +
		"    - row [ref=e11]:\n      - cell \"3\" [ref=e12]\n      - cell \"Keemun\" [ref=e13]\n" +
		"    - row [ref=e14]:\n      - cell \"4\" [ref=e15]\n      - cell \"Sencha\" [ref=e16]\n"
	tree := parseTree(t, "- main [ref=e20]:\n  - table \"Teas\" [ref=e1]:\n"+rows+"  - button \"Go\" [ref=e17]\n- contentinfo [ref=e21]:\n  - link \"Terms\" [ref=e18]")
	identifyAlone(tree)
	got, _ := NewView(tree, Options{}).Render()
	want := "main:\ntable Teas:\ncolumnheader No [1]; Tea [2]\n1| Assam [4]\n2| Ceylon [6]\n3| Keemun [8]\n4| Sencha [10]\n---\nbutton Go [11]\ncontentinfo:\nlink Terms [12]"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	read, err := readDense(got)
	if err != nil {
		t.Fatal(err)
	}
	if read[len(read)-3].Label != "Go" || read[len(read)-3].Parent != 0 || read[2].Parent != 1 {
		t.Errorf("it is not read back: %+v", read)
	}
}
