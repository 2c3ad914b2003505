// Package project finds the project that the agent works on and keeps the
// .playguard folder in it.
package project

// Root: which folder is the project.

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"
)

// Place says where PlayGuard was started: everything that Root decides from.
// All paths are absolute, or empty when unknown.
type Place struct {
	Override  string   // PLAYGUARD_PROJECT_ROOT; a relative one counts from Start
	ClientDir string   // CLAUDE_PROJECT_DIR: the folder that Claude Code was opened in
	Cwd       string   // the working directory
	State     string   // PlayGuard's folder below the user's state directory
	Shared    []string // folders that are never a project: see SharedFolders
}

// PlaceFromEnv fills a Place for this process. getenv has the form of
// os.LookupEnv.
func PlaceFromEnv(getenv func(string) (string, bool), override string) Place {
	value := func(name string) string {
		v, _ := getenv(name)
		return v
	}
	// Without a working directory (it was deleted) Root falls back to State.
	cwd, _ := os.Getwd()
	return Place{
		Override:  override,
		ClientDir: value("CLAUDE_PROJECT_DIR"),
		Cwd:       cwd,
		State:     StateDir(),
		Shared:    SharedFolders(getenv),
	}
}

// StateDir is PlayGuard's folder below the user's state directory.
func StateDir() string { return filepath.Join(xdg.StateHome, "playguard") }

// SharedFolders are folders that hold many unrelated things: the home directory,
// the directory for temporary files and Windows' own directory. A file-system
// root is always one and needs no entry.
func SharedFolders(getenv func(string) (string, bool)) []string {
	shared := []string{xdg.Home, os.TempDir()}
	if runtime.GOOS == "windows" {
		if dir, ok := getenv("SystemRoot"); ok {
			// Claude Desktop starts servers in its System32.
			shared = append(shared, dir, filepath.Join(dir, "System32"))
		}
	}
	return shared
}

// Start is the folder that the search begins in: what the client says it works
// on, since the working directory is whatever it happened to start servers in;
// else the working directory. It is empty if neither is there.
func (p Place) Start() string {
	if filepath.IsAbs(p.ClientDir) && isDir(p.ClientDir) {
		return filepath.Clean(p.ClientDir)
	}
	if filepath.IsAbs(p.Cwd) && isDir(p.Cwd) {
		return filepath.Clean(p.Cwd)
	}
	return ""
}

// Root is the folder that .playguard is created in, in this order: the
// override, wherever it points; the nearest folder with a .git or a package.json
// from Start upwards; Start; and a folder in State if Start is a shared one.
//
// The search ends below the first shared folder. A package.json in the home
// directory is nearly always left over from an `npm install` in the wrong place,
// and a .git there keeps somebody's dotfiles: with either taken for a project,
// every folder below home would write to one common .playguard, and Playwright
// could read all of home as its workspace. The same goes for / and the
// directory for temporary files. Whoever means it sets PLAYGUARD_PROJECT_ROOT.
func Root(p Place) string {
	start := p.Start()
	if p.Override != "" {
		if filepath.IsAbs(p.Override) || start == "" {
			return filepath.Clean(p.Override)
		}
		return filepath.Join(start, p.Override)
	}
	if start == "" || p.isShared(start) {
		return filepath.Join(p.State, "no-project")
	}
	for dir := start; !p.isShared(dir); dir = filepath.Dir(dir) {
		if isProject(dir) {
			return dir
		}
	}
	return start
}

// isShared reports whether dir is a file-system root or one of the shared
// folders, by whatever path.
func (p Place) isShared(dir string) bool {
	if filepath.Dir(dir) == dir {
		return true
	}
	info, err := os.Stat(dir)
	for _, shared := range p.Shared {
		if shared == "" {
			continue
		}
		if filepath.Clean(shared) == dir {
			return true
		}
		if err != nil {
			continue
		}
		// The same folder has several names: /tmp and /private/tmp on macOS,
		// letters of either case on Windows.
		if other, otherErr := os.Stat(shared); otherErr == nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// isProject reports whether dir has a .git (a folder, or a file in worktrees and
// submodules) or a package.json file.
func isProject(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		return true
	}
	info, err := os.Stat(filepath.Join(dir, "package.json"))
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
