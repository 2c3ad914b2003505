// Package store keeps the originals of answers that were cut or folded, so that
// they can be had back: a bounded number, for a bounded time, in memory first
// and then in files that only their owner can read.
package store

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Limits bound a Store.
type Limits struct {
	Count  int           // texts
	Memory int           // bytes of text in memory
	Disk   int           // bytes of text in files
	Age    time.Duration // since the text was put in
}

// DefaultLimits hold what an agent can still ask for in a long session.
func DefaultLimits() Limits {
	return Limits{Count: 200, Memory: 16 << 20, Disk: 256 << 20, Age: 2 * time.Hour}
}

// Store keeps texts under short ids. It can be used by several goroutines.
type Store struct {
	parent string
	limits Limits
	now    func() time.Time

	mu      sync.Mutex
	entries []*entry // from the oldest on
	memory  int      // bytes in memory
	disk    int      // bytes in files
	last    uint64   // number of the last id
	dir     string   // this store's own folder; empty before the first file
	closed  bool
}

type entry struct {
	id   string
	at   time.Time
	size int
	text string // empty when it is in a file
	file string
}

// New returns an empty store. Files go to a folder of its own below dir, which
// is made when the first one is needed. What a store that was killed has left
// in dir is removed once it is older than the limit.
func New(dir string, limits Limits) *Store {
	// Ids begin anywhere, so that one of an earlier process is not taken for one
	// of this.
	s := &Store{parent: dir, limits: limits, now: time.Now, last: rand.Uint64N(36 * 36 * 36 * 36)}
	s.sweep()
	return s
}

const folderPrefix = "originals-"

// sweep removes the folders of stores that ended without Close. A living store
// whose folder is as old has nothing in it that it would still give out.
func (s *Store) sweep() {
	folders, err := filepath.Glob(filepath.Join(s.parent, folderPrefix+"*"))
	if err != nil {
		return
	}
	for _, folder := range folders {
		if info, err := os.Lstat(folder); err == nil && info.IsDir() && s.now().Sub(info.ModTime()) > s.limits.Age {
			_ = os.RemoveAll(folder) // another start tries again
		}
	}
}

// Put keeps a text and returns its id. A text that is too large for the limits,
// or that no file could be written for, is gone at once; its id then reads as
// expired.
func (s *Store) Put(text string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	id = "o" + strconv.FormatUint(s.last, 36)
	if s.closed {
		return id
	}
	s.entries = append(s.entries, &entry{id: id, at: s.now(), size: len(text), text: text})
	s.memory += len(text)
	s.tidy()
	return id
}

// Get returns the text with an id; false when there is none or no more.
func (s *Store) Get(id string) (text string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tidy()
	for _, e := range s.entries {
		if e.id != id {
			continue
		}
		if e.file == "" {
			return e.text, true
		}
		data, err := os.ReadFile(e.file)
		return string(data), err == nil
	}
	return "", false
}

// Close forgets everything and removes the files.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.entries, s.memory, s.disk = nil, 0, 0
	if s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// tidy brings the store within its limits: the oldest texts move from memory to
// files, and the oldest of all go. Called with mu.
func (s *Store) tidy() {
	for len(s.entries) > 0 && (len(s.entries) > s.limits.Count || s.now().Sub(s.entries[0].at) > s.limits.Age) {
		s.drop(0)
	}
	for i := 0; i < len(s.entries) && s.memory > s.limits.Memory; {
		if e := s.entries[i]; e.file != "" || s.spill(e) {
			i++
		} else {
			s.drop(i)
		}
	}
	for i := 0; i < len(s.entries) && s.disk > s.limits.Disk; {
		if s.entries[i].file == "" {
			i++
		} else {
			s.drop(i)
		}
	}
}

// spill moves a text to a file.
func (s *Store) spill(e *entry) bool {
	if s.dir == "" {
		if err := os.MkdirAll(s.parent, 0o700); err != nil {
			return false
		}
		dir, err := os.MkdirTemp(s.parent, folderPrefix)
		if err != nil {
			return false
		}
		s.dir = dir
	}
	file := filepath.Join(s.dir, e.id+".txt")
	if err := os.WriteFile(file, []byte(e.text), 0o600); err != nil {
		_ = os.Remove(file) // half a text is none
		return false
	}
	e.file, e.text = file, ""
	s.memory -= e.size
	s.disk += e.size
	return true
}

func (s *Store) drop(i int) {
	e := s.entries[i]
	if e.file != "" {
		_ = os.Remove(e.file) // Close removes the folder
		s.disk -= e.size
	} else {
		s.memory -= e.size
	}
	s.entries = slices.Delete(s.entries, i, i+1)
}
