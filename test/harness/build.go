// Building the programs under test, once.

package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// module is this module's path.
const module = "github.com/playguard/playguard"

// builder builds programs into a folder that Main removes.
type builder struct {
	mu    sync.Mutex
	dir   string
	built map[string]result
}

type result struct {
	path string
	err  error
}

// programs is shared by all tests of a run: building takes seconds.
var programs = &builder{built: map[string]result{}}

// Main runs a package's tests and removes what was built for them. TestMain
// hands its result to os.Exit.
func Main(m *testing.M) int {
	defer programs.remove()
	return m.Run()
}

// Playguard returns the path of the built playguard program.
func Playguard(t testing.TB) string { return Program(t, "cmd/playguard") }

// Scripted returns the path of the built scripted upstream.
func Scripted(t testing.TB) string { return Program(t, "test/scripted/cmd/scripted") }

// Program builds the main package in a folder of this module and returns the
// program's path. Only PlayGuard itself gets the race detector of the tests: its
// second of sleep at the end of a program would change how upstreams end.
func Program(t testing.TB, folder string) string {
	t.Helper()
	path, err := programs.build(folder)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func (b *builder) build(folder string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if done, ok := b.built[folder]; ok {
		return done.path, done.err
	}
	path, err := b.compile(folder)
	b.built[folder] = result{path, err}
	return path, err
}

func (b *builder) compile(folder string) (string, error) {
	if b.dir == "" {
		dir, err := os.MkdirTemp("", "playguard-test-")
		if err != nil {
			return "", fmt.Errorf("no folder for the programs under test could be made: %w", err)
		}
		b.dir = dir
	}
	path := filepath.Join(b.dir, filepath.Base(folder))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	args := []string{"build", "-o", path}
	if RaceEnabled && folder == "cmd/playguard" {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, module+"/"+folder)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s could not be built (the tests need the go command): %w\n%s", folder, err, out)
	}
	return path, nil
}

func (b *builder) remove() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir != "" {
		_ = os.RemoveAll(b.dir)
	}
}
