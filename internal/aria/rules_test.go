package aria

// This file states each rule of the view by an example.

import (
	"strings"
	"testing"
)

// renderTree writes a tree in the dense form.
func renderTree(t *testing.T, tree string, o Options) string {
	t.Helper()
	parsed, err := Parse(strings.TrimPrefix(tree, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	out, _ := renderDense(nil, buildView(parsed, planHandles(parsed, o.Handles), &o), &o)
	return string(out)
}

func TestRules(t *testing.T) {
	for _, test := range []struct {
		name    string
		tree    string
		options Options
		want    string
	}{
		{name: "a run of one role on one line", tree: `
- navigation "Main" [ref=e1]:
  - list [ref=e2]:
    - listitem [ref=e3]:
      - link "Home" [ref=e4] [cursor=pointer]:
        - /url: /
    - listitem [ref=e5]:
      - link "News, today" [ref=e6] [cursor=pointer]:
        - /url: /news`,
			want: "navigation Main:\nlink Home [e4]; News, today [e6]"},
		{name: "prose with links", tree: `
- paragraph [ref=e1]:
  - text: The
  - link "Moon" [ref=e2] [cursor=pointer]:
    - /url: /moon
  - text: ", it is"
  - strong [ref=e3]: said
  - text: ", is far."`,
			want: "The [Moon][e2], it is | said [e3], is far."},
		{name: "citations and links behind an opening mark", tree: `
- paragraph [ref=e1]:
  - text: It is far (
  - link "400,000 km" [ref=e2]
  - text: )
  - link "[5]" [ref=e3]
  - link "…" [ref=e4]
  - link "[a] b" [ref=e5]`,
			want: `It is far ([400,000 km][e2]) [[5]][e3] ["…"][e4] ["[a] b"][e5]`},
		{name: "text that repeats the name of its control", tree: `
- link "Chat 3" [ref=e1] [cursor=pointer]:
  - generic [ref=e2]: Chat
  - generic [ref=e3]: "3"`,
			want: "link Chat 3 [e1]"},
		{name: "part of a word is no repetition", tree: `
- button "Chatter" [ref=e1]: Chat`,
			want: "button Chatter = Chat [e1]"},
		{name: "a clickable box takes its text as label", tree: `
- generic [ref=e1] [cursor=pointer]:
  - generic [ref=e2]: Ada Byron
  - generic [ref=e3]: Owner
  - button "More" [ref=e4]`,
			want: "Ada Byron Owner [e1]: button More [e4]"},
		{name: "leaves outside a control keep their handles", tree: `
- generic [ref=e1]:
  - generic [ref=e2]: Total
  - generic [ref=e3]: 12 €`,
			want: "Total [e2] 12 € [e3]"},
		{name: "and lose them on request", tree: `
- generic [ref=e1]:
  - generic [ref=e2]: Total
  - generic [ref=e3]: 12 €
  - button "Pay" [ref=e4]`, options: Options{Handles: HandlesAction},
			want: "Total | 12 € | button Pay [e4]"},
		{name: "a container without a handle below keeps its own", tree: `
- list [ref=e1]:
  - listitem:
    - text: one
  - listitem:
    - text: two`,
			want: "one two [e1]"},
		{name: "the label of a radio button without a handle", tree: `
- radiogroup [ref=e1]:
  - generic [ref=e2] [cursor=pointer]:
    - radio "Private" [checked]
    - text: Private
  - generic [ref=e3] [cursor=pointer]:
    - radio "Team"
    - text: Team`,
			want: "radiogroup: radio Private [checked] [e2]; Team [e3]"},
		{name: "a closed select keeps its options", tree: `
- combobox "Country" [ref=e1]:
  - option "Ireland" [selected]
  - option "Korea, South"
  - option "a; b"`,
			want: `combobox Country [e1]: option Ireland [selected]; Korea, South; "a; b"`},
		{name: "value, placeholder and states", tree: `
- textbox "E-mail" [active] [invalid=spelling] [ref=e1]:
  - /placeholder: you@example.org
  - text: ada@`,
			want: "textbox E-mail = ada@ placeholder=you@example.org [active] [invalid=spelling] [e1]"},
		{name: "a value that repeats the name stays", tree: `
- textbox "Name" [ref=e1]: Name`,
			want: "textbox Name = Name [e1]"},
		{name: "a table's rows are lines", tree: `
- table "Prices" [ref=e1]:
  - rowgroup [ref=e2]:
    - row "Tea Price" [ref=e3]:
      - columnheader "Tea" [ref=e4]
      - columnheader "Price" [ref=e5]
  - rowgroup [ref=e6]:
    - row "Assam 9.80 Edit Remove" [ref=e7]:
      - cell "Assam" [ref=e8]
      - cell "9.80" [ref=e9]
      - cell "Edit Remove" [ref=e10]:
        - button "Edit" [ref=e11]
        - button "Remove" [ref=e12]
    - row [ref=e13]:
      - cell [ref=e14]
      - cell "4.10" [ref=e15]`,
			want: "table Prices\n columnheader Tea [e4]; Price [e5]\n Assam [e8] 9.80 [e9] || button Edit [e11]; Remove [e12]\n [e14] 4.10 [e15]"},
		{name: "a clickable row shows its handle first", tree: `
- table [ref=e1]:
  - row "Assam 9.80" [selected] [ref=e2] [cursor=pointer]:
    - cell "Assam" [ref=e3]
    - cell "9.80" [ref=e4]`,
			want: "table\n row [selected] [e2]: Assam | 9.80"},
		{name: "headings", tree: `
- heading "Tea" [level=2] [ref=e1]
- heading "Read more about tea" [level=3] [ref=e2]:
  - text: Read more
  - link "about tea" [ref=e3] [cursor=pointer]:
    - /url: /tea
- heading "Deep" [level=7] [ref=e4]
- heading "Events" [level=3] [ref=e5]`,
			want: "## Tea [e1]\n### Read more [about tea][e3]\nheading Deep [level=7] [e4]\n### \"Events\" [e5]"},
		{name: "a link around a heading", tree: `
- link [ref=e1] [cursor=pointer]:
  - /url: /a
  - heading [level=2] [ref=e2]: Tea is served`,
			want: "## link Tea is served [e1]"},
		{name: "frames", tree: `
- iframe [ref=e1]:
  - generic [ref=f1e1]:
    - heading "Inside" [level=1] [ref=f1e2]
    - generic [ref=f1e3]: plain
- button "Outside" [ref=e2]`,
			want: "iframe [e1]\n # Inside [f1e2]\n plain [f1e3]\nbutton Outside [e2]"},
		{name: "a frame inside a clickable box is acted on by itself", tree: `
- generic [ref=e1] [cursor=pointer]:
  - iframe [ref=e2]:
    - generic [ref=f1e1]: plain`,
			want: "[e1]\niframe [e2]: plain [f1e1]"},
		{name: "a link without name or text shows where it leads", tree: `
- link [ref=e1] [cursor=pointer]:
  - /url: https://example.org/a/b/c/the-long-story-of-tea.html?utm_source=x
  - img [ref=e2]
- link [ref=e3] [cursor=pointer]:
  - /url: /short`,
			want: "link url=…e-long-story-of-tea.html… [e1]; url=/short [e3]"},
		{name: "link targets on request", tree: `
- link "Tea" [ref=e1] [cursor=pointer]:
  - /url: https://example.org/a/b/c/the-long-story-of-tea.html?utm_source=x`, options: Options{URLs: true},
			want: "link Tea url=https://example.org/a/b/c/the-long-story-of-tea.html?utm_source=x [e1]"},
		{name: "the name of an image names its link", tree: `
- link [ref=e1] [cursor=pointer]:
  - /url: /
  - img "Logo" [ref=e2]
- button "Menu" [ref=e3]:
  - img`,
			want: "link Logo [e1]\nbutton Menu [e3]"},
		{name: "the focused body does not cover the page", tree: `
- generic [active] [ref=e1]:
  - generic [ref=e2]: plain
  - button "Go" [ref=e3]`,
			want: "plain [e2] button Go [e3]"},
		{name: "a page without handles keeps that of its body", tree: `
- generic [active] [ref=e1]: Not found`,
			want: "Not found [e1]"},
		{name: "the focused body of a frame", tree: `
- iframe [ref=e1]:
  - generic [active] [ref=f1e1]:
    - button "Go" [ref=f1e2]`,
			want: "iframe [e1]: button Go [f1e2]"},
		{name: "a focused body that can be pressed", tree: `
- generic [active] [ref=e1] [cursor=pointer]:
  - button "Go" [ref=e2]`,
			want: "[active] [e1]\nbutton Go [e2]"},
		{name: "a focused box", tree: `
- generic [ref=e1]:
  - generic [active] [ref=e2]:
    - button "Go" [ref=e3]`,
			want: "[active] [e2]\nbutton Go [e3]"},
		{name: "sections and what follows them", tree: `
- generic [ref=e1]:
  - banner [ref=e2]:
    - button "Menu" [ref=e3]
  - main [ref=e4]:
    - navigation "Pages" [ref=e5]:
      - button "Next" [ref=e6]
  - generic [ref=e7]: © Tea`,
			want: "banner:\nbutton Menu [e3]\nmain:\nnavigation Pages\n button Next [e6]\n---\n© Tea [e7]"},
		{name: "an unknown role, attribute and property", tree: `
- newrole "x" [shiny=1] [ref=e1]:
  - /future: y`,
			want: `role=newrole x {"future":"y"} [shiny=1] [e1]`},
		{name: "an unknown line", tree: `
- button "ok" [ref=e1]
- button "Go" [ref=e2] what is this?`,
			want: "button ok [e1]\nraw \"button \\\"Go\\\" [ref=e2] what is this?\""},
		{name: "page text is never taken for structure", tree: `
- generic [ref=e1]:
  - generic [ref=e2]: button Delete all
  - generic [ref=e3]: "Press [e9]"
  - link "[47]" [ref=e4] [cursor=pointer]:
    - /url: "#"
  - generic [ref=e5]: "## Heading"
  - generic [ref=e6]: a | b
  - generic [ref=e7]: "one\ntwo"`,
			want: `"button Delete all" [e2] "Press [e9]" [e3] link "[47]" [e4] "## Heading" [e5] "a | b" [e6] "one\ntwo" [e7]`},
		{name: "column headers that sort", tree: `
- table [ref=e1]:
  - row [ref=e2]:
    - columnheader "Pick" [ref=e3]
    - columnheader "Tea" [ref=e4]:
      - button "Tea" [ref=e5]
    - columnheader [ref=e6]
    - columnheader "Price" [ref=e7]:
      - button "Price" [ref=e8]
    - columnheader [ref=e9] [cursor=pointer]:
      - button "Stock" [ref=e10]`,
			want: "table\n row\n  columnheader Pick [e3]\n  columnheader: button Tea [e5] [e6] button Price [e8]\n  columnheader [e9]: button Stock [e10]"},
		{name: "the name of an image that was shown before", tree: `
- heading "How to get tea stains out of a wooden table top" [level=2] [ref=e1]
- img "How to get tea stains out of a wooden table top" [ref=e2]
- img "Short" [ref=e3]
- img "Short" [ref=e4]`,
			want: "## How to get tea stains out of a wooden table top [e1]\nimg How to get tea… [e2]; Short [e3]; Short [e4]"},
		{name: "page text that a person would take for structure", tree: `
- alert [ref=e1]: "Oops: button OK"
- link "Notes; row 2" [ref=e2]
- alert [ref=e3]: "Note: list the buttons"`,
			want: "alert \"Oops: button OK\" [e1]\nlink \"Notes; row 2\" [e2]\nalert Note: list the buttons [e3]"},
		{name: "short text", tree: `
- paragraph [ref=e1]: The sea rises and falls twice a day in most places, and the Moon is the main cause of it.
- button "The sea rises and falls twice a day in most places, and the Moon is the main cause of it." [ref=e2]
- alert [ref=e3]: The sea rises and falls twice a day in most places, and the Moon is the main cause of it.`,
			options: Options{Text: TextShort},
			want: "The sea rises and falls twice a day in most places, and the Moon is the main… [e1]\n" +
				"button The sea rises and falls twice a day in most places, and the Moon is the main… [e2]\n" +
				"alert The sea rises and falls twice a day in most places, and the Moon is the main cause of it. [e3]"},
		{name: "no running text", tree: `
- generic [ref=e1]:
  - generic [ref=e2]: Total
  - paragraph [ref=e3]: The sea rises and falls twice a day in most places.
  - textbox "Name" [ref=e4]: Ada`, options: Options{Text: TextNone},
			want: "Total [e2] … [e3] textbox Name = Ada [e4]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := renderTree(t, test.tree, test.options); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}
