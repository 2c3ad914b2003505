// Package client is a small MCP client over stdio: it starts a server as a
// child process (or takes an open stream), calls its methods, and hands back
// every answer as the bytes that arrived.
//
// The demo, the benchmark and the tests use it. It finds the members of messages
// with the proxy's own scanner, which is tested against encoding/json, and shares
// nothing else with the proxy: it frames lines and writes requests by itself, and
// hands back bytes, so that a fault of the proxy is not hidden by the same fault
// on this side.
package client

// This file holds a connection's life: options, start, end.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultMaxLine is the longest line accepted, in bytes, when Options.MaxLine
// is zero.
const DefaultMaxLine = 128 << 20

// DefaultProtocolVersion is the MCP revision asked for when
// Options.ProtocolVersion is empty.
const DefaultProtocolVersion = "2025-11-25"

// defaultCloseTimeout is how long Close waits for the process to end by itself.
const defaultCloseTimeout = 5 * time.Second

// exitWait is how long a closed output waits for the exit status that explains
// it.
const exitWait = 2 * time.Second

// Info names this client to the server.
type Info struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Options says what to start and how to speak with it. Everything but Command
// may be left empty; New ignores Command, Args, Env, Dir and Stderr.
type Options struct {
	Command string   // program to start
	Args    []string // its arguments, without the program's name
	Env     []string // "NAME=value"; nil means this process's environment
	Dir     string   // working directory; empty means this process's
	Stderr  io.Writer

	Info            Info
	ProtocolVersion string          // empty means DefaultProtocolVersion
	Capabilities    json.RawMessage // empty means {}

	// OnNotification is called for each notification, in the order of arrival,
	// by the goroutine that reads: it must not wait for an answer.
	OnNotification func(method string, params json.RawMessage)
	// OnRequest answers a request of the server. Each call has its own
	// goroutine. "ping" is answered without it; when it is nil every other
	// request is refused with "method not found".
	OnRequest func(method string, params json.RawMessage) (json.RawMessage, *RPCError)
	// OnLine sees every line received, byte for byte and without its newline,
	// before anything else is done with it. The bytes must not be changed. A
	// LineLog's Record fits here.
	OnLine func(line []byte)

	MaxLine      int           // longest line in bytes; 0 means DefaultMaxLine
	CloseTimeout time.Duration // patience of Close; 0 means 5 s
}

// Client is one connection to an MCP server. Its methods may be called from any
// number of goroutines at once.
type Client struct {
	o   Options
	in  io.WriteCloser
	out io.ReadCloser
	cmd *exec.Cmd // nil when made by New

	exited  chan struct{} // closed when the process was waited for
	waitErr error         // set before exited is closed
	killed  atomic.Bool   // Close lost patience

	writeMu sync.Mutex
	writeB  []byte

	nextID  atomic.Int64
	mu      sync.Mutex
	pending map[int64]chan response // nil once the connection has ended
	err     error                   // why it ended

	done     chan struct{} // closed when reading has ended
	handlers sync.WaitGroup

	closeOnce sync.Once
	closeErr  error
}

// Start starts the program and reads its output. The context bounds the life of
// the process, not only its start: when it ends, the process's input is closed
// and, if that does not end it within 2 s, it is killed. The caller must call
// Close.
func Start(ctx context.Context, o Options) (*Client, error) {
	cmd := exec.CommandContext(ctx, o.Command, o.Args...)
	cmd.Env, cmd.Dir, cmd.Stderr = o.Env, o.Dir, o.Stderr
	// Between Cancel and a kill; and a grandchild that keeps stderr open does not
	// hold up Wait for longer.
	cmd.WaitDelay = exitWait

	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("no pipe for the standard input of %s could be made: %w", o.Command, err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("no pipe for the standard output of %s could be made: %w", o.Command, err),
			inR.Close(), inW.Close())
	}
	cmd.Stdin, cmd.Stdout = inR, outW
	cmd.Cancel = func() error {
		if inW.Close() != nil {
			return cmd.Process.Kill() // its input is closed already
		}
		return nil
	}
	err = cmd.Start()
	// The child has its own copies; kept here they would hide its EOF.
	_, _ = inR.Close(), outW.Close()
	if err != nil {
		_, _ = inW.Close(), outR.Close()
		return nil, fmt.Errorf("%s could not be started: %w", o.Command, err)
	}

	c := newClient(outR, inW, o)
	c.cmd = cmd
	go func() {
		c.waitErr = cmd.Wait()
		close(c.exited)
	}()
	go c.read()
	return c, nil
}

