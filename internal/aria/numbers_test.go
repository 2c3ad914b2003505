package aria

// This file tests that a number never comes to stand for another element than
// the one it was given to.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func parseTree(t testing.TB, yaml string) *Tree {
	t.Helper()
	tree, err := Parse(yaml)
	if err != nil {
		t.Fatalf("%v\n%s", err, yaml)
	}
	return tree
}

// numbersOf identifies a page and returns its numbers by upstream's ref.
func numbersOf(t testing.TB, n *Numbers, page, yaml string, o IdentifyOptions) map[string]int {
	t.Helper()
	tree := parseTree(t, yaml)
	n.Identify(page, tree, o)
	numbers := map[string]int{}
	for i := range tree.Nodes {
		if nd := &tree.Nodes[i]; nd.Ref != "" {
			numbers[nd.Ref] = int(nd.Number)
		}
	}
	return numbers
}

// todo writes a list of to-do items whose refs start at first.
func todo(prefix string, first int, items ...string) string {
	var sb strings.Builder
	ref := func() string { first++; return fmt.Sprintf("[ref=%se%d]", prefix, first-1) }
	fmt.Fprintf(&sb, "- textbox \"New\" %s\n- list %s:", ref(), ref())
	for _, it := range items {
		fmt.Fprintf(&sb, "\n  - listitem %s:\n    - checkbox \"%s\" %s\n    - button \"Delete\" %s", ref(), it, ref(), ref())
	}
	return sb.String()
}

func TestNumbersFollowContent(t *testing.T) {
	lone := func(prefix string, ref int, title, price string) string {
		return fmt.Sprintf("- generic [ref=%se%d]:\n  - generic [ref=%se%d]: %s\n  - generic [ref=%se%d]: %s\n  - button \"Buy\" [ref=%se%d]",
			prefix, ref, prefix, ref+1, title, prefix, ref+2, price, prefix, ref+3)
	}
	tests := []struct {
		name          string
		before, after string
		option        IdentifyOptions
		same          map[string]string // refs of one element before and after
		fresh         []string          // refs with a new number
	}{
		{"the same ref", todo("", 1, "a", "b"), todo("", 1, "a", "b"), IdentifyOptions{},
			map[string]string{"e1": "e1", "e4": "e4", "e5": "e5"}, nil},
		{"a list that renders again", todo("", 1, "a", "b"), todo("", 20, "b", "a"), IdentifyOptions{},
			map[string]string{"e1": "e20", "e4": "e26", "e5": "e27", "e7": "e23", "e8": "e24"}, nil},
		{"another item in the place", todo("", 1, "a"), todo("", 20, "b"), IdentifyOptions{},
			map[string]string{"e1": "e20"}, []string{"e23", "e24"}},
		{"equal items", todo("", 1, "a", "a"), todo("", 20, "a", "a"), IdentifyOptions{},
			nil, []string{"e23", "e24", "e26", "e27"}},
		{"equal items became one", todo("", 1, "a", "a"), todo("", 20, "a"), IdentifyOptions{},
			nil, []string{"e23", "e24"}},
		{"one item became equal ones", todo("", 1, "a"), todo("", 20, "a", "a"), IdentifyOptions{},
			nil, []string{"e23", "e24", "e26", "e27"}},
		{"a new document", todo("", 1, "a"), todo("f1", 1, "a"), IdentifyOptions{},
			nil, []string{"f1e1", "f1e4", "f1e5"}},
		{"a new document, carried", todo("", 1, "a"), todo("f1", 1, "a"), IdentifyOptions{Carry: true},
			map[string]string{"e1": "f1e1", "e4": "f1e4", "e5": "f1e5"}, nil},
		{"a lone card gives way to another", lone("", 1, "Milk", "1.00"), lone("", 10, "Eggs", "2.00"), IdentifyOptions{},
			nil, []string{"e13"}},
		{"a lone card renders again", lone("", 1, "Milk", "1.00"), lone("", 10, "Milk", "1.00"), IdentifyOptions{},
			map[string]string{"e4": "e13"}, nil},
		{"a control whose value and state change",
			"- checkbox \"Express\" [ref=e1]\n- textbox \"Mail\" [ref=e2]: a@b",
			"- checkbox \"Express\" [checked] [ref=e3]\n- textbox \"Mail\" [ref=e4]: c@d", IdentifyOptions{},
			map[string]string{"e1": "e3", "e2": "e4"}, nil},
		{"another role", "- button \"Go\" [ref=e1]", "- link \"Go\" [ref=e1]", IdentifyOptions{}, nil, []string{"e1"}},
		{"links of one name and other targets",
			"- link \"More\" [ref=e1]:\n  - /url: /a", "- link \"More\" [ref=e2]:\n  - /url: /b", IdentifyOptions{}, nil, []string{"e2"}},
		{"elements that say nothing", "- button [ref=e1]", "- button [ref=e2]", IdentifyOptions{}, nil, []string{"e2"}},
		{"the same in another frame",
			"- iframe [ref=e1]:\n  - button \"Pay\" [ref=f1e1]\n- iframe [ref=e2]:\n  - button \"Ok\" [ref=f2e1]",
			"- iframe [ref=e1]:\n  - button \"Ok\" [ref=f1e2]\n- iframe [ref=e2]:\n  - button \"Pay\" [ref=f2e2]", IdentifyOptions{},
			map[string]string{"e1": "e1", "e2": "e2"}, []string{"f1e2", "f2e2"}},
		{"the same label under another heading",
			"- heading \"Fruit\" [ref=e1]\n- button \"Add\" [ref=e2]\n- heading \"Bread\" [ref=e3]",
			"- heading \"Fruit\" [ref=e1]\n- heading \"Bread\" [ref=e3]\n- button \"Add\" [ref=e4]", IdentifyOptions{},
			nil, []string{"e4"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := &Numbers{}
			before := numbersOf(t, n, "p", tt.before, IdentifyOptions{})
			last := int(n.last)
			after := numbersOf(t, n, "p", tt.after, tt.option)
			for old, now := range tt.same {
				if before[old] == 0 || before[old] != after[now] {
					t.Errorf("%s had %d, %s has %d", old, before[old], now, after[now])
				}
			}
			for _, ref := range tt.fresh {
				if after[ref] <= last {
					t.Errorf("%s has the old number %d", ref, after[ref])
				}
			}
		})
	}
}

