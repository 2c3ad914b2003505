// A running server with what it has said so far.

package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/client"
)

// Patience is how long any wait of a test lasts before it fails. It only has to
// be longer than the slowest machine needs.
const Patience = 30 * time.Second

// Peer is a client with a server behind it, and every line the server sent.
type Peer struct {
	*client.Client
	Lines  *client.LineLog
	t      testing.TB
	stderr *syncBuffer
	nextID int
}

// Start lays out a setup and starts PlayGuard in it.
func Start(t testing.TB, setup Setup) *Peer {
	t.Helper()
	return NewScene(t, setup).Start()
}

// Start starts PlayGuard in the scene. It ends with the test at the latest.
func (s *Scene) Start() *Peer {
	s.t.Helper()
	o := s.setup.Client
	o.Command, o.Env, o.Dir = Playguard(s.t), s.environment(), s.Path("project")
	p := startPeer(s.t, o)
	s.t.Cleanup(func() {
		if left := Remaining(s.Dir, Patience); len(left) > 0 {
			s.t.Errorf("processes are left after the end of the test:\n%s", strings.Join(left, "\n"))
		}
	})
	s.t.Cleanup(p.end)
	return p
}

// Direct starts one scripted upstream without PlayGuard.
func Direct(t testing.TB, script string, o client.Options) *Peer {
	t.Helper()
	o.Command, o.Args = Scripted(t), []string{"-e", script}
	p := startPeer(t, o)
	t.Cleanup(p.end)
	return p
}

