package reread

// Reading an original in parts.

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/upstream"
)

// asked calls the tool with one text kept, whose id stands for ID in the
// arguments.
func asked(t *testing.T, text, args string) (answer string, failed bool) {
	t.Helper()
	s := store.New(t.TempDir(), store.DefaultLimits())
	id := s.Put(text)
	params := []byte(`{"name":"playguard_read","arguments":` + strings.ReplaceAll(args, "ID", id) + `}`)
	result, err := Tool(s).Handle(t.Context(), &upstream.Call{Tool: Name, Params: params, Log: &calllog.Entry{}})
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(mcp.Texts(result)[0].Text, id, "ID"), mcp.IsError(result)
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	tests := []struct{ name, text, args, want string }{
		{"all", "a\nb\n", `{"id":"ID"}`, "[PlayGuard: lines 1-2 of 2]\na\nb"},
		{"a part", numbered(9), `{"id":"ID","from":3,"lines":2}`, `[PlayGuard: lines 3-4 of 9; go on: playguard_read {"id":"ID","from":5,"lines":2}]` + "\nline 3\nline 4"},
		{"numbers as text", numbered(9), `{"id":"ID","from":"9","lines":"2"}`, "[PlayGuard: lines 9-9 of 9]\nline 9"},
		{"behind the end", "a", `{"id":"ID","from":2}`, "[PlayGuard: no line 2, there are 1]"},
		{"grep", "one\ntwo\nthree", `{"id":"ID","grep":"(?i)T[wh]"}`, "[PlayGuard: 2 matching lines from line 1 on, of 3]\n2: two\n3: three"},
		{"grep goes on", "x1\nx2\nx3", `{"id":"ID","grep":"x\\d","lines":1}`, `[PlayGuard: 1 matching lines from line 1 on, of 3; go on: playguard_read {"id":"ID","grep":"x\\d","from":2,"lines":1}]` + "\n1: x1"},
		{"no match", "a", `{"id":"ID","grep":"b"}`, "[PlayGuard: 0 matching lines from line 1 on, of 1]"},
		{"a match over a break", strings.Repeat("a", maxLine-1) + "XY" + strings.Repeat("b", maxLine), `{"id":"ID","grep":"XY","lines":5}`,
			"[PlayGuard: 2 matching lines from line 1 on, of 3]\n1: " + strings.Repeat("a", maxLine-1) + "X\n2: Y" + strings.Repeat("b", maxLine-1)},
		{"empty", "", `{"id":"ID"}`, "[PlayGuard: lines 1-1 of 1]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, failed := asked(t, tt.text, tt.args); failed || got != tt.want {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestProblems(t *testing.T) {
	for args, part := range map[string]string{
		`{"id":"o0"}`:               "expired",
		`{}`:                        "needs the id",
		`{"id":"ID","grep":"a("}`:   "missing closing )",
		`{"id":"ID","from":0}`:      "from must be a whole number",
		`{"id":"ID","lines":"all"}`: "lines must be a whole number",
	} {
		if got, failed := asked(t, "text", args); !failed || !strings.Contains(got, part) {
			t.Errorf("%s is answered %s", args, got)
		}
	}
}

// An answer stays small, and following its calls gives every line.
func TestGoingOn(t *testing.T) {
	text := strings.Repeat(strings.Repeat("ä", 1500)+"\n", 60)
	s := store.New(t.TempDir(), store.DefaultLimits())
	id := s.Put(text)
	args, got := `{"id":"`+id+`"}`, ""
	for range 20 {
		result, err := Tool(s).Handle(t.Context(), &upstream.Call{Params: []byte(`{"arguments":` + args + `}`), Log: &calllog.Entry{}})
		if err != nil {
			t.Fatal(err)
		}
		answer := mcp.Texts(result)[0].Text
		head, body, _ := strings.Cut(answer, "\n")
		if len(answer) > maxChars+maxLine || !utf8.ValidString(answer) {
			t.Fatalf("%d bytes in one answer", len(answer))
		}
		got += strings.ReplaceAll(body, "\n", "")
		_, after, more := strings.Cut(head, "go on: "+Name+" ")
		if !more {
			break
		}
		args = strings.TrimSuffix(after, "]")
	}
	if got != strings.ReplaceAll(text, "\n", "") {
		t.Errorf("%d bytes came back of %d", len(got), len(text))
	}
}

func TestDefinition(t *testing.T) {
	if err := jsonrpc.Valid([]byte(definition)); err != nil || mcp.Tool(definition).Name() != Name {
		t.Errorf("the definition is no tool: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a\nb", `x*`, 1, 3)
	f.Fuzz(func(t *testing.T, text, grep string, from, lines int) {
		q, problem := readQuery(fmt.Appendf(nil, `{"id":"a","grep":%s,"from":%d,"lines":%d}`, jsonrpc.Quote(grep), from, lines))
		if problem == "" && len(q.answer(text)) > maxChars+maxLine+len(grep)*6+500 {
			t.Error("the answer is too large")
		}
	})
}
