package site

// That the applications are served and their reports counted.

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestAppsAreServed(t *testing.T) {
	s := Start(t)
	if len(Apps()) < 20 {
		t.Errorf("the applications are only %v", Apps())
	}
	for _, name := range Apps() {
		resp, err := http.Get(s.URL + "/apps/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), "<title>") || strings.Contains(string(body), "{{other}}") {
			t.Errorf("%s is answered with status %d (%v) and %q", name, resp.StatusCode, err, body)
		}
	}
}

func TestReportsAreCounted(t *testing.T) {
	s := Start(t)
	for range 2 {
		resp, err := http.Post(s.Other+"/done?what=a+b", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	if err := s.Await(t.Context(), "a b", 2); err != nil || s.Count("a b") != 2 {
		t.Errorf("the reports are counted as %d (%v)", s.Count("a b"), err)
	}
}
