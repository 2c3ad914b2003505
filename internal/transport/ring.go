package transport

// What a child says on stderr.

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

// ringSize is how much of a child's stderr is kept for error texts, and the
// longest line that is handed on whole.
const ringSize = 64 << 10

// Ring keeps the last 64 KB of what is written to it and hands every whole
// line to a callback. The zero value with a nil callback only keeps.
type Ring struct {
	// Line is called for each line, without its end; may be nil. The bytes are
	// valid during the call only, and the call must not use the ring.
	Line func(line []byte)

	mu   sync.Mutex
	last []byte
	part []byte // a line that has no end yet
}

// Write never fails.
func (r *Ring) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(p)
	r.last = append(r.last, p[max(0, n-ringSize):]...)
	if len(r.last) > 2*ringSize {
		r.last = append(r.last[:0], r.last[len(r.last)-ringSize:]...)
	}
	if r.Line == nil {
		return n, nil
	}
	for {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		if cut := ringSize - len(r.part); len(line) > cut { // too long: in pieces
			line, rest, whole = p[:cut], p[cut:], true
		}
		r.part = append(r.part, line...)
		if !whole {
			return n, nil
		}
		r.flush()
		p = rest
	}
}

// flush hands on the line that has been put together. Called with mu.
func (r *Ring) flush() {
	r.Line(bytes.TrimSuffix(r.part, []byte("\r")))
	r.part = r.part[:0]
}

// Tail returns the last lines that are not blank, at most n.
func (r *Ring) Tail(n int) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := bytes.Split(r.last[max(0, len(r.last)-ringSize):], []byte("\n"))
	var out []string
	for i := len(lines) - 1; i >= 0 && len(out) < n; i-- {
		if line := bytes.TrimSpace(lines[i]); len(line) > 0 {
			out = append(out, string(line))
		}
	}
	slices.Reverse(out)
	return out
}

// drain copies src into the ring until it ends. A last line without an end is
// handed on then: a server that crashes may leave one.
func (r *Ring) drain(src io.Reader) {
	_, _ = io.Copy(r, src)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Line != nil && len(r.part) > 0 {
		r.flush()
	}
}
