package figmatree

// The dense form holds all that the answer says.

import (
	"fmt"
	"os"
	"path/filepath"
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

// What the real server sent for files of our own.
func TestDenseOfRecordedDesigns(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("../../bench/testdata/figma/*.json.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded designs: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			answer, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			checkDense(t, string(answer))
		})
	}
}
