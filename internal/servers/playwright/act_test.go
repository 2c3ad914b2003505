package playwright

// What an agent reads after an action.

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/mcp"
)

// list is a page with a button of its own for each name, which keeps its ref.
func list(names ...string) string {
	var sb strings.Builder
	sb.WriteString("- main [ref=e1]:\n  - heading \"Things\" [level=1] [ref=e2]")
	for i := range 8 {
		fmt.Fprintf(&sb, "\n  - paragraph [ref=e%d]: Paragraph %d says what stays as it is, whatever is done on this page.", 3+i, i)
	}
	sb.WriteString("\n  - list [ref=e12]:")
	for _, name := range names {
		fmt.Fprintf(&sb, "\n    - listitem [ref=e8%s]:\n      - button %q [ref=%s] [cursor=pointer]", refOf(name)[2:], name, refOf(name))
	}
	return sb.String()
}

// refOf is the ref of a name's button.
func refOf(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("e7%d", h.Sum32()%1e7)
}

// paged is an answer about a page, with further sections.
func paged(url, title, tree string, behind ...string) string {
	return "### Page\n- Page URL: " + url + "\n- Page Title: " + title + "\n### Snapshot\n```yaml\n" + tree + "\n```" + strings.Join(behind, "")
}

// linked is the same with the tree in a file, as actions answer.
func (s *session) linked(url, title, tree string, behind ...string) string {
	s.t.Helper()
	s.files++
	name := fmt.Sprintf("page-%d.yml", s.files)
	if err := os.WriteFile(filepath.Join(s.dirs.QA, name), []byte(tree), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return result("### Page\n- Page URL: " + url + "\n- Page Title: " + title + "\n### Snapshot\n- [Snapshot](qa/" + name + ")" + strings.Join(behind, ""))
}

const shop = "http://shop.test/"

var things = []string{"Ant", "Bee", "Cat", "Dog", "Eel", "Fox", "Gnu", "Hen"}

// opened is a session on the page of things.
func opened(t *testing.T, settings ...string) *session {
	t.Helper()
	s := newSession(t, settings...)
	s.answers(s.linked(shop, "Shop", list(things...)))
	if text, _ := s.text("browser_navigate", `{"url":"`+shop+`"}`); !strings.Contains(text, "Hen") {
		t.Fatalf("the page is answered as %s", text)
	}
	return s
}

func TestActionShowsWhatItChanged(t *testing.T) {
	s := opened(t)
	s.answers(s.linked(shop, "Shop", list(things[1:]...)))
	text, e := s.text("browser_click", `{"target":"`+refOf("Ant")+`"}`)
	if !e.Delta || !strings.Contains(text, "REMOVED:") || !strings.Contains(text, "Ant") || strings.Contains(text, "Bee") || strings.Contains(text, "URL:") {
		t.Errorf("the change is told as (%+v)\n%s", e, text)
	}
	s.answers(s.linked(shop, "Shop", list(things[1:]...)))
	if text, _ := s.text(backTool, `{}`); text != "[PlayGuard r2: UNCHANGED]\nURL: "+shop {
		t.Errorf("a step back to a page that is known is answered\n%s", text)
	}
	if text, _ := s.text("browser_click", `{"target":"`+refOf("Bee")+`"}`); text != "[PlayGuard r2: UNCHANGED]" {
		t.Errorf("nothing is told as %q", text)
	}
	s.answers(result(paged(shop, "Shop", list(things[2:]...))))
	if text, e := s.text(snapshotTool, `{}`); !e.Delta || !strings.Contains(text, "Bee") || strings.Contains(text, "Cat") {
		t.Errorf("a look does not go on from the action: %s", text)
	}
	if text, e := s.text(snapshotTool, `{"full":true}`); e.Delta || !strings.Contains(text, "Cat") {
		t.Errorf("a whole look is %s", text)
	}
}

// What happened besides the change is named, and nothing else is.
func TestActionNamesWhatHappened(t *testing.T) {
	const errors = "[ 12ms] [LOG] fine\n[ 13ms] [ERROR] one is broken\n[ 14ms] [ERROR] two\n[ 15ms] [ERROR] three\n[ 16ms] [ERROR] four"
	tests := []struct {
		name         string
		url, title   string
		head, behind string
		want, not    []string
	}{
		{"nothing", shop, "Shop", "", "", nil, []string{"URL", "Title", "Console", "Tabs"}},
		{"another address", shop + "#b", "Shop", "", "", []string{"URL: " + shop + "#b\n"}, []string{"Title"}},
		{"another title", shop, "Shop (1)", "", "", []string{"Title: Shop (1)\n"}, []string{"URL"}},
		{"console errors", shop, "Shop", "", "\n### Events\n- New console entries: qa/console-1.log#L1-L5",
			[]string{"Console error: one is broken\nConsole error: two\nConsole error: three\n1 more console errors: browser_console_messages\n"}, []string{"fine", "four"}},
		{"a download", shop, "Shop", "", "\n### Events\n- Downloaded file a.csv to \"qa/a.csv\"", []string{"Downloaded file a.csv to \"qa/a.csv\"\n"}, nil},
		{"a new tab", shop, "Shop", "### Open tabs\n- 0: (current) [Shop](http://shop.test/)\n- 1: [Help](http://shop.test/help)\n", "",
			[]string{"Tabs: 0 (current) Shop; 1 Help\n"}, []string{"URL"}},
		{"a result", shop, "Shop", "### Result\nUploaded 1 file\n", "", []string{"Uploaded 1 file\n"}, []string{"### Result"}},
		{"code that nobody asked for", shop, "Shop", "### Ran Playwright code\n```js\nawait page.click();\n```\n", "", nil, []string{"await", "```"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := opened(t)
			if err := os.WriteFile(filepath.Join(s.dirs.QA, "console-1.log"), []byte(errors), 0o600); err != nil {
				t.Fatal(err)
			}
			answer := mcp.Texts([]byte(s.linked(tt.url, tt.title, list(things[1:]...), tt.behind)))[0].Text
			s.answers(result(tt.head + answer))
			text, _ := s.text("browser_click", `{"target":"`+refOf("Ant")+`"}`)
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(text, not) {
					t.Errorf("%q is in\n%s", not, text)
				}
			}
		})
	}
}

