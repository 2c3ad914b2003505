package playwright

// Calls that wait for the session: one restoration for all, then each in its
// turn.

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/playguard/playguard/internal/upstream"
)

// ready lets a call go on at once while all is well. Otherwise the call waits in
// the line, in the order of numbers, until the session has been restored.
func (v *recovery) ready(ctx context.Context, c *sent, call *upstream.Call) error {
	v.mu.Lock()
	if v.turn == c {
		v.mu.Unlock()
		return nil
	}
	if c.tool == closeTool {
		v.closing = true
	}
	what := v.deadLocked()
	if what == "" && !v.restoring && len(v.line) == 0 && v.turn == nil || c.tool == closeTool {
		v.mu.Unlock()
		return nil
	}
	return v.wait(ctx, c, call, death{what: what, noticed: byWatch, unsent: true})
}

// revive waits until what has died under a call is back. If it has died again under
// the same call, the call fails with what upstream said of it.
func (v *recovery) revive(ctx context.Context, c *sent, call *upstream.Call, d death, again bool, cause error) error {
	v.mu.Lock()
	if v.turn == c {
		v.turn = nil
	}
	if d.noticed != byWatch && c.restores == v.restores { // else it has been restored since
		v.presumed = d.what
	}
	if c.tool == tabsTool && c.kind != reading {
		// It is done again on the tabs as they were before it.
		c.shared = v.restoring || c.restores != v.restores
		if !c.shared {
			v.tabs, v.ids, v.current = c.tabs, c.ids, c.current
		}
	}
	if again {
		defer v.mu.Unlock()
		v.fail(d, cause)
		return v.failure
	}
	return v.wait(ctx, c, call, d)
}

// wait puts a call into the line and waits for its turn. Called with mu, which
// it unlocks.
func (v *recovery) wait(ctx context.Context, c *sent, call *upstream.Call, d death) error {
	if v.failures >= maxFailures && time.Now().Before(v.retryAt) && v.failure != nil {
		err := v.failure
		v.mu.Unlock()
		return err
	}
	c.ready = make(chan error, 1)
	at, _ := slices.BinarySearchFunc(v.line, c, func(a, b *sent) int { return a.number - b.number })
	v.line = slices.Insert(v.line, at, c)
	v.advance(d)
	v.mu.Unlock()
	if call.Place != nil {
		call.Place()
	}
	select {
	case err := <-c.ready:
		if err == nil {
			v.mu.Lock()
			v.enter(call)
			v.mu.Unlock()
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-v.ctx.Done():
		return errors.New("PlayGuard is ending")
	}
}

// advance starts what comes next: a restoration if something is dead, or the
// first call of the line. Called with mu.
func (v *recovery) advance(d death) {
	if v.restoring || v.turn != nil || v.ctx.Err() != nil {
		return
	}
	if what := v.deadLocked(); what != "" {
		if d.what == "" {
			d = death{what: what, noticed: byWatch}
		}
		v.restoring, v.dying = true, d.what
		v.tasks.Go(func() { v.restoreFor(d) })
		return
	}
	if len(v.line) > 0 {
		v.turn, v.line = v.line[0], v.line[1:]
		v.turn.ready <- nil
	}
}

// passOn ends the turn of a call that only waits: what it waits for may be what a call
// behind it does.
func (v *recovery) passOn(c *sent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.turn == c && c.tool == "browser_wait_for" {
		v.turn = nil
		v.advance(death{})
	}
}

// tabsDiffer reports whether the tabs that a call opens, closes or selects one of
// are others than before it. That may be its own doing: they were restored for
// another call, as that one found them.
func (v *recovery) tabsDiffer(c *sent) bool {
	if !c.shared {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.current != c.current || !slices.Equal(v.tabs, c.tabs)
}

// restoreFor restores the session, tries once more if it dies on the way, and
// then lets the line go on, or fails it. Where tabs crash that are not the current
// one it tries a third time, which leaves those out that have crashed twice.
func (v *recovery) restoreFor(d death) {
	began := time.Now()
	v.mu.Lock()
	before := v.ours
	v.mu.Unlock()
	r, err := v.restore(v.ctx, 1)
	var final *finalError
	for tries := 1; err != nil && !errors.As(err, &final) && v.ctx.Err() == nil && (tries < maxFailures || tries == maxFailures && v.othersCrash()); tries++ {
		v.row.log.Warn("the browser's session could not be restored at once", "error", err.Error())
		v.letDeathsCome()
		r, err = v.restore(v.ctx, tries+1)
	}
	r.death, r.took = d, time.Since(began)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.restoring = false
	v.restores++
	if err == nil {
		v.presumed, v.failure, v.done, v.notice = "", nil, r, r.tabs > 0
		if before == "" || v.ours != before {
			v.notice = v.settings.lose() || v.notice
		}
		v.row.log.Info("the browser's session was restored", "died", d.what, "noticed", d.noticed, "tabs", r.tabs, "state", r.state, "ms", r.took.Milliseconds())
		v.advance(death{})
		return
	}
	v.row.log.Warn("the browser's session could not be restored", "died", d.what, "error", err.Error(), "ms", r.took.Milliseconds())
	if v.ours != "" {
		v.presumed = orElse(v.presumed, d.what) // what has been opened of it is not the session
	}
	v.fail(d, err)
}

// othersCrash reports whether pages have crashed in a browser that lives, that of the
// current tab not among them.
func (v *recovery) othersCrash() bool {
	if !v.watching() {
		return false
	}
	s := v.watch.State()
	return s.Alive && len(s.Crashed) > 0 && !slices.Contains(s.Crashed, s.Current)
}

// togetherWithin is how far apart the news of deaths may come that have one cause:
// what kills one renderer often kills all.
const togetherWithin = 250 * time.Millisecond

// letDeathsCome waits until all that died together is known, or a closed port may be
// open again.
func (v *recovery) letDeathsCome() {
	timer := time.NewTimer(togetherWithin)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-v.ctx.Done():
	}
}

// fail tells all that wait why the session could not be restored. The next call
// after the backoff tries again. Called with mu.
func (v *recovery) fail(d death, cause error) {
	v.failures = max(v.failures+1, maxFailures)
	backoff := min(firstBackoff<<min(v.failures-maxFailures, 10), maxBackoff)
	v.retryAt = time.Now().Add(backoff)
	v.failure = v.explained(d, cause, backoff)
	line := v.line
	v.line = nil
	for _, c := range line {
		c.ready <- v.failure
	}
}

// leave takes a call out of the line, or ends its turn.
func (v *recovery) leave(c *sent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.turn == c {
		v.turn = nil
	}
	v.line = slices.DeleteFunc(v.line, func(o *sent) bool { return o == c })
	// A turn that came at the moment when the call was taken back passes on.
	if len(v.line) > 0 {
		v.advance(death{})
	}
}
