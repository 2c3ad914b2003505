// Package generic is the row of an upstream that PlayGuard has no rules for:
// one of the entries of the file that PLAYGUARD_CONFIG names. All that it says
// passes untouched.
package generic

import (
	"context"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/environ"
	"github.com/playguard/playguard/internal/transport"
	"github.com/playguard/playguard/internal/upstream"
)

// Spec returns the row for one entry. It gets the base environment, what the
// user lets pass to all (passEnv), and what its entry sets; root is its working
// directory unless the entry names one.
func Spec(server config.Server, root string, environment, passEnv []string) upstream.Spec {
	env := append(environ.Filter(environment, environ.Base(), passEnv), server.Env...)
	dir := server.Cwd
	if dir == "" {
		dir = root
	}
	return upstream.Spec{
		Name:  server.Name,
		Title: server.Name,
		Launch: func(context.Context) (transport.Command, error) {
			return transport.Command{Path: server.Command, Args: server.Args, Env: env, Dir: dir}, nil
		},
		Key:  append(append([]string{server.Name, server.Command, dir}, server.Args...), environ.Names(env)...),
		Hint: "Check the entry " + server.Name + " in the file of PLAYGUARD_CONFIG.",
	}
}
