// The command line of the benchmark.

// Command bench measures what PlayGuard costs and what it saves, and holds each
// figure against its bound.
//
//	go run ./bench [--json] [--corpus DIR] [--designs DIR] [--only NAME,…] [--quick] [--no-fail] [--binary FILE]
//
// It builds the program and a scripted upstream into a temporary folder. Only the
// sections end and flows need npm and a browser. What is compared is measured in turns
// within the same run, since a time alone says as much about the machine.
//
// The section corpus takes the answers in testdata/corpus, which
// "go test ./bench -run TestRecordedCorpus -update" records anew, or those of
// the folder given. The section figma takes those in testdata/figma, recorded by
// -run TestRecordedDesigns -update, or those of the folder given.
//
// Exit codes: 0 all bounds are kept, 1 one is missed, 2 something could not be
// measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/playguard/playguard/internal/proctree"
)

// options are the command line's.
type options struct {
	json    bool
	corpus  string
	designs string
	only    []string
	quick   bool
	noFail  bool
	binary  string // measured instead of a fresh build, if not empty
}

// section is one thing to measure.
type section struct {
	name    string
	measure func(context.Context, *lab) ([]figure, error)
}

func main() {
	proctree.Guard() // npm, which the sections end and flows may need, runs under a guard
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 1 && args[0] == relayCommand {
		if err := relay(ctx, os.Stdin, stdout, stderr, args[1], args[2:]...); err != nil {
			fmt.Fprintf(stderr, "bench: %v\n", err)
			return 2
		}
		return 0
	}
	opts, err := parseOptions(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	rep, err := measure(ctx, opts, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 2
	}
	print := rep.text
	if opts.json {
		print = rep.json
	}
	if err := print(stdout); err != nil {
		fmt.Fprintf(stderr, "bench: cannot print the report: %v\n", err)
		return 2
	}
	if !rep.Pass && !opts.noFail {
		return 1
	}
	return 0
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	var o options
	var only string
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&o.json, "json", false, "print one JSON object")
	flags.StringVar(&o.corpus, "corpus", "", "measure the compact view on the recorded snapshots in this `folder` instead of our own")
	flags.StringVar(&o.designs, "designs", "", "measure the recorded designs in this `folder` (NAME.json.txt and NAME.tree.txt) instead of our own")
	flags.StringVar(&only, "only", "", "measure only these `sections`, separated by commas: "+strings.Join(sectionNames(), ", "))
	flags.BoolVar(&o.quick, "quick", false, "take fewer samples: a first impression only")
	flags.BoolVar(&o.noFail, "no-fail", false, "exit 0 even if a bound is missed")
	flags.StringVar(&o.binary, "binary", "", "measure this playguard `program` instead of building one")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if only != "" {
		o.only = strings.Split(only, ",")
	}
	for _, name := range o.only {
		if !slices.Contains(sectionNames(), name) {
			err := fmt.Errorf("there is no section %q; choose from %s", name, strings.Join(sectionNames(), ", "))
			fmt.Fprintf(stderr, "bench: %v\n", err)
			return o, err
		}
	}
	return o, nil
}

// sections lists everything that can be measured, in the order of the report.
func sections() []section {
	return []section{
		{"bytes", measureBytes},
		{"overhead", measureOverhead},
		{"cpu", measureCPU},
		{"start", measureStart},
		{"memory", measureMemory},
		{"size", measureSize},
		{"tools", measureTools},
		{"end", measureEnd},
		{"flows", measureFlows},
	}
}

func sectionNames() []string {
	var names []string
	for _, s := range sections() {
		names = append(names, s.name)
	}
	return append(names, "corpus", "figma")
}

// measure takes all the figures asked for.
func measure(ctx context.Context, opts options, stderr io.Writer) (*report, error) {
	wanted := func(name string) bool { return len(opts.only) == 0 || slices.Contains(opts.only, name) }
	rep := newReport(opts.quick)
	var todo []section
	for _, s := range sections() {
		if wanted(s.name) {
			todo = append(todo, s)
		}
	}
	if len(todo) > 0 {
		fmt.Fprintln(stderr, "bench: building")
		l, err := newLab(ctx, opts)
		if err != nil {
			return nil, err
		}
		defer l.close()
		for _, s := range todo {
			fmt.Fprintf(stderr, "bench: measuring %s\n", s.name)
			figures, err := s.measure(ctx, l)
			if err != nil {
				return nil, fmt.Errorf("%s could not be measured: %w", s.name, err)
			}
			rep.add(s.name, figures)
		}
	}
	if wanted("corpus") {
		fmt.Fprintln(stderr, "bench: measuring corpus")
		corpus, err := measureCorpus(openCorpus(opts.corpus))
		if err != nil {
			return nil, fmt.Errorf("the compact view could not be measured: %w", err)
		}
		rep.Corpus = &corpus
		rep.add("corpus", compactFigures(corpus))
	}
	if wanted("figma") {
		fmt.Fprintln(stderr, "bench: measuring figma")
		files, err := openDesigns(opts.designs)
		if err != nil {
			return nil, err
		}
		figures, err := measureDesigns(files, opts.quick)
		if err != nil {
			return nil, fmt.Errorf("the designs could not be measured: %w", err)
		}
		rep.add("figma", figures)
	}
	return rep, nil
}
