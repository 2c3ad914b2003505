package repo

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/config"
)

// TestReadmeSettings holds the README's tables against the table in the code.
func TestReadmeSettings(t *testing.T) {
	readme := read(t, "README.md")
	const begin, end = "<!-- settings -->\n", "<!-- /settings -->"
	_, after, found := strings.Cut(readme, begin)
	tables, _, closed := strings.Cut(after, end)
	if !found || !closed {
		t.Fatalf("README.md has no place for the settings between %q and %q", begin, end)
	}
	if want := config.Markdown(); strings.TrimSpace(tables) != strings.TrimSpace(want) {
		t.Errorf("the README's settings are not those of internal/config; put this between the marks:\n%s", want)
	}
}

// TestSettingsInTheDocs looks for settings that the documents name and the code
// does not have.
func TestSettingsInTheDocs(t *testing.T) {
	known := map[string]bool{"PLAYGUARD_TREE": true} // the guard's own mark
	for _, s := range config.Settings() {
		known[s.Name] = true
	}
	for _, page := range []string{"README.md", "ARCHITECTURE.md", "docs/snapshot-format.md", "docs/figma-format.md", "CHANGELOG.md"} {
		for _, name := range regexp.MustCompile(`\bPLAYGUARD_[A-Z_]+\b`).FindAllString(read(t, page), -1) {
			if !known[name] {
				t.Errorf("%s names %s, which is no setting", page, name)
			}
		}
	}
}

// TestReadmeLinks follows the links to the repository's own files.
func TestReadmeLinks(t *testing.T) {
	for _, page := range []string{"README.md", "ARCHITECTURE.md"} {
		for rest := read(t, page); ; {
			_, after, found := strings.Cut(rest, "](")
			if !found {
				break
			}
			target, tail, _ := strings.Cut(after, ")")
			rest = tail
			target, _, _ = strings.Cut(target, "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s links to %s, which is not there", page, target)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
