package transport

// A temporary folder for one child.

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/playguard/playguard/internal/proctree"
)

// socketRoom is the longest path of a folder for a browser's temporary files: a
// socket's path has at most 103 bytes on macOS, and Chromium's adds 45.
const socketRoom = 58

// makeTemp makes an empty folder that proctree may remove, "" if it cannot. Its
// path is short enough for sockets, in /tmp if that is the only way.
func makeTemp() string {
	parents := []string{os.TempDir()}
	if runtime.GOOS != "windows" {
		parents = append(parents, "/tmp")
	}
	for _, parent := range parents {
		parent, err := filepath.Abs(parent)
		if err != nil {
			continue
		}
		dir, err := os.MkdirTemp(parent, proctree.RemovePrefix)
		if err != nil {
			continue
		}
		if runtime.GOOS == "windows" || len(dir) <= socketRoom {
			return dir
		}
		_ = os.Remove(dir) // it is empty; one that stays does no harm
	}
	return ""
}

// withTemp returns env with dir as the folder for temporary files, by each of
// the names that programs go by.
func withTemp(env []string, dir string) []string {
	names := []string{"TMPDIR", "TMP", "TEMP"}
	out := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.ContainsFunc(names, func(n string) bool {
			return n == name || runtime.GOOS == "windows" && strings.EqualFold(n, name)
		})
	})
	for _, name := range names {
		out = append(out, name+"="+dir)
	}
	return out
}
