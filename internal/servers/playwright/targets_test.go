package playwright

// Handles on their way to upstream's refs, and back.

import (
	"strings"
	"testing"
)

var antRef = refOf("Ant")

// numberOf reads the handle behind a name in a view.
func numberOf(t *testing.T, view, name string) string {
	t.Helper()
	_, after, found := strings.Cut(view, name+" [")
	number, _, closed := strings.Cut(after, "]")
	if !found || !closed {
		t.Fatalf("%s has no handle in %s", name, view)
	}
	return number
}

// looked is a session on the page of things, with the whole view.
func looked(t *testing.T, settings ...string) (s *session, view string) {
	t.Helper()
	s = newSession(t, settings...).answers(result(paged(shop, "Shop", list(things...))))
	view, _ = s.text(snapshotTool, `{}`)
	s.sent = nil
	return s, view
}

func TestHandlesReachUpstreamAsRefs(t *testing.T) {
	s, view := looked(t)
	ant, hen := numberOf(t, view, "Ant"), numberOf(t, view, "Hen")
	tests := []struct{ name, tool, arguments, want string }{
		{"a number", "browser_click", `{"target":` + ant + `}`, `{"target":"` + antRef + `"}`},
		{"a string", "browser_click", `{"target":"` + ant + `"}`, `{"target":"` + antRef + `"}`},
		{"in brackets", "browser_click", `{"element":"it","target":"[` + ant + `]"}`, `{"element":"it","target":"` + antRef + `"}`},
		{"ref=", "browser_click", `{"target":"ref=` + ant + `"}`, `{"target":"` + antRef + `"}`},
		{"upstream's", "browser_click", `{"target":"` + antRef + `"}`, `{"target":"` + antRef + `"}`},
		{"a selector", "browser_click", `{"target":"#a [7]"}`, `{"target":"#a [7]"}`},
		{"two", "browser_drag", `{"startTarget":"[` + ant + `]","endTarget":"` + hen + `"}`, `{"startTarget":"` + antRef + `","endTarget":"` + refOf("Hen") + `"}`},
		{"a form's", "browser_fill_form", `{"fields":[{"name":"a","target":"[` + ant + `]","value":"[` + ant + `]"},{"target":"x"}]}`, `{"fields":[{"name":"a","target":"` + antRef + `","value":"[` + ant + `]"},{"target":"x"}]}`},
		{"code", "browser_run_code_unsafe", `{"code":"1","target":"` + ant + `"}`, `{"code":"1","target":"` + ant + `"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.sent = nil
			s.answers(result("### Result\nok")).call(tt.tool, tt.arguments)
			if want := tt.tool + " " + tt.want; s.sent[0] != want {
				t.Errorf("upstream got %s instead of %s", s.sent[0], want)
			}
		})
	}
}

// A handle whose element is gone is refused with what is closest, and nothing
// reaches upstream.
func TestHandlesOfGoneElements(t *testing.T) {
	s, view := looked(t, "PLAYGUARD_SNAPSHOT_TTL=0")
	ant := numberOf(t, view, "Ant")
	s.answers(result(paged(shop, "Shop", strings.ReplaceAll(list("Ant farm", "Bee"), "[ref=e", "[ref=e9")))).text(snapshotTool, `{}`)
	s.sent = nil
	text, e := s.text("browser_click", `{"target":"[`+ant+`]"}`)
	if !strings.Contains(text, "["+ant+`] (button "Ant") is gone from the page. Closest now: button "Ant farm" [`) || len(s.sent) > 0 {
		t.Errorf("it is answered %q (%+v), and upstream got %v", text, e, s.sent)
	}
	if text, _ := s.text("browser_click", `{"target":"[4711]"}`); !strings.HasPrefix(text, "No element was ever called [4711].") || len(s.sent) > 0 {
		t.Errorf("a number that nothing had is answered %q", text)
	}
}

func TestHandlesOfOtherTabs(t *testing.T) {
	s, view := looked(t)
	ant := numberOf(t, view, "Ant")
	s.answers(result("### Open tabs\n- 0: [Shop](http://shop.test/)\n- 1: (current) [Help](http://shop.test/help)\n"+paged(shop+"help", "Help", list("One")))).call("browser_click", `{"target":"`+refOf("Bee")+`"}`)
	s.sent = nil
	if text, _ := s.text("browser_click", `{"target":"`+ant+`"}`); !strings.Contains(text, "in another tab") || len(s.sent) > 0 {
		t.Errorf("it is answered %q", text)
	}
}

var notFound = `{"content":[{"type":"text","text":"### Error\nError: Ref ` + antRef + ` not found in the current page snapshot. Try capturing new snapshot."}],"isError":true}`

// A page that was rendered anew since the last look has other refs. Where the
// handle's element is there again, the call is sent to it.
func TestHandlesOfPagesRenderedAnew(t *testing.T) {
	s, view := looked(t)
	ant := numberOf(t, view, "Ant")
	anew := strings.ReplaceAll(list(things...), "[ref=e", "[ref=e9")
	s.answers(notFound, result(paged(shop, "Shop", anew)), s.linked(shop, "Shop", anew))
	text, e := s.text("browser_click", `{"target":"[`+ant+`]"}`)
	if got := strings.Join(s.sent, "; "); got != `browser_click {"target":"`+antRef+`"}; browser_snapshot {}; browser_click {"target":"e9`+antRef[1:]+`"}` || !e.Relocated {
		t.Errorf("upstream got %s (%+v)", got, e)
	}
	if !strings.Contains(text, "UNCHANGED") {
		t.Errorf("the answer is %s", text)
	}
}

// Where anything else has changed with it, another element may stand in its place:
// nothing is sent, and the agent reads what has changed.
func TestHandlesOfPagesThatHaveChanged(t *testing.T) {
	s, view := looked(t)
	ant := numberOf(t, view, "Ant")
	anew := strings.ReplaceAll(strings.Replace(list(things...), "Paragraph 3 says", "Paragraph 4 says", 1), "[ref=e", "[ref=e9")
	s.answers(notFound, result(paged(shop, "Shop", anew)))
	text, e := s.text("browser_click", `{"target":"[`+ant+`]"}`)
	if len(s.sent) != 2 || e.Relocated || !strings.HasPrefix(text, "Nothing was done: the page has changed since you looked, and ["+ant+`] (button "Ant") was rendered anew.`+"\n[PlayGuard delta") ||
		!strings.Contains(text, "Paragraph 4 says") {
		t.Errorf("it is answered %q after %v", text, s.sent)
	}
}

// A script may throw any error after it has done something.
func TestScriptsAreNotSentTwice(t *testing.T) {
	for tool, arguments := range map[string]string{
		evaluateTool:    `{"function":"el => pay()","target":"TARGET"}`,
		"browser_click": `{"target":"TARGET"}`,
	} {
		s, view := looked(t)
		answer := notFound
		if tool == "browser_click" {
			answer = strings.Replace(notFound, "Error: Ref", "Error: page.evaluate: Error: Ref", 1)
		}
		s.answers(answer, result(paged(shop, "Shop", list(things...))))
		if s.call(tool, strings.Replace(arguments, "TARGET", numberOf(t, view, "Ant"), 1)); len(s.sent) != 1 {
			t.Errorf("upstream got %v", s.sent)
		}
	}
}

// Where the look that follows is not understood, the first error stands.
func TestErrorsStandWithoutALook(t *testing.T) {
	for _, look := range []string{"### Error\nError: no", paged(shop, "Shop", "  - main {")} {
		s, view := looked(t)
		s.answers(notFound, result(look))
		if text, _ := s.text("browser_click", `{"target":"`+numberOf(t, view, "Ant")+`"}`); !strings.Contains(text, "not found in the current page snapshot") || len(s.sent) != 2 {
			t.Errorf("it is answered %q after %v", text, s.sent)
		}
	}
}

func TestRangesAreNotHandles(t *testing.T) {
	s, _ := looked(t)
	if text, _ := s.text("browser_click", `{"target":"[5-7]"}`); !strings.Contains(text, "Pass one of them") || len(s.sent) > 0 {
		t.Errorf("a range is answered %q", text)
	}
}

func TestHandlesOfPagesRenderedAnewWithout(t *testing.T) {
	s, view := looked(t)
	ant := numberOf(t, view, "Ant")
	s.answers(notFound, result(paged(shop, "Shop", strings.ReplaceAll(list("Ant farm"), "[ref=e", "[ref=e9"))))
	text, e := s.text("browser_click", `{"target":"[`+ant+`]"}`)
	if len(s.sent) != 2 || e.Relocated || !strings.Contains(text, `Closest now: button "Ant farm"`) || !strings.Contains(text, "\n[PlayGuard ") {
		t.Errorf("it is answered %q after %v", text, s.sent)
	}
}

// A form is not sent twice: the fields before the one that is gone are filled.
func TestFormsAreNotSentTwice(t *testing.T) {
	s, view := looked(t)
	s.answers(notFound, result(paged(shop, "Shop", strings.ReplaceAll(list(things...), "[ref=e", "[ref=e9"))))
	text, _ := s.text("browser_fill_form", `{"fields":[{"target":"`+numberOf(t, view, "Bee")+`"},{"target":"`+numberOf(t, view, "Ant")+`"}]}`)
	if len(s.sent) != 2 || !strings.HasPrefix(text, "["+numberOf(t, view, "Ant")+`] (button "Ant") was rendered anew before it was filled; the fields in front of it are filled.`) {
		t.Errorf("it is answered %q after %v", text, s.sent)
	}
}

// Errors are in the agent's words: handles, no colours.
func TestErrorsNameHandles(t *testing.T) {
	s, view := looked(t)
	s.answers(`{"content":[{"type":"text","text":"### Error\nTimeoutError: waiting for \u001b[2mlocator('aria-ref=` + antRef + `')\u001b[22m, not ` + antRef + `"}],"isError":true}`)
	if text, _ := s.text("browser_click", `{"target":"`+antRef+`"}`); text != "### Error\nTimeoutError: waiting for locator('["+numberOf(t, view, "Ant")+"] (button \"Ant\")'), not "+antRef {
		t.Errorf("the error is %q", text)
	}
}

// What browser_find finds has the same handles; text of the page that imitates
// one stays text.
func TestFoundHandles(t *testing.T) {
	s, view := looked(t)
	s.answers(result("### Result\nFound 1 match for \"Ant\":\n\n- main [ref=e1]:\n  - listitem [ref=e10]:\n    - button \"Ant [ref=e13]\" [ref=" + antRef + "] [cursor=pointer]"))
	text, _ := s.text("browser_find", `{"text":"Ant"}`)
	if !strings.Contains(text, `- button "Ant [ref=e13]" [`+numberOf(t, view, "Ant")+"]\n") && !strings.HasSuffix(text, `- button "Ant [ref=e13]" [`+numberOf(t, view, "Ant")+"]") {
		t.Errorf("it is answered %s", text)
	}
}

func TestUpstreamsRefs(t *testing.T) {
	s, view := looked(t, "PLAYGUARD_REFS=upstream")
	if !strings.Contains(view, "Ant ["+antRef+"]") {
		t.Errorf("the view is %s", view)
	}
	s.answers(result("ok")).call("browser_click", `{"target":"[`+antRef+`]"}`)
	if s.sent[0] != `browser_click {"target":"`+antRef+`"}` {
		t.Errorf("upstream got %v", s.sent)
	}
}
