package transport

import "golang.org/x/sys/unix"

// peerClosed asks for the half-close by which Node ends a child's stdin: it
// gives its children sockets instead of pipes.
const peerClosed = unix.POLLRDHUP
