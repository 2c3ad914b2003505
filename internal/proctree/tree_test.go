//go:build unix

// What every Unix system must do: streams, exit status, errors, stopping.

package proctree

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long anything may take before a test calls it a failure.
const patience = 20 * time.Second

// command returns a command for a helper of this test.
func command(t testing.TB, role string, args ...string) Command {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{
		Path: executable, Args: args,
		Env: []string{roleVariable + "=" + role, markVariable + "=" + t.Name(), noExitPause},
	}
}

// begun starts a command that is killed at the end of the test at the latest.
func begun(t testing.TB, cmd Command) *Tree {
	t.Helper()
	tree, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tree.Kill)
	return tree
}

func pipe(t testing.TB) (read, write *os.File) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close(); write.Close() })
	return read, write
}

func ended(t testing.TB, tree *Tree) {
	t.Helper()
	select {
	case <-tree.Done():
	case <-time.After(patience):
		t.Fatal("the tree did not end")
	}
}

// awaitLeaves reads until n leaves have said that they are up.
func awaitLeaves(t testing.TB, output *os.File, n int) {
	t.Helper()
	output.SetReadDeadline(time.Now().Add(patience))
	scanner := bufio.NewScanner(output)
	for range n {
		if !scanner.Scan() || scanner.Text() != "up" {
			t.Fatalf("a helper process did not come up: %q, %v", scanner.Text(), scanner.Err())
		}
	}
}

// awaitEnd reads to the end of file, which comes when the last process that holds
// the other end is gone.
func awaitEnd(t testing.TB, output *os.File, within time.Duration) []byte {
	t.Helper()
	output.SetReadDeadline(time.Now().Add(within))
	rest, err := io.ReadAll(output)
	if err != nil {
		t.Fatalf("a process still holds the program's output: %v", err)
	}
	return rest
}

func TestStreamsPassThrough(t *testing.T) {
	const size = 64 << 20
	inRead, in := pipe(t)
	out, outWrite := pipe(t)
	cmd := command(t, "cat")
	cmd.Stdin, cmd.Stdout = inRead, outWrite
	tree := begun(t, cmd)
	inRead.Close()
	outWrite.Close()

	sent := sha256.New()
	var writing sync.WaitGroup
	writing.Go(func() {
		source := rand.NewChaCha8([32]byte{1})
		io.CopyN(io.MultiWriter(in, sent), source, size)
		in.Close()
	})
	received := sha256.New()
	n, err := io.Copy(received, out) // ends only at a real end of file
	writing.Wait()
	if err != nil || n != size || !bytes.Equal(sent.Sum(nil), received.Sum(nil)) {
		t.Errorf("got %d bytes of %d back, error %v", n, size, err)
	}
	ended(t, tree)
	if got := tree.Exit(); got != "exited with status 0" {
		t.Errorf("Exit() = %q", got)
	}
}

func TestEnvironmentDirectoryArguments(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in, _ := pipe(t)
	out, outWrite := pipe(t)
	cmd := command(t, "tell", "a b", "", "\"ü\n", "__guard")
	cmd.Dir, cmd.Stdin, cmd.Stdout = dir, in, outWrite
	cmd.Env = []string{roleVariable + "=first", "A=1", roleVariable + "=tell", TreeVariable + "=outer"}
	tree := begun(t, cmd)
	outWrite.Close()
	lines := strings.Split(string(awaitEnd(t, out, patience)), "\n")
	ended(t, tree)
	if want := `["a b" "" "\"ü\n" "__guard"]`; lines[0] != want {
		t.Errorf("arguments %s, want %s", lines[0], want)
	}
	if lines[1] != dir {
		t.Errorf("directory %s, want %s", lines[1], dir)
	}
	if want := `["A=1" "PROCTREE_TEST_ROLE=tell" "PLAYGUARD_TREE=`; !strings.HasPrefix(lines[2], want) ||
		strings.Contains(lines[2], "outer") || strings.Count(lines[2], "=") != 3 {
		t.Errorf("environment %s, want %s…", lines[2], want)
	}
	if lines[3] != "true" {
		t.Error("the program's input is not in blocking mode, which some programs cannot handle")
	}
}

