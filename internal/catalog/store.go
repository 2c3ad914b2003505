package catalog

// This file keeps lists on disk.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/natefinch/atomic"
)

// Store keeps one file per upstream in a folder. A zero Store keeps nothing.
type Store struct{ Dir string }

// path names the file by everything the lists depend on: another version,
// other arguments or another set of variables is another file.
func (s Store) path(key []string) string {
	sum := sha256.Sum256([]byte(strings.Join(key, "\x00")))
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:12])+".json")
}

// Load returns the lists saved under a key, nil when there are none that can be
// read: a broken file is as good as none, for the upstream is asked anyway.
func (s Store) Load(key []string) *Lists {
	if s.Dir == "" {
		return nil
	}
	data, err := os.ReadFile(s.path(key))
	if err != nil {
		return nil
	}
	l, err := Decode(data)
	if err != nil {
		return nil
	}
	return l
}

// Save replaces the lists saved under a key, whole or not at all.
func (s Store) Save(key []string, l *Lists) error {
	if s.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	return atomic.WriteFile(s.path(key), bytes.NewReader(l.Encode()))
}
