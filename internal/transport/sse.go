package transport

// Server-sent events (WHATWG HTML, section 9.2), as far as MCP uses them.

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// event is one event of a stream.
type event struct {
	id   string // the last id seen in the stream; it stays until another comes
	kind string // empty is "message"
	data []byte
	// tooLong is set instead of data when that is over the limit.
	tooLong *jsonrpc.TooLongError
}

// eventReader reads the events of one stream.
type eventReader struct {
	src     *bufio.Reader
	max     int           // bytes of one event's data
	lastID  string        // of the last event that arrived whole: where to go on
	retry   time.Duration // what the server asked to wait before reconnecting, 0 if nothing
	started bool
	crlf    bool // the last line ended with CR: an LF that follows belongs to it
}

func newEventReader(src io.Reader, max int) *eventReader {
	return &eventReader{src: bufio.NewReaderSize(src, 64<<10), max: max}
}

// next returns the next event that has an id or data. An event that the stream's
// end cuts off is dropped with its id, as the standard demands: asked for what
// follows that id, the server would leave this event out.
func (r *eventReader) next() (event, error) {
	e := event{id: r.lastID}
	fields := 0
	for {
		line, long, err := r.line()
		if err != nil {
			return event{}, err
		}
		if long != nil {
			e.addLong(long, r.max)
			fields++
			continue
		}
		if len(line) == 0 {
			if fields == 0 {
				continue
			}
			r.lastID = e.id
			return e, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				e.id = string(value)
				fields++
			}
		case "event":
			e.kind = string(value)
		case "data":
			e.add(value, r.max)
			fields++
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				r.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
}

// add appends one line of data.
func (e *event) add(line []byte, max int) {
	switch {
	case e.tooLong != nil:
		e.tooLong.Add(line)
	case len(e.data)+len(line) >= max:
		e.overLimit(max)
		e.tooLong.Add(line)
	default:
		if len(e.data) > 0 {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, line...)
	}
}

// addLong adds a line that is over the limit by itself.
func (e *event) addLong(long *jsonrpc.TooLongError, max int) {
	if e.tooLong == nil {
		e.overLimit(max)
	}
	before := e.tooLong.Size
	e.tooLong.Add(long.Head)
	if long.Size > len(long.Head) {
		e.tooLong.Add(long.Tail)
	}
	e.tooLong.Size = before + long.Size
}

// overLimit drops the data but for its ends.
func (e *event) overLimit(max int) {
	e.tooLong = &jsonrpc.TooLongError{Limit: max}
	e.tooLong.Add(e.data)
	e.data = nil
}

// line returns the next line without its end: LF, CR or CRLF. Of one that is
// over the limit it returns the ends only, without the name of the field.
func (r *eventReader) line() (line []byte, long *jsonrpc.TooLongError, err error) {
	for {
		if _, err := r.src.Peek(1); err != nil {
			return nil, nil, err
		}
		buf, _ := r.src.Peek(r.src.Buffered())
		if r.crlf {
			r.crlf = false
			if buf[0] == '\n' {
				_, _ = r.src.Discard(1) // it is buffered
				continue
			}
		}
		end := bytes.IndexAny(buf, "\r\n")
		part := buf
		if end >= 0 {
			part = buf[:end]
		}
		switch {
		case long != nil:
			long.Add(part)
		case len(line)+len(part) > r.max+len(dataField)+1:
			long = &jsonrpc.TooLongError{Limit: r.max}
			begun := append(line, part...)
			long.Add(bytes.TrimPrefix(bytes.TrimPrefix(begun, []byte(dataField)), []byte(" ")))
		default:
			line = append(line, part...)
		}
		if end < 0 {
			_, _ = r.src.Discard(len(buf))
			continue
		}
		r.crlf = buf[end] == '\r'
		_, _ = r.src.Discard(end + 1)
		if !r.started {
			r.started = true
			line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		}
		return line, long, nil
	}
}

// dataField begins a line of data.
const dataField = "data:"