func TestExit(t *testing.T) {
	for _, test := range []struct {
		role, arg, want string
	}{
		{"exit", "0", "exited with status 0"},
		{"exit", "1", "exited with status 1"},
		{"exit", "255", "exited with status 255"},
		{"signal", fmt.Sprint(int(syscall.SIGKILL)), "was killed by SIGKILL"},
		{"signal", fmt.Sprint(int(syscall.SIGTERM)), "was killed by SIGTERM"},
	} {
		t.Run(test.want, func(t *testing.T) {
			tree := begun(t, command(t, test.role, test.arg))
			if tree.Pid() <= 0 || tree.GuardPid() <= 0 {
				t.Errorf("process ids %d and %d", tree.Pid(), tree.GuardPid())
			}
			ended(t, tree)
			if got := tree.Exit(); got != test.want {
				t.Errorf("Exit() = %q, want %q", got, test.want)
			}
		})
	}
}

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct {
		name string
		cmd  Command
		want string
	}{
		{"empty", Command{}, "no program can be started because the command is empty; give the program's name or path"},
		{"no name in PATH", Command{Path: "no-such-program-here"}, `"no-such-program-here" cannot be started because no such program is in PATH; install it, or give its full path`},
		{"no file", Command{Path: filepath.Join(dir, "none")}, "cannot be started because there is no such file; check the path"},
		{"no file in Dir", Command{Path: "./none", Dir: dir}, "cannot be started because there is no such file; check the path"},
		{"not executable", Command{Path: write("plain", "x", 0o600)}, "cannot be started because it is not an executable file for this user; check its permissions"},
		{"no interpreter", Command{Path: write("script", "#!/no/such/interpreter\n", 0o700)}, "the interpreter or loader it names does not exist; install that"},
		{"no program", Command{Path: write("text", "hello", 0o700)}, "it is no program for this system"},
		{"no directory", Command{Path: "sh", Dir: filepath.Join(dir, "none")}, "because there is no such directory; create it or choose another"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree, err := Start(test.cmd)
			if err == nil {
				tree.Kill()
				t.Fatal("it was started")
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %q, want %q", err, test.want)
			}
		})
	}
}

func TestStopGivesTimeToFinish(t *testing.T) {
	inRead, in := pipe(t)
	out, outWrite := pipe(t)
	cmd := command(t, "polite")
	cmd.Stdin, cmd.Stdout = inRead, outWrite
	tree := begun(t, cmd)
	inRead.Close()
	outWrite.Close()
	if got := tree.Exit(); got != "" {
		t.Errorf("Exit() = %q while it runs", got)
	}
	in.Close()
	tree.Stop(patience)
	if got := tree.Exit(); got != "exited with status 7" {
		t.Errorf("Exit() = %q", got)
	}
	if got := string(awaitEnd(t, out, patience)); got != "bye\n" {
		t.Errorf("output %q", got)
	}
}

func TestStopFromManyGoroutines(t *testing.T) {
	out, outWrite := pipe(t)
	cmd := command(t, "leaf")
	cmd.Stdout = outWrite
	tree := begun(t, cmd)
	outWrite.Close()
	awaitLeaves(t, out, 1)
	var stopping sync.WaitGroup
	for i := range 8 {
		stopping.Go(func() {
			// The shortest counts, and none of them may come back early.
			tree.Stop(time.Duration(i) * time.Hour)
			select {
			case <-tree.Done():
			default:
				t.Error("Stop returned before the end")
			}
		})
	}
	stopping.Wait()
	tree.Stop(time.Hour)
	tree.Kill()
	if got := tree.Exit(); got != "was killed by SIGKILL" {
		t.Errorf("Exit() = %q", got)
	}
}

func TestProgramLeavesNothingThatHoldsItsOutput(t *testing.T) {
	out, outWrite := pipe(t)
	cmd := command(t, "leave") // ends at once; what it started would live on
	cmd.Stdout = outWrite
	tree := begun(t, cmd)
	outWrite.Close()
	awaitEnd(t, out, patience)
	ended(t, tree)
	if got := tree.Exit(); got != "exited with status 0" {
		t.Errorf("Exit() = %q", got)
	}
}

func TestProgramIsNotStartedIgnoringSignals(t *testing.T) {
	out, outWrite := pipe(t)
	cmd := command(t, "signalled")
	cmd.Stdout = outWrite
	begun(t, cmd)
	outWrite.Close()
	if got := string(awaitEnd(t, out, patience)); got != "false false\n" {
		t.Errorf("ignored at the start: %q", got)
	}
}

func TestGuardIgnoresSignals(t *testing.T) {
	out, outWrite := pipe(t)
	cmd := command(t, "family", "session")
	cmd.Stdout = outWrite
	tree := begun(t, cmd)
	outWrite.Close()
	awaitLeaves(t, out, 2)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1} {
		if err := syscall.Kill(tree.GuardPid(), sig); err != nil {
			t.Fatal(err)
		}
	}
	tree.Kill()
	if got := tree.Exit(); got != "was killed by SIGKILL" {
		t.Errorf("Exit() = %q, so the guard did not see the end", got)
	}
	awaitEnd(t, out, patience)
}

func TestWithVariable(t *testing.T) {
	got := withVariable([]string{"A=1", "B=x=y", "A=2", "odd", "T=old"}, "T", "new")
	if want := []string{"B=x=y", "A=2", "odd", "T=new"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
