package transport

// The link to a server over streamable HTTP (MCP, transports): every message
// goes out as a POST of its own, answers come as JSON or as a stream of events.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/endpoint"
	"github.com/playguard/playguard/internal/jsonrpc"
)

const (
	// connectWithin bounds a connection's making, the TLS handshake included.
	connectWithin = 10 * time.Second
	// acceptWithin is how long a server may take to accept what has no answer;
	// what comes next waits for that.
	acceptWithin = 5 * time.Second
	// drainWithin is how long the answers of other calls are waited for when the
	// session is lost or the server can't be reached.
	drainWithin = time.Second
)

// HTTP is a link to a server over streamable HTTP. It lives as long as one
// session of the server: a session that the server has forgotten ends the link,
// and so does a server that can't be reached. Lines that
// certainly were not carried out are then found in Unsent.
type HTTP struct {
	at     endpoint.Endpoint
	client *http.Client
	max    int
	writer *Writer
	lines  chan received

	ctx    context.Context // of everything that is under way
	cancel context.CancelFunc
	ended  chan struct{} // closed when nothing more will be read
	tasks  sync.WaitGroup

	mu       sync.Mutex
	session  string
	version  string
	open     map[string]context.CancelFunc // requests without an answer, by raw id
	idle     *sync.Cond                    // open has become empty, or the link has ended
	failed   bool                          // takes no more lines
	reason   string                        // why it ended
	unsent   [][]byte
	stream   bool // the GET stream has been opened
	closing  bool
	forgot   bool // the server knows the session no more
	finished sync.Once
}

// received is what Read returns once.
type received struct {
	line []byte
	err  error
}

// OpenHTTP returns a link to a server. Nothing is sent before the first line.
func OpenHTTP(at endpoint.Endpoint, maxLine int) *HTTP {
	ctx, cancel := context.WithCancel(context.Background())
	h := &HTTP{
		at: at, client: newHTTPClient(at), max: maxLine, lines: make(chan received),
		ctx: ctx, cancel: cancel, ended: make(chan struct{}), open: map[string]context.CancelFunc{},
	}
	h.idle = sync.NewCond(&h.mu)
	h.writer = NewWriter(poster{h}, 2*maxLine)
	return h
}

// Read returns the server's next message, in the form of a line. After the end
// it returns io.EOF.
func (h *HTTP) Read() ([]byte, error) {
	select {
	case r := <-h.lines:
		return r.line, r.err
	case <-h.ended:
		return nil, io.EOF
	}
}

// Send queues a message and never waits.
func (h *HTTP) Send(line []byte) error {
	h.mu.Lock()
	failed := h.failed
	h.mu.Unlock()
	if failed {
		return ErrClosed
	}
	return h.writer.Send(line)
}

// Pid is 0: the server is nobody's child.
func (h *HTTP) Pid() int { return 0 }

// Exit says how the link ended.
func (h *HTTP) Exit() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.reason == "" {
		return "was closed"
	}
	return h.reason
}

// Unsent returns the lines that the server has certainly not carried out, once
// Close has returned: they may be sent to its successor.
func (h *HTTP) Unsent() [][]byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.unsent
}

// Close ends the session: what is under way is given up, and the server is told
// within grace. Idempotent.
func (h *HTTP) Close(grace time.Duration) {
	h.mu.Lock()
	again := h.closing
	h.closing, h.failed = true, true
	tell := !h.forgot && h.session != ""
	h.mu.Unlock()
	h.cancel()
	h.writer.Close(0)
	if !again && tell && grace > 0 {
		h.deleteSession(grace)
	}
	h.finish()
	<-h.writer.Done()
	h.tasks.Wait()
	h.client.CloseIdleConnections()
}

// finish lets Read return the end.
func (h *HTTP) finish() {
	h.finished.Do(func() { close(h.ended) })
	h.mu.Lock()
	h.idle.Broadcast()
	h.mu.Unlock()
}

// fail ends the link for a reason. Answers that are still due get a short while.
func (h *HTTP) fail(reason string, unsent []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if unsent != nil {
		h.unsent = append(h.unsent, unsent)
	}
	if h.failed {
		return
	}
	h.failed, h.reason = true, reason
	late := time.AfterFunc(drainWithin, h.finish)
	h.tasks.Go(func() {
		defer late.Stop()
		h.mu.Lock()
		for len(h.open) > 0 && !h.isFinished() {
			h.idle.Wait()
		}
		h.mu.Unlock()
		h.finish()
	})
}

