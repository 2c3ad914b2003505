package project

// Which folder is taken for the project, with all that lies in the way.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree creates files (and folders, where the name ends in a slash) below a new
// directory and returns it. The layout is that of a machine: home/ is the home
// directory, tmp/ the one for temporary files.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, file := range files {
		path := filepath.Join(root, file)
		dir := filepath.Dir(path)
		if strings.HasSuffix(file, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir != path {
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return root
}

func TestRoot(t *testing.T) {
	tests := []struct {
		name                     string
		files                    []string
		override, client, cwd    string // below the tree, override only with a leading slash
		want                     string
		homeLink, missingWorkdir bool
	}{
		{name: "git above", files: []string{"home/app/.git/", "home/app/src/deep/"}, cwd: "home/app/src/deep", want: "home/app"},
		{name: "git file of a worktree", files: []string{"home/app/.git", "home/app/src/"}, cwd: "home/app/src", want: "home/app"},
		{name: "package.json is nearer", files: []string{"home/app/.git/", "home/app/web/package.json", "home/app/web/src/"}, cwd: "home/app/web/src", want: "home/app/web"},
		{name: "the folder itself", files: []string{"home/app/package.json"}, cwd: "home/app", want: "home/app"},
		{name: "package.json that is a folder", files: []string{"home/app/package.json/", "home/app/x/"}, cwd: "home/app/x", want: "home/app/x"},
		{name: "none: the working directory", files: []string{"home/notes/x/"}, cwd: "home/notes/x", want: "home/notes/x"},
		{name: "stray package.json in home", files: []string{"home/package.json", "home/notes/x/"}, cwd: "home/notes/x", want: "home/notes/x"},
		{name: "dotfiles repository in home", files: []string{"home/.git/", "home/notes/"}, cwd: "home/notes", want: "home/notes"},
		{name: "package.json above home", files: []string{"package.json", "home/notes/"}, cwd: "home/notes", want: "home/notes"},
		{name: "home by another name", files: []string{"home/package.json", "home/notes/"}, cwd: "link/notes", want: "link/notes", homeLink: true},
		{name: "home itself", files: []string{"home/.git/"}, cwd: "home", want: "state/no-project"},
		{name: "temporary files", files: []string{"tmp/package.json", "tmp/x/"}, cwd: "tmp/x", want: "tmp/x"},
		{name: "temporary files themselves", files: []string{"tmp/package.json"}, cwd: "tmp", want: "state/no-project"},
		{name: "the client's folder before the working directory", files: []string{"home/app/.git/", "home/app/web/", "home/other/.git/"}, client: "home/app/web", cwd: "home/other", want: "home/app"},
		{name: "the client's folder is gone", files: []string{"home/other/.git/"}, client: "home/app", cwd: "home/other", want: "home/other"},
		{name: "override", files: []string{"home/app/.git/"}, override: "/home", cwd: "home/app", want: "home"},
		{name: "relative override", files: []string{"home/app/.git/"}, override: "..", cwd: "home/app", want: "home"},
		{name: "no working directory", want: "state/no-project", missingWorkdir: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := tree(t, append(tt.files, "home/", "tmp/")...)
			if tt.homeLink {
				if err := os.Symlink(filepath.Join(root, "home"), filepath.Join(root, "link")); err != nil {
					t.Skipf("This machine does not allow symbolic links: %v.", err)
				}
			}
			p := Place{
				Override: tt.override,
				Cwd:      filepath.Join(root, tt.cwd),
				State:    filepath.Join(root, "state"),
				Shared:   []string{"", filepath.Join(root, "home"), filepath.Join(root, "tmp")},
			}
			if strings.HasPrefix(tt.override, "/") {
				p.Override = filepath.Join(root, tt.override)
			}
			if tt.client != "" {
				p.ClientDir = filepath.Join(root, tt.client)
			}
			if tt.missingWorkdir {
				p.Cwd = ""
			}
			if got, want := Root(p), filepath.Join(root, tt.want); got != want {
				t.Errorf("Root = %s, want %s", got, want)
			}
		})
	}
}

func TestRootIsNeverTheFileSystemRoot(t *testing.T) {
	cwd := t.TempDir()
	top := filepath.VolumeName(cwd) + string(filepath.Separator)
	state := filepath.Join(cwd, "state")
	if got, want := Root(Place{Cwd: top, State: state}), filepath.Join(state, "no-project"); got != want {
		t.Errorf("Root of %s = %s, want %s", top, got, want)
	}
}

func TestPlaceFromEnv(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	env := map[string]string{"CLAUDE_PROJECT_DIR": dir}
	p := PlaceFromEnv(func(name string) (string, bool) { v, ok := env[name]; return v, ok }, "over")
	if p.ClientDir != dir || p.Override != "over" || p.Start() != dir {
		t.Errorf("PlaceFromEnv = %+v, want the client's folder %s and the override", p, dir)
	}
	if filepath.Base(p.State) != "playguard" || len(p.Shared) < 2 {
		t.Errorf("PlaceFromEnv = %+v, want a state folder of PlayGuard's and the shared folders", p)
	}
}
