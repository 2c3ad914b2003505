// What PlayGuard occupies: memory of its own process, and the binary.

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

const (
	maxIdleMB   = 20
	maxLoadedMB = 45
	maxBinaryMB = 15
)

func measureMemory(ctx context.Context, l *lab) ([]figure, error) {
	answers := 1000
	if l.quick {
		answers = 200
	}
	if runtime.GOOS != "linux" {
		return []figure{plain("memory", 0, "MB").with("measured on Linux only, from /proc")}, nil
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
	if err := p.handshake(); err != nil {
		return nil, err
	}
	// What the start leaves to do in the background belongs to the idle figure.
	time.Sleep(500 * time.Millisecond)
	idle, err := p.resident()
	if err != nil {
		return nil, err
	}
	if _, err := p.timed("big", answers); err != nil {
		return nil, err
	}
	loaded, err := p.resident()
	if err != nil {
		return nil, err
	}
	return []figure{
		atMost("idle, after tools/list", idle.now, "MB", maxIdleMB),
		atMost(fmt.Sprintf("after %d answers of 316 KB", answers), loaded.now, "MB", maxLoadedMB),
		plain("peak", loaded.peak, "MB"),
	}, nil
}

// resident is what the kernel says of a process, in MB of 2^20 bytes.
type resident struct{ now, peak float64 }

// resident reads the memory of the process itself, not of its children.
func (p *peer) resident() (resident, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return resident{}, fmt.Errorf("cannot read the memory of %s: %w", p.name, err)
	}
	now, err := statusMB(text, "VmRSS:")
	if err != nil {
		return resident{}, err
	}
	peak, err := statusMB(text, "VmHWM:")
	return resident{now, peak}, err
}

// statusMB finds a line like "VmRSS:   7100 kB".
func statusMB(status []byte, name string) (float64, error) {
	for line := range bytes.Lines(status) {
		if fields := bytes.Fields(line); len(fields) == 3 && string(fields[0]) == name {
			kb, err := strconv.ParseFloat(string(fields[1]), 64)
			return kb / 1024, err
		}
	}
	return 0, fmt.Errorf("the process status has no %s", name)
}

func measureSize(_ context.Context, l *lab) ([]figure, error) {
	info, err := os.Stat(l.playguard)
	if err != nil {
		return nil, fmt.Errorf("cannot read the size of the binary: %w", err)
	}
	return []figure{atMost("binary, stripped", float64(info.Size())/(1<<20), "MB", maxBinaryMB)}, nil
}
