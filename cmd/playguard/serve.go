package main

// serve: one session with a client, from the settings to the end.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/adrg/xdg"
	"golang.org/x/term"

	"github.com/playguard/playguard/internal/bundle"
	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/catalog"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/project"
	"github.com/playguard/playguard/internal/proxy"
	"github.com/playguard/playguard/internal/servers"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/transport"
	"github.com/playguard/playguard/internal/upstream"
)

const (
	// endWithin is when the process ends at the latest after it was asked to:
	// clients kill it after about 500 ms, and the end of the process itself takes
	// a few more.
	endWithin = 370 * time.Millisecond
	// parentCheck is how often it looks whether its parent is still there.
	parentCheck = time.Second
	// sweepInterval is how often the output folder is brought within its limits.
	sweepInterval = 10 * time.Minute
	// maxDays is as long as a time.Duration can count: a longer age is none.
	maxDays = 100 * 365
	// heapPercent and heapLimit let the heap grow to some 16 MB before garbage is
	// collected. It holds little but the lines on their way, so with Go's default
	// of 4 MB a large answer in ten would pay for a collection.
	heapPercent = 400
	heapLimit   = 96 << 20
)

type serveCommand struct{}

// Run serves one client on stdio until it leaves.
func (*serveCommand) Run() error {
	if term.IsTerminal(int(os.Stdin.Fd())) {
		printClientSetup(os.Stdout)
		return nil
	}
	debug.SetGCPercent(heapPercent)
	debug.SetMemoryLimit(heapLimit)
	s, err := newServer(os.LookupEnv, os.Environ())
	if err != nil {
		return err
	}
	defer s.flush()
	ctx, stop := lifetime(s.log)
	defer stop()
	session := proxy.New(transport.NewStdio(transport.Pollable(os.Stdin, os.Stdout, os.Stderr), os.Stdout, s.config.MaxLineBytes), s.options)
	var background sync.WaitGroup
	background.Go(func() { project.SweepEvery(ctx, sweepInterval, s.output, s.limits) })
	session.Run(ctx)
	stop()
	background.Wait()
	if err := s.originals.Close(); err != nil {
		s.log.Warn("originals of cut answers could not be removed", "error", err.Error())
	}
	return nil
}

// lifetime is a context that ends when the process is to end: on a signal, or
// when the process that started it is gone. (The client closing stdin is seen
// by the session.)
func lifetime(log *slog.Logger) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 4)
	// Without SIGPIPE here, writing to a client that is gone would end the
	// process on the spot.
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	parent := os.Getppid()
	go func() {
		tick := time.NewTicker(parentCheck)
		defer tick.Stop()
		for {
			select {
			case got := <-signals:
				if got != syscall.SIGPIPE {
					cancel(fmt.Errorf("%v", got))
				}
			case <-tick.C:
				if os.Getppid() != parent {
					cancel(errors.New("the parent process is gone"))
				}
			case <-ctx.Done():
				log.Info("ending", "reason", context.Cause(ctx).Error())
				return
			}
		}
	}()
	return ctx, func() { cancel(errors.New("the client left")) }
}

// server is everything a session is made of.
type server struct {
	config  *config.Config
	log     *slog.Logger
	flush   func() // writes the last notes
	options proxy.Options

	originals *store.Store
	output    string // what the site under test leaves there is kept within limits
	limits    project.SweepLimits
}

// newServer reads the settings and puts the session's parts together. What is
// wrong with a setting is said on stderr and never stops the server.
func newServer(lookup func(string) (string, bool), environment []string) (*server, error) {
	c, problems := config.Load(lookup)
	log, flush := newLog(c.Stderr)
	for _, p := range problems {
		log.Warn(p.Sentence)
	}
	root := project.Root(project.PlaceFromEnv(lookup, c.ProjectRoot))
	dirs, note, err := project.Ensure(project.NewDirs(root, c.OutputDir, c.LogDir), project.StateDir())
	if err != nil {
		return nil, err
	}
	if note != "" {
		log.Warn(note)
	}
	further, err := c.Servers(root, dirs.Output, lookup)
	if err != nil && !(errors.Is(err, fs.ErrNotExist) && c.ServersFile == "") {
		log.Warn(err.Error())
	}
	bundles, err := bundle.Dir(c.DataDir)
	if err != nil {
		return nil, err
	}
	originals := store.New(project.StateDir(), store.DefaultLimits())
	rows := servers.Options{
		Config: c, Dirs: dirs, Environment: environment, BundleDir: bundles, Further: further, Originals: originals, Log: log,
		StateDir: project.StateDir(),
	}
	limits := project.SweepLimits{Bytes: int64(c.OutputMaxMB) << 20, Age: time.Duration(min(c.OutputMaxDays, maxDays)) * 24 * time.Hour}
	return &server{config: c, log: log, flush: flush, originals: originals, output: dirs.QA, limits: limits, options: proxy.Options{
		Version:      buildVersion(),
		Instructions: servers.Instructions(c),
		Specs:        servers.Specs(rows),
		Own:          servers.Own(rows),
		Store:        catalog.Store{Dir: catalogDir(c)},
		ListWait:     c.ListWait,
		Calls:        calllog.Open(dirs.Logs, log),
		Log:          log,
		// What is not done in time is left to the guards, which outlive us.
		Ending: func() { time.AfterFunc(endWithin, func() { os.Exit(exitOK) }) },
		Upstream: upstream.Options{
			StartTimeout: c.StartTimeout, CallTimeout: c.CallTimeout, MaxLine: c.MaxLineBytes, Replay: replayPolicy(c), Log: log,
		},
	}}, nil
}

func replayPolicy(c *config.Config) upstream.Policy {
	switch c.Replay {
	case config.ReplayAlways:
		return upstream.ReplayAlways
	case config.ReplayNever:
		return upstream.ReplayNever
	}
	return upstream.ReplaySafe
}

// catalogDir is where the upstreams' lists are kept between starts.
func catalogDir(c *config.Config) string {
	if c.DataDir != "" {
		return filepath.Join(c.DataDir, "catalog")
	}
	return filepath.Join(xdg.CacheHome, "playguard", "catalog")
}
