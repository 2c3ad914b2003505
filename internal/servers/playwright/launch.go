package playwright

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/playguard/playguard/internal/argv"
	"github.com/playguard/playguard/internal/browser"
	"github.com/playguard/playguard/internal/bundle"
	"github.com/playguard/playguard/internal/transport"
)

// Variables by which the npm launcher hands over where it found things, so that
// this program need not search node_modules.
const (
	bundledEntryVariable = "PLAYGUARD_BUNDLED_PLAYWRIGHT"
	bundledNodeVariable  = "PLAYGUARD_BUNDLED_NODE"
)

// launch finds the server and the browser and puts the command together.
func launch(ctx context.Context, o Options, env []string) (transport.Command, error) {
	c := o.Config
	cmd := transport.Command{Env: env, Dir: o.Dirs.Root}
	if len(c.PlaywrightCmd) > 0 {
		// The user's own command gets no flag it may not know; the variable is
		// ignored by versions that do not know it.
		cmd.Path = c.PlaywrightCmd[0]
		cmd.Args = slices.Concat(c.PlaywrightCmd[1:], c.PlaywrightArgs)
		if !argv.Has(cmd.Args, "output-dir") && !set(env, "PLAYWRIGHT_MCP_OUTPUT_DIR") {
			cmd.Env = append(slices.Clone(env), "PLAYWRIGHT_MCP_OUTPUT_DIR="+o.Dirs.QA)
		}
		return cmd, nil
	}
	installed, err := locate(ctx, o)
	if err != nil {
		return cmd, err
	}
	given := flags{args: c.PlaywrightArgs, env: env, file: readConfigFile(c.PlaywrightArgs, env, o.Dirs.Root)}
	machine := browser.System(os.LookupEnv)
	machine.CoreDir = installed.PlaywrightCore
	var found browser.Browser
	if given.wantsBrowser() {
		if found, err = browser.Find(ctx, machine); err != nil {
			return cmd, err
		}
	}
	headed := machine.HasDisplay() && found.Kind != browser.HeadlessShell
	cmd.Path = installed.Node
	cmd.Args = slices.Concat([]string{installed.PlaywrightCLI}, c.PlaywrightArgs, defaults(given, found.Path, machine.NeedsNoSandbox(), headed, c.KeepCodegen, o.Dirs.QA))
	return cmd, nil
}

// locate finds node and the bundled server: handed over by the npm launcher, or
// in the managed install, which is made now if it is missing.
func locate(ctx context.Context, o Options) (bundle.Installed, error) {
	if entry := os.Getenv(bundledEntryVariable); entry != "" {
		node := os.Getenv(bundledNodeVariable)
		if node == "" {
			node = "node"
		}
		return bundle.Installed{PlaywrightCLI: entry, Node: node}, nil
	}
	installed, ok := bundle.Locate(o.BundleDir)
	if !ok {
		if !o.Config.AutoInstall {
			return installed, errors.New("it is not installed, and PLAYGUARD_AUTO_INSTALL is off. Run `playguard setup`")
		}
		o.Log.Info("Playwright MCP is being installed; this happens once")
		progress := func(line string) { o.Log.Info("installing: " + line) }
		var err error
		if installed, err = bundle.Install(ctx, bundle.Options{Dir: o.BundleDir, Progress: progress}); err != nil {
			return installed, err
		}
	}
	if installed.Node == "" {
		node, _, err := bundle.CheckNode(ctx)
		if err != nil {
			return installed, err
		}
		installed.Node = node
	}
	return installed, nil
}

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
	Present bool `json:"-"`
	Browser struct {
		BrowserName    string `json:"browserName"`
		CDPEndpoint    string `json:"cdpEndpoint"`
		RemoteEndpoint string `json:"remoteEndpoint"`
		LaunchOptions  struct {
			Channel         string `json:"channel"`
			ExecutablePath  string `json:"executablePath"`
			Headless        *bool  `json:"headless"`
			ChromiumSandbox *bool  `json:"chromiumSandbox"`
		} `json:"launchOptions"`
	} `json:"browser"`
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
	var f configFile
	if path == "" {
		return f
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &f) != nil {
		return configFile{}
	}
	f.Present = true
	return f
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

// remote reports whether the browser is one that already runs.
func (f flags) remote() bool {
	b := f.file.Browser
	return f.given("cdp-endpoint") || f.given("endpoint") || f.given("extension") || b.CDPEndpoint != "" || b.RemoteEndpoint != ""
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
