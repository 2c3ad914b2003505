package transport

// The writer against peers that are slow, deaf or gone.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// gate is a peer that takes one write each time it is opened, and all once it
// is closed.
type gate struct {
	open   chan struct{}
	mu     sync.Mutex
	writes []string
	err    error // what writes fail with
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g *gate) Write(p []byte) (int, error) {
	<-g.open
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err != nil {
		return 0, g.err
	}
	g.writes = append(g.writes, string(p))
	return len(p), nil
}

func (g *gate) got() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.writes)
}

func TestLinesKeepTheirOrder(t *testing.T) {
	pipes := map[string]func() (io.ReadCloser, io.WriteCloser){
		"io.Pipe": func() (io.ReadCloser, io.WriteCloser) { return io.Pipe() },
		"os.Pipe": func() (io.ReadCloser, io.WriteCloser) { // where short lines are written at once
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			return r, w
		},
	}
	const senders, each = 8, 50
	sizes := []int{1, 30, directSize - 20, directSize + 20, joinSize, 3 * joinSize}
	big := strings.Repeat("x", 3*joinSize)
	for name, pipe := range pipes {
		t.Run(name, func(t *testing.T) {
			r, out := pipe()
			w := NewWriter(out, 1<<30)
			var sends sync.WaitGroup
			for s := range senders {
				sends.Go(func() {
					for i := range each {
						size := sizes[(s+i*i)%len(sizes)]
						line := fmt.Appendf(make([]byte, 0, size+40), "%d %d ", s, i)
						line = append(line, big[:size]...)
						send := w.Send
						if i%2 == 0 {
							send = w.SendWait
						}
						if err := send(line); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			go func() {
				sends.Wait()
				w.Close(time.Minute)
				out.Close()
			}()
			var next [senders]int
			lines := bufio.NewReader(r)
			for n := 0; ; n++ {
				line, err := lines.ReadString('\n')
				if err == io.EOF && line == "" {
					if n != senders*each {
						t.Errorf("%d lines came", n)
					}
					break
				}
				s := int(line[0] - '0')
				i := next[s]
				if want := fmt.Sprintf("%d %d %s\n", s, i, big[:sizes[(s+i*i)%len(sizes)]]); line != want || err != nil {
					t.Fatalf("%.60q (%v), where line %d of it was expected", line, err, i)
				}
				next[s]++
			}
			<-w.Done()
			r.Close()
		})
	}
}

func TestSmallLinesAreJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(g, 1<<30)
		var want bytes.Buffer
		send := func(size int) {
			line := strings.Repeat(fmt.Sprint(want.Len()%10), size)
			want.WriteString(line + "\n")
			if err := w.Send([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		send(10)
		synctest.Wait() // this one is being written; the rest waits for it
		for range 1000 {
			send(99)
		}
		send(3 * joinSize)
		send(joinSize)
		send(5)
		send(6)
		close(g.open)
		if !w.Close(time.Second) {
			t.Error("not all was written")
		}
		writes := g.got()
		if got := strings.Join(writes, ""); got != want.String() {
			t.Errorf("%d bytes came, want %d", len(got), want.Len())
		}
		var sizes []int
		for _, p := range writes {
			sizes = append(sizes, len(p))
			if !strings.HasSuffix(p, "\n") {
				t.Errorf("a write ends within a line: ...%q", p[len(p)-9:])
			}
		}
		full := joinSize / 100 * 100
		if !slices.Equal(sizes, []int{11, full, 100_000 - full, 3*joinSize + 1, joinSize + 1, 13}) {
			t.Errorf("writes of %v bytes", sizes)
		}
	})
}

// sent runs a send in the background and tells what it returned, nil as long as
// it waits.
func sent(send func([]byte) error, line []byte) func() (bool, error) {
	done := make(chan error, 1)
	go func() { done <- send(line) }()
	return func() (bool, error) {
		synctest.Wait()
		select {
		case err := <-done:
			return true, err
		default:
			return false, nil
		}
	}
}

func TestSendWaitWaitsForASlowPeer(t *testing.T) {
	ends := map[string]struct {
		release func(*gate, *Writer)
		err     error
	}{
		"read": {func(g *gate, _ *Writer) { g.open <- struct{}{} }, nil},
		"gone": {func(g *gate, _ *Writer) { g.err = io.ErrClosedPipe; g.open <- struct{}{} }, ErrClosed},
		"closed": {func(_ *gate, w *Writer) {
			if w.Close(0) {
				t.Error("flushed to a peer that does not read")
			}
		}, ErrClosed},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				w := NewWriter(g, 1<<30)
				for range 2 {
					if over, err := sent(w.SendWait, make([]byte, softLimit/2+1))(); !over || err != nil {
						t.Fatalf("within the limit: %v, %v", over, err)
					}
				}
				returned := sent(w.SendWait, []byte("late"))
				if over, err := returned(); over {
					t.Fatalf("did not wait: %v", err)
				}
				end.release(g, w)
				if over, err := returned(); !over || err != end.err {
					t.Errorf("returned %v, %v; want %v", over, err, end.err)
				}
				close(g.open)
				w.Close(time.Second)
				<-w.Done()
			})
		})
	}
}

func TestSendNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(g, 100)
		if err := w.Send(make([]byte, 500)); err != nil {
			t.Errorf("one line over the limit, to a peer that has read all: %v", err)
		}
		if err := w.Send([]byte("x")); err != ErrFull {
			t.Errorf("over the limit: %v", err)
		}
		g.open <- struct{}{}
		synctest.Wait()
		for i, want := range []error{nil, nil, ErrFull} { // 41 bytes each
			if err := w.Send(make([]byte, 40)); err != want {
				t.Errorf("send %d: %v, want %v", i, err, want)
			}
		}
		close(g.open)
		synctest.Wait()
		if err := w.Send(make([]byte, 40)); err != nil {
			t.Errorf("after all was read: %v", err)
		}
		if !w.Close(time.Second) {
			t.Error("not flushed")
		}
	})
}

func TestCloseFlushesOrGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		w := NewWriter(g, 1<<20)
		for range 3 {
			if err := w.Send(bytes.Repeat([]byte("x"), joinSize)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		began := time.Now() // the bubble's clock, which stands still unless all wait
		if w.Close(time.Second) {
			t.Error("flushed to a peer that does not read")
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("gave up after %s", took)
		}
		for _, send := range []func([]byte) error{w.Send, w.SendWait} {
			if err := send([]byte("x")); err != ErrClosed {
				t.Errorf("after Close: %v", err)
			}
		}
		go func() {
			for range 3 {
				time.Sleep(100 * time.Millisecond)
				g.open <- struct{}{}
			}
		}()
		if !w.Close(time.Second) || len(g.got()) != 3 {
			t.Errorf("a slow peer has got %d lines", len(g.got()))
		}
		if !w.Close(0) && !w.Close(time.Second) {
			t.Error("closed again: not flushed")
		}
	})
}

func TestAPeerThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		g.err = errors.New("broken pipe")
		close(g.open)
		w := NewWriter(g, 1<<20)
		if err := w.Send([]byte("x")); err != nil {
			t.Errorf("the first line: %v", err)
		}
		<-w.Done()
		if err := w.Send([]byte("y")); err != ErrClosed {
			t.Errorf("the next line: %v", err)
		}
		if err := w.SendWait([]byte("y")); err != ErrClosed {
			t.Errorf("the next line: %v", err)
		}
		if w.Close(time.Second) {
			t.Error("flushed")
		}
	})
}

func TestAPipeWithoutAReader(t *testing.T) {
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r.Close()
	w := NewWriter(out, 1<<20)
	if err := w.Send([]byte("x")); err != nil && err != ErrClosed {
		t.Error(err)
	}
	<-w.Done()
	if err := w.Send([]byte("y")); err != ErrClosed {
		t.Errorf("the next line: %v", err)
	}
}

func TestAPipeThatIsFullIsNotWaitedFor(t *testing.T) {
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w := NewWriter(out, 1<<20)
	line := strings.Repeat("x", 1000)
	n := 0
	for ; ; n++ { // until the pipe and the queue are full
		if err := w.Send([]byte(line)); err == ErrFull {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n < 1<<20/1001 {
		t.Errorf("only %d lines were taken", n)
	}
	go func() {
		w.Close(time.Minute)
		out.Close()
	}()
	got, err := io.ReadAll(r)
	if want := strings.Repeat(line+"\n", n); err != nil || string(got) != want {
		t.Errorf("%d bytes came, want %d, %v", len(got), len(want), err)
	}
	<-w.Done()
	r.Close()
}

// partial is a direct writer that takes a few bytes of a line, and runs
// something meanwhile.
type partial struct {
	dst       io.Writer
	take      int
	meanwhile func()
}

func (p *partial) tryWrite(line []byte) int {
	if p.meanwhile != nil {
		p.meanwhile()
		p.meanwhile = nil
	}
	n, _ := p.dst.Write(line[:min(p.take, len(line))])
	return n
}

func TestALineWrittenInPart(t *testing.T) {
	for _, c := range []struct {
		name      string
		take      int
		meanwhile func(*Writer)
		want      string
		err       error
	}{
		{"none of it", 0, func(*Writer) {}, "first\n", nil},
		{"half of it", 3, func(*Writer) {}, "first\n", nil},
		{"all of it", 6, func(*Writer) {}, "first\n", nil},
		{"half, others queue", 3, func(w *Writer) { _ = w.Send([]byte("second")) }, "first\nsecond\n", nil},
		{"all, others queue", 6, func(w *Writer) { _ = w.Send([]byte("second")) }, "first\nsecond\n", nil},
		{"half, closed", 3, func(w *Writer) { w.Close(0) }, "first\n", nil},
		{"half, others queue, closed", 3, func(w *Writer) { _ = w.Send([]byte("second")); w.Close(0) }, "first\nsecond\n", nil},
		{"none, closed", 0, func(w *Writer) { w.Close(0) }, "", ErrClosed},
		{"all, closed", 6, func(w *Writer) { w.Close(0) }, "first\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGate()
				close(g.open)
				w := NewWriter(g, 1<<20)
				w.direct = &partial{g, c.take, func() { c.meanwhile(w) }}
				if err := w.Send([]byte("first")); err != c.err {
					t.Errorf("sent: %v, want %v", err, c.err)
				}
				w.Close(time.Second)
				<-w.Done()
				if got := strings.Join(g.got(), ""); got != c.want {
					t.Errorf("%q came, want %q", got, c.want)
				}
			})
		})
	}
}

func TestStdio(t *testing.T) {
	in, toUs := io.Pipe()
	fromUs, out := io.Pipe()
	s := NewStdio(in, out, 100)
	go func() {
		_, _ = io.WriteString(toUs, "{\"a\":1}\n\n"+strings.Repeat("x", 101)+"\n{\"b\":2}")
		toUs.Close()
	}()
	for _, want := range []string{`{"a":1}`, "too long", `{"b":2}`} {
		line, err := s.Read()
		if err != nil {
			line = []byte("too long")
		}
		if string(line) != want {
			t.Errorf("%q, %v; want %q", line, err, want)
		}
	}
	if _, err := s.Read(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	go func() {
		_ = s.SendWait([]byte("answer"))
		s.Close(time.Minute)
		out.Close()
	}()
	if got, err := io.ReadAll(fromUs); string(got) != "answer\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
