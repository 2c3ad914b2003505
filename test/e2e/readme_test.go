// That the README's examples are what an agent gets.

package e2e

import (
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/demo/shop"
	"github.com/playguard/playguard/test/site"
)

// readmeExample is the README's block that begins with a text.
func readmeExample(t *testing.T, begins string) []string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), "```\n"+begins)
	block, _, closed := strings.Cut(begins+rest, "\n```\n")
	if !found || !closed {
		t.Fatalf("the README has no example that begins with %q", begins)
	}
	return strings.Split(block, "\n")
}

// shows checks that an answer consists of the lines of an example; a line with … alone
// stands for any number of them.
func shows(t *testing.T, answer string, example []string) {
	t.Helper()
	rest := strings.Split(strings.TrimRight(answer, "\n"), "\n")
	gap := false
	for _, line := range example {
		if strings.TrimSpace(line) == "…" {
			gap = true
			continue
		}
		at := slices.Index(rest, line)
		if at < 0 || at > 0 && !gap {
			t.Fatalf("the README shows %q, which does not come there in:\n%s", line, answer)
		}
		rest, gap = rest[at+1:], false
	}
	if len(rest) > 0 && !gap {
		t.Errorf("the README's example ends before:\n%s", strings.Join(rest, "\n"))
	}
}

func TestReadmeExamples(t *testing.T) {
	web := httptest.NewServer(shop.New())
	t.Cleanup(web.Close)
	pages := site.Start(t)
	_, p := open(t, "PLAYGUARD_REFS=numbers", "PLAYGUARD_ACTION_VIEW=view", "PLAYGUARD_DELTA=true", "FIGMA_MCP_CMD="+figmaServer(t, "framelink"))

	view := call(t, p, "browser_navigate", map[string]any{"url": web.URL + "/products/felt-desk-mat"})
	shows(t, strings.ReplaceAll(view, web.URL, "http://shop.example"), readmeExample(t, "[PlayGuard compact: "))
	button := regexp.MustCompile(`button Add to cart \[(\d+)\]`).FindStringSubmatch(view)
	if button == nil {
		t.Fatalf("there is no button in:\n%s", view)
	}
	delta := call(t, p, "browser_click", map[string]any{"target": button[1]})
	// Whether the button has the focus in the view before depends on the moment.
	if focused := strings.Replace(delta, "\n button Add to cart [active] ["+button[1]+"]", "", 1); focused != delta {
		delta = regexp.MustCompile(`2 changed, ~\d+%`).ReplaceAllString(focused, "1 changed, ~94%")
	}
	shows(t, delta, readmeExample(t, "[PlayGuard delta "))

	navigate(t, p, pages.URL+"/design.html?planted")
	shows(t, call(t, p, compareTool, map[string]any{"figmaNodeId": "10:6", "browserSelector": "#save-button", "fileKey": "abc"}),
		readmeExample(t, "[PlayGuard design diff: "))
}
