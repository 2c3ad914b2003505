package playwright

// The command that starts the server.

import (
	"context"
	"errors"
	"os"
	"slices"

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

// launch finds the server and, on machine, the browser, and puts the command
// together.
func launch(ctx context.Context, o Options, env []string, machine browser.Lookup) (transport.Command, error) {
	c := o.Config
	// A browser that is killed leaves its profile and sockets behind.
	cmd := transport.Command{Env: env, Dir: o.Dirs.Root, PrivateTemp: true}
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
