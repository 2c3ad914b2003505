package bundle

// Installing: one process at a time, all or nothing.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/gofrs/flock"
)

const (
	lockName   = "install.lock"
	tempPrefix = "incomplete-"

	// keepUnused is how long another version's installation stays: long enough
	// for a user who goes back to the version of last week.
	keepUnused = 30 * 24 * time.Hour

	// lockPoll is how often the lock of another process is tried.
	lockPoll = 200 * time.Millisecond
)

// installedName is what key makes; only such folders are ever removed.
var installedName = regexp.MustCompile(`^[0-9a-f]{16}$`)

// Options say where to install and whom to tell.
type Options struct {
	Dir string // see the function Dir
	// Progress, if not nil, is called with one line of text at each step, and at
	// least every second in between. It is called by the goroutine that called
	// Install, never by two at once.
	Progress func(line string)
}

// Install makes sure that the pinned packages are installed. If they are, it
// returns at once; if they are damaged, they are installed anew; if another
// process is installing them, it waits for that. When ctx ends, npm is stopped
// and nothing half-made is left. The error is a sentence that says what to do;
// errors.Is tells it from a context that ended.
func Install(ctx context.Context, o Options) (Installed, error) {
	progress := o.Progress
	if progress == nil {
		progress = func(string) {}
	}
	if installed, ok := Locate(o.Dir); ok {
		return installed, nil
	}
	progress("Checking Node.js")
	if _, _, err := CheckNode(ctx); err != nil {
		return Installed{}, err
	}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return Installed{}, placeError(o.Dir, err)
	}
	unlock, err := lock(ctx, o.Dir, progress)
	if err != nil {
		return Installed{}, err
	}
	defer unlock()
	// The one that held the lock has most likely installed what is wanted.
	if installed, ok := Locate(o.Dir); ok {
		return installed, nil
	}
	if err := installLocked(ctx, o.Dir, progress); err != nil {
		return Installed{}, err
	}
	installed, ok := Locate(o.Dir)
	if !ok {
		return Installed{}, fmt.Errorf("the packages installed in %s were changed at once by another program; run: playguard setup", o.Dir)
	}
	prune(o.Dir, time.Now())
	progress("Installed " + title() + " in " + installed.Dir)
	return installed, nil
}

// lock waits until this process is the only one that installs in dir.
func lock(ctx context.Context, dir string, progress func(string)) (unlock func(), err error) {
	file := flock.New(filepath.Join(dir, lockName))
	unlock = func() {
		// The lock ends with the process at the latest.
		_ = file.Close()
	}
	started, said := time.Now(), time.Time{}
	ticker := time.NewTicker(lockPoll)
	defer ticker.Stop()
	for {
		locked, err := file.TryLock()
		if err != nil {
			unlock()
			return nil, placeError(dir, err)
		}
		if locked {
			return unlock, nil
		}
		if time.Since(said) >= beat {
			said = time.Now()
			progress(fmt.Sprintf("Waiting for another PlayGuard that is installing (%d s)", int(time.Since(started).Seconds())))
		}
		select {
		case <-ctx.Done():
			unlock()
			return nil, fmt.Errorf("waiting for another PlayGuard's installation was broken off: %w", context.Cause(ctx))
		case <-ticker.C:
		}
	}
}

// installLocked installs into a folder of another name and puts it in place when
// it is whole. The caller holds the lock.
func installLocked(ctx context.Context, dir string, progress func(string)) (err error) {
	// Under the lock every unfinished folder is left over from a killed process.
	removeWhere(dir, func(name string) bool { return strings.HasPrefix(name, tempPrefix) })
	work, err := os.MkdirTemp(dir, tempPrefix)
	if err != nil {
		return placeError(dir, err)
	}
	defer func() {
		if removeErr := os.RemoveAll(work); removeErr != nil && err == nil {
			err = placeError(work, removeErr)
		}
	}()
	for name, data := range map[string][]byte{"package.json": packageJSON, "package-lock.json": packageLock} {
		if err := os.WriteFile(filepath.Join(work, name), data, 0o644); err != nil {
			return placeError(work, err)
		}
	}
	progress("Installing " + title())
	if err := runNPM(ctx, work, progress); err != nil {
		return err
	}
	progress("Checking the installation")
	if _, err := paths(work); err != nil {
		return fmt.Errorf("npm ended without an error but the packages are not whole (%w); run npm cache clean --force, then run: playguard setup", err)
	}
	if err := writeList(work); err != nil {
		return placeError(work, err)
	}
	return replace(ctx, work, filepath.Join(dir, key()))
}

// replace moves work to target. A damaged installation there is moved out of the
// way first, so that there is never a mixture of both.
func replace(ctx context.Context, work, target string) error {
	old := work + "-old"
	err := rename(ctx, target, old)
	if err == nil {
		// What cannot be removed now is removed by the next installation.
		defer func() { _ = os.RemoveAll(old) }()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the damaged installation %s cannot be replaced (%w); close the MCP clients that use it, then run: playguard setup", target, err)
	}
	if err := rename(ctx, work, target); err != nil {
		return placeError(target, err)
	}
	return nil
}

// rename tries for a few seconds on Windows, where a virus scanner holds new files
// open for a moment and the folder cannot be renamed so long.
func rename(ctx context.Context, from, to string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := os.Rename(from, to)
		if err != nil && (runtime.GOOS != "windows" || errors.Is(err, fs.ErrNotExist)) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(backoff.NewConstantBackOff(lockPoll)), backoff.WithMaxTries(15))
	return err
}

// prune removes other installations that were not used for keepUnused before
// now. A failure leaves them for the next time.
func prune(dir string, now time.Time) {
	removeWhere(dir, func(name string) bool {
		if name == key() || !installedName.MatchString(name) {
			return false
		}
		info, err := os.Stat(filepath.Join(dir, name, listName))
		return err != nil || now.Sub(info.ModTime()) > keepUnused
	})
}

// removeWhere removes the folders in dir whose name meets the condition.
func removeWhere(dir string, condition func(name string) bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if entry.IsDir() && condition(entry.Name()) {
			_ = os.RemoveAll(filepath.Join(dir, entry.Name()))
		}
	}
}

// placeError is the sentence about a folder that cannot be written.
func placeError(dir string, err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk that holds %s is full (%w); free 100 MB, then run: playguard setup", dir, err)
	}
	return fmt.Errorf("the bundled packages cannot be installed in %s (%w); make it writable or set PLAYGUARD_DATA_DIR to another folder, then run: playguard setup", dir, err)
}
