// Processor time of one process.

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// measureCPU tells how much processor time PlayGuard itself spends on a call.
// Unlike the time that passes, it hardly depends on what else the machine does.
func measureCPU(ctx context.Context, l *lab) ([]figure, error) {
	small, large := 5000, 500
	if l.quick {
		small, large = 1000, 100
	}
	if runtime.GOOS != "linux" {
		return []figure{plain("processor time", 0, "µs").with("measured on Linux only, from /proc")}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	s, err := l.newScene(overheadScript)
	if err != nil {
		return nil, err
	}
	p, err := s.proxied(ctx)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	relayed, err := s.relayed(ctx)
	if err != nil {
		return nil, err
	}
	defer relayed.stop()
	if err := p.handshake(); err != nil {
		return nil, err
	}
	var figures []figure
	for _, side := range []struct {
		name string
		p    *peer
	}{{"PlayGuard", p}, {"a relay that only copies", relayed}} {
		for _, load := range []struct {
			name, tool string
			calls      int
		}{{"small call", "small", small}, {"316 KB call", "big", large}} {
			each, err := side.p.cpuPerCall(load.tool, load.calls)
			if err != nil {
				return nil, err
			}
			figures = append(figures, plain(load.name+", "+side.name, micros(each), "µs").
				with(fmt.Sprintf("mean of %d calls", load.calls)))
		}
	}
	return figures, nil
}

// cpuPerCall is the mean processor time of the peer's own process for a call.
func (p *peer) cpuPerCall(tool string, calls int) (time.Duration, error) {
	if _, err := p.timed(tool, calls/10); err != nil {
		return 0, err
	}
	before, err := p.cpuTime()
	if err != nil {
		return 0, err
	}
	if _, err := p.timed(tool, calls); err != nil {
		return 0, err
	}
	after, err := p.cpuTime()
	return (after - before) / time.Duration(calls), err
}

// cpuTime adds up what the threads of the process have run, which the kernel
// counts in nanoseconds. Threads of a Go program hardly ever end.
func (p *peer) cpuTime() (time.Duration, error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("cannot read the processor time of %s: the kernel gives no schedstat", p.name)
	}
	var sum time.Duration
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended since
		}
		ran, _, _ := strings.Cut(string(text), " ")
		ns, err := strconv.ParseInt(ran, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("cannot read the processor time of %s: %w", p.name, err)
		}
		sum += time.Duration(ns)
	}
	return sum, nil
}
