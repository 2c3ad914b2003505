package calllog

// The log itself: a queue, and the goroutine that writes it to the day's file.

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// dayLayout names the day's file, by UTC as the entries' times are.
const dayLayout = "2006-01-02"

// gather is how long entries are gathered before they are written, so that a
// burst of calls does not share its processor with a write for each.
const gather = 50 * time.Millisecond

// Log appends entries to the day's file in one folder. An empty folder name
// writes nothing.
type Log struct {
	dir   string
	notes *slog.Logger
	now   func() time.Time

	mu     sync.Mutex
	more   *sync.Cond
	queue  []Entry
	closed bool
	done   chan struct{}

	closing chan struct{} // closed by Close

	file   *os.File // the day's file, used by run alone
	day    string
	failed bool
}

// Open returns a log that writes into dir, which must exist. Writing happens in
// the background; Close waits for it. Trouble is said once on notes; each later
// entry is tried again.
func Open(dir string, notes *slog.Logger) *Log {
	l := &Log{dir: dir, notes: notes, now: time.Now, done: make(chan struct{}), closing: make(chan struct{})}
	l.more = sync.NewCond(&l.mu)
	go l.run()
	return l
}

// Add queues an entry. SavedBytes is worked out here, and so is the time if none
// is given. After Close nothing is added.
func (l *Log) Add(e Entry) {
	if _, err := time.Parse(time.RFC3339, e.Time); err != nil {
		e.Time = l.now().UTC().Format(dayLayout + "T15:04:05.000Z")
	}
	e.SavedBytes = max(e.RawBytes-e.KeptBytes, 0)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.queue = append(l.queue, e)
		l.more.Signal()
	}
}

// Close writes what is queued and closes the file. Idempotent.
func (l *Log) Close() {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		close(l.closing)
	}
	l.more.Signal()
	l.mu.Unlock()
	<-l.done
}

func (l *Log) run() {
	defer close(l.done)
	for {
		l.mu.Lock()
		for len(l.queue) == 0 && !l.closed {
			l.more.Wait()
		}
		l.mu.Unlock()
		select {
		case <-l.closing:
		case <-time.After(gather):
		}
		l.mu.Lock()
		batch := l.queue
		l.queue = nil
		l.mu.Unlock()
		if len(batch) == 0 {
			if l.file != nil {
				l.file.Close()
			}
			return
		}
		for i := range batch {
			l.write(&batch[i])
		}
	}
}

// write appends one line with one write, so that several sessions can share a
// file without mixing lines.
func (l *Log) write(e *Entry) {
	if l.dir == "" {
		return
	}
	line, err := json.Marshal(e)
	if err == nil {
		err = l.open(e.Time[:len(dayLayout)])
	}
	if err == nil {
		_, err = l.file.Write(append(line, '\n'))
	}
	if err != nil && !l.failed {
		l.failed = true
		l.notes.Warn("the call log could not be written; calls go on without it", "error", err.Error())
	}
}

func (l *Log) open(day string) error {
	if l.file != nil && l.day == day {
		return nil
	}
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
	f, err := os.OpenFile(filepath.Join(l.dir, day+".ndjson"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	l.file, l.day = f, day
	return nil
}
