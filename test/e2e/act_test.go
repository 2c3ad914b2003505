// What an agent reads after an action, from the real server.

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/demo"
	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/site"
)

// at is the handle of an element in a text.
func at(t testing.TB, text, role, label string) string {
	t.Helper()
	h, _, found := demo.FindHandle(text, role, label)
	if !found {
		t.Fatalf("there is no %s %q in:\n%s", role, label, clip(text))
	}
	return h
}

// TestActAndSee goes through what can happen after an action, in one browser.
func TestActAndSee(t *testing.T) {
	pages := site.Start(t)
	s, p := open(t, append(defaults(), "PLAYGUARD_SMART_WAIT=true", "PLAYGUARD_SMART_WAIT_MS=500", "PLAYGUARD_SNAPSHOT_TTL=0")...)
	app := func(t *testing.T, name string) string {
		t.Helper()
		return call(t, p, "browser_navigate", map[string]any{"url": pages.URL + "/apps/" + name + ".html"})
	}
	click := func(t *testing.T, view, role, label string) string {
		t.Helper()
		return call(t, p, "browser_click", map[string]any{"target": at(t, view, role, label)})
	}
	t.Run("live regions and console errors", func(t *testing.T) {
		view := app(t, "live")
		contains(t, view, "URL: "+pages.URL+"/apps/live.html", "Title: Live")
		said := click(t, view, "button", "Fail")
		contains(t, said, "[PlayGuard delta r", "Console error: disk full", "alert", "Disk is full")
		lacks(t, said, "URL:", "Title:", "Ann: hi", "### ")
		contains(t, click(t, view, "button", "Start"), "Transfer finished")
	})
	t.Run("dialogs", func(t *testing.T) {
		view := app(t, "alerts")
		opened := click(t, view, "button", "Ask")
		contains(t, opened, `Open: ["confirm" dialog with message "Go on?"]`, "browser_handle_dialog")
		contains(t, call(t, p, "browser_handle_dialog", map[string]any{"accept": true}), "went on")
	})
	t.Run("a page rendered anew behind the agent's back", func(t *testing.T) {
		view := app(t, "todo")
		call(t, p, "browser_evaluate", map[string]any{"function": "() => { app.rerender(); }"})
		before := pages.Count("todo: deleted Buy stamps")
		said := click(t, view, "button", "Delete Buy stamps")
		if pages.Count("todo: deleted Buy stamps") != before+1 {
			t.Errorf("the handle did not reach its element:\n%s", clip(said))
		}
		call(t, p, "browser_evaluate", map[string]any{"function": "() => { app.reorder(); }"})
		text, isError := attempt(t, p, "browser_click", map[string]any{"target": at(t, view, "button", "Delete Pay the rent")})
		if !isError {
			t.Error("a page that has changed was acted on")
		}
		contains(t, text, "Nothing was done: the page has changed since you looked", `(button "Delete Pay the rent")`, "[PlayGuard ")
		call(t, p, "browser_evaluate", map[string]any{"function": "() => { items = []; app.rerender(); }"})
		text, isError = attempt(t, p, "browser_click", map[string]any{"target": at(t, view, "button", "Delete Pay the rent")})
		if !isError {
			t.Error("a handle of an element that is gone was acted on")
		}
		contains(t, text, `(button "Delete Pay the rent") is gone from the page`)
	})
	t.Run("tabs", func(t *testing.T) {
		first := app(t, "todo")
		said := call(t, p, "browser_tabs", map[string]any{"action": "new", "url": pages.URL + "/apps/same.html"})
		contains(t, said, "Tabs: 0 To-do; 1 (current) Same label", "button Edit")
		text, isError := attempt(t, p, "browser_click", map[string]any{"target": at(t, first, "button", "Add")})
		if !isError {
			t.Error("a handle of another tab was acted on")
		}
		contains(t, text, "in another tab")
		contains(t, call(t, p, "browser_tabs", map[string]any{"action": "select", "index": 0}), "UNCHANGED")
		contains(t, call(t, p, "browser_tabs", map[string]any{"action": "close", "index": 1}), "UNCHANGED")
	})
	t.Run("an answer with an HTTP status", func(t *testing.T) {
		contains(t, call(t, p, "browser_navigate", map[string]any{"url": pages.URL + "/none.html"}), "[PlayGuard compact", "HTTP status: 404")
	})
	t.Run("filters", func(t *testing.T) {
		view := app(t, "checkout")
		part := look(t, p, map[string]any{"around": at(t, view, "button", "Place order")})
		contains(t, part, "Place order")
		if len(part) >= len(view) {
			t.Errorf("a part is no smaller than the whole:\n%s", part)
		}
		contains(t, look(t, p, map[string]any{"section": "no such section"}), "no such section", "Place order")
		contains(t, look(t, p, nil), "UNCHANGED") // a part is not what deltas build on
	})
	t.Run("a page that is loading", func(t *testing.T) {
		view := call(t, p, "browser_navigate", map[string]any{"url": "data:text/html,<title>Late</title><main>Loading<script>setTimeout(() => { document.body.innerHTML = '<main><h1>Here it is</h1><button>Go on</button></main>'; }, 600)</script>"})
		contains(t, view, "Here it is", "button Go on")
	})
	t.Run("long results", func(t *testing.T) {
		app(t, "todo")
		text := call(t, p, "browser_evaluate", map[string]any{"function": "() => Array.from({length: 4000}, (_, i) => 'line ' + i).join('\\n')"})
		id := regexp.MustCompile(`playguard_read \{"id":"([^"]+)"\}`).FindStringSubmatch(text)
		if id == nil || len(text) > 11000 {
			t.Fatalf("a long result is told in %d bytes as:\n%s", len(text), clip(text))
		}
		contains(t, call(t, p, "playguard_read", map[string]any{"id": id[1], "grep": "^line 3999$"}), "line 3999")
	})
	t.Run("files", func(t *testing.T) {
		if files := filesIn(t, s.Path("project")); len(files) == 0 {
			t.Error("upstream has written no files")
		} else {
			for _, f := range files {
				if !strings.Contains(f, ".playguard") && filepath.Base(f) != ".keep" {
					t.Errorf("a file was written into the user's tree: %s", f)
				}
			}
		}
	})
}

