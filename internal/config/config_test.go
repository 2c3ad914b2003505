package config

// The settings: defaults, accepted spellings, and what is said about the rest.

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/playguard/playguard/internal/endpoint"
)

// env makes a lookup from name, value pairs.
func env(pairs ...string) func(string) (string, bool) {
	vars := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		vars[pairs[i]] = pairs[i+1]
	}
	return func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	}
}

// defaults is what the README promises for an empty environment.
func defaults() Config {
	return Config{
		Compact: true, Text: "full", Format: "dense", Refs: "numbers", Handles: "leaf", ActionView: "view", ActionBudget: 2500,
		Delta: true, DeltaThreshold: 0.4, SnapshotTTL: 500 * time.Millisecond, HintThreshold: 4, Hints: true,
		Screenshots: "warn", EvalCacheTTL: 500 * time.Millisecond, EvalCompact: 10_000,
		SmartWaitEvery: time.Second, SmartWaitRetries: 3, SmartWaitControls: 5,
		RestoreState: true, Replay: "safe", BrowserTimeout: time.Minute,
		ToolTimeouts: map[string]time.Duration{"browser_run_code_unsafe": 5 * time.Minute},
		OutputMaxMB:  512, OutputMaxDays: 14,
		FigmaFormat: "dense", FigmaTextCompact: 10_000, FigmaSVGRefs: true, DesignDiffPX: 2, DesignDiffColor: 5,
		Start: "eager", ListWait: 6 * time.Second, StartTimeout: 30 * time.Second, CallTimeout: 10 * time.Minute,
		MaxLineBytes: 64 << 20, AutoInstall: true, Stderr: "info",
	}
}

