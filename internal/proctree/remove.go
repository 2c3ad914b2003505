// The folder that goes with a tree: which one may be removed, and its removal.

package proctree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// RemovePrefix begins the name of every folder that [Command.Remove] may name.
const RemovePrefix = "pg-"

// checkRemove returns why the folder may not be removed with all that is in it.
// The empty path, for no folder, is fine.
func checkRemove(path string) error {
	if path == "" {
		return nil
	}
	refused := func(why string) error {
		return fmt.Errorf("the folder %q may not be removed with the processes that use it because %s; name one that os.MkdirTemp made with the prefix %q", path, why, RemovePrefix)
	}
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return refused("its path is not absolute and plain")
	}
	temp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return refused("the temporary directory is not known")
	}
	// TMPDIR may be too deep for sockets, which is what /tmp is for.
	if parent := filepath.Dir(path); parent != temp && parent != "/tmp" {
		return refused("it is not in the temporary directory")
	}
	if home, err := os.UserHomeDir(); err == nil && (home == path || strings.HasPrefix(home, path+string(filepath.Separator))) {
		return refused("the home directory is in it")
	}
	if err := checkFolder(path); err != nil {
		return refused(err.Error())
	}
	return nil
}

// checkFolder is the part of checkRemove that a guard can repeat, whose own
// temporary directory is another one.
func checkFolder(path string) error {
	if !filepath.IsAbs(path) || !strings.HasPrefix(filepath.Base(path), RemovePrefix) {
		return errors.New("it does not have the right name")
	}
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		return errors.New("it is no folder")
	}
	return nil
}

// removeFolder removes the folder as well as it can, when nothing of the tree is
// left. It may be gone already.
func removeFolder(path string) {
	// Windows lets go of the files of a process some time after its end, and on
	// macOS one may still be on its way out.
	const tries = 5
	pause := 10 * time.Millisecond
	for try := range tries {
		if checkFolder(path) != nil || os.RemoveAll(path) == nil || try == tries-1 {
			return
		}
		time.Sleep(pause)
		pause *= 2
	}
}
