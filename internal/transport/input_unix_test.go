//go:build unix

package transport

// The link to the client over each kind of standard stream.

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// echoed sends text to a child that serves, reads nothing before all is sent,
// and expects it back.
func echoed(t *testing.T, cmd *exec.Cmd, toChild, fromChild *os.File, closeInput func() error) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	cmd.Stdin.(*os.File).Close()
	cmd.Stdout.(*os.File).Close()
	text := strings.Repeat(strings.Repeat("x", 99)+"\n", 20_000) // more than a socket or a pipe holds
	if _, err := io.WriteString(toChild, text); err != nil {
		t.Error(err)
	}
	if err := closeInput(); err != nil {
		t.Error(err)
	}
	got, err := io.ReadAll(fromChild)
	if string(got) != text || err != nil {
		t.Errorf("%d bytes of %d came back, %v", len(got), len(text), err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func serving() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{roleVariable + "=serve"}
	cmd.Stderr = os.Stderr
	return cmd
}

// socketPair returns our end and the child's.
func socketPair(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		unix.CloseOnExec(fd)
	}
	ours, theirs = os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	return ours, theirs
}

func TestServingOverPipes(t *testing.T) {
	cmd := serving()
	in, toChild, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromChild, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer fromChild.Close()
	cmd.Stdin, cmd.Stdout = in, out
	echoed(t, cmd, toChild, fromChild, toChild.Close)
}

func TestServingOverTwoSockets(t *testing.T) { // as Node gives them
	cmd := serving()
	toChild, in := socketPair(t)
	fromChild, out := socketPair(t)
	cmd.Stdin, cmd.Stdout = in, out
	echoed(t, cmd, toChild, fromChild, toChild.Close)
}

func TestServingOverOneSocket(t *testing.T) { // as socat gives it
	cmd := serving()
	ours, theirs := socketPair(t)
	cmd.Stdin, cmd.Stdout = theirs, theirs
	echoed(t, cmd, ours, ours, func() error { return syscall.Shutdown(int(ours.Fd()), syscall.SHUT_WR) })
}
