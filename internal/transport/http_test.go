package transport

// The HTTP link against servers that behave, break off, forget and hang.

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
)

func TestHTTPSession(t *testing.T) {
	s := serveSite(t, map[string]http.HandlerFunc{
		"tools/list": stream("event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\nevent: ping\ndata: x\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":%s,\"result\":{}}\n\n"),
		"GET":        stream("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\nretry: 60000\n\n"),
		"DELETE":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) },
	})
	h := initialized(t, s)
	receive(t, h, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	send(t, h, request(2, "tools/list"))
	receive(t, h, `{"jsonrpc":"2.0","method":"n"}`)
	receive(t, h, `{"jsonrpc":"2.0", "id":2,"result":{}}`)
	send(t, h, `{"jsonrpc":"2.0","id":"x","result":{}}`) // an answer to the server's own request
	s.await("response s1 2025-06-18", 1)
	h.Close(10 * time.Second)
	want := []string{
		"initialize", "notifications/initialized s1 2025-06-18", "GET s1 2025-06-18", "tools/list s1 2025-06-18",
		"response s1 2025-06-18", "DELETE s1 2025-06-18",
	}
	got := s.await("DELETE s1 2025-06-18", 1)
	slices.Sort(got) // the stream comes when it comes
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the server was asked %q", got)
	}
	if h.Exit() != "was closed" || h.Pid() != 0 {
		t.Errorf("it %s", h.Exit())
	}
}

// Many calls at once get each its own answer, whatever order the server takes.
func TestHTTPConcurrentCalls(t *testing.T) {
	var all sync.WaitGroup
	all.Add(20)
	s := serveSite(t, map[string]http.HandlerFunc{"slow": func(w http.ResponseWriter, r *http.Request) {
		all.Done()
		all.Wait() // none is answered before all have come
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `[{"jsonrpc":"2.0","id":%s,"result":{}}]`, r.Header.Get("Test-Id"))
	}})
	h := initialized(t, s)
	open := map[string]bool{}
	for i := range 20 {
		send(t, h, request(i+2, "slow"))
		open[fmt.Sprint(i+2)] = true
	}
	for len(open) > 0 {
		line, err := h.Read()
		m, perr := jsonrpc.Parse(line)
		if err != nil || perr != nil || !open[string(m.Bytes(m.ID))] {
			t.Fatalf("came %s, %v, %v", line, err, perr)
		}
		delete(open, string(m.Bytes(m.ID)))
	}
}

// An error for one call is that call's answer, and the link goes on.
func TestHTTPErrorsOfOneCall(t *testing.T) {
	fail := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	s := serveSite(t, map[string]http.HandlerFunc{
		"plain":    fail(500, "text/plain", "it broke\nat user:hunter2"),
		"html":     fail(502, "text/html", "<html>long page</html>"),
		"rpc":      fail(400, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"bad call by hunter2"}}`),
		"resource": fail(200, "application/json", `{"jsonrpc":"2.0","id":5,"error":{"code":-32002,"message":"Resource not found"}}`),
		"kind":     fail(200, "text/plain", "hello"),
		"nothing":  fail(200, "application/json", `{"jsonrpc":"2.0","method":"n"}`),
		"moved": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.org/", http.StatusTemporaryRedirect)
		},
		"big": fail(200, "application/json", `{"jsonrpc":"2.0","id":9,"result":"`+strings.Repeat("x", 2<<20)+`"}`),
	})
	s.URL = strings.Replace(s.URL, "http://", "http://user:hunter2@", 1)
	h := initialized(t, s)
	for i, c := range []struct{ method, want string }{
		{"plain", "answered HTTP 500 Internal Server Error: it broke at …"},
		{"html", "answered HTTP 502 Bad Gateway."},
		{"rpc", `"code":-32000,"message":"bad call by …"`},
		{"resource", `"id":5,"error":{"code":-32002,"message":"Resource not found"}`},
		{"kind", `instead of JSON or events`},
		{"moved", "answered HTTP 307"},
	} {
		send(t, h, request(i+2, c.method))
		line, err := h.Read()
		if err != nil || !strings.Contains(string(line), c.want) || !strings.Contains(string(line), fmt.Sprintf(`"id":%d`, i+2)) || strings.Contains(string(line), "hunter2") {
			t.Errorf("%s gave %s, %v", c.method, line, err)
		}
		if !json.Valid(line) {
			t.Errorf("%s is no JSON", line)
		}
	}
	send(t, h, request(8, "nothing"))
	receive(t, h, `{"jsonrpc":"2.0","method":"n"}`)
	if line, err := h.Read(); err != nil || !strings.Contains(string(line), "no answer to the call") {
		t.Errorf("came %s, %v", line, err)
	}
	send(t, h, request(9, "big"))
	if _, err := h.Read(); err == nil || !strings.Contains(err.Error(), "over the limit") {
		t.Errorf("a large answer gave %v", err)
	}
}

// A session that the server has forgotten ends the link, and the call that found
// out was certainly not carried out.
func TestHTTPLostSession(t *testing.T) {
	for name, refuse := range map[string]http.HandlerFunc{
		"404": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Session not found", http.StatusNotFound) },
		"-32002 in a failed POST": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"No session found for sessionId s1"}}`)
		},
		"-32002 in an answer": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"No session found"}}`)
		},
		"-32002 in a list": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `[{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"No session found"}}]`)
		},
		"-32002 for nobody": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"No session found"}}`)
		},
		"-32002 in an event":            stream("data: {\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32002,\"message\":\"No session found\"}}\n\n"),
		"-32002 in an event for nobody": stream("data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32002,\"message\":\"No session found\"}}\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			s := serveSite(t, map[string]http.HandlerFunc{"tools/call": refuse})
			h := initialized(t, s)
			send(t, h, request(2, "tools/call"))
			ends(t, h, "forgotten the session", request(2, "tools/call"))
			if slices.Contains(s.await("initialize", 1), "DELETE s1 2025-06-18") {
				t.Error("a lost session was ended again")
			}
		})
	}
}

