package aria

// This file tests budgets, outlines and filters.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func numberedView(t testing.TB, yaml string) *View {
	t.Helper()
	tree := parseTree(t, yaml)
	(&Numbers{}).Identify("p", tree, IdentifyOptions{})
	return NewView(tree, Options{})
}

// gridPage is a page with all that a budget treats in a way of its own.
func gridPage(rows int) string {
	var sb strings.Builder
	sb.WriteString("- generic [active] [ref=e1]:\n  - banner [ref=e2]:\n    - navigation \"Site\" [ref=e3]:")
	for i := range 12 {
		fmt.Fprintf(&sb, "\n      - link \"Area %d\" [ref=e%d]", i, 10+i)
	}
	sb.WriteString("\n  - main [ref=e4]:\n    - heading \"Orders\" [level=1] [ref=e5]\n    - searchbox \"Filter\" [ref=e6]\n    - table [ref=e7]:\n      - rowgroup [ref=e8]:")
	for i := range rows {
		fmt.Fprintf(&sb, "\n        - row \"%d Open\" [ref=e%d]:\n          - cell \"Order %d\" [ref=e%d]\n          - cell [ref=e%d]:\n            - button \"Open\" [ref=e%d]",
			i, 1000+10*i, i, 1001+10*i, 1002+10*i, 1003+10*i)
	}
	for i := range 20 {
		fmt.Fprintf(&sb, "\n    - paragraph [ref=e%d]: Paragraph %d says in many words what an order is, and why there are so many of them.", 500+i, i)
	}
	sb.WriteString("\n    - heading \"Delivery\" [level=2] [ref=e9]\n    - textbox \"Street\" [ref=e600]\n    - textbox \"Town\" [ref=e601]")
	sb.WriteString("\n  - contentinfo [ref=e700]:\n    - link \"Terms\" [ref=e701]\n    - text: All rights reserved.")
	sb.WriteString("\n  - dialog \"Cookies\" [ref=e800]:\n    - text: We use cookies.\n    - button \"Accept\" [ref=e801]\n  - alert [ref=e802]: Order 17 failed.")
	return sb.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("the golden file is missing; run go test ./internal/aria -update and review it: %v", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

func TestFoldGolden(t *testing.T) {
	v := numberedView(t, gridPage(60))
	for _, tokens := range []int{1200, 500, 250, 60} {
		folded, left := v.Fold(Budget{Tokens: tokens})
		text, _ := folded.Render()
		golden(t, fmt.Sprintf("fold.%d", tokens), fmt.Sprintf("%s\n(%d left out)\n", text, left))
	}
	outline, left := v.Outline(Budget{Tokens: 400})
	text, _ := outline.Render()
	golden(t, "outline", fmt.Sprintf("%s\n(%d left out)\n", text, left))
}

// TestFoldKeepsWhatMatters checks what goes last.
func TestFoldKeepsWhatMatters(t *testing.T) {
	v := numberedView(t, gridPage(300))
	for tokens, want := range map[int][]string{
		300: {"dialog Cookies", "button Accept", "alert Order 17 failed.", "textbox Street", "Town", "searchbox Filter"},
		90:  {"dialog Cookies", "alert Order 17 failed."},
	} {
		folded, _ := v.Fold(Budget{Tokens: tokens})
		text, _ := folded.Render()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("within %d tokens %q is left out:\n%s", tokens, w, text)
			}
		}
	}
	// What a stub's call asks for is shown.
	row := ""
	for _, h := range v.Handles() {
		if h.Label == "Order 250" {
			row = h.Text
		}
	}
	folded, _ := v.Fold(Budget{Tokens: 400, Around: row})
	if text, _ := folded.Render(); !strings.Contains(text, "Order 250 [515] button Open") {
		t.Errorf("the row that was asked for is left out:\n%s", text)
	}
}

func TestFoldKeepsWithinTheBudget(t *testing.T) {
	rounds := 1500
	if testing.Short() {
		rounds = 300
	}
	for seed := range uint64(rounds) {
		v := numberedView(t, randomTree(seed))
		o := v.opt
		all := v.Handles()
		text, _ := v.Render()
		count := func(s string) int { return len(s) } // any estimate will do
		budget := Budget{Tokens: int(seed) * 37 % (len(text) + 50), Count: count}
		for name, fold := range map[string]func(Budget) (*View, int){"fold": v.Fold, "outline": v.Outline} {
			folded, left := fold(budget)
			got, lines := folded.Render()
			if count(got) > budget.Tokens {
				t.Fatalf("seed %d: the %s has %d bytes of %d:\n%s", seed, name, len(got), budget.Tokens, got)
			}
			shown := folded.Handles()
			if left != len(all)-len(shown) {
				t.Fatalf("seed %d: the %s leaves out %d of %d handles, shows %d", seed, name, left, len(all), len(shown))
			}
			for _, h := range shown {
				if !slices.ContainsFunc(all, func(a Handle) bool { return a.Text == h.Text && a.Ref == h.Ref }) {
					t.Fatalf("seed %d: the %s shows the handle %+v", seed, name, h)
				}
			}
			read, err := readDense(got)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, got)
			}
			if diff := cmp.Diff(flatten(folded.view, &o), read); diff != "" {
				t.Fatalf("seed %d: the %s reads back differently (-written +read):\n%s\n%s", seed, name, diff, got)
			}
			if n := strings.Count(got, "\n") + 1; got != "" && n != lines {
				t.Errorf("seed %d: %d lines are counted as %d", seed, n, lines)
			}
		}
		if again, _ := v.Render(); again != text {
			t.Fatalf("seed %d: the view itself was changed", seed)
		}
	}
}

