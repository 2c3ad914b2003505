//go:build unix

package bundle

// Faults of an installation, with scripts in the place of node and npm.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// whole is what an npm does that installs everything: packages of one line each.
const whole = `
put() { mkdir -p "$(dirname "$1")"; printf '%s\n' "$2" > "$1"; }
put node_modules/@playwright/mcp/package.json '{"bin":{"playwright-mcp":"cli.js"}}'
put node_modules/@playwright/mcp/cli.js 'entry'
put node_modules/playwright-core/package.json '{}'
put node_modules/axe-core/axe.min.js 'axe'
`

const node20 = "echo v20.18.1"

// programs makes a PATH with nothing but a node and an npm, which are the bodies
// of shell scripts; "" for none.
func programs(t *testing.T, node, npm string) {
	t.Helper()
	bin := t.TempDir()
	for name, body := range map[string]string{"node": node, "npm": npm} {
		if body == "" {
			continue
		}
		// The scripts themselves need a few programs of the system.
		script := "#!/bin/sh\nPATH=/bin:/usr/bin\n" + body + "\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
}

// content lists what is in dir apart from the lock.
func content(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if entry.Name() != lockName {
			names = append(names, entry.Name())
		}
	}
	return names
}

func TestInstallFaults(t *testing.T) {
	tests := []struct {
		name, node, npm string
		want            []string
	}{
		{"no node", "", whole, []string{"no node is on the PATH", "install Node.js 20", "nodejs.org"}},
		{"old node", "echo v18.19.0", whole, []string{"Node.js 20 or newer", "is 18.19.0", "install"}},
		{"not a version", "echo hello", whole, []string{`"hello\n" instead of a version`}},
		{"broken node", "exit 3", whole, []string{"does not run", "exit status 3"}},
		{"no npm", node20, "", []string{"npm, which comes with Node.js, is not on the PATH", "playguard setup"}},
		{"no network", node20, "echo 'npm error code ENOTFOUND' >&2; echo 'npm error request failed' >&2; exit 1", []string{"could not reach the package registry", "npm: request failed", "playguard setup"}},
		{"disk full half-way", node20, whole + "echo 'npm error code ENOSPC' >&2; exit 228", []string{"disk is full", "playguard setup"}},
		{"killed", node20, "kill -9 $$", []string{"npm was killed by SIGKILL", "playguard setup"}},
		{"nothing installed", node20, "exit 0", []string{"not whole", "playguard setup"}},
		{"empty entry", node20, whole + ": > node_modules/axe-core/axe.min.js", []string{"axe.min.js is not a file or is empty"}},
		{"package without the program", node20, whole + "echo '{\"bin\":{\"playwright-mcp\":\"../../../x\"}}' > node_modules/@playwright/mcp/package.json", []string{"names no program playwright-mcp"}},
		{"package.json damaged", node20, whole + "echo '{' > node_modules/@playwright/mcp/package.json", []string{"cannot be read"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			programs(t, tt.node, tt.npm)
			dir := filepath.Join(t.TempDir(), "bundle")
			_, err := Install(t.Context(), Options{Dir: dir})
			if err == nil {
				t.Fatal("Install reports no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not mention %q", err, want)
				}
			}
			if left := content(t, dir); len(left) > 0 {
				t.Errorf("Install left %v", left)
			}
		})
	}
}

func TestInstallUnwritable(t *testing.T) {
	programs(t, node20, whole)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Install(t.Context(), Options{Dir: filepath.Join(file, "bundle")})
	if err == nil || !strings.Contains(err.Error(), "PLAYGUARD_DATA_DIR") {
		t.Errorf("error = %v, want one that says how to choose another folder", err)
	}
}

func TestPlaceErrorDiskFull(t *testing.T) {
	err := placeError("/d", &os.PathError{Op: "write", Path: "/d/x", Err: syscall.ENOSPC})
	if !strings.Contains(err.Error(), "the disk that holds /d is full") {
		t.Errorf("error %q does not say that the disk is full", err)
	}
}

func TestInstallProgress(t *testing.T) {
	programs(t, node20, whole)
	dir := t.TempDir()
	var lines []string
	installed, err := Install(t.Context(), Options{Dir: dir, Progress: func(line string) { lines = append(lines, line) }})
	if err != nil {
		t.Fatal(err)
	}
	at := -1
	for _, phase := range []string{"Checking Node.js", "Installing Playwright MCP", "Checking the installation", "Installed Playwright MCP"} {
		next := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, phase) })
		if next <= at {
			t.Errorf("%q does not come in its place in %q", phase, lines)
		}
		at = next
	}
	if filepath.Dir(installed.Node) != os.Getenv("PATH") || filepath.Base(installed.PlaywrightCLI) != "cli.js" {
		t.Errorf("Install = %+v", installed)
	}
}

