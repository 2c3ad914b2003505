// What an agent reads for whole pieces of work in a real browser, against
// Playwright MCP itself with a look after every action.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/test/agent"
	"github.com/playguard/playguard/test/machine"
	"github.com/playguard/playguard/test/site"
)

// The bounds on what a flow may cost.
const (
	minTodoSavedPercent       = 90 // with 20 items
	minFormSavedPercent       = 80 // checkout and grid
	minNavigationSavedPercent = 72
	maxCallsRatio             = 0.5
	maxEnvelopeTokens         = 25
)

// reading is what one run of a flow delivered.
type reading struct {
	calls      int
	tokens     int // delivered
	cumulative int // each answer read again at every later turn
	envelope   int // the largest of an ordinary action
}

func measureFlows(ctx context.Context, l *lab) ([]figure, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Minute)
	defer cancel()
	encoder, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return nil, fmt.Errorf("the tokenizer cannot be loaded: %w", err)
	}
	pages := site.Serve()
	defer pages.Close()
	raw, err := l.readFlows(ctx, pages, encoder, false)
	if err != nil {
		return nil, fmt.Errorf("with Playwright MCP alone: %w", err)
	}
	guarded, err := l.readFlows(ctx, pages, encoder, true)
	if err != nil {
		return nil, fmt.Errorf("with PlayGuard: %w", err)
	}
	return flowFigures(agent.Flows(), raw, guarded), nil
}

// flowFigures judges the readings, which are in the order of the flows.
func flowFigures(flows []agent.Flow, raw, guarded []reading) []figure {
	var figures []figure
	var envelope int
	for i, f := range flows {
		r, g := raw[i], guarded[i]
		saved := percentSaved(r.tokens, g.tokens)
		name := f.Name + ": delivered tokens saved"
		figure := plain(name, saved, "%")
		switch {
		case f.Name == "to-do, 20 items":
			figure = atLeast(name, saved, "%", minTodoSavedPercent)
		case f.Name == "checkout" || f.Name == "grid":
			figure = atLeast(name, saved, "%", minFormSavedPercent)
		case f.Name == "navigation":
			figure = atLeast(name, saved, "%", minNavigationSavedPercent)
		}
		figures = append(figures,
			figure.with(fmt.Sprintf("%d to %d", r.tokens, g.tokens)),
			plain(f.Name+": cumulative tokens saved", percentSaved(r.cumulative, g.cumulative), "%").
				with(fmt.Sprintf("%d to %d, each answer read again at every later turn", r.cumulative, g.cumulative)),
			atMost(f.Name+": calls, of the baseline's", float64(g.calls)/float64(r.calls), "×", maxCallsRatio).
				with(fmt.Sprintf("%d to %d", r.calls, g.calls)),
		)
		envelope = max(envelope, g.envelope)
	}
	return append(figures, atMost("envelope of an ordinary action, largest", float64(envelope), "tokens", maxEnvelopeTokens))
}

