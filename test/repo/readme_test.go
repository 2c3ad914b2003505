package repo

// That the documents tell the truth, as far as text shows it.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/bundle"
	"github.com/playguard/playguard/internal/calllog"
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
	for _, page := range documents(t) {
		for _, name := range regexp.MustCompile(`\bPLAYGUARD_[A-Z_]+\b`).FindAllString(read(t, page), -1) {
			if !known[name] {
				t.Errorf("%s names %s, which is no setting", page, name)
			}
		}
	}
}

// TestLinksInTheDocs follows the links to the repository's own files.
func TestLinksInTheDocs(t *testing.T) {
	for _, page := range documents(t) {
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
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(page), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", page, target)
			}
		}
	}
}

// TestReadmeLog holds the README's table of the call log against the entries.
func TestReadmeLog(t *testing.T) {
	_, table, found := strings.Cut(read(t, "README.md"), "## The call log\n")
	table, _, closed := strings.Cut(table, "\nIt holds ")
	if !found || !closed {
		t.Fatal("README.md has no section about the call log")
	}
	var named, fields []string
	for line := range strings.Lines(table) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if strings.HasPrefix(line, "| `") {
			for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cell, -1) {
				named = append(named, m[1])
			}
		}
	}
	entry := reflect.TypeFor[calllog.Entry]()
	for i := range entry.NumField() {
		name, _, _ := strings.Cut(entry.Field(i).Tag.Get("json"), ",")
		fields = append(fields, name)
	}
	slices.Sort(named)
	slices.Sort(fields)
	if !slices.Equal(named, fields) {
		t.Errorf("the README's fields of the call log are\n%q, not\n%q", named, fields)
	}
}

// TestCommandsInTexts looks for commands that a document or a text of the program
// names and the program does not have.
func TestCommandsInTexts(t *testing.T) {
	commands := []string{"serve", "setup", "demo", "compact", "version", "help"}
	for _, f := range tracked(t) {
		if !strings.HasSuffix(f, ".md") && !strings.HasSuffix(f, ".go") {
			continue
		}
		for _, m := range regexp.MustCompile("`playguard ([a-z]+)").FindAllStringSubmatch(read(t, f), -1) {
			if !slices.Contains(commands, m[1]) {
				t.Errorf("%s names `playguard %s`, which is no command", f, m[1])
			}
		}
	}
}

// TestVersionsInTheDocs compares the versions that the documents name with those
// that are pinned.
func TestVersionsInTheDocs(t *testing.T) {
	pinned := func(file, name string) string {
		var p struct{ Dependencies, DevDependencies map[string]string }
		if err := json.Unmarshal([]byte(read(t, file)), &p); err != nil {
			t.Fatal(err)
		}
		return p.Dependencies[name] + p.DevDependencies[name]
	}
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))[1]
	for _, c := range []struct{ file, text string }{
		{"README.md", "Go " + language + ", Node.js " + strconv.Itoa(bundle.MinNode) + " and npm"},
		{"README.md", "figma-developer-mcp@" + pinned("test/framelink/npm/package.json", "figma-developer-mcp") + " "},
		{"CHANGELOG.md", "Playwright MCP " + pinned("internal/bundle/npm/package.json", "@playwright/mcp") + ","},
		{"scripts/need-browser", "Go " + language + " or newer, Node.js " + strconv.Itoa(bundle.MinNode) + " or newer"},
	} {
		if !strings.Contains(read(t, c.file), c.text) {
			t.Errorf("%s does not say %q", c.file, c.text)
		}
	}
}

// TestFilesInArchitecture looks for the files that ARCHITECTURE.md names, and for
// folders that its list of the parts lacks or has too many.
func TestFilesInArchitecture(t *testing.T) {
	page := read(t, "ARCHITECTURE.md")
	there := map[string]bool{}
	folders := map[string]bool{}
	for _, f := range tracked(t) {
		there[filepath.Base(f)] = true
		parts := strings.Split(filepath.ToSlash(f), "/")
		if len(parts) > 2 && (parts[0] == "internal" || parts[0] == "test") && strings.HasSuffix(f, ".go") {
			folders[parts[0]+"/"+parts[1]] = true
		}
	}
	for _, m := range regexp.MustCompile(`\b[\w/]+\.(?:go|js|cjs)\b`).FindAllString(page, -1) {
		if !there[filepath.Base(m)] {
			t.Errorf("ARCHITECTURE.md names %s, which is not there", m)
		}
	}
	_, list, _ := strings.Cut(page, "\n```\n")
	list, _, _ = strings.Cut(list, "\n```\n")
	top, listed := "", map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^( *)(\w+)/`).FindAllStringSubmatch(list, -1) {
		if m[1] == "" {
			top = m[2]
		} else {
			listed[top+"/"+m[2]] = true
		}
	}
	for folder := range folders {
		if !listed[folder] {
			t.Errorf("the parts in ARCHITECTURE.md lack %s", folder)
		}
	}
	for folder := range listed {
		if !folders[folder] {
			t.Errorf("the parts in ARCHITECTURE.md have %s, which is not there", folder)
		}
	}
}

// documents are the pages that users and developers read.
func documents(t *testing.T) []string {
	t.Helper()
	pages := []string{"README.md", "ARCHITECTURE.md", "CHANGELOG.md"}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(docs) == 0 {
		t.Fatalf("there are no docs: %v", err)
	}
	for _, page := range docs {
		pages = append(pages, "docs/"+filepath.Base(page))
	}
	return pages
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
