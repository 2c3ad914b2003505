package aria

// This file holds the fuzz targets. Their seeds are the recorded answers and
// some random trees.

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func FuzzParse(f *testing.F) {
	for _, answer := range recordedAnswers(f) {
		if parts, ok := splitAnswer(answer); ok {
			f.Add(parts.tree)
		}
	}
	for seed := range uint64(20) {
		f.Add(randomTree(seed))
	}
	f.Fuzz(func(t *testing.T, source string) {
		tree, err := Parse(source)
		if err != nil {
			return
		}
		for i := range tree.Nodes {
			if n := &tree.Nodes[i]; i > 0 && (n.Parent < 0 || int(n.Parent) >= i) {
				t.Fatalf("node %d has parent %d", i, n.Parent)
			}
		}
		o := &Options{Refs: len(source)%2 == 0}
		if !repeatedRefs(tree) {
			identifyAlone(tree)
		}
		v := buildView(tree, planHandles(tree, o.Handles), o)
		out, _ := renderDense(nil, v, o)
		if !utf8.ValidString(source) || strangeRefs(tree) {
			return
		}
		got, err := readDense(string(out))
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if diff := cmp.Diff(flatten(v, o), got); diff != "" {
			t.Errorf("reads back differently (-written +read):\n%s\n%s", diff, out)
		}
	})
}

// strangeRefs reports whether a tree has refs or attributes that upstream
// never writes; the reader of the tests does not know them.
func strangeRefs(t *Tree) bool {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Ref != "" && !readHandle.MatchString(n.Ref) {
			return true
		}
		for a := range strings.FieldsSeq(n.Attrs) {
			if readHandle.MatchString(strings.Trim(a, "[]")) || len(a) < 3 {
				return true
			}
		}
	}
	return false
}

func FuzzCompact(f *testing.F) {
	for _, answer := range recordedAnswers(f) {
		f.Add(answer, byte(0))
		f.Add(answer, byte(255))
	}
	for seed := range uint64(20) {
		f.Add(answerWith("### Page\n- Page URL: http://a/\n", randomTree(seed), ""), byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer string, mode byte) {
		o := Options{Text: TextMode(mode % 3), Format: Format(mode / 3 % 2), Handles: HandlesMode(mode / 6 % 2), URLs: mode&64 != 0}
		if mode&128 != 0 {
			o.Identify = identifyAlone
		}
		res, ok := Compact(answer, o)
		if len(res.Text) > len(answer) {
			t.Errorf("%d bytes became %d", len(answer), len(res.Text))
		}
		if !ok && res.Text != answer {
			t.Error("an answer that was not understood was changed")
		}
		if res.KeptBytes != len(res.Text) || res.RawBytes != len(answer) {
			t.Errorf("the figures are wrong: %+v", res)
		}
	})
}
