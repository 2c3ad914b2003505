package aria

// What the steps take, on large answers.

import (
	"fmt"
	"strings"
	"testing"
)

// largeAnswer makes an answer of about size bytes: a page of menus, prose
// with links, forms and tables, over and over.
func largeAnswer(size int) string {
	var sb strings.Builder
	sb.WriteString("### Page\n- Page URL: http://127.0.0.1/\n- Page Title: Large\n### Snapshot\n```yaml\n- generic [active] [ref=e1]:\n")
	ref := 1
	next := func() int { ref++; return ref }
	for sb.Len() < size {
		fmt.Fprintf(&sb, "  - navigation \"Main\" [ref=e%d]:\n    - list [ref=e%d]:\n", next(), next())
		for i := range 12 {
			fmt.Fprintf(&sb, "      - listitem [ref=e%d]:\n        - link \"Section %d\" [ref=e%d] [cursor=pointer]:\n          - /url: /section/%d/index.html\n", next(), i, next(), i)
		}
		for i := range 12 {
			fmt.Fprintf(&sb, "  - paragraph [ref=e%d]:\n    - text: Some running text of paragraph %d with a\n    - link \"link to something\" [ref=e%d] [cursor=pointer]:\n      - /url: http://example.com/a/long/target?with=query\n    - text: \"and more: text that goes on for a while, as prose does, until it ends.\"\n", next(), i, next())
		}
		for i := range 8 {
			fmt.Fprintf(&sb, "  - generic [ref=e%d]:\n    - generic [ref=e%d]: Field %d\n    - textbox \"Field %d\" [ref=e%d]:\n      - /placeholder: Enter %d\n      - text: value\n", next(), next(), i, i, next(), i)
		}
		fmt.Fprintf(&sb, "  - table [ref=e%d]:\n", next())
		for i := range 10 {
			fmt.Fprintf(&sb, "    - row \"Item %d 12.50 Edit\" [ref=e%d]:\n      - cell \"Item %d\" [ref=e%d]\n      - cell \"12.50\" [ref=e%d]\n      - cell \"Edit\" [ref=e%d]:\n        - button \"Edit\" [ref=e%d] [cursor=pointer]\n", i, next(), i, next(), next(), next(), next())
		}
	}
	return strings.TrimSuffix(sb.String(), "\n") + "\n```"
}

func BenchmarkCompact(b *testing.B) {
	for _, size := range []int{520 << 10, 1 << 20, 2 << 20, 4 << 20} {
		answer := largeAnswer(size)
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(answer)))
			b.ReportAllocs()
			for b.Loop() {
				Compact(answer, Options{})
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	parts, _ := splitAnswer(largeAnswer(520 << 10))
	b.SetBytes(int64(len(parts.tree)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(parts.tree); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStep is what one action on a large page costs: parse, identify,
// view, diff and the text of the change.
func BenchmarkStep(b *testing.B) {
	changes := map[string]*strings.Replacer{
		"some":  strings.NewReplacer("Field 7", "Field seven"),
		"again": strings.NewReplacer("[ref=e", "[ref=e9"), // all was rendered again
	}
	for _, size := range []int{520 << 10, 2 << 20} {
		before, _ := splitAnswer(largeAnswer(size))
		for name, change := range changes {
			after := change.Replace(before.tree)
			b.Run(fmt.Sprintf("%s/%dKB", name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(after)))
				b.ReportAllocs()
				for b.Loop() {
					b.StopTimer()
					n := &Numbers{}
					was := lookAt(b, n, before.tree)
					was.Render()
					b.StartTimer()
					Diff(was, lookAt(b, n, after)).Render(1, 0)
				}
			})
		}
	}
}

// lookAt makes the view of a tree in a session.
func lookAt(tb testing.TB, n *Numbers, yaml string) *View {
	tree, err := Parse(yaml)
	if err != nil {
		tb.Fatal(err)
	}
	n.Identify("p", tree, IdentifyOptions{})
	return NewView(tree, Options{})
}
