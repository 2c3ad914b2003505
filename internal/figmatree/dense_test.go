package figmatree

// The dense form holds all that the answer says.

import (
	"fmt"
	"testing"
)

func TestDenseSaysEverything(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 50
	}
	for seed := range uint64(n) {
		answer := randomAnswer(seed)
		ok := t.Run(fmt.Sprint(seed), func(t *testing.T) { checkDense(t, answer) })
		if !ok {
			t.Fatalf("the answer was\n%s", answer)
		}
	}
}
