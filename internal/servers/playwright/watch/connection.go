package watch

// The connections to the port, of which any program of this machine can open some.

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"slices"
	"time"
)

const (
	// greetLimit is how long a connection may take to show the token.
	greetLimit = 5 * time.Second
	// maxGreeting bounds the line with the token.
	maxGreeting = 1 << 10
	// maxStrangers is how many connections may be open that have not shown it; the
	// oldest of more is closed, since the script greets at once.
	maxStrangers = 8
)

// Close ends the watching and waits for it, whoever is connected.
func (w *Watcher) Close() {
	w.mu.Lock()
	w.closed = true
	for conn := range w.conns {
		conn.Close()
	}
	w.mu.Unlock()
	w.listener.Close()
	w.serving.Wait()
}

func (w *Watcher) accept() {
	for {
		conn, err := w.listener.Accept()
		if err != nil {
			return
		}
		if w.meet(conn) {
			w.serving.Go(func() { w.serve(conn) })
		}
	}
}

// meet takes in a connection, unless the watching has ended.
func (w *Watcher) meet(conn net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		conn.Close()
		return false
	}
	w.conns[conn] = true
	w.strangers = append(w.strangers, conn)
	if len(w.strangers) > maxStrangers {
		w.strangers[0].Close() // whoever serves it takes it out
		w.strangers = slices.Delete(w.strangers, 0, 1)
	}
	return true
}

// known notes that a connection has greeted, or has gone. Called with mu.
func (w *Watcher) known(conn net.Conn) {
	w.strangers = slices.DeleteFunc(w.strangers, func(s net.Conn) bool { return s == conn })
}

// serve reads what one process of Playwright MCP says.
func (w *Watcher) serve(conn net.Conn) {
	defer func() {
		conn.Close()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.known(conn)
		delete(w.conns, conn)
	}()
	in := bufio.NewReaderSize(conn, maxGreeting)
	_ = conn.SetReadDeadline(time.Now().Add(greetLimit)) // without one, closing ends the reading
	line, err := in.ReadSlice('\n')
	if err != nil || !w.greet(conn, line) {
		return
	}
	w.read(conn, in)
	w.left(conn)
}

// read takes in all lines of a connection that has greeted.
func (w *Watcher) read(conn net.Conn, in io.Reader) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 4096), maxLine)
	for lines.Scan() {
		var m message
		if json.Unmarshal(lines.Bytes(), &m) == nil {
			w.receive(conn, m)
		}
	}
}

// greet takes a connection that has shown the token as the present one.
func (w *Watcher) greet(conn net.Conn, line []byte) bool {
	var m message
	if json.Unmarshal(line, &m) != nil || m.Token != w.token {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || conn.SetReadDeadline(time.Time{}) != nil {
		return false
	}
	w.known(conn)
	w.conn = conn
	w.starts++
	w.state = State{Connected: true, Pages: w.state.Pages, IDs: w.state.IDs}
	return true
}
