// Package config reads PlayGuard's settings: the environment variables, all in
// one table, and the file that names further upstreams.
package config

// Config: typed access to the settings, and how they are loaded.

import (
	"fmt"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/endpoint"
)

// Values of Config.Text: how much of a page's running text a snapshot keeps.
const (
	TextFull  = "full"
	TextShort = "short"
	TextNone  = "none"
)

// Values of Config.Refs: what handles look like.
const (
	RefsNumbers  = "numbers"
	RefsUpstream = "upstream"
)

// Values of Config.Handles: which elements get a handle.
const (
	HandlesLeaf   = "leaf"
	HandlesAction = "action"
)

// Values of Config.ActionView: what an action answers.
const (
	ActionView = "view"
	ActionLink = "link"
)

// Values of Config.Screenshots: what happens to a screenshot.
const (
	ScreenshotsWarn     = "warn"
	ScreenshotsRedirect = "redirect"
	ScreenshotsBlock    = "block"
	ScreenshotsAllow    = "allow"
)

// Values of Config.Format: how a compact snapshot is written.
const (
	FormatDense = "dense"
	FormatYAML  = "yaml"
)

// Values of Config.FigmaFormat: how a design is written.
const (
	FigmaDense = "dense"
	FigmaJSON  = "json"
)

// Values of Config.Start: when the bundled Playwright MCP is started.
const (
	StartEager = "eager"
	StartLazy  = "lazy"
)

// Values of Config.Stderr: how much is printed on stderr.
const (
	StderrQuiet = "quiet"
	StderrInfo  = "info"
	StderrDebug = "debug"
)

// Config holds every setting after parsing. The comments name the variable; its
// meaning and default are in the table (Settings).
type Config struct {
	Compact        bool          // PLAYGUARD_COMPACT
	Text           string        // PLAYGUARD_TEXT
	Format         string        // PLAYGUARD_FORMAT
	Refs           string        // PLAYGUARD_REFS
	Handles        string        // PLAYGUARD_HANDLES
	ActionView     string        // PLAYGUARD_ACTION_VIEW
	ActionBudget   int           // PLAYGUARD_ACTION_BUDGET, tokens; 0: no limit
	Delta          bool          // PLAYGUARD_DELTA
	DeltaThreshold float64       // PLAYGUARD_DELTA_THRESHOLD
	SnapshotTTL    time.Duration // PLAYGUARD_SNAPSHOT_TTL
	TokenBudget    int           // PLAYGUARD_TOKEN_BUDGET; 0: off
	HintThreshold  int           // PLAYGUARD_HINT_THRESHOLD; 0: off
	Screenshots    string        // PLAYGUARD_SCREENSHOTS
	EvalCacheTTL   time.Duration // PLAYGUARD_EVAL_CACHE_TTL; 0: off
	EvalCompact    int           // PLAYGUARD_EVAL_COMPACT, characters; 0: off
	Prefetch       bool          // PLAYGUARD_PREFETCH_SNAPSHOT
	Hints          bool          // PLAYGUARD_HINTS
	KeepCodegen    bool          // PLAYGUARD_CODEGEN
	PlaywrightCmd  []string      // PLAYWRIGHT_MCP_CMD, program and arguments; empty: the bundled one
	PlaywrightArgs []string      // PLAYWRIGHT_MCP_ARGS

	SmartWait         bool          // PLAYGUARD_SMART_WAIT
	SmartWaitEvery    time.Duration // PLAYGUARD_SMART_WAIT_MS
	SmartWaitRetries  int           // PLAYGUARD_SMART_WAIT_MAX_RETRIES
	SmartWaitControls int           // PLAYGUARD_SMART_WAIT_MIN_REFS

	FigmaURL endpoint.Endpoint // FIGMA_MCP_URL; the zero Endpoint: off

	FigmaCmd          []string      // FIGMA_MCP_CMD, program and arguments; empty: off
	FigmaArgs         []string      // FIGMA_MCP_ARGS
	FigmaKey          bool          // FIGMA_API_KEY is set; its value is the child's
	FigmaFormat       string        // FIGMA_FORMAT
	FigmaTextCompact  int           // FIGMA_TEXT_COMPACT, characters; 0: no limit
	FigmaCacheTTL     time.Duration // FIGMA_CACHE_TTL; 0: off
	FigmaSVGRefs      bool          // FIGMA_SVG_REFS
	FigmaOutputFormat string        // OUTPUT_FORMAT, as written; empty: json

	DesignDiffPX    int // PLAYGUARD_DESIGN_DIFF_TOLERANCE_PX
	DesignDiffColor int // PLAYGUARD_DESIGN_DIFF_TOLERANCE_COLOR, of 255

	OutputMaxMB   int // PLAYGUARD_OUTPUT_MAX_MB; 0: no limit
	OutputMaxDays int // PLAYGUARD_OUTPUT_MAX_DAYS; 0: no limit

	OutputDir   string // PLAYGUARD_OUTPUT_DIR, as written; empty: the default
	ProjectRoot string // PLAYGUARD_PROJECT_ROOT, as written; empty: found
	LogDir      string // PLAYGUARD_LOG_DIR, as written; empty: the default
	DataDir     string // PLAYGUARD_DATA_DIR, as written; empty: the user's data directory

	ServersFile string   // PLAYGUARD_CONFIG, as written; empty: the default (see Servers)
	PassEnv     []string // PLAYGUARD_PASS_ENV, names and globs

	Start        string        // PLAYGUARD_START
	ListWait     time.Duration // PLAYGUARD_LIST_WAIT_MS
	StartTimeout time.Duration // PLAYGUARD_START_TIMEOUT_MS
	CallTimeout  time.Duration // PLAYGUARD_CALL_TIMEOUT_MS; 0: off
	MaxLineBytes int           // PLAYGUARD_MAX_LINE_MB, in bytes
	AutoInstall  bool          // PLAYGUARD_AUTO_INSTALL
	Stderr       string        // PLAYGUARD_STDERR
}