func TestInstallCancelled(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	programs(t, node20, `
$(command -v setsid) sleep 1000 &
echo $! $$ > `+pids+`
echo npm http fetch GET 200 http://r.test/cancel-now
wait`)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Install(ctx, Options{Dir: dir, Progress: func(line string) {
		if strings.HasSuffix(line, "received cancel-now") {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want that it was cancelled", err)
	}
	if left := content(t, dir); len(left) > 0 {
		t.Errorf("Install left %v", left)
	}
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d of npm is still there (%v)", pid, err)
		}
	}
}

// TestInstallOnce has one Install wait for another: npm of the first goes on only
// when the second has said that it waits.
func TestInstallOnce(t *testing.T) {
	state := t.TempDir()
	programs(t, node20, `
echo run >> `+state+`/runs
echo npm http fetch GET 200 http://r.test/running
while [ ! -e `+state+`/go ]; do sleep 0.05; done`+whole)
	dir := t.TempDir()
	running, waiting := make(chan struct{}, 100), make(chan struct{}, 100)
	results := make(chan error, 2)
	install := func(mark string, event chan<- struct{}) {
		_, err := Install(t.Context(), Options{Dir: dir, Progress: func(line string) {
			if strings.Contains(line, mark) {
				event <- struct{}{}
			}
		}})
		results <- err
	}
	go install("received running", running)
	<-running
	go install("Waiting for another PlayGuard", waiting)
	<-waiting

	ctx, cancel := context.WithCancel(t.Context())
	_, err := Install(ctx, Options{Dir: dir, Progress: func(line string) {
		if strings.Contains(line, "Waiting") {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "waiting for another") {
		t.Errorf("a third Install, cancelled while it waits: %v", err)
	}

	if err := os.WriteFile(filepath.Join(state, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	if runs, err := os.ReadFile(filepath.Join(state, "runs")); err != nil || string(runs) != "run\n" {
		t.Errorf("npm ran %d times (%v), want once", strings.Count(string(runs), "\n"), err)
	}
}

func TestDamagedInstallation(t *testing.T) {
	programs(t, node20, whole)
	dir := t.TempDir()
	first, err := Install(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	damages := map[string]func() error{
		"a file is gone":      func() error { return os.Remove(first.PlaywrightCLI) },
		"a file is cut":       func() error { return os.Truncate(first.Axe, 1) },
		"the list is gone":    func() error { return os.Remove(filepath.Join(first.Dir, listName)) },
		"the list is empty":   func() error { return os.WriteFile(filepath.Join(first.Dir, listName), []byte("{}"), 0o644) },
		"the list is damaged": func() error { return os.WriteFile(filepath.Join(first.Dir, listName), []byte("{"), 0o644) },
		"all is gone but one": func() error { return os.RemoveAll(filepath.Join(first.Dir, "node_modules", "axe-core")) },
		"a file in its place": func() error {
			return errors.Join(os.RemoveAll(first.Dir), os.WriteFile(first.Dir, nil, 0o644))
		},
	}
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			if err := damage(); err != nil {
				t.Fatal(err)
			}
			if _, ok := Locate(dir); ok {
				t.Fatal("Locate accepts the damaged installation")
			}
			again, err := Install(t.Context(), Options{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			if again != first {
				t.Errorf("Install = %+v, want %+v", again, first)
			}
			if left := content(t, dir); !slices.Equal(left, []string{key()}) {
				t.Errorf("Install left %v", left)
			}
		})
	}
}

func TestPruning(t *testing.T) {
	programs(t, node20, whole)
	dir := t.TempDir()
	aged := func(name string, age time.Duration) {
		list := filepath.Join(dir, name, listName)
		if err := os.MkdirAll(filepath.Dir(list), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(list, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(list, then, then); err != nil {
			t.Fatal(err)
		}
	}
	aged("00000000000000aa", keepUnused+time.Hour)
	aged("00000000000000bb", keepUnused-time.Hour)
	aged("other", 2*keepUnused)
	aged(tempPrefix+"1", 0)
	aged(tempPrefix+"1-old", 0)
	if _, err := Install(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	want := []string{"00000000000000bb", key(), "other"}
	slices.Sort(want)
	if got := content(t, dir); !slices.Equal(got, want) {
		t.Errorf("after the installation there is %v, want %v", got, want)
	}
}

func TestLocateMarksUse(t *testing.T) {
	programs(t, node20, whole)
	dir := t.TempDir()
	installed, err := Install(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(installed.Dir, listName)
	then := time.Now().Add(-keepUnused)
	if err := os.Chtimes(list, then, then); err != nil {
		t.Fatal(err)
	}
	if _, ok := Locate(dir); !ok {
		t.Fatal("the installation is gone")
	}
	if info, err := os.Stat(list); err != nil || !info.ModTime().After(then.Add(time.Hour)) {
		t.Errorf("Locate does not note that the installation is used (%v)", err)
	}
}

func TestCheckNodeCancelled(t *testing.T) {
	programs(t, "exec sleep 1000", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := CheckNode(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("CheckNode error = %v, want that it was cancelled", err)
	}
}

func TestCheckNode(t *testing.T) {
	programs(t, "echo v24.1.0", "")
	path, version, err := CheckNode(t.Context())
	if err != nil || version != "24.1.0" || !filepath.IsAbs(path) {
		t.Errorf("CheckNode = %s, %s, %v", path, version, err)
	}
}
