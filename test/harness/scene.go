// The folders, files and environment that a PlayGuard under test runs in.

package harness

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/client"
)

// Upstream is one further upstream, an entry of PLAYGUARD_CONFIG.
type Upstream struct {
	Name   string
	Script string            // of test/scripted
	Env    map[string]string // the entry's env
	// Command replaces the scripted server by another program with its arguments.
	Command []string
}

// Setup says what to run. The zero value has the Playwright row only.
type Setup struct {
	// Playwright is the script of the upstream in the place of Playwright MCP;
	// empty is one tool, browser_small.
	Playwright string
	Upstreams  []Upstream
	// Env is "NAME=value" on top of the usual environment.
	Env []string
	// Client is how the client behaves; Command, Args, Env, Dir, Stderr and
	// OnLine are set by Start.
	Client client.Options
}

// plain is the script of an upstream that has nothing to say.
const plain = `{"name":"browser","tools":[{"name":"browser_small","description":"Answers ok.","inputSchema":{"type":"object"}}]}`

// Scene is where PlayGuard runs: it stays the same from start to start, so that
// what one start has saved is there for the next.
type Scene struct {
	Dir   string // everything of the scene is in it
	setup Setup
	t     testing.TB
}

// NewScene lays the files of a setup out in a temporary folder.
func NewScene(t testing.TB, setup Setup) *Scene {
	t.Helper()
	s := &Scene{Dir: t.TempDir(), setup: setup, t: t}
	if s.setup.Playwright == "" {
		s.setup.Playwright = plain
	}
	s.WriteScript("playwright", s.setup.Playwright)
	entries := []string{} // an object in the order given, which a map would lose
	for _, u := range setup.Upstreams {
		s.WriteScript(u.Name, u.Script)
		command := append([]string{Scripted(t), "-script", s.scriptFile(u.Name)}, u.Command...)
		if len(u.Command) > 0 {
			command = u.Command
		}
		entry := map[string]any{"command": command[0], "args": command[1:], "env": u.Env}
		entries = append(entries, mustJSON(t, u.Name)+":"+mustJSON(t, entry))
	}
	s.write("servers.json", `{"mcpServers":{`+strings.Join(entries, ",")+`}}`)
	s.write(filepath.Join("project", ".keep"), "")
	return s
}

// WriteScript replaces an upstream's script; its next start reads it.
func (s *Scene) WriteScript(upstream, script string) {
	s.t.Helper()
	if script == "" {
		script = "{}"
	}
	s.write(filepath.Join("scripts", upstream+".json"), script)
}

func (s *Scene) scriptFile(upstream string) string {
	return filepath.Join(s.Dir, "scripts", upstream+".json")
}

// Path is a file in the scene's folder, for scripts that write one.
func (s *Scene) Path(name string) string { return filepath.Join(s.Dir, name) }

func (s *Scene) write(name, text string) {
	s.t.Helper()
	file := filepath.Join(s.Dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// environment is PlayGuard's: this process's without the settings of whoever
// runs the tests, and with every folder inside the scene.
func (s *Scene) environment() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PLAYGUARD_") && !strings.HasPrefix(v, "PLAYWRIGHT_") && !strings.HasPrefix(v, "FIGMA_") && !strings.HasPrefix(v, "XDG_") {
			env = append(env, v)
		}
	}
	quote := func(path string) string { return `"` + path + `"` }
	env = append(env,
		"PLAYWRIGHT_MCP_CMD="+quote(Scripted(s.t))+" -script "+quote(s.scriptFile("playwright")),
		"PLAYGUARD_CONFIG="+s.Path("servers.json"),
		"PLAYGUARD_PROJECT_ROOT="+s.Path("project"),
		"PLAYGUARD_LOG_DIR="+s.Path("logs"),
		"PLAYGUARD_DATA_DIR="+s.Path("data"),
		"XDG_CACHE_HOME="+s.Path("cache"),
		"XDG_CONFIG_HOME="+s.Path("config"),
		"XDG_DATA_HOME="+s.Path("share"),
		"XDG_STATE_HOME="+s.Path("state"),
		// PlayGuard and its guards would sleep a second before they end.
		"GORACE="+strings.TrimSpace(os.Getenv("GORACE")+" atexit_sleep_ms=0"),
	)
	if RaceEnabled {
		env = append(env, "PLAYGUARD_PASS_ENV=GORACE")
	}
	return append(env, s.setup.Env...)
}

// Command is a PlayGuard in the scene, for clients that start it themselves. The
// test must end it.
func (s *Scene) Command() *exec.Cmd {
	s.t.Helper()
	cmd := exec.Command(Playguard(s.t))
	cmd.Env, cmd.Dir = s.environment(), s.Path("project")
	s.t.Cleanup(func() {
		if left := Remaining(s.Dir, Patience); len(left) > 0 {
			s.t.Errorf("processes are left after the end of the test:\n%s", strings.Join(left, "\n"))
		}
	})
	return cmd
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
