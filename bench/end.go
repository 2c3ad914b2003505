// How fast PlayGuard ends with a browser open, and that nothing is left of it.

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/playguard/playguard/internal/demo/shop"
	"github.com/playguard/playguard/test/machine"
)

// The bounds of an end: clients kill a server about 500 ms after they have asked
// it to end.
const (
	maxEndMillis = 400
	// Until nothing is left. SIGKILL cannot be answered; test/e2e has the drill with more of them.
	maxKillMillis = 2000
)

// leftPatience is how long is waited for processes to be gone.
const leftPatience = 10 * time.Second

// ending is one measured end.
type ending struct {
	exited time.Duration // until the process was gone
	gone   time.Duration // until nothing of its tree was left
	tree   int           // processes below it before the end
	left   int           // of them, those still there after leftPatience
}

func measureEnd(ctx context.Context, l *lab) ([]figure, error) {
	asked, kills := 5, 10
	if l.quick {
		asked, kills = 2, 3
	}
	if runtime.GOOS != "linux" {
		return []figure{plain("end", 0, "ms").with("measured on Linux only, from /proc")}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	here, err := machine.Find()
	if err != nil {
		return nil, err
	}
	url, stop, err := serveShop(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	var figures []figure
	var all []ending
	for _, w := range waysToEnd() {
		runs := asked
		if w.killed {
			runs = kills
		}
		var ends []ending
		for range runs {
			e, err := l.end(ctx, here, url, w)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", w.name, err)
			}
			ends = append(ends, e)
		}
		figures = append(figures, w.figures(ends)...)
		all = append(all, ends...)
	}
	return append(figures, leftFigure(all)), nil
}

// way is one way to end PlayGuard.
type way struct {
	name   string
	ask    func(*peer) error
	killed bool // it is not asked, but killed
}

func waysToEnd() []way {
	signal := func(s syscall.Signal) func(*peer) error {
		return func(p *peer) error { return p.cmd.Process.Signal(s) }
	}
	return []way{
		{"stdin closed", func(p *peer) error { return p.in.Close() }, false},
		{"SIGINT", signal(syscall.SIGINT), false},
		{"SIGTERM", signal(syscall.SIGTERM), false},
		{"SIGHUP", signal(syscall.SIGHUP), false},
		{"SIGKILL", signal(syscall.SIGKILL), true},
	}
}

// figures judges the ends of one way.
func (w way) figures(ends []ending) []figure {
	var exited, gone []time.Duration
	for _, e := range ends {
		exited, gone = append(exited, e.exited), append(gone, e.gone)
	}
	if w.killed {
		return []figure{atMost(w.name+": nothing left, slowest", millis(slices.Max(gone)), "ms", maxKillMillis).
			with(fmt.Sprintf("of %d, median %.0f ms", len(ends), millis(median(gone))))}
	}
	note := func(d []time.Duration) string {
		return fmt.Sprintf("median of %d, slowest %.0f ms", len(ends), millis(slices.Max(d)))
	}
	return []figure{
		atMost(w.name+": process gone", millis(median(exited)), "ms", maxEndMillis).with(note(exited)),
		plain(w.name+": nothing left", millis(median(gone)), "ms").with(note(gone)),
	}
}

// leftFigure counts what all the ends have left.
func leftFigure(ends []ending) figure {
	left, started := 0, 0
	for _, e := range ends {
		left, started = left+e.left, started+e.tree
	}
	return atMost("left behind", float64(left), "processes", 0).
		with(fmt.Sprintf("of %d that %d PlayGuards had below them", started, len(ends)))
}

// end opens a page, leaves a call in flight, and ends PlayGuard. What it leaves
// is killed.
func (l *lab) end(ctx context.Context, here machine.Found, url string, w way) (ending, error) {
	var e ending
	s, temp, err := l.newBrowserScene(here)
	if err != nil {
		return e, err
	}
	defer os.RemoveAll(temp)
	p, err := s.proxied(ctx)
	if err != nil {
		return e, err
	}
	defer p.stop()
	if err := p.openPage(url); err != nil {
		return e, err
	}
	if err := p.send("tools/call", `{"name":"browser_wait_for","arguments":{"time":30}}`); err != nil {
		return e, err
	}
	if _, err := p.request("ping", "{}"); err != nil { // the call before it has been read
		return e, err
	}

	watched := tree{s.dir}
	before := watched.members(p.cmd.Process.Pid)
	e.tree = len(before)
	began := time.Now()
	if err := w.ask(p); err != nil {
		return e, fmt.Errorf("PlayGuard could not be asked to end: %w", err)
	}
	// Not the command's Wait, which also waits for the end of its output.
	state, err := p.cmd.Process.Wait()
	e.exited = time.Since(began)
	if err != nil {
		return e, fmt.Errorf("the end of PlayGuard could not be waited for: %w", err)
	}
	left := watched.awaitNone(before, began.Add(leftPatience))
	e.gone = time.Since(began)
	e.left = len(left)
	for _, rest := range left {
		if err := kill(rest); err != nil {
			return e, err
		}
	}
	if !w.killed && !state.Success() {
		return e, fmt.Errorf("PlayGuard ended with %v; its last words: %s", state, p.stderr)
	}
	return e, nil
}

// openPage does the handshake and opens a page, which starts the browser.
func (p *peer) openPage(url string) error {
	if err := p.handshake(); err != nil {
		return err
	}
	line, err := p.request("tools/call", `{"name":"browser_navigate","arguments":{"url":`+strconv.Quote(url)+`}}`)
	if err != nil {
		return err
	}
	if failedCall(line) {
		return fmt.Errorf("the page could not be opened: %s", line)
	}
	return nil
}

// newBrowserScene is a scene whose only upstream is the real Playwright MCP. The
// caller removes temp, the folder of everything's temporary files; its path is
// short, because sockets of the browser lie in it.
func (l *lab) newBrowserScene(here machine.Found) (s *scene, temp string, err error) {
	if s, err = l.newScene("{}"); err != nil {
		return nil, "", err
	}
	if temp, err = os.MkdirTemp("", "pg"); err != nil {
		return nil, "", fmt.Errorf("cannot make a temporary folder: %w", err)
	}
	config, err := machine.QuietConfig(temp)
	if err == nil {
		// The installation is shared, the saved catalogues beside it are not.
		data := filepath.Join(s.dir, "data")
		err = errors.Join(os.Mkdir(data, 0o700), os.Symlink(here.Bundle, filepath.Join(data, "bundle")))
	}
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("cannot lay out the folders for a browser: %w", err), os.RemoveAll(temp))
	}
	s.env = append(s.env, // of names that are there twice, the last counts
		"PLAYGUARD_CONFIG=", "PLAYWRIGHT_MCP_CMD=", "PLAYGUARD_AUTO_INSTALL=false",
		`PLAYWRIGHT_MCP_ARGS=--isolated --timeout-settle 50 --config "`+config+`" --executable-path "`+here.Browser.Path+`"`,
		"TMPDIR="+temp, "DISPLAY=", "WAYLAND_DISPLAY=") // headless
	return s, temp, nil
}

// serveShop serves the demo's shop on loopback until stop is called.
func serveShop(ctx context.Context) (url string, stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("no page could be served on this machine: %w", err)
	}
	server := &http.Server{Handler: shop.New(), ReadHeaderTimeout: 10 * time.Second}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) }) // ends with Close, which is no failure
	return "http://" + listener.Addr().String() + "/", func() {
		_ = server.Close()
		serving.Wait()
	}, nil
}
