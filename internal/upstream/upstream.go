package upstream

// An upstream: its states, and how requests come to it.

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/transport"
)

// State is where an upstream is in its life.
type State int

// The states of an upstream.
const (
	Off      State = iota // not started, or ended; the next request starts it
	Starting              // being started; requests wait
	Ready                 // it has shaken hands
	Ending                // it is going or gone; requests wait for its successor
	Failed                // it could not be started; requests fail until the backoff is over
	Closed                // PlayGuard is ending
)

func (s State) String() string {
	return [...]string{"off", "starting", "ready", "ending", "failed", "closed"}[s]
}

// Host is what an upstream needs from the session it belongs to. Methods are
// called from the upstream's own goroutines, Message in the order of reading.
type Host interface {
	// InitializeParams is what the upstream is told in the handshake.
	InitializeParams(u *Upstream) []byte
	// Started is called after each successful handshake with its result. It
	// returns the requests that go before those that wait for the start.
	Started(u *Upstream, result []byte) []*Request
	// Message is a request or a notification that the upstream sent.
	Message(u *Upstream, m jsonrpc.Message)
	// Ended is called when the process is gone, or could not be started (err).
	Ended(u *Upstream, err error)
}

// Options are the bounds of an upstream's life.
type Options struct {
	StartTimeout time.Duration // from the process's start to the end of the handshake
	CallTimeout  time.Duration // without an answer or progress; 0 waits for ever
	MaxLine      int           // bytes of one line
	Replay       Policy
	Log          *slog.Logger
}

const (
	// endGrace is how long a server that has closed its stdout may live on.
	endGrace = 200 * time.Millisecond
	// tailLines is how many lines of stderr an error text carries.
	tailLines = 5
	// maxQueue is how many messages wait for a start before notifications are
	// dropped.
	maxQueue = 10_000
)

// Request is one request to an upstream.
type Request struct {
	// Message is the request; the upstream's own id is spliced in place of its
	// id, after which its bytes are the upstream's.
	Message jsonrpc.Message
	// Token is the raw progress token of the request, nil without one: progress
	// extends the deadline.
	Token []byte
	// Reply gets the response, or the reason why there is none: exactly once,
	// unless Cancel has come first. It runs on the upstream's reader goroutine,
	// in the order of reading, or on the sender's when the request fails at once.
	Reply func(jsonrpc.Message, error)
	// Sent, if not nil, is called by Wait once the request has its place in the
	// order of requests.
	Sent func()
	// Again, if not nil, is called before the request is sent a second time, since
	// the server died under it.
	Again func()

	id     int64
	place  int           // among the lines to the child
	active time.Time     // sent, or last progress
	own    bool          // PlayGuard's own; it may be the first of a session
	line   []byte        // as it was written
	again  bool          // it was sent again
	limit  time.Duration // without an answer or progress since active; 0 waits for ever
}

// Upstream is one upstream server and the requests it is to answer.
type Upstream struct {
	Spec Spec
	opts Options
	host Host

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	runs   sync.WaitGroup

	mu       sync.Mutex
	state    State
	child    transport.Link
	stderr   *transport.Ring
	lastID   int64
	pending  map[int64]*Request
	queue    []*Request // wait for a handshake; notifications have no Reply
	failure  *Error     // why the state is Failed
	retryAt  time.Time
	backoff  *backoff.ExponentialBackOff
	answered bool   // since the last start
	early    int    // ends in a row without an answer
	hung     bool   // the child is being ended because it hangs
	lost     *Error // how the last session has ended, until its row begins the next one
	closed   func()
	stray    int // lines skipped because they were no message
}

// New returns an upstream that is off.
func New(spec Spec, opts Options, host Host) *Upstream {
	ctx, cancel := context.WithCancel(context.Background())
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.Multiplier, b.MaxInterval = time.Second, 2, time.Minute
	u := &Upstream{
		Spec: spec, opts: opts, host: host,
		ctx: ctx, cancel: cancel,
		pending: map[int64]*Request{}, backoff: b,
	}
	if spec.Open != nil {
		u.closed = spec.Open(u)
	}
	return u
}

// State returns where the upstream is in its life.
func (u *Upstream) State() State {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.state
}

// Start starts the upstream in the background unless it is running, starting,
// or waiting for its backoff, and reports whether it does.
func (u *Upstream) Start() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.state == Off || u.state == Failed && !time.Now().Before(u.retryAt) {
		u.begin()
		return true
	}
	return false
}

// Send sends a request, starting the upstream first when it is off. It never
// waits.
func (u *Upstream) Send(r *Request) {
	u.mu.Lock()
	if failure := u.refuses(r); failure != nil {
		u.mu.Unlock()
		u.failAll([]*Request{r}, failure)
		return
	}
	switch u.state {
	case Failed:
		if wait := time.Until(u.retryAt); wait > 0 {
			failure := *u.failure
			failure.Retry = wait
			u.mu.Unlock()
			r.Reply(jsonrpc.Message{}, &failure)
			return
		}
		u.queue = append(u.queue, r)
		u.begin()
	case Off:
		u.queue = append(u.queue, r)
		u.begin()
	case Starting, Ending:
		u.queue = append(u.queue, r)
	case Ready:
		if err := u.deliver(r); err != nil {
			u.mu.Unlock()
			r.Reply(jsonrpc.Message{}, u.error("takes no more requests", err))
			return
		}
	case Closed:
		u.mu.Unlock()
		r.Reply(jsonrpc.Message{}, u.closing())
		return
	}
	u.mu.Unlock()
}

