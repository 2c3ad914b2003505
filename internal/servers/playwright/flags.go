package playwright

// What the user has already said to Playwright MCP, and which flags PlayGuard
// adds to that.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/playguard/playguard/internal/argv"
)

// flags is what the user has already said to Playwright MCP: on the command
// line, by its variables (one per flag), or in its configuration file.
type flags struct {
	args []string
	env  []string
	file configFile
}

// configFile is the part of Playwright MCP's configuration file that decides
// about PlayGuard's defaults.
type configFile struct {
	Browser struct {
		BrowserName    string   `json:"browserName"`
		CDPEndpoint    string   `json:"cdpEndpoint"`
		RemoteEndpoint any      `json:"remoteEndpoint"` // a string, or an object with one
		Isolated       bool     `json:"isolated"`
		InitPage       []string `json:"initPage"`
		LaunchOptions  struct {
			Channel         string `json:"channel"`
			ExecutablePath  string `json:"executablePath"`
			Headless        *bool  `json:"headless"`
			ChromiumSandbox *bool  `json:"chromiumSandbox"`
		} `json:"launchOptions"`
	} `json:"browser"`
	Extension bool   `json:"extension"`
	OutputDir string `json:"outputDir"`
	Codegen   string `json:"codegen"`
}

// readConfigFile reads the file of --config. One that can't be read counts as
// absent: Playwright MCP itself says what is wrong with it.
func readConfigFile(args, env []string, root string) configFile {
	path, given := argv.Flag(args, "config")
	if !given {
		path = variable(env, "PLAYWRIGHT_MCP_CONFIG")
	}
	if path == "" {
		return configFile{}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return configFile{}
	}
	f := parseConfigFile(data)
	for i, page := range f.Browser.InitPage {
		if !filepath.IsAbs(page) {
			f.Browser.InitPage[i] = filepath.Join(filepath.Dir(path), page)
		}
	}
	return f
}

// parseConfigFile reads JSON, with or without a byte order mark, and, as
// Playwright MCP does, what does not begin as JSON as an INI file.
func parseConfigFile(data []byte) configFile {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '{' {
		data = iniAsJSON(string(data))
	}
	var f configFile
	// A member of the wrong type is Playwright MCP's to complain about; the
	// others count.
	_ = json.Unmarshal(data, &f)
	return f
}

// iniAsJSON turns the lines "browser.launchOptions.headless = true" of an INI
// file into nested objects; a [section] stands before the keys that follow it.
func iniAsJSON(text string) []byte {
	root := map[string]any{}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			section = strings.TrimSuffix(name, "]") + "."
			continue
		}
		key, value, found := strings.Cut(line, "=")
		if !found || line[0] == ';' || line[0] == '#' {
			continue
		}
		at := root
		path := strings.Split(section+strings.TrimSpace(key), ".")
		for _, step := range path[:len(path)-1] {
			next, ok := at[step].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[step] = next
			}
			at = next
		}
		at[path[len(path)-1]] = iniValue(strings.TrimSpace(value))
	}
	data, err := json.Marshal(root)
	if err != nil {
		return nil // there are only strings and truth values in it
	}
	return data
}

func iniValue(value string) any {
	if value == "true" || value == "false" {
		return value == "true"
	}
	if n := len(value); n >= 2 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
		return value[1 : n-1]
	}
	return value
}

func variable(env []string, name string) string {
	for _, entry := range env {
		if n, v, _ := strings.Cut(entry, "="); n == name {
			return v
		}
	}
	return ""
}

func set(env []string, name string) bool { return variable(env, name) != "" }

// given reports whether the user has set a flag by name, on the command line or
// by its variable.
func (f flags) given(name string) bool {
	return argv.Has(f.args, name) || set(f.env, "PLAYWRIGHT_MCP_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_")))
}

// remote reports whether the browser is one that already runs. No variable names an
// endpoint (0.0.83).
func (f flags) remote() bool {
	b := f.file.Browser
	return f.given("cdp-endpoint") || argv.Has(f.args, "endpoint") || f.extension() || b.CDPEndpoint != "" || b.RemoteEndpoint != nil && b.RemoteEndpoint != ""
}

// extension reports whether the browser is reached by Playwright's extension in it.
func (f flags) extension() bool {
	if argv.Has(f.args, "extension") {
		return true
	}
	if on, said := truth(variable(f.env, "PLAYWRIGHT_MCP_EXTENSION")); said {
		return on
	}
	return f.file.Extension
}

// truth reads a variable as Playwright MCP reads one of a flag without a value.
func truth(value string) (on, said bool) {
	switch value {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// onDisk reports whether the browser keeps its storage in a profile on disk, as
// Playwright MCP does unless told otherwise.
func (f flags) onDisk() bool {
	isolated, said := truth(variable(f.env, "PLAYWRIGHT_MCP_ISOLATED"))
	if !said {
		isolated = f.file.Browser.Isolated
	}
	return !f.remote() && !isolated && !argv.Has(f.args, "isolated")
}

// wantsBrowser reports whether PlayGuard is to look for a browser, because the
// user named none.
func (f flags) wantsBrowser() bool {
	b := f.file.Browser
	return !f.remote() && !f.given("browser") && !f.given("executable-path") &&
		b.BrowserName == "" && b.LaunchOptions.ExecutablePath == "" && b.LaunchOptions.Channel == ""
}

// defaults are the flags that PlayGuard adds where the user's own leave room.
func defaults(f flags, executable string, root, headed, keepCodegen bool, outputDir string) []string {
	var add []string
	launch := f.file.Browser.LaunchOptions
	if executable != "" {
		add = append(add, "--executable-path", executable)
	}
	if root && !f.remote() && !f.given("sandbox") && launch.ChromiumSandbox == nil {
		add = append(add, "--no-sandbox")
	}
	if !headed && !f.remote() && !f.given("headless") && launch.Headless == nil {
		add = append(add, "--headless")
	}
	if !keepCodegen && !f.given("codegen") && f.file.Codegen == "" {
		add = append(add, "--codegen", "none")
	}
	if !f.given("output-dir") && f.file.OutputDir == "" {
		add = append(add, "--output-dir", outputDir)
	}
	return add
}
