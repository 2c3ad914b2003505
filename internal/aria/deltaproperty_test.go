package aria

// This file tests deltas under random changes of a page.

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mutator changes the lines of a tree in the ways pages do.
type mutator struct {
	randomYAML
	lines []string
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// subtree returns the end of the lines that line i begins.
func (m *mutator) subtree(i int) int {
	end := i + 1
	for end < len(m.lines) && indentOf(m.lines[end]) > indentOf(m.lines[i]) {
		end++
	}
	return end
}

var anyRef = regexp.MustCompile(`\[ref=e\d+\]`)

// renew gives lines new refs, as a page does that renders them again.
func (m *mutator) renew(lines []string) []string {
	out := slices.Clone(lines)
	for i := range out {
		out[i] = anyRef.ReplaceAllStringFunc(out[i], func(string) string {
			m.refs++
			return fmt.Sprintf("[ref=e%d]", m.refs)
		})
	}
	return out
}

func (m *mutator) mutate() {
	if len(m.lines) == 0 {
		m.insert(0, 0)
		return
	}
	i := m.IntN(len(m.lines))
	end := m.subtree(i)
	if strings.HasPrefix(strings.TrimLeft(m.lines[i], " "), "- /") {
		return // a property
	}
	switch m.IntN(9) {
	case 0:
		if end-i < len(m.lines)/2+1 {
			m.lines = slices.Delete(m.lines, i, end)
		}
	case 1, 2:
		m.insert(i, indentOf(m.lines[i])/2)
	case 3: // swap with the next sibling
		if end < len(m.lines) && indentOf(m.lines[end]) == indentOf(m.lines[i]) {
			next := m.subtree(end)
			m.lines = slices.Concat(m.lines[:i], m.lines[end:next], m.lines[i:end], m.lines[next:])
		}
	case 4: // the same again
		m.lines = slices.Insert(m.lines, end, m.renew(m.lines[i:end])...)
	case 5:
		copy(m.lines[i:end], m.renew(m.lines[i:end]))
	case 6: // a state
		if strings.Contains(m.lines[i], " [checked]") {
			m.lines[i] = strings.Replace(m.lines[i], " [checked]", "", 1)
		} else {
			m.lines[i] = strings.Replace(m.lines[i], " [ref=", " [checked] [ref=", 1)
		}
	case 7: // a text
		if before, _, ok := strings.Cut(m.lines[i], "- text: "); ok {
			m.lines[i] = before + "- text: " + testYAMLValue(m.text())
		}
	case 8: // move far
		part := slices.Clone(m.lines[i:end])
		rest := slices.Delete(slices.Clone(m.lines), i, end)
		for range 10 {
			j := m.IntN(len(rest) + 1)
			if j < len(rest) && indentOf(rest[j]) == indentOf(part[0]) {
				m.lines = slices.Insert(rest, j, part...)
				break
			}
		}
	}
}

func (m *mutator) insert(i, depth int) {
	m.sb.Reset()
	m.nodes(depth, 1+m.IntN(2))
	if m.sb.Len() > 0 {
		m.lines = slices.Insert(m.lines, i, strings.Split(m.sb.String(), "\n")...)
	}
}

// deltaProblem says what is wrong with the delta from one tree to another.
func deltaProblem(old, new *View) string {
	d := Diff(old, new)
	text := d.Render(2, 0)
	a := shownNodes(old)
	if err := a.apply(text); err != nil {
		return fmt.Sprintf("%v\n%s", err, text)
	}
	want := flatten(new.view, &new.opt)
	if diff := cmp.Diff(want, a.reads()); diff != "" {
		return fmt.Sprintf("the delta leads elsewhere (-new view +applied):\n%s\n%s", diff, text)
	}
	oldText, _ := old.Render()
	newText, _ := new.Render()
	if d.Empty() && cmp.Diff(flatten(old.view, &old.opt), want) != "" {
		return fmt.Sprintf("nothing is said to have changed from\n%s\nto\n%s", oldText, newText)
	}
	if f := d.Fraction(); f < 0 || f > 1 || d.Empty() != (f == 0) {
		return fmt.Sprintf("the fraction is %v", f)
	}
	return ""
}

func TestDeltasLeadToTheNextView(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	steps := 0
	for seed := range uint64(rounds) {
		m := &mutator{randomYAML: randomYAML{Rand: rand.New(rand.NewPCG(seed, 7))}}
		m.nodes(0, 2+m.IntN(6))
		m.lines = strings.Split(m.sb.String(), "\n")
		o := Options{URLs: seed%2 == 0, Text: TextMode(seed / 2 % 3), Handles: HandlesMode(seed / 6 % 2), Refs: seed%5 == 0}
		n := &Numbers{}
		view := func() *View {
			tree := parseTree(t, strings.Join(m.lines, "\n"))
			n.Identify("p", tree, IdentifyOptions{})
			return NewView(tree, o)
		}
		old := view()
		for range 12 {
			before := slices.Clone(m.lines)
			for range 1 + m.IntN(4) {
				m.mutate()
			}
			if len(m.lines) > 400 {
				break
			}
			steps++
			now := view()
			if problem := deltaProblem(old, now); problem != "" {
				t.Fatalf("seed %d: %s\nfrom\n%s\nto\n%s", seed, problem, strings.Join(before, "\n"), strings.Join(m.lines, "\n"))
			}
			old = now
		}
	}
	if !testing.Short() && steps < 2000 {
		t.Errorf("%d steps are too few", steps)
	}
}

// TestDeltasBetweenStrangers compares pages that have nothing to do with each
// other.
func TestDeltasBetweenStrangers(t *testing.T) {
	for seed := range uint64(400) {
		n := &Numbers{}
		views := make([]*View, 2)
		for i := range views {
			tree := parseTree(t, randomTree(2*seed+uint64(i)))
			n.Identify("p", tree, IdentifyOptions{Carry: true})
			views[i] = NewView(tree, Options{})
		}
		if problem := deltaProblem(views[0], views[1]); problem != "" {
			t.Fatalf("seed %d: %s", seed, problem)
		}
		if d := Diff(views[1], views[1]); !d.Empty() {
			t.Fatalf("seed %d: a view differs from itself:\n%s", seed, d.Render(1, 0))
		}
	}
}
