// The programs under test and the folders they run in.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/playguard/playguard/test/scripted"
)

// lab is what all measurements share: the built programs and a temporary folder.
type lab struct {
	dir       string
	playguard string
	upstream  string
	quick     bool
}

// newLab builds the programs. The caller closes it.
func newLab(ctx context.Context, opts options) (*lab, error) {
	dir, err := os.MkdirTemp("", "playguard-bench-")
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary folder: %w", err)
	}
	l := &lab{dir: dir, playguard: opts.binary, quick: opts.quick}
	if l.upstream, err = scripted.Build(ctx, dir); err == nil && l.playguard == "" {
		err = l.buildPlayguard(ctx)
	}
	if err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *lab) buildPlayguard(ctx context.Context) error {
	l.playguard = filepath.Join(l.dir, "playguard")
	if runtime.GOOS == "windows" {
		l.playguard += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", l.playguard,
		"github.com/playguard/playguard/cmd/playguard")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot build playguard: %w\n%s", err, out)
	}
	return nil
}

func (l *lab) close() { _ = os.RemoveAll(l.dir) }

// scene is one script and the folders of a PlayGuard that has it as upstream.
type scene struct {
	lab    *lab
	dir    string
	script string // file of the script
	env    []string
}

// newScene writes the script, and a configuration that runs it as an upstream
// beside a scripted server in the place of Playwright MCP.
func (l *lab) newScene(script string) (*scene, error) {
	dir, err := os.MkdirTemp(l.dir, "scene-")
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary folder: %w", err)
	}
	s := &scene{lab: l, dir: dir, script: filepath.Join(dir, "script.json")}
	browser := filepath.Join(dir, "browser.json")
	servers := filepath.Join(dir, "servers.json")
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{
		"scripted": map[string]any{"command": l.upstream, "args": []string{"-script", s.script}},
	}})
	if err != nil {
		return nil, err
	}
	for file, text := range map[string]string{s.script: script, servers: string(config), browser: browserScript} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, fmt.Errorf("cannot write the configuration to measure with: %w", err)
		}
	}
	s.env = cleanEnvironment(os.Environ())
	for name, value := range map[string]string{
		"PLAYGUARD_CONFIG":       servers,
		"PLAYWRIGHT_MCP_CMD":     strconv.Quote(l.upstream) + " -script " + strconv.Quote(browser),
		"PLAYGUARD_PROJECT_ROOT": filepath.Join(dir, "project"),
		"PLAYGUARD_LOG_DIR":      filepath.Join(dir, "logs"),
		"PLAYGUARD_DATA_DIR":     filepath.Join(dir, "data"),
		"XDG_CACHE_HOME":         filepath.Join(dir, "cache"),
		"XDG_STATE_HOME":         filepath.Join(dir, "state"),
		"XDG_DATA_HOME":          filepath.Join(dir, "share"),
		"XDG_CONFIG_HOME":        filepath.Join(dir, "config"),
	} {
		s.env = append(s.env, name+"="+value)
	}
	if err := os.Mkdir(filepath.Join(dir, "project"), 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the project folder: %w", err)
	}
	return s, nil
}

// browserScript stands in for Playwright MCP.
const browserScript = `{"name":"browser","builtins":[],"record":false,"lifeSeconds":3600,
"tools":[{"name":"browser_snapshot","description":"A page.","inputSchema":{"type":"object","properties":{}}}]}`

// cleanEnvironment drops the settings of whoever runs the benchmark.
func cleanEnvironment(all []string) []string {
	var kept []string
	for _, v := range all {
		if !strings.HasPrefix(v, "PLAYGUARD_") && !strings.HasPrefix(v, "PLAYWRIGHT_") && !strings.HasPrefix(v, "XDG_") {
			kept = append(kept, v)
		}
	}
	return kept
}

// direct starts the scripted upstream alone.
func (s *scene) direct(ctx context.Context) (*peer, error) {
	return startPeer(ctx, s.dir, s.env, s.lab.upstream, "-script", s.script)
}

// proxied starts PlayGuard with the scripted upstream behind it.
func (s *scene) proxied(ctx context.Context) (*peer, error) {
	return startPeer(ctx, filepath.Join(s.dir, "project"), s.env, s.lab.playguard)
}

// relayed starts the scripted upstream behind a program that only copies lines,
// with the handshake done.
func (s *scene) relayed(ctx context.Context) (*peer, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot start the relay: %w", err)
	}
	p, err := startPeer(ctx, s.dir, s.env, self, relayCommand, s.lab.upstream, "-script", s.script)
	if err != nil {
		return nil, err
	}
	if err := p.handshake(); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// pair starts both, with the handshake done.
func (s *scene) pair(ctx context.Context) (direct, proxied *peer, err error) {
	if direct, err = s.direct(ctx); err != nil {
		return nil, nil, err
	}
	if proxied, err = s.proxied(ctx); err != nil {
		direct.stop()
		return nil, nil, err
	}
	for _, p := range []*peer{direct, proxied} {
		if err = p.handshake(); err != nil {
			direct.stop()
			proxied.stop()
			return nil, nil, err
		}
	}
	return direct, proxied, nil
}