func startPeer(t testing.TB, o client.Options) *Peer {
	t.Helper()
	p := &Peer{Lines: &client.LineLog{}, t: t, stderr: &syncBuffer{}, nextID: 1000}
	o.Stderr, o.OnLine = p.stderr, p.Lines.Record
	c, err := client.Start(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	p.Client = c
	return p
}

// end closes the input, waits for the end, and shows what the server printed if
// the test has failed.
func (p *Peer) end() {
	_ = p.Close() // a test that cares has closed it before
	said := p.Stderr()
	if strings.Contains(said, "WARNING: DATA RACE") {
		p.t.Error("the server has a data race")
	}
	if p.t.Failed() {
		p.t.Logf("stderr of the server:\n%s", said)
	}
}

// Stderr is what the server has printed so far.
func (p *Peer) Stderr() string { return p.stderr.String() }

// Context ends with the test's patience.
func Context(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	t.Cleanup(cancel)
	return ctx
}

// Init does the handshake and returns the result of initialize.
func (p *Peer) Init() json.RawMessage {
	p.t.Helper()
	result, err := p.Initialize(Context(p.t))
	if err != nil {
		p.t.Fatal(err)
	}
	return result
}

// Ready does the handshake and asks for the tools, so that every upstream has
// been started and listed.
func (p *Peer) Ready() *Peer {
	p.t.Helper()
	p.Init()
	p.Result("tools/list", `{}`)
	return p
}

// Send sends one line as it is.
func (p *Peer) Send(line string) {
	p.t.Helper()
	if err := p.SendRaw([]byte(line)); err != nil {
		p.t.Fatal(err)
	}
}

// Ask sends a request and returns its id, for Answer.
func (p *Peer) Ask(method, params string) string {
	p.t.Helper()
	p.nextID++
	id := `"r` + strconv.Itoa(p.nextID) + `"`
	p.Send(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`)
	return id
}

// AskTool asks for a tool call.
func (p *Peer) AskTool(name, arguments string) string {
	p.t.Helper()
	return p.Ask("tools/call", `{"name":"`+name+`","arguments":`+arguments+`}`)
}

// Answer waits for the response with a raw id and returns its line.
func (p *Peer) Answer(id string) string {
	p.t.Helper()
	return p.Await(func(line string) bool {
		m := Parse(line)
		return m.Method == "" && string(m.ID) == id
	})
}

// Await waits for a line.
func (p *Peer) Await(match func(line string) bool) string {
	p.t.Helper()
	line, err := p.Lines.Wait(Context(p.t), match)
	if err != nil {
		p.t.Fatalf("%v; the lines that came:\n%s\nstderr:\n%s", err, clip(strings.Join(p.Lines.Lines(), "\n")), clip(p.Stderr()))
	}
	return line
}

// AwaitMethod waits for a request or notification of the server.
func (p *Peer) AwaitMethod(method string) Message {
	p.t.Helper()
	return Parse(p.Await(func(line string) bool { return Parse(line).Method == method }))
}

// Result sends a request and returns the raw result of its response.
func (p *Peer) Result(method, params string) string {
	p.t.Helper()
	m := Parse(p.Answer(p.Ask(method, params)))
	if m.Result == nil {
		p.t.Fatalf("%s was answered with the error %s", method, m.Error)
	}
	return string(m.Result)
}

// Failure sends a request and returns the error of its response.
func (p *Peer) Failure(method, params string) client.RPCError {
	p.t.Helper()
	line := p.Answer(p.Ask(method, params))
	return ErrorOf(p.t, line)
}

// Text calls a tool and returns the text of its result and whether it is an
// error.
func (p *Peer) Text(tool, arguments string) (text string, isError bool) {
	p.t.Helper()
	return TextOf(p.t, p.Answer(p.AskTool(tool, arguments)))
}

// ErrorOf returns the error of a response line.
func ErrorOf(t testing.TB, line string) client.RPCError {
	t.Helper()
	var e client.RPCError
	m := Parse(line)
	if m.Error == nil {
		t.Fatalf("an error was expected instead of %s", clip(line))
	}
	if err := json.Unmarshal(m.Error, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// TextOf returns the text of a tools/call response line.
func TextOf(t testing.TB, line string) (text string, isError bool) {
	t.Helper()
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	m := Parse(line)
	if m.Result == nil {
		t.Fatalf("a tool's result was expected instead of %s", clip(line))
	}
	if err := json.Unmarshal(m.Result, &r); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, c := range r.Content {
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, "\n"), r.IsError
}

// Message is one JSON-RPC message, its members as they came; the zero Message
// stands for a line that is none.
type Message struct {
	ID                    json.RawMessage
	Method                string
	Params, Result, Error json.RawMessage
}

// Parse reads a line.
func Parse(line string) Message {
	var m Message
	if json.Unmarshal([]byte(line), &m) != nil {
		return Message{}
	}
	return m
}

func clip(text string) string {
	if len(text) > 4000 {
		return text[:2000] + " … " + text[len(text)-2000:]
	}
	return text
}

// AwaitStderr waits until the server has printed a text.
func (p *Peer) AwaitStderr(text string) {
	p.t.Helper()
	awaitText(p.t, p.stderr, text)
}

func awaitText(t testing.TB, in *syncBuffer, text string) {
	t.Helper()
	timeout := time.After(Patience)
	for {
		grown, said := in.watch()
		if strings.Contains(said, text) {
			return
		}
		select {
		case <-grown:
		case <-timeout:
			t.Fatalf("%q is not on stderr:\n%s", text, clip(said))
		}
	}
}

// syncBuffer is a buffer that is written by one goroutine and read by another.
type syncBuffer struct {
	mu    sync.Mutex
	b     bytes.Buffer
	grown chan struct{} // closed at the next write; nil when nobody waits
}

// watch returns what there is and a channel that is closed when there is more.
func (s *syncBuffer) watch() (<-chan struct{}, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.grown == nil {
		s.grown = make(chan struct{})
	}
	return s.grown, s.b.String()
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.b.Len() > 8<<20 {
		return len(p), nil // a flood is part of some tests; its beginning is enough
	}
	if s.grown != nil {
		close(s.grown)
		s.grown = nil
	}
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// End closes the input and fails the test if the server does not end with
// status 0.
func (p *Peer) End() {
	p.t.Helper()
	if err := p.Close(); err != nil {
		p.t.Error(err)
	}
}
