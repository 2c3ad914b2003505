package transport

// The sending half of a link.

import (
	"errors"
	"io"
	"slices"
	"sync"
	"time"
)

// ErrClosed says that a line was given to a writer whose peer is gone.
var ErrClosed = errors.New("the connection is closed")

// ErrFull says that a peer has not read for so long that its queue is full.
var ErrFull = errors.New("the peer does not read: its queue is full")

const (
	// softLimit is how many queued bytes SendWait accepts before it waits.
	softLimit = 4 << 20
	// joinSize is up to which size queued lines are joined into one write.
	joinSize = 64 << 10
)

// Writer writes lines to a peer, in order: at once where that can't block, else
// from a goroutine of its own.
type Writer struct {
	dst    io.Writer
	direct directWriter // writes without ever blocking; nil where that is not possible
	hard   int          // queued bytes that Send accepts

	mu      sync.Mutex
	changed *sync.Cond // queue, size, closed or err changed
	queue   [][]byte
	size    int
	busy    bool // a line is being written
	closed  bool
	err     error
	done    chan struct{}

	accepted int // lines
	lost     int // the last of them, which the peer was gone for
}

// NewWriter starts a writer that queues up to hard bytes. It ends with Close,
// or when the peer is gone.
func NewWriter(dst io.Writer, hard int) *Writer {
	w := &Writer{dst: dst, direct: newDirectWriter(dst), hard: hard, done: make(chan struct{})}
	w.changed = sync.NewCond(&w.mu)
	go w.run()
	return w
}

// Send writes or queues a line, which is the writer's from then on with the room
// behind it, and never waits. It
// returns ErrFull when the peer does not read and ErrClosed when it is gone.
func (w *Writer) Send(line []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.state(); err != nil {
		return err
	}
	if w.size > 0 && w.size+len(line) > w.hard {
		return ErrFull
	}
	return w.put(line)
}

// SendWait queues a line and waits first while a lot is queued already, so
// that a slow peer slows down the one who sends instead of filling the memory.
func (w *Writer) SendWait(line []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.size > softLimit && w.state() == nil {
		w.changed.Wait()
	}
	if err := w.state(); err != nil {
		return err
	}
	return w.put(line)
}

func (w *Writer) state() error {
	if w.err != nil {
		return w.err
	}
	if w.closed {
		return ErrClosed
	}
	return nil
}

// put writes a short line at once if nothing is before it and the peer has room
// for it: that saves waking a goroutine, which is most of what a small message
// costs. Otherwise it queues the line. Called with mu, which is released while
// writing.
func (w *Writer) put(line []byte) error {
	line = append(line, '\n')
	if w.direct != nil && !w.busy && len(w.queue) == 0 && len(line) <= directSize {
		w.busy = true
		w.mu.Unlock()
		n := w.direct.tryWrite(line)
		w.mu.Lock()
		w.busy = false
		if len(w.queue) > 0 || w.closed {
			w.changed.Broadcast() // nobody else waits for busy
		}
		if n == len(line) {
			w.accepted++
			return nil
		}
		if err := w.state(); err != nil && n == 0 {
			return err
		}
		// What is left goes before what others have queued meanwhile. A line that
		// has begun is ended even if the writer was closed meanwhile, for others
		// may be queued behind it; run is there still, since it waits while busy.
		w.queue = slices.Insert(w.queue, 0, line[n:])
		w.size += len(line) - n
		w.accepted++
		w.changed.Broadcast()
		return nil
	}
	w.queue = append(w.queue, line)
	w.size += len(line)
	w.accepted++
	w.changed.Broadcast()
	return nil
}

// Accepted is how many lines have been taken so far.
func (w *Writer) Accepted() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.accepted
}

// Delivered is how many of the accepted lines may have reached the peer, once the
// writer has ended: those behind them certainly have not.
func (w *Writer) Delivered() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.accepted - w.lost
}

// Done is closed when the writer has ended: after Close, or when the peer is
// gone.
func (w *Writer) Done() <-chan struct{} { return w.done }

// Close takes no more lines and waits up to flush for the queued ones to be
// written. Whether they were is returned; if not, the writing goroutine ends when
// its write does, so the caller closes the stream next. Idempotent.
func (w *Writer) Close(flush time.Duration) bool {
	w.mu.Lock()
	w.closed = true
	w.changed.Broadcast()
	w.mu.Unlock()
	timer := time.NewTimer(flush)
	defer timer.Stop()
	select {
	case <-w.done:
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.err == nil
	case <-timer.C:
		return false
	}
}

func (w *Writer) run() {
	defer close(w.done)
	var joined []byte
	for {
		w.mu.Lock()
		for w.busy || len(w.queue) == 0 && !w.closed {
			w.changed.Wait()
		}
		w.busy = true
		batch := w.queue
		w.queue = nil
		w.mu.Unlock()
		if len(batch) == 0 {
			return // closed, and all is written
		}
		for len(batch) > 0 {
			out := batch[0]
			n := 1
			if len(batch) > 1 && len(batch[0])+len(batch[1]) <= joinSize {
				joined = joined[:0]
				for n = 0; n < len(batch) && len(joined)+len(batch[n]) <= joinSize; n++ {
					joined = append(joined, batch[n]...)
				}
				out = joined
			}
			wrote, err := w.dst.Write(out)
			lost := len(batch)
			if wrote > 0 {
				lost -= n
			}
			batch[0] = nil
			batch = batch[n:]
			w.mu.Lock()
			w.size -= len(out)
			if err != nil {
				w.lost = lost + len(w.queue)
				w.err, w.queue, w.size = ErrClosed, nil, 0
			}
			w.busy = err == nil && len(batch) > 0
			w.changed.Broadcast()
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	}
}