// imagesOf are the images of a call's result, with its text.
func imagesOf(t *testing.T, p *harness.Peer, tool string, arguments map[string]any) (images []string, text string) {
	t.Helper()
	var result struct {
		Content []struct{ Type, Text, Data string }
	}
	if err := json.Unmarshal([]byte(p.Result("tools/call", mustJSON(t, map[string]any{"name": tool, "arguments": arguments}))), &result); err != nil {
		t.Fatal(err)
	}
	for _, block := range result.Content {
		text += block.Text
		if block.Type == "image" {
			images = append(images, block.Data)
		}
	}
	return images, text
}

// Screenshots: inline, or in a file and not inline as well; too large ones are
// scaled down and their file stays whole.
func TestScreenshots(t *testing.T) {
	pages := site.Start(t)
	s := newStage(t, harness.Setup{})
	// Upstream's limit of five seconds is short for a picture on a busy machine.
	s = restage(t, s, append(defaults(), "PLAYWRIGHT_MCP_ARGS="+s.Args()+" --timeout-action 30000")...)
	p := s.Start()
	p.Init()
	navigate(t, p, pages.URL+"/rows.html")
	images, _ := imagesOf(t, p, "browser_take_screenshot", map[string]any{})
	if len(images) != 1 {
		t.Errorf("a screenshot has %d images", len(images))
	}
	images, text := imagesOf(t, p, "browser_take_screenshot", map[string]any{"filename": "shot.png"})
	if len(images) != 0 || !strings.Contains(text, "shot.png") {
		t.Errorf("a screenshot into a file has %d images and says %q", len(images), text)
	}
	navigate(t, p, "data:text/html,<title>Long</title><div style='height:9000px'>Far</div>")
	images, text = imagesOf(t, p, "browser_take_screenshot", map[string]any{"fullPage": true})
	if len(images) != 1 || !strings.Contains(text, "8000") {
		t.Errorf("a screenshot of a long page has %d images and says %q", len(images), clip(text))
	}
	if _, err := os.Stat(s.Path("project/shot.png")); err != nil {
		t.Errorf("the file is not where it was asked for: %v", err)
	}
}

func TestScreenshotsBecomeLooks(t *testing.T) {
	pages := site.Start(t)
	_, p := open(t, append(defaults(), "PLAYGUARD_SCREENSHOTS=redirect")...)
	navigate(t, p, pages.URL+"/apps/todo.html")
	images, text := imagesOf(t, p, "browser_take_screenshot", map[string]any{})
	if len(images) != 0 {
		t.Errorf("a redirected screenshot has %d images", len(images))
	}
	contains(t, text, "visual:true")
	if images, _ = imagesOf(t, p, "browser_take_screenshot", map[string]any{"visual": true}); len(images) != 1 {
		t.Errorf("with visual there are %d images", len(images))
	}
}
