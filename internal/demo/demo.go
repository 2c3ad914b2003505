// Package demo shows on a real task what the program does: it starts it the way
// a client does, serves a shop from the binary, works through a purchase with
// the real browser, and reports what upstream sent and what the agent got.
//
// The part of the agent is played by code that decides by reading: it finds
// elements in the text of browser_snapshot and knows nothing else of the page.
package demo

// This file runs the steps.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/internal/demo/shop"
)

// Options says what to run and where to tell about it.
type Options struct {
	Executable string   // the playguard binary
	Command    []string // a Playwright MCP command to talk to directly instead; browser arguments are added
	Headed     bool     // show the browser
	JSON       bool     // write the report as JSON at the end, not as text on the way
	Out        io.Writer
	// Progress is called before each step and may be nil.
	Progress func(number, total int, name string)
}

// Run works through the task. When a step fails, the error says which, what was
// expected and what came; the report then holds the steps before it. Nothing is
// left behind: neither a process nor a file.
func Run(ctx context.Context, o Options) (report Report, err error) {
	dir, err := os.MkdirTemp("", "playguard-demo-")
	if err != nil {
		return report, fmt.Errorf("no temporary folder for the demo could be made: %w", err)
	}
	defer func() {
		err = errors.Join(err, removeAll(dir))
	}()
	where, err := prepare(o, dir)
	if err != nil {
		return report, err
	}
	store := shop.New()
	address, stop, err := serve(ctx, store)
	if err != nil {
		return report, err
	}
	defer stop()

	start := time.Now()
	var said tail
	mcp, err := client.Start(ctx, client.Options{
		Command: where.command[0], Args: where.command[1:], Env: where.env, Dir: dir, Stderr: &said,
		Info: client.Info{Name: "playguard-demo", Version: "1"},
	})
	if err != nil {
		return report, err
	}
	r := runner{
		o: o, log: callLog{dir: where.logDir},
		session: session{mcp: mcp, shop: store, url: address, sees: len(o.Command) == 0},
	}
	err = r.run(ctx)
	if e := mcp.Close(); e != nil && err == nil {
		err = e
	}
	if err != nil {
		return r.report, said.explain(err)
	}
	r.report.Orders = store.Orders()
	r.report.finish(time.Since(start))
	if o.JSON {
		e := json.NewEncoder(o.Out)
		e.SetIndent("", "  ")
		return r.report, e.Encode(r.report)
	}
	return r.report, r.report.writeSummary(o.Out)
}

// runner works through the steps and collects what they cost.
type runner struct {
	o       Options
	log     callLog
	session session
	report  Report
}

func (r *runner) run(ctx context.Context) error {
	if err := r.handshake(ctx); err != nil {
		return err
	}
	steps := task()
	for i, step := range steps {
		if r.o.Progress != nil {
			r.o.Progress(i+1, len(steps), step.name)
		}
		if err := r.step(ctx, i+1, step); err != nil {
			return fmt.Errorf("step %d of the demo, %q, failed: %w", i+1, step.name, err)
		}
	}
	return nil
}

// handshake initializes and checks that the browser's tools are there.
func (r *runner) handshake(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, callTimeout, fmt.Errorf("no answer within %s", callTimeout))
	defer cancel()
	if _, err := r.session.mcp.Initialize(ctx); err != nil {
		return err
	}
	result, err := r.session.mcp.Call(ctx, "tools/list", struct{}{})
	if err != nil {
		return err
	}
	var list struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(result, &list); err != nil {
		return fmt.Errorf("the list of tools cannot be read: %w", err)
	}
	for _, t := range list.Tools {
		if t.Name == "browser_snapshot" {
			return nil
		}
	}
	return fmt.Errorf("the tool browser_snapshot is not among the %d tools listed: Playwright MCP is missing or did not start; run \"playguard setup\"", len(list.Tools))
}

func (r *runner) step(ctx context.Context, number int, step step) error {
	start := time.Now()
	r.session.calls = nil
	if err := step.run(ctx, &r.session); err != nil {
		return err
	}
	took := time.Since(start)
	done := Step{Name: step.name, Calls: r.session.calls}
	if err := r.log.fill(ctx, done.Calls); err != nil {
		return err
	}
	if step.show != "" {
		done.View = excerpt(r.session.view(), step.show)
	}
	done.finish(took)
	r.report.Steps = append(r.report.Steps, done)
	if r.o.JSON {
		return nil
	}
	return done.write(r.o.Out, number)
}

// serve serves the shop on loopback until stop is called.
func serve(ctx context.Context, store http.Handler) (address string, stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("the demo's shop could not be served on this machine: %w", err)
	}
	server := &http.Server{Handler: store, ReadHeaderTimeout: 10 * time.Second}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) }) // ends with Close, which is no failure
	return "http://" + listener.Addr().String(), func() {
		_ = server.Close()
		serving.Wait()
	}, nil
}

// removeAll removes the run's folder. A browser that is just ending may still
// write into it, so a failure is tried again for a while.
func removeAll(dir string) error {
	var err error
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("the demo's temporary folder could not be removed; delete it by hand: %w", err)
}

// tailSize is how much of the program's stderr is kept, in bytes.
const tailSize = 2 << 10

// tail keeps the end of what is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if over := len(t.b) - tailSize; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

// explain adds what the program said last to an error.
func (t *tail) explain(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	said := strings.TrimSpace(string(t.b))
	if said == "" {
		return err
	}
	return fmt.Errorf("%w\nthe program's last words were:\n%s", err, said)
}
