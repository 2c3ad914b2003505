// Package conformance runs the Model Context Protocol's own conformance suite
// against PlayGuard: once directly against a server made with the official Go
// SDK, once through PlayGuard to the same server, and compares what passes.
//
// The suite (an npm package, pinned in package.json and package-lock.json)
// speaks streamable HTTP only, so a [Bridge] stands before the stdio server in
// both runs.
package conformance

// The bridge: streamable HTTP on one side, a process's stdio on the other.

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"sync"
)

// Bridge serves streamable HTTP (MCP 2025-11-25, transports) and starts one
// process for each session. It passes lines on as they are.
type Bridge struct {
	start func() *exec.Cmd

	mu       sync.Mutex
	sessions map[string]*session
}

// NewBridge returns a bridge to the processes that start makes.
func NewBridge(start func() *exec.Cmd) *Bridge {
	return &Bridge{start: start, sessions: map[string]*session{}}
}

const sessionHeader = "Mcp-Session-Id"

// ServeHTTP handles one request of a client.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isLocal(r.Host) || r.Header.Get("Origin") != "" && !isLocalURL(r.Header.Get("Origin")) {
		http.Error(w, "only local clients are served", http.StatusForbidden)
		return
	}
	s := b.session(r.Header.Get(sessionHeader))
	switch {
	case r.Method == http.MethodPost:
		b.post(w, r, s)
	case s == nil:
		http.Error(w, "unknown session", http.StatusNotFound)
	case r.Method == http.MethodGet:
		s.stream(w, r, s.open(""))
	case r.Method == http.MethodDelete:
		b.mu.Lock()
		delete(b.sessions, s.id)
		b.mu.Unlock()
		s.close()
	default:
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func isLocal(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	return name == "localhost" || name == "127.0.0.1" || name == "::1"
}

func isLocalURL(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && isLocal(u.Host)
}

func (b *Bridge) session(id string) *session {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sessions[id]
}

// Close ends every session's process.
func (b *Bridge) Close() {
	b.mu.Lock()
	all := b.sessions
	b.sessions = map[string]*session{}
	b.mu.Unlock()
	for _, s := range all {
		s.close()
	}
}

// message is what the bridge looks at in a line.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// post takes one message of the client: a request is answered by a stream of
// events that ends with its response.
func (b *Bridge) post(w http.ResponseWriter, r *http.Request, s *session) {
	body, err := io.ReadAll(r.Body)
	var m message
	var line bytes.Buffer
	if err == nil {
		err = json.Unmarshal(body, &m)
	}
	if err == nil {
		err = json.Compact(&line, body) // a message is one line on stdio
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if s == nil {
		if m.Method != "initialize" {
			http.Error(w, "unknown session", http.StatusNotFound)
			return
		}
		if s, err = b.begin(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	w.Header().Set(sessionHeader, s.id)
	var answers *stream
	if m.Method != "" && m.ID != nil {
		answers = s.open(string(m.ID))
	}
	if err := s.send(line.Bytes()); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	if answers == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	s.stream(w, r, answers)
}

// begin starts a process and its session.
func (b *Bridge) begin() (*session, error) {
	cmd := b.start()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the server could not be started: %w", err)
	}
	s := &session{id: rand.Text(), cmd: cmd, in: in, done: make(chan struct{})}
	b.mu.Lock()
	b.sessions[s.id] = s
	b.mu.Unlock()
	go s.read(bufio.NewReaderSize(out, 1<<20))
	return s, nil
}
