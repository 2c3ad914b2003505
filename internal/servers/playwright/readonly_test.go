package playwright

// Which scripts only read.

import "testing"

func TestOnlyReads(t *testing.T) {
	for _, script := range []string{
		`() => document.title`,
		`() => document.querySelector('[name="x=1"]').value`,
		`(e) => e.textContent.trim()`,
		`() => { const rows = document.querySelectorAll("tr"); return rows.length >= 3 }`,
		`() => Array.from(document.links).map(a => ({href: a.href, text: a.innerText})).filter((a) => a.text !== "" && a.href != 'x')`,
		`() => JSON.stringify(getComputedStyle(document.body).color)`,
		`() => { for (const a of document.links) { if (a.href === "b") return a.text } return null }`,
		`() => Math.round(window.scrollY)`,
		`() => localStorage.getItem("a")`,
		`() => [...document.links].map(String).filter(Boolean).map((a, i) => a + i).join()`,
		`() => Array.from(document.links, a => a.href)`,
		`() => JSON.stringify([...document.forms].reduce((sum, f) => sum + f.length, 0), null, 2)`,
		`() => "a b".replaceAll(" ", "")`,
		`() => Array.from(document.querySelectorAll("a")).map(function (a) { return a.href })`,
		`() => ({title: document.title, wide: window.innerWidth > 1e3})`,
	} {
		if !onlyReads(script) {
			t.Errorf("%s counts as a change", script)
		}
	}
	for _, script := range []string{
		`() => document.querySelector("#b").click()`,
		`() => document.querySelector("#b") . click ()`,
		`() => document.querySelector("#b")["click"]()`,
		`() => document.querySelector("#b")?.click?.()`,
		`() => (document.body.onclick)()`,
		`() => { document.title = "x" }`,
		`() => { const a = document.title = "x" }`,
		`() => { const a = b; c.d = 1 }`,
		`() => { a.b += 1 }`,
		`() => a.b++`,
		`() => --a.b`,
		`() => a ||= 1`,
		`() => a >>= 1`,
		`() => a **= 1`,
		`() => { "a".match(/"/); el.click(); "b".match(/"/) }`,
		"() => f`x`",
		`() => Date.now()`,
		`() => new Date()`,
		`() => Math.random()`,
		`async () => (await fetch("x")).status`,
		`() => fetch("x")`,
		`() => { delete window.a }`,
		`() => el.if()`,
		`() => { let i = 0; window.setTimeout("a()", 1) }`,
		`() => window.\u0063lose()`,
		`() => "unclosed`,
		`() => { el.setAttribute("a", "b") }`,
		`() => import("x")`,
		`() => history.back()`,
		`() => { for (document.title of ["a"]) ; }`,
		`() => [1].map(pay)`,
		`() => [0].forEach(document.forms[0].submit, document.forms[0])`,
		`() => ['k'].forEach(localStorage.removeItem, localStorage)`,
		`() => ['k'].forEach(document.body.onclick)`,
		`() => ['k'].forEach((localStorage.removeItem))`,
		`() => ['k'].forEach((a) => a, localStorage)`,
		`() => ['k'].forEach(true && document.body.onclick)`,
		`() => { const f = document.body.onclick; ['k'].forEach(f) }`,
		`() => { const map = document.body.onclick; map("x") }`,
		`() => Array.from(['k'], localStorage.removeItem, localStorage)`,
		`() => "k".replaceAll("k", document.body.onclick)`,
		`() => JSON.stringify([1], document.body.onclick)`,
		`() => JSON.parse("[1]", document.body.onclick)`,
		`() => "" + {toString: document.body.onclick}`,
		`() => ({["then"]: document.body.onclick})`,
		`() => [1].reduce(document.body.onclick, 1)`,
		`() => document.defaultView.pay`,
		`() => app.find("x")`,
		`() => location.replace("x")`,
		`() => document.location.replace("x")`,
		`() => document.body.normalize()`,
		`() => [1].map(true ? pay : pay)`,
		`() => window.pay`,
		`() => { ({set a(x) { window.b(x) }}).a = 1 }`,
	} {
		if onlyReads(script) {
			t.Errorf("%s counts as reading", script)
		}
	}
}

// However a script is cut off or mangled, it is taken apart without a panic, and
// one with a call that is on no list never counts as reading.
func FuzzOnlyReads(f *testing.F) {
	f.Add(`document.querySelector('a').href === "b"`)
	f.Add(`const a = [1]; for (const b of a) { return b <= 2 }`)
	f.Fuzz(func(t *testing.T, part string) {
		code, ok := withoutStrings(part)
		if onlyReads(part) && (!ok || len(code) > len(part)*2+2) {
			t.Errorf("%q is taken apart as %q", part, code)
		}
		if onlyReads(part + "\n;b.click()") {
			t.Errorf("a click behind %q counts as reading", part)
		}
	})
}
