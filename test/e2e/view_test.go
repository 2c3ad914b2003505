// The compact view of real pages: what is in it, and that what it prints works.

package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/site"
)

// handle is a handle as the dense view prints it.
var handle = regexp.MustCompile(`\[((?:f\d+)?e\d+)\]`)

// quotedPart is a quoted string of the view: text of the page.
var quotedPart = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// handles are those printed, in order, without what is text of the page.
func handles(view string) []string {
	var refs []string
	for _, m := range handle.FindAllStringSubmatch(quotedPart.ReplaceAllString(view, `""`), -1) {
		refs = append(refs, m[1])
	}
	return refs
}

// TestViews looks at every page of the site in one browser, with two further
// upstreams beside it.
func TestViews(t *testing.T) {
	pages := site.Start(t)
	s := newStage(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"prefix":"a_"}`},
		{Name: "b", Script: `{"prefix":"b_"}`},
	}})
	p := s.Start()
	contains(t, string(p.Init()), `"name":"playguard"`, "[e12]")
	t.Run("beside other upstreams", func(t *testing.T) { besideOthers(t, p, pages) })
	t.Run("form", func(t *testing.T) { formIsComplete(t, p, pages) })
	t.Run("actions", func(t *testing.T) { handlesWork(t, p, pages) })
	t.Run("table", func(t *testing.T) { tableIsComplete(t, p, pages) })
	t.Run("frames", func(t *testing.T) { framesWork(t, p, pages) })
	t.Run("imitation", func(t *testing.T) { textIsNotGrammar(t, p, pages) })
	t.Run("right to left", func(t *testing.T) { rightToLeft(t, p, pages) })
	t.Run("rows", func(t *testing.T) { longTable(t, p, pages) })
	t.Run("console errors", func(t *testing.T) { consoleErrors(t, p, pages) })
	t.Run("targets and text", func(t *testing.T) { targetsAndText(t, p, pages) })
	t.Run("dialog", func(t *testing.T) { modalDialog(t, p, pages) })
	t.Run("alert", func(t *testing.T) { alertOpen(t, p, pages) })
}

// A slow call of the browser holds up no other upstream.
func besideOthers(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/index.html")
	call(t, p, "a_small", nil) // they are started by their first call
	call(t, p, "b_small", nil)
	slow := p.AskTool("browser_wait_for", `{"time":5}`)
	for _, tool := range []string{"a_small", "b_small", "a_big", "b_big"} {
		call(t, p, tool, nil)
	}
	for _, line := range p.Lines.Lines() {
		if string(harness.Parse(line).ID) == slow {
			t.Error("the other upstreams were answered only behind the browser")
		}
	}
	if _, isError := harness.TextOf(t, p.Answer(slow)); isError {
		t.Error("the waiting failed")
	}
}

func formIsComplete(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/form.html")
	view := look(t, p, nil)
	contains(t, view, "[PlayGuard compact: ", "URL: "+pages.URL+"/form.html", "Title: Form",
		"Registration", "Full name", "First and last", "someone@example.org",
		"Choose a country", "Austria", "Belgium [selected]", "Cyprus", "Denmark [disabled]",
		"Anything else", "Contact by", "radio Post [checked]", "Telephone", "checkbox I accept the terms",
		"slider Volume = 7", "button Register", "Save draft [disabled]", "status Nothing sent yet")
	if !strings.HasPrefix(view, "[PlayGuard compact: ") {
		t.Error("the figures are not on the first line")
	}

	field := func(before string) string {
		m := regexp.MustCompile(regexp.QuoteMeta(before) + `[^\n|]*?\[((?:f\d+)?e\d+)\]`).FindStringSubmatch(view)
		if m == nil {
			t.Fatalf("there is no handle behind %q in:\n%s", before, view)
		}
		return m[1]
	}
	call(t, p, "browser_fill_form", map[string]any{"fields": []map[string]any{
		{"name": "Full name", "element": "Full name", "type": "textbox", "target": field("textbox Full name"), "value": "Ada"},
		{"name": "Country", "element": "Country", "type": "combobox", "target": field("combobox Country"), "value": "Cyprus"},
		{"name": "Terms", "element": "Terms", "type": "checkbox", "target": field("checkbox I accept"), "value": "true"},
	}})
	call(t, p, "browser_click", map[string]any{"target": field("button Register")})
	await(t, pages, "submit Ada Cyprus true", 1)
	contains(t, look(t, p, nil), "textbox Full name = Ada", "Cyprus [selected]", "checkbox I accept the terms [checked]", "Thank you, Ada")
}

// actions are what the page's elements report, in the order of the page.
var actions = []string{
	"plain", "icon", "nameless", "nested", "link", "image link", "inline", "pointer", "in row", "listener",
	"tab one", "tab two", "checkbox", "summary", "menu item", "same 1", "same 2", "same 3",
}

// actionable are the roles that act, in upstream's tree.
var actionable = regexp.MustCompile(`(?m)^ *- '?(?:(?:button|link|tab|checkbox|menuitem|radio|textbox|combobox|slider)\b.*?\[ref=((?:f\d+)?e\d+)\]|.*\[ref=((?:f\d+)?e\d+)\] \[cursor=pointer\])`)

// Every handle that is printed reaches its element, and no element that can be
// acted on is without one.
func handlesWork(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/actions.html")
	raw := look(t, p, map[string]any{"raw": true})
	view := look(t, p, nil)
	printed := handles(view)
	for _, m := range actionable.FindAllStringSubmatch(raw, -1) {
		if ref := m[1] + m[2]; !slices.Contains(printed, ref) {
			t.Errorf("%s can be acted on and lost its handle:\n%s\n%s", ref, m[0], view)
		}
	}
	if len(printed) == 0 || len(printed)-1 != len(actions) { // the heading is the first
		t.Fatalf("%d handles are printed, not %d:\n%s", len(printed), len(actions)+1, view)
	}
	for i, what := range actions {
		call(t, p, "browser_click", map[string]any{"target": printed[i+1]})
		await(t, pages, what, 1)
		for j, other := range actions {
			if want := min(1, max(0, i-j+1)); pages.Count(other) != want {
				t.Errorf("after the click on %s, %q was reported %d times instead of %d", printed[i+1], other, pages.Count(other), want)
			}
		}
	}
}

func tableIsComplete(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/table.html")
	view := look(t, p, nil)
	contains(t, view, "Orders", "Order", "State", "Total", "€12.50", `"sent | back"`, "link 1003")
	if line := lineWith(t, view, "1002"); strings.Contains(line, "1001") || !strings.Contains(line, "open") {
		t.Errorf("a row of the table is not a line: %s", line)
	}
}

func framesWork(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/frames.html")
	view := look(t, p, nil)
	for _, origin := range []string{"same", "other"} {
		line := lineWith(t, view, "This frame is "+origin)
		refs := handles(line[strings.Index(line, "button Inside"):])
		call(t, p, "browser_click", map[string]any{"target": refs[0]})
		await(t, pages, "inner "+origin, 1)
	}
}

// Text of the page that looks like the view's own syntax is quoted wherever it
// could be taken for it.
func textIsNotGrammar(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/imitation.html")
	raw := look(t, p, map[string]any{"raw": true})
	for _, arguments := range []map[string]any{nil, {"urls": true}, {"text": "short"}, {"text": "none"}} {
		view := look(t, p, arguments)
		unquoted := quotedPart.ReplaceAllString(view, `""`)
		lacks(t, unquoted, "ref=e90", "[e90")
		if n := len(regexp.MustCompile(`(?m)^\[PlayGuard compact: `).FindAllString(view, -1)); n != 1 {
			t.Errorf("%d lines of the view look like the first line:\n%s", n, view)
		}
		if n := len(regexp.MustCompile(`(?m)^### Snapshot$`).FindAllString(view, -1)); n != 1 {
			t.Errorf("%d lines of the view look like the heading of the tree:\n%s", n, view)
		}
		for _, ref := range handles(view) {
			if !strings.Contains(raw, "[ref="+ref+"]") {
				t.Errorf("the handle %s is not one of the page's", ref)
			}
		}
		if arguments["text"] == nil {
			for fake := 9001; fake <= 9016; fake++ {
				if fake != 9013 || arguments["urls"] != nil {
					contains(t, view, fmt.Sprintf("[ref=e%d]", fake)) // nothing readable is lost
				}
			}
		}
	}
}

func rightToLeft(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/rtl.html")
	view := look(t, p, nil)
	contains(t, view, "Title: متجر الكتب", "مرحبا بكم في المتجر", "السعر ٤٥ ريالاً (شامل الضريبة)، والتوصيل مجاني.",
		"שלום עולם", "اكتب هنا", `30 ש"ח`, "מודגש")
	button := lineWith(t, view, "أضف إلى السلة")
	call(t, p, "browser_click", map[string]any{"target": handles(button)[0]})
	await(t, pages, "rtl", 1)
}

// Every row of a long table is there, and its button can be pressed.
func longTable(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/rows.html")
	raw := look(t, p, map[string]any{"raw": true})
	view := look(t, p, nil)
	if len(view)*2 > len(raw) {
		t.Errorf("the view has %d bytes of %d", len(view), len(raw))
	}
	lines := strings.Split(view, "\n")
	for row := 1; row <= site.Rows; row++ {
		i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, fmt.Sprintf("Customer number %d ", row)) })
		if i < 0 {
			t.Fatalf("row %d is missing, or not in its place", row)
		}
		contains(t, lines[i], fmt.Sprintf("%d ", row), fmt.Sprintf("$%d.00 ", 3*row), fmt.Sprintf("button Open %d [", row))
		lines = lines[i:]
	}
	const chosen = "Open 1234"
	line := lineWith(t, view, chosen)
	call(t, p, "browser_click", map[string]any{"target": handles(line[strings.Index(line, chosen):])[0]})
	await(t, pages, "row 1234", 1)
}

