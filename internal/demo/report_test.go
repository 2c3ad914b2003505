package demo

// This file tests what a run tells, without a browser.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/internal/demo/shop"
)

func sampleReport() Report {
	first := Step{Name: "Open the shop", Calls: []Call{{"browser_navigate", 300, 300, 12.5}, {"browser_snapshot", 9700, 700, 40}}}
	first.finish(1500 * time.Millisecond)
	second := Step{Name: "Buy", Calls: []Call{{"browser_click", 0, 0, 1}}, View: "first\nsecond"}
	second.finish(0)
	r := Report{Steps: []Step{first, second}, Orders: 1}
	r.finish(3 * time.Second)
	return r
}

func TestReportAsText(t *testing.T) {
	var out bytes.Buffer
	if err := sampleReport().WriteText(&out); err != nil {
		t.Fatal(err)
	}
	want := ` 1. Open the shop
    upstream sent   10.0 KB (~3788 tokens)   agent got    1.0 KB (~379 tokens)    90% saved   2 calls   1.5 s
 2. Buy
    upstream sent    0.0 KB (~0 tokens)   agent got    0.0 KB (~0 tokens)     0% saved   1 call   0.0 s
    what the agent reads:
    | first
    | second

Total over 2 steps and 3 calls in 3.0 s; the shop counted 1 order.
    upstream sent    10.0 KB  ~3788 tokens
    the agent got     1.0 KB  ~379 tokens
    saved              90.0%
Tokens are estimated from bytes, 2.64 to the token.
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestReportAsJSON(t *testing.T) {
	b, err := json.Marshal(sampleReport())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"steps":[{"name":"Open the shop","calls":[{"tool":"browser_navigate","rawBytes":300,"keptBytes":300,"ms":12.5},` +
		`{"tool":"browser_snapshot","rawBytes":9700,"keptBytes":700,"ms":40}],"rawBytes":10000,"keptBytes":1000,"rawTokens":3788,"keptTokens":379,"seconds":1.5},` +
		`{"name":"Buy","calls":[{"tool":"browser_click","rawBytes":0,"keptBytes":0,"ms":1}],"rawBytes":0,"keptBytes":0,"rawTokens":0,"keptTokens":0,"seconds":0,"view":"first\nsecond"}],` +
		`"calls":3,"rawBytes":10000,"keptBytes":1000,"rawTokens":3788,"keptTokens":379,"savedPercent":90,"orders":1,"seconds":3}`
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Error(diff)
	}
}

func TestExcerpt(t *testing.T) {
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprintf("line %02d", i))
	}
	view := strings.Join(lines, "\n")
	for _, test := range []struct{ view, focus, first, second, last string }{
		{view, "", "line 00", "line 01", "… 18 lines"},
		{view, "line 02", "line 00", "… 1 line", "… 17 lines"},
		{view, "line 25", "line 00", "… 24 lines", "line 29"},
		{view, "line 00", "line 00", "line 01", "… 18 lines"},
		{view, "absent", "line 00", "line 01", "… 18 lines"},
		{"only", "only", "only", "", "only"},
		{"", "", "", "", ""},
	} {
		got := strings.Split(excerpt(test.view, test.focus), "\n")
		second := ""
		if len(got) > 1 {
			second = got[1]
		}
		if got[0] != test.first || second != test.second || got[len(got)-1] != test.last {
			t.Errorf("focus %q: %q", test.focus, got)
		}
	}
	if got := excerpt(strings.Repeat("é", 200), ""); got != strings.Repeat("é", excerptWidth-1)+"…" {
		t.Errorf("a long line: %s", got)
	}
}

// scripted is a client whose server lists the tools and answers every call with
// the same result.
func scripted(t *testing.T, tools, result string) *client.Client {
	t.Helper()
	near, far := net.Pipe()
	c := client.New(near, client.Options{})
	served := make(chan struct{})
	go func() {
		defer close(served)
		lines := bufio.NewScanner(far)
		for lines.Scan() {
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
				continue
			}
			answer := result
			switch m.Method {
			case "initialize":
				answer = `{}`
			case "tools/list":
				answer = tools
			}
			fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, answer)
		}
	}()
	t.Cleanup(func() {
		_ = c.Close()
		<-served
	})
	return c
}

func TestFailureNamesTheStepAndWhatCame(t *testing.T) {
	const tools = `{"tools":[{"name":"browser_snapshot"}]}`
	for name, test := range map[string]struct {
		tools, result string
		want          []string
	}{
		"other page": {tools, `{"content":[{"type":"text","text":"nothing of the kind"}]}`,
			[]string{"step 1 ", `"Open the shop"`, "Well-made things", "nothing of the kind"}},
		"tool error": {tools, `{"content":[{"type":"text","text":"### Error\nno browser"}],"isError":true}`,
			[]string{"step 1 ", "browser_navigate", "no browser"}},
		"no tools": {`{"tools":[]}`, `{}`, []string{"browser_snapshot", "playguard setup"}},
	} {
		var progress []string
		r := runner{
			o: Options{Out: &bytes.Buffer{}, Progress: func(number, total int, name string) {
				progress = append(progress, fmt.Sprint(number, "/", total, " ", name))
			}},
			session: session{mcp: scripted(t, test.tools, test.result), shop: shop.New(), url: "http://127.0.0.1:1"},
		}
		err := r.run(t.Context())
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, part := range test.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: no %q in: %v", name, part, err)
			}
		}
		if test.tools == tools && strings.Join(progress, ",") != "1/13 Open the shop" {
			t.Errorf("%s: progress %q", name, progress)
		}
	}
}

func TestExpectations(t *testing.T) {
	s := session{known: []string{"one two three"}, shop: shop.New()}
	for name, err := range map[string]error{
		"missing":     s.expect("one", "four"),
		"still there": s.expectWithout("two"),
		"order":       s.expectInOrder("two", "one"),
		"orders":      s.expectOrders(1),
	} {
		if err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, err := range map[string]error{
		"there": s.expect("one", "three"), "gone": s.expectWithout("four"), "order": s.expectInOrder("one", "three"), "orders": s.expectOrders(0),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.handle("link", "one"); err == nil || !strings.Contains(err.Error(), "one two three") {
		t.Errorf("a handle that is not there: %v", err)
	}
}
