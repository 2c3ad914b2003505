package drill

// The user's own browser, connected to over its debugging port.

import (
	"bufio"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/playguard/playguard/test/machine"
)

// gate stands between PlayGuard and a browser's debugging port, so that the port
// can be closed and opened.
type gate struct {
	to       string
	addr     string
	serving  sync.WaitGroup
	mu       sync.Mutex
	listener net.Listener
	conns    []net.Conn
}

// open listens on addr, or on any port.
func (g *gate) open(t testing.TB) {
	t.Helper()
	addr := g.addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp4", addr)
	if err != nil {
		t.Fatal(err)
	}
	g.listener, g.addr = l, l.Addr().String()
	g.serving.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp4", g.to)
			if err != nil {
				in.Close()
				continue
			}
			g.mu.Lock()
			g.conns = append(g.conns, in, out)
			g.mu.Unlock()
			pass := func(to, from net.Conn) {
				_, _ = io.Copy(to, from) // ends with either side
				to.Close()
				from.Close()
			}
			g.serving.Go(func() { pass(out, in) })
			g.serving.Go(func() { pass(in, out) })
		}
	})
}

func (g *gate) close() {
	g.listener.Close()
	g.mu.Lock()
	for _, c := range g.conns {
		c.Close()
	}
	g.conns = nil
	g.mu.Unlock()
	g.serving.Wait()
}

// ownBrowser starts a browser as a user does who lets PlayGuard connect to it.
func ownBrowser(t *testing.T) (browser *exec.Cmd, port string) {
	t.Helper()
	here := machine.Need(t)
	dir := t.TempDir()
	cmd := exec.Command(here.Browser.Path, "--headless", "--no-sandbox", "--remote-debugging-port=0", "--user-data-dir="+dir,
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--disable-background-networking", "--no-first-run", "about:blank")
	cmd.Env = append(cmd.Environ(), "TMPDIR="+tempFolder(t))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait() // it was killed
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "DevTools listening on ws://"); ok {
			port, _, _ = strings.Cut(at, "/")
			break
		}
	}
	if port == "" {
		t.Fatal("the browser does not say where it listens")
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }() // ends with the browser
	return cmd, port
}

// A browser that is not PlayGuard's: the connection breaks, and is made again to
// the same browser with the same page; while the port is closed the calls say so;
// the end of the server leaves the browser alone.
func TestRemoteBrowser(t *testing.T) {
	t.Parallel()
	app := serveApp(t)
	browser, port := ownBrowser(t)
	g := &gate{to: port}
	g.open(t)
	t.Cleanup(func() { g.close() })
	s := start(t, app, "--cdp-endpoint http://"+g.addr)
	s.enter(s.open("/login"))
	view := s.open("/work?k=remote")
	s.call("browser_type", map[string]any{"target": handle(t, view, "Text"), "text": "kept"})

	g.close()
	text, failed := s.try("browser_snapshot", nil)
	if !failed {
		t.Errorf("without a connection a look is answered with:\n%s", text)
	}
	contains(t, text, "The connection to the browser broke", "PlayGuard does not start it")
	g.open(t)
	for deadline := 0; ; deadline++ { // the backoff says how long
		text, failed = s.try("browser_snapshot", map[string]any{"full": true})
		if !failed {
			break
		}
		if deadline == 100_000 {
			t.Fatalf("the connection does not come back: %s", text)
		}
	}
	contains(t, text, "Work remote", "kept")

	deaths := s.deaths()
	g.close()
	id := s.AskTool("browser_snapshot", `{"full":true}`) // the first try to connect is refused
	s.awaitDeath(deaths)
	g.open(t)
	if text, failed = s.answer(id); failed {
		t.Errorf("a port that was closed for a moment fails the look:\n%s", text)
	}
	s.acts(view, "remote")
	s.die(node(below(s.Process().Pid)))
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Work remote", "kept", "click done")
	s.End()
	if err := browser.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the browser is gone: %v", err)
	}
	if files := s.savedFiles(); len(files) > 0 {
		t.Errorf("storage of a browser that is not PlayGuard's was saved: %q", files)
	}
	if app.Posts("remote click") != 1 {
		t.Errorf("the click was posted %d times", app.Posts("remote click"))
	}
}
