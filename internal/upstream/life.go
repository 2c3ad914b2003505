package upstream

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/transport"
)

// One run of the server: start, handshake, reading until it ends.

// begin starts a run. Called with mu, in state Off or Failed.
func (u *Upstream) begin() {
	u.state = Starting
	u.runs.Go(u.run)
}

func (u *Upstream) run() {
	cmd, err := u.Spec.Launch(u.ctx)
	if err != nil {
		// Nothing was started, so trying again costs little: whoever installs
		// what is missing must not have to wait.
		u.mu.Lock()
		u.backoff.Reset()
		u.mu.Unlock()
		u.startFailed(err)
		return
	}
	stderr := &transport.Ring{Line: func(line []byte) {
		u.opts.Log.Log(u.ctx, slog.LevelDebug, string(line), "stderr", u.Spec.Name)
	}}
	child, err := transport.Open(cmd, u.opts.MaxLine, stderr)
	if err != nil {
		u.startFailed(err)
		return
	}
	u.mu.Lock()
	if u.state == Closed {
		u.mu.Unlock()
		child.Close(0)
		return
	}
	u.child, u.stderr, u.answered, u.hung = child, stderr, false, false
	u.mu.Unlock()

	read := make(chan struct{})
	go func() {
		defer close(read)
		u.read(child)
	}()
	err = u.shakeHands(child, read)
	if err == nil {
		watched := u.watch(child, read)
		<-read
		u.noteEnding()
		<-watched
	}
	child.Close(endGrace)
	<-read
	if err != nil {
		u.startFailed(err)
		return
	}
	u.ended(child)
}

// shakeHands does the handshake of the lifecycle and lets the waiting requests
// go.
func (u *Upstream) shakeHands(child transport.Link, read <-chan struct{}) error {
	got := make(chan jsonrpc.Message, 1)
	m := OwnMessage(mcp.Initialize, u.host.InitializeParams(u))
	u.mu.Lock()
	err := u.write(&Request{Message: m, Reply: func(m jsonrpc.Message, err error) {
		if err == nil {
			got <- m
		}
	}})
	u.mu.Unlock()
	if err != nil {
		return err
	}
	timer := time.NewTimer(u.opts.StartTimeout)
	defer timer.Stop()
	select {
	case m = <-got:
	case <-read:
		child.Close(endGrace)
		return fmt.Errorf("it ended before it answered initialize: it %s", child.Exit())
	case <-timer.C:
		return fmt.Errorf("it did not answer initialize within %s", u.opts.StartTimeout)
	case <-u.ctx.Done():
		return u.ctx.Err()
	}
	if m.Error.Present() {
		return fmt.Errorf("it refused initialize: %s", m.Bytes(m.Error))
	}
	result := slices.Clone(m.Bytes(m.Result))
	if v := jsonrpc.StringMember(result, "protocolVersion"); !mcp.Known(v) {
		u.opts.Log.Warn("the upstream speaks a protocol revision that PlayGuard does not know", "upstream", u.Spec.Name, "revision", v)
	}
	if err := child.Send(jsonrpc.NewNotification(mcp.Initialized, nil)); err != nil {
		return err
	}
	first := u.host.Started(u, result)
	u.mu.Lock()
	if u.state == Closed {
		u.mu.Unlock()
		return errors.New("PlayGuard is ending")
	}
	u.state, u.failure = Ready, nil
	queue := append(first, u.queue...)
	u.queue = nil
	var refused []*Request
	for _, r := range queue {
		if u.deliver(r) != nil && r.Reply != nil {
			refused = append(refused, r)
		}
	}
	u.mu.Unlock()
	u.failAll(refused, u.error("takes no more requests", transport.ErrFull))
	return nil
}

// startFailed ends a start that came to nothing.
func (u *Upstream) startFailed(err error) {
	u.mu.Lock()
	failure := &Error{Reason: Absent, Title: u.Spec.Title, What: "is not running", Cause: err, Hint: u.Spec.Hint}
	if u.stderr != nil {
		failure.Stderr = u.stderr.Tail(tailLines)
	}
	u.child, u.stderr = nil, nil
	open := u.takeOpen()
	closed := u.state == Closed
	if !closed {
		u.state, u.failure, u.retryAt = Failed, failure, time.Now().Add(u.backoff.NextBackOff())
	}
	u.mu.Unlock()
	u.failAll(open, failure)
	if !closed {
		u.opts.Log.Warn("an upstream could not be started", "upstream", u.Spec.Name, "error", failure.Error())
		u.host.Ended(u, failure)
	}
}

