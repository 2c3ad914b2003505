// The official Figma desktop server: an HTTP server made with the official Go SDK
// stands in for the app, which may be closed, opened later, and forget sessions.

package protocol

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/playguard/playguard/test/harness"
)

// app is the Figma desktop app, as far as MCP goes.
type app struct {
	addr   string
	server *http.Server
	sdk    *mcp.Server
	calls  atomic.Int32
	agents atomic.Int32 // handshakes
}

// code is longer than any limit that other answers have, and must pass whole.
var code = strings.Repeat("<div className=\"flex <b>\u2028\">&amp;</div>\n", 2000)

// openApp starts the app on an address, "127.0.0.1:0" for any free port.
func openApp(t *testing.T, addr string) *app {
	t.Helper()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	a := &app{addr: listener.Addr().String()}
	a.sdk = mcp.NewServer(&mcp.Implementation{Name: "Figma Dev Mode MCP Server", Version: "1.0.0"}, &mcp.ServerOptions{
		InitializedHandler: func(context.Context, *mcp.InitializedRequest) { a.agents.Add(1) },
	})
	type node struct {
		NodeID string `json:"nodeId,omitempty"`
	}
	mcp.AddTool(a.sdk, &mcp.Tool{Name: "get_design_context"}, func(_ context.Context, _ *mcp.CallToolRequest, in node) (*mcp.CallToolResult, any, error) {
		a.calls.Add(1)
		if in.NodeID == "0:0" {
			return nil, nil, fmt.Errorf("no such node")
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: code}}}, nil, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return a.sdk }, nil)
	a.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != "hunter2" {
			http.Error(w, "who are you, "+password, http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	})}
	go func() { _ = a.server.Serve(listener) }() // it ends with quit
	t.Cleanup(a.quit)
	return a
}

// quit closes the app with all its connections.
func (a *app) quit() { _ = a.server.Close() }

// url is the setting for the app, with a password in it.
func (a *app) url() string { return "FIGMA_MCP_URL=http://me:hunter2@" + a.addr + "/mcp" }

// harmless fails if the password is anywhere in what PlayGuard has said.
func harmless(t *testing.T, p *harness.Peer) {
	t.Helper()
	if said := strings.Join(p.Lines.Lines(), "\n") + p.Stderr(); strings.Contains(said, "hunter2") {
		t.Errorf("the password is in:\n%s", said)
	}
}

func TestFigmaDesktop(t *testing.T) {
	a := openApp(t, "127.0.0.1:0")
	// It wins over the other way to Figma, whose command would fail.
	p := harness.Start(t, harness.Setup{Env: []string{a.url(), "FIGMA_MCP_CMD=/nonexistent/figma", "FIGMA_TEXT_COMPACT=100", "FIGMA_CACHE_TTL=60000"}}).Ready()
	for range 2 { // never from memory: the selection may be another
		if text, isError := p.Text("get_design_context", `{}`); text != code || isError {
			t.Errorf("the answer is %.200q", text)
		}
	}
	if n := a.calls.Load(); n != 2 {
		t.Errorf("the app was called %d times", n)
	}
	if text, isError := p.Text("get_design_context", `{"nodeId":"0:0"}`); !isError || text != "no such node" {
		t.Errorf("an error of the app is %q", text)
	}
	// A tool that comes later is announced on the stream.
	a.sdk.AddTool(&mcp.Tool{Name: "get_figjam", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a board"}}}, nil
	})
	p.AwaitMethod("notifications/tools/list_changed")
	if text, _ := p.Text("get_figjam", `{}`); text != "a board" {
		t.Errorf("the later tool gives %q", text)
	}
	if n := a.agents.Load(); n != 1 {
		t.Errorf("there were %d sessions", n)
	}
	harmless(t, p)
	p.End()
}

// With the app closed a call says how to turn the server on; once it is open the
// next call connects and the client is told of the tools.
func TestFigmaDesktopOpenedLater(t *testing.T) {
	a := openApp(t, "127.0.0.1:0")
	a.quit()
	p := harness.Start(t, harness.Setup{Env: []string{a.url()}}).Ready()
	failure := p.Failure("tools/call", `{"name":"get_design_context","arguments":{}}`)
	contains(t, failure.Message, "nothing answers at http://127.0.0.1", "Enable desktop MCP server", "Shift+D")

	b := openApp(t, a.addr)
	// The first tries may still be within the pause after the failed start.
	deadline := time.Now().Add(harness.Patience)
	for {
		m := harness.Parse(p.Answer(p.AskTool("get_design_context", `{}`)))
		if m.Result != nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the app is open, and a call gives %s", m.Error)
		}
		time.Sleep(50 * time.Millisecond)
	}
	if n := b.calls.Load(); n != 1 {
		t.Errorf("the app was called %d times", n)
	}
	p.AwaitMethod("notifications/tools/list_changed")
	if list := p.Result("tools/list", `{}`); !strings.Contains(list, "get_design_context") {
		t.Errorf("the list is %s", list)
	}

	// Closed again, and opened once more.
	b.quit()
	text, isError := p.Text("get_design_context", `{}`)
	if !isError {
		t.Errorf("a closed app answers %.100q", text)
	}
	contains(t, text, "Enable desktop MCP server")
	harmless(t, p)
	p.End()
}

// An app that was restarted has forgotten the session: it is opened again once
// and the call, which was not carried out, is sent again.
func TestFigmaDesktopForgetsTheSession(t *testing.T) {
	a := openApp(t, "127.0.0.1:0")
	p := harness.Start(t, harness.Setup{Env: []string{a.url()}}).Ready()
	if text, _ := p.Text("get_design_context", `{}`); text != code {
		t.Fatalf("the answer is %.200q", text)
	}
	a.quit()
	b := openApp(t, a.addr)
	if text, isError := p.Text("get_design_context", `{}`); text != code || isError {
		t.Errorf("the answer is %.300q", text)
	}
	if n, sessions := b.calls.Load(), b.agents.Load(); n != 1 || sessions != 1 {
		t.Errorf("the app was called %d times in %d sessions", n, sessions)
	}
	p.End()
}

// Figma's remote server is refused at the start, and PlayGuard works without it.
func TestFigmaRemoteIsRefused(t *testing.T) {
	p := harness.Start(t, harness.Setup{Env: []string{"FIGMA_MCP_URL=https://me:hunter2@mcp.figma.com/mcp"}}).Ready()
	p.AwaitStderr("claude mcp add --transport http figma")
	if list := p.Result("tools/list", `{}`); !strings.Contains(list, "browser_small") {
		t.Errorf("the list is %s", list)
	}
	harmless(t, p)
	p.End()
}
