// The program: flags, set-up, exit codes.

package scripted

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// Main runs the fake server on the process's standard input and output and
// returns the exit code: 0 at the end of the input, 1 when reading failed, 2 for
// a bad script or argument. A script's exit step ends the process itself.
func Main(args []string) int {
	opts, err := parseArgs(args)
	if err != nil {
		fmt.Fprintf(os.Stderr, "scripted: %v\n", err)
		return 2
	}
	if opts.hold > 0 {
		time.Sleep(opts.hold)
		return 0
	}
	text := []byte(opts.inline)
	if opts.file != "" {
		if text, err = os.ReadFile(opts.file); err != nil {
			fmt.Fprintf(os.Stderr, "scripted: cannot read the script: %v\n", err)
			return 2
		}
	}
	s, err := newServer(text, os.Stdout)
	if err != nil {
		fmt.Fprintf(os.Stderr, "scripted: %v\n", err)
		return 2
	}
	if s.sc.IgnoreSignals {
		signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	}
	life := time.AfterFunc(time.Duration(s.sc.LifeSeconds)*time.Second, func() { os.Exit(1) })
	defer life.Stop()
	if err := s.serve(context.Background(), os.Stdin); err != nil {
		fmt.Fprintf(os.Stderr, "scripted: cannot read requests: %v\n", err)
		return 1
	}
	return 0
}

type options struct {
	file, inline string
	hold         time.Duration
}

// parseArgs reads our own arguments and passes over all others: they are meant
// for the server that this one stands in for.
func parseArgs(args []string) (options, error) {
	var o options
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-script", "-e", "-hold":
		default:
			continue
		}
		if i+1 == len(args) {
			return o, fmt.Errorf("%s needs a value after it", args[i])
		}
		value := args[i+1]
		switch args[i] {
		case "-script":
			o.file = value
		case "-e":
			o.inline = value
		case "-hold":
			ms, err := strconv.Atoi(value)
			if err != nil {
				return o, fmt.Errorf("-hold needs a number of milliseconds, not %q", value)
			}
			o.hold = time.Duration(ms) * time.Millisecond
		}
		i++
	}
	return o, nil
}

// newServer prepares a script to be served.
func newServer(text []byte, stdout *os.File) (*server, error) {
	sc, err := parseScript(text)
	if err != nil {
		return nil, err
	}
	s := &server{
		sc:    sc,
		out:   newOutput(stdout),
		asked: map[string]chan []byte{},
		open:  map[string]context.CancelFunc{},
		bigs:  map[int][]byte{},
	}
	if s.tools, err = sc.listedTools(); err != nil {
		return nil, err
	}
	if s.replies, err = compileScript(sc); err != nil {
		return nil, err
	}
	if sc.LogFile != "" {
		s.logFile, err = os.OpenFile(sc.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("cannot open the script's logFile: %w", err)
		}
	}
	s.start, err = countStart(sc.StartFile)
	return s, err
}

func compileScript(sc *script) (replies, error) {
	r := replies{ownMethods: ownMethods(sc), ownCalls: map[string]*reply{}}
	for _, b := range builtins() {
		r.ownCalls[sc.Prefix+b.name] = &reply{steps: []action{{do: b.do}}, waits: b.waits}
	}
	for _, table := range []struct {
		name string
		in   map[string][]step
		out  *map[string]*reply
	}{
		{"methods", sc.Methods, &r.methods},
		{"calls", sc.Calls, &r.calls},
		{"reads", sc.Reads, &r.reads},
		{"gets", sc.Gets, &r.gets},
	} {
		var err error
		if *table.out, err = compileAll(table.name, table.in); err != nil {
			return replies{}, err
		}
	}
	var err error
	if r.start, err = compile(sc.Start); err != nil {
		return replies{}, fmt.Errorf("start: %w", err)
	}
	if r.eof, err = compile(sc.EOF); err != nil {
		return replies{}, fmt.Errorf("eof: %w", err)
	}
	if sc.AfterCalls != nil {
		if r.after, err = compile(sc.AfterCalls.Do); err != nil {
			return replies{}, fmt.Errorf("afterCalls: %w", err)
		}
	}
	return r, nil
}

// countStart notes this start in the file and returns its number, from 1.
func countStart(file string) (int, error) {
	if file == "" {
		return 1, nil
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, fmt.Errorf("cannot open the script's startFile: %w", err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, os.Getpid()); err != nil {
		return 0, fmt.Errorf("cannot write the script's startFile: %w", err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, fmt.Errorf("cannot read the script's startFile: %w", err)
	}
	return bytes.Count(text, []byte("\n")), nil
}

// Build compiles the program into dir and returns its path. It needs the go
// command and this module's source.
func Build(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(dir, "scripted")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "github.com/playguard/playguard/test/scripted/cmd/scripted")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build the scripted server: %w\n%s", err, out)
	}
	return path, nil
}
