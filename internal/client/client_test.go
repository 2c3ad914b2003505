package client

// This file tests a client against a scripted server: this test binary, started
// again.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const serverEnv = "PLAYGUARD_CLIENT_TEST_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverEnv) != "" {
		serve(os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// serve is a server whose methods say what it does.
func serve(in io.Reader, out io.Writer) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		if json.Unmarshal(line, &m) != nil {
			fmt.Fprintf(out, "not json: %q\n", line)
			continue
		}
		switch m.Method {
		case "echo":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, m.Params)
		case "odd": // members in another order, space, escapes, a second answer
			fmt.Fprintf(out, "{ \"result\" : {\"a\":[1,\"]}\\\"\"]} ,\"x\":{}, \"\\u0069d\": %s }\r\n", m.ID)
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":2}`+"\n", m.ID)
		case "fail":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no","data":{"n":12345678901234567890}}}`+"\n", m.ID)
		case "batch":
			fmt.Fprintf(out, `[{"jsonrpc":"2.0","method":"note","params":1},{"jsonrpc":"2.0","id":%s,"result":"b"}]`+"\n", m.ID)
		case "large":
			n, _ := strconv.Atoi(string(m.Params))
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":"%s"}`+"\n", m.ID, strings.Repeat("é", n/2))
		case "ask":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":"s1","method":"roots/list"}`+"\n"+`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`+"\n")
			for range 2 {
				reply, _ := lines.ReadBytes('\n')
				fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"got","params":%s}`+"\n", bytes.TrimSpace(reply))
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":null}`+"\n", m.ID)
		case "tools/call":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"one"},{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"text","text":"two","_meta":{"k":1}}],"isError":true}}`+"\n", m.ID)
		case "initialize":
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"asked":%s}}`+"\n", m.ID, m.Params)
		case "silent":
		case "exit":
			fmt.Fprint(out, `{"half`)
			os.Exit(3)
		case "stay": // closes the output, reads on
			_ = out.(*os.File).Close()
		case "hang": // ends neither by EOF nor by itself
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":null}`+"\n", m.ID)
			select {}
		default: // notifications are told back, so that a test sees them arrive
			fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"seen","params":%s}`+"\n", bytes.TrimSpace(line))
		}
	}
}

func startServer(t *testing.T, o Options) *Client {
	t.Helper()
	o.Command, o.Env = os.Args[0], append(os.Environ(), serverEnv+"=1")
	c, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestCallReturnsTheResultsBytes(t *testing.T) {
	c := startServer(t, Options{})
	for _, params := range []string{
		`{"n":12345678901234567890,"s":"<>&\u2028 ","z":{"a":[{},[]]}}`, `"x"`, `[ 1 , 2 ]`, `null`, `-1.5e300`, `true`, "\"\u2028\"",
	} {
		got, err := c.Call(t.Context(), "echo", json.RawMessage(params))
		if err != nil || string(got) != params {
			t.Errorf("echo of %s gave %s, %v", params, got, err)
		}
	}
	if got, err := c.Call(t.Context(), "echo", json.RawMessage("{\n\"a\": 1}")); err != nil || string(got) != `{"a":1}` {
		t.Errorf("parameters with a line break gave %s, %v", got, err)
	}
	if got, err := c.Call(t.Context(), "echo", map[string]string{"a": "<&>"}); err != nil || string(got) != `{"a":"<&>"}` {
		t.Errorf("encoded parameters gave %s, %v", got, err)
	}
	if got, err := c.Call(t.Context(), "odd", nil); err != nil || string(got) != `{"a":[1,"]}\""]}` {
		t.Errorf("an odd but valid answer gave %s, %v", got, err)
	}
	if got, err := c.Call(t.Context(), "batch", nil); err != nil || string(got) != `"b"` {
		t.Errorf("a batch gave %s, %v", got, err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if state := c.ProcessState(); state == nil || !state.Success() {
		t.Errorf("process state after Close: %v", state)
	}
	if _, err := c.Call(t.Context(), "echo", nil); err == nil {
		t.Error("a call after Close succeeded")
	}
}

func TestErrors(t *testing.T) {
	c := startServer(t, Options{})
	_, err := c.Call(t.Context(), "fail", nil)
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Code != -32000 || rpc.Message != "no" || string(rpc.Data) != `{"n":12345678901234567890}` {
		t.Errorf("error answer: %#v", err)
	}
	if _, err := c.Call(t.Context(), "echo", json.RawMessage("{\n")); err == nil {
		t.Error("invalid parameters were sent")
	}
	if _, err := c.Call(t.Context(), "echo", func() {}); err == nil {
		t.Error("parameters that cannot be encoded were sent")
	}
	if _, err := Start(t.Context(), Options{Command: "/nonexistent/program"}); err == nil {
		t.Error("a missing program was started")
	}
}

func TestInitializeAndTools(t *testing.T) {
	var log LineLog
	c := startServer(t, Options{OnLine: log.Record, Capabilities: json.RawMessage(`{"roots":{}}`), Info: Info{"n", "v"}})
	got, err := c.Initialize(t.Context())
	want := `{"asked":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"n","version":"v"}}}`
	if err != nil || string(got) != want {
		t.Errorf("initialize: %s, %v", got, err)
	}
	if _, err := log.Wait(t.Context(), func(l string) bool { return strings.Contains(l, `"notifications/initialized"`) }); err != nil {
		t.Error(err)
	}
	r, err := c.CallTool(t.Context(), "look", nil)
	if err != nil || !r.IsError || r.Text() != "one\ntwo" || len(r.Content) != 3 {
		t.Errorf("tool result: %+v, %v", r, err)
	} else if string(r.Content[2].Raw) != `{"type":"text","text":"two","_meta":{"k":1}}` || r.Content[1].MIMEType != "image/png" {
		t.Errorf("blocks: %s", r.Content[2].Raw)
	}
}

func TestRequestsOfTheServer(t *testing.T) {
	for _, handled := range []bool{true, false} {
		var log LineLog
		o := Options{OnNotification: func(method string, params json.RawMessage) {
			log.Record([]byte(method + " " + string(params)))
		}}
		want := `got {"jsonrpc":"2.0","id":"s1","error":{"code":-32601,"message":"method not found: roots/list"}}`
		if handled {
			o.OnRequest = func(string, json.RawMessage) (json.RawMessage, *RPCError) {
				return json.RawMessage(`{"roots":[]}`), nil
			}
			want = `got {"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}`
		}
		c := startServer(t, o)
		if _, err := c.Call(t.Context(), "ask", nil); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(log.Lines(), "\n")
		for _, line := range []string{want, `got {"jsonrpc":"2.0","id":9007199254740993,"result":{}}`} {
			if !strings.Contains(got, line) {
				t.Errorf("no line %s in:\n%s", line, got)
			}
		}
	}
}

