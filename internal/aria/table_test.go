package aria

// This file tests how tables are laid out.

import "testing"

func TestTableOfNumbers(t *testing.T) {
	const rows = "    - row [ref=e2]:\n      - columnheader \"No\" [ref=e3]\n      - columnheader \"Tea\" [ref=e4]\n" +
		"    - row [ref=e5]:\n      - cell \"1\" [ref=e6]\n      - cell \"Assam\" [ref=e7]\n" +
		"    - row [ref=e8]:\n      - cell \"2\" [ref=e9]\n      - cell \"Ceylon\" [ref=e10]\n" +
		"    - row [ref=e11]:\n      - cell \"3\" [ref=e12]\n      - cell \"Keemun\" [ref=e13]\n" +
		"    - row [ref=e14]:\n      - cell \"4\" [ref=e15]\n      - cell \"Sencha\" [ref=e16]\n"
	tree := parseTree(t, "- main [ref=e20]:\n  - table \"Teas\" [ref=e1]:\n"+rows+"  - button \"Go\" [ref=e17]\n- contentinfo [ref=e21]:\n  - link \"Terms\" [ref=e18]")
	identifyAlone(tree)
	got, _ := NewView(tree, Options{}).Render()
	want := "main:\ntable Teas:\ncolumnheader No [1]; Tea [2]\n1 [3] Assam [4]\n2 [5] Ceylon [6]\n3 [7] Keemun [8]\n4 [9] Sencha [10]\n---\nbutton Go [11]\ncontentinfo:\nlink Terms [12]"
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
