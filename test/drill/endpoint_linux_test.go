package drill

// Browsers of a Playwright server of the user's.

import (
	"bufio"
	"encoding/json"
	"io"
	"net/url"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/playguard/playguard/test/machine"
)

// playwrightServer is a program that lets others use its browser: each connection
// with a context of its own, or all with the one that the user has a page in. It
// says where, answers each line with the addresses of the user's pages, and ends
// with its input.
const playwrightServer = `
const [core, shared, options] = process.argv.slice(1);
process.stdin.on('end', () => process.exit()).resume();
(async () => {
  const { chromium } = require(core);
  if (!shared) {
    const server = await chromium.launchServer({ host: '127.0.0.1', wsPath: '/drill', ...JSON.parse(options) });
    return console.log(server.wsEndpoint());
  }
  const browser = await chromium.launch(JSON.parse(options));
  const context = await browser.newContext();
  await (await context.newPage()).goto(shared);
  const { endpoint } = await browser.bind('drill', { host: '127.0.0.1', port: 0 });
  process.stdin.on('data', () => console.log(JSON.stringify(context.pages().map(page => page.url()))));
  console.log(endpoint);
})();`

// remoteServer is a running Playwright server of the user's.
type remoteServer struct {
	addr, path string
	in         io.WriteCloser
	out        *bufio.Scanner
	cmd        *exec.Cmd
}

// serveBrowser starts a Playwright server; shared is the address of the page that
// the user has there, empty for one that gives each connection its own context.
func serveBrowser(t *testing.T, shared string) *remoteServer {
	t.Helper()
	here := machine.Need(t)
	cmd := exec.Command(here.Node, "-e", playwrightServer, here.PlaywrightCore, shared, toJSON(t, map[string]any{
		"executablePath": here.Browser.Path, "headless": true,
		"args": []string{"--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--disable-background-networking"},
	}))
	cmd.Env = append(cmd.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "TMPDIR="+tempFolder(t))
	r := &remoteServer{cmd: cmd}
	var err error
	r.in, err = cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.end)
	r.out = bufio.NewScanner(out)
	at, err := url.Parse(r.line(t))
	if err != nil {
		t.Fatal(err)
	}
	r.addr, r.path = at.Host, at.Path
	return r
}

func (r *remoteServer) line(t *testing.T) string {
	t.Helper()
	if !r.out.Scan() {
		t.Fatal("the Playwright server has ended")
	}
	return r.out.Text()
}

// pages are the addresses of the user's pages.
func (r *remoteServer) pages(t *testing.T) (urls []string) {
	t.Helper()
	if _, err := io.WriteString(r.in, "\n"); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(r.line(t)), &urls); err != nil {
		t.Fatal(err)
	}
	return urls
}

// end ends the server and its browser.
func (r *remoteServer) end() {
	r.in.Close()
	_ = r.cmd.Wait() // once is enough
}

// A Playwright server with a context for each connection: what was in it is gone
// with the connection, and is put into the next, also in the browser of a server that
// the user has started again. PlayGuard starts none.
func TestRemoteEndpoint(t *testing.T) {
	t.Parallel()
	app := serveApp(t)
	server := serveBrowser(t, "")
	g := &gate{to: server.addr}
	g.open(t)
	t.Cleanup(func() { g.close() })
	s := start(t, app, "--endpoint ws://"+g.addr+server.path)
	s.logIn()
	view := s.newTab("/work?k=endpoint")

	g.close()
	server.end()
	s.fails("browser_snapshot", nil, "The connection to the browser broke", "ECONNREFUSED", "PlayGuard does not start it", "tries again")
	server = serveBrowser(t, "")
	g.to = server.addr
	g.open(t)
	s.awaitBackoff()
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Work endpoint", "Welcome, ada", "Basket: apples")
	s.acts(view, "endpoint")
	s.checkTabs()

	s.die(node(below(s.Process().Pid)))
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Work endpoint", "Welcome, ada", "Basket: apples")
	s.checkTabs()
	if own := browsers(below(s.Process().Pid)); len(own) > 0 {
		t.Errorf("PlayGuard has started a browser: %v", own)
	}
	s.End()
	if err := server.cmd.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the server is gone: %v", err)
	}
	if files := s.savedFiles(); len(files) > 0 {
		t.Errorf("saved storage is left: %q", files)
	}
	if n := app.Posts("endpoint click"); n != 1 {
		t.Errorf("the click was posted %d times", n)
	}
}

// A Playwright server with the user's own pages in one context for all: it is
// found again as it is, nothing of its storage is saved, and the end of PlayGuard
// leaves the pages. A server that is gone for good is explained at each try.
func TestSharedEndpoint(t *testing.T) {
	t.Parallel()
	app := serveApp(t)
	server := serveBrowser(t, app.URL+"/login")
	g := &gate{to: server.addr}
	g.open(t)
	t.Cleanup(func() { g.close() })
	s := start(t, app, "--endpoint ws://"+g.addr+server.path)
	s.tabs = []string{app.URL + "/login"}
	s.checkTabs()
	s.newTab("/login")
	view := s.call("browser_snapshot", map[string]any{"full": true})
	s.call("browser_type", map[string]any{"target": handle(t, view, "Name"), "text": "kept"})
	g.close()
	g.open(t)
	text := s.call("browser_snapshot", map[string]any{"full": true})
	contains(t, text, "Login", "kept", "; restored]")
	lacks(t, text, "lost")
	s.checkTabs()
	if files := s.savedFiles(); len(files) > 0 {
		t.Errorf("storage of the user's own browser was saved: %q", files)
	}
	s.die(node(below(s.Process().Pid)))
	contains(t, s.call("browser_snapshot", map[string]any{"full": true}), "Login", "kept")
	s.checkTabs()
	if now := server.pages(t); strings.Join(now, " ") != strings.Join(s.tabs, " ") {
		t.Errorf("the user's pages are %q, not %q", now, s.tabs)
	}
	server.end()
	for range 2 {
		s.fails("browser_snapshot", nil, "The connection to the browser broke", "PlayGuard does not start it", "tries again")
	}
	if own := browsers(below(s.Process().Pid)); len(own) > 0 {
		t.Errorf("PlayGuard has started a browser: %v", own)
	}
	s.End()
}
