package aria

import "testing"

// TestEstimateTokens compares with what o200k_base makes of the texts.
func TestEstimateTokens(t *testing.T) {
	for _, test := range []struct {
		text string
		want int // tokens of o200k_base
	}{
		{"", 0},
		{"[PlayGuard compact: 39/199 lines, ~67% removed, 6.8KB→2.2KB]", 26},
		{" 1000 [317] Ada Adler 1 [318] Berlin [319] 0 [320] button Open [321]", 27},
		{"link Home [3]; News [4]; Sport [5]", 12},
		{"New Zealand is located near the centre of the water hemisphere and is made up of two main islands.", 20},
	} {
		got := EstimateTokens(test.text)
		if slack := max(3, test.want/8); got < test.want-slack || got > test.want+slack {
			t.Errorf("%q is estimated at %d tokens, not about %d", test.text, got, test.want)
		}
	}
}

func BenchmarkEstimateTokens(b *testing.B) {
	tree, err := Parse(largeAnswerTree(520 << 10))
	if err != nil {
		b.Fatal(err)
	}
	text, _ := NewView(tree, Options{}).Render()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		EstimateTokens(text)
	}
}

func largeAnswerTree(size int) string {
	parts, _ := splitAnswer(largeAnswer(size))
	return parts.tree
}