func (h *HTTP) isFinished() bool {
	select {
	case <-h.ended:
		return true
	default:
		return false
	}
}

// lost ends the link because the server knows its session no more; line, if not
// nil, is the message that it refused for that.
func (h *HTTP) lost(line []byte) {
	h.mu.Lock()
	h.forgot = true
	h.mu.Unlock()
	h.fail("has forgotten the session", line)
}

func (h *HTTP) hasSession() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.session != ""
}

// poster sends what the writer writes.
type poster struct{ h *HTTP }

// Write posts the lines of one write, one after the other: each is on its way
// before the next one begins, so that the server gets them in this order.
func (p poster) Write(lines []byte) (int, error) {
	for line := range bytes.SplitSeq(lines, []byte("\n")) {
		if len(line) > 0 {
			p.h.post(slices.Clone(line))
		}
	}
	return len(lines), nil
}

// post sends one message. It returns when a request is on its way, and when
// anything else is answered.
func (h *HTTP) post(line []byte) {
	h.mu.Lock()
	if h.failed {
		h.unsent = append(h.unsent, line)
		h.mu.Unlock()
		return
	}
	h.mu.Unlock()
	m, err := jsonrpc.Parse(line)
	if err != nil {
		return // the session sends valid messages only
	}
	o := &outgoing{h: h, line: line, message: m, away: make(chan struct{})}
	switch {
	case m.Kind() != jsonrpc.Request:
		ctx, cancel := context.WithTimeout(h.ctx, acceptWithin)
		o.run(ctx)
		cancel()
		h.after(m.MethodName(), m)
	case m.MethodName() == "initialize":
		h.request(o)
		<-o.done // what comes next needs the session's id
	default:
		h.request(o)
		<-o.away
	}
}

// request runs an exchange in a goroutine of its own, until its answer is in or
// it is cancelled.
func (h *HTTP) request(o *outgoing) {
	ctx, cancel := context.WithCancel(h.ctx)
	id := string(o.message.Bytes(o.message.ID))
	o.done = make(chan struct{})
	h.mu.Lock()
	h.open[id] = cancel
	h.mu.Unlock()
	h.tasks.Go(func() {
		defer close(o.done)
		defer cancel()
		o.run(ctx)
		h.mu.Lock()
		delete(h.open, id)
		if len(h.open) == 0 {
			h.idle.Broadcast()
		}
		h.mu.Unlock()
	})
}

// after is what follows a notification that has been sent: the stream for the
// server's own messages, the end of an exchange that nobody waits for.
func (h *HTTP) after(method string, m jsonrpc.Message) {
	switch method {
	case "notifications/initialized":
		h.mu.Lock()
		first := !h.stream && !h.failed
		h.stream = true
		h.mu.Unlock()
		if first {
			h.tasks.Go(h.listen)
		}
	case "notifications/cancelled":
		id, _ := jsonrpc.Member(m.Bytes(m.Params), "requestId")
		h.mu.Lock()
		cancel := h.open[string(id)]
		h.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	}
}

// deliver hands a message to Read. It waits for the reader, which slows down a
// server that sends faster than it is read.
func (h *HTTP) deliver(r received) {
	select {
	case h.lines <- r:
	case <-h.ended:
	}
}

// do sends one HTTP request with the headers that the protocol wants.
func (h *HTTP) do(ctx context.Context, method string, body []byte, header http.Header) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, h.at.URL(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = header
	h.mu.Lock()
	if h.session != "" {
		r.Header.Set("Mcp-Session-Id", h.session)
	}
	if h.version != "" {
		r.Header.Set("Mcp-Protocol-Version", h.version)
	}
	h.mu.Unlock()
	return h.client.Do(r)
}

// deleteSession tells the server that the session is over. Not every server
// takes that (405), so the answer does not matter.
func (h *HTTP) deleteSession(within time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	if resp, err := h.do(ctx, http.MethodDelete, nil, http.Header{}); err == nil {
		resp.Body.Close()
	}
}

// cause is an error without the address, which may hold credentials.
func (h *HTTP) cause(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return h.at.Redact(err.Error())
}
