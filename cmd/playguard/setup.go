package main

// setup: what the bundled server needs, installed ahead of its first start.

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/playguard/playguard/internal/browser"
	"github.com/playguard/playguard/internal/bundle"
	"github.com/playguard/playguard/internal/config"
)

type setupCommand struct{}

// Run installs the bundled packages and says whether a browser is there.
func (*setupCommand) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	c, problems := config.Load(os.LookupEnv)
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, "playguard: "+p.Sentence)
	}
	dir, err := bundle.Dir(c.DataDir)
	if err != nil {
		return err
	}
	progress, done := progressLine()
	installed, err := bundle.Install(ctx, bundle.Options{Dir: dir, Progress: progress})
	done()
	if err != nil {
		return err
	}
	versions := bundle.Versions()
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		fmt.Printf("%s %s is installed in %s\n", name, versions[name], installed.Dir)
	}
	machine := browser.System(os.LookupEnv)
	machine.CoreDir = installed.PlaywrightCore
	found, err := browser.Find(ctx, machine)
	if err != nil {
		return err
	}
	fmt.Printf("The browser is %s (%s).\n", found.Path, found.Kind)
	return nil
}

// progressLine shows one moving line at a terminal, and plain lines elsewhere.
func progressLine() (show func(string), done func()) {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		last := ""
		return func(line string) {
			if line != last {
				fmt.Fprintln(os.Stderr, line)
				last = line
			}
		}, func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSpinnerType(14), progressbar.OptionClearOnFinish())
	return func(line string) {
			bar.Describe(line)
			_ = bar.Add(1)
		}, func() {
			_ = bar.Finish()
		}
}
