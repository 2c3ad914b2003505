package config

// The file of further upstreams: what is read, what is refused and how that is
// said. The parser is fuzzed.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestLoadServers(t *testing.T) {
	file := write(t, "\xef\xbb\xbf"+`{
  "comment": [1, {"mcpServers": 2}],
  "mcpServers": {
    "zeta": {"command": "npx", "args": ["-y", "zeta@1"], "env": {"Z": "1", "A": "<&>", "PORT": 8080, "ON": true}, "autoApprove": ["x"]},
    "alpha": {"command": "${BIN}/alpha", "args": ["--url=${URL:-http://localhost:1/}", "$HOME", "${}", "${BAD-NAME}", "${EMPTY:-full}"], "env": {"TOKEN": "${TOKEN}"}, "cwd": "sub"},
    "off": {"command": "x", "disabled": true, "type": "http"},
    "Third_3": {"type": "stdio", "command": "x", "args": null, "env": null, "cwd": "/abs"}
  }
}`)
	got, err := LoadServers(file, env("BIN", "/opt/bin", "TOKEN", "a${BIN}b", "EMPTY", ""))
	if err != nil {
		t.Fatal(err)
	}
	abs := "/abs"
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(filepath.Dir(file), abs)
	}
	want := []Server{
		{Name: "zeta", Command: "npx", Args: []string{"-y", "zeta@1"}, Env: []string{"Z=1", "A=<&>", "PORT=8080", "ON=true"}},
		{Name: "alpha", Command: "/opt/bin/alpha", Args: []string{"--url=http://localhost:1/", "$HOME", "${}", "${BAD-NAME}", ""}, Env: []string{"TOKEN=a${BIN}b"}, Cwd: filepath.Join(filepath.Dir(file), "sub")},
		{Name: "Third_3", Command: "x", Cwd: abs},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("LoadServers (-want +got):\n%s", diff)
	}
}

func TestLoadServersKeepsOrder(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"mcpServers":{`)
	for i := range 50 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"s%d":{"command":"c"}`, (i*37)%50)
	}
	b.WriteString("}}")
	servers, err := LoadServers(write(t, b.String()), env())
	if err != nil || len(servers) != 50 {
		t.Fatalf("%d servers, error %v", len(servers), err)
	}
	for i, s := range servers {
		if want := fmt.Sprintf("s%d", (i*37)%50); s.Name != want {
			t.Fatalf("server %d is %s, want %s", i, s.Name, want)
		}
	}
}

func TestLoadServersErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty file", "", "line 1"},
		{"syntax", "{\n  \"mcpServers\": {\"a\": }\n}", "line 2, character 23"},
		{"rest behind the value", `{"mcpServers":{}} x`, "not valid JSON"},
		{"no object", `[]`, "does not hold an object"},
		{"no mcpServers", `{"servers":{}}`, `no "mcpServers"`},
		{"mcpServers no object", `{"mcpServers":[]}`, `not an object`},
		{"entry no object", `{"mcpServers":{"a":"npx"}}`, `write {"command"`},
		{"wrong type", `{"mcpServers":{"a":{"command":["npx"]}}}`, `"command" cannot be of type array`},
		{"wrong argument", `{"mcpServers":{"a":{"command":"npx","args":[1]}}}`, `"args`},
		{"no command", `{"mcpServers":{"a":{"args":[]}}}`, `no "command"`},
		{"name", `{"mcpServers":{"a b":{"command":"x"}}}`, "rename it"},
		{"long name", `{"mcpServers":{"` + strings.Repeat("a", 33) + `":{"command":"x"}}}`, "1 to 32"},
		{"reserved", `{"mcpServers":{"Playwright":{"command":"x"}}}`, "PlayGuard's own"},
		{"url", `{"mcpServers":{"a":{"url":"https://x"}}}`, "not supported yet"},
		{"type", `{"mcpServers":{"a":{"type":"sse","command":"x"}}}`, "not supported yet"},
		{"missing variable", `{"mcpServers":{"a":{"command":"x","args":["${B}","${A}","${B}"]}}}`, "has no B, A;"},
		{"env no object", `{"mcpServers":{"a":{"command":"x","env":[]}}}`, `"env" is not an object`},
		{"env value", `{"mcpServers":{"a":{"command":"x","env":{"A":{}}}}}`, `"A"`},
		{"env null value", `{"mcpServers":{"a":{"command":"x","env":{"A":null}}}}`, `"A"`},
		{"env name", `{"mcpServers":{"a":{"command":"x","env":{"A=B":"1"}}}}`, "rename it"},
		{"env zero byte", `{"mcpServers":{"a":{"command":"x","env":{"A":"\u0000"}}}}`, "zero byte"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := write(t, tt.text)
			servers, err := LoadServers(file, env())
			if err == nil || len(servers) > 0 {
				t.Fatalf("LoadServers = %v, %v, want an error", servers, err)
			}
			if !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %q does not name the file and %q", err, tt.want)
			}
		})
	}
}

