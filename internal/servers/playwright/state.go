package playwright

// What the session stores in the browser, saved for the next one.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
)

const (
	// quiet is how long upstream is idle before the storage is saved: an agent
	// takes longer to think, a page's own requests are mostly over.
	quiet = 50 * time.Millisecond
	// saveLimit bounds one saving.
	saveLimit = 10 * time.Second
	// saveAgain is when a saving that has failed is tried again.
	saveAgain = 2 * time.Second
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

// write keeps a storage state; nobody else may read it. One that is not whole
// leaves the IndexedDB that was saved before.
func (s *saved) write(state []byte, whole bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := filepath.Join(s.dir, stateFile)
	if !whole {
		if before, err := os.ReadFile(path); err == nil {
			state = withDatabases(state, before)
		}
	}
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

// withDatabases is a storage state with the IndexedDB of one before it.
func withDatabases(state, before []byte) []byte {
	type origin = map[string]json.RawMessage
	read := func(data []byte) (all map[string]json.RawMessage, origins []origin) {
		if json.Unmarshal(data, &all) != nil || json.Unmarshal(all["origins"], &origins) != nil {
			return nil, nil
		}
		return all, origins
	}
	all, origins := read(state)
	_, old := read(before)
	for _, o := range old {
		if o["indexedDB"] == nil {
			continue
		}
		at := slices.IndexFunc(origins, func(n origin) bool { return string(n["origin"]) == string(o["origin"]) })
		if at < 0 {
			origins = append(origins, origin{"origin": o["origin"], "localStorage": []byte("[]")})
			at = len(origins) - 1
		}
		origins[at]["indexedDB"] = o["indexedDB"]
	}
	joined, err := json.Marshal(origins)
	if all == nil || err != nil {
		return state // not a form that is known
	}
	return jsonrpc.SetMember(state, "origins", joined)
}

// touch notes that the page may have changed. Called with mu.
func (v *recovery) touch() {
	v.dirty = true
	v.arm()
}

// arm makes what has changed be saved as soon as upstream is quiet.
func (v *recovery) arm() {
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
				continue // the end of what is under way arms it
			}
			if !v.save() {
				timer.Reset(saveAgain)
			}
		}
	}
}

// storageIsOurs reports whether what the browser stores is the session's only.
func (v *recovery) storageIsOurs() bool { return !v.remote || v.watch != nil && v.watch.State().Ours }

// mayNotSave reports whether there is nothing to save now. Otherwise what has
// changed so far counts as saved.
func (v *recovery) mayNotSave() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.dirty || v.active > 0 || v.restoring || v.closing || !v.storageIsOurs() || v.ours == "" || v.deadLocked() != "" {
		return true
	}
	v.dirty = false
	return false
}

// save asks the script for the storage and keeps it, if the browser is still the
// session's own when it is there. Otherwise it has still to be saved.
func (v *recovery) save() bool {
	began := time.Now()
	ctx, cancel := context.WithTimeout(v.ctx, saveLimit)
	defer cancel()
	v.mu.Lock()
	ours := v.ours
	v.mu.Unlock()
	state, whole, err := v.watch.Save(ctx, v.onDisk)
	v.mu.Lock()
	if err == nil && (v.ours != ours || v.restoring || v.deadLocked() != "") {
		err = errors.New("the browser is another one now")
	}
	v.dirty = v.dirty || err != nil
	v.mu.Unlock()
	if err == nil {
		err = v.saved.write(state, whole)
	}
	if err != nil { // what was saved before still counts
		v.row.log.Debug("the session's storage could not be saved", "reason", err.Error())
		return false
	}
	v.row.log.Debug("the session's storage was saved", "bytes", len(state), "ms", time.Since(began).Milliseconds())
	return true
}
