// One session of the bridge: a process and the streams that are open.

package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"sync"
)

type session struct {
	id   string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process's output has ended

	writeMu sync.Mutex
	in      io.WriteCloser

	mu      sync.Mutex
	streams []*stream
	waiting [][]byte // messages of the server for which no stream was open
}

// stream is an open response of the bridge.
type stream struct {
	id    string // raw id of the request that it answers, empty for a GET
	lines chan []byte
}

// open registers a stream. A GET takes what has been waiting for one.
func (s *session) open(id string) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &stream{id: id, lines: make(chan []byte, 1000)}
	s.streams = append(s.streams, st)
	if id == "" {
		for _, line := range s.waiting {
			st.lines <- line
		}
		s.waiting = nil
	}
	return st
}

// stream writes a stream's lines as server-sent events, until its request is
// answered, the client is gone or the process has ended.
func (s *session) stream(w http.ResponseWriter, r *http.Request, st *stream) {
	defer func() {
		s.mu.Lock()
		s.streams = slices.DeleteFunc(s.streams, func(o *stream) bool { return o == st })
		s.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	flush := http.NewResponseController(w)
	_ = flush.Flush() // fails only when the client is gone, as below
	for {
		select {
		case line := <-st.lines:
			if _, err := fmt.Fprintf(w, "event: message\ndata: %s\n\n", line); err != nil {
				return
			}
			_ = flush.Flush()
			var m message
			if json.Unmarshal(line, &m) == nil && m.Method == "" && string(m.ID) == st.id {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.done:
			return
		}
	}
}

func (s *session) send(line []byte) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	_, err := s.in.Write(append(bytes.Clone(line), '\n'))
	return err
}

// read sorts the process's lines into the open streams.
func (s *session) read(out *bufio.Reader) {
	defer close(s.done)
	for {
		line, err := out.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			s.route(line)
		}
		if err != nil {
			return
		}
	}
}

// route puts a response into its request's stream, and what the server sends by
// itself into that of the newest open request, which it most likely belongs to,
// else into a GET's.
func (s *session) route(line []byte) {
	var m message
	if json.Unmarshal(line, &m) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range slices.Backward(s.streams) {
		if m.Method == "" && st.id == string(m.ID) || m.Method != "" && st.id != "" {
			st.lines <- line
			return
		}
	}
	for _, st := range s.streams {
		if m.Method != "" && st.id == "" {
			st.lines <- line
			return
		}
	}
	if m.Method != "" {
		s.waiting = append(s.waiting, line)
	}
}

// close ends the process by closing its input.
func (s *session) close() {
	s.writeMu.Lock()
	s.in.Close()
	s.writeMu.Unlock()
	<-s.done
	_ = s.cmd.Wait() // how it ended is the tests' of the end
}
