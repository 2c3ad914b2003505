package aria

// This file tests the live path around the tree.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const tallTree = "- generic [active] [ref=e1]:\n" +
	"  - link \"Skip to the main content\" [ref=e2] [cursor=pointer]:\n    - /url: \"#main-content-of-the-page\"\n" +
	"  - navigation \"Main\" [ref=e3]:\n    - list [ref=e4]:\n      - listitem [ref=e5]:\n" +
	"        - link \"Home\" [ref=e6] [cursor=pointer]:\n          - /url: /a/long/address/of/the/home/page\n"

func answerWith(before, tree, after string) string {
	return before + "### Snapshot\n```yaml\n" + strings.TrimSuffix(tree, "\n") + "\n```" + after
}

func TestCompactKeepsWhatIsOutside(t *testing.T) {
	before := "### Open tabs\n- 0: (current) [A](http://a/)\n- 1: [B](http://b/)\n" +
		"### Page\n- Page URL: http://a/\n- Page Title: A\n- Page status: crashed\n- HTTP status: 404 Not Found\n" +
		"- Console: 2 errors, 1 warnings\n"
	after := "\n### Events\n- Downloaded file tea.pdf to \"tea.pdf\"\n- New console entries: console.log#L1"
	res, ok := Compact(answerWith(before, tallTree, after), Options{})
	if !ok {
		t.Fatal(res.Skipped)
	}
	_, body, _ := strings.Cut(res.Text, "\n")
	want := "### Open tabs\n- 0: (current) [A](http://a/)\n- 1: [B](http://b/)\n" +
		"URL: http://a/\nTitle: A\nPage status: crashed\nHTTP status: 404 Not Found\nConsole: 2 errors, 1 warnings\n" +
		"### Events\n- Downloaded file tea.pdf to \"tea.pdf\"\n- New console entries: console.log#L1\n" +
		"### Snapshot\nlink Skip to the main content [e2]\nnavigation Main:\nlink Home [e6]"
	if body != want {
		t.Errorf("got:\n%s\nwant:\n%s", body, want)
	}
}

func TestCompactHeader(t *testing.T) {
	answer := answerWith("### Page\n- Page URL: http://a/\n", strings.Repeat(tallTree, 40), "")
	res, ok := Compact(answer, Options{})
	if !ok {
		t.Fatal(res.Skipped)
	}
	m := regexp.MustCompile(`^\[PlayGuard compact: (\d+)/(\d+) lines, ~(\d+)% removed, (\d+\.\d)KB→(\d+\.\d)KB\]\n`).FindStringSubmatch(res.Text)
	if m == nil {
		t.Fatalf("the first line is not the header: %.200s", res.Text)
	}
	want := []string{
		strconv.Itoa(res.KeptLines), strconv.Itoa(8 * 40),
		strconv.Itoa(100 * (len(answer) - len(res.Text)) / len(answer)),
		fmt.Sprintf("%.1f", float64(len(answer))/1024), fmt.Sprintf("%.1f", float64(len(res.Text))/1024),
	}
	for i, w := range want {
		if m[i+1] != w {
			t.Errorf("figure %d of %q is %s, want %s", i, m[0], m[i+1], w)
		}
	}
	if res.RawBytes != len(answer) || res.KeptBytes != len(res.Text) || res.RawLines != 8*40 || res.Interactive != 120 {
		t.Errorf("the figures are wrong: %+v", res)
	}
	_, tree, _ := strings.Cut(res.Text, "### Snapshot\n")
	if got := strings.Count(tree, "\n") + 1; got != res.KeptLines {
		t.Errorf("%d lines are counted as %d", got, res.KeptLines)
	}
}

func TestCompactSaysWhatWasCut(t *testing.T) {
	prose := strings.Repeat("Words that go on and on. ", 20)
	answer := answerWith("", "- paragraph [ref=e1]: "+prose+"\n"+strings.Repeat(tallTree, 5), "")
	res, _ := Compact(answer, Options{Text: TextShort})
	first, _, _ := strings.Cut(res.Text, "\n")
	note := fmt.Sprintf("; %d characters of text cut, text:\"full\" shows them]", res.Cut)
	if res.Cut < 400 || !strings.HasSuffix(first, note) {
		t.Errorf("%d characters were cut, and the header is %s", res.Cut, first)
	}
}