func TestCancellationIsTold(t *testing.T) {
	var log LineLog
	c := startServer(t, Options{OnLine: log.Record})
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := c.Call(ctx, "silent", nil)
		result <- err
	}()
	if _, err := c.Call(t.Context(), "echo", json.RawMessage("1")); err != nil { // the order of ids does not matter
		t.Fatal(err)
	}
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled call: %v", err)
	}
	if _, err := c.Call(ctx, "echo", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a call with an ended context: %v", err)
	}
}

func TestCancelledRequestNamesItsID(t *testing.T) {
	near, far := net.Pipe()
	c := New(near, Options{})
	t.Cleanup(func() { _ = c.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := c.Call(ctx, "slow", nil)
		result <- err
	}()
	lines := bufio.NewScanner(far)
	lines.Scan()
	if got := lines.Text(); got != `{"jsonrpc":"2.0","id":1,"method":"slow"}` {
		t.Errorf("request: %s", got)
	}
	cancel()
	lines.Scan()
	if got := lines.Text(); got != `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"the caller's context ended"}}` {
		t.Errorf("notification: %s", got)
	}
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	_ = far.Close()
	<-c.Done()
	if _, err := c.Call(t.Context(), "x", nil); !errors.Is(err, io.EOF) {
		t.Errorf("a call after the end: %v", err)
	}
}

func TestEndFailsWaitingCalls(t *testing.T) {
	c := startServer(t, Options{})
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if _, err := c.Call(t.Context(), "silent", nil); err == nil || !strings.Contains(err.Error(), "exit status 3") {
				t.Errorf("a waiting call failed with %v, want the exit status", err)
			}
		})
	}
	calls.Go(func() {
		_, err := c.Call(t.Context(), "exit", nil)
		if err == nil || !strings.Contains(err.Error(), "exit status 3") {
			t.Errorf("the call that ended the server: %v", err)
		}
	})
	calls.Wait()
	if err := c.Close(); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("Close: %v", err)
	}
}

