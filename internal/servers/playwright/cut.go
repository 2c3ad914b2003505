package playwright

// Ending a call whose page or browser is known to be dead, and which upstream does
// not end.

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/upstream"
)

// deadGrace is how long a call may take to end by itself when what it works on is
// dead. Upstream (0.0.83) goes on with the calls behind one that is taken back.
const deadGrace = 2 * time.Second

// errDead is why such a call is taken back.
var errDead = errors.New("it did not end by itself after that")

// untilDead sends a call and waits for its answer. If what it works on dies and it is
// not answered soon, it is taken back and the death returned; otherwise that is empty.
func (v *recovery) untilDead(ctx context.Context, c *sent, next upstream.Next, params []byte) (jsonrpc.Message, death, error) {
	if v.watch == nil || c.tool == closeTool {
		resp, err := next(ctx, params)
		return resp, death{}, err
	}
	limited, cut := context.WithCancelCause(ctx)
	defer cut(nil)
	var d death
	var watching sync.WaitGroup
	back := make(chan struct{})
	watching.Go(func() {
		if what := v.outlives(c, back); what != "" {
			d = death{what: what, noticed: byWatch}
			cut(errDead)
		}
	})
	resp, err := next(limited, params)
	close(back)
	watching.Wait()
	if err == nil || ctx.Err() != nil || !errors.Is(context.Cause(limited), errDead) {
		return resp, death{}, err // it has ended by itself, or was taken back by the client
	}
	if d.what != diedPage && v.stillDead(c) {
		// It may run on, in a browser that upstream has started for it, and would then
		// act on what is restored there.
		v.link.Recycle()
		d.noticed = byDeadline
	}
	return resp, d, errDead
}

// whileOn is a context for what is asked of the server while a session is restored in a
// browser. It ends a while behind a death there, which the server may never answer after
// (0.0.83, a tab that crashes while it is selected). over ends the watching.
func (v *recovery) whileOn(ctx context.Context, browser string, generation int) (asking context.Context, over func()) {
	asking, cut := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			v.mu.Lock()
			wake, err := v.wake, v.stillOnLocked(browser, generation)
			v.mu.Unlock()
			if err != nil {
				timer := time.NewTimer(deadGrace)
				defer timer.Stop()
				select {
				case <-timer.C:
					cut(err)
				case <-asking.Done():
				}
				return
			}
			select {
			case <-wake:
			case <-asking.Done():
				return
			}
		}
	})
	return asking, func() {
		cut(nil)
		watching.Wait()
	}
}

// orCause is an error, or why the context has ended that it comes from.
func orCause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// stillDead reports whether nothing was restored since a call was sent, nor is.
func (v *recovery) stillDead(c *sent) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return !v.restoring && c.restores == v.restores
}

// outlives waits for the death of what a call works on, and returns what has died when
// the call is not back a while behind it; nothing when it is.
func (v *recovery) outlives(c *sent, back <-chan struct{}) (what string) {
	var grace <-chan time.Time
	for {
		v.mu.Lock()
		wake := v.wake
		died := v.deadUnder(c)
		v.mu.Unlock()
		if died != "" && what == "" {
			what = died
			timer := time.NewTimer(deadGrace)
			defer timer.Stop()
			grace = timer.C
		}
		select {
		case <-back:
			return ""
		case <-grace:
			return what
		case <-wake:
		}
	}
}

// deadUnder says what has died of that which a call works on. When the browser dies
// upstream ends its own tools' calls, or does them in another one that it starts for
// them, where one that was taken back would open a tab during the restoration; only code
// of the agent's own may wait for ever. Called with mu.
func (v *recovery) deadUnder(c *sent) string {
	what := v.deadLocked()
	switch {
	case what == diedPage && c.tab != "" && !slices.Contains(v.watch.State().Lost, c.tab): // another tab's
		return ""
	case what != diedPage && c.kind != escapes:
		return ""
	}
	return what
}
