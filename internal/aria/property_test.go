package aria

// This file tests with random trees full of hostile text that nothing is lost
// and that what is written can be read in one way only.

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hostile are strings that look like parts of the dense form.
var hostile = []string{
	"Save", "Name", "Total price", "Über 5 % mehr", "x", "12", "3.5", "",
	"]", "[", "[]", "a]b", "a[b", "[ref=e1]", "x [ref=e1]", "[47]", "Go [47]", "e1", "f2e12", "47", "ref=e3",
	"link", "link Home", "button", "Link", "main", "row", "raw", `raw "x"`, "role=x", "heading", "checked", "[checked]",
	"a | b", "|", "||", "a || b", "| a", "a |", "|a", "a|b", "a; b", ";", "; b", "a;", "x = y", "=", "= y", "x =",
	"url=/x", "a url=/x", "placeholder=p", "a placeholder=p", "{", `{"a":"b"}`, `a {"b":"c"}`, "a {",
	`"`, `""`, `"a"`, `"a" b`, `"a" | b`, `"a" [e1]`, `" a`, `" a"`, `", a`, `"a`, `a"`, `a "b" c`, `\`, `\"`, `a\n`, `"a\"`,
	"#", "# x", "## x", "#1", "###", "### Snapshot", "### Events", "---", "--- a", "- a", "```", "```yaml", "a:", ":", ": a", "a: b", "::",
	"Oops: button OK", "a; link Home", "a: b: main", "see: linked", "a:button", "note: role=x",
	"a\nb", "\n", "a\n### Snapshot\n", "a\u2028b", "a\u2029b", "a\u0085b", "a\x00b", "a\tb", "a\x7fb", "\ufeffa", "\ufffd",
	" a", "a ", "a  b", "\u00a0a", "\u200bа", "😀", "👩‍👩‍👧", "שלום [3]", "مرحبا", "\u202eabc", "日本語 | 日本", "…", "a…",
	".", ".a", ", a", ")", "(", "!", "?", "-", "–", "'", "it's", "y", "no", "null", "a #b", "@", "%", "&amp;", "<b>",
	strings.Repeat("long ", 250), strings.Repeat("x", 1000),
}

// randomYAML writes a random tree as upstream would.
type randomYAML struct {
	*rand.Rand
	sb   strings.Builder
	refs int
}

func (g *randomYAML) text() string {
	s := hostile[g.IntN(len(hostile))]
	if g.IntN(3) == 0 {
		s += " " + hostile[g.IntN(len(hostile))]
	}
	return s
}

func (g *randomYAML) nodes(depth, n int) { g.nodesIn("", depth, n) }

// nodesIn writes nodes, among them many cells if they are inside a row.
func (g *randomYAML) nodesIn(parent string, depth, n int) {
	names := make([]string, 0, len(roles)+1)
	for r := range roles {
		names = append(names, r)
	}
	slices.Sort(names)
	names = append(names, "futurerole")
	common := []string{"generic", "generic", "generic", "link", "button", "heading", "paragraph", "list", "listitem",
		"table", "row", "cell", "textbox", "combobox", "option", "img", "main", "navigation", "iframe", "strong"}
	for range n {
		indent := strings.Repeat("  ", depth)
		if g.IntN(4) == 0 {
			g.line(indent + "- text: " + testYAMLValue(g.text()))
			continue
		}
		role := common[g.IntN(len(common))]
		if g.IntN(4) == 0 {
			role = names[g.IntN(len(names))]
		}
		if parent == "row" && g.IntN(3) > 0 {
			role = "cell"
		}
		key := role
		if name := g.text(); name != "" && len(name) <= 900 && g.IntN(2) == 0 {
			key += " " + testJSON(name)
		}
		for _, attr := range []string{"checked", "checked=mixed", "disabled", "expanded", "active", "invalid=spelling", "pressed", "selected", "aria-hidden", "future=1"} {
			if g.IntN(40) == 0 {
				key += " [" + attr + "]"
			}
		}
		if role == "heading" && g.IntN(8) > 0 || g.IntN(30) == 0 {
			key += fmt.Sprintf(" [level=%d]", 1+g.IntN(8))
		}
		if g.IntN(4) > 0 {
			g.refs++
			key += fmt.Sprintf(" [ref=e%d]", g.refs)
			if g.IntN(5) == 0 {
				key += " [cursor=pointer]"
			}
		}
		if testYAMLNeedsQuotes(key) {
			key = "'" + strings.ReplaceAll(key, "'", "''") + "'"
		}
		var props []string
		if role == "link" && g.IntN(2) == 0 {
			props = append(props, "/url")
		}
		if role == "textbox" && g.IntN(2) == 0 {
			props = append(props, "/placeholder")
		}
		if g.IntN(50) == 0 {
			props = append(props, "/future")
		}
		children := 0
		if depth < 6 {
			children = g.IntN(4)
		}
		switch {
		case len(props) == 0 && g.IntN(3) == 0:
			g.line(indent + "- " + key + ": " + testYAMLValue(g.text()))
			continue
		case len(props) == 0 && children == 0:
			g.line(indent + "- " + key)
			continue
		}
		g.line(indent + "- " + key + ":")
		for _, p := range props {
			g.line(indent + "  - " + p + ": " + testYAMLValue(g.text()))
		}
		if role == "table" && g.IntN(2) == 0 {
			for i := range 3 + g.IntN(5) { // rows with numbers
				g.refs += 2
				g.line(fmt.Sprintf("%s  - row [ref=e%d]:\n%s    - cell \"%d\" [ref=e%d]", indent, g.refs-1, indent, i, g.refs))
				g.nodesIn("row", depth+2, g.IntN(3))
			}
		}
		g.nodesIn(role, depth+1, children)
	}
}

