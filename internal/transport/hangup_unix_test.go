//go:build unix

package transport

import (
	"io"
	"os"
	"testing"
)

// The client's end shows although what it has sent before was not read.
func TestHungUp(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s := NewStdio(r, io.Discard, 1000)
	defer s.Close(0)
	if _, err := w.WriteString("unread\n"); err != nil {
		t.Fatal(err)
	}
	if s.HungUp() {
		t.Error("an open pipe counts as hung up")
	}
	w.Close()
	if !s.HungUp() {
		t.Error("a closed pipe does not count as hung up")
	}
	r.Close()
	if s.HungUp() {
		t.Error("a file closed on this side counts as hung up")
	}
}
