package proxy

// The end of a session.

import (
	"sync"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// Clients kill a server about 500 ms after they have asked it to end, so all of
// this together stays within 400 ms.
const (
	// hangupCheck is how often it is looked whether the client has closed its
	// side while its last lines are not read.
	hangupCheck = 100 * time.Millisecond
	// drainGrace is how long open requests may still be answered after the
	// client has closed its side.
	drainGrace = 50 * time.Millisecond
	// closeGrace is how long an upstream has to end by itself.
	closeGrace = 120 * time.Millisecond
	// flushGrace is how long the last answers may take to be written.
	flushGrace = 50 * time.Millisecond
)

// drain waits until no request is open, at most grace.
func (s *Session) drain(grace time.Duration) {
	late := time.AfterFunc(grace, func() {
		s.mu.Lock()
		s.ending = true
		s.idle.Broadcast()
		s.mu.Unlock()
	})
	defer late.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.open) > 0 && !s.ending {
		s.idle.Wait()
	}
}

// shutdown answers what is open, ends every upstream with all it has started,
// and writes the last lines.
func (s *Session) shutdown() {
	s.mu.Lock()
	s.ending = true
	open := make([]*request, 0, len(s.open))
	for _, r := range s.open {
		open = append(open, r)
	}
	s.mu.Unlock()
	for _, r := range open {
		if s.settle(r) {
			line := jsonrpc.NewError(r.id, &jsonrpc.RPCError{Code: jsonrpc.CodeUpstream, Message: "PlayGuard is ending. The call may or may not have taken effect."})
			if r.batch != nil {
				line = r.batch.add(line)
			}
			if line != nil {
				_ = s.client.Send(line) // never waits: the client may have stopped reading
			}
		}
	}
	s.cancel()
	var ends sync.WaitGroup
	for _, u := range s.ups {
		ends.Go(func() { u.Close(closeGrace) })
	}
	s.client.Close(flushGrace)
	ends.Wait()
	s.wait()
	s.opts.Calls.Close()
}
