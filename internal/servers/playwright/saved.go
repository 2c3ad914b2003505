package playwright

// The private folder of a session, and what is saved in it.

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
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/playguard/playguard/internal/jsonrpc"
)

const (
	// statePrefix begins the name of a session's private folder; the id of the
	// process follows, for whoever looks for it.
	statePrefix = "session-"
	stateFile   = "storage.json"
	// lockFile is locked as long as the session lives. A process's id does not tell
	// that: in another namespace of processes it is another's, or nobody's.
	lockFile = "lock"
	// foldersLock is locked while folders are made or removed.
	foldersLock = "folders.lock"
	// foldersPatience is how long that is waited for, and foldersPoll how often it
	// is tried.
	foldersPatience = 2 * time.Second
	foldersPoll     = 10 * time.Millisecond
)

// saved is the private folder of a session, with its storage in a file.
type saved struct {
	dir  string
	lock *flock.Flock
	log  *slog.Logger

	mu        sync.Mutex
	removed   bool
	forgotten int // how often the browser was closed
}

// newSaved makes the folder below dir, and removes those of sessions that are no
// more. Without a folder nothing is saved.
func newSaved(dir string, log *slog.Logger) (*saved, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("no folder for the session's storage can be made: %w", err)
	}
	patience, cancel := context.WithTimeout(context.Background(), foldersPatience)
	defer cancel()
	folders := flock.New(filepath.Join(dir, foldersLock))
	defer folders.Close()
	if alone, err := folders.TryLockContext(patience, foldersPoll); alone && err == nil {
		sweepSaved(dir)
	}
	own, err := os.MkdirTemp(dir, statePrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return nil, fmt.Errorf("no folder for the session's storage can be made: %w", err)
	}
	s := &saved{dir: own, lock: flock.New(filepath.Join(own, lockFile)), log: log}
	if locked, err := s.lock.TryLock(); !locked { // where files have no locks nobody removes the folder either
		log.Debug("the session's folder could not be locked", "error", fmt.Sprint(err))
	}
	return s, nil
}

// sweepSaved removes what sessions that were killed have left. The caller holds
// the lock on the folders, so that none of them is a new one that is not locked yet.
func sweepSaved(dir string) {
	left, err := filepath.Glob(filepath.Join(dir, statePrefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range left {
		lock := flock.New(filepath.Join(folder, lockFile))
		dead, err := lock.TryLock()
		_ = lock.Close() // a locked file can't be removed everywhere
		if dead && err == nil {
			_ = os.RemoveAll(folder) // another start tries again
		}
	}
}

// closings is how often the agent has closed the browser.
func (s *saved) closings() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.forgotten
}

// errClosed says that what was to be saved is of a browser that was closed.
var errClosed = errors.New("the browser was closed meanwhile")

// write keeps a storage state, unless the browser was closed since there were so
// many closings; nobody else may read it. One that is not whole leaves the IndexedDB
// that was saved before.
func (s *saved) write(state []byte, whole bool, closings int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed || s.forgotten != closings {
		return errClosed
	}
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

// forget drops what was saved, and what is just being saved: the agent has closed
// the browser.
func (s *saved) forget() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgotten++
	_ = os.Remove(filepath.Join(s.dir, stateFile)) // there may be none
}

// remove removes the folder for good.
func (s *saved) remove() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = true
	// From here on another start may take it for left over; that removes it, too.
	_ = s.lock.Close()
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