func (g *randomYAML) line(s string) {
	if g.sb.Len() > 0 {
		g.sb.WriteByte('\n')
	}
	g.sb.WriteString(s)
}

// testJSON is JSON.stringify: it leaves U+2028 and DEL alone.
func testJSON(s string) string {
	var sb strings.Builder
	e := json.NewEncoder(&sb)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(sb.String(), "\n"))
}

// testYAMLValue is upstream's yamlEscapeValueIfNeeded.
func testYAMLValue(s string) string {
	if !testYAMLNeedsQuotes(s) {
		return s
	}
	var sb strings.Builder
	sb.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '\\' || r == '"':
			sb.WriteString(`\` + string(r))
		case r == '\n':
			sb.WriteString(`\n`)
		case r == '\t':
			sb.WriteString(`\t`)
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			fmt.Fprintf(&sb, `\x%02x`, r)
		default:
			sb.WriteRune(r)
		}
	}
	sb.WriteByte('"')
	return sb.String()
}

// testYAMLNeedsQuotes is stricter than upstream where that does not matter.
func testYAMLNeedsQuotes(s string) bool {
	if yamlNeedsQuotes(s) {
		return true
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

func randomTree(seed uint64) string {
	g := &randomYAML{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.nodes(0, 1+g.IntN(5))
	return g.sb.String()
}

// identifyAlone numbers a tree as the first of a session.
func identifyAlone(t *Tree) { new(Numbers).Identify("p", t, IdentifyOptions{}) }

func TestDenseReadsBack(t *testing.T) {
	rounds := 20000
	if testing.Short() {
		rounds = 2000
	}
	for seed := range uint64(rounds) {
		source := randomTree(seed)
		if problem := readBackProblem(t, source, seed); problem != "" {
			source = shrink(source, func(s string) bool { return readBackProblem(t, s, seed) != "" })
			t.Fatalf("seed %d: %s\n%s", seed, readBackProblem(t, source, seed), source)
		}
	}
}

// readBackProblem says what is wrong with the dense form of a tree.
func readBackProblem(t *testing.T, source string, seed uint64) string {
	t.Helper()
	tree, err := Parse(source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	o := &Options{URLs: seed%2 == 0, Text: TextMode(seed / 2 % 3), Handles: HandlesMode(seed / 6 % 2)}
	if seed%5 < 3 {
		identifyAlone(tree)
	}
	v := buildView(tree, planHandles(tree, o.Handles), o)
	out, _ := renderDense(nil, v, o)
	got, err := readDense(string(out))
	if err != nil {
		return fmt.Sprintf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(flatten(v, o), got); diff != "" {
		return fmt.Sprintf("reads back differently (-written +read):\n%s\n%s", diff, out)
	}
	return ""
}

// shrink removes lines, with what is below them, as long as the problem stays.
func shrink(source string, bad func(string) bool) string {
	for again := true; again; {
		again = false
		lines := strings.Split(source, "\n")
		for i := 0; i < len(lines); i++ {
			depth := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
			end := i + 1
			for end < len(lines) && len(lines[end])-len(strings.TrimLeft(lines[end], " ")) > depth {
				end++
			}
			without := slices.Concat(lines[:i], lines[end:])
			if len(without) > 0 && bad(strings.Join(without, "\n")) {
				lines, again = without, true
				i--
			}
		}
		source = strings.Join(lines, "\n")
	}
	return source
}

// TestNothingIsLost looks for what must be kept with rules of its own.
func TestNothingIsLost(t *testing.T) {
	for seed := range uint64(3000) {
		source := randomTree(seed)
		tree, err := Parse(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []Format{FormatDense, FormatYAML} {
			o := &Options{Format: format}
			v := buildView(tree, planHandles(tree, o.Handles), o)
			var shown []read
			if format == FormatDense {
				out, lines := renderDense(nil, v, o)
				if shown, err = readDense(string(out)); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if n := strings.Count(string(out), "\n") + 1; len(out) > 0 && n != lines {
					t.Errorf("seed %d: %d lines are counted as %d", seed, n, lines)
				}
			} else {
				shown = readYAML(t, v, o)
			}
			if problem := lost(tree, shown); problem != "" {
				t.Fatalf("seed %d, format %d: %s\n%s", seed, format, problem, source)
			}
		}
	}
}

// readYAML parses what renderYAML wrote.
func readYAML(t *testing.T, v *view, o *Options) []read {
	t.Helper()
	out, _ := renderYAML(nil, v, o)
	tree, err := Parse(string(out))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var shown []read
	for i := range tree.Nodes[1:] {
		n := &tree.Nodes[i+1]
		if n.Kind == Raw {
			t.Fatalf("the line %q is not in upstream's form", n.Value)
		}
		r := read{Role: n.Role, Label: n.Name, Value: n.Value, Attrs: n.Attrs, Handle: n.Ref}
		for _, p := range n.Props {
			r.Props += p.Name + "=" + p.Value + "\n"
		}
		shown = append(shown, r)
	}
	return shown
}

// lost names a handle, a state, a word, a value or an option that is in the
// tree and not shown.
func lost(tree *Tree, shown []read) string {
	handles := map[string]int{}
	var all strings.Builder
	states := map[string]int{}
	for _, r := range shown {
		handles[strings.TrimPrefix(r.Handle, "ref=")]++
		all.WriteString(" " + r.Label + " " + r.Value + " " + r.Props)
		for a := range strings.FieldsSeq(r.Attrs) {
			states[a]++
		}
	}
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(all.String(), func(r rune) bool { return !isWordRune(r) }) {
		words[w] = true
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Ref != "" && handles[n.Ref] != 1 && mustKeep(tree, int32(i)) {
			return fmt.Sprintf("the handle %s is shown %d times", n.Ref, handles[n.Ref])
		}
		for _, s := range []string{n.Name, n.Value} {
			if n.Kind == Raw {
				continue
			}
			for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !isWordRune(r) }) {
				if !words[w] {
					return fmt.Sprintf("the word %q of %q is lost", w, s)
				}
			}
		}
		for a := range strings.FieldsSeq(n.Attrs) {
			if focusless(tree, int32(i)) {
				break
			}
			if states[a]--; states[a] < 0 {
				return fmt.Sprintf("the attribute %s is lost", a)
			}
		}
		for _, p := range n.Props {
			if p.Name != "url" && !strings.Contains(all.String(), p.Name+"="+p.Value+"\n") {
				return fmt.Sprintf("the property %s is lost", p.Name)
			}
		}
	}
	return ""
}

// focusless reports whether a node is a plain document that has the focus
// since nothing in it has.
func focusless(t *Tree, i int32) bool {
	n := t.Nodes[i]
	if n.Role+n.Name+n.Attrs != "generic[active]" || n.Pointer {
		return false
	}
	p := t.Nodes[n.Parent]
	return p.First == p.Last && (n.Parent == 0 || p.Role == "iframe")
}

// mustKeep is the leaf rule once more, node by node.
func mustKeep(t *Tree, i int32) bool {
	n := &t.Nodes[i]
	if n.State != 0 && !focusless(t, i) || n.Pointer || roles[n.Role]&actionable != 0 {
		return true
	}
	for p := n.Parent; p != 0 && t.Nodes[p].Role != "iframe"; p = t.Nodes[p].Parent {
		parent := &t.Nodes[p]
		if parent.Ref != "" && (parent.Pointer || roles[parent.Role]&covering != 0) {
			return false
		}
	}
	var below func(i int32) bool
	below = func(i int32) bool {
		for c := t.Nodes[i].First; c != 0; c = t.Nodes[c].Next {
			if t.Nodes[c].Ref != "" || below(c) {
				return true
			}
		}
		return false
	}
	return !below(i)
}
