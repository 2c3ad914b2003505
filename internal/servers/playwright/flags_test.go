package playwright

// Which flags PlayGuard adds to the user's own.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDefaults(t *testing.T) {
	const browser = "/found/chrome"
	type machine struct{ root, headed, keepCodegen bool }
	tests := []struct {
		name    string
		args    string // of PLAYWRIGHT_MCP_ARGS
		env     string
		file    string // of --config
		machine machine
		want    string
	}{
		{name: "nothing said", machine: machine{headed: true}, want: "--executable-path /found/chrome --codegen none --output-dir /qa"},
		{name: "root without a display", machine: machine{root: true}, want: "--executable-path /found/chrome --no-sandbox --headless --codegen none --output-dir /qa"},
		{name: "codegen kept", machine: machine{headed: true, keepCodegen: true}, want: "--executable-path /found/chrome --output-dir /qa"},
		{name: "all on the command line", args: "--executable-path /mine --sandbox --headless --codegen=python --output-dir /o", machine: machine{root: true}, want: ""},
		{name: "other spellings", args: "--executablePath=/mine --no-sandbox --no-headless --outputDir /o --codegen typescript", machine: machine{root: true}, want: ""},
		{name: "a value is no flag", args: "--user-agent headless", machine: machine{}, want: "--executable-path /found/chrome --headless --codegen none --output-dir /qa"},
		{name: "all by variables", env: "PLAYWRIGHT_MCP_EXECUTABLE_PATH=/mine PLAYWRIGHT_MCP_SANDBOX=true PLAYWRIGHT_MCP_HEADLESS=false PLAYWRIGHT_MCP_CODEGEN=none PLAYWRIGHT_MCP_OUTPUT_DIR=/o", machine: machine{root: true}, want: ""},
		{name: "an empty variable is unset", env: "PLAYWRIGHT_MCP_CODEGEN= PLAYWRIGHT_MCP_OUTPUT_DIR=", machine: machine{headed: true}, want: "--executable-path /found/chrome --codegen none --output-dir /qa"},
		{name: "another browser", args: "--browser firefox", machine: machine{headed: true}, want: "--codegen none --output-dir /qa"},
		{name: "all in the file", file: `{"browser":{"launchOptions":{"executablePath":"/mine","headless":false,"chromiumSandbox":true}},"outputDir":"/o","codegen":"java"}`, machine: machine{root: true}, want: ""},
		{name: "a channel in the file", file: `{"browser":{"launchOptions":{"channel":"msedge"}}}`, machine: machine{headed: true}, want: "--codegen none --output-dir /qa"},
		{name: "a browser in the file", file: `{"browser":{"browserName":"webkit"}}`, machine: machine{headed: true}, want: "--codegen none --output-dir /qa"},
		{name: "a running browser", args: "--cdp-endpoint http://127.0.0.1:9222", machine: machine{root: true}, want: "--codegen none --output-dir /qa"},
		{name: "a running browser by variable", env: "PLAYWRIGHT_MCP_CDP_ENDPOINT=http://127.0.0.1:9222", machine: machine{root: true}, want: "--codegen none --output-dir /qa"},
		{name: "a running browser in the file", file: `{"browser":{"cdpEndpoint":"http://127.0.0.1:9222"}}`, machine: machine{root: true}, want: "--codegen none --output-dir /qa"},
		{name: "the user's own browser", args: "--extension", machine: machine{root: true}, want: "--codegen none --output-dir /qa"},
		{name: "a remote server", file: `{"browser":{"remoteEndpoint":"ws://127.0.0.1:1"}}`, machine: machine{root: true}, want: "--codegen none --output-dir /qa"},
		{name: "a remote server with options", file: `{"browser":{"remoteEndpoint":{"endpoint":"ws://127.0.0.1:1"}},"outputDir":"/o"}`, machine: machine{root: true}, want: "--codegen none"},
		{name: "no remote server", file: `{"browser":{"remoteEndpoint":""}}`, machine: machine{headed: true}, want: "--executable-path /found/chrome --codegen none --output-dir /qa"},
		{name: "a wrong type beside a right one", file: `{"outputDir":7,"browser":{"launchOptions":{"headless":true}}}`, machine: machine{}, want: "--executable-path /found/chrome --codegen none --output-dir /qa"},
		{name: "an INI file", file: "; mine\nbrowser.launchOptions.headless = true\n[browser.launchOptions]\nexecutablePath = \"/mine\"\n", machine: machine{}, want: "--codegen none --output-dir /qa"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := flags{args: strings.Fields(tt.args), env: strings.Fields(tt.env), file: parseConfigFile([]byte(tt.file))}
			executable := ""
			if f.wantsBrowser() {
				executable = browser
			}
			got := strings.Join(defaults(f, executable, tt.machine.root, tt.machine.headed, tt.machine.keepCodegen, "/qa"), " ")
			if got != tt.want {
				t.Errorf("added %q, want %q", got, tt.want)
			}
		})
	}
}