// The same code for a resource, in events too, is that call's answer.
func TestHTTPNotLostSession(t *testing.T) {
	const answer = `{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"Resource not found"}}`
	s := serveSite(t, map[string]http.HandlerFunc{"resources/read": stream("data: " + answer + "\n\n"), "tools/list": stream("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n")})
	h := initialized(t, s)
	send(t, h, request(2, "resources/read"))
	receive(t, h, answer)
	send(t, h, request(3, "tools/list"))
	receive(t, h, `{"jsonrpc":"2.0","id":3,"result":{}}`)
}

// When the session is lost, answers that are on their way still arrive.
func TestHTTPLostSessionWaitsForOthers(t *testing.T) {
	lost := make(chan struct{})
	s := serveSite(t, map[string]http.HandlerFunc{
		"slow": func(w http.ResponseWriter, r *http.Request) {
			<-lost
			stream("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n")(w, r)
		},
		"lost": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Session not found", http.StatusNotFound)
			close(lost)
		},
	})
	h := initialized(t, s)
	send(t, h, request(2, "slow"))
	send(t, h, request(3, "lost"))
	receive(t, h, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	ends(t, h, "forgotten the session", request(3, "lost"))
}

func TestHTTPUnreachable(t *testing.T) {
	s := serveSite(t, map[string]http.HandlerFunc{})
	server := httptest.NewServer(s)
	url := strings.Replace(server.URL, "http://", "http://user:hunter2@", 1)
	server.Close() // its port is free now
	h := link(t, url+"/mcp?key=hunter2")
	send(t, h, request(1, "initialize"))
	ends(t, h, "could not be reached", request(1, "initialize"))
	if strings.Contains(h.Exit(), "hunter2") {
		t.Errorf("it %s", h.Exit())
	}
}

// hangUp breaks a connection off after some text.
func hangUp(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		stream(text)(w, r)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	}
}

// A connection that breaks while an answer is due leaves open whether the call
// was carried out. It is that call's failure alone: another that is under way
// gets its answer, and the next one goes out.
func TestHTTPBrokenAnswer(t *testing.T) {
	cut := func(header, value string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set(header, value)
			fmt.Fprint(w, `{"jsonrpc":"2.0",`)
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			panic(http.ErrAbortHandler)
		}
	}
	gone := func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no stream", http.StatusMethodNotAllowed) }
	for name, c := range map[string]struct{ post, get http.HandlerFunc }{
		"the events break off":         {hangUp("data: {\"jsonrpc\":\"2.0\"\n"), gone},
		"the events end":               {stream(": nothing\n\n"), gone},
		"there is no rest":             {stream("id: e1\nretry: 1\ndata:\n\n"), gone},
		"the rest ends too, each time": {stream("id: e1\nretry: 1\ndata:\n\n"), stream("retry: 1\n\n")},
		"the document breaks off":      {cut("X-Nothing", "1"), gone},
		"the document is too short":    {cut("Content-Length", "100"), gone},
		"there is no answer at all":    {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, gone},
	} {
		t.Run(name, func(t *testing.T) {
			answered := make(chan struct{})
			s := serveSite(t, map[string]http.HandlerFunc{
				"tools/call": c.post, "GET": c.get,
				"slow": func(w http.ResponseWriter, r *http.Request) {
					<-answered
					stream("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n")(w, r)
				},
				"next": stream("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n"),
			})
			h := initialized(t, s)
			send(t, h, request(2, "slow"))
			send(t, h, request(3, "tools/call"))
			line, err := h.Read()
			if err != nil || !json.Valid(line) || !strings.Contains(string(line), `"id":3,"error"`) || !strings.Contains(string(line), "broke the connection") {
				t.Fatalf("came %s, %v", line, err)
			}
			close(answered)
			receive(t, h, `{"jsonrpc":"2.0","id":2,"result":{}}`)
			send(t, h, request(4, "next"))
			receive(t, h, `{"jsonrpc":"2.0","id":4,"result":{}}`)
			h.Close(0)
			if unsent := h.Unsent(); len(unsent) > 0 {
				t.Errorf("unsent are %q", unsent)
			}
		})
	}
}

