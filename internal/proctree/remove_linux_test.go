// The folder of a tree goes when the tree has gone, whoever is killed.

package proctree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// folder makes one that may be removed, with something in it.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", RemovePrefix)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// awaitRemoved waits until there is no such folder.
func awaitRemoved(t testing.TB, dir string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		if _, err := os.Lstat(dir); os.IsNotExist(err) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the folder is left")
		}
		time.Sleep(5 * time.Millisecond) // a folder's end cannot be waited on
	}
}

// littering starts a tree that writes to its folder until it is killed.
func littering(t *testing.T) (tree *Tree, dir string) {
	t.Helper()
	dir = folder(t)
	out, outWrite := pipe(t)
	cmd := command(t, "litter", dir)
	cmd.Stdout, cmd.Remove = outWrite, dir
	tree = begun(t, cmd)
	outWrite.Close()
	awaitLeaves(t, out, 1)
	return tree, dir
}

func TestFolderIsRemoved(t *testing.T) {
	t.Run("program ends", func(t *testing.T) {
		cmd := command(t, "exit", "0")
		cmd.Remove = folder(t)
		ended(t, begun(t, cmd))
		awaitRemoved(t, cmd.Remove)
	})
	t.Run("program cannot be started", func(t *testing.T) {
		cmd := Command{Path: "no-such-program-here", Remove: folder(t)}
		if _, err := Start(cmd); err == nil {
			t.Fatal("it was started")
		}
		awaitRemoved(t, cmd.Remove)
	})
	t.Run("program fails to start", func(t *testing.T) {
		script := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := Command{Path: script, Remove: folder(t)}
		if _, err := Start(cmd); err == nil {
			t.Fatal("it was started")
		}
		awaitRemoved(t, cmd.Remove)
	})
	t.Run("stopped", func(t *testing.T) {
		tree, dir := littering(t)
		tree.Stop(0)
		awaitRemoved(t, dir)
	})
	t.Run("guard killed", func(t *testing.T) {
		tree, dir := littering(t)
		if err := syscall.Kill(tree.GuardPid(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		ended(t, tree)
		awaitRemoved(t, dir)
	})
	for _, how := range []mode{adopting, walking} {
		t.Run("owner killed, "+string(how), func(t *testing.T) {
			dir := folder(t)
			in, _ := pipe(t)
			out, outWrite := pipe(t)
			cmd := command(t, "owner", string(how), "litter", dir)
			owner := exec.Command(cmd.Path, cmd.Args...)
			owner.Env = append(cmd.Env, removeVariable+"="+dir)
			owner.Stdin, owner.Stdout = in, outWrite
			if err := owner.Start(); err != nil {
				t.Fatal(err)
			}
			outWrite.Close()
			awaitLeaves(t, out, 1)
			owner.Process.Kill()
			owner.Wait()
			awaitRemoved(t, dir)
			awaitNone(t, patience)
			reapAdopted(t)
		})
	}
}

// A folder that is not this package's to remove stops the start, and stays.
func TestFolderIsRefused(t *testing.T) {
	temp := os.TempDir()
	inner := t.TempDir()
	file := filepath.Join(temp, RemovePrefix+"file-"+filepath.Base(folder(t)))
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(file) })
	link := file + "-link"
	if err := os.Symlink(inner, link); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(link) })
	home := folder(t)
	t.Setenv("HOME", filepath.Join(home, "user"))
	for _, path := range []string{
		"/", "/tmp", temp, inner, file, link, home, "pg-relative", "/etc", "/pg-none",
		filepath.Join(temp, "pg-none"), temp + "/../pg-x", temp + "/", folder(t) + "/", folder(t) + "/../..",
	} {
		tree, err := Start(Command{Path: "true", Remove: path})
		if err == nil {
			tree.Kill()
			t.Errorf("%q was accepted", path)
			continue
		}
		if !strings.Contains(err.Error(), "may not be removed") {
			t.Errorf("%q: %v", path, err)
		}
	}
	for _, path := range []string{inner, file, link, home} {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("it is gone: %v", err)
		}
	}
}
