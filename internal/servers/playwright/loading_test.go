package playwright

// What is waited for, and what of the answers before stays.

import (
	"strings"
	"testing"
	"time"
)

const spinner = "- generic [active] [ref=e1]:\n  - banner [ref=e2]:\n    - link \"Home\" [ref=e3] [cursor=pointer]\n  - main [ref=e5]:\n    - generic [ref=e6]:\n      - generic [ref=e7]: Loading…"

func TestSmartWait(t *testing.T) {
	const on = "PLAYGUARD_SMART_WAIT=1"
	tests := []struct {
		name     string
		settings []string
		trees    []string
		retried  int
		warned   bool
	}{
		{"off", nil, []string{spinner}, 0, false},
		{"done", []string{on}, []string{tree}, 0, false},
		{"done later", []string{on}, []string{spinner, spinner, tree}, 2, false},
		{"never done", []string{on, "PLAYGUARD_SMART_WAIT_MAX_RETRIES=2"}, []string{spinner}, 2, true},
		{"enough controls", []string{on, "PLAYGUARD_SMART_WAIT_MIN_REFS=1"}, []string{spinner}, 0, false},
		{"a progress bar", []string{on}, []string{"- progressbar [ref=e1]", tree}, 1, false},
		{"no retry", []string{on, "PLAYGUARD_SMART_WAIT_MAX_RETRIES=0"}, []string{spinner}, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t, tt.settings...)
			for _, tree := range tt.trees {
				s.next = append(s.next, result(inline(tree)))
			}
			text, e := s.text(snapshotTool, `{}`)
			if len(s.slept) != tt.retried || e.Retried != tt.retried || len(s.sent) != tt.retried+1 {
				t.Errorf("slept %v, sent %v, the log says %+v", s.slept, s.sent, e)
			}
			if strings.Contains(text, "still seems to be loading") != tt.warned {
				t.Errorf("the answer is %s", text)
			}
			if last := tt.trees[len(tt.trees)-1]; strings.Contains(text, "Buy") != strings.Contains(last, "Buy") {
				t.Errorf("the answer is %s", text)
			}
			if tt.retried > 0 && s.slept[0] != time.Second {
				t.Errorf("slept %v", s.slept)
			}
		})
	}
}

// A navigation waits too; what it said of events stays, and it has the page it
// came to in the end.
func TestSmartWaitAfterNavigation(t *testing.T) {
	s := newSession(t, "PLAYGUARD_SMART_WAIT=1")
	s.answers(result(s.file(spinner)+"\n### Events\n- Downloading file a.pdf ..."), result(inline(tree)))
	text, e := s.text("browser_navigate", `{"url":"http://shop.test/"}`)
	if e.Retried != 1 || !strings.Contains(text, "a.pdf") || !strings.Contains(text, "Buy") || strings.Contains(text, "Loading") {
		t.Errorf("the answer is %s, the log says %+v", text, e)
	}
	// An action does not.
	s.answers(result(s.file(spinner)))
	if _, e := s.text("browser_click", `{"target":"#a"}`); e.Retried != 0 {
		t.Errorf("the log says %+v", e)
	}
}

func TestPrefetch(t *testing.T) {
	navigate := func(s *session) string {
		s.answers(result(s.file(tree) + "\n### Events\n- Downloading file a.pdf ..."))
		text, _ := s.text("browser_navigate", `{"url":"http://shop.test/"}`)
		s.answers(result(inline(tree)))
		return text
	}
	const on = "PLAYGUARD_PREFETCH_SNAPSHOT=true"
	tests := []struct {
		name      string
		settings  []string
		between   func(s *session)
		arguments string
		hit       bool
	}{
		{name: "off", arguments: `{}`},
		{name: "at once", settings: []string{on}, arguments: `{}`, hit: true},
		{name: "another form", settings: []string{on}, arguments: `{"urls":true}`, hit: true},
		{name: "with links", settings: []string{on, "PLAYGUARD_ACTION_VIEW=link"}, arguments: `{}`, hit: true},
		{name: "raw", settings: []string{on}, arguments: `{"raw":true}`},
		{name: "an element", settings: []string{on}, arguments: `{"target":"#a"}`},
		{name: "boxes", settings: []string{on}, arguments: `{"boxes":true}`},
		{name: "a file", settings: []string{on}, arguments: `{"filename":"a.yml"}`},
		{name: "too late", settings: []string{on}, between: func(s *session) { s.clock = s.clock.Add(prefetchAge) }, arguments: `{}`},
		{name: "behind another call", settings: []string{on}, between: func(s *session) { s.call("browser_console_messages", `{}`) }, arguments: `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t, tt.settings...)
			navigate(s)
			if tt.between != nil {
				tt.between(s)
			}
			before := len(s.sent)
			text, e := s.text(snapshotTool, tt.arguments)
			if hit := len(s.sent) == before; hit != tt.hit || e.PrefetchHit != tt.hit {
				t.Errorf("from memory %v, the log says %+v", hit, e)
			}
			if strings.Contains(text, "a.pdf") {
				t.Errorf("an event is told twice: %s", text)
			}
			if tt.name == "with links" && (!strings.HasPrefix(text, "[PlayGuard compact") || !strings.Contains(text, "Buy")) {
				t.Errorf("the answer is %s", text)
			}
		})
	}
}