func TestResolve(t *testing.T) {
	n := &Numbers{}
	first := numbersOf(t, n, "p", todo("", 1, "Buy milk", "Buy eggs"), IdentifyOptions{})
	milk := first["e4"]
	for _, form := range []string{"%d", "[%d]", "ref=%d", "[ref=%d]", " [%d] "} {
		r, ok := n.Resolve(fmt.Sprintf(form, milk))
		if !ok || r.Ref != "e4" || r.Page != "p" || r.Role != "checkbox" || r.Name != "Buy milk" {
			t.Errorf("%q is %+v, %v", form, r, ok)
		}
	}
	for _, arg := range []string{"e12", "[e12]", "ref=e12", "[ref=e12]"} {
		if r, ok := n.Resolve(arg); !ok || r.Ref != "e12" || r.Number != 0 {
			t.Errorf("%q is %+v, %v", arg, r, ok)
		}
	}
	if r, ok := n.Resolve("f2e12"); !ok || r.Ref != "f2e12" {
		t.Errorf("f2e12 is %+v, %v", r, ok)
	}
	for _, arg := range []string{"", "#id", "text=47", "e", "f2", "fe1", "4 7", "-1", "[data-x]", "1234567890123", "button >> nth=1"} {
		if r, ok := n.Resolve(arg); ok {
			t.Errorf("%q is taken for a handle: %+v", arg, r)
		}
	}
	if r, ok := n.Resolve("999"); !ok || r.Given || r.Ref != "" {
		t.Errorf("a number that was never given is %+v", r)
	}

	second := numbersOf(t, n, "p", todo("", 50, "Buy more milk", "Buy eggs"), IdentifyOptions{})
	r, _ := n.Resolve(fmt.Sprint(milk))
	if !r.Given || r.Ref != "" || r.Role != "checkbox" || r.Name != "Buy milk" {
		t.Errorf("a number whose element is gone is %+v", r)
	}
	if len(r.Candidates) == 0 || r.Candidates[0].Number != second["e53"] {
		t.Errorf("the candidates are %+v, of %v", r.Candidates, second)
	}
	if n.NumberOf("p", "e53") != second["e53"] || n.NumberOf("p", "e4") != 0 || n.NumberOf("q", "e53") != 0 {
		t.Error("the numbers by ref are wrong")
	}

	// The browser starts anew: what is restored continues the old page.
	third := numbersOf(t, n, "p/2", todo("", 1, "Buy more milk", "Buy eggs"), IdentifyOptions{From: "p"})
	if third["e4"] != second["e53"] {
		t.Errorf("the restored page has %v after %v", third, second)
	}
	n.Forget("p/2")
	if r, _ := n.Resolve(fmt.Sprint(third["e4"])); !r.Given || r.Ref != "" {
		t.Errorf("a number of a page that is closed is %+v", r)
	}
}

