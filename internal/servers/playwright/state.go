package playwright

// What the session stores in the browser, saved for the next one.

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// quiet is how long upstream is idle before the storage is saved: an agent
	// takes longer to think, a page's own requests are mostly over.
	quiet = 50 * time.Millisecond
	// saveLimit bounds one saving.
	saveLimit = 10 * time.Second
	// statePrefix begins the name of a session's private folder; the id of the
	// process follows.
	statePrefix = "session-"
	stateFile   = "storage.json"
)

// saved is the private folder of a session, with its storage in a file.
type saved struct {
	dir string
	log *slog.Logger

	mu sync.Mutex
}

// newSaved makes the folder below dir, and removes those of processes that are
// no more. Without a folder nothing is saved.
func newSaved(dir string, log *slog.Logger) (*saved, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("no folder for the session's storage can be made: %w", err)
	}
	sweepSaved(dir)
	own, err := os.MkdirTemp(dir, statePrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, fmt.Errorf("no folder for the session's storage can be made: %w", err)
	}
	return &saved{dir: own, log: log}, nil
}

// sweepSaved removes what processes that were killed have left.
func sweepSaved(dir string) {
	folders, err := filepath.Glob(filepath.Join(dir, statePrefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range folders {
		id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(folder), statePrefix), "-")
		if pid, err := strconv.Atoi(id); err == nil && pid != os.Getpid() && !alive(pid) {
			_ = os.RemoveAll(folder) // another start tries again
		}
	}
}

// write keeps a storage state; nobody else may read it.
func (s *saved) write(state []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := filepath.Join(s.dir, stateFile)
	if err := os.WriteFile(path+".new", state, 0o600); err != nil {
		return fmt.Errorf("the session's storage can't be saved: %w", err)
	}
	return os.Rename(path+".new", path)
}

// read returns what was saved last, nil if there is nothing.
func (s *saved) read() []byte {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	state, err := os.ReadFile(filepath.Join(s.dir, stateFile))
	if err != nil {
		return nil
	}
	return state
}

// forget drops what was saved: the agent has closed the browser.
func (s *saved) forget() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = os.Remove(filepath.Join(s.dir, stateFile)) // there may be none
}

// remove removes the folder.
func (s *saved) remove() {
	if s == nil {
		return
	}
	if err := os.RemoveAll(s.dir); err != nil {
		s.log.Warn("the session's saved storage could not be removed", "error", err.Error())
	}
}

// touch notes that the page may have changed. Called with mu.
func (v *recovery) touch() {
	v.dirty = true
	select {
	case v.touched <- struct{}{}:
	default:
	}
}

// saveWhenIdle saves the storage after each change of the page, as soon as
// upstream has nothing to do, until the session ends.
func (v *recovery) saveWhenIdle() {
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		select {
		case <-v.ctx.Done():
			return
		case <-v.touched:
			timer.Reset(quiet)
		case <-timer.C:
			if v.mayNotSave() {
				continue // the end of what is under way touches
			}
			v.save()
		}
	}
}

// mayNotSave reports whether there is nothing to save now. Otherwise what has
// changed so far counts as saved.
func (v *recovery) mayNotSave() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.dirty || v.active > 0 || v.restoring || v.closing || v.remote || v.ours == "" || v.deadLocked() != "" {
		return true
	}
	v.dirty = false
	return false
}

// save asks the script for the storage and keeps it, if the browser is still the
// session's own when it is there.
func (v *recovery) save() {
	began := time.Now()
	ctx, cancel := context.WithTimeout(v.ctx, saveLimit)
	defer cancel()
	state, err := v.watch.Save(ctx)
	if err != nil || v.dead() != "" {
		return // what was saved before still counts
	}
	if err := v.saved.write(state); err != nil {
		v.row.log.Warn(err.Error())
		return
	}
	v.row.log.Debug("the session's storage was saved", "bytes", len(state), "ms", time.Since(began).Milliseconds())
}