// A browser that is not PlayGuard's is none that it looks for, starts, or sets up,
// by whichever way the user has said so.
func TestRemote(t *testing.T) {
	tests := []struct {
		name, args, env, file string
		remote, onDisk        bool
	}{
		{name: "nothing said", onDisk: true},
		{name: "isolated", args: "--isolated"},
		{name: "debugging port", args: "--cdp-endpoint http://127.0.0.1:9222", remote: true},
		{name: "debugging port by variable", env: "PLAYWRIGHT_MCP_CDP_ENDPOINT=http://127.0.0.1:9222", remote: true},
		{name: "Playwright server", args: "--endpoint ws://127.0.0.1:1", remote: true},
		{name: "Playwright server, in one word", args: "--endpoint=ws://127.0.0.1:1", remote: true},
		{name: "a variable that Playwright MCP does not know", env: "PLAYWRIGHT_MCP_ENDPOINT=ws://127.0.0.1:1", onDisk: true},
		{name: "Playwright server in the file", file: `{"browser":{"remoteEndpoint":"ws://127.0.0.1:1"}}`, remote: true},
		{name: "isolated at a Playwright server", args: "--isolated --endpoint ws://127.0.0.1:1", remote: true},
		{name: "extension", args: "--extension", remote: true},
		{name: "extension with a profile", args: "--extension --profile-dir-name Default", remote: true},
		{name: "extension by variable", env: "PLAYWRIGHT_MCP_EXTENSION=true", remote: true},
		{name: "extension switched off", env: "PLAYWRIGHT_MCP_EXTENSION=false", onDisk: true},
		{name: "extension in the file, switched off", env: "PLAYWRIGHT_MCP_EXTENSION=0", file: `{"extension":true}`, onDisk: true},
		{name: "isolated by variable", env: "PLAYWRIGHT_MCP_ISOLATED=1"},
		{name: "isolated in the file, switched off", env: "PLAYWRIGHT_MCP_ISOLATED=false", file: `{"browser":{"isolated":true}}`, onDisk: true},
		{name: "extension in the file", file: `{"extension":true}`, remote: true},
		{name: "no extension in the file", file: `{"extension":false}`, onDisk: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := flags{args: strings.Fields(tt.args), env: strings.Fields(tt.env), file: parseConfigFile([]byte(tt.file))}
			if f.remote() != tt.remote || f.onDisk() != tt.onDisk || tt.remote && f.wantsBrowser() {
				t.Errorf("remote %v, on disk %v, looks for a browser %v", f.remote(), f.onDisk(), f.wantsBrowser())
			}
			if add := strings.Join(defaults(f, "", true, false, true, "/qa"), " "); tt.remote && add != "--output-dir /qa" {
				t.Errorf("added %q", add)
			}
		})
	}
}

// The file is the one that Playwright MCP itself reads: that of the flag, else
// that of the variable, relative to its working directory.
func TestReadConfigFile(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(root, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	absolute := write("a.json", `{"outputDir":"by a"}`)
	write("b.json", "\ufeff"+`{"outputDir":"by b"}`)
	write("c.ini", "outputDir=by c")
	write("broken.json", `{"outputDir":`)
	tests := []struct {
		name      string
		args, env []string
		want      string
	}{
		{"none", nil, nil, ""},
		{"absolute", []string{"--config", absolute}, nil, "by a"},
		{"relative, with a byte order mark", []string{"--config=b.json"}, nil, "by b"},
		{"by variable, INI", nil, []string{"PLAYWRIGHT_MCP_CONFIG=c.ini"}, "by c"},
		{"the flag wins", []string{"--config", "b.json"}, []string{"PLAYWRIGHT_MCP_CONFIG=" + absolute}, "by b"},
		{"missing", []string{"--config", "no.json"}, nil, ""},
		{"broken", []string{"--config", "broken.json"}, nil, ""},
		{"a folder", []string{"--config", root}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := readConfigFile(tt.args, tt.env, root).OutputDir; got != tt.want {
				t.Errorf("outputDir is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestINI(t *testing.T) {
	const text = "# comment\n; comment\noutputDir = 'a b'\r\nbrowser.browserName=webkit\nbrowser = lost\nno line\n=\n[browser.launchOptions]\nheadless=false\nchannel = \"x\"\n"
	want := `{"":"","browser":{"launchOptions":{"channel":"x","headless":false}},"outputDir":"a b"}`
	if diff := cmp.Diff(want, string(iniAsJSON(text))); diff != "" {
		t.Error(diff)
	}
}

func FuzzParseConfigFile(f *testing.F) {
	for _, seed := range []string{`{"browser":{"launchOptions":{"headless":true}}}`, "a.b=c\n[x]\ny=true", "[", "=", `{`, "\ufeff{}", "[a.]\n.=."} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := parseConfigFile(data)
		defaults(flags{file: file}, "", true, false, false, "/qa")
	})
}
