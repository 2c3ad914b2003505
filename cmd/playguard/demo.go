package main

// demo: the demo, with this very program as the server.

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"github.com/playguard/playguard/internal/demo"
)

type demoCommand struct {
	Headed bool `help:"Show the browser's window."`
	JSON   bool `help:"Print one JSON object instead of text."`
}

// Run works through the demo's task with this very program as the server.
func (d *demoCommand) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the demo can't find this program to start it: %w", err)
	}
	o := demo.Options{Executable: self, Headed: d.Headed, JSON: d.JSON, Out: os.Stdout}
	if d.JSON || !term.IsTerminal(int(os.Stdout.Fd())) {
		o.Progress = func(number, total int, name string) {
			fmt.Fprintf(os.Stderr, "%d/%d %s\n", number, total, name)
		}
	}
	_, err = demo.Run(ctx, o)
	return err
}