func TestHiddenElementKeepsItsNumber(t *testing.T) {
	n := &Numbers{}
	a := numbersOf(t, n, "p", "- button \"A\" [ref=e1]\n- button \"B\" [ref=e2]", IdentifyOptions{})
	numbersOf(t, n, "p", "- button \"B\" [ref=e2]", IdentifyOptions{})
	if r, _ := n.Resolve(fmt.Sprint(a["e1"])); r.Ref != "" {
		t.Errorf("a hidden element is %+v", r)
	}
	c := numbersOf(t, n, "p", "- button \"A\" [ref=e1]\n- button \"B\" [ref=e2]", IdentifyOptions{})
	if c["e1"] != a["e1"] {
		t.Errorf("the element had %d, then %d", a["e1"], c["e1"])
	}
}

// TestNumbersAreBounded opens many pages with many passing elements.
func TestNumbersAreBounded(t *testing.T) {
	n := &Numbers{}
	for i := range 3 * maxPages {
		numbersOf(t, n, fmt.Sprint(i), todo("", 1, "a"), IdentifyOptions{})
	}
	for i := range 300 {
		items := make([]string, 40)
		for j := range items {
			items[j] = fmt.Sprint(i, "/", j)
		}
		numbersOf(t, n, "p", todo("", 1+1000*i, items...), IdentifyOptions{})
	}
	if len(n.pages) > maxPages || len(n.gone) > maxGone || len(n.order) > maxGone ||
		len(n.where) > 10000 || len(n.pages["p"].refs) > 10000 {
		t.Errorf("%d pages, %d gone, %d there, %d refs", len(n.pages), len(n.gone), len(n.where), len(n.pages["p"].refs))
	}
}

// world is a page with the true identity of each of its elements.
type world struct {
	*rand.Rand
	rows   []worldRow
	prefix string
	refs   int
	page   int // documents seen
	uid    int
}

// worldRow is an item of a list. Its DOM elements have refs of their own.
type worldRow struct {
	uid    int
	title  string
	extra  bool // a second button of the same name
	box    string
	button string
	second string
	li     string
}

func (w *world) ref() string {
	w.refs++
	return fmt.Sprintf("%se%d", w.prefix, w.refs)
}

func (w *world) render(r *worldRow) {
	r.li, r.box, r.button, r.second = w.ref(), w.ref(), w.ref(), w.ref()
}

func (w *world) add(at int) {
	titles := []string{"Milk", "Eggs", "Bread", "Same", "Same", "Same", "Tea 1", "Tea 2", "", "Delete"}
	w.uid++
	r := worldRow{uid: w.uid, title: titles[w.IntN(len(titles))], extra: w.IntN(4) == 0}
	w.render(&r)
	w.rows = append(w.rows[:at], append([]worldRow{r}, w.rows[at:]...)...)
}

// yaml writes the page and notes whose each ref is, and what is to be known of
// it from its content.
func (w *world) yaml(wrapper string) (text string, owner, content map[string]string) {
	owner, content = map[string]string{}, map[string]string{}
	var sb strings.Builder
	sb.WriteString("- main:")
	note := func(ref string, uid int, part, what string) {
		owner[ref], content[ref] = fmt.Sprintf("%d/%s", uid, part), what
	}
	for _, r := range w.rows {
		all := fmt.Sprintf("%s/%v", r.title, r.extra)
		fmt.Fprintf(&sb, "\n  - %s [ref=%s]:\n    - checkbox %q [ref=%s]\n    - text: %q\n    - button \"Delete\" [ref=%s]",
			wrapper, r.li, "Done "+r.title, r.box, r.title+"!", r.button)
		note(r.box, r.uid, "box", "box "+all)
		note(r.button, r.uid, "button", "button "+all)
		if r.extra {
			fmt.Fprintf(&sb, "\n    - button \"Delete\" [ref=%s]", r.second)
			note(r.second, r.uid, "second", "button "+all)
		}
	}
	return sb.String(), owner, content
}