// deliver writes a request. If the child can't be written to any more it has
// not received it, so the request waits for the child's end (see bound). Called with
// mu, in state Ready or Ending.
func (u *Upstream) deliver(r *Request) error {
	if u.state == Ready {
		err := u.write(r)
		if !errors.Is(err, transport.ErrClosed) {
			return err
		}
		u.state = Ending
		child := u.child
		u.runs.Go(func() { child.Close(endGrace) }) // it may live on with its input closed
	}
	u.queue = append(u.queue, r)
	return nil
}

// write gives the request an id and queues it for the child; a notification
// goes as it is. Called with mu.
func (u *Upstream) write(r *Request) error {
	if r.Reply == nil {
		return u.child.Send(r.Message.Raw)
	}
	u.lastID++
	r.id, r.active, r.limit = u.lastID, time.Now(), u.limit(r)
	id := jsonrpc.AppendInt(make([]byte, 0, 20), r.id)
	line := jsonrpc.Splice(r.Message.Raw, r.Message.ID, id)
	if err := u.child.Send(line); err != nil {
		r.id = 0
		r.Message, _ = jsonrpc.Parse(line) // the line was valid; its spans have moved
		return err
	}
	u.pending[r.id], r.place, r.line = r, place(u.child), line
	return nil
}

// Cancel takes a request back: its Reply will not be called any more. The
// upstream is told with the given params of notifications/cancelled, in which
// requestId is replaced (utilities, cancellation). It reports whether the
// request was still open.
func (u *Upstream) Cancel(r *Request, params []byte) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for i, q := range u.queue {
		if q == r {
			u.queue = append(u.queue[:i:i], u.queue[i+1:]...)
			return true
		}
	}
	if u.pending[r.id] != r {
		return false
	}
	delete(u.pending, r.id)
	u.tellCancelled(r.id, params)
	return true
}

// tellCancelled sends notifications/cancelled. Called with mu.
func (u *Upstream) tellCancelled(id int64, params []byte) {
	params = jsonrpc.SetMember(params, "requestId", jsonrpc.AppendInt(nil, id))
	_ = u.child.Send(jsonrpc.NewNotification(mcp.Cancelled, params)) // a dead child needs none
}

// Post sends a response, if the upstream is running. The line is the upstream's
// afterwards.
func (u *Upstream) Post(line []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.child != nil {
		_ = u.child.Send(line) // the reader notices a dead child
	}
}

// Notify sends a notification, behind the requests before it: while the
// upstream is starting it waits with them, for nothing may be sent before the
// handshake is over (lifecycle). One that is off is not started for it. The line
// is the upstream's afterwards.
func (u *Upstream) Notify(line []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.state == Ready:
		_ = u.child.Send(line) // the reader notices a dead child
	case (u.state == Starting || u.state == Ending) && len(u.queue) < maxQueue:
		u.queue = append(u.queue, &Request{Message: jsonrpc.Message{Raw: line}})
	}
}

// Do sends a request of PlayGuard's own and waits for the response.
func (u *Upstream) Do(ctx context.Context, method string, params []byte) (jsonrpc.Message, error) {
	return u.Wait(ctx, &Request{Message: OwnMessage(method, params), own: true})
}

// OwnMessage is a request of PlayGuard's own; params are valid JSON or nil.
func OwnMessage(method string, params []byte) jsonrpc.Message {
	m, _ := jsonrpc.Parse(jsonrpc.NewRequest([]byte("0"), method, params)) // built valid
	return m
}

// Wait sends a request and waits for the response. When the context ends first
// the request is cancelled. The request's Reply must not be set.
func (u *Upstream) Wait(ctx context.Context, r *Request) (jsonrpc.Message, error) {
	type reply struct {
		m   jsonrpc.Message
		err error
	}
	if err := ctx.Err(); err != nil {
		return jsonrpc.Message{}, err // it must not be sent, for it may take effect
	}
	got := make(chan reply, 1)
	r.Reply = func(m jsonrpc.Message, err error) { got <- reply{m, err} }
	u.Send(r)
	if r.Sent != nil {
		r.Sent()
	}
	select {
	case a := <-got:
		return a.m, a.err
	case <-ctx.Done():
		params := []byte(`{}`)
		var cancelled *CancelledError
		if errors.As(context.Cause(ctx), &cancelled) {
			params = cancelled.Params
		}
		u.Cancel(r, params)
		return jsonrpc.Message{}, ctx.Err()
	}
}

// CancelledError is the cause of a context that a client's
// notifications/cancelled has ended.
type CancelledError struct{ Params []byte }

func (e *CancelledError) Error() string { return "the client cancelled the request" }

// Close ends the upstream: requests still open get an error, the server's stdin
// is closed, and what is left of it after grace is killed. It returns when
// nothing is left.
func (u *Upstream) Close(grace time.Duration) {
	u.mu.Lock()
	u.state = Closed
	child := u.child
	open := u.takeOpen()
	u.mu.Unlock()
	u.cancel()
	u.failAll(open, u.closing())
	if u.closed != nil {
		u.closed() // first, for the process may not have the time for all
	}
	if child != nil {
		child.Close(grace)
	}
	u.runs.Wait()
}

func (u *Upstream) closing() *Error {
	return &Error{Reason: Closing, Title: u.Spec.Title, What: "is not running", Cause: errors.New("PlayGuard is ending")}
}

// Stderr returns the server's last lines on stderr, none when it is not running.
func (u *Upstream) Stderr() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.stderr == nil {
		return nil
	}
	return u.stderr.Tail(tailLines)
}

// Pid is the server's process, 0 when there is none.
func (u *Upstream) Pid() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.child == nil {
		return 0
	}
	return u.child.Pid()
}

func (u *Upstream) error(what string, cause error) *Error {
	return &Error{Title: u.Spec.Title, What: what, Cause: cause}
}