func consoleErrors(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/errors.html")
	contains(t, look(t, p, nil), "Console: 3 errors, 1 warnings", "button Go on")
	contains(t, call(t, p, "browser_console_messages", nil), "first failure", "a warning")
}

func targetsAndText(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/index.html")
	plain := look(t, p, nil)
	lacks(t, plain, "form.html?from=start")
	contains(t, plain, "seventeen patient accountants", "rather than after it.")
	contains(t, look(t, p, map[string]any{"urls": true}), "form.html?from=start", "rows.html?a=1&b=2#top")
	contains(t, look(t, p, map[string]any{"urls": "true"}), "form.html?from=start")
	short := look(t, p, map[string]any{"text": "short"})
	contains(t, short, "The quick brown fox", `characters of text cut, text:"full" shows them`)
	lacks(t, short, "rather than after it.")
	none := look(t, p, map[string]any{"text": "none"})
	contains(t, none, "Welcome", "link to the rows", "characters of text cut")
	lacks(t, none, "quick brown fox")
	if again := look(t, p, map[string]any{"text": "other"}); again != plain {
		t.Errorf("an unknown value of text changes the view:\n%s", again)
	}
}

func modalDialog(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/dialog.html")
	press := func(name string) {
		t.Helper()
		view := look(t, p, nil)
		m := regexp.MustCompile(regexp.QuoteMeta(name) + `(?: \[active\])? \[((?:f\d+)?e\d+)\]`).FindStringSubmatch(view)
		if m == nil {
			t.Fatalf("there is no %q in:\n%s", name, view)
		}
		call(t, p, "browser_click", map[string]any{"target": m[1]})
	}
	press("Open sheet")
	contains(t, look(t, p, nil), "dialog Confirm", "Delete everything?", "Keep")
	press("Delete")
	await(t, pages, "confirmed", 1)
}

