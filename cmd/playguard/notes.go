package main

// The log on stderr.

import (
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/config"
)

// noteRoom is how many notes wait for a client that does not read stderr.
const noteRoom = 1000

// noteFlush is how long the last notes may take to be written at the end.
const noteFlush = 50 * time.Millisecond

// newLog writes notes to stderr, since stdout is the protocol's. It never waits:
// a client that does not read its server's stderr must not stop the server. The
// returned function writes what is still queued.
func newLog(level string) (*slog.Logger, func()) {
	at := slog.LevelInfo
	switch level {
	case config.StderrQuiet:
		at = slog.LevelWarn
	case config.StderrDebug:
		at = slog.LevelDebug
	}
	w := newNoteWriter(os.Stderr)
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: at})), w.flush
}

// noteWriter writes from a goroutine of its own and drops what finds no room.
type noteWriter struct {
	queue chan []byte
	end   sync.Once
	done  chan struct{}
}

func newNoteWriter(dst io.Writer) *noteWriter {
	w := &noteWriter{queue: make(chan []byte, noteRoom), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for note := range w.queue {
			if note == nil {
				return
			}
			_, _ = dst.Write(note) // there is nobody to tell
		}
	}()
	return w
}

// Write takes a copy of a note, or drops it.
func (w *noteWriter) Write(note []byte) (int, error) {
	select {
	case w.queue <- append([]byte(nil), note...):
	default:
	}
	return len(note), nil
}

// flush waits for the queued notes, at most noteFlush. Later ones are dropped.
func (w *noteWriter) flush() {
	w.end.Do(func() {
		select {
		case w.queue <- nil:
		default: // it is full: the reader has given up on us
		}
	})
	select {
	case <-w.done:
	case <-time.After(noteFlush):
	}
}
