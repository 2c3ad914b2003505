// Package servers lists the upstreams that PlayGuard knows rules for, one folder
// each, and makes the rows of a session.
package servers

import (
	"log/slog"
	"strings"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/designdiff"
	"github.com/playguard/playguard/internal/designtool"
	"github.com/playguard/playguard/internal/project"
	"github.com/playguard/playguard/internal/reread"
	"github.com/playguard/playguard/internal/servers/figma"
	"github.com/playguard/playguard/internal/servers/figmadesktop"
	"github.com/playguard/playguard/internal/servers/generic"
	"github.com/playguard/playguard/internal/servers/playwright"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/upstream"
)

// Options is what the rows are made of.
type Options struct {
	Config      *config.Config
	Dirs        project.Dirs
	Environment []string // the process's, "NAME=value"
	BundleDir   string   // where the managed install lives
	Further     []config.Server
	Originals   *store.Store // of answers that were cut
	Log         *slog.Logger
}

// Specs returns the rows in the order in which their tools are listed.
func Specs(o Options) []upstream.Spec {
	specs := []upstream.Spec{playwright.Spec(playwright.Options{
		Config: o.Config, Dirs: o.Dirs, Environment: o.Environment, BundleDir: o.BundleDir,
		Originals: o.Originals, Log: o.Log,
	})}
	if at := o.Config.FigmaURL; !at.IsZero() {
		specs = append(specs, figmadesktop.Spec(at))
	} else if len(o.Config.FigmaCmd) > 0 {
		specs = append(specs, figma.Spec(figma.Options{
			Config: o.Config, Dirs: o.Dirs, Environment: o.Environment, Originals: o.Originals, Log: o.Log,
		}))
	}
	for _, server := range o.Further {
		specs = append(specs, generic.Spec(server, o.Dirs.Root, o.Environment, o.Config.PassEnv))
	}
	return specs
}

// Own returns the tools that PlayGuard answers itself.
func Own(o Options) []upstream.Own {
	return []upstream.Own{reread.Tool(o.Originals), designtool.Tool(compareDesign(o.Config))}
}

// compareDesign says what the comparison with a design works with.
func compareDesign(c *config.Config) designtool.Options {
	options := designtool.Options{
		Tolerance: designdiff.Tolerance{PX: float64(c.DesignDiffPX), Color: float64(c.DesignDiffColor)},
		Figma:     figma.Name, DesignTool: figma.DesignTool,
		Browser: playwright.Name, ElementsTool: playwright.ElementsTool,
	}
	const way = "set FIGMA_MCP_CMD to Framelink's figma-developer-mcp"
	switch {
	case !c.FigmaURL.IsZero():
		options.Missing = "playguard_compare_design needs Framelink: Figma's desktop server (FIGMA_MCP_URL) sends code, no styles. Unset FIGMA_MCP_URL and " + way + "."
	case len(c.FigmaCmd) == 0:
		options.Missing = "playguard_compare_design needs a Figma server: " + way + "."
	case strings.EqualFold(c.FigmaOutputFormat, "tree"):
		options.Missing = "playguard_compare_design can't read OUTPUT_FORMAT=tree: unset it or set json."
	}
	return options
}

// Instructions is what PlayGuard tells the agent of itself: it is read once in
// every session, so it says only what can't be guessed.
func Instructions(c *config.Config) string {
	if !c.Compact {
		return ""
	}
	handles := "[47] behind an element is its handle: pass 47 as target; [5-7] behind a | b | c are theirs in order."
	if c.Refs == config.RefsUpstream {
		handles = "[e12] behind an element is its handle: pass e12 as target."
	}
	if c.ActionView != config.ActionView {
		return handles + " browser_snapshot is compact; full:true gives the whole page, raw:true Playwright's own answer."
	}
	return handles + " Actions answer with what they changed on the page, so look only in doubt: browser_snapshot, full:true for the whole page, raw:true for Playwright's own answer."
}