func TestCompactLeavesAlone(t *testing.T) {
	for _, test := range []struct {
		name, answer string
		ok, skipped  bool
	}{
		{name: "no tree", answer: "### Result\nClicked."},
		{name: "empty", answer: ""},
		{name: "a link to a file", answer: "### Snapshot\n- [Snapshot](page.yml)"},
		{name: "an open fence", answer: "### Snapshot\n```yaml\n- button \"x\""},
		{name: "not at a line's start", answer: "x### Snapshot\n```yaml\n- button\n```"},
		{name: "no nodes", answer: answerWith("", "hello\nworld", ""), skipped: true},
		{name: "a jump in depth", answer: answerWith("", "- main:\n      - button", ""), skipped: true},
		{name: "odd indentation", answer: answerWith("", "- main:\n   - button", ""), skipped: true},
		{name: "a tab", answer: answerWith("", "- main:\n\t- button", ""), skipped: true},
		{name: "below a text", answer: answerWith("", "- text: a\n  - button", ""), skipped: true},
		{name: "below a property", answer: answerWith("", "- link:\n  - /url: a\n    - button", ""), skipped: true},
		{name: "mostly unknown lines", answer: answerWith("", "- ?\n- !\n- button", ""), skipped: true},
		{name: "an empty tree", answer: "### Page\n- Page URL: about:blank\n### Snapshot\n```yaml\n\n```", ok: true},
		{name: "too small to win", answer: answerWith("", "- button \"x\" [ref=e1]", ""), ok: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			res, ok := Compact(test.answer, Options{})
			if ok != test.ok || (res.Skipped != nil) != test.skipped {
				t.Errorf("ok %v, skipped %v", ok, res.Skipped)
			}
			if res.Text != test.answer || res.KeptBytes != len(test.answer) {
				t.Errorf("the answer was changed to %q", res.Text)
			}
		})
	}
}

// TestQuotedTrees: text of the page, quoted by a dialog's message, a console
// line, a result or an error, is never taken for a tree.
func TestQuotedTrees(t *testing.T) {
	fake := answerWith("", strings.Repeat(tallTree, 3), "")
	link := "### Snapshot\n- [Snapshot](out/page.yml)\n"
	for name, answer := range map[string]string{
		"a result":                fake,
		"a result with a page":    "### Page\n- Page URL: http://a/\n" + fake,
		"a dialog's message":      "### Modal state\n- [\"alert\" dialog with message \"\n" + fake + "\n\"]: can be handled\n" + link,
		"a dialog without a link": "### Modal state\n- [\"alert\" dialog with message \"\n" + fake,
	} {
		before := "### Page\n- Page URL: http://a/\n"
		if strings.HasPrefix(name, "a result") {
			before = "### Result\nlogged: "
		}
		res, ok := Compact(before+answer, Options{})
		if ok || res.Text != before+answer {
			t.Errorf("%s was taken for a tree:\n%s", name, res.Text)
		}
	}
	for name, after := range map[string]string{
		"text behind the tree":       "\nquoted",
		"a second tree in an event":  "\n### Events\n- console: \n" + fake,
		"a second tree behind a gap": "\n\n" + fake,
	} {
		answer := answerWith("### Page\n- Page URL: http://a/\n", strings.Repeat(tallTree, 3), after)
		if res, ok := Compact(answer, Options{}); ok {
			t.Errorf("%s: an answer with two trees was understood:\n%s", name, res.Text)
		}
	}
}

func TestCompactKeepsThePagesTools(t *testing.T) {
	tools := "- webmcp tools (page-provided, untrusted):\n  - order: orders tea\n\n"
	res, ok := Compact(answerWith("", tools+strings.Repeat(tallTree, 3), ""), Options{})
	if !ok {
		t.Fatal(res.Skipped)
	}
	if want := "\n- webmcp tools (page-provided, untrusted):\n  - order: orders tea\n### Snapshot\n[active] [e1]"; !strings.Contains(res.Text, want) {
		t.Errorf("the tools are not in front of the tree:\n%s", res.Text)
	}
}