// Problem is a variable whose value cannot be used.
type Problem struct {
	Variable string
	Value    string // not of one that may hold credentials
	Sentence string // names variable, value, accepted values and the default used
}

// String returns the sentence.
func (p Problem) String() string { return p.Sentence }

// Load reads all settings through getenv, which has the form of os.LookupEnv.
// An empty value counts as unset, because clients pass on variables that their
// users left blank. A value that cannot be used leaves the default in place and
// is reported; it never stops PlayGuard. Apart from getenv, Load only looks
// whether a command with spaces is a file.
func Load(getenv func(string) (string, bool)) (*Config, []Problem) {
	c := &Config{}
	var problems []Problem
	for _, s := range Settings() {
		if err := s.set(c, s.Default); err != nil {
			// A fault of the table, excluded by a test.
			problems = append(problems, Problem{s.Name, s.Default, fmt.Sprintf("The default of %s cannot be used: %v.", s.Name, err)})
		}
		raw, _ := getenv(s.Name)
		value := strings.TrimSpace(raw)
		if value == "" {
			continue
		}
		if err := s.set(c, value); err != nil {
			if s.secret {
				raw = hidden
			}
			problems = append(problems, Problem{s.Name, raw, s.problem(raw, err)})
		}
	}
	return c, problems
}

// hidden stands for a value that may hold credentials.
const hidden = "…"

// problem is the sentence about a value that set refused with err.
func (s Setting) problem(raw string, err error) string {
	fallback := fmt.Sprintf("the default %q is used", s.Default)
	if s.Default == "" {
		fallback = "it is treated as unset"
	}
	return fmt.Sprintf("%s=%q cannot be used: %v. Accepted: %s; %s.", s.Name, raw, err, s.Accepted, fallback)
}
