package playwright

// A tab whose address can't be opened at once after a death.

import (
	"context"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// answering is a server that gives every call the same answer.
type answering struct {
	upstream.Link
	text string
}

func (a answering) Do(context.Context, string, []byte) (jsonrpc.Message, error) {
	return jsonrpc.Parse(jsonrpc.NewResult([]byte("0"), mcp.TextResult(a.text)))
}

const twoTabs = "### Open tabs\n- 0: (current) [A](http://a.b/)\n- 1: [B](http://a.b/2)\n### Page\n- Page URL: http://a.b/\n### Snapshot\n```yaml\n- button \"Buy\" [ref=e2]\n```"

// That one tab could be opened at last is nothing to the others, which have lived.
func TestOthersStayWhenATabIsOpened(t *testing.T) {
	s := onTabs(t, "http://a.b/", "http://a.b/2")
	s.link = answering{text: twoTabs}
	tabs := &s.row.pages
	before := []string{tabs.key(tabs.tabs[0]), tabs.key(tabs.tabs[1])}
	tabs.tabs[1].history = []string{"http://a.b/1", "http://a.b/2"}
	s.look(t.Context())
	if got := tabs.key(tabs.tabs[0]); got == before[0] {
		t.Error("the page of the tab that was opened has the elements of the one before")
	}
	if got := tabs.key(tabs.tabs[1]); got != before[1] || tabs.tabs[1].base != 0 {
		t.Errorf("the other tab became %s from %s, with %d addresses of another browser", got, before[1], tabs.tabs[1].base)
	}
}

// A handle of the page before is not taken for one of another tab while the page has not
// been seen since: it goes on to where the tab is tried again, and is mapped there.
func TestHandleOfAPageThatIsNotBackYet(t *testing.T) {
	s := onTabs(t, "http://a.b/")
	r := s.row
	const seen = "### Page\n- Page URL: http://a.b/\n### Snapshot\n```yaml\n- button \"Buy\" [ref=REF]\n- button \"Sell\" [ref=e9]\n```"
	r.adopt(strings.ReplaceAll(seen, "REF", "e2"), false, reopened{})
	r.adopt("### Error\nError: net::ERR_CONNECTION_REFUSED", true, reopened{urls: s.tabs})
	args, refusal := r.mapHandles("browser_click", []byte(`{"target":"[1]"}`))
	if refusal != "" || string(args) != `{"target":"e2"}` {
		t.Fatalf("the handle became %s (%s)", args, refusal)
	}
	call := s.begin([]byte(`{"name":"browser_click","arguments":` + string(args) + `}`))
	if params, refusal := s.translate(call); refusal == "" || strings.Contains(refusal, "another tab") {
		t.Errorf("on a page that was not seen it is sent as %s (%s)", params, refusal)
	}
	r.adopt(strings.ReplaceAll(seen, "REF", "e5"), false, reopened{urls: s.tabs})
	params, refusal := s.translate(call)
	if want := `{"name":"browser_click","arguments":{"target":"e5"}}`; refusal != "" || string(params) != want {
		t.Errorf("on the page it is %s (%s), not %s", params, refusal, want)
	}
}

// Whoever waits until a tab is tried again keeps nobody else from being read.
func TestOpeningATabHoldsUpNobody(t *testing.T) {
	s := newSpoken(t)
	s.says(opened1, `{"event":"pages","context":1,"pages":["http://a.b/"],"ids":["1"],"unopened":[{"at":0,"url":"http://a.b/","reason":"refused"}]}`)
	placed := false
	call := &upstream.Call{Place: func() { placed = true }}
	if refusal := s.openTab(t.Context(), s.begin([]byte(`{"name":"browser_click","arguments":{}}`)), call); refusal == "" || !placed {
		t.Errorf("it is refused with %q; its place was given up: %v", refusal, placed)
	}
}
