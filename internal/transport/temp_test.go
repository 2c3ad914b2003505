package transport

// A server's temporary folder of its own, and that nothing of it stays.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// empties waits until a folder has nothing in it.
func empties(t *testing.T, dir string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left: %v", left)
		}
		time.Sleep(5 * time.Millisecond) // a folder's end cannot be waited on
	}
}

// shortDir is a temporary folder with a path that leaves room for a socket's.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestPrivateTemp(t *testing.T) {
	parent := shortDir(t)
	t.Setenv("TMPDIR", parent)
	t.Setenv("TMP", parent)
	for _, role := range []string{"litter", "litter and stay"} {
		c, err := StartChild(Command{
			Path: os.Args[0], Env: []string{roleVariable + "=" + role, "TMPDIR=/none", "TEMP=/none", "TMP=/none"}, PrivateTemp: true,
		}, 1000, &Ring{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close(0) })
		line, err := c.Read()
		if err != nil {
			t.Fatal(err)
		}
		names := strings.Fields(string(line))
		if len(names) != 3 || names[0] != names[1] || names[0] != names[2] || filepath.Dir(names[0]) != parent {
			t.Errorf("its temporary folders are %q, want one in %s", names, parent)
		}
		c.Close(10 * time.Millisecond)
		empties(t, parent)
	}
	if c, err := StartChild(Command{Path: "playguard-no-such-program", PrivateTemp: true}, 1000, &Ring{}); err == nil {
		c.Close(0)
		t.Error("started")
	}
	empties(t, parent)
}

// Below a folder that is too deep for sockets, and without one at all.
func TestPrivateTempElsewhere(t *testing.T) {
	if _, err := os.Stat("/tmp"); err != nil {
		t.Skip("this system has no /tmp")
	}
	deep := filepath.Join(shortDir(t), strings.Repeat("d", socketRoom))
	if err := os.Mkdir(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, parent := range []string{deep, "/no/such/folder"} {
		t.Setenv("TMPDIR", parent)
		dir := makeTemp()
		if filepath.Dir(dir) != "/tmp" {
			t.Errorf("with %s the folder is %q", parent, dir)
		}
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	}
	empties(t, deep)
}

func TestWithTemp(t *testing.T) {
	env := []string{"A=1", "TMPDIR=/x", "TMP=/y", "TMPDIRS=/z", "TEMP=/x", "TMP=/w"}
	want := []string{"A=1", "TMPDIRS=/z", "TMPDIR=/d", "TMP=/d", "TEMP=/d"}
	if got := withTemp(env, "/d"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if env[1] != "TMPDIR=/x" {
		t.Error("the caller's environment was changed")
	}
}
