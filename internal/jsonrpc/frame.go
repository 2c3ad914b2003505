package jsonrpc

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
// surrounding white space. The slice is the caller's, with room behind it for
// SpliceID. At the end of the source it returns io.EOF; a last line without a
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
					return nil, err
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
// limit it drops the rest of the line.
func (r *Reader) stash(part []byte) error {
	if len(r.long)+len(part) <= r.max {
		r.long = append(r.long, part...)
		return nil
	}
	size := len(r.long) + len(part)
	head := append(append([]byte(nil), r.long[:min(len(r.long), keepEnds)]...), part...)
	tooLong := &TooLongError{Limit: r.max, Head: head[:min(len(head), keepEnds)]}
	tail := append([]byte(nil), part[max(0, len(part)-keepEnds):]...)
	r.long = nil
	for r.err == nil {
		n, err := r.src.Read(r.buf)
		r.err = err
		chunk := r.buf[:n]
		i := bytes.IndexByte(chunk, '\n')
		if i >= 0 {
			r.pos, r.end = i+1, n
			chunk = chunk[:i]
		}
		size += len(chunk)
		tail = append(tail, chunk...)
		tail = tail[max(0, len(tail)-keepEnds):]
		if i >= 0 {
			break
		}
		r.pos, r.end = 0, 0
	}
	tooLong.Size, tooLong.Tail = size, tail
	return tooLong
}

// finish joins the stashed beginning with the last part of a line.
func (r *Reader) finish(part []byte) ([]byte, error) {
	size := len(r.long) + len(part)
	if size > r.max {
		head := append(append([]byte(nil), r.long...), part...)
		err := &TooLongError{Limit: r.max, Size: size, Head: head[:min(size, keepEnds)], Tail: head[max(0, size-keepEnds):]}
		r.long = nil
		return nil, err
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