// noteEnding makes requests wait from the moment that the server has closed its
// output: it will not answer them.
func (u *Upstream) noteEnding() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.state == Ready {
		u.state = Ending
	}
}

// ended notes the end of a server that had shaken hands. The next request
// starts it again, at once if it waits already; one that ends again and again
// without having answered anything waits for its backoff.
func (u *Upstream) ended(child transport.Link) {
	u.mu.Lock()
	failure := &Error{
		Reason: Ended, Title: u.Spec.Title, What: "ended during this call: it " + child.Exit(),
		Stderr: u.stderr.Tail(tailLines), Sent: true,
	}
	if u.hung {
		failure.Reason, failure.What = Hung, "did not answer any more and was ended"
	}
	u.child, u.stderr = nil, nil
	u.requeue(child.Unsent())
	open := u.takePending()
	unread := open[written(open, child):]
	open = open[:len(open)-len(unread)]
	if u.answered {
		u.early = 0
		u.backoff.Reset()
	} else {
		u.early++
	}
	closed := u.state == Closed
	if !closed && !u.Spec.Session {
		var again []*Request
		open, again = u.divide(open)
		u.queue = slices.Concat(again, u.resent(unread), u.queue)
		unread = nil
	}
	unsent := *failure
	unsent.Sent = false
	if u.Spec.Session && u.early == 0 {
		u.lost = &unsent
	}
	waiting := u.queue
	var bound []*Request
	if !closed && u.early < 2 {
		bound = u.bound()
	}
	switch {
	case closed: // Close has taken the queue
	case u.early >= 2:
		again := *failure
		again.Reason, again.What, again.Sent = Absent, fmt.Sprintf("ended %d times in a row before it answered anything: it %s", u.early, child.Exit()), false
		again.Hint = u.Spec.Hint
		u.state, u.failure, u.retryAt = Failed, &again, time.Now().Add(u.backoff.NextBackOff())
		u.queue = nil
	case len(u.queue) > 0:
		u.state = Starting
	default:
		u.state = Off
	}
	state, final := u.state, u.failure
	u.mu.Unlock()
	if !closed { // first, so that whoever waits for an answer finds it in the log
		u.opts.Log.Warn("an upstream ended", "upstream", u.Spec.Name, "exit", child.Exit())
	}
	u.failAll(open, failure)
	u.failAll(append(unread, bound...), &unsent)
	if state == Failed {
		u.failAll(waiting, final)
	}
	if !closed {
		u.host.Ended(u, nil)
	}
	if state == Starting {
		u.runs.Go(u.run)
	}
}

// requeue lets requests that the server has certainly not carried out wait for
// its successor, once each: whatever refuses them again is not a lost session.
// Called with mu.
func (u *Upstream) requeue(lines [][]byte) {
	for _, line := range slices.Backward(lines) {
		m, err := jsonrpc.Parse(line)
		if err != nil || m.Kind() != jsonrpc.Request {
			continue
		}
		id, _ := strconv.ParseInt(string(m.Bytes(m.ID)), 10, 64) // 0 is never pending
		r := u.pending[id]
		if r == nil {
			continue
		}
		r.id = 0 // not sent
		if !r.again {
			delete(u.pending, id)
			r.Message, r.again = m, true
			u.queue = slices.Insert(u.queue, 0, r)
		}
	}
}

// takePending removes the requests that were sent, in that order. Called with mu.
func (u *Upstream) takePending() []*Request {
	open := make([]*Request, 0, len(u.pending))
	for _, r := range u.pending {
		open = append(open, r)
	}
	slices.SortFunc(open, func(a, b *Request) int { return int(a.id - b.id) })
	clear(u.pending)
	return open
}

// takeOpen removes all open requests, those that wait too. Called with mu.
func (u *Upstream) takeOpen() []*Request {
	open := append(u.takePending(), u.queue...)
	u.queue = nil
	return open
}

func (u *Upstream) failAll(open []*Request, failure *Error) {
	for _, r := range open {
		if r.Reply == nil {
			continue // a notification, which nobody waits for
		}
		e := *failure
		e.Sent = e.Sent && r.id != 0
		r.Reply(jsonrpc.Message{}, &e)
	}
}