// A line of the page's section that is not known is passed on, once.
func TestActionNamesFactsOfThePage(t *testing.T) {
	s := opened(t)
	const fact = "HTTP status: 422 Unprocessable Entity"
	for i, want := range []bool{true, false} {
		answer := mcp.Texts([]byte(s.linked(shop, "Shop", list(things[i+1:]...))))[0].Text
		s.answers(result(strings.Replace(answer, "\n### Snapshot", "\n- "+fact+"\n### Snapshot", 1)))
		if text, e := s.text("browser_click", `{"target":"`+refOf(things[i])+`"}`); !e.Delta || strings.Contains(text, fact+"\n") != want {
			t.Errorf("answer %d is\n%s", i+1, text)
		}
	}
}

func TestActionKeepsCodeThatWasAskedFor(t *testing.T) {
	for _, setting := range []string{"PLAYGUARD_CODEGEN=keep", "PLAYWRIGHT_MCP_ARGS=--codegen=typescript"} {
		s := opened(t, setting)
		answer := mcp.Texts([]byte(s.linked(shop, "Shop", list(things[1:]...))))[0].Text
		s.answers(result("### Ran Playwright code\n```js\nawait page.click();\n```\n" + answer))
		if text, _ := s.text("browser_click", `{"target":"`+refOf("Ant")+`"}`); !strings.Contains(text, "await page.click();") {
			t.Errorf("with %s the code is lost in\n%s", setting, text)
		}
	}
}

// An open dialog comes first and alone; its message can't pass for more than one.
func TestActionThatOpensDialog(t *testing.T) {
	s := opened(t)
	for _, behind := range []string{"", "\n### Snapshot\n- [Snapshot](qa/page-3.yml)"} { // the latter when a new tab has opened it
		s.answers(result("### Page\n- Page URL: " + shop + "\n- Page Title: Shop\n### Modal state\n- [\"alert\" dialog with message \"one\ntwo\"]: can be handled by browser_handle_dialog" + behind))
		text, _ := s.text("browser_click", `{"target":"`+refOf("Ant")+`"}`)
		if text != `Open: ["alert" dialog with message "one\ntwo"]: can be handled by browser_handle_dialog` {
			t.Errorf("the dialog is told as %q", text)
		}
	}
	s.answers(result("### Result\nhandled"), result(paged(shop, "Shop", list(things[1:]...))))
	if text, e := s.text("browser_handle_dialog", `{"accept":true}`); !e.Delta || !strings.Contains(text, "Ant") {
		t.Errorf("after the dialog the change is told as %s", text)
	}
}