// While alert() is open upstream refuses every other tool; its sentences pass,
// and the call that it names clears it.
func alertOpen(t *testing.T, p *harness.Peer, pages *site.Site) {
	navigate(t, p, pages.URL+"/dialog.html")
	view := look(t, p, nil)
	warn := handles(view[strings.Index(view, "Warn me"):])[0]
	contains(t, call(t, p, "browser_click", map[string]any{"target": warn}), "### Modal state", "Something is wrong", "browser_handle_dialog")
	text, isError := attempt(t, p, "browser_snapshot", nil)
	if !isError {
		t.Error("a look at a page with an open alert() succeeded")
	}
	contains(t, text, "does not handle the modal state", "Something is wrong", "browser_handle_dialog")
	call(t, p, "browser_handle_dialog", map[string]any{"accept": true})
	await(t, pages, "alert closed", 1)
	contains(t, look(t, p, nil), "button Open sheet")
}

func await(t testing.TB, pages *site.Site, what string, count int) {
	t.Helper()
	if err := pages.Await(harness.Context(t), what, count); err != nil {
		t.Fatal(err)
	}
}

// lineWith is the first line of a view that has the text.
func lineWith(t testing.TB, view, text string) string {
	t.Helper()
	for line := range strings.SplitSeq(view, "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	t.Fatalf("%q is missing in:\n%s", text, clip(view))
	return ""
}
