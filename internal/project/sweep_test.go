package project

// Which files go when the output folder is over its limits.

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSweep(t *testing.T) {
	now := time.Unix(1_000_000_000, 0)
	const day = 24 * time.Hour
	tests := []struct {
		name   string
		limits SweepLimits
		left   string
	}{
		{"no limits", SweepLimits{}, "a b c d/e"},
		{"by age", SweepLimits{Age: 2 * day}, "b c"},
		{"by size, the oldest first", SweepLimits{Bytes: 25}, "b c"},
		{"both", SweepLimits{Bytes: 10, Age: 2 * day}, "c"},
		{"a fresh one stays", SweepLimits{Bytes: 1}, "c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			outside := filepath.Join(t.TempDir(), "outside")
			if err := os.Mkdir(filepath.Join(dir, "d"), 0o700); err != nil {
				t.Fatal(err)
			}
			for name, age := range map[string]time.Duration{"a": 3 * day, "b": day, "c": time.Second, "d/e": 4 * day, outside: 9 * day} {
				path := filepath.Join(dir, name)
				if name == outside {
					path = outside
				}
				if err := os.WriteFile(path, []byte("ten bytes."), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(filepath.Dir(outside), filepath.Join(dir, "link")); err != nil {
				t.Logf("without a link: %v", err) // Windows lets not everybody make one
			}
			Sweep(t.Context(), dir, tt.limits, now)
			var left []string
			for _, name := range []string{"a", "b", "c", "d/e"} {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					left = append(left, name)
				}
			}
			if got := strings.Join(left, " "); got != tt.left {
				t.Errorf("left are %s", got)
			}
			if _, err := os.Stat(outside); err != nil {
				t.Errorf("a file outside is gone: %v", err)
			}
		})
	}
	// A folder that is not there is no trouble.
	Sweep(t.Context(), filepath.Join(t.TempDir(), "none"), SweepLimits{Bytes: 1}, now)
}

func TestSweepEvery(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "old")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, past, past); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		SweepEvery(ctx, time.Hour, dir, SweepLimits{Age: time.Minute})
	}()
	for {
		if _, err := os.Stat(path); err != nil {
			break
		}
		if t.Context().Err() != nil {
			t.Fatal("the file stays")
		}
	}
	cancel()
	<-done
}
