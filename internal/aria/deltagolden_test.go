package aria

// This file compares the text of deltas with golden files, and fuzzes them.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// todoApp writes a to-do application that renders all but the body again at
// each change: its refs start behind first.
func todoApp(first int, done string, items ...string) string {
	var sb strings.Builder
	ref := func() string { first++; return fmt.Sprintf("[ref=e%d]", first) }
	fmt.Fprintf(&sb, "- generic [active] [ref=e1]:\n  - main %s:\n    - heading \"todos\" [level=1] %s\n    - textbox \"What needs to be done?\" %s\n    - list %s:",
		ref(), ref(), ref(), ref())
	left := len(items)
	for _, it := range items {
		checked := ""
		if it == done {
			checked = " [checked]"
			left--
		}
		fmt.Fprintf(&sb, "\n      - listitem %s:\n        - checkbox \"Mark %s done\"%s %s\n        - generic %s: %s\n        - button \"Delete %s\" %s [cursor=pointer]",
			ref(), it, checked, ref(), ref(), it, it, ref())
	}
	fmt.Fprintf(&sb, "\n    - contentinfo %s:\n      - generic %s: %d items left\n      - button \"All\" %s [cursor=pointer]\n      - button \"Active\" %s [cursor=pointer]",
		ref(), ref(), left, ref(), ref())
	return sb.String()
}

// tasks returns the names of n items, but not those left out.
func tasks(n int, but ...int) []string {
	var names []string
	for i := range n {
		if len(but) == 0 || i != but[0] {
			names = append(names, fmt.Sprintf("Task %d", i+1))
		}
	}
	return names
}

func deltaCases() map[string][2]string {
	long := "a sentence that is so long that nobody wants to read it twice to know that it is gone"
	return map[string][2]string{
		"todo.check":   {todoApp(1, "", tasks(20)...), todoApp(101, "Task 7", tasks(20)...)},
		"todo.add":     {todoApp(1, "", tasks(20)...), todoApp(101, "", append(tasks(20), "Buy milk")...)},
		"todo.remove":  {todoApp(1, "", tasks(20)...), todoApp(101, "", tasks(20, 4)...)},
		"todo.reorder": {todoApp(1, "", tasks(20)...), todoApp(101, "", append(tasks(20)[1:], "Task 1")...)},
		"nothing":      {todoApp(1, "", tasks(3)...), todoApp(101, "", tasks(3)...)},
		"form": {
			"- form \"Order\" [ref=e1]:\n  - textbox \"Mail\" [ref=e2]\n  - button \"Send\" [ref=e3]",
			"- form \"Order\" [ref=e1]:\n  - textbox \"Mail\" [invalid] [active] [ref=e2]: ada@\n  - alert [ref=e4]: \"Enter a mail address: it has no [domain].\"\n  - button \"Sending\" [disabled] [ref=e5]\n- dialog \"Wait\" [ref=e6]:\n  - paragraph [ref=e7]: We are at it.\n  - button \"Stop\" [ref=e8]",
		},
		"table": {
			"- table [ref=e1]:\n  - row [ref=e2]:\n    - cell \"A\" [ref=e3]\n    - cell \"1\" [ref=e4]\n  - row [ref=e5]:\n    - cell \"B\" [ref=e6]\n    - cell \"2\" [ref=e7]",
			"- table [ref=e1]:\n  - row [ref=e2]:\n    - cell \"A\" [ref=e3]\n    - cell \"10\" [ref=e14]\n  - row [ref=e8]:\n    - cell \"C\" [ref=e9]\n    - cell \"3\" [ref=e10]\n  - row [ref=e5]:\n    - cell \"B\" [ref=e6]\n    - cell \"2\" [ref=e7]",
		},
		"texts": {
			"- main:\n  - text: same\n  - link \"x\" [ref=e1]\n  - text: same\n  - link \"y\" [ref=e2]\n  - paragraph: one\n  - paragraph: two\n  - paragraph: three\n  - paragraph: four\n  - paragraph: five\n- contentinfo:\n  - paragraph: " + long + "\n  - paragraph: end",
			"- main:\n  - text: same\n  - link \"x\" [ref=e1]\n  - text: \"ADDED:\"\n  - link \"y\" [ref=e2]\n  - paragraph: one\n  - paragraph: five\n  - paragraph: six\n- contentinfo:\n  - paragraph: end",
		},
	}
}

func TestDeltaGolden(t *testing.T) {
	for name, c := range deltaCases() {
		t.Run(name, func(t *testing.T) {
			n := &Numbers{}
			var views [2]*View
			for i, source := range c {
				tree := parseTree(t, source)
				n.Identify("p", tree, IdentifyOptions{})
				views[i] = NewView(tree, Options{})
			}
			got := Diff(views[0], views[1]).Render(8, 0) + "\n"
			file := filepath.Join("testdata", "golden", "delta."+name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("the golden file is missing; run go test ./internal/aria -update and review it: %v", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s differs (-want +got):\n%s", file, diff)
			}
			if problem := deltaProblem(views[0], views[1]); problem != "" {
				t.Error(problem)
			}
		})
	}
}

func FuzzDelta(f *testing.F) {
	for _, c := range deltaCases() {
		f.Add(c[0], c[1])
	}
	for seed := range uint64(20) {
		f.Add(randomTree(seed), randomTree(seed+1000))
	}
	f.Fuzz(func(t *testing.T, old, now string) {
		n := &Numbers{}
		var views [2]*View
		for i, source := range []string{old, now} {
			tree, err := Parse(source)
			if err != nil || strangeRefs(tree) || !utf8.ValidString(source) || repeatedRefs(tree) {
				return
			}
			n.Identify("p", tree, IdentifyOptions{})
			views[i] = NewView(tree, Options{})
		}
		if problem := deltaProblem(views[0], views[1]); problem != "" {
			t.Error(problem)
		}
	})
}

// repeatedRefs reports whether a tree has a ref twice, which upstream never
// writes.
func repeatedRefs(t *Tree) bool {
	seen := map[string]bool{}
	for i := range t.Nodes {
		if ref := t.Nodes[i].Ref; ref != "" {
			if seen[ref] {
				return true
			}
			seen[ref] = true
		}
	}
	return false
}
