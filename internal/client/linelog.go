package client

// This file keeps received lines for tests to look at.

import (
	"context"
	"fmt"
	"sync"
)

// LineLog keeps every line it is given, byte for byte. Its Record fits
// Options.OnLine; the zero value is ready to use.
type LineLog struct {
	mu    sync.Mutex
	lines []string
	grown chan struct{} // closed at the next line; nil when nobody waits
}

// Record adds one line.
func (l *LineLog) Record(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(line))
	if l.grown != nil {
		close(l.grown)
		l.grown = nil
	}
}

// Lines is a copy of what has come so far.
func (l *LineLog) Lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.lines...)
}

// Wait gives the first line, of those that have come and those that still come,
// that match accepts.
func (l *LineLog) Wait(ctx context.Context, match func(line string) bool) (string, error) {
	for seen := 0; ; {
		l.mu.Lock()
		fresh := l.lines[seen:]
		seen = len(l.lines)
		if l.grown == nil {
			l.grown = make(chan struct{})
		}
		grown := l.grown
		l.mu.Unlock()
		for _, line := range fresh {
			if match(line) {
				return line, nil
			}
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return "", fmt.Errorf("the line waited for is not among the %d that came: %w", seen, context.Cause(ctx))
		}
	}
}
