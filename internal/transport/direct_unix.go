//go:build unix

package transport

import (
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipeWriter writes to a pipe or a socket: at once if that fails instead of
// blocking, else after asking whether there is room.
type pipeWriter struct {
	conn syscall.RawConn
	ask  bool
}

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
	p := pipeWriter{conn: conn, ask: true}
	if err := conn.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		p.ask = err != nil || flags&unix.O_NONBLOCK == 0
	}); err != nil {
		return nil
	}
	return p
}

func (p pipeWriter) tryWrite(line []byte) int {
	written := 0
	err := p.conn.Control(func(fd uintptr) {
		// A pipe that has room takes PIPE_BUF bytes whole, and a socket that has
		// room takes much more, so this does not block even where the descriptor
		// is a blocking one. Nothing else writes to it meanwhile.
		if p.ask && !hasRoom(fd) {
			return
		}
		if n, err := unix.Write(int(fd), line); err == nil {
			written = n
		}
	})
	if err != nil {
		return 0
	}
	return written
}

func hasRoom(fd uintptr) bool {
	room := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(room, 0)
	return err == nil && n == 1 && room[0].Revents == unix.POLLOUT
}
