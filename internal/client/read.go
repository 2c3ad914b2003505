package client

// This file holds what is received: lines, answers, the server's requests.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// readBuffer is the unit of reading, in bytes: the size of a Linux pipe.
const readBuffer = 64 << 10

// response is what a waiting call gets: an answer's members, or why there is
// none.
type response struct {
	result, err json.RawMessage
	failure     error
}

func (r response) unpack(method string) (json.RawMessage, error) {
	switch {
	case r.failure != nil:
		return nil, fmt.Errorf("%s got no answer: %w", method, r.failure)
	case r.err != nil:
		e := new(RPCError)
		if err := json.Unmarshal(r.err, e); err != nil {
			return nil, fmt.Errorf("%s was answered with an error that cannot be read, %s: %w", method, r.err, err)
		}
		return nil, e
	case r.result == nil:
		return nil, fmt.Errorf("%s was answered with neither a result nor an error", method)
	}
	return r.result, nil
}

// read is the connection's one reader. It ends at the end of the output and
// then fails all that still waits.
func (c *Client) read() {
	err := c.readLines()
	if c.cmd != nil {
		_ = c.out.Close() // nobody reads any more: a child that still writes must not block
		err = c.explain(err)
	}
	c.mu.Lock()
	waiting := c.pending
	c.pending, c.err = nil, err
	c.mu.Unlock()
	for _, answer := range waiting {
		answer <- response{failure: err}
	}
	close(c.done)
}

// explain adds the exit status to the reason why reading ended.
func (c *Client) explain(err error) error {
	patience := time.NewTimer(exitWait)
	defer patience.Stop()
	select {
	case <-c.exited:
		return fmt.Errorf("%s has ended (%s): %w", c.o.Command, c.cmd.ProcessState, err)
	case <-patience.C:
		return fmt.Errorf("%s has closed its output but still runs: %w", c.o.Command, err)
	}
}

// readLines hands each line on until reading fails; the error says how, and
// wraps io.EOF at an ordinary end.
func (c *Client) readLines() error {
	r := bufio.NewReaderSize(c.out, readBuffer)
	var long []byte // the beginning of a line longer than the buffer
	for {
		part, err := r.ReadSlice('\n')
		if len(long)+len(part) > c.o.MaxLine+1 {
			return fmt.Errorf("the server sent a line of more than %d bytes", c.o.MaxLine)
		}
		switch {
		case err == nil:
			// The line outlives the buffer: results are parts of it.
			c.line(append(long, part[:len(part)-1]...))
			long = nil
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
		default:
			if len(long)+len(part) > 0 && errors.Is(err, io.EOF) {
				return fmt.Errorf("the output ended in the middle of a line (%d bytes without a newline): %w", len(long)+len(part), err)
			}
			return fmt.Errorf("the output ended: %w", err)
		}
	}
}

// line handles one line. One that is no JSON-RPC message is only seen by
// OnLine.
func (c *Client) line(b []byte) {
	if c.o.OnLine != nil {
		c.o.OnLine(b)
	}
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '[' && jsonrpc.Valid(b) == nil { // a batch, as in MCP 2025-03-26
		jsonrpc.Elements(b, func(v jsonrpc.Span) { c.message(b[v.Start:v.End]) })
		return
	}
	c.message(b)
}

// message handles one message; what is none is left alone.
func (c *Client) message(b []byte) {
	m, err := jsonrpc.Parse(b)
	if err != nil {
		return
	}
	switch m.Kind() {
	case jsonrpc.Notification:
		if c.o.OnNotification != nil {
			c.o.OnNotification(m.MethodName(), m.Bytes(m.Params))
		}
	case jsonrpc.Request:
		request := m // not m itself, which would cost each answer an allocation
		c.handlers.Go(func() { c.answer(&request) })
	default: // also one with neither result nor error, so that its call ends
		id, err := strconv.ParseInt(string(m.Bytes(m.ID)), 10, 64)
		if err != nil {
			return // not one of Call's
		}
		c.mu.Lock()
		answer, waiting := c.pending[id]
		delete(c.pending, id)
		c.mu.Unlock()
		if waiting {
			answer <- response{result: m.Bytes(m.Result), err: m.Bytes(m.Error)}
		}
	}
}

// answer answers a request of the server.
func (c *Client) answer(m *jsonrpc.Message) {
	var result json.RawMessage
	var failure *RPCError
	method, params := m.MethodName(), m.Bytes(m.Params)
	switch {
	case method == "ping":
		result = json.RawMessage("{}")
	case c.o.OnRequest != nil:
		result, failure = c.o.OnRequest(method, params)
	default:
		failure = &RPCError{Code: -32601, Message: "method not found: " + method}
	}
	b := append([]byte(`{"jsonrpc":"2.0","id":`), m.Bytes(m.ID)...)
	if failure != nil {
		encoded, err := encode(failure)
		if err != nil { // its Data is not JSON
			encoded, _ = encode(&RPCError{Code: failure.Code, Message: failure.Message})
		}
		b = append(append(b, `,"error":`...), encoded...)
	} else {
		if result == nil {
			result = json.RawMessage("{}")
		}
		b = append(append(b, `,"result":`...), result...)
	}
	// A failure here means that the connection has ended, which Err tells.
	_ = c.SendRaw(append(b, '}'))
}
