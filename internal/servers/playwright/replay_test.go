package playwright

// The table of what may be sent again, refusals, and the way back.

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/config"
)

// Every tool of the recorded catalogue has its place in the table, once, and the
// documentation shows the table.
func TestReplayTable(t *testing.T) {
	var named []string
	for _, r := range rules() {
		if slices.Contains(named, r.tool) {
			t.Errorf("%s is in the table twice", r.tool)
		}
		named = append(named, r.tool)
	}
	for _, m := range regexp.MustCompile(`"name":\s*"(browser_\w+)"`).FindAllSubmatch(seed, -1) {
		if !slices.Contains(named, string(m[1])) {
			t.Errorf("%s is not in the table", m[1])
		}
	}
	doc, err := os.ReadFile("../../../docs/recovery.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), ReplayTable()) {
		t.Errorf("docs/recovery.md does not show this table:\n%s", ReplayTable())
	}
}

func TestRepeatOf(t *testing.T) {
	for _, c := range []struct {
		tool, args string
		want       repeat
	}{
		{"browser_click", `{}`, acts},
		{"browser_of_tomorrow", `{}`, acts},
		{tabsTool, `{"action":"list"}`, reading},
		{tabsTool, `{"action":"close"}`, navigates},
		{evaluateTool, `{"function":"() => document.title"}`, reading},
		{evaluateTool, `{"function":"() => fetch('/pay')"}`, escapes},
		{evaluateTool, `{"function":"() => document.querySelector('form').submit()"}`, escapes},
	} {
		if got := repeatOf(c.tool, []byte(c.args)); got != c.want {
			t.Errorf("%s %s: %d, want %d", c.tool, c.args, got, c.want)
		}
	}
}

func TestMayReplay(t *testing.T) {
	unsent, without, unknown := death{unsent: true, without: true}, death{without: true}, death{}
	for _, c := range []struct {
		policy string
		kind   repeat
		d      death
		want   bool
	}{
		{config.ReplaySafe, acts, unsent, true},
		{config.ReplaySafe, acts, without, true},
		{config.ReplaySafe, acts, unknown, false},
		{config.ReplaySafe, escapes, unknown, false},
		{config.ReplaySafe, reading, unknown, true},
		{config.ReplaySafe, navigates, unknown, true},
		{config.ReplaySafe, sets, unknown, true},
		{config.ReplayAlways, acts, unknown, true},
		{config.ReplayNever, reading, unknown, false},
		{config.ReplayNever, acts, without, false},
		{config.ReplayNever, acts, unsent, true},
	} {
		if got := mayReplay(c.policy, c.kind, c.d); got != c.want {
			t.Errorf("%s, kind %d, %+v: %v", c.policy, c.kind, c.d, got)
		}
	}
}

// A form's fields are filled one after the other: only the first one's absence
// proves that nothing was done.
func TestRefusesTarget(t *testing.T) {
	form := `{"fields":[{"name":"a","target":"e4"},{"name":"b","target":"e5"}]}`
	for _, c := range []struct {
		text, tool, args string
		want             bool
	}{
		{"Error: Ref e4 not found in the current page snapshot. Try capturing new snapshot.", "browser_click", `{"target":"e4"}`, true},
		{`Error: "button" does not match any elements.`, "browser_click", `{"target":"button"}`, true},
		{"Error: Ref e4 not found in the current page snapshot.", "browser_fill_form", form, true},
		{"Error: Ref e5 not found in the current page snapshot.", "browser_fill_form", form, false},
		{"### Error\nError: Ref e4 not found in the current page snapshot.", "browser_click", `{"target":"e4"}`, true},
		{"Error: Target page, context or browser has been closed", "browser_click", `{"target":"e4"}`, false},
		{"### Error\nError: Timeout\n### Events\n- [LOG] Ref e4 not found in the current page snapshot", "browser_click", `{"target":"e4"}`, false},
		{`### Error\nError: Timeout\n- [LOG] "b" does not match any elements.`, "browser_click", `{"target":"b"}`, false},
		{"Error: Ref e4 not found in the current page snapshot.", "browser_press_key", `{"key":"Enter"}`, false},
		{"### Error\nError: The tool \"browser_handle_dialog\" can only be used when there is related modal state present.", "browser_handle_dialog", `{"accept":true}`, true},
		{"### Error\nError: The tool \"browser_handle_dialog\" can only be used when there is related modal state present.", "browser_click", `{"target":"e4"}`, false},
		{"### Error\nError: Ref e4 not found in the current page snapshot.", "browser_evaluate", `{"function":"() => pay()","target":"e4"}`, false},
	} {
		if got := refusesTarget(c.text, c.tool, []byte(c.args)); got != c.want {
			t.Errorf("%s: %s: %v", c.tool, c.text, got)
		}
	}
}

