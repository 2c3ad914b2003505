package jsonrpc

// Speed on what PlayGuard carries most: one snapshot of a large page.

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// snapshot is a synthetic answer of browser_snapshot with about size bytes of
// JSON: short lines, names in quotes, so an escape every 20 to 30 bytes.
func snapshot(size int) []byte {
	var tree strings.Builder
	tree.WriteString("### Page\n- Page URL: http://localhost/list\n### Snapshot\n```yaml\n")
	for i := 0; tree.Len()+tree.Len()/12 < size; i++ {
		fmt.Fprintf(&tree, "          - listitem [ref=e%d]:\n            - link \"Order %d of Smith & Sons\" [ref=e%d] [cursor=pointer]:\n              - /url: /orders/%d\n            - text: shipped on Monday\n", 4*i, i, 4*i+1, i)
	}
	tree.WriteString("```\n")
	return NewResult([]byte("17"), fmt.Appendf(nil, `{"content":[{"type":"text","text":%s}]}`, Quote(tree.String())))
}

// plainAnswer is an answer of the same size whose text needs no escape.
func plainAnswer(size int) []byte {
	return NewResult([]byte("17"), fmt.Appendf(nil, `{"content":[{"type":"text","text":%s}]}`, Quote(strings.Repeat("The quick brown fox. ", size/21))))
}

const answerSize = 316 << 10

func BenchmarkParse(b *testing.B) {
	for name, line := range map[string][]byte{"snapshot": snapshot(answerSize), "plain": plainAnswer(answerSize), "small": []byte(`{"jsonrpc":"2.0","id":17,"result":{"content":[{"type":"text","text":"clicked"}]}}`)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// textOf returns the JSON string of an answer's one text block.
func textOf(b *testing.B, answer []byte) []byte {
	m, err := Parse(answer)
	if err != nil {
		b.Fatal(err)
	}
	content, _ := Member(m.Bytes(m.Result), "content")
	var text []byte
	Elements(content, func(v Span) { text, _ = Member(content[v.Start:v.End], "text") })
	return text
}

func BenchmarkUnquote(b *testing.B) {
	for name, line := range map[string][]byte{"snapshot": snapshot(answerSize), "plain": plainAnswer(answerSize)} {
		text := textOf(b, line)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Unquote(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendString(b *testing.B) {
	for name, line := range map[string][]byte{"snapshot": snapshot(answerSize), "plain": plainAnswer(answerSize)} {
		text, err := Unquote(textOf(b, line))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var out []byte
			for b.Loop() {
				out = AppendString(out[:0], text)
			}
		})
	}
}

// BenchmarkValidStd is what encoding/json needs, for comparison.
func BenchmarkValidStd(b *testing.B) {
	line := snapshot(answerSize)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if !json.Valid(line) {
			b.Fatal("not valid")
		}
	}
}