func TestClosedOutputOfALivingServer(t *testing.T) {
	c := startServer(t, Options{})
	if _, err := c.Call(t.Context(), "stay", nil); err == nil || !strings.Contains(err.Error(), "still runs") {
		t.Errorf("got %v", err)
	}
}

func TestCloseKillsAServerThatHangs(t *testing.T) {
	c := startServer(t, Options{CloseTimeout: 50 * time.Millisecond})
	if _, err := c.Call(t.Context(), "hang", nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err == nil || !strings.Contains(err.Error(), "was killed") {
		t.Errorf("Close: %v", err)
	}
	if err := c.Close(); err == nil {
		t.Error("the second Close forgot the failure")
	}
}

func TestTheContextsEndEndsTheServer(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		c, err := Start(ctx, Options{Command: os.Args[0], Env: append(os.Environ(), serverEnv+"=1")})
		if err != nil {
			t.Fatal(err)
		}
		if hangs {
			if _, err := c.Call(t.Context(), "hang", nil); err != nil {
				t.Fatal(err)
			}
			if err := c.CloseInput(); err != nil {
				t.Fatal(err)
			}
		}
		cancel()
		<-c.Exited()
		if killed := !c.ProcessState().Exited(); killed != hangs {
			t.Errorf("hanging %v: the server ended with %v", hangs, c.ProcessState())
		}
		if err := c.Close(); err == nil {
			t.Error("Close does not tell that the context ended")
		}
	}
}

func TestRawLines(t *testing.T) {
	var log LineLog
	c := startServer(t, Options{OnLine: log.Record})
	for raw, want := range map[string]string{
		"{broken\xff": `not json: "{broken\xff\n"`,
		`{"id":"q","method":"echo","params":7}` + "\n":  `{"jsonrpc":"2.0","id":"q","result":7}`,
		`{"id":9e9,"method":"echo","params":"\u0041"}`:  `{"jsonrpc":"2.0","id":9e9,"result":"\u0041"}`,
		`{"id":null,"method":"echo","params":{"a": 1}}`: `{"jsonrpc":"2.0","id":null,"result":{"a": 1}}`,
	} {
		if err := c.SendRaw([]byte(raw)); err != nil {
			t.Fatal(err)
		}
		if _, err := log.Wait(t.Context(), func(l string) bool { return l == want }); err != nil {
			t.Errorf("%q: %v", raw, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := log.Wait(ctx, func(string) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("a line that never comes: %v", err)
	}
}

func TestManyCallsAndLongLines(t *testing.T) {
	c := startServer(t, Options{})
	var calls sync.WaitGroup
	for i := range 64 {
		calls.Go(func() {
			for j := range 20 {
				want := fmt.Sprintf(`[%d,%d]`, i, j)
				if got, err := c.Call(t.Context(), "echo", json.RawMessage(want)); err != nil || string(got) != want {
					t.Errorf("got %s, want %s, %v", got, want, err)
				}
			}
		})
	}
	calls.Go(func() {
		for _, n := range []int{1 << 10, 65536 - 40, 1 << 17, 24 << 20} {
			got, err := c.Call(t.Context(), "large", n)
			if err != nil || len(got) != n+2 || bytes.Count(got, []byte("é")) != n/2 {
				t.Errorf("%d bytes: got %d, %v", n, len(got), err)
			}
		}
	})
	calls.Wait()
}

func TestTooLongALineEndsTheConnection(t *testing.T) {
	c := startServer(t, Options{MaxLine: 1 << 16})
	if _, err := c.Call(t.Context(), "large", 1<<17); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	c, err := Start(context.Background(), Options{Command: os.Args[0], Env: append(os.Environ(), serverEnv+"=1")})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	params := json.RawMessage(`{"name":"x","arguments":{"a":1}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Call(context.Background(), "echo", params); err != nil {
			b.Fatal(err)
		}
	}
}
