package demo

// This file reads the sizes of calls from the log that the program writes.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// logPatience is how long a line of the log may take to be written.
const logPatience = 10 * time.Second

// logPoll is the time between two looks at the log.
const logPoll = 10 * time.Millisecond

// logLine is what the demo reads of a line.
type logLine struct {
	Tool      string  `json:"tool"`
	RawBytes  int     `json:"rawBytes"`
	KeptBytes int     `json:"keptBytes"`
	MS        float64 `json:"ms"`
}

// callLog follows the log files of one folder. With an empty folder there is no
// log: the program is upstream itself, and what it sent is what the agent got.
type callLog struct {
	dir  string
	used int // lines that belong to earlier calls
}

// fill sets the sizes of calls, which are in the order in which they were made.
// It waits for lines that are not written yet.
func (l *callLog) fill(ctx context.Context, calls []Call) error {
	if l.dir == "" {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, logPatience,
		fmt.Errorf("no line for it was written within %s", logPatience))
	defer cancel()
	poll := time.NewTicker(logPoll)
	defer poll.Stop()
	for {
		lines, err := readLog(l.dir)
		if err != nil {
			return err
		}
		used, missing := match(lines[min(l.used, len(lines)):], calls)
		if missing == "" {
			l.used += used
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the call log in %s does not have the call of %s: %w", l.dir, missing, context.Cause(ctx))
		case <-poll.C:
		}
	}
}

// match gives each call the next line of its tool. It returns the number of
// lines gone through, and the tool of the first call without a line.
func match(lines []logLine, calls []Call) (used int, missing string) {
	for i := range calls {
		c := &calls[i]
		n := slices.IndexFunc(lines[used:], func(l logLine) bool { return l.Tool == c.Tool })
		if n < 0 {
			return used, c.Tool
		}
		used += n + 1
		c.RawBytes, c.KeptBytes, c.MS = lines[used-1].RawBytes, lines[used-1].KeptBytes, lines[used-1].MS
	}
	return used, ""
}

// readLog reads all finished lines of all days.
func readLog(dir string) ([]logLine, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.ndjson")) // sorted, so by day
	if err != nil {
		return nil, err
	}
	var lines []logLine
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("the call log cannot be read: %w", err)
		}
		b = b[:bytes.LastIndexByte(b, '\n')+1] // the rest is still being written
		for text := range bytes.Lines(b) {
			var l logLine
			if err := json.Unmarshal(text, &l); err != nil {
				return nil, fmt.Errorf("the call log %s has a line that is no JSON, %q: %w", file, text, err)
			}
			lines = append(lines, l)
		}
	}
	return lines, nil
}
