package upstream

// Deadlines of calls, and the end of a server that does not keep them.

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/transport"
)

const (
	// pingWait is how long a server may take to answer a ping once a call is past
	// its deadline. One that is only busy with the call answers at once.
	pingWait = 5 * time.Second
	// tickShare and minTick say how often deadlines are looked at: a call may be
	// late by that part of the shortest one.
	tickShare = 20
	minTick   = 10 * time.Millisecond
	maxTick   = time.Second
)

// limit is how long a request may go without an answer or progress.
func (u *Upstream) limit(r *Request) time.Duration {
	if u.Spec.Deadline != nil && string(r.Message.Bytes(r.Message.Method)) == `"`+mcp.ToolsCall+`"` {
		if limit := u.Spec.Deadline(r.Message.Bytes(r.Message.Params)); limit > 0 {
			return limit
		}
	}
	return u.opts.CallTimeout
}

// noteProgress extends the deadline of the request that progress is about.
func (u *Upstream) noteProgress(m *jsonrpc.Message) {
	if !bytes.Equal(m.Bytes(m.Method), []byte(`"`+mcp.Progress+`"`)) {
		return
	}
	token, ok := jsonrpc.Member(m.Bytes(m.Params), "progressToken")
	if !ok {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, r := range u.pending {
		if bytes.Equal(r.Token, token) {
			r.active = time.Now()
		}
	}
}

// watch fails requests that have had no answer and no progress for too long,
// until the server has ended. The returned channel is closed when it has
// stopped.
func (u *Upstream) watch(child transport.Link, read <-chan struct{}) <-chan struct{} {
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		timer := time.NewTimer(0)
		defer timer.Stop()
		for {
			select {
			case <-read:
				return
			case <-timer.C:
				if u.expire() && u.hangs(read) {
					u.recycle(child)
					return
				}
				timer.Reset(u.tick())
			}
		}
	}()
	return stopped
}

// tick is the time until deadlines are looked at again.
func (u *Upstream) tick() time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	tick := maxTick
	if u.opts.CallTimeout > 0 {
		tick = min(tick, u.opts.CallTimeout/tickShare)
	}
	for _, r := range u.pending {
		if r.limit > 0 {
			tick = min(tick, r.limit/tickShare)
		}
	}
	return max(tick, minTick)
}

// expire fails the requests that are past their deadline and reports whether
// there were any.
func (u *Upstream) expire() bool {
	now := time.Now()
	var late []*Request
	u.mu.Lock()
	for id, r := range u.pending {
		if r.limit > 0 && now.Sub(r.active) > r.limit {
			late = append(late, r)
			delete(u.pending, id)
			u.tellCancelled(id, []byte(`{"reason":"timeout"}`))
		}
	}
	if len(late) > 0 && u.Spec.Session && u.state == Ready {
		u.state = Ending // what comes now is for the successor
	}
	u.mu.Unlock()
	for _, r := range late {
		failure := u.error(fmt.Sprintf("did not answer within %s and showed no progress", r.limit), nil)
		failure.Reason, failure.Sent, failure.Hint = Hung, true, "PLAYGUARD_CALL_TIMEOUT_MS sets the limit."
		u.failAll([]*Request{r}, failure)
	}
	return len(late) > 0
}

// hangs reports whether a server with which a call is past its deadline is to be
// ended: it is of a kind for which that says enough, or it does not even answer a
// ping.
func (u *Upstream) hangs(read <-chan struct{}) bool {
	if u.Spec.Session {
		return true
	}
	ctx, cancel := context.WithTimeout(u.ctx, pingWait)
	defer cancel()
	var ended sync.WaitGroup
	ended.Go(func() {
		select {
		case <-read:
			cancel()
		case <-ctx.Done():
		}
	})
	_, err := u.Do(ctx, mcp.Ping, nil)
	hangs := err != nil && context.Cause(ctx) == context.DeadlineExceeded
	cancel()
	ended.Wait()
	return hangs
}

// Recycle ends a server that hangs; the next request starts its successor. It
// returns when nothing of it is left.
func (u *Upstream) Recycle() {
	u.mu.Lock()
	child := u.child
	u.mu.Unlock()
	if child != nil {
		u.recycle(child)
	}
}

// recycle ends a child that hangs; whoever still waits for it gets an error, and
// the next request starts its successor.
func (u *Upstream) recycle(child transport.Link) {
	u.mu.Lock()
	u.hung = true
	if u.state == Ready {
		u.state = Ending
	}
	u.mu.Unlock()
	u.opts.Log.Warn("an upstream hangs and is ended", "upstream", u.Spec.Name)
	child.Close(0)
}
