package transport

// A scripted HTTP server for the tests of the link, and steps they share.

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/endpoint"
	"github.com/playguard/playguard/internal/jsonrpc"
)

// site is a scripted server: what it does for each method or HTTP verb, and what
// it was asked.
type site struct {
	t   *testing.T
	URL string

	mu    sync.Mutex
	on    map[string]http.HandlerFunc // by JSON-RPC method, or "GET", "DELETE"
	asked []string
	grown chan struct{}
}

func serveSite(t *testing.T, on map[string]http.HandlerFunc) *site {
	t.Helper()
	s := &site{t: t, on: on, grown: make(chan struct{})}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// ServeHTTP notes the request as "POST method session version".
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.Method
	if r.Method == http.MethodPost {
		body, _ := io.ReadAll(r.Body) // what is missing fails the comparison
		m, err := jsonrpc.Parse(body)
		if err != nil {
			s.t.Errorf("the body %q: %v", body, err)
		}
		if name = m.MethodName(); name == "" {
			name = "response"
		}
		r.Header.Set("Test-Id", string(m.Bytes(m.ID)))
		if accept := r.Header.Get("Accept"); accept != "application/json, text/event-stream" || r.Header.Get("Content-Type") != "application/json" {
			s.t.Errorf("the headers are %v", r.Header)
		}
	}
	s.mu.Lock()
	said := strings.TrimRight(strings.Join([]string{name, r.Header.Get("Mcp-Session-Id"), r.Header.Get("MCP-Protocol-Version"), r.Header.Get("Last-Event-ID")}, " "), " ")
	s.asked = append(s.asked, said)
	close(s.grown)
	s.grown = make(chan struct{})
	h := s.on[name]
	s.mu.Unlock()
	switch {
	case h != nil:
		h(w, r)
	case r.Method == http.MethodGet:
		http.Error(w, "no stream", http.StatusMethodNotAllowed)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

// await waits until the server was asked something, and returns all it was.
func (s *site) await(what string, times int) []string {
	s.t.Helper()
	limit := time.After(20 * time.Second)
	for {
		s.mu.Lock()
		asked, grown := slices.Clone(s.asked), s.grown
		s.mu.Unlock()
		n := 0
		for _, a := range asked {
			if a == what {
				n++
			}
		}
		if n >= times {
			return asked
		}
		select {
		case <-grown:
		case <-limit:
			s.t.Fatalf("the server was asked %q, not %q", asked, what)
		}
	}
}

func link(t *testing.T, url string) *HTTP {
	t.Helper()
	at, err := endpoint.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	h := OpenHTTP(at, 1<<20)
	t.Cleanup(func() { h.Close(0) })
	return h
}

func send(t *testing.T, h *HTTP, line string) {
	t.Helper()
	if err := h.Send([]byte(line)); err != nil {
		t.Fatal(err)
	}
}

func request(id int, method string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, id, method)
}

func receive(t *testing.T, h *HTTP, want string) {
	t.Helper()
	line, err := h.Read()
	if err != nil || string(line) != want {
		t.Fatalf("came %s, %v; want %s", line, err, want)
	}
}

// ends expects the end of the link.
func ends(t *testing.T, h *HTTP, reason string, unsent ...string) {
	t.Helper()
	if line, err := h.Read(); err != io.EOF {
		t.Fatalf("came %s, %v instead of the end", line, err)
	}
	h.Close(time.Second)
	if !strings.Contains(h.Exit(), reason) {
		t.Errorf("it %s, want %s", h.Exit(), reason)
	}
	var lines []string
	for _, l := range h.Unsent() {
		lines = append(lines, string(l))
	}
	if !slices.Equal(lines, unsent) {
		t.Errorf("unsent are %q, want %q", lines, unsent)
	}
	if err := h.Send([]byte(`{}`)); err != ErrClosed {
		t.Errorf("a line behind the end gave %v", err)
	}
}

// greeting answers initialize with a session.
func greeting(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Mcp-Session-Id", "s1")
	fmt.Fprintf(w, "{\"jsonrpc\":\"2.0\",\n \"id\":%s,\r\n\"result\":{\"protocolVersion\":\"2025-06-18\"}}\n", r.Header.Get("Test-Id"))
}

const greeted = `{"jsonrpc":"2.0",  "id":1,  "result":{"protocolVersion":"2025-06-18"}}`

// stream answers with events; %s stands for the request's id.
func stream(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(text, "%s", r.Header.Get("Test-Id")))
	}
}

// initialized is a link behind its handshake.
func initialized(t *testing.T, s *site) *HTTP {
	t.Helper()
	s.on["initialize"] = greeting
	h := link(t, s.URL+"/mcp")
	send(t, h, request(1, "initialize"))
	receive(t, h, greeted)
	send(t, h, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return h
}
