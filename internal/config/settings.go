package config

// The table of settings. The README's tables are rendered from it.

import "time"

// Kind says how a setting's text is read.
type Kind string

// The kinds of settings.
const (
	KindBool      Kind = "bool"
	KindChoice    Kind = "choice"
	KindMillis    Kind = "milliseconds"
	KindMegabytes Kind = "megabytes"
	KindCount     Kind = "count"
	KindFraction  Kind = "fraction"
	KindPath      Kind = "path"
	KindCommand   Kind = "command"
	KindArgs      Kind = "arguments"
	KindList      Kind = "list"
	KindURL       Kind = "URL"
	KindText      Kind = "text"
)

// Sections, in the order in which the README shows them.
const (
	SectionPlaywright = "Playwright"
	SectionRecovery   = "Recovery"
	SectionFigma      = "Figma"
	SectionDesignDiff = "Design diff"
	SectionFiles      = "Files"
	SectionUpstreams  = "Upstreams"
	SectionRunning    = "Starting and running"
)

// Setting is one environment variable.
type Setting struct {
	Name        string
	Default     string // the value that stands for unset, in the variable's own form
	DefaultText string // how the README shows the default where Default says too little
	Kind        Kind
	Accepted    string // what can be given, for messages
	Doc         string // what it does, in Markdown
	Section     string

	secret bool                        // the value may hold credentials and is not repeated in messages
	set    func(*Config, string) error // parses into the Config; on error the Config is unchanged
}

