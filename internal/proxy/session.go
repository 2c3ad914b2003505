// Package proxy is the session of one client: it answers what PlayGuard can
// answer itself, sends everything else to the upstream that owns it, and brings
// each answer back under the client's own id, exactly once and in order.
//
// Who handles what:
//   - client.go: messages from the client
//   - batch.go: arrays of messages from clients of the revision 2025-03-26
//   - calls.go: tools/call, with and without a rule
//   - own.go: tools/call of PlayGuard's own tools
//   - route.go: resources, prompts, completions, unknown methods
//   - lists.go: the merged lists and their changes
//   - reverse.go: messages from the upstreams
//   - shutdown.go: the end
package proxy

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/catalog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/transport"
	"github.com/playguard/playguard/internal/upstream"
)

// Options are what a session works with.
type Options struct {
	Version      string // of PlayGuard
	Instructions string // what PlayGuard says of itself
	Specs        []upstream.Spec
	Own          []upstream.Own // listed behind the upstreams' tools
	Upstream     upstream.Options
	Store        catalog.Store
	ListWait     time.Duration // how long a list waits for an upstream that was never listed
	Calls        *calllog.Log
	Ending       func() // called once when the session begins to end; may be nil
	Log          *slog.Logger
}

// Session is one client and its upstreams.
type Session struct {
	opts   Options
	client *transport.Stdio
	log    *slog.Logger
	ups    []*upstream.Upstream
	index  map[*upstream.Upstream]int

	ctx    context.Context // ends when the session does
	cancel context.CancelFunc

	taskMu sync.Mutex
	tasks  sync.WaitGroup // goroutines of the session
	closed bool           // no more tasks are begun

	catalog atomic.Pointer[catalog.Catalog]

	mu          sync.Mutex
	open        map[string]*request // the client's requests without an answer, by raw id
	idle        *sync.Cond          // open has become empty
	initialize  []byte              // the client's initialize params
	version     string              // negotiated with the client
	greeted     bool                // initialize has been answered
	initialized bool
	held        [][]byte // messages of upstreams that came before the client was initialized
	heldBytes   int
	level       []byte // params of the last logging/setLevel
	sources     []source
	noted       map[string]bool     // what has been said of the merged lists
	shown       bool                // the client has been sent a list
	sent        map[string][32]byte // what the client was last sent of each list
	reverse     map[int64]*reversed
	lastReverse int64
	ending      bool
}

// request is one request of the client that has no answer yet.
type request struct {
	id     []byte // as the client wrote it
	method string
	batch  *batch
	take   func(params []byte) // takes it back; params of notifications/cancelled
}

// New returns a session for a client, with every upstream off. Saved lists are
// loaded, so that it can answer at once.
func New(client *transport.Stdio, o Options) *Session {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Session{
		opts: o, client: client, log: o.Log,
		index: map[*upstream.Upstream]int{},
		ctx:   ctx, cancel: cancel,
		open:       map[string]*request{},
		initialize: []byte(`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"unknown","version":"0"}}`),
		version:    "2025-11-25",
		noted:      map[string]bool{},
		sent:       map[string][32]byte{},
		reverse:    map[int64]*reversed{},
	}
	s.idle = sync.NewCond(&s.mu)
	for i, spec := range o.Specs {
		u := upstream.New(spec, o.Upstream, s)
		s.ups = append(s.ups, u)
		s.index[u] = i
		s.sources = append(s.sources, newSource(o.Store.Load(spec.Key), spec.Seed))
	}
	s.merge()
	return s
}

// Run serves the client until it closes its side, vanishes, or ctx ends. It
// returns when every upstream is gone.
func (s *Session) Run(ctx context.Context) {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		s.read()
	}()
	tick := time.NewTicker(hangupCheck)
	defer tick.Stop()
	left := false
	for ends := false; !ends; {
		ends = true
		select {
		case <-gone:
			left = true
		case <-s.client.Done():
		case <-ctx.Done():
		case <-tick.C:
			// The reader may be waiting for a client that does not read its
			// answers, and then never sees the end of the input.
			ends = s.client.HungUp() && !within(gone, flushGrace)
		}
	}
	if s.opts.Ending != nil {
		s.opts.Ending()
	}
	if left {
		s.drain(drainGrace)
	}
	s.shutdown()
}

// within waits for a channel to be closed, at most limit.
func within(closed <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-closed:
		return true
	case <-timer.C:
		return false
	}
}

// maxOpen is how many requests may be unanswered at once. No client has so many
// in flight; one that only sends and never reads must not fill the memory.
const maxOpen = 10_000

// register notes a request as open, or says why it is refused.
func (s *Session) register(r *request) (refusal string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, used := s.open[string(r.id)]; used {
		return "This id belongs to a request that has not been answered yet."
	}
	if len(s.open) >= maxOpen {
		return fmt.Sprintf("Too many requests at once: %d have no answer yet.", len(s.open))
	}
	if s.ending {
		return "PlayGuard is ending."
	}
	s.open[string(r.id)] = r
	return ""
}

// settle removes a request from the open ones. It returns false when it was
// answered or cancelled before: whoever gets true answers, nobody else.
func (s *Session) settle(r *request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[string(r.id)] != r {
		return false
	}
	delete(s.open, string(r.id))
	if len(s.open) == 0 {
		s.idle.Broadcast()
	}
	return true
}

// setTake tells how to take a request back. If it was cancelled meanwhile it is
// taken back at once.
func (s *Session) setTake(r *request, take func(params []byte)) {
	s.mu.Lock()
	open := s.open[string(r.id)] == r
	if open {
		r.take = take
	}
	s.mu.Unlock()
	if !open {
		take([]byte(`{}`))
	}
}

// respond answers a request with a whole response line.
func (s *Session) respond(r *request, line []byte) {
	if s.settle(r) {
		s.write(r, line)
	}
}

// write sends the response of a settled request.
func (s *Session) write(r *request, line []byte) {
	if r.batch != nil {
		s.writeBatch(r.batch.add(line))
		return
	}
	_ = s.client.SendWait(line) // a client that is gone ends the session elsewhere
}

func (s *Session) result(r *request, result []byte) {
	s.respond(r, jsonrpc.NewResult(r.id, result))
}

func (s *Session) fail(r *request, code int, message string) {
	s.respond(r, jsonrpc.NewError(r.id, &jsonrpc.RPCError{Code: code, Message: message}))
}

// task runs a goroutine that the session waits for at its end; once that has
// come it runs nothing any more, and returns false.
func (s *Session) task(run func()) bool {
	s.taskMu.Lock()
	defer s.taskMu.Unlock()
	if s.closed {
		return false
	}
	s.tasks.Go(run)
	return true
}

// wait waits for all tasks.
func (s *Session) wait() {
	s.taskMu.Lock()
	s.closed = true
	s.taskMu.Unlock()
	s.tasks.Wait()
}
