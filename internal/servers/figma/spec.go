// Package figma is the row of Framelink's figma-developer-mcp: how it is started,
// and how the designs that it sends are made small, cut to a budget and kept.
//
// The formats are those of figma-developer-mcp 0.13.2.
package figma

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/playguard/playguard/internal/argv"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/environ"
	"github.com/playguard/playguard/internal/project"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/transport"
	"github.com/playguard/playguard/internal/upstream"
)

// Name is the upstream's short name. It is the same for each way to Figma, of
// which there is one at a time.
const Name = "figma"

// Options is what the row is made of.
type Options struct {
	Config      *config.Config
	Dirs        project.Dirs
	Environment []string // the process's, "NAME=value"
	Originals   *store.Store
	Log         *slog.Logger
}

// Spec returns the row for the command of FIGMA_MCP_CMD.
func Spec(o Options) upstream.Spec {
	c := o.Config
	env := childEnvironment(o)
	args := slices.Concat(c.FigmaCmd[1:], c.FigmaArgs)
	row := newRow(o)
	return upstream.Spec{
		Name:  Name,
		Title: "The Figma server",
		Launch: func(context.Context) (transport.Command, error) {
			// The project's folder, so that a .env there counts as it does without
			// PlayGuard.
			return transport.Command{Path: c.FigmaCmd[0], Args: args, Env: env, Dir: o.Dirs.Root}, nil
		},
		Key:        slices.Concat([]string{Name, c.FigmaCmd[0], o.Dirs.Root}, args, environ.Names(env)),
		Handler:    row.handler,
		OwnHandler: row.ownHandler,
		Hint:       hint(c.FigmaKey || set(env, "FIGMA_OAUTH_TOKEN")),
	}
}

func hint(key bool) string {
	if key {
		return "Check FIGMA_MCP_CMD and FIGMA_MCP_ARGS."
	}
	return "Check FIGMA_MCP_CMD and FIGMA_MCP_ARGS, and set FIGMA_API_KEY, which is missing."
}

// childEnvironment is what the server gets: its own variables, and what stands
// for those that the user left open.
func childEnvironment(o Options) []string {
	own := []string{
		"FIGMA_API_KEY", "FIGMA_OAUTH_TOKEN", "FIGMA_PROXY", "FRAMELINK_*", "OUTPUT_FORMAT", "IMAGE_DIR", "SKIP_IMAGE_DOWNLOADS", "DO_NOT_TRACK",
	}
	env := environ.Filter(o.Environment, environ.Base(), own, o.Config.PassEnv)
	// Flags win over these in the server itself.
	if !set(env, "OUTPUT_FORMAT") {
		env = append(env, "OUTPUT_FORMAT=json") // its default is a text for people
	}
	if !set(env, "FRAMELINK_TELEMETRY", "DO_NOT_TRACK") {
		env = append(env, "FRAMELINK_TELEMETRY=off")
	}
	if !set(env, "IMAGE_DIR") && !argv.Has(slices.Concat(o.Config.FigmaCmd, o.Config.FigmaArgs), "image-dir") {
		env = append(env, "IMAGE_DIR="+o.Dirs.Figma())
	}
	return env
}

// set reports whether one of the variables has a value.
func set(env []string, names ...string) bool {
	return slices.ContainsFunc(env, func(entry string) bool {
		name, value, _ := strings.Cut(entry, "=")
		return value != "" && slices.Contains(names, name)
	})
}
