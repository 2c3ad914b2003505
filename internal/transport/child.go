package transport

// The link to a server that runs as a child process.

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/endpoint"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/proctree"
)

// Command is a child process to start, or the server to connect to.
type Command struct {
	// At, if set, is a server that runs already and speaks streamable HTTP; the
	// rest is unused then.
	At   endpoint.Endpoint
	Path string
	Args []string
	Env  []string // the whole environment
	Dir  string
	// PrivateTemp gives the child a temporary folder of its own, TMPDIR, TMP and
	// TEMP in its environment, that is removed when nothing of the child is left,
	// also after a kill. Where none can be made the child starts without.
	PrivateTemp bool
}

// Child is a link to a server that runs as a child process.
type Child struct {
	reader *jsonrpc.Reader
	writer *Writer
	tree   *proctree.Tree
	stderr *Ring
	pipes  []*os.File // our ends, closed at the end
	drains sync.WaitGroup
}

// StartChild starts a server under a guard. Lines over maxLine bytes are
// refused; stderr is always read, so that the child never blocks on it.
func StartChild(cmd Command, maxLine int, stderr *Ring) (*Child, error) {
	var opened []*os.File
	closeAll := func() {
		for _, f := range opened {
			f.Close()
		}
	}
	pipe := func() (r, w *os.File, err error) {
		r, w, err = os.Pipe()
		if err == nil {
			opened = append(opened, r, w)
		}
		return r, w, err
	}
	inR, inW, err := pipe()
	if err != nil {
		return nil, fmt.Errorf("no pipe for %s: %w", cmd.Path, err)
	}
	outR, outW, err := pipe()
	if err != nil {
		closeAll()
		return nil, fmt.Errorf("no pipe for %s: %w", cmd.Path, err)
	}
	errR, errW, err := pipe()
	if err != nil {
		closeAll()
		return nil, fmt.Errorf("no pipe for %s: %w", cmd.Path, err)
	}
	env, temp := cmd.Env, ""
	if cmd.PrivateTemp {
		if temp = makeTemp(); temp != "" {
			env = withTemp(env, temp)
		}
	}
	tree, err := proctree.Start(proctree.Command{
		Path: cmd.Path, Args: cmd.Args, Env: env, Dir: cmd.Dir,
		Stdin: inR, Stdout: outW, Stderr: errW, Remove: temp,
	})
	if err != nil {
		closeAll()
		return nil, err
	}
	inR.Close()
	outW.Close()
	errW.Close()
	c := &Child{
		reader: jsonrpc.NewReader(outR, maxLine),
		writer: NewWriter(inW, 2*maxLine),
		tree:   tree,
		stderr: stderr,
		pipes:  []*os.File{inW, outR, errR},
	}
	c.drains.Go(func() { stderr.drain(errR) })
	return c, nil
}

// Read returns the next line; see jsonrpc.Reader. After the child's end it
// returns io.EOF, or the error of a read that Close ended.
func (c *Child) Read() ([]byte, error) { return c.reader.Read() }

// Send queues a line for the child and never waits.
func (c *Child) Send(line []byte) error { return c.writer.Send(line) }

// Pid is the server's process, for messages and tests.
func (c *Child) Pid() int { return c.tree.Pid() }

// Unsent returns nothing: what was written to a child may have been read.
func (c *Child) Unsent() [][]byte { return nil }

// Exit says how the server ended, once Close has returned.
func (c *Child) Exit() string { return c.tree.Exit() }

// Close ends the child: its stdin is closed, which asks an MCP server to end
// (transports, shutdown); what is still alive after grace is killed with all it
// has started. It returns when nothing of it is left. Idempotent.
func (c *Child) Close(grace time.Duration) {
	c.writer.Close(0)
	c.pipes[0].Close()
	c.tree.Stop(grace)
	for _, f := range c.pipes[1:] {
		f.Close()
	}
	<-c.writer.Done() // its pipe is closed and nobody is left to read
	c.drains.Wait()
}