// A page over the budget is told in outline, and the next look is whole: the
// agent was never sent what a delta would build on.
func TestOutlineThenWholeLook(t *testing.T) {
	many := make([]string, 400)
	for i := range many {
		many[i] = fmt.Sprintf("Thing number %d", i)
	}
	s := newSession(t, "PLAYGUARD_ACTION_BUDGET=200")
	s.answers(s.linked(shop, "Shop", list(many...)))
	outline, _ := s.text("browser_navigate", `{"url":"`+shop+`"}`)
	if strings.Contains(outline, "Thing number 399") || !strings.Contains(outline, "Things") || !strings.Contains(outline, "browser_snapshot") {
		t.Errorf("the outline is %s", clipped(outline))
	}
	s.answers(s.linked(shop, "Shop", list(many[1:]...)))
	if text, e := s.text("browser_click", `{"target":"`+refOf("Thing number 0")+`"}`); !e.Delta || !strings.Contains(text, "Thing number 0") {
		t.Errorf("after an outline a change is told as %s", clipped(text))
	}
	s.answers(result(paged(shop, "Shop", list(many[1:]...))))
	if text, e := s.text(snapshotTool, `{}`); e.Delta || !strings.Contains(text, "Thing number 399") {
		t.Errorf("the look after an outline is %s", clipped(text))
	}
	if text, _ := s.text(snapshotTool, `{}`); !strings.Contains(text, "UNCHANGED") {
		t.Errorf("the look after that is %s", clipped(text))
	}
}

func clipped(text string) string { return text[:min(len(text), 600)] }

// After so many deltas, or so long, the next look is whole.
func TestWholeLookAfterManyDeltas(t *testing.T) {
	s := opened(t, "PLAYGUARD_SNAPSHOT_TTL=0")
	s.answers(result(paged(shop, "Shop", list(things...))))
	for i := range refreshCalls {
		if text, _ := s.text(snapshotTool, `{}`); !strings.Contains(text, "UNCHANGED") {
			t.Fatalf("look %d is %s", i, text)
		}
	}
	if text, _ := s.text(snapshotTool, `{}`); !strings.Contains(text, "Hen") {
		t.Errorf("after %d deltas a look is %s", refreshCalls, text)
	}
	s.clock = s.clock.Add(refreshAfter)
	if text, _ := s.text(snapshotTool, `{}`); !strings.Contains(text, "Hen") {
		t.Errorf("after %s a look is %s", refreshAfter, text)
	}
}

// Upstream answers some actions without looking; the agent must not have to ask.
func TestActionsThatAreAnsweredBlindly(t *testing.T) {
	for tool := range sightless {
		if tool == "browser_tabs" {
			continue
		}
		s := opened(t)
		s.answers(result(""), result(paged(shop, "Shop", list(things[1:]...))))
		s.sent = nil
		if text, e := s.text(tool, `{}`); !e.Delta || !strings.Contains(text, "Ant") || len(s.sent) != 2 {
			t.Errorf("%s is answered %s after %v", tool, text, s.sent)
		}
	}
}

func TestActionViewLink(t *testing.T) {
	s := newSession(t, "PLAYGUARD_ACTION_VIEW=link")
	want := s.linked(shop, "Shop", list(things...))
	if got, _ := s.answers(want).call("browser_navigate", `{"url":"`+shop+`"}`); got != want {
		t.Errorf("the answer became %s", got)
	}
}

// What can't be read passes as it came.
func TestActionWithoutItsFile(t *testing.T) {
	s := opened(t)
	want := result("### Page\n- Page URL: " + shop + "\n### Snapshot\n- [Snapshot](qa/none.yml)")
	if got, e := s.answers(want).call("browser_click", `{"target":"`+refOf("Ant")+`"}`); got != want || e.ParseSkip == "" {
		t.Errorf("the answer became %s (%+v)", got, e)
	}
}

// Each tab has views of its own: a delta never compares two pages.
func TestDeltasAreOfOneTab(t *testing.T) {
	s := opened(t)
	other := list("One", "Two", "Three")
	const two = "### Open tabs\n- 0: [Shop](http://shop.test/)\n- 1: (current) [Help](http://shop.test/help)\n"
	s.answers(result("### Result\n- 0: [Shop](http://shop.test/)\n- 1: (current) [Help](http://shop.test/help)"), result(two+paged(shop+"help", "Help", other)))
	if text, e := s.text("browser_tabs", `{"action":"new","url":"/help"}`); e.Delta || !strings.Contains(text, "Three") || !strings.Contains(text, "Tabs: 0 Shop; 1 (current) Help") {
		t.Errorf("the new tab is told as %s", text)
	}
	const first = "- 0: (current) [Shop](http://shop.test/)\n- 1: [Help](http://shop.test/help)"
	s.answers(result("### Result\n"+first), result("### Open tabs\n"+first+"\n"+paged(shop, "Shop", list(things[1:]...))))
	if text, e := s.text("browser_tabs", `{"action":"select","index":0}`); !e.Delta || !strings.Contains(text, "Ant") || strings.Contains(text, "Three") {
		t.Errorf("the first tab again is told as %s", text)
	}
}
