//go:build unix

package transport

import (
	"os"
	"syscall"
)

// Pollable returns f in a form in which waiting for input does not occupy a
// thread: with pipes and sockets a blocked read costs the Go scheduler about a
// third of what a small message takes altogether. Anything else is returned as
// it is.
//
// The mode belongs to the open file, which whoever shares it sees too. A client
// that starts a server keeps the other end, not this one; but it may give one
// socket as input and output, as socat does, and a standard stream that does not
// expect the mode fails when there is no room. So a socket that is also one of
// the others stays as it is.
func Pollable(f *os.File, others ...*os.File) *os.File {
	info, err := f.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return f
	}
	for _, other := range others {
		if o, err := other.Stat(); err == nil && os.SameFile(info, o) {
			return f
		}
	}
	fd := int(f.Fd())
	if syscall.SetNonblock(fd, true) != nil {
		return f
	}
	return os.NewFile(uintptr(fd), f.Name())
}
