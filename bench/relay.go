// The least a program between two others can do.

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
)

// relayCommand is the first argument that makes this program a relay.
const relayCommand = "relay"

// relay starts the program and copies lines both ways until both have ended. It
// is what PlayGuard's overhead is judged beside: a process more on the way, and
// nothing done in it.
func relay(ctx context.Context, in io.Reader, out, stderr io.Writer, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = stderr
	toChild, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	fromChild, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start what to relay to: %w", err)
	}
	// The end of our input ends the child, whose output then ends. Should the
	// child end first, the process ends with this goroutine still reading.
	go func() {
		_ = copyLines(toChild, in)
		_ = toChild.Close()
	}()
	copied := copyLines(out, fromChild)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("what was relayed to failed: %w", err)
	}
	return copied
}

// copyLines copies each line as soon as it is whole.
func copyLines(w io.Writer, r io.Reader) error {
	br := bufio.NewReaderSize(r, 1<<20)
	for {
		line, err := br.ReadSlice('\n')
		if len(line) > 0 {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
	}
}
