package figmatree

// That docs/figma-format.md says what the code writes.

import (
	"os"
	"strings"
	"testing"
)

func formatPage(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/figma-format.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The documented example is one that the reader of the form understands.
func TestDocumentedDesign(t *testing.T) {
	_, example, _ := strings.Cut(formatPage(t), "\n```\n")
	example, _, found := strings.Cut(example, "\n```\n")
	lines := strings.SplitN(example, "\n", 4)
	if !found || len(lines) != 4 || !strings.HasPrefix(lines[0], "[PlayGuard figma: -") || !strings.HasPrefix(lines[1], "[PlayGuard: as it came: playguard_read {") {
		t.Fatalf("the example is %s", example)
	}
	if legend := strings.TrimSuffix(lines[2], " …"); legend != string(features{}.legend()) {
		t.Errorf("the legend begins with %q, not with %q", legend, features{}.legend())
	}
	doc, err := readDense(lines[2] + "\n" + lines[3])
	if err != nil {
		t.Fatal(err)
	}
	said := doc.file + "; " + doc.components["1:8"]["name"].(string) + " of " + doc.sets[doc.components["1:8"]["componentSetId"].(string)]["name"].(string)
	for _, id := range []string{"0:1", "1:1", "1:2", "1:5", "1:6"} {
		layer := doc.byID[id]
		if layer == nil {
			t.Fatalf("the example has no layer %s: %+v", id, doc.byID)
		}
		for _, member := range []string{"name", "text"} {
			if text, ok := layer.members[member].(string); ok {
				said += "; " + id + " " + text
			}
		}
	}
	if want := "Shop kit; State=Default of Card; 0:1 Page; 1:1 Card; 1:2 Buy now; 1:5 Card; 1:6 Sell"; said != want {
		t.Errorf("the example says %q, not %q", said, want)
	}
}

// The page names the word for each type.
func TestDocumentedTypes(t *testing.T) {
	_, types, _ := strings.Cut(formatPage(t), "- **type**:")
	types, _, _ = strings.Cut(types, "- **id**:")
	for kind, word := range kindWords {
		if !strings.Contains(types, "`"+word+"`") {
			t.Errorf("docs/figma-format.md does not name %s, the word for %s", word, kind)
		}
	}
}
