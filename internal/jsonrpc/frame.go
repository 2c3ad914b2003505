package jsonrpc

// Lines out of a byte stream.

import (
	"bytes"
	"fmt"
	"io"
)

// spare is the room left behind each line, so that an id can be spliced and a
// newline appended without copying the line again.
const spare = 40

// readSize is how much is asked of the operating system at once. A Linux pipe
// holds 64 KB, so more would not be filled.
const readSize = 64 << 10

// TooLongError says that a line was longer than the reader's limit. The line
// was read to its end and dropped; the next line can be read.
type TooLongError struct {
	Limit int    // bytes
	Size  int    // bytes of the whole line
	Head  []byte // the first bytes of the line, to find out whose answer it was
	Tail  []byte // its last bytes
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("a line of %d bytes is over the limit of %d", e.Size, e.Limit)
}

// keepEnds is how much of the two ends of a line over the limit is kept.
const keepEnds = 512

// Reader reads newline-delimited messages (MCP transports, stdio: messages are
// delimited by newlines and hold none).
type Reader struct {
	src  io.Reader
	max  int
	buf  []byte // read and not yet given out: buf[pos:end]
	pos  int
	end  int
	long []byte // the part of the current line that no longer fits buf
	err  error
}

// NewReader reads lines of at most max bytes from src.
func NewReader(src io.Reader, max int) *Reader {
	return &Reader{src: src, max: max, buf: make([]byte, readSize)}
}

// Read returns the next line that is not blank, without its line end and
// surrounding white space, which count for the limit. The slice is the caller's,
// with room behind it for Splice. At the end of the source it returns io.EOF; a last line without a
// newline is returned first. A *TooLongError leaves the reader usable.
func (r *Reader) Read() ([]byte, error) {
	for {
		if i := bytes.IndexByte(r.buf[r.pos:r.end], '\n'); i >= 0 {
			part := r.buf[r.pos : r.pos+i]
			r.pos += i + 1
			line, err := r.finish(part)
			if err != nil || len(line) > 0 {
				return line, err
			}
			continue
		}
		if r.err != nil {
			part := r.buf[r.pos:r.end]
			r.pos, r.end = 0, 0
			line, err := r.finish(part)
			if err != nil || len(line) > 0 {
				return line, err
			}
			return nil, r.err
		}
		if r.pos > 0 || r.end == len(r.buf) {
			if r.end > r.pos {
				if err := r.stash(r.buf[r.pos:r.end]); err != nil {
					return nil, err // stash has read on
				}
			}
			r.pos, r.end = 0, 0
		}
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.err = err
	}
}

// stash keeps the beginning of a line that does not fit into buf; over the
// limit it reads the line to its end and drops it.
func (r *Reader) stash(part []byte) error {
	if len(r.long)+len(part) <= r.max {
		r.long = append(r.long, part...)
		return nil
	}
	e := &TooLongError{Limit: r.max}
	e.Add(r.long)
	e.Add(part)
	r.long, r.pos, r.end = nil, 0, 0
	for r.err == nil {
		n, err := r.src.Read(r.buf)
		r.err = err
		if i := bytes.IndexByte(r.buf[:n], '\n'); i >= 0 {
			e.Add(r.buf[:i])
			r.pos, r.end = i+1, n
			break
		}
		e.Add(r.buf[:n])
	}
	return e
}

// Add notes the next part of the line.
func (e *TooLongError) Add(part []byte) {
	e.Size += len(part)
	e.Head = append(e.Head, part[:min(len(part), keepEnds-len(e.Head))]...)
	e.Tail = append(e.Tail, part[max(0, len(part)-keepEnds):]...)
	e.Tail = append(e.Tail[:0], e.Tail[max(0, len(e.Tail)-keepEnds):]...)
}

// finish joins the stashed beginning with the last part of a line.
func (r *Reader) finish(part []byte) ([]byte, error) {
	size := len(r.long) + len(part)
	if size > r.max {
		e := &TooLongError{Limit: r.max}
		e.Add(r.long)
		e.Add(part)
		r.long = nil
		return nil, e
	}
	line := make([]byte, size, size+spare)
	n := copy(line, r.long)
	copy(line[n:], part)
	if cap(r.long) > 1<<20 {
		r.long = nil // a rare giant must not be held for the rest of the session
	} else {
		r.long = r.long[:0]
	}
	return bytes.TrimSpace(line), nil
}