// The rest of a broken answer is had by the last event's id.
func TestHTTPResume(t *testing.T) {
	s := serveSite(t, map[string]http.HandlerFunc{"tools/call": hangUp("id: e1\nretry: 1\ndata:\n\nid: e2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n")})
	s.on["GET"] = func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Last-Event-ID") {
		case "e2": // it breaks once more
			hangUp("id: e3\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"m\"}\n\n")(w, r)
		case "e3":
			stream("id: e4\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n")(w, r)
		default:
			http.Error(w, "no stream", http.StatusMethodNotAllowed)
		}
	}
	h := initialized(t, s)
	send(t, h, request(2, "tools/call"))
	for _, want := range []string{`{"jsonrpc":"2.0","method":"n"}`, `{"jsonrpc":"2.0","method":"m"}`, `{"jsonrpc":"2.0","id":2,"result":{}}`} {
		receive(t, h, want)
	}
}

// An event that is cut off is had again, wherever in it the stream broke.
func TestHTTPResumeInsideAnEvent(t *testing.T) {
	answer := "id: e2\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n\n"
	note := strings.ReplaceAll(answer, `"id":2,"result":{}`, `"method":"two"`)
	for _, cut := range []int{len("id: e2"), len("id: e2\n"), len("id: e2\ndata: {"), len(answer) - 1} {
		s := serveSite(t, map[string]http.HandlerFunc{"tools/call": hangUp("id: e1\nretry: 1\ndata:\n\n" + answer[:cut])})
		var once sync.Once
		s.on["GET"] = func(w http.ResponseWriter, r *http.Request) {
			switch r.Header.Get("Last-Event-ID") {
			case "":
				hangUp("id: n1\nretry: 1\ndata:\n\n"+note[:min(cut, len(note)-1)])(w, r)
			case "n1":
				once.Do(func() { stream(note)(w, r) })
			case "e1":
				stream(answer)(w, r)
			default:
				http.Error(w, "nothing follows", http.StatusMethodNotAllowed)
			}
		}
		h := initialized(t, s)
		receive(t, h, `{"jsonrpc":"2.0","method":"two"}`)
		send(t, h, request(2, "tools/call"))
		receive(t, h, `{"jsonrpc":"2.0","id":2,"result":{}}`)
		h.Close(0)
	}
}

// The stream for the server's own messages goes on where it broke.
func TestHTTPStreamResumes(t *testing.T) {
	s := serveSite(t, map[string]http.HandlerFunc{})
	s.on["GET"] = func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Last-Event-ID") == "" {
			hangUp("retry: 1\n\nid: a\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"one\"}\n\n")(w, r)
		} else {
			stream("id: b\nretry: 60000\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"two\"}\n\n")(w, r)
		}
	}
	h := initialized(t, s)
	receive(t, h, `{"jsonrpc":"2.0","method":"one"}`)
	receive(t, h, `{"jsonrpc":"2.0","method":"two"}`)
	s.await("GET s1 2025-06-18 a", 1)
}

// A cancelled call's connection is given up; the server has been told.
func TestHTTPCancel(t *testing.T) {
	gone := make(chan struct{})
	s := serveSite(t, map[string]http.HandlerFunc{"slow": func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(gone)
	}})
	h := initialized(t, s)
	send(t, h, request(2, "slow"))
	send(t, h, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	s.await("notifications/cancelled s1 2025-06-18", 1)
	<-gone
}

// Close gives up what hangs.
func TestHTTPCloseWhileAServerHangs(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	s := serveSite(t, map[string]http.HandlerFunc{"slow": hang, "GET": hang, "DELETE": hang})
	h := initialized(t, s)
	send(t, h, request(2, "slow"))
	s.await("slow s1 2025-06-18", 1)
	s.await("GET s1 2025-06-18", 1)
	h.Close(50 * time.Millisecond)
	s.await("DELETE s1 2025-06-18", 1)
	if _, err := h.Read(); err != io.EOF {
		t.Errorf("the end is %v", err)
	}
}
