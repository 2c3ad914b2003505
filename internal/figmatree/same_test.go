package figmatree

// Module 8a: repeated siblings, and that they can be put back.

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRepeats(t *testing.T) {
	card := func(id, child, name, text, x string) string {
		return `{"id":"` + id + `","name":"` + name + `","type":"FRAME","layout":{"mode":"row","sizing":{},"locationRelativeToParent":{"x":` + x + `,"y":0}},` +
			`"children":[{"id":"` + child + `","type":"TEXT","text":"` + text + `","fills":"Brand"}]}`
	}
	answer := func(cards ...string) string {
		return `{"nodes":[{"id":"0:1","type":"CANVAS","children":[` + strings.Join(cards, ",") + `]}],"globalVars":{"styles":{"Brand":["#FFF"]}}}`
	}
	first := card("1:1", "1:2", "Card", "A", "0")
	tests := []struct{ name, second, want string }{
		{"alike", card("1:3", "1:4", "Card", "A", "0"), `{"id":"1:3","name":"Card","_sameAs":"1:1"}`},
		{"another name", card("1:3", "1:4", "Other", "A", "0"), `{"id":"1:3","name":"Other","_sameAs":"1:1"}`},
		{"another text", card("1:3", "1:4", "Card", "B", "0"), `{"id":"1:3","name":"Card","_sameAs":"1:1","_textDiff":{"1:4":{"text":"B"}}}`},
		{"another place", card("1:3", "1:4", "Card", "A", "9"), `{"id":"1:3","name":"Card","_sameAs":"1:1","_textDiff":{"1:3":{"layout":{"mode":"row","sizing":{},"locationRelativeToParent":{"x":9,"y":0}}}}}`},
		{"ids in no order", card("1:3", "1:9", "Card", "A", "0"), `{"id":"1:3","name":"Card","_sameAs":"1:1","_ids":["1:9"]}`},
		{"another size", strings.Replace(card("1:3", "1:4", "Card", "A", "0"), `"mode":"row"`, `"mode":"column"`, 1), ""},
		{"another style", strings.Replace(card("1:3", "1:4", "Card", "A", "0"), `"fills":"Brand"`, `"fills":["#000"]`, 1), ""},
		{"one layer more", strings.Replace(card("1:3", "1:4", "Card", "A", "0"), `"children":[`, `"children":[{"id":"1:8","type":"TEXT","text":"new"},`, 1), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, counts := optimised(t, answer(first, tt.second), Options{})
			want := answer(first, tt.want)
			if tt.want == "" {
				want = answer(first, tt.second)
			}
			if got != want || (counts.SameAs+counts.TextDiffs == 1) != (tt.want != "") {
				t.Errorf("%+v\ngot  %s\nwant %s", counts, got, want)
			}
		})
	}
}

// A copy whose text comes from a template is compared with what it stands for.
func TestRepeatsThroughTemplates(t *testing.T) {
	in := `{"nodes":[{"id":"0:1","type":"CANVAS","children":[` +
		`{"id":"1:1","name":"Row","type":"GROUP","children":[{"id":"1:2","template":"EL-1"},{"id":"1:3","type":"TEXT","text":"b","fills":["#000"]}]},` +
		`{"id":"2:1","name":"Row","type":"GROUP","children":[{"id":"2:2","type":"TEXT","text":"c","fills":["#000"]},{"id":"2:3","template":"EL-1"}]}]}],` +
		`"globalVars":{"styles":{}},"elements":{"EL-1":{"type":"TEXT","text":"a","fills":["#000"]}}}`
	got, _ := optimised(t, in, Options{})
	if want := `"_sameAs":"1:1","_textDiff":{"2:2":{"text":"c"},"2:3":{"text":"a"}}}`; !strings.Contains(got, want) {
		t.Errorf("%s lacks %s", got, want)
	}
}

// unfold puts the repeated subtrees back.
func unfold(v *Value) {
	byID := map[string]*Value{}
	var visit func(list *Value)
	visit = func(list *Value) {
		for i := range list.Items() {
			n := &list.Kids[i]
			if first := n.Get(sameAsMember).Str(); first != "" {
				*n = unfolded(n, byID[first])
			}
			byID[n.Get("id").Str()] = n
			visit(n.Get("children"))
		}
	}
	visit(v.Get("nodes"))
}

func unfolded(stub, first *Value) Value {
	from, to := first.Get("id").Str(), stub.Get("id").Str()
	ids := stub.Get(idsMember).Items()
	var copied func(n *Value, top bool) Value
	copied = func(n *Value, top bool) Value {
		out := Value{Kind: Object, Kids: append([]Value(nil), n.Kids...)}
		id := to
		switch {
		case top:
			if name := stub.Get("name"); name != nil {
				out.set(*name)
			}
		case ids != nil:
			id = ids[0].Text
			ids = ids[1:]
		default:
			id = shiftID(n.Get("id").Str(), from, to)
		}
		out.set(StringValue("id", id))
		for _, m := range stub.Get(textDiffMember).Get(id).Members() {
			out.set(m)
		}
		if list := out.Get("children"); list != nil {
			kids := make([]Value, len(list.Kids))
			for i := range list.Kids {
				kids[i] = copied(&list.Kids[i], false)
			}
			list.Kids = kids
		}
		return out
	}
	return copied(first, true)
}

// The repeated subtrees of an answer can be put back, ids and texts included.
func TestRepeatsUnfold(t *testing.T) {
	folded := 0
	for seed := range uint64(200) {
		answer := randomAnswer(seed)
		want, err := ParseText(answer)
		if err != nil {
			t.Fatal(err)
		}
		simplify(want, false, &Counts{})
		text, counts := optimised(t, answer, Options{})
		folded += counts.SameAs + counts.TextDiffs
		got, err := ParseJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		unfold(got)
		if diff := cmp.Diff(answerFacts(t, want), answerFacts(t, got)); diff != "" {
			t.Fatalf("seed %d (-answer +unfolded):\n%s\n%s", seed, diff, answer)
		}
	}
	if folded < 100 {
		t.Errorf("only %d subtrees were folded, so little was tested", folded)
	}
}

func TestShiftID(t *testing.T) {
	for _, tt := range [][4]string{
		{"1:5", "1:1", "1:11", "1:15"},
		{"1:5", "1:1", "2:1", "2:5"},
		{"I1:1;7:8", "1:1", "1:9", "I1:9;7:8"},
		{"I1:5;7:8", "1:1", "1:11", "I1:15;7:8"},
		{"I1:1;7:8;9:9", "I1:1;7:8", "I1:1;7:10", "I1:1;7:10;9:9"},
		{"1:15", "1:1", "1:2", "1:16"}, // not a part of 1:1
		{"3:5", "1:1", "1:11", ""},
		{"odd", "1:1", "1:2", ""},
	} {
		if got := shiftID(tt[0], tt[1], tt[2]); got != tt[3] {
			t.Errorf("shiftID(%s, %s, %s) = %q, want %q", tt[0], tt[1], tt[2], got, tt[3])
		}
	}
}
