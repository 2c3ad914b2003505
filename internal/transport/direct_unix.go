//go:build unix

package transport

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipeWriter writes to a pipe or a socket after asking whether it has room.
type pipeWriter struct{ conn syscall.RawConn }

// newDirectWriter returns nil for what is no pipe or socket: a file never has
// too little room, and a terminal may block all the same.
func newDirectWriter(dst io.Writer) directWriter {
	f, ok := dst.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return nil
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	return pipeWriter{conn}
}

func (p pipeWriter) tryWrite(line []byte) int {
	written := 0
	err := p.conn.Control(func(fd uintptr) {
		room := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
		if n, err := unix.Poll(room, 0); err != nil || n != 1 || room[0].Revents != unix.POLLOUT {
			return
		}
		// A pipe that has room takes PIPE_BUF bytes whole, and a socket that has
		// room takes much more, so this does not block even where the descriptor
		// is a blocking one. Nothing else writes to it meanwhile.
		if n, err := unix.Write(int(fd), line); err == nil {
			written = n
		}
	})
	if err != nil {
		return 0
	}
	return written
}
