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

// write keeps what was collected, on top of what was saved before, unless the browser
// was closed since there were so many closings. Nobody else may read it.
func (s *saved) write(state []byte, closings int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed || s.forgotten != closings {
		return errClosed
	}
	path := filepath.Join(s.dir, stateFile)
	before, err := os.ReadFile(path)
	if err != nil {
		before = nil // there is none yet
	}
	if err := os.WriteFile(path+".new", merged(state, before), 0o600); err != nil {
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

// merged is a storage state as Playwright takes it, from what was collected now and
// what was saved before: that stays for origins which nothing is known of, and for
// databases that could not be read.
func merged(now, before []byte) []byte {
	all, origins := readState(now)
	if all == nil {
		return now // not a form that is known
	}
	_, old := readState(before)
	places := make(map[string]int, len(old))
	for i, o := range old {
		places[string(o["origin"])] = i
	}
	out := []origin{}
	for _, o := range origins {
		at, known := places[string(o["origin"])]
		delete(places, string(o["origin"]))
		var last origin
		if known {
			last = old[at]
		}
		if o = o.with(last); known || !o.empty() { // one that is empty now must not come back full
			out = append(out, o)
		}
	}
	for i, o := range old {
		if at, left := places[string(o["origin"])]; left && at == i {
			out = append(out, o)
		}
	}
	joined, err := json.Marshal(out)
	if err != nil {
		return now
	}
	return jsonrpc.SetMember(now, "origins", joined)
}

// origin is what one origin has stored.
type origin map[string]json.RawMessage

func readState(state []byte) (all map[string]json.RawMessage, origins []origin) {
	if json.Unmarshal(state, &all) != nil || json.Unmarshal(all["origins"], &origins) != nil {
		return nil, nil
	}
	return all, origins
}

// with completes an origin by the databases of before that could not be read now.
func (o origin) with(before origin) origin {
	databases, unread := o["indexedDB"], []string(nil)
	_ = json.Unmarshal(o["unread"], &unread) // there may be none
	switch {
	case databases == nil:
		databases = before["indexedDB"]
	case len(unread) > 0:
		databases = joinDatabases(databases, before["indexedDB"], unread)
	}
	out := origin{"origin": o["origin"], "localStorage": o["localStorage"]}
	if databases != nil {
		out["indexedDB"] = databases
	}
	return out
}

// empty reports whether nothing is stored.
func (o origin) empty() bool {
	var entries, databases []json.RawMessage
	_ = json.Unmarshal(o["localStorage"], &entries) // what has another form is not empty
	_ = json.Unmarshal(o["indexedDB"], &databases)
	return len(entries)+len(databases) == 0
}

// joinDatabases adds those of before with the given names.
func joinDatabases(now, before json.RawMessage, names []string) json.RawMessage {
	var databases, old []json.RawMessage
	if json.Unmarshal(now, &databases) != nil || json.Unmarshal(before, &old) != nil {
		return now
	}
	for _, db := range old {
		if slices.Contains(names, jsonrpc.StringMember(db, "name")) {
			databases = append(databases, db)
		}
	}
	joined, err := json.Marshal(databases)
	if err != nil {
		return now
	}
	return joined
}