// Settings returns the table.
func Settings() []Setting {
	return []Setting{
		boolean("PLAYGUARD_COMPACT", "true", SectionPlaywright,
			"Set `false` to disable compact snapshots and receive the raw accessibility tree",
			func(c *Config) *bool { return &c.Compact }),
		choice("PLAYGUARD_TEXT", SectionPlaywright,
			"How much running text a snapshot keeps: `full` keeps all, `short` cuts long text at a word boundary, `none` keeps names, labels, headings, statuses and values only. One call can ask for another with `text`",
			func(c *Config) *string { return &c.Text }, TextFull, TextShort, TextNone),
		choice("PLAYGUARD_FORMAT", SectionPlaywright,
			"How a compact snapshot is written: `dense` is the shortest (its grammar is in `docs/snapshot-format.md`), `yaml` keeps Playwright's own lines",
			func(c *Config) *string { return &c.Format }, FormatDense, FormatYAML),
		choice("PLAYGUARD_REFS", SectionPlaywright,
			"What handles look like: `numbers` are short, last for the session and follow their elements, `upstream` are Playwright's own refs",
			func(c *Config) *string { return &c.Refs }, RefsNumbers, RefsUpstream),
		choice("PLAYGUARD_HANDLES", SectionPlaywright,
			"Which elements get a handle: `leaf` also plain elements outside any control, which may have a click listener; `action` only what is a control by role, pointer cursor, focus or state",
			func(c *Config) *string { return &c.Handles }, HandlesLeaf, HandlesAction),
		choice("PLAYGUARD_ACTION_VIEW", SectionPlaywright,
			"What an action answers: `view` what it changed on the page, or the new page; `link` Playwright's own answer with a link to a file",
			func(c *Config) *string { return &c.ActionView }, ActionView, ActionLink),
		count("PLAYGUARD_ACTION_BUDGET", "2500", "tokens", SectionPlaywright,
			"A new page larger than this many tokens is answered by its outline. `0` = no limit",
			func(c *Config) *int { return &c.ActionBudget }),
		boolean("PLAYGUARD_DELTA", "true", SectionPlaywright,
			"Set `false` to get whole views only, never what has changed",
			func(c *Config) *bool { return &c.Delta }),
		fraction("PLAYGUARD_DELTA_THRESHOLD", "0.4", SectionPlaywright,
			"The share of elements and texts that must change for a whole view to be sent instead of a delta (0–1)",
			func(c *Config) *float64 { return &c.DeltaThreshold }),
		millis("PLAYGUARD_SNAPSHOT_TTL", "500", 0, SectionPlaywright,
			"A look this soon after the last one, in ms, with no call between, is answered from memory. `0` = off",
			func(c *Config) *time.Duration { return &c.SnapshotTTL }),
		count("PLAYGUARD_TOKEN_BUDGET", "0", "tokens", SectionPlaywright,
			"The largest view, in tokens: long lists and sections are folded first, then lines are left out. `0` = off",
			func(c *Config) *int { return &c.TokenBudget }),
		count("PLAYGUARD_HINT_THRESHOLD", "4", "looks", SectionPlaywright,
			"After this many looks in a row without an action, a hint lists controls that could be used. `0` = off",
			func(c *Config) *int { return &c.HintThreshold }),
		choice("PLAYGUARD_SCREENSHOTS", SectionPlaywright,
			"Screenshots: `warn` takes them and says so on stderr; `redirect` takes a snapshot instead, unless the call has `visual:true`, `filename`, `element`, `target` or `fullPage`; `block` refuses them; `allow` takes them",
			func(c *Config) *string { return &c.Screenshots }, ScreenshotsWarn, ScreenshotsRedirect, ScreenshotsBlock, ScreenshotsAllow),
		millis("PLAYGUARD_EVAL_CACHE_TTL", "500", 0, SectionPlaywright,
			"How long, in ms, the result of a `browser_evaluate` script that only reads is given again without asking the page, as long as nothing else happens to the page. `0` = off",
			func(c *Config) *time.Duration { return &c.EvalCacheTTL }),
		count("PLAYGUARD_EVAL_COMPACT", "10000", "characters", SectionPlaywright,
			"The most characters of a `browser_evaluate` result; `playguard_read` has the rest. `0` = off",
			func(c *Config) *int { return &c.EvalCompact }),
		boolean("PLAYGUARD_SMART_WAIT", "false", SectionPlaywright,
			"Set `true` to look again at a page that seems to be loading (few controls and a loading text or progress bar) before a snapshot or a navigation is answered",
			func(c *Config) *bool { return &c.SmartWait }),
		millis("PLAYGUARD_SMART_WAIT_MS", "1000", 1, SectionPlaywright,
			"Time between two such looks",
			func(c *Config) *time.Duration { return &c.SmartWaitEvery }),
		count("PLAYGUARD_SMART_WAIT_MAX_RETRIES", "3", "looks", SectionPlaywright,
			"How often it looks again before the page is answered as it is, with a warning",
			func(c *Config) *int { return &c.SmartWaitRetries }),
		count("PLAYGUARD_SMART_WAIT_MIN_REFS", "5", "controls", SectionPlaywright,
			"A page with at least this many controls never counts as loading",
			func(c *Config) *int { return &c.SmartWaitControls }),
		boolean("PLAYGUARD_PREFETCH_SNAPSHOT", "false", SectionPlaywright,
			"Set `true` to answer a `browser_snapshot` that directly follows a navigation, within five seconds, from what the navigation has seen, without asking the browser again",
			func(c *Config) *bool { return &c.Prefetch }),
		{
			Name: "PLAYGUARD_CODEGEN", Kind: KindChoice, Accepted: "keep", Section: SectionPlaywright,
			Doc: "Set `keep` to stop PlayGuard adding `--codegen none` to the bundled Playwright MCP",
			set: setCodegen,
		},
		boolean("PLAYGUARD_HINTS", "true", SectionPlaywright,
			"Set `false` to stop appending batching hints to tool descriptions",
			func(c *Config) *bool { return &c.Hints }),
		{
			Name: "PLAYWRIGHT_MCP_CMD", DefaultText: "bundled", Kind: KindCommand, Accepted: acceptedArgs, Section: SectionPlaywright,
			Doc: "Override the Playwright MCP command. A path to a program may hold spaces; arguments can follow, quoted as in `PLAYWRIGHT_MCP_ARGS`",
			set: command(func(c *Config) *[]string { return &c.PlaywrightCmd }),
		},
		{
			Name: "PLAYWRIGHT_MCP_ARGS", Kind: KindArgs, Accepted: acceptedArgs, Section: SectionPlaywright,
			Doc: "Extra arguments passed to Playwright MCP (space-separated; wrap an argument in `\"...\"` or `'...'` if it contains a space, e.g. a path; a backslash is an ordinary character). Passing `--output-dir` here takes precedence over `PLAYGUARD_OUTPUT_DIR`",
			set: arguments(func(c *Config) *[]string { return &c.PlaywrightArgs }),
		},

		boolean("PLAYGUARD_RESTORE_STATE", "true", SectionRecovery,
			"Set `false` to stop PlayGuard saving cookies, local storage and IndexedDB while the browser is idle, for the next one after a crash. Tabs and their addresses are restored all the same",
			func(c *Config) *bool { return &c.RestoreState }),
		choice("PLAYGUARD_REPLAY", SectionRecovery,
			"Which calls are sent again after a crash: `safe` those that certainly had no effect, only read, or navigate; `always` every one, at the risk that an action happens twice; `never` none",
			func(c *Config) *string { return &c.Replay }, ReplaySafe, ReplayAlways, ReplayNever),
		millis("PLAYGUARD_BROWSER_TIMEOUT_MS", "60000", 0, SectionRecovery,
			"How long a browser tool may take beyond its own limits (the time of `browser_wait_for`, the server's limits for navigations and actions) without an answer or progress; the server is then ended and the session restored. `0` = off",
			func(c *Config) *time.Duration { return &c.BrowserTimeout }),
		{
			Name: "PLAYGUARD_TOOL_TIMEOUTS", Default: "browser_run_code_unsafe=300000", Kind: KindList, Section: SectionRecovery,
			Accepted: "TOOL=MILLISECONDS, separated by commas",
			Doc:      "The whole time that single tools of Playwright MCP may take, in place of `PLAYGUARD_BROWSER_TIMEOUT_MS`: `TOOL=MILLISECONDS`, separated by commas. `0` = `PLAYGUARD_CALL_TIMEOUT_MS` alone",
			set:      setToolTimeouts,
		},

		{
			Name: "FIGMA_MCP_URL", Kind: KindURL, Section: SectionFigma,
			Accepted: "http:// on this machine (http://127.0.0.1:3845/mcp), or https://",
			Doc:      "The official Figma desktop server, `http://127.0.0.1:3845/mcp`: no key, all its answers pass whole. It wins over `FIGMA_MCP_CMD`. `mcp.figma.com` is refused, because Figma admits only clients of its own catalogue",
			set:      setFigmaURL, secret: true,
		},
		{
			Name: "FIGMA_MCP_CMD", Kind: KindCommand, Accepted: acceptedArgs, Section: SectionFigma,
			Doc: "The command of Framelink's Figma server, e.g. `npx -y figma-developer-mcp --stdio`. It is started at the first call. Unset (and no `FIGMA_MCP_URL`): no Figma",
			set: command(func(c *Config) *[]string { return &c.FigmaCmd }),
		},
		{
			Name: "FIGMA_MCP_ARGS", Kind: KindArgs, Accepted: acceptedArgs, Section: SectionFigma,
			Doc: "Extra arguments for it (space-separated; wrap an argument in `\"...\"` or `'...'` if it contains a space)",
			set: arguments(func(c *Config) *[]string { return &c.FigmaArgs }),
		},
		{
			Name: "FIGMA_API_KEY", Kind: KindText, Accepted: "a text", Section: SectionFigma,
			Doc:    "Handed to the Figma server and to nothing else. One in a `.env` file in the project root, which that server reads, wins over it",
			set:    func(c *Config, value string) error { c.FigmaKey = value != ""; return nil },
			secret: true,
		},
		choice("FIGMA_FORMAT", SectionFigma,
			"How a design is written: `dense` is the shortest, one line for a layer (its grammar is in `docs/figma-format.md`), `json` keeps the upstream's members",
			func(c *Config) *string { return &c.FigmaFormat }, FigmaDense, FigmaJSON),
		count("FIGMA_TEXT_COMPACT", "10000", "characters", SectionFigma,
			"The most characters of a design: branches that do not fit become stubs, to be fetched by their id. `0` = no limit",
			func(c *Config) *int { return &c.FigmaTextCompact }),
		millis("FIGMA_CACHE_TTL", "0", 0, SectionFigma,
			"How long, in ms, a design is answered from memory. `0` = off",
			func(c *Config) *time.Duration { return &c.FigmaCacheTTL }),
		boolean("FIGMA_SVG_REFS", "true", SectionFigma,
			"Set `false` to keep the path data of vectors in",
			func(c *Config) *bool { return &c.FigmaSVGRefs }),
		{
			Name: "OUTPUT_FORMAT", Kind: KindText, DefaultText: "`json`", Accepted: "json, yaml, tree", Section: SectionFigma,
			Doc: "What Framelink is asked for. With `tree` its answers pass as they are, cut at `FIGMA_TEXT_COMPACT`, and `playguard_compare_design` can't read them",
			set: func(c *Config, value string) error { c.FigmaOutputFormat = value; return nil },
		},

		count("PLAYGUARD_DESIGN_DIFF_TOLERANCE_PX", "2", "pixels", SectionDesignDiff,
			"The difference of a size, in px, that still counts as a match; of a letter spacing, a tenth of it",
			func(c *Config) *int { return &c.DesignDiffPX }),
		count("PLAYGUARD_DESIGN_DIFF_TOLERANCE_COLOR", "5", "steps of 255", SectionDesignDiff,
			"The difference of a colour's red, green, blue or opacity, in steps of 255, that still counts as a match",
			func(c *Config) *int { return &c.DesignDiffColor }),

		location("PLAYGUARD_PROJECT_ROOT", "nearest `.git`/`package.json`", SectionFiles,
			"The folder that `.playguard/` is created in. Unset, it is the nearest folder with a `.git` or `package.json` above the client's project folder (`CLAUDE_PROJECT_DIR`) or the working directory, but never the home directory, the temporary directory or `/`",
			func(c *Config) *string { return &c.ProjectRoot }),
		location("PLAYGUARD_OUTPUT_DIR", "`.playguard/`", SectionFiles,
			"Where all artifacts go; `.qa/` in it holds everything from the site under test (screenshots, traces, PDFs, downloads). A relative path counts from the project root",
			func(c *Config) *string { return &c.OutputDir }),
		count("PLAYGUARD_OUTPUT_MAX_MB", "512", "megabytes", SectionFiles,
			"The most that the files in `.qa/` may take, in MB; beyond it the oldest are removed. `0` = no limit",
			func(c *Config) *int { return &c.OutputMaxMB }),
		count("PLAYGUARD_OUTPUT_MAX_DAYS", "14", "days", SectionFiles,
			"Files in `.qa/` that are older than this many days are removed. `0` = never",
			func(c *Config) *int { return &c.OutputMaxDays }),
		location("PLAYGUARD_LOG_DIR", "`.playguard/logs/`", SectionFiles,
			"Where the NDJSON call log goes. A relative path counts from the project root",
			func(c *Config) *string { return &c.LogDir }),
		location("PLAYGUARD_DATA_DIR", "user's data directory", SectionFiles,
			"Where the bundled packages are installed",
			func(c *Config) *string { return &c.DataDir }),

		location("PLAYGUARD_CONFIG", "`.playguard/config.json`, if present", SectionUpstreams,
			"A JSON file with `mcpServers` in the clients' own format; each entry becomes a further upstream. A relative path counts from the project root",
			func(c *Config) *string { return &c.ServersFile }),
		{
			Name: "PLAYGUARD_PASS_ENV", Kind: KindList, Section: SectionUpstreams,
			Accepted: "names separated by commas, with * for any characters, such as NODE_EXTRA_CA_CERTS,AWS_*",
			Doc:      "Environment variables handed to every upstream besides those it gets anyway, separated by commas; `*` stands for any characters, e.g. `NODE_EXTRA_CA_CERTS,ACME_*`",
			set:      setPassEnv,
		},

		choice("PLAYGUARD_START", SectionRunning,
			"When the bundled Playwright MCP is started: `eager` right behind the client's first request, `lazy` at the first call of one of its tools",
			func(c *Config) *string { return &c.Start }, StartEager, StartLazy),
		millis("PLAYGUARD_LIST_WAIT_MS", "6000", 0, SectionRunning,
			"How long the very first `tools/list` waits for an upstream before listing without it; its tools follow via `tools/list_changed`. Later starts list from the saved catalogue at once",
			func(c *Config) *time.Duration { return &c.ListWait }),
		millis("PLAYGUARD_START_TIMEOUT_MS", "30000", 1, SectionRunning,
			"How long an upstream may take from its start to its answered `initialize`",
			func(c *Config) *time.Duration { return &c.StartTimeout }),
		millis("PLAYGUARD_CALL_TIMEOUT_MS", "600000", 0, SectionRunning,
			"A call that brings neither an answer nor progress for this long fails. `0` = off",
			func(c *Config) *time.Duration { return &c.CallTimeout }),
		{
			Name: "PLAYGUARD_MAX_LINE_MB", Default: "64", Kind: KindMegabytes, Accepted: "a whole number from 1 to 1024", Section: SectionRunning,
			Doc: "The largest message accepted from client or upstream, in MB",
			set: setMaxLine,
		},
		boolean("PLAYGUARD_AUTO_INSTALL", "true", SectionRunning,
			"Set `false` to stop PlayGuard installing the bundled packages in the background at its first start; `playguard setup` then does it",
			func(c *Config) *bool { return &c.AutoInstall }),
		choice("PLAYGUARD_STDERR", SectionRunning,
			"What is printed on stderr: `quiet` only what needs attention, `info` also PlayGuard's notes, `debug` also everything the upstreams print",
			func(c *Config) *string { return &c.Stderr }, StderrInfo, StderrQuiet, StderrDebug),
	}
}
