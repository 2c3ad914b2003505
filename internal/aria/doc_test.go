package aria

// This file checks that the example in the documentation is what the code
// writes.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDocumentedExample(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "snapshot-format.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	example := func(name string) (before, text, after string) {
		before, rest, ok := strings.Cut(string(data), "<!-- example: "+name+" -->\n````\n")
		text, after, closed := strings.Cut(rest, "````\n")
		if !ok || !closed {
			t.Fatalf("%s has no example called %s", file, name)
		}
		return before, text, after
	}
	_, answer, _ := example("answer")
	before, want, after := example("view")
	res, ok := Compact(strings.TrimSuffix(answer, "\n"), Options{})
	if !ok {
		t.Fatal(res.Skipped)
	}
	got := res.Text + "\n"
	if *update {
		text := before + "<!-- example: view -->\n````\n" + got + "````\n" + after
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("the example is out of date; run go test ./internal/aria -update. Got:\n%s", got)
	}
	// The example in the introduction shows the same first lines.
	head := strings.Join(strings.SplitAfterN(got, "\n", 3)[:2], "")
	if !strings.Contains(before, "```\n"+head+"```\n") {
		t.Errorf("the introduction does not show these first lines:\n%s", head)
	}
}

func TestDocumentedDelta(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "snapshot-format.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "golden", "delta.form.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "<!-- example: delta -->\n```\n"+string(want)+"```\n") {
		t.Errorf("%s does not show the delta that the code writes:\n%s", file, want)
	}
}
