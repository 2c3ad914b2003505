package project

// Where the folders are, and what happens when they cannot be written to. A
// plain file in the way of a folder stands for everything that makes a place
// unwritable, since that holds for every user and system.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNewDirs(t *testing.T) {
	root := t.TempDir()
	elsewhere := t.TempDir()
	join := filepath.Join
	tests := []struct {
		name, output, logs string
		want               Dirs
	}{
		{"defaults", "", "", Dirs{root, join(root, ".playguard"), join(root, ".playguard", ".qa"), join(root, ".playguard", "logs")}},
		{"relative", "out", "log", Dirs{root, join(root, "out"), join(root, "out", ".qa"), join(root, "log")}},
		{"absolute", elsewhere, join(elsewhere, "l"), Dirs{root, elsewhere, join(elsewhere, ".qa"), join(elsewhere, "l")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, NewDirs(root, tt.output, tt.logs)); diff != "" {
				t.Errorf("NewDirs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEnsure(t *testing.T) {
	root := t.TempDir()
	d := NewDirs(root, "", "")
	for range 2 {
		got, note, err := Ensure(d, t.TempDir())
		if err != nil || note != "" {
			t.Fatalf("Ensure: note %q, error %v", note, err)
		}
		if diff := cmp.Diff(d, got); diff != "" {
			t.Errorf("Ensure changed the folders (-want +got):\n%s", diff)
		}
	}
	for _, dir := range []string{d.QA, d.Logs} {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
			t.Errorf("%s: %d entries, error %v, want an empty folder", dir, len(entries), err)
		}
	}
	if got := read(t, filepath.Join(d.Output, ".gitignore")); got != "*\n" {
		t.Errorf(".gitignore holds %q, want *", got)
	}
}

func TestEnsureKeepsGitignore(t *testing.T) {
	root := tree(t, ".playguard/")
	file := filepath.Join(root, ".playguard", ".gitignore")
	if err := os.WriteFile(file, []byte("*\n!config.json\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Ensure(NewDirs(root, "", ""), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if got := read(t, file); got != "*\n!config.json\n" {
		t.Errorf("Ensure overwrote the user's .gitignore with %q", got)
	}
}

func TestEnsureLeavesNamedFolderAlone(t *testing.T) {
	root := t.TempDir()
	if _, _, err := Ensure(NewDirs(root, ".", ""), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".gitignore")); !os.IsNotExist(err) {
		t.Errorf("Ensure wrote a .gitignore into the user's own folder (%v)", err)
	}
}

func TestEnsureFallsBack(t *testing.T) {
	root := tree(t, ".playguard", "blocked")
	state := t.TempDir()
	got, note, err := Ensure(NewDirs(root, "", ""), state)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{got.Output, got.QA, got.Logs} {
		if !strings.HasPrefix(dir, filepath.Join(state, "projects")) || !isDir(dir) {
			t.Errorf("%s is not a folder below the state directory", dir)
		}
	}
	if got.Root != root || !strings.Contains(note, filepath.Join(root, ".playguard")) || !strings.Contains(note, got.Output) {
		t.Errorf("note %q does not name both places", note)
	}

	got, note, err = Ensure(NewDirs(root, "out", "blocked"), state)
	if err != nil {
		t.Fatal(err)
	}
	if got.Output != filepath.Join(root, "out") || !strings.HasPrefix(got.Logs, state) || !strings.Contains(note, "PLAYGUARD_LOG_DIR") {
		t.Errorf("only the log is blocked, but Ensure = %+v, note %q", got, note)
	}
}

func TestEnsureFails(t *testing.T) {
	root := tree(t, "blocked", "free/")
	state := filepath.Join(root, "blocked")
	for _, d := range []Dirs{NewDirs(root, "blocked", ""), NewDirs(root, "free", "blocked")} {
		if _, _, err := Ensure(d, state); err == nil || !strings.Contains(err.Error(), "set PLAYGUARD_") {
			t.Errorf("Ensure(%+v) error = %v, want one that says which setting to use", d, err)
		}
	}
}

func TestStateNamesDiffer(t *testing.T) {
	if a, b := stateName("/a/shop"), stateName("/b/shop"); a == b || !strings.HasPrefix(a, "shop-") {
		t.Errorf("state folders of two projects are %s and %s", a, b)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
