package playwright

// Answers are of now, or not given.

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/upstream"
)

// A look says what happened besides the change too: upstream tells it once.
func TestLooksNameWhatHappened(t *testing.T) {
	s := opened(t, "PLAYGUARD_SNAPSHOT_TTL=0")
	s.answers(result(paged(shop+"#late", "Late", list(things...), "\n### Events\n- Downloaded file a.csv to \"qa/a.csv\"")))
	text, _ := s.text(snapshotTool, `{}`)
	if want := "[PlayGuard r1: UNCHANGED]\nURL: " + shop + "#late\nTitle: Late\nDownloaded file a.csv to \"qa/a.csv\""; text != want {
		t.Errorf("the look is answered\n%s\ninstead of\n%s", text, want)
	}
}

// What an action has said is not lost with the look that follows it.
func TestBlindActionsNameWhatHappened(t *testing.T) {
	s := opened(t)
	s.answers(result("### Result\nhandled\n### Page\n- Page URL: "+shop+"\n### Events\n- Downloaded file a.csv to \"qa/a.csv\""), result(paged(shop, "Shop", list(things[1:]...))))
	text, _ := s.text("browser_handle_dialog", `{"accept":true}`)
	for _, want := range []string{"handled\n", "Downloaded file a.csv", "Ant"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// While another call is under way nothing is answered from memory.
func TestNoMemoryBesideOtherCalls(t *testing.T) {
	s := opened(t)
	s.answers(result(paged(shop, "Shop", list(things...)))).call(snapshotTool, `{}`)
	asked, release := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		call := &upstream.Call{Tool: "browser_click", Params: []byte(`{"name":"browser_click","arguments":{"target":"e1"}}`), Log: &calllog.Entry{}}
		_, err := s.handle(t.Context(), call, func(context.Context, []byte) (jsonrpc.Message, error) {
			close(asked)
			<-release
			return jsonrpc.Parse(jsonrpc.NewResult([]byte("1"), []byte(result("ok"))))
		})
		done <- err
	}()
	<-asked
	s.looked.call = s.calls // as if the look had been answered after the click was sent
	if _, e := s.call(snapshotTool, `{}`); e.CacheHit {
		t.Error("a look was answered from memory while a click was under way")
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// With whole views only, memory gives the whole view.
func TestMemoryWithoutDeltas(t *testing.T) {
	s := newSession(t, "PLAYGUARD_DELTA=false").answers(result(paged(shop, "Shop", list(things...))))
	first, _ := s.text(snapshotTool, `{}`)
	if again, e := s.text(snapshotTool, `{}`); again != first || !e.CacheHit {
		t.Errorf("the second look is (%+v)\n%s", e, again)
	}
}

// A view into a file is upstream's own, and no base for deltas.
func TestViewsIntoFiles(t *testing.T) {
	s := opened(t)
	want := s.linked(shop, "Shop", list("Ant"))
	s.sent = nil
	if got, _ := s.answers(want).call(snapshotTool, `{"target":"#one","filename":"a.yml"}`); got != want {
		t.Errorf("it is answered %s", got)
	}
	if got := strings.Join(s.sent, "; "); !strings.HasSuffix(got, "; browser_snapshot {}") {
		t.Errorf("upstream got %s, which leaves it with a part of the refs", got)
	}
}

func TestBoxesAreAskedFor(t *testing.T) {
	s := opened(t)
	s.answers(result(paged(shop, "Shop", list(things...)))).call(snapshotTool, `{}`)
	if text, e := s.text(snapshotTool, `{"boxes":true}`); e.CacheHit || strings.Contains(text, "UNCHANGED") {
		t.Errorf("boxes are answered %s", text)
	}
}

// Looks that are no whole view are no base for deltas over documents.
func TestDeltasAreOfOneDocument(t *testing.T) {
	for _, arguments := range []string{`{"depth":1}`, `{"raw":true}`, `{"urls":true}`} {
		s := opened(t, "PLAYGUARD_SNAPSHOT_TTL=0")
		s.answers(result(paged(shop+"?page=2", "Shop", list(things...)))).call(snapshotTool, arguments)
		if text, _ := s.text(snapshotTool, `{}`); !strings.Contains(text, "Hen") {
			t.Errorf("after a look with %s at another document the next is %s", arguments, text)
		}
	}
}

// The budget holds for deltas, and full gives everything all the same.
func TestTokenBudget(t *testing.T) {
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf("Thing number %d", i)
	}
	s := newSession(t, "PLAYGUARD_TOKEN_BUDGET=300", "PLAYGUARD_SNAPSHOT_TTL=0")
	s.answers(result(paged(shop, "Shop", list(many...))))
	first, _ := s.text(snapshotTool, `{}`)
	if strings.Contains(first, "number 250 ") || !strings.Contains(first, "[… ") {
		t.Fatalf("the first look is %s", clipped(first))
	}
	if text, _ := s.text(snapshotTool, `{}`); !strings.Contains(text, "UNCHANGED") {
		t.Errorf("a folded view that is the same is answered %s", clipped(text))
	}
	changed := append([]string{}, many...)
	changed[250] = "Another"
	s.answers(result(paged(shop, "Shop", list(changed...))))
	if text, e := s.text(snapshotTool, `{}`); e.Delta || strings.Contains(text, "REMOVED") {
		t.Errorf("a change inside a folded part is answered %s", clipped(text))
	}
	if text, _ := s.text(snapshotTool, `{"full":true}`); !strings.Contains(text, "number 299") || !strings.Contains(text, "Another") {
		t.Errorf("the full view is %s", clipped(text))
	}
	s.answers(result(paged(shop, "Shop", list(append(changed, many[:0]...)[:200]...))))
	if text, _ := s.text(snapshotTool, `{}`); len(text) > 1500 {
		t.Errorf("a delta over the budget has %d bytes", len(text))
	}
}

// A page that does not get smaller passes, with what there is to say.
func TestTinyPages(t *testing.T) {
	s := newSession(t, "PLAYGUARD_SNAPSHOT_TTL=0").answers(result(paged(shop, "S", "- text: Hi")))
	if text, _ := s.text(snapshotTool, `{"section":"none"}`); !strings.Contains(text, "none") || !strings.Contains(text, "Hi") {
		t.Errorf("a section that is not there is answered %s", text)
	}
}

// A tab that closes itself leaves another one current, where upstream may know
// another element by the same ref.
func TestTabsThatCloseThemselves(t *testing.T) {
	s := opened(t)
	s.answers(result("### Open tabs\n- 0: [Shop]("+shop+")\n- 1: (current) [Help]("+shop+"help)\n"+paged(shop+"help", "Help", list(things...)))).call("browser_click", `{"target":"`+antRef+`"}`)
	view, _ := s.answers(result("### Open tabs\n- 0: [Shop]("+shop+")\n- 1: (current) [Help]("+shop+"help)\n"+paged(shop+"help", "Help", list(things...)))).text(snapshotTool, `{"full":true}`)
	s.answers(result("### Result\n- 0: (current) [Shop](" + shop + ")"))
	s.sent = nil
	text, _ := s.text("browser_click", `{"target":"`+numberOf(t, view, "Ant")+`"}`)
	if len(s.sent) != 1 || !strings.HasPrefix(s.sent[0], tabsTool) || !strings.Contains(text, "gone") {
		t.Errorf("it is answered %q after %v", text, s.sent)
	}
	s.answers(result(paged(shop, "Shop", list(things...))))
	if text, _ := s.text(snapshotTool, `{}`); !strings.Contains(text, "URL: "+shop+"\n") && !strings.HasSuffix(text, "URL: "+shop) {
		t.Errorf("the look at the other tab is %s", text)
	}
}

// The elements of a browser that was closed are gone, whatever the answer says.
func TestClosedBrowsers(t *testing.T) {
	s := opened(t)
	view, _ := s.answers(result(paged(shop, "Shop", list(things...)))).text(snapshotTool, `{"full":true}`)
	ant := numberOf(t, view, "Ant")
	s.answers(result("### Result\nclosed\n### Page\n- Page URL: about:blank")).call(closeTool, `{}`)
	s.answers(s.linked(shop, "Shop", list(things...)))
	again, _ := s.text("browser_navigate", `{"url":"`+shop+`"}`)
	if numberOf(t, again, "Ant") == ant {
		t.Error("the next browser's element has the number of one before")
	}
	if text, _ := s.text("browser_click", `{"target":"`+ant+`"}`); !strings.Contains(text, "gone") {
		t.Errorf("a handle of the closed browser is answered %q", text)
	}
}

// Of two tabs with one address it is the call that says which is closed.
func TestClosingOneOfTwoAlike(t *testing.T) {
	s := opened(t)
	two := "### Open tabs\n- 0: [Shop](" + shop + ")\n- 1: (current) [Shop](" + shop + ")\n"
	view, _ := s.answers(result("### Result\n"+strings.TrimPrefix(two, "### Open tabs\n")), result(two+paged(shop, "Shop", list("One", "Two", "Three")))).text(tabsTool, `{"action":"new","url":"/"}`)
	one := numberOf(t, view, "One")
	s.answers(result("### Result\n- 0: (current) [Shop]("+shop+")"), result(paged(shop, "Shop", list("One", "Two", "Three"))))
	if text, _ := s.text(tabsTool, `{"action":"close","index":0}`); strings.Contains(text, "REMOVED") {
		t.Errorf("the closed tab's view is compared: %s", text)
	}
	s.answers(s.linked(shop, "Shop", list("One", "Two", "Three")))
	s.sent = nil
	if s.call("browser_click", `{"target":"`+one+`"}`); len(s.sent) != 1 || !strings.Contains(s.sent[0], refOf("One")) {
		t.Errorf("upstream got %v", s.sent)
	}
}
