//go:build unix

package transport

import (
	"os"

	"golang.org/x/sys/unix"
)

// hungUp reports whether the other end of a pipe or socket has been closed, also
// while there is still something to be read from it.
func hungUp(f *os.File) bool {
	conn, err := f.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	err = conn.Control(func(fd uintptr) {
		poll := []unix.PollFd{{Fd: int32(fd), Events: peerClosed}}
		n, err := unix.Poll(poll, 0)
		closed = err == nil && n > 0 && poll[0].Revents&(unix.POLLHUP|peerClosed) != 0
	})
	return err == nil && closed
}
