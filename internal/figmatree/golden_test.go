package figmatree

// Whole texts, to see what a change of the form does: run with -update and look
// at the difference.

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/playguard/playguard/test/figmafile"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestGolden(t *testing.T) {
	recorded, err := os.ReadFile(filepath.FromSlash("../../bench/testdata/figma/form.json.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		answer  string
		options Options
	}{
		"form-framelink": {string(recorded), Options{}},
		"form-stubs":     {string(recorded), Options{Budget: 900}},
		"form-rest":      {string(figmafile.Form()), Options{}},
		"cards-rest":     {string(figmafile.Instances(14)), Options{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Optimize(c.answer, c.options).Text + "\n"
			file := filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-golden +now):\n%s", diff)
			}
		})
	}
}