func TestLoadDefaults(t *testing.T) {
	c, problems := Load(env())
	if len(problems) > 0 {
		t.Errorf("problems with an empty environment: %v", problems)
	}
	if diff := cmp.Diff(defaults(), *c); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

func TestLoadEmptyIsUnset(t *testing.T) {
	var pairs []string
	for _, s := range Settings() {
		pairs = append(pairs, s.Name, " ")
	}
	c, problems := Load(env(pairs...))
	if len(problems) > 0 {
		t.Errorf("problems with blank values: %v", problems)
	}
	if diff := cmp.Diff(defaults(), *c); diff != "" {
		t.Errorf("blank values (-want +got):\n%s", diff)
	}
}

func TestLoadValues(t *testing.T) {
	program := filepath.Join(t.TempDir(), "my program")
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, value string
		want        func(*Config)
	}{
		{"PLAYGUARD_COMPACT", "false", func(c *Config) { c.Compact = false }},
		{"PLAYGUARD_COMPACT", "0", func(c *Config) { c.Compact = false }},
		{"PLAYGUARD_COMPACT", "No", func(c *Config) { c.Compact = false }},
		{"PLAYGUARD_COMPACT", "OFF", func(c *Config) { c.Compact = false }},
		{"PLAYGUARD_COMPACT", " yes ", func(*Config) {}},
		{"PLAYGUARD_COMPACT", "1", func(*Config) {}},
		{"PLAYGUARD_COMPACT", "on", func(*Config) {}},
		{"PLAYGUARD_COMPACT", "TRUE", func(*Config) {}},
		{"PLAYGUARD_TEXT", "Short", func(c *Config) { c.Text = TextShort }},
		{"PLAYGUARD_FORMAT", "yaml", func(c *Config) { c.Format = FormatYAML }},
		{"PLAYGUARD_REFS", "upstream", func(c *Config) { c.Refs = RefsUpstream }},
		{"PLAYGUARD_HANDLES", "action", func(c *Config) { c.Handles = HandlesAction }},
		{"PLAYGUARD_ACTION_VIEW", "link", func(c *Config) { c.ActionView = ActionLink }},
		{"PLAYGUARD_ACTION_BUDGET", "0", func(c *Config) { c.ActionBudget = 0 }},
		{"PLAYGUARD_DELTA", "false", func(c *Config) { c.Delta = false }},
		{"PLAYGUARD_DELTA_THRESHOLD", "0.75", func(c *Config) { c.DeltaThreshold = 0.75 }},
		{"PLAYGUARD_SNAPSHOT_TTL", "0", func(c *Config) { c.SnapshotTTL = 0 }},
		{"PLAYGUARD_TOKEN_BUDGET", "4000", func(c *Config) { c.TokenBudget = 4000 }},
		{"PLAYGUARD_HINT_THRESHOLD", "0", func(c *Config) { c.HintThreshold = 0 }},
		{"PLAYGUARD_SCREENSHOTS", "redirect", func(c *Config) { c.Screenshots = ScreenshotsRedirect }},
		{"PLAYGUARD_SCREENSHOTS", "block", func(c *Config) { c.Screenshots = ScreenshotsBlock }},
		{"PLAYGUARD_SCREENSHOTS", "Allow", func(c *Config) { c.Screenshots = ScreenshotsAllow }},
		{"PLAYGUARD_EVAL_CACHE_TTL", "0", func(c *Config) { c.EvalCacheTTL = 0 }},
		{"PLAYGUARD_EVAL_COMPACT", "500", func(c *Config) { c.EvalCompact = 500 }},
		{"PLAYGUARD_SMART_WAIT", "1", func(c *Config) { c.SmartWait = true }},
		{"PLAYGUARD_SMART_WAIT_MS", "250", func(c *Config) { c.SmartWaitEvery = 250 * time.Millisecond }},
		{"PLAYGUARD_SMART_WAIT_MAX_RETRIES", "5", func(c *Config) { c.SmartWaitRetries = 5 }},
		{"PLAYGUARD_SMART_WAIT_MIN_REFS", "9", func(c *Config) { c.SmartWaitControls = 9 }},
		{"PLAYGUARD_PREFETCH_SNAPSHOT", "true", func(c *Config) { c.Prefetch = true }},
		{"PLAYGUARD_OUTPUT_MAX_MB", "0", func(c *Config) { c.OutputMaxMB = 0 }},
		{"PLAYGUARD_OUTPUT_MAX_DAYS", "1", func(c *Config) { c.OutputMaxDays = 1 }},
		{"PLAYGUARD_HINTS", "false", func(c *Config) { c.Hints = false }},
		{"PLAYGUARD_CODEGEN", "keep", func(c *Config) { c.KeepCodegen = true }},
		{"PLAYWRIGHT_MCP_CMD", "npx @playwright/mcp@latest", func(c *Config) { c.PlaywrightCmd = []string{"npx", "@playwright/mcp@latest"} }},
		{"PLAYWRIGHT_MCP_CMD", program, func(c *Config) { c.PlaywrightCmd = []string{program} }},
		{"PLAYWRIGHT_MCP_ARGS", `--user-data-dir="C:\My Files"`, func(c *Config) { c.PlaywrightArgs = []string{`--user-data-dir=C:\My Files`} }},
		{"FIGMA_MCP_URL", "http://127.0.0.1:3845/mcp", func(c *Config) { c.FigmaURL = desktop(t) }},
		{"FIGMA_MCP_CMD", "npx -y figma-developer-mcp", func(c *Config) { c.FigmaCmd = []string{"npx", "-y", "figma-developer-mcp"} }},
		{"FIGMA_MCP_ARGS", `--stdio --image-dir="a b"`, func(c *Config) { c.FigmaArgs = []string{"--stdio", "--image-dir=a b"} }},
		{"FIGMA_API_KEY", "figd_secret", func(c *Config) { c.FigmaKey = true }},
		{"FIGMA_FORMAT", "JSON", func(c *Config) { c.FigmaFormat = FigmaJSON }},
		{"FIGMA_TEXT_COMPACT", "0", func(c *Config) { c.FigmaTextCompact = 0 }},
		{"FIGMA_CACHE_TTL", "60000", func(c *Config) { c.FigmaCacheTTL = time.Minute }},
		{"FIGMA_SVG_REFS", "false", func(c *Config) { c.FigmaSVGRefs = false }},
		{"OUTPUT_FORMAT", "yaml", func(c *Config) { c.FigmaOutputFormat = "yaml" }},
		{"PLAYGUARD_DESIGN_DIFF_TOLERANCE_PX", "0", func(c *Config) { c.DesignDiffPX = 0 }},
		{"PLAYGUARD_DESIGN_DIFF_TOLERANCE_COLOR", "9", func(c *Config) { c.DesignDiffColor = 9 }},
		{"PLAYGUARD_OUTPUT_DIR", "out", func(c *Config) { c.OutputDir = "out" }},
		{"PLAYGUARD_PROJECT_ROOT", "/p", func(c *Config) { c.ProjectRoot = "/p" }},
		{"PLAYGUARD_LOG_DIR", "logs", func(c *Config) { c.LogDir = "logs" }},
		{"PLAYGUARD_DATA_DIR", "/d", func(c *Config) { c.DataDir = "/d" }},
		{"PLAYGUARD_CONFIG", "x.json", func(c *Config) { c.ServersFile = "x.json" }},
		{"PLAYGUARD_RESTORE_STATE", "false", func(c *Config) { c.RestoreState = false }},
		{"PLAYGUARD_REPLAY", "Never", func(c *Config) { c.Replay = "never" }},
		{"PLAYGUARD_BROWSER_TIMEOUT_MS", "0", func(c *Config) { c.BrowserTimeout = 0 }},
		{"PLAYGUARD_TOOL_TIMEOUTS", "browser_click=1000, x=0,", func(c *Config) {
			c.ToolTimeouts = map[string]time.Duration{"browser_click": time.Second, "x": 0}
		}},
		{"PLAYGUARD_PASS_ENV", "A, ACME_*,,ProgramFiles(x86)", func(c *Config) { c.PassEnv = []string{"A", "ACME_*", "ProgramFiles(x86)"} }},
		{"PLAYGUARD_START", "lazy", func(c *Config) { c.Start = StartLazy }},
		{"PLAYGUARD_LIST_WAIT_MS", "0", func(c *Config) { c.ListWait = 0 }},
		{"PLAYGUARD_START_TIMEOUT_MS", "1500", func(c *Config) { c.StartTimeout = 1500 * time.Millisecond }},
		{"PLAYGUARD_CALL_TIMEOUT_MS", "0", func(c *Config) { c.CallTimeout = 0 }},
		{"PLAYGUARD_MAX_LINE_MB", "1", func(c *Config) { c.MaxLineBytes = 1 << 20 }},
		{"PLAYGUARD_AUTO_INSTALL", "no", func(c *Config) { c.AutoInstall = false }},
		{"PLAYGUARD_STDERR", "debug", func(c *Config) { c.Stderr = StderrDebug }},
	}
	covered := map[string]bool{}
	for _, tt := range tests {
		covered[tt.name] = true
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			want := defaults()
			tt.want(&want)
			c, problems := Load(env(tt.name, tt.value))
			if len(problems) > 0 {
				t.Errorf("problems: %v", problems)
			}
			if diff := cmp.Diff(want, *c); diff != "" {
				t.Errorf("Config (-want +got):\n%s", diff)
			}
		})
	}
	for _, s := range Settings() {
		if !covered[s.Name] {
			t.Errorf("no value of %s is tested", s.Name)
		}
	}
}

