// Real servers over streamable HTTP, through the row that takes an address.

package e2e

import (
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/transport"
	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/machine"
	"github.com/playguard/playguard/test/site"
)

// listening is how servers say where they can be reached.
var listening = regexp.MustCompile(`https?://(?:localhost|127\.0\.0\.1):\d+`)

// startHTTP starts a server that says on stderr or stdout where it listens, and
// returns that without a path. It ends with the test.
func startHTTP(t *testing.T, cmd transport.Command) string {
	t.Helper()
	found := make(chan string, 100)
	look := func(line []byte) {
		if at := listening.Find(line); at != nil {
			select {
			case found <- string(at):
			default: // one is enough
			}
		}
	}
	stderr := &transport.Ring{Line: look}
	child, err := transport.StartChild(cmd, 1<<20, stderr)
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for {
			line, err := child.Read()
			if err != nil {
				return
			}
			look(line)
		}
	}()
	t.Cleanup(func() {
		child.Close(0)
		<-read
	})
	select {
	case at := <-found:
		return at
	case <-read:
		child.Close(time.Second)
		t.Fatalf("the server %s: %s", child.Exit(), strings.Join(stderr.Tail(20), "\n"))
	case <-harness.Context(t).Done():
		t.Fatalf("the server does not say where it listens: %s", strings.Join(stderr.Tail(20), "\n"))
	}
	return ""
}

// The real Playwright MCP with its session: handshake, list, calls, and the page
// that is kept between them.
func TestPlaywrightOverHTTP(t *testing.T) {
	here := machine.Need(t)
	temp := shortTemp(t)
	line := here.Direct([]string{"--port", "0", "--isolated", "--timeout-settle", "50", "--config", quietConfig(t, temp)}, temp)
	at := startHTTP(t, transport.Command{
		Path: line[0], Args: line[1:], Dir: t.TempDir(), PrivateTemp: true,
		Env: append(os.Environ(), "DISPLAY=", "WAYLAND_DISPLAY="),
	})
	s := site.Start(t)
	p := harness.Start(t, harness.Setup{Env: []string{"FIGMA_MCP_URL=" + at + "/mcp"}}).Ready()
	navigate(t, p, s.URL+"/form.html")
	contains(t, look(t, p, nil), "Registration", "[ref=e")
	if text, isError := attempt(t, p, "browser_click", map[string]any{"target": "e999"}); !isError || !strings.Contains(text, "e999") {
		t.Errorf("an error of the server is %q", text)
	}
	p.End()
}

// The real Framelink, which has no sessions: no id, no stream, nothing to end.
func TestFramelinkOverHTTP(t *testing.T) {
	if testing.Short() {
		t.Skip("this test needs figma-developer-mcp")
	}
	line, env := realFramelink(t).Command("json")
	line = slices.DeleteFunc(line, func(arg string) bool { return arg == "--stdio" })
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free a moment later
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	at := startHTTP(t, transport.Command{
		Path: line[0], Args: append(line[1:], "--host", "127.0.0.1", "--port", strconv.Itoa(port)), Dir: t.TempDir(), Env: append(os.Environ(), env...),
	})
	p := harness.Start(t, harness.Setup{Env: []string{"FIGMA_MCP_URL=" + at + "/mcp"}}).Ready()
	contains(t, call(t, p, "get_figma_data", map[string]any{"fileKey": "abc", "nodeId": "10:6"}), `"text": "Save changes"`)
	if text, isError := attempt(t, p, "get_figma_data", map[string]any{"fileKey": "abc", "nodeId": "99:99"}); !isError || !strings.Contains(text, "99:99") {
		t.Errorf("a node that is not there gives %q", text)
	}
	p.End()
}