func TestLoadServersLeavesOutBadEntriesOnly(t *testing.T) {
	file := write(t, `{"mcpServers":{"a":{"url":"u"},"b":{"command":"x"},"B":{"command":"y"},"c":{"command":""},"d":{"command":"z"}}}`)
	servers, err := LoadServers(file, env())
	if len(servers) != 2 || servers[0].Name != "b" || servers[1].Name != "d" {
		t.Errorf("servers = %v, want b and d", servers)
	}
	for _, name := range []string{`"a"`, `"B"`, `"c"`} {
		if err == nil || !strings.Contains(err.Error(), "the server "+name) {
			t.Errorf("error %v does not mention %s", err, name)
		}
	}
}

func TestServersFile(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, ".playguard")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	c := &Config{}
	if servers, err := c.Servers(root, folder, env()); servers != nil || err != nil {
		t.Errorf("without a file: %v, %v, want nothing", servers, err)
	}
	for path, name := range map[string]string{filepath.Join(folder, "config.json"): "default", filepath.Join(root, "mcp.json"): "named"} {
		if err := os.WriteFile(path, fmt.Appendf(nil, `{"mcpServers":{%q:{"command":"x"}}}`, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct{ file, want string }{{"", "default"}, {"mcp.json", "named"}, {filepath.Join(root, "mcp.json"), "named"}}
	for _, tt := range tests {
		c := &Config{ServersFile: tt.file}
		servers, err := c.Servers(root, folder, env())
		if err != nil || len(servers) != 1 || servers[0].Name != tt.want {
			t.Errorf("PLAYGUARD_CONFIG=%q: %v, %v, want %s", tt.file, servers, err, tt.want)
		}
	}
	c = &Config{ServersFile: "missing.json"}
	if _, err := c.Servers(root, folder, env()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "PLAYGUARD_CONFIG") {
		t.Errorf("a named file that is missing: %v, want an error about PLAYGUARD_CONFIG", err)
	}
}

func FuzzParseServers(f *testing.F) {
	f.Add([]byte(`{"mcpServers":{"a":{"command":"x","args":["${A:-b}"],"env":{"K":"v","N":1},"cwd":"c"}}}`))
	f.Add([]byte(`{"mcpServers":{"a":{"url":"x"},"a":{"command":"${A}"}}}`))
	f.Add([]byte("\xef\xbb\xbf{ \"mcpServers\" : { \"a\" : null } }"))
	f.Add([]byte(`{"mcpServers":{"a":{"command":"x","env": {"A": 1e3 }}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		servers, err := parseServers(data, "config.json", env("A", "1"))
		if err != nil && !strings.Contains(err.Error(), "config.json") {
			t.Errorf("error %q does not name the file", err)
		}
		seen := map[string]bool{}
		for _, s := range servers {
			if key := strings.ToLower(s.Name); !serverName.MatchString(s.Name) || s.Command == "" || seen[key] {
				t.Errorf("unusable server %+v", s)
			} else {
				seen[key] = true
			}
			for _, e := range s.Env {
				if name, _, ok := strings.Cut(e, "="); !ok || name == "" || strings.ContainsRune(e, 0) {
					t.Errorf("unusable variable %q", e)
				}
			}
		}
	})
}
