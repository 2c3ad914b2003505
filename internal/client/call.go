package client

// This file holds what is sent: requests, notifications, raw lines.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// RPCError is the error member of an answer.
type RPCError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error gives code, message and data in one line.
func (e *RPCError) Error() string {
	if len(e.Data) > 0 {
		return fmt.Sprintf("%s (code %d, data %s)", e.Message, e.Code, e.Data)
	}
	return fmt.Sprintf("%s (code %d)", e.Message, e.Code)
}

// Initialize does the handshake: the initialize request, then
// notifications/initialized. It returns the server's result as it came.
func (c *Client) Initialize(ctx context.Context) (json.RawMessage, error) {
	result, err := c.Call(ctx, "initialize", struct {
		ProtocolVersion string          `json:"protocolVersion"`
		Capabilities    json.RawMessage `json:"capabilities"`
		ClientInfo      Info            `json:"clientInfo"`
	}{c.o.ProtocolVersion, c.o.Capabilities, c.o.Info})
	if err != nil {
		return nil, err
	}
	return result, c.Notify("notifications/initialized", nil)
}

// Call sends a request and waits for its answer. Params given as
// json.RawMessage or []byte are sent as they are, nil leaves the member out, and
// anything else is encoded. The result is the bytes that came; an error answer
// is an *RPCError. When the context ends first, the server is told with
// notifications/cancelled. Writing itself is bounded only by the connection's
// life: a server that stops reading is ended by Close or Start's context.
func (c *Client) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s was not sent: %w", method, context.Cause(ctx))
	}
	raw, err := encodeParams(method, params)
	if err != nil {
		return nil, err
	}
	id := c.nextID.Add(1)
	answer := make(chan response, 1)
	c.mu.Lock()
	if c.pending == nil {
		err := c.err
		c.mu.Unlock()
		return nil, fmt.Errorf("%s was not sent: %w", method, err)
	}
	c.pending[id] = answer
	c.mu.Unlock()

	if err := c.send(id, method, raw); err != nil {
		c.forget(id)
		return nil, fmt.Errorf("%s was not sent: %w", method, c.explainWrite(err))
	}
	select {
	case r := <-answer:
		return r.unpack(method)
	case <-ctx.Done():
	}
	if !c.forget(id) {
		return (<-answer).unpack(method) // it came at the same moment
	}
	if method != "initialize" { // MCP forbids cancelling it
		// A failure here means that the connection has ended; there is nobody to tell.
		_ = c.Notify("notifications/cancelled", json.RawMessage(
			`{"requestId":`+strconv.FormatInt(id, 10)+`,"reason":"the caller's context ended"}`))
	}
	return nil, fmt.Errorf("%s got no answer in time: %w", method, context.Cause(ctx))
}

// Notify sends a notification; params as for Call.
func (c *Client) Notify(method string, params any) error {
	raw, err := encodeParams(method, params)
	if err != nil {
		return err
	}
	return c.send(0, method, raw)
}

// SendRaw sends one line with exactly these bytes, and a newline after them if
// they do not end with one. An answer to it is seen by Options.OnLine only, so
// its id should be one that Call does not use: a string, or a large number.
func (c *Client) SendRaw(line []byte) error {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	if len(line) > 0 && line[len(line)-1] == '\n' {
		_, err := c.in.Write(line)
		return err
	}
	return c.write(append(c.writeB[:0], line...))
}

// send writes a request, or a notification when id is 0.
func (c *Client) send(id int64, method string, params []byte) error {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	b := append(c.writeB[:0], `{"jsonrpc":"2.0",`...)
	if id != 0 {
		b = append(b, `"id":`...)
		b = strconv.AppendInt(b, id, 10)
		b = append(b, ',')
	}
	b = append(b, `"method":`...)
	b = appendString(b, method)
	if len(params) > 0 {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return c.write(append(b, '}'))
}

// write adds the newline and sends it all with one system call. The caller
// holds writeMu and has built b on writeB.
func (c *Client) write(b []byte) error {
	b = append(b, '\n')
	if cap(b) <= 1<<20 {
		c.writeB = b // keep the memory, unless one huge line blew it up
	}
	_, err := c.in.Write(b)
	return err
}

// explainWrite gives the reader's reason for the end of the connection, which
// has the exit status, in place of a broken pipe.
func (c *Client) explainWrite(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("the input was closed by this client: %w", err)
	}
	patience := time.NewTimer(2 * exitWait) // the reader itself may take one
	defer patience.Stop()
	select {
	case <-c.done:
		return c.Err()
	case <-patience.C:
		return err
	}
}

// forget takes a call off the waiting list, and says whether it was on it.
func (c *Client) forget(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, waiting := c.pending[id]
	delete(c.pending, id)
	return waiting
}

// encodeParams gives the bytes of params; raw ones stay as they are, except
// that line breaks, which would end the line, are removed.
func encodeParams(method string, params any) ([]byte, error) {
	var raw []byte
	switch p := params.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		raw = p
	case []byte:
		raw = p
	default:
		encoded, err := encode(p)
		if err != nil {
			return nil, fmt.Errorf("the parameters of %s cannot be written as JSON: %w", method, err)
		}
		return encoded, nil
	}
	if bytes.IndexByte(raw, '\n') < 0 {
		return raw, nil
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return nil, fmt.Errorf("the parameters of %s are not valid JSON: %w", method, err)
	}
	return compact.Bytes(), nil
}

// encode is json.Marshal without the escaping of <, > and &.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// appendString appends s as a JSON string; method names need no escaping, so
// the encoder is the exception.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e || s[i] == '"' || s[i] == '\\' {
			quoted, _ := encode(s) // a string always encodes
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
