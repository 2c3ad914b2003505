// Command playguard is one MCP server that runs several others and makes their
// answers cheap to read. Without an argument it serves MCP on stdio; see
// `playguard help` for the rest.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/playguard/playguard/internal/proctree"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // what was asked for could not be done; stderr says why
	exitUsage  = 2 // the command line is wrong
)

// version is set by the release build (-ldflags "-X main.version=…").
var version = ""

type commands struct {
	Serve   serveCommand   `cmd:"" default:"1" help:"Serve MCP on stdin and stdout (what a client starts; the default)."`
	Setup   setupCommand   `cmd:"" help:"Install the bundled packages and look for a browser."`
	Demo    demoCommand    `cmd:"" help:"Work through a task in a real browser and show what the agent is spared."`
	Compact compactCommand `cmd:"" help:"Print what PlayGuard would send for a recorded answer."`
	Version versionCommand `cmd:"" help:"Print the version."`
	Help    helpCommand    `cmd:"" help:"Show this help, or that of a command."`
}

const description = `One MCP server that runs Playwright MCP and others, and sends the agent only what it can use.

Exit codes: 0 done, 1 failed (stderr says why), 2 wrong command line. A server ends with 0 when its client closes stdin or a signal asks it to.

Settings are environment variables; README.md lists them.`

func main() {
	proctree.Guard() // never returns in a process that was started as a guard
	if len(os.Args) == 1 && !term.IsTerminal(int(os.Stdin.Fd())) {
		os.Exit(exit((&serveCommand{}).Run())) // the short way: clients give up on slow starters
	}
	os.Exit(run(os.Args[1:]))
}

// run parses a command line and runs the command.
func run(args []string) int {
	var c commands
	parser, err := kong.New(&c, kong.Name("playguard"), kong.Description(description), kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		return exit(err)
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		return exit(usageError{err})
	}
	return exit(ctx.Run(parser))
}

// usageError is a command line that is wrong.
type usageError struct{ error }

// exit says what went wrong and returns the exit code.
func exit(err error) int {
	if err == nil {
		return exitOK
	}
	if _, usage := errors.AsType[usageError](err); usage {
		fmt.Fprintf(os.Stderr, "playguard: %v. `playguard help` lists the commands.\n", err)
		return exitUsage
	}
	fmt.Fprintln(os.Stderr, "playguard: "+err.Error())
	return exitFailed
}

type versionCommand struct{}

// Run prints the version and what it was built with.
func (versionCommand) Run() error {
	fmt.Println("playguard " + buildVersion())
	return nil
}

// buildVersion is the release's version, else what the Go tool knows.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.0.0-dev"
}

type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command to explain."`
}

// Run shows the help of a command, or of the program.
func (h *helpCommand) Run(parser *kong.Kong) error {
	ctx, err := kong.Trace(parser, h.Command)
	if err != nil {
		return err
	}
	if ctx.Error != nil {
		return usageError{ctx.Error}
	}
	if len(h.Command) == 0 {
		ctx.Path = ctx.Path[:1] // the program itself, not its default command
	}
	return ctx.PrintUsage(false)
}