// step changes the page as pages do.
func (w *world) step() (navigated bool) {
	all := func() {
		for i := range w.rows {
			w.render(&w.rows[i])
		}
	}
	switch w.IntN(8) {
	case 0:
		all()
	case 1, 2:
		w.add(w.IntN(len(w.rows) + 1))
		if w.IntN(2) == 0 {
			all()
		}
	case 3, 4:
		if len(w.rows) > 0 {
			i := w.IntN(len(w.rows))
			w.rows = append(w.rows[:i], w.rows[i+1:]...)
		}
		if w.IntN(2) == 0 {
			all()
		}
	case 5:
		w.Shuffle(len(w.rows), func(i, j int) { w.rows[i], w.rows[j] = w.rows[j], w.rows[i] })
		if w.IntN(2) == 0 {
			all()
		}
	case 6:
		for i := range w.rows {
			if w.IntN(2) == 0 {
				w.render(&w.rows[i])
			}
		}
	case 7:
		w.page++
		w.prefix, w.refs = fmt.Sprintf("f%d", w.page), 0
		all()
		return true
	}
	return false
}

func TestNumbersNeverPointElsewhere(t *testing.T) {
	steps := 0
	carried := 0
	for seed := range uint64(150) {
		w := &world{Rand: rand.New(rand.NewPCG(seed, 3))}
		n := &Numbers{}
		wrapper := []string{"listitem", "row", "generic"}[seed%3]
		for range 3 + w.IntN(20) {
			w.add(len(w.rows))
		}
		text, owner, content := w.yaml(wrapper)
		at := numbersOf(t, n, "p", text, IdentifyOptions{})
		ever := map[int]string{} // the element each number was given to
		for ref, no := range at {
			ever[no] = owner[ref]
		}
		for range 40 {
			steps++
			carry := w.step() && w.IntN(2) == 0
			oldContent, oldAt := content, at
			text, owner, content = w.yaml(wrapper)
			at = numbersOf(t, n, "p", text, IdentifyOptions{Carry: carry})
			was := map[int]string{}
			for ref, no := range oldAt {
				was[no] = ref
			}
			for ref, no := range at {
				if owner[ref] == "" {
					continue // a wrapper
				}
				r, ok := n.Resolve(fmt.Sprint(no))
				if !ok || r.Ref != ref {
					t.Fatalf("seed %d: %d resolves to %q and not to %q", seed, no, r.Ref, ref)
				}
				old, before := was[no]
				switch {
				case !before && ever[no] != "" && ever[no] != owner[ref]:
					t.Fatalf("seed %d: %d is given again", seed, no)
				case before && old != ref:
					carried++
					if oldContent[old] != content[ref] || count(oldContent, content[ref]) != 1 || count(content, content[ref]) != 1 {
						t.Fatalf("seed %d: %d passed from %s %q to %s %q", seed, no, old, oldContent[old], ref, content[ref])
					}
					if frameOf(old) != frameOf(ref) && !carry {
						t.Fatalf("seed %d: %d passed to a new document", seed, no)
					}
				case before && ever[no] != owner[ref]:
					t.Logf("seed %d: %d passed to an equal element earlier", seed, no)
				}
				ever[no] = owner[ref]
			}
			for no, ref := range was {
				if r, _ := n.Resolve(fmt.Sprint(no)); owner[r.Ref] == "" && r.Ref != "" && oldContent[ref] != "" {
					t.Fatalf("seed %d: %d resolves to %q, which is not there", seed, no, r.Ref)
				}
			}
		}
	}
	if steps < 2000 || carried < 1000 {
		t.Errorf("%d steps and %d numbers carried over are too few to say anything", steps, carried)
	}
}

// count returns how many elements have a content.
func count(content map[string]string, what string) int {
	n := 0
	for _, c := range content {
		if c == what {
			n++
		}
	}
	return n
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"47", "[47]", "ref=47", "[ref=47]", "e12", "f2e12", "#a", "[", "[]", "ref=", "text=1"} {
		f.Add(s)
	}
	n := &Numbers{}
	numbersOf(f, n, "p", todo("", 1, "a", "b"), IdentifyOptions{})
	f.Fuzz(func(t *testing.T, arg string) {
		r, ok := n.Resolve(arg)
		if !ok && (r.Ref != "" || r.Number != 0) {
			t.Errorf("%q is no handle and is %+v", arg, r)
		}
		if r.Ref != "" && !isUpstreamRef(r.Ref) {
			t.Errorf("%q resolves to %q", arg, r.Ref)
		}
	})
}
