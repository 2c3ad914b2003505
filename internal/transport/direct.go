package transport

// directSize is up to which size a line is written at once: as much as a pipe
// that reports room is bound to take (PIPE_BUF on Linux; POSIX, write).
const directSize = 4096

// directWriter writes what a peer has room for.
type directWriter interface {
	// tryWrite writes as much of the line as can be written without blocking and
	// returns how much that was. An error counts as no room: it shows again when
	// the line is written from the queue.
	tryWrite(line []byte) int
}
