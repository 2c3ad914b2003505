package proxy

// Arrays of messages.

import (
	"fmt"
	"sync"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// batch collects the answers to an array of messages (revision 2025-03-26,
// batching): they go back as one array when the last one is in. A nil batch
// stands for a message that came alone.
type batch struct {
	mu      sync.Mutex
	open    int
	answers [][]byte
}

// maxBatch bounds what one line can set going.
const maxBatch = 1000

// batch handles an array of the client.
func (s *Session) batch(line []byte) {
	if err := jsonrpc.Valid(line); err != nil {
		s.refuse(nil, jsonrpc.CodeParse, fmt.Sprintf("The message is no JSON: %v.", err))
		return
	}
	n := 0
	jsonrpc.Elements(line, func(jsonrpc.Span) { n++ })
	switch {
	case n == 0:
		s.refuse(nil, jsonrpc.CodeInvalidRequest, "The batch is empty.")
		return
	case n > maxBatch:
		s.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("The batch has %d messages; at most %d are taken at once.", n, maxBatch))
		return
	}
	b := &batch{open: 1} // one for this loop, so that it is not done too early
	jsonrpc.Elements(line, func(v jsonrpc.Span) {
		s.message(line[v.Start:v.End:v.End], b)
	})
	s.writeBatch(b.add(nil))
}

// writeBatch sends the answers of a batch, if they are complete.
func (s *Session) writeBatch(line []byte) {
	if line != nil {
		_ = s.client.SendWait(line) // a client that is gone ends the session elsewhere
	}
}

// expect counts one more answer to wait for.
func (b *batch) expect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open++
}

// add takes an answer, nil for one that will not come. When it was the last it
// returns the array of them all, unless that is empty, for which nothing is sent.
func (b *batch) add(line []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	if line != nil {
		b.answers = append(b.answers, line)
	}
	b.open--
	if b.open > 0 || len(b.answers) == 0 {
		return nil
	}
	out := []byte{'['}
	for i, a := range b.answers {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, a...)
	}
	return append(out, ']')
}

// refuse answers a message that is no request, in the batch if there is one.
func (b *batch) refuse(s *Session, id []byte, code int, message string) {
	if b == nil {
		s.refuse(id, code, message)
		return
	}
	b.expect()
	s.writeBatch(b.add(jsonrpc.NewError(id, &jsonrpc.RPCError{Code: code, Message: message})))
}
