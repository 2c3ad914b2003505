// Reading lines and handing each to its reply.

package scripted

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"sync"
)

// server is one run of a script.
type server struct {
	sc      *script
	out     *output
	start   int // which start this is, from 1; see startFile
	replies replies
	logFile *os.File // nil without one
	nCalls  int      // tools/call requests read so far

	mu        sync.Mutex // guards what follows
	tools     [][]byte
	received  [][]byte
	cancelled [][]byte
	answers   [][]byte
	asked     map[string]chan []byte        // our own requests, by raw id
	open      map[string]context.CancelFunc // the client's waiting requests, by raw id
	bigs      map[int][]byte                // results of big, by size

	background sync.WaitGroup
}

// replies holds what to do for each kind of message.
type replies struct {
	methods, calls, reads, gets map[string]*reply // the script's
	ownMethods, ownCalls        map[string]*reply // ours, when the script says nothing
	start, eof, after           *reply            // nil without one
}

// reply is a list of steps ready to be taken.
type reply struct {
	steps []action
	waits bool // whether a step may wait, so that it needs a goroutine of its own
	uses  int  // touched by the reader's goroutine only
}

// action is a step and when it applies.
type action struct {
	do              verb
	onCall, onStart int
}

// verb does one step.
type verb func(s *server, c *call)

// call is one received message on its way through its reply.
type call struct {
	message
	ctx    context.Context // ends when the request is cancelled or the server ends
	inline bool            // runs on the reader's goroutine, which flushes
	answer []byte          // the client's last answer to a request of this reply

	// What the script says for the method, then for the name, then our own; a
	// step "default" goes on to the next.
	layers [3]layer
	depth  int
}

// layer is a reply and which use of it this is, from 1.
type layer struct {
	reply *reply
	use   int
}

// serve reads lines until the input ends.
func (s *server) serve(ctx context.Context, in io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer s.background.Wait()
	defer cancel()
	s.takeAlone(ctx, s.replies.start, message{})
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := readLine(r)
		if len(line) > 0 {
			s.handle(ctx, line)
		}
		if err == nil {
			if !lineWaits(r) {
				s.out.flush()
			}
			continue
		}
		s.out.flush()
		s.takeAlone(ctx, s.replies.eof, message{})
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
}

// readLine returns the next line without its end. It is valid until the next
// read, unless it was longer than the buffer.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		long := bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = r.ReadSlice('\n')
			long = append(long, line...)
		}
		line = long
	}
	return bytes.TrimRight(line, "\r\n"), err
}

// lineWaits reports whether a whole further line is buffered already, so that
// its answer can share a write with the last one's.
func lineWaits(r *bufio.Reader) bool {
	rest, _ := r.Peek(r.Buffered())
	return bytes.IndexByte(rest, '\n') >= 0
}

// handle works through one line.
func (s *server) handle(ctx context.Context, line []byte) {
	m, ok := scanMessage(line)
	s.keep(line, m, ok)
	if !ok {
		return
	}
	if m.method == nil {
		s.deliver(m)
		return
	}
	c := &call{message: m, ctx: ctx, inline: true}
	waits := s.choose(c)
	if waits {
		s.takeAside(ctx, c)
	} else {
		s.take(c)
	}
	if string(m.method) == "tools/call" {
		s.nCalls++
		if a := s.sc.AfterCalls; a != nil && s.nCalls == a.Count {
			s.takeAlone(ctx, s.replies.after, m)
		}
	}
}

// choose fills in the call's layers and reports whether any of them waits.
func (s *server) choose(c *call) (waits bool) {
	n := 0
	add := func(r *reply) {
		if r == nil {
			return
		}
		r.uses++
		c.layers[n] = layer{r, r.uses}
		waits = waits || r.waits
		n++
	}
	add(s.replies.methods[string(c.method)])
	own := s.replies.ownMethods[string(c.method)]
	switch string(c.method) {
	case "tools/call":
		name := unquoted(member(c.params, "name"))
		add(s.replies.calls[string(name)])
		if r := s.replies.ownCalls[string(name)]; r != nil {
			own = r
		}
	case "resources/read":
		add(s.replies.reads[string(unquoted(member(c.params, "uri")))])
	case "prompts/get":
		add(s.replies.gets[string(unquoted(member(c.params, "name")))])
	}
	if own == nil && c.id != nil {
		own = s.replies.ownMethods[""]
	}
	add(own)
	return waits
}

// take takes the steps of the call's present layer.
func (s *server) take(c *call) {
	if c.depth >= len(c.layers) || c.layers[c.depth].reply == nil {
		return
	}
	l := c.layers[c.depth]
	for _, a := range l.reply.steps {
		if a.onCall != 0 && a.onCall != l.use || a.onStart != 0 && a.onStart != s.start {
			continue
		}
		a.do(s, c)
	}
}

// takeAside takes the steps in a goroutine, so that lines go on being read
// meanwhile.
func (s *server) takeAside(ctx context.Context, c *call) {
	c.message, _ = scanMessage(bytes.Clone(c.raw))
	c.inline = false
	ctx, cancel := context.WithCancel(ctx)
	c.ctx = ctx
	key := string(c.id)
	if c.id != nil {
		s.mu.Lock()
		s.open[key] = cancel
		s.mu.Unlock()
	}
	s.out.flush()
	s.background.Go(func() {
		defer cancel()
		s.take(c)
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, key)
	})
}

// takeAlone takes the steps of a reply that answers no message, at once.
func (s *server) takeAlone(ctx context.Context, r *reply, m message) {
	if r == nil {
		return
	}
	s.take(&call{message: m, ctx: ctx, layers: [3]layer{{r, 1}}})
}

// keep records what came in, for the tools that report it.
func (s *server) keep(line []byte, m message, ok bool) {
	if s.logFile != nil {
		_, _ = s.logFile.Write(append(bytes.Clone(line), '\n'))
	}
	record := s.sc.Record == nil || *s.sc.Record
	cancels := ok && string(m.method) == "notifications/cancelled"
	if !record && !cancels {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	line = bytes.Clone(line)
	if record {
		s.received = append(s.received, line)
	}
	if cancels {
		s.cancelled = append(s.cancelled, line)
		if cancel := s.open[string(member(m.params, "requestId"))]; cancel != nil {
			cancel()
		}
	}
}

// deliver hands an answer of the client to the step that waits for it.
func (s *server) deliver(m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line := bytes.Clone(m.raw)
	s.answers = append(s.answers, line)
	if ch := s.asked[string(m.id)]; ch != nil {
		delete(s.asked, string(m.id))
		ch <- line
	}
}