func TestFilters(t *testing.T) {
	page := strings.Join([]string{
		"- banner [ref=e1]:", "  - navigation \"Main\" [ref=e2]:", "    - link \"Home\" [ref=e3]",
		"- main [ref=e4]:",
		"  - generic [ref=e5]:", "    - heading \"Delivery\" [level=2] [ref=e6]",
		"  - textbox \"Street\" [ref=e7]",
		"  - heading \"Gifts\" [level=3] [ref=e8]", "  - checkbox \"Wrap\" [ref=e9]",
		"  - heading \"Payment\" [level=2] [ref=e10]", "  - textbox \"Card\" [ref=e11]",
		"  - form \"Sign up\" [ref=e12]:", "    - textbox \"Mail\" [ref=e13]", "    - group \"Topics\" [ref=e14]:", "      - checkbox \"Tea\" [ref=e15]", "      - checkbox \"Cake\" [ref=e16]",
		"- contentinfo [ref=e17]:", "  - navigation \"Footer\" [ref=e18]:", "    - link \"Terms\" [ref=e19]",
	}, "\n")
	tests := []struct {
		name    string
		filter  Filter
		want    string
		warning string
	}{
		{"role", Filter{Section: "form"}, "form Sign up:\ntextbox Mail [8]\ngroup Topics\n checkbox Tea [9]; Cake [10]", ""},
		{"role and name", Filter{Section: `navigation "Footer"`}, "navigation Footer:\nlink Terms [11]", ""},
		{"part of a name", Filter{Section: "FOOT"}, "navigation Footer:\nlink Terms [11]", ""},
		{"heading", Filter{Section: "delivery"}, "## Delivery [2]\ntextbox Street [3]\n### Gifts [4]\ncheckbox Wrap [5]", ""},
		{"container", Filter{Section: "topics"}, "group Topics\n checkbox Tea [9]; Cake [10]", ""},
		{"nothing", Filter{Section: "basket"}, "", `[PlayGuard: section "basket" not found; full view follows]`},
		{"around a number", Filter{Around: "[9]"}, "form Sign up:\ntextbox Mail [8]\ngroup Topics\n checkbox Tea [9]; Cake [10]", ""},
		{"around a ref", Filter{Around: "e3"}, "navigation Main:\nlink Home [1]", ""},
		{"around nothing", Filter{Around: "99"}, "", `[PlayGuard: around "99" not found; full view follows]`},
		{"depth", Filter{Section: "form", Depth: 1}, "form Sign up:\n[… 4 more 8-10: browser_snapshot {around:8}]", ""},
		{"deeper", Filter{Section: "form", Depth: 2}, "form Sign up:\ntextbox Mail [8]\ngroup Topics\n [… 2 more 9-10: browser_snapshot {around:9}]", ""},
		{"both", Filter{Section: "contentinfo", Around: "11"}, "navigation Footer:\nlink Terms [11]", ""},
		{"both, one wrong", Filter{Section: "contentinfo", Around: "2"}, "contentinfo:\nnavigation Footer\n link Terms [11]", `[PlayGuard: around "2" not found; the section follows]`},
		{"both wrong", Filter{Section: "basket", Around: "99"}, "", `[PlayGuard: neither section "basket" nor around "99" found; full view follows]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := parseTree(t, page)
			n := &Numbers{}
			// The numbers of the view are those in the order of its handles.
			n.Identify("p", tree, IdentifyOptions{})
			renumber(tree)
			v, warning := NewFilteredView(tree, Options{}, tt.filter)
			got, _ := v.Render()
			if tt.want == "" {
				tt.want, _ = NewView(tree, Options{}).Render()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if warning != tt.warning {
				t.Errorf("the warning is %q and not %q", warning, tt.warning)
			}
		})
	}
}

// renumber gives the handles of a tree's view the numbers 1, 2, 3 and so on.
func renumber(t *Tree) {
	n := int32(0)
	numbers := map[string]int32{}
	for _, h := range NewView(t, Options{}).Handles() {
		n++
		numbers[h.Ref] = n
	}
	for i := range t.Nodes {
		t.Nodes[i].Number = numbers[t.Nodes[i].Ref]
	}
}

func FuzzFilter(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(randomTree(seed), hostile[seed], hostile[seed+20], byte(seed))
	}
	f.Fuzz(func(t *testing.T, source, section, around string, depth byte) {
		tree, err := Parse(source)
		if err != nil {
			return
		}
		(&Numbers{}).Identify("p", tree, IdentifyOptions{})
		v, warning := NewFilteredView(tree, Options{}, Filter{Section: section, Around: around, Depth: int(depth)})
		if strings.Contains(warning, "\n") {
			t.Errorf("the warning %q has several lines", warning)
		}
		if folded, _ := v.Fold(Budget{Tokens: int(depth)}); true {
			if text, _ := folded.Render(); EstimateTokens(text) > int(depth) {
				t.Errorf("%d tokens are over the budget of %d", EstimateTokens(text), depth)
			}
		}
	})
}
