package store

// What is kept of originals, where, and for how long.

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// files returns the files below a folder, and checks that only their owner can
// read them.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		out = append(out, path)
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func holds(s *Store, id, text string) bool {
	got, ok := s.Get(id)
	return ok && got == text
}

func TestMemoryThenFilesThenGone(t *testing.T) {
	dir := t.TempDir()
	s := New(dir, Limits{Count: 10, Memory: 10, Disk: 15, Age: time.Hour})
	texts := []string{"aaaaaaaa", "bbbbbbbb", "cccccccc"}
	var ids []string
	for _, text := range texts {
		ids = append(ids, s.Put(text))
	}
	// The newest is in memory, the one before in a file, the oldest went when
	// two files were too much.
	if holds(s, ids[0], texts[0]) || !holds(s, ids[1], texts[1]) || !holds(s, ids[2], texts[2]) {
		t.Error("the wrong texts are kept")
	}
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("the files are %v", got)
	}
	large := s.Put(strings.Repeat("d", 16))
	if _, ok := s.Get(large); ok {
		t.Error("a text over all limits is kept")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v is left after Close", left)
	}
	if _, ok := s.Get(s.Put("late")); ok {
		t.Error("a closed store keeps texts")
	}
}

func TestCountAndAge(t *testing.T) {
	s := New(t.TempDir(), Limits{Count: 2, Memory: 100, Disk: 100, Age: time.Minute})
	now := time.Unix(1000, 0)
	s.now = func() time.Time { return now }
	a, b, c := s.Put("a"), s.Put("b"), s.Put("c")
	if holds(s, a, "a") || !holds(s, b, "b") || !holds(s, c, "c") || a == b || b == c {
		t.Error("not the last two are kept")
	}
	now = now.Add(time.Minute)
	d := s.Put("d")
	now = now.Add(time.Second)
	if holds(s, c, "c") || !holds(s, d, "d") || s.memory != 1 {
		t.Error("the age does not count")
	}
	if _, ok := s.Get("nonsense"); ok {
		t.Error("an unknown id is known")
	}
}

// Without a place for files only what fits into memory is kept.
func TestNoPlaceForFiles(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := New(filepath.Join(blocked, "below"), Limits{Count: 10, Memory: 3, Disk: 100, Age: time.Hour})
	a, b := s.Put("aa"), s.Put("bb")
	if _, ok := s.Get(a); ok || !holds(s, b, "bb") || s.memory != 2 || s.disk != 0 {
		t.Error("the wrong text is kept")
	}
}

// Folders of stores that were killed go when they are old.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	old, young := filepath.Join(dir, folderPrefix+"1"), filepath.Join(dir, folderPrefix+"2")
	foreign := filepath.Join(dir, "other")
	for _, d := range []string{old, young, foreign} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-48 * time.Hour)
	for _, d := range []string{old, foreign} {
		if err := os.Chtimes(d, past, past); err != nil {
			t.Fatal(err)
		}
	}
	New(dir, DefaultLimits())
	for d, want := range map[string]bool{old: false, young: true, foreign: true} {
		if _, err := os.Stat(d); (err == nil) != want {
			t.Errorf("%s is there: %v", d, err == nil)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	s := New(t.TempDir(), Limits{Count: 20, Memory: 64, Disk: 256, Age: time.Hour})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				text := strings.Repeat("x", 16)
				if got, ok := s.Get(s.Put(text)); ok && got != text {
					t.Error("a text came back changed")
				}
			}
		})
	}
	all.Wait()
	if s.memory > 64 || s.disk > 256 || len(s.entries) > 20 {
		t.Errorf("%d entries, %d bytes in memory, %d in files", len(s.entries), s.memory, s.disk)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
