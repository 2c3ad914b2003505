package demo

// This file tests the reading of views in upstream's form and in dense ones.

import "testing"

const upstreamView = `### Page
- Page URL: http://127.0.0.1:1234/products
### Snapshot
` + "```yaml" + `
- generic [active] [ref=e1]:
  - link "Skip to content" [ref=e2] [cursor=pointer]:
    - /url: "#main"
  - list [ref=e15]:
    - listitem [ref=e16]:
      - link "Home page" [ref=e17] [cursor=pointer]:
        - /url: /
    - listitem [ref=e18]:
      - link "Home" [ref=e19] [cursor=pointer]
  - searchbox "Search the shop" [ref=e31]
  - 'link "Cart: 2 items" [ref=f1e32] [cursor=pointer]':
    - /url: /cart
  - generic [ref=e53] [cursor=pointer]:
    - checkbox "Desk" [checked] [ref=e57]
    - generic [ref=e58]: Desk
  - generic [ref=e69]: Price range
  - combobox "Price range" [ref=e71]:
    - option "Any price" [selected]
  - columnheader "Amount" [ref=e80]:
    - button "Amount" [ref=e81] [cursor=pointer]
  - textbox "Full name" [ref=e90]: Ada [3]
  - link "Desk" [ref=e99]
` + "```"

const denseView = `[PlayGuard compact: 30/300 lines, ~90% removed, 12.4KB→1.2KB]
Page http://127.0.0.1:1234/products
link Skip to content [2]
nav Main
 link Home page [17] Home [19] Products [20] Live stock [21]
searchbox Search the shop [31]
link "Cart: 2 items" [32]
group Category: checkbox Desk [checked] [57] Garden [58] Storage [59]
combobox Price range = Any price [71]: *Any price | Under $25
Order [79] button Amount [81] Status [82]
textbox Full name [90] = Ada
foot: link Desk [99], link Garden [100]
`

// denseRefView is the dense form with upstream's refs.
const denseRefView = `[PlayGuard compact: 30/300 lines, ~90% removed, 12.4KB→1.2KB]
navigation Main
 link Home page [ref=f1e17]; Home [ref=f1e19]; Products [ref=f1e20]
 ### link Walnut Desk Lamp [ref=f1e100]
 New [ref=f1e87] link url=/products/x [ref=f1e88] button Save Felt Desk Mat [ref=f1e94]
 $89.00 [ref=f1e110] In stock [ref=f1e111] button Add Walnut Desk Lamp to cart [ref=f1e113]
group Contact
 Full name [ref=f1e50] textbox Full name [invalid] [ref=f1e51] Enter your full name [ref=f1e166]
 Country [ref=f1e68]
 combobox Country [invalid] [ref=f1e70]: option Choose a country [selected]; Austria; Germany
table
 columnheader Order [ref=f1e70]; Amount [ref=f1e71] button Amount [ref=f1e72]
`

func TestFindHandle(t *testing.T) {
	for _, test := range []struct{ role, label, upstream, dense string }{
		{"link", "Skip to content", "e2", "2"},
		{"link", "Home page", "e17", "17"},
		{"link", "Home", "e19", "19"},
		{"searchbox", "Search the shop", "e31", "31"},
		{"link", "Cart: 2 items", "f1e32", "32"},
		{"checkbox", "Desk", "e57", "57"},
		{"link", "Desk", "e99", "99"},
		{"combobox", "Price range", "e71", "71"},
		{"button", "Amount", "e81", "81"},
		{"textbox", "Full name", "e90", "90"},
		{"link", "Nothing", "", ""},
		{"link", "Carts", "", ""},
		{"link", "", "", ""},
	} {
		for view, want := range map[string]string{upstreamView: test.upstream, denseView: test.dense} {
			if got, _, found := FindHandle(view, test.role, test.label); got != want || found != (want != "") {
				t.Errorf("%s %q: got %q, %v, want %q", test.role, test.label, got, found, want)
			}
		}
	}
	for _, test := range []struct{ role, label, dense string }{
		{"link", "Live stock", "21"}, {"checkbox", "Garden", "58"}, {"link", "Garden", "100"}, {"button", "Status", "82"},
	} {
		if got, _, _ := FindHandle(denseView, test.role, test.label); got != test.dense {
			t.Errorf("%s %q: got %q, want %q", test.role, test.label, got, test.dense)
		}
	}
	for _, test := range []struct{ role, label, want string }{
		{"link", "Home", "f1e19"}, {"link", "Products", "f1e20"}, {"link", "Walnut Desk Lamp", "f1e100"},
		{"button", "Save Felt Desk Mat", "f1e94"}, {"button", "Add Walnut Desk Lamp to cart", "f1e113"},
		{"textbox", "Full name", "f1e51"}, {"combobox", "Country", "f1e70"}, {"button", "Amount", "f1e72"},
	} {
		if got, _, _ := FindHandle(denseRefView, test.role, test.label); got != test.want {
			t.Errorf("%s %q: got %q, want %q", test.role, test.label, got, test.want)
		}
	}
	if got, _, _ := FindHandle("link Home [e4] Products [f12e5]", "link", "Products"); got != "f12e5" {
		t.Errorf("bare refs: got %q", got)
	}
}

// A good match in a newer text is preferred to any in an older one, and the best of
// the poor ones to the newest.
func TestFindNewest(t *testing.T) {
	for _, test := range []struct {
		texts []string
		want  string
	}{
		{nil, ""},
		{[]string{"nothing"}, ""},
		{[]string{"link Home [1]", "link Home [2]"}, "2"},
		{[]string{"link Home [1]", "nothing"}, "1"},
		{[]string{"link Home [1]", "Home with more words [2]"}, "1"},
		{[]string{"Home with more words [1]", "Home with more words [2]"}, "2"},
		{[]string{"Home [1]", "Home with more words [2]"}, "1"},
	} {
		got, found := FindNewest(test.texts, func(text string) (string, int, bool) { return FindHandle(text, "link", "Home") })
		if got != test.want || found != (test.want != "") {
			t.Errorf("%q: %q, %v", test.texts, got, found)
		}
	}
}

func FuzzFindHandle(f *testing.F) {
	f.Add(upstreamView, "link", "Home")
	f.Add(denseView, "checkbox", "Desk")
	f.Add(denseRefView, "textbox", "Full name")
	f.Add("a [1] \xffa[2]", "", "a")
	f.Fuzz(func(t *testing.T, view, role, label string) {
		handle, _, found := FindHandle(view, role, label)
		if found != (handle != "") {
			t.Fatalf("found %v, handle %q", found, handle)
		}
		if found && !handlePattern.MatchString("["+handle+"]") {
			t.Fatalf("%q is no handle", handle)
		}
	})
}

func TestSpellRanges(t *testing.T) {
	for text, want := range map[string]string{
		"a | b | c [5-7]":                           "a [5] b [6] c [7]",
		" x | a | b | c [5-7] button Go [8]":        " x | a [5] b [6] c [7] button Go [8]",
		"columnheader Tea; Price; Stock [2-4]":      "columnheader Tea [2]; Price [3]; Stock [4]",
		"a | b | c [1-3] || d | e | f [4-6]\ng [7]": "a [1] b [2] c [3] || d [4] e [5] f [6]\ng [7]",
		"none [7]":     "none [7]",
		"broken [5-7]": "broken [5]",
	} {
		if got := SpellRanges(text); got != want {
			t.Errorf("%q is spelled %q instead of %q", text, got, want)
		}
	}
}
