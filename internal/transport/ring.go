package transport

import (
	"bytes"
	"io"
	"sync"
)

// ringSize is how much of a child's stderr is kept for error texts.
const ringSize = 64 << 10

// Ring keeps the last 64 KB of what is written to it and hands every whole
// line to a callback. The zero value with a nil callback only keeps.
type Ring struct {
	Line func(line []byte) // called for each line, without its end; may be nil

	mu   sync.Mutex
	last []byte
	part []byte
}

// Write never fails.
func (r *Ring) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = append(r.last, p...)
	if len(r.last) > 2*ringSize {
		r.last = append(r.last[:0], r.last[len(r.last)-ringSize:]...)
	}
	if r.Line == nil {
		return len(p), nil
	}
	r.part = append(r.part, p...)
	for {
		i := bytes.IndexByte(r.part, '\n')
		if i < 0 && len(r.part) > ringSize {
			i = len(r.part) - 1 // a line without end is cut
		}
		if i < 0 {
			return len(p), nil
		}
		r.Line(bytes.TrimRight(r.part[:i+1], "\r\n"))
		r.part = append(r.part[:0], r.part[i+1:]...)
	}
}

// Tail returns the last lines that are not blank, at most n.
func (r *Ring) Tail(n int) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := bytes.Split(r.last[max(0, len(r.last)-ringSize):], []byte("\n"))
	var out []string
	for i := len(lines) - 1; i >= 0 && len(out) < n; i-- {
		if line := bytes.TrimSpace(lines[i]); len(line) > 0 {
			out = append([]string{string(line)}, out...)
		}
	}
	return out
}

// drain copies src into the ring until it ends.
func (r *Ring) drain(src io.Reader) { _, _ = io.Copy(r, src) }
