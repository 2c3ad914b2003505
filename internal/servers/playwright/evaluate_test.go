package playwright

// When a script's result is given from memory, and when it is not.

import (
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/mcp"
)

func TestEvaluateCache(t *testing.T) {
	const read, other, act = `{"function":"() => document.title"}`, `{"function":"() => document.URL"}`, `{"function":"() => b.click()"}`
	value := result("### Result\n\"Shop\"")
	tests := []struct {
		name    string
		setting string
		first   string // arguments of the first call
		answer  string // of the server to it
		between func(s *session)
		again   string
		hit     bool
	}{
		{name: "the same at once", first: read, again: read, hit: true},
		{name: "described otherwise", first: `{"function":"(e) => e.id","target":"#a","element":"A"}`, again: `{"function":"(e) => e.id","target":"#a","element":"the A"}`, hit: true},
		{name: "another element", first: `{"function":"(e) => e.id","target":"#a"}`, again: `{"function":"(e) => e.id","target":"#b"}`},
		{name: "another script", first: read, again: other},
		{name: "a script that acts", first: act, again: act},
		{name: "into a file", first: `{"function":"() => 1","filename":"a"}`, again: `{"function":"() => 1","filename":"a"}`},
		{name: "off", setting: "PLAYGUARD_EVAL_CACHE_TTL=0", first: read, again: read},
		{name: "too late", first: read, between: func(s *session) { s.clock = s.clock.Add(500 * time.Millisecond) }, again: read},
		{name: "behind a read", first: read, between: func(s *session) { s.call("browser_console_messages", `{}`) }, again: read, hit: true},
		{name: "behind a script that reads", first: read, between: func(s *session) { s.call(evaluateTool, other) }, again: read, hit: true},
		{name: "behind a script that acts", first: read, between: func(s *session) { s.call(evaluateTool, act) }, again: read},
		{name: "behind an action", first: read, between: func(s *session) { s.call("browser_click", `{"target":"#a"}`) }, again: read},
		{name: "behind an unknown tool", first: read, between: func(s *session) { s.call("browser_new", `{}`) }, again: read},
		{name: "an error", first: read, answer: `{"content":[{"type":"text","text":"### Error\nError: x"}],"isError":true}`, again: read},
		{name: "with an event", first: read, answer: result("### Result\n1\n" + pageHead + "### Events\n- x"), again: read},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t, tt.setting).answers(value)
			if tt.answer != "" {
				s.answers(tt.answer, value)
			}
			s.call(evaluateTool, tt.first)
			if tt.between != nil {
				tt.between(s)
			}
			before := len(s.sent)
			got, e := s.call(evaluateTool, tt.again)
			if hit := len(s.sent) == before; hit != tt.hit || e.CacheHit != tt.hit || got != value {
				t.Errorf("from memory %v, the log says %+v, the answer is %s", hit, e, got)
			}
		})
	}
}

// Nothing is kept or given while a call that may change the page is under way.
func TestEvaluateCacheWaitsForChanges(t *testing.T) {
	const read = `{"function":"() => document.title"}`
	s := newSession(t).answers(result("### Result\n1"))
	back := s.changing(call("browser_click", `{}`))
	s.call(evaluateTool, read)
	s.call(evaluateTool, read)
	back()
	s.call(evaluateTool, read)
	if len(s.sent) != 3 {
		t.Errorf("the server was asked %d times", len(s.sent))
	}
	if s.call(evaluateTool, read); len(s.sent) != 3 {
		t.Error("nothing is kept any more")
	}
}

func TestEvaluateCut(t *testing.T) {
	long := `"` + strings.Repeat("é", 500) + `"`
	tail := "\n" + strings.TrimSuffix(pageHead, "\n")
	s := newSession(t, "PLAYGUARD_EVAL_COMPACT=100", "PLAYGUARD_EVAL_CACHE_TTL=0").answers(result("### Result\n" + long + tail))
	text, e := s.text(evaluateTool, `{"function":"() => x"}`)
	first, rest, _ := strings.Cut(text, "\n")
	if !e.Cut || rest != "### Result\n\""+strings.Repeat("é", 99)+tail || e.KeptBytes != len(text) {
		t.Errorf("the answer is %s, the log says %+v", text, e)
	}
	before, id, _ := strings.Cut(strings.TrimSuffix(first, `"}]`), `playguard_read {"id":"`)
	if original, ok := s.originals.Get(id); !ok || original != strings.Trim(long, `"`) || before != "[PlayGuard: 100 of 502 characters; all: " {
		t.Errorf("the first line is %s", first)
	}
	for name, other := range map[string]*session{
		"off":           newSession(t, "PLAYGUARD_EVAL_COMPACT=0").answers(result("### Result\n" + strings.Repeat(long, 100))),
		"short enough":  newSession(t, "PLAYGUARD_EVAL_COMPACT=502").answers(result("### Result\n" + long)),
		"hardly longer": newSession(t, "PLAYGUARD_EVAL_COMPACT=450").answers(result("### Result\n" + long)),
	} {
		answer := other.next[0]
		if got, e := other.call(evaluateTool, `{"function":"() => x"}`); got != answer || e.Cut {
			t.Errorf("%s: the answer is %s", name, got)
		}
	}
	// Another tool's result is not cut.
	s.answers(result("### Result\n" + long))
	if got, _ := s.text("browser_run_code_unsafe", `{"code":"x"}`); got != "### Result\n"+long {
		t.Errorf("the answer is %s", got)
	}
	if mcp.IsError([]byte(s.next[0])) {
		t.Fatal("the fake answers an error")
	}
	if got := firstCharacters("aaaa\nbbbb\ncc", 11); got != "aaaa\nbbbb" {
		t.Errorf("cut at %q", got)
	}
}

// The code that upstream ran is no part of a script's result: it is neither cut nor
// counted nor in the way of memory.
func TestEvaluateWithCode(t *testing.T) {
	const code = "\n### Ran Playwright code\n```js\nawait page.evaluate('() => document.title');\n```"
	read := `{"function":"() => document.title"}`
	s := newSession(t).answers(result("### Result\n\"Shop\"" + code))
	if text, _ := s.text(evaluateTool, read); text != "### Result\n\"Shop\"" {
		t.Errorf("code that nobody asked for is in %q", text)
	}
	if _, e := s.call(evaluateTool, read); !e.CacheHit {
		t.Error("the same script was run twice")
	}
	s = newSession(t, "PLAYGUARD_CODEGEN=keep", "PLAYGUARD_EVAL_COMPACT=10").answers(result("### Result\n\"" + strings.Repeat("x", 400) + "\"" + code))
	text, _ := s.text(evaluateTool, read)
	if !strings.Contains(text, "[PlayGuard: 10 of 402 characters") || !strings.HasSuffix(text, code) {
		t.Errorf("a long result with code is %q", text)
	}
}
