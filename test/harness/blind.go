// A client that only writes, for faults that an ordinary client cannot have.

package harness

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Blind is a running PlayGuard whose output nobody reads.
type Blind struct {
	t      testing.TB
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	stderr *syncBuffer
	exited chan struct{}
}

// Blind starts PlayGuard in the scene without reading what it writes. A wrapper
// is a program that runs PlayGuard, whose path is its last argument.
func (s *Scene) Blind(wrapper ...string) *Blind {
	s.t.Helper()
	inR, inW, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		s.t.Fatal(err)
	}
	command := append(wrapper, Playguard(s.t))
	b := &Blind{t: s.t, cmd: exec.Command(command[0], command[1:]...), in: inW, out: outR, stderr: &syncBuffer{}, exited: make(chan struct{})}
	b.cmd.Env, b.cmd.Dir = s.environment(), s.Path("project")
	b.cmd.Stdin, b.cmd.Stdout, b.cmd.Stderr = inR, outW, b.stderr
	b.cmd.WaitDelay = Patience
	err = b.cmd.Start()
	inR.Close()
	outW.Close()
	if err != nil {
		s.t.Fatal(err)
	}
	go func() {
		defer close(b.exited)
		_ = b.cmd.Wait() // how it ended is for the tests that ask
	}()
	s.t.Cleanup(func() {
		inW.Close()
		outR.Close()
		_ = b.cmd.Process.Kill() // gone in most tests
		<-b.exited
		if left := Remaining(s.Dir, Patience); len(left) > 0 {
			s.t.Errorf("processes are left after the end of the test:\n%s", strings.Join(left, "\n"))
		}
		if s.t.Failed() {
			s.t.Logf("stderr of the server:\n%s", b.stderr.String())
		}
	})
	return b
}

// Process is the started process: the wrapper, if there is one.
func (b *Blind) Process() *os.Process { return b.cmd.Process }

// stuck is how long a write must have made no progress for the other side to
// count as no longer reading.
const stuck = time.Second

// Flood writes until all is written or nothing is taken any more, and returns
// how many bytes were.
func (b *Blind) Flood(data []byte) int {
	b.t.Helper()
	sent := 0
	for sent < len(data) {
		if err := b.in.SetWriteDeadline(time.Now().Add(stuck)); err != nil {
			b.t.Fatal(err)
		}
		n, err := b.in.Write(data[sent:min(len(data), sent+64<<10)])
		sent += n
		if err != nil {
			if !os.IsTimeout(err) {
				b.t.Fatal(err)
			}
			return sent
		}
	}
	return sent
}

// AwaitStderr waits until the server has printed a text.
func (b *Blind) AwaitStderr(text string) {
	b.t.Helper()
	awaitText(b.t, b.stderr, text)
}

// CloseInput closes the server's input.
func (b *Blind) CloseInput() { b.in.Close() }

// Vanish closes both pipes, as when the client's process has died.
func (b *Blind) Vanish() {
	b.in.Close()
	b.out.Close()
}

// AwaitEnd waits for the end of the process and returns how long that took.
func (b *Blind) AwaitEnd() time.Duration {
	b.t.Helper()
	began := time.Now()
	select {
	case <-b.exited:
		return time.Since(began)
	case <-time.After(Patience):
		b.t.Fatalf("the process does not end; its stderr:\n%s", clip(b.stderr.String()))
		return 0
	}
}
