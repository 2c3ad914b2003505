package main

import "testing"

// The list of tools is a count, so its bound is a test.
func TestListOfToolsKeepsItsBound(t *testing.T) {
	figures, err := measureTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		if f.Pass == nil || !*f.Pass {
			t.Errorf("%s: %g %s (%s)", f.Name, f.Value, f.Unit, f.Note)
		}
	}
}
