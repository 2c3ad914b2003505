// Package playwright is the row of Playwright MCP: how the bundled server is
// started, how its tools are listed, and how its answers are made compact.
//
// The formats are those of @playwright/mcp 0.0.83.
package playwright

import (
	"context"
	_ "embed"
	"log/slog"
	"os"
	"strings"

	"github.com/playguard/playguard/internal/browser"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/environ"
	"github.com/playguard/playguard/internal/project"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/transport"
	"github.com/playguard/playguard/internal/upstream"
)

// seed is the catalogue of the bundled version, recorded from the real server
// (record_test.go), so that its tools can be listed before it was ever started
// or even installed.
//
//go:embed catalog.json
var seed []byte

// Options is what the row is made of.
type Options struct {
	Config      *config.Config
	Dirs        project.Dirs
	Environment []string // the process's, "NAME=value"
	BundleDir   string   // where the managed install lives
	Originals   *store.Store
	Log         *slog.Logger
}

// Name is the upstream's short name.
const Name = "playwright"

// Spec returns the row.
func Spec(o Options) upstream.Spec {
	c := o.Config
	env := childEnvironment(o)
	custom := len(c.PlaywrightCmd) > 0
	row := newRow(o)
	spec := upstream.Spec{
		Name:  Name,
		Title: "Playwright MCP",
		Eager: c.Start == config.StartEager,
		Launch: func(ctx context.Context) (transport.Command, error) {
			return launch(ctx, o, env, browser.System(os.LookupEnv))
		},
		Key:          append(append([]string{Name, strings.Join(c.PlaywrightCmd, "\x01"), o.Dirs.Root}, c.PlaywrightArgs...), environ.Names(env)...),
		Instructions: func(own string) string { return own },
		RewriteTool:  toolRewriter(c),
		Handler:      row.handler,
		OwnHandler:   row.ownHandler,
		Hint:         "`playguard setup` installs what is missing.",
	}
	if !custom {
		spec.Seed = seed
	}
	return spec
}

// childEnvironment is what Playwright MCP gets: its own variables (every flag
// has one), Playwright's, and what a browser needs.
func childEnvironment(o Options) []string {
	own := []string{
		"PLAYWRIGHT_*", "PWDEBUG", "PW_*", "PWTEST_*", "DEBUG", "DEBUG_COLORS", "CHROME_DEVEL_SANDBOX", "CHROME_CONFIG_HOME",
		"FONTCONFIG_*", "LD_LIBRARY_PATH",
	}
	return environ.Filter(o.Environment, environ.Base(), environ.Display(), own, o.Config.PassEnv)
}