func TestAnswerIsBlank(t *testing.T) {
	for text, want := range map[string]bool{
		"### Result\n\"about:blank\"\n### Page\n- Page URL: about:blank":                                                   true,
		"### Page\n- Page URL: about:blank\n### Snapshot\n```yaml\n\n```":                                                  true,
		"### Result\n- 0: (current) [](about:blank)":                                                                       true,
		"### Result\n- 0: (current) [](about:blank)\n- 1: [T](http://a.b/)":                                                false,
		"### Open tabs\n- 0: [](http://a.b/) [crashed]\n- 1: (current) [](about:blank)\n### Page\n- Page URL: about:blank": true,
		"### Page\n- Page URL: http://a.b/\n- Page Title: about:blank":                                                     false,
		"### Result\n\"- Page URL: about:blank\"":                                                                          false,
		"### Result\n1\n### Page\n- Page URL: about:blank\n### Events\n- New console entries":                              true,
	} {
		if got := answerIsBlank(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestRemedies(t *testing.T) {
	for text, part := range map[string]string{
		"Error: Browser is already in use for /home/a/profile, use --isolated to run multiple instances of the same browser":                "--isolated",
		"Looks like you launched a headed browser without having a XServer running. Missing X server or $DISPLAY":                           "--headless",
		"ENOSPC: no space left on device, mkdtemp '/tmp/x'":                                                                                 "make room",
		"browserType.launch: Executable doesn't exist at /opt/chrome":                                                                       "--executable-path",
		"browserType.connectOverCDP: connect ECONNREFUSED 127.0.0.1:9222":                                                                   "debugging port",
		"Error: Ref e4 not found in the current page snapshot":                                                                              "",
		"TimeoutError: Timeout 30000ms exceeded.\n  - <ws preparing> retrieving websocket url from http://a\n  - <ws connected> ws://a":     "a dialog may stand open",
		"Error: closed\n  - <ws preparing> retrieving websocket url from http://a\n  - <ws connected> ws://a\n  - <ws disconnected> ws://a": "debugging port",
	} {
		if got := remedyFor(text); part == "" && got != "" || !strings.Contains(got, part) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestHistory(t *testing.T) {
	var p page
	for _, step := range []struct{ url, tool, back string }{
		{"a", "browser_navigate", ""}, {"b", "browser_click", ""}, {"b", "browser_snapshot", ""}, {"c", "browser_click", ""},
	} {
		p.visited(step.url, step.tool)
		if got := p.back(); got != step.back {
			t.Errorf("at %s one step back leads to %q", step.url, got)
		}
	}
	p.base = len(p.history) // the tab was opened again
	if got := p.back(); got != "b" {
		t.Errorf("after the restoration one step back leads to %q", got)
	}
	p.visited("b", "browser_navigate_back")
	if got := p.back(); got != "a" {
		t.Errorf("after one step back the next leads to %q", got)
	}
	p.visited("d", "browser_click")
	if got := p.back(); got != "" {
		t.Errorf("the browser knows the way back from d, and yet it is %q", got)
	}
}

// A step back is one step, also if the tab had gone it when the browser died.
func TestBackIsDoneOnce(t *testing.T) {
	for name, moved := range map[string]string{"not gone yet": "c", "gone": "b", "gone elsewhere": "d"} {
		r := &row{pages: pages{}}
		p := &page{id: 1, url: "c", history: []string{"a", "b", "c"}}
		r.pages.tabs, r.pages.current = []*page{p}, p
		v := &recovery{row: r}
		c := &sent{tool: backTool, params: []byte(`{"name":"browser_navigate_back","arguments":{}}`)}
		params, refusal := v.translate(c)
		if refusal != "" || string(params) != string(c.params) {
			t.Fatalf("%s: before the death it is %s (%s)", name, params, refusal)
		}
		r.adopt("", false, reopened{urls: []string{moved}, places: []int{0}})
		to := "b"
		if moved == "d" {
			to = "c" // from where it is now
		}
		p.visited(moved, snapshotTool) // a call before it may show the page first
		params, refusal = v.translate(c)
		if want := `{"name":"browser_navigate","arguments":{"url":"` + to + `"}}`; refusal != "" || string(params) != want {
			t.Errorf("%s: after it it is %s (%s), not %s", name, params, refusal, want)
		}
		p.visited(to, "browser_navigate_back")
		if moved != "d" && p.back() != "a" {
			t.Errorf("%s: the next step leads to %q", name, p.back())
		}
	}
}

// So it is on a way of which the first addresses are forgotten.
func TestBackOnALongWay(t *testing.T) {
	r := &row{pages: pages{}}
	p := &page{id: 1}
	for i := range maxHistory + 2 {
		p.visited(strconv.Itoa(i), "browser_click")
	}
	r.pages.tabs, r.pages.current = []*page{p}, p
	v := &recovery{row: r}
	c := &sent{tool: backTool, params: []byte(`{"name":"browser_navigate_back","arguments":{}}`)}
	v.translate(c)
	before := strconv.Itoa(maxHistory)
	r.adopt("", false, reopened{urls: []string{before}, places: []int{0}}) // it had gone
	params, refusal := v.translate(c)
	if want := `{"name":"browser_navigate","arguments":{"url":"` + before + `"}}`; refusal != "" || string(params) != want {
		t.Errorf("after the death it is %s (%s), not %s", params, refusal, want)
	}
}

// A tab that has crashed is one of the list.
func TestCrashedTabIsListed(t *testing.T) {
	a, ok := parseAnswer("### Open tabs\n- 0: (current) [](http://a.b/) [crashed]\n- 1: [T](http://a.b/c)\n### Page\n- Page URL: http://a.b/")
	if !ok || len(a.tabs) != 2 || !a.tabs[0].current || a.tabs[0].url != "http://a.b/" || a.tabs[1].title != "T" {
		t.Errorf("the tabs are %+v, understood %v", a.tabs, ok)
	}
}