// readFlows does all flows in one session.
func (l *lab) readFlows(ctx context.Context, pages *site.Site, encoder tokenizer.Codec, guarded bool) (_ []reading, err error) {
	start := l.startRaw
	if guarded {
		start = l.startGuarded
	}
	mcp, done, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, done()) }()
	if _, err := mcp.Initialize(ctx); err != nil {
		return nil, err
	}
	a := &agent.Agent{MCP: mcp, Site: pages, Look: !guarded, Refs: !guarded}
	var all []reading
	for _, f := range agent.Flows() {
		if err := a.Run(ctx, f.Task); err != nil {
			return nil, err
		}
		r, err := read(a.Calls, encoder)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// read counts what the answers of a flow's calls cost.
func read(calls []agent.Call, encoder tokenizer.Codec) (reading, error) {
	r := reading{calls: len(calls)}
	for i, c := range calls {
		text := c.Answer.Text()
		tokens, err := encoder.Count(text)
		if err != nil {
			return r, fmt.Errorf("counting tokens: %w", err)
		}
		r.tokens += tokens
		r.cumulative += tokens * (len(calls) - i)
		head, ordinary := envelopeOf(text)
		if !ordinary {
			continue
		}
		if tokens, err = encoder.Count(head); err != nil {
			return r, fmt.Errorf("counting tokens: %w", err)
		}
		r.envelope = max(r.envelope, tokens)
	}
	return r, nil
}

// envelopeOf is what an action's answer has besides the change itself. It is
// ordinary if there is a change and nothing else to tell.
func envelopeOf(text string) (head string, ordinary bool) {
	head, rest, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(head, "[PlayGuard delta ") {
		return "", false
	}
	for _, section := range []string{"ADDED:", "REMOVED:", "CHANGED:", "MOVED:"} {
		if strings.HasPrefix(rest, section) {
			return head, true
		}
	}
	return "", false
}

// startRaw starts Playwright MCP itself. done ends it.
func (l *lab) startRaw(ctx context.Context) (mcp *client.Client, done func() error, err error) {
	b, err := l.newFlowScene()
	if err != nil {
		return nil, nil, err
	}
	line := b.found.Direct(b.args, filepath.Join(b.dir, "output"))
	mcp, err = client.Start(ctx, client.Options{Command: line[0], Args: line[1:], Dir: b.project, Env: b.env})
	if err != nil {
		return nil, nil, err
	}
	return mcp, mcp.Close, nil
}

// startGuarded starts PlayGuard with its defaults. done ends it.
func (l *lab) startGuarded(ctx context.Context) (mcp *client.Client, done func() error, err error) {
	b, err := l.newFlowScene()
	if err != nil {
		return nil, nil, err
	}
	var quoted []string
	for _, a := range b.args {
		quoted = append(quoted, `"`+a+`"`)
	}
	env := append(b.env,
		"PLAYWRIGHT_MCP_ARGS="+strings.Join(quoted, " "),
		"PLAYGUARD_PROJECT_ROOT="+b.project,
		"PLAYGUARD_LOG_DIR="+filepath.Join(b.dir, "logs"),
		"PLAYGUARD_DATA_DIR="+filepath.Join(b.dir, "data"),
		"PLAYGUARD_AUTO_INSTALL=false",
		"DISPLAY=", "WAYLAND_DISPLAY=", // headless
	)
	mcp, err = client.Start(ctx, client.Options{Command: l.playguard, Dir: b.project, Env: env})
	if err != nil {
		return nil, nil, err
	}
	return mcp, mcp.Close, nil
}

// browserScene is where a real browser is started.
type browserScene struct {
	dir, project string
	env          []string
	args         []string // of Playwright MCP
	found        machine.Found
}

func (l *lab) newFlowScene() (*browserScene, error) {
	found, err := machine.Find()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(l.dir, "b")
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary folder: %w", err)
	}
	config, err := machine.QuietConfig(dir)
	if err != nil {
		return nil, err
	}
	b := &browserScene{
		dir: dir, project: filepath.Join(dir, "project"), found: found,
		args: []string{"--isolated", "--timeout-settle", "50", "--config", config},
		env:  cleanEnvironment(os.Environ()),
	}
	for _, d := range []string{b.project, filepath.Join(dir, "data"), filepath.Join(dir, "output")} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, fmt.Errorf("cannot make a temporary folder: %w", err)
		}
	}
	if err := os.Symlink(found.Bundle, filepath.Join(dir, "data", "bundle")); err != nil {
		return nil, fmt.Errorf("cannot share the installed packages: %w", err)
	}
	for _, name := range []string{"CACHE", "STATE", "DATA", "CONFIG"} {
		b.env = append(b.env, "XDG_"+name+"_HOME="+filepath.Join(dir, strings.ToLower(name)+"-home"))
	}
	return b, nil
}
