// The end of a program's standard error.

package main

import (
	"strings"
	"sync"
)

// tail keeps the last bytes written to it, for error texts.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if cut := len(t.text) - tailBytes; cut > 0 {
		t.text = append(t.text[:0], t.text[cut:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := strings.TrimSpace(string(t.text)); text != "" {
		return text
	}
	return "(none)"
}