// New speaks over a stream that is already open, and closes it in Close.
func New(rw io.ReadWriteCloser, o Options) *Client {
	c := newClient(rw, rw, o)
	close(c.exited)
	go c.read()
	return c
}

func newClient(out io.ReadCloser, in io.WriteCloser, o Options) *Client {
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.ProtocolVersion == "" {
		o.ProtocolVersion = DefaultProtocolVersion
	}
	if o.Info == (Info{}) {
		o.Info = Info{Name: "playguard-client", Version: "1"}
	}
	if len(o.Capabilities) == 0 {
		o.Capabilities = json.RawMessage("{}")
	}
	if o.CloseTimeout <= 0 {
		o.CloseTimeout = defaultCloseTimeout
	}
	return &Client{
		o:       o,
		in:      in,
		out:     out,
		exited:  make(chan struct{}),
		pending: make(map[int64]chan response),
		done:    make(chan struct{}),
	}
}

// Process is the child process, or nil for a client made by New.
func (c *Client) Process() *os.Process {
	if c.cmd == nil {
		return nil
	}
	return c.cmd.Process
}

// Done is closed when the server's output has ended and every waiting call has
// failed; Err says why.
func (c *Client) Done() <-chan struct{} { return c.done }

// Exited is closed when the child process has ended and was waited for. For a
// client made by New it is closed from the start.
func (c *Client) Exited() <-chan struct{} { return c.exited }

// ProcessState is how the child process ended, or nil while it runs and for a
// client made by New.
func (c *Client) ProcessState() *os.ProcessState {
	select {
	case <-c.exited:
	default:
		return nil
	}
	if c.cmd == nil {
		return nil
	}
	return c.cmd.ProcessState
}

// Err is why the connection ended, or nil while it is open.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// CloseInput closes the server's standard input and waits for nothing. Answers
// still arrive.
func (c *Client) CloseInput() error {
	return c.in.Close()
}

// Close closes the server's input, waits until the process and all reading have
// ended, and kills the process after Options.CloseTimeout. It returns an error
// when the process had to be killed or did not end with status 0. Further calls
// return the same.
func (c *Client) Close() error {
	c.closeOnce.Do(func() { c.closeErr = c.close() })
	return c.closeErr
}

func (c *Client) close() error {
	err := c.in.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil // CloseInput came first
	}
	if c.cmd != nil {
		err = c.closeProcess()
		c.endReading()
	}
	<-c.done
	c.handlers.Wait()
	return err
}

// closeProcess waits for the process, at most as long as the options allow.
func (c *Client) closeProcess() error {
	patience := time.NewTimer(c.o.CloseTimeout)
	defer patience.Stop()
	select {
	case <-c.exited:
	case <-patience.C:
		c.killed.Store(true)
		// An error here means that it has just ended.
		_ = c.cmd.Process.Kill()
		<-c.exited
	}
	switch {
	case c.killed.Load():
		return fmt.Errorf("%s did not end within %s after its input was closed, and was killed", c.o.Command, c.o.CloseTimeout)
	case c.waitErr != nil:
		return fmt.Errorf("%s ended with a failure: %w", c.o.Command, c.waitErr)
	}
	return nil
}

// endReading bounds the wait for the end of the output once the process has
// ended: a process that it left behind may hold the other end open.
func (c *Client) endReading() {
	patience := time.NewTimer(exitWait)
	defer patience.Stop()
	select {
	case <-c.done:
	case <-patience.C:
		_ = c.out.Close() // reading fails, which is all that is wanted
	}
}
