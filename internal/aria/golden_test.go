package aria

// This file compares what is made of recorded answers with golden files. The
// answers in testdata/answers are what Playwright MCP 0.0.83 sent for the
// pages in testdata/pages.

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	forms := []struct {
		name    string
		options func() Options
	}{
		{"dense", func() Options { return Options{} }},
		{"numbers", func() Options { return Options{Identify: identifyAlone, URLs: true} }},
		{"action", func() Options { return Options{Handles: HandlesAction, Text: TextShort} }},
		{"none", func() Options { return Options{Text: TextNone} }},
		{"yaml", func() Options { return Options{Format: FormatYAML} }},
	}
	for name, answer := range recordedAnswers(t) {
		for _, form := range forms {
			t.Run(name+"/"+form.name, func(t *testing.T) {
				res, ok := Compact(answer, form.options())
				if !ok {
					t.Fatalf("the recorded answer is not understood: %v", res.Skipped)
				}
				file := filepath.Join("testdata", "golden", name+"."+form.name+".txt")
				if *update {
					if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(file, []byte(res.Text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatalf("the golden file is missing; run go test ./internal/aria -update and review it: %v", err)
				}
				if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(res.Text, "\n")); diff != "" {
					t.Errorf("%s differs (-want +got):\n%s", file, diff)
				}
			})
		}
	}
}

// recordedAnswers returns the answers by the name of their file.
func recordedAnswers(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "answers", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the recorded answers are missing: %v", err)
	}
	answers := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		answers[strings.TrimSuffix(filepath.Base(file), ".txt")] = string(data)
	}
	return answers
}