func desktop(t *testing.T) endpoint.Endpoint {
	t.Helper()
	at, err := endpoint.Parse("http://127.0.0.1:3845/mcp")
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// An address may hold a key, so it is never repeated.
func TestFigmaURLProblems(t *testing.T) {
	for value, reason := range map[string]string{
		"https://me:hunter2@mcp.figma.com/mcp": "catalogue",
		"https://MCP.figma.com":                "claude mcp add",
		"https://mcp.figma.com./mcp":           "catalogue",
		"https://mcp\u3002figma.com":           "catalogue",
		"https://mcp\uFF0Efigma\uFF61com/mcp":  "catalogue",
		"https://\uFF4Dcp.figma.com/mcp":       "catalogue",
		"https://mcp.fi\u00ADgma.com/mcp":      "catalogue",
		"https://mcp%E3%80%82figma.com/mcp":    "catalogue",
		"https://mcp.figma.com:443/mcp":        "catalogue",
		"http://mcp.figma.com/mcp":             "catalogue",
		"HTTP://me:hunter2@mcp.figma.com":      "catalogue",
		"mcp.figma.com/mcp":                    "catalogue",
		"me:hunter2@mcp.figma.com":             "catalogue",
		"mcp.figma.com:443/mcp?token=hunter2":  "catalogue",
		"//mcp.figma.com/mcp":                  "catalogue",
		"https://\U0001D426cp.figma.com/mcp":   "ASCII",
		"http://me:hunter2@example.org/mcp":    "plain http",
		"me:hunter2@example.org?token=hunter2": "http://",
		"https://me:hunter2@exa mple.org":      "no URL",
	} {
		c, problems := Load(env("FIGMA_MCP_URL", value))
		if len(problems) != 1 || !c.FigmaURL.IsZero() {
			t.Fatalf("%q: %v, %v", value, problems, c.FigmaURL)
		}
		if p := problems[0]; !strings.Contains(p.String(), reason) || strings.Contains(p.String()+p.Value, "hunter2") {
			t.Errorf("%q: %s", value, p)
		}
	}
}

func TestLoadProblems(t *testing.T) {
	tests := []struct{ name, value, accepted, fallback string }{
		{"PLAYGUARD_COMPACT", "maybe", "true, false", `"true"`},
		{"PLAYGUARD_TEXT", "long", "full, short, none", `"full"`},
		{"PLAYGUARD_CODEGEN", "none", "keep", "unset"},
		{"PLAYWRIGHT_MCP_CMD", `""`, "arguments separated by spaces", "unset"},
		{"PLAYWRIGHT_MCP_CMD", `"npx`, "arguments separated by spaces", "unset"},
		{"PLAYWRIGHT_MCP_ARGS", `--x 'y`, "arguments separated by spaces", "unset"},
		{"PLAYGUARD_TOOL_TIMEOUTS", "browser_click", "TOOL=MILLISECONDS", "browser_run_code_unsafe"},
		{"PLAYGUARD_TOOL_TIMEOUTS", "browser_click=soon", "TOOL=MILLISECONDS", "browser_run_code_unsafe"},
		{"PLAYGUARD_TOOL_TIMEOUTS", "=5", "TOOL=MILLISECONDS", "browser_run_code_unsafe"},
		{"PLAYGUARD_PASS_ENV", "A,B[", "separated by commas", "unset"},
		{"PLAYGUARD_PASS_ENV", "A=1", "separated by commas", "unset"},
		{"PLAYGUARD_LIST_WAIT_MS", "6s", "from 0 to", `"6000"`},
		{"PLAYGUARD_LIST_WAIT_MS", "-1", "from 0 to", `"6000"`},
		{"PLAYGUARD_START_TIMEOUT_MS", "0", "from 1 to", `"30000"`},
		{"PLAYGUARD_CALL_TIMEOUT_MS", "99999999999999999999", "from 0 to", `"600000"`},
		{"PLAYGUARD_MAX_LINE_MB", "0", "from 1 to 1024", `"64"`},
		{"PLAYGUARD_MAX_LINE_MB", "1.5", "from 1 to 1024", `"64"`},
	}
	for _, tt := range tests {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			c, problems := Load(env(tt.name, tt.value))
			if diff := cmp.Diff(defaults(), *c); diff != "" {
				t.Errorf("the default is not used (-want +got):\n%s", diff)
			}
			if len(problems) != 1 {
				t.Fatalf("problems = %v, want one", problems)
			}
			p := problems[0]
			if p.Variable != tt.name || p.Value != tt.value {
				t.Errorf("the problem is about %s=%q", p.Variable, p.Value)
			}
			for _, part := range []string{tt.name, tt.accepted, tt.fallback} {
				if !strings.Contains(p.String(), part) {
					t.Errorf("%q does not mention %s", p, part)
				}
			}
			if !strings.HasSuffix(p.String(), ".") {
				t.Errorf("%q is no sentence", p)
			}
		})
	}
}

func TestSettingsTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Settings() {
		if seen[s.Name] {
			t.Errorf("%s is in the table twice", s.Name)
		}
		seen[s.Name] = true
		if s.Kind == "" || s.Accepted == "" || s.Doc == "" || s.Section == "" || s.set == nil {
			t.Errorf("%s lacks a column: %+v", s.Name, s)
		}
		if err := s.set(&Config{}, s.Default); err != nil {
			t.Errorf("the default of %s cannot be used: %v", s.Name, err)
		}
	}
	if fields := reflect.TypeFor[Config]().NumField(); fields != len(seen) {
		t.Errorf("Config has %d fields for %d settings", fields, len(seen))
	}
}

func TestMarkdown(t *testing.T) {
	got := Markdown()
	for _, want := range []string{
		"### Playwright\n\n| Variable | Default | Description |\n|----------|---------|-------------|\n| `PLAYGUARD_COMPACT` | `true` | Set `false`",
		"\n\n### Files\n\n",
		"| `PLAYGUARD_CODEGEN` | — | Set `keep`",
		"| `PLAYWRIGHT_MCP_CMD` | bundled | ",
		"| `PLAYGUARD_CALL_TIMEOUT_MS` | `600000` | ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("Markdown lacks %q:\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n### ") + 1; n != 7 {
		t.Errorf("Markdown has %d sections, want 7: a section's settings must stand together", n)
	}
	for _, s := range Settings() {
		if strings.Count(got, "| `"+s.Name+"` |") != 1 {
			t.Errorf("%s is not in one row", s.Name)
		}
	}
}
