package playwright

// What a restoration takes for the session.

import (
	"slices"
	"strings"
	"testing"
)

// lost is a session with one tab that has to be restored, in a browser that shows text.
func lost(t *testing.T, text string) (*spoken, *reviving) {
	t.Helper()
	s := newSpoken(t)
	s.says(opened1, pages1)
	link := &reviving{answering: answering{text: text}}
	s.link = link
	s.mu.Lock()
	s.presumed = diedServer
	s.mu.Unlock()
	return s, link
}

// The script may come again after a server that had none.
func TestScriptThatComesAgain(t *testing.T) {
	s, _ := lost(t, onPage)
	s.blind.Store(true)
	if _, err := s.restore(t.Context(), 1); err != nil || !s.watching() {
		t.Errorf("the script is there again, and what it says counts: %v (%v)", s.watching(), err)
	}
}

// An empty page in the place of the tab is not the session, unless it stays.
func TestEmptyPageIsNotTheSession(t *testing.T) {
	s, _ := lost(t, onBlank)
	if _, err := s.restore(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "an empty page stands in the place of http://a.b/") {
		t.Errorf("the first attempt ends with %v", err)
	}
	if _, err := s.restore(t.Context(), 2); err != nil {
		t.Errorf("the second one ends with %v", err)
	}
}

// Beside a tab that has come meanwhile the restored one is selected.
func TestOnlyTabIsSelectedBesideAnother(t *testing.T) {
	for pages, want := range map[string]bool{
		pages1: false,
		`{"event":"pages","context":1,"pages":["http://a.b/","http://a.b/popup"],"ids":["1","2"]}`: true,
	} {
		s, link := lost(t, onPage)
		s.says(pages)
		if _, err := s.restore(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(link.asked, tabsTool); got != want {
			t.Errorf("with %s it asks for %q", pages, link.asked)
		}
	}
}

// What is asked of the server during a restoration ends behind a death of what is restored.
func TestAskingEndsWithADeath(t *testing.T) {
	t.Parallel()
	s := newSpoken(t)
	s.says(opened1, pages1)
	asking, over := s.whileOn(t.Context(), s.browserNow(), s.generation)
	defer over()
	if err := asking.Err(); err != nil {
		t.Errorf("while all is well it has ended: %v", err)
	}
	s.says(crash1)
	<-asking.Done()
	if err := orCause(asking, asking.Err()); err == nil || !strings.Contains(err.Error(), "a page crashed") {
		t.Errorf("it ends with %v", err)
	}
}
