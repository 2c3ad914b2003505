package project

// Sweep: keeping the output folder within its limits.

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// SweepLimits bound the files in a folder; 0 sets no limit.
type SweepLimits struct {
	Bytes int64
	Age   time.Duration
}

// fresh is how old a file is at least before it goes for the sake of size:
// somebody may be about to read it.
const fresh = time.Minute

// SweepEvery sweeps now and then, until the context ends.
func SweepEvery(ctx context.Context, interval time.Duration, dir string, limits SweepLimits) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		Sweep(ctx, dir, limits, time.Now())
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Sweep removes the files below dir that are older than the limit, and then the
// oldest until the rest is small enough. Folders and what links elsewhere stay,
// as does what can't be removed.
func Sweep(ctx context.Context, dir string, limits SweepLimits, now time.Time) {
	type file struct {
		path string
		size int64
		age  time.Duration
	}
	var files []file
	var total int64
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || !d.Type().IsRegular() {
			return nil // what can't be read is left alone
		}
		if info, err := d.Info(); err == nil {
			files = append(files, file{path, info.Size(), now.Sub(info.ModTime())})
			total += info.Size()
		}
		return nil
	})
	slices.SortFunc(files, func(a, b file) int { return int(min(max(b.age-a.age, -1), 1)) })
	for _, f := range files {
		old := limits.Age > 0 && f.age > limits.Age
		tooMuch := limits.Bytes > 0 && total > limits.Bytes && f.age > fresh
		if ctx.Err() != nil || !old && !tooMuch {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.size
		}
	}
}
