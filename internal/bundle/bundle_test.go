package bundle

// The embedded files, and an installation from the registry for real.

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEmbeddedFiles(t *testing.T) {
	var lock struct {
		LockfileVersion int
		Packages        map[string]struct {
			Version, Integrity, Resolved string
			Dependencies                 map[string]string
			HasInstallScript             bool
		}
	}
	if err := json.Unmarshal(packageLock, &lock); err != nil {
		t.Fatal(err)
	}
	if lock.LockfileVersion != 3 {
		t.Errorf("the lock file has version %d, want 3", lock.LockfileVersion)
	}
	if diff := cmp.Diff(Versions(), lock.Packages[""].Dependencies); diff != "" {
		t.Errorf("package.json and the lock file differ:\n%s", diff)
	}
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	for name, version := range Versions() {
		if !exact.MatchString(version) {
			t.Errorf("%s is not pinned but %q", name, version)
		}
	}
	for name, p := range lock.Packages {
		if name == "" {
			continue
		}
		if !strings.HasPrefix(p.Integrity, "sha512-") || p.Resolved != "" || p.HasInstallScript {
			t.Errorf("%s needs an integrity hash, no address and no install script: %+v", name, p)
		}
	}
	if strings.Contains(string(packageLock)+string(packageJSON), "://") {
		t.Error("the embedded files name a host")
	}
	if !installedName.MatchString(key()) {
		t.Errorf("the key %s would never be removed by a later version", key())
	}
}

func TestDir(t *testing.T) {
	dir, err := Dir("")
	if err != nil || !strings.HasSuffix(dir, filepath.Join("playguard", "bundle")) {
		t.Errorf("Dir = %s, %v, want a folder in the user's data directory", dir, err)
	}
	data := t.TempDir()
	if dir, err := Dir(data); err != nil || dir != filepath.Join(data, "bundle") {
		t.Errorf("Dir(%s) = %s, %v", data, dir, err)
	}
	t.Chdir(data)
	if dir, err := Dir("x"); err != nil || !filepath.IsAbs(dir) {
		t.Errorf("Dir of a relative folder = %s, %v, want an absolute one", dir, err)
	}
}

func TestInstallFromRegistry(t *testing.T) {
	if testing.Short() {
		t.Skip("this test needs the npm registry")
	}
	dir := t.TempDir()
	if _, ok := Locate(dir); ok {
		t.Fatal("Locate finds an installation in an empty folder")
	}
	var lines []string
	installed, err := Install(t.Context(), Options{Dir: dir, Progress: func(line string) { lines = append(lines, line) }})
	if err != nil {
		t.Fatalf("This test needs Node.js %d or newer, npm and its registry: %v", MinNode, err)
	}
	t.Log(strings.Join(lines, "\n"))
	out, err := exec.CommandContext(t.Context(), installed.Node, installed.PlaywrightCLI, "--version").CombinedOutput()
	if want := Versions()["@playwright/mcp"]; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("the installed Playwright MCP says %q (%v), want version %s", out, err, want)
	}
	axe, err := os.ReadFile(installed.Axe)
	if want := Versions()["axe-core"]; err != nil || !strings.Contains(string(axe[:200]), want) {
		t.Errorf("%s is not axe-core %s (%v)", installed.Axe, want, err)
	}
	if info, err := os.Stat(installed.PlaywrightCore); err != nil || !info.IsDir() {
		t.Errorf("playwright-core is not in %s (%v)", installed.PlaywrightCore, err)
	}

	t.Setenv("PATH", "")
	again, err := Install(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatalf("Install of what is there already needs a program: %v", err)
	}
	installed.Node = ""
	if diff := cmp.Diff(installed, again); diff != "" {
		t.Errorf("Install of what is there already (-first +second):\n%s", diff)
	}
}

func BenchmarkLocate(b *testing.B) {
	dir := b.TempDir()
	if _, err := Install(b.Context(), Options{Dir: dir}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, ok := Locate(dir); !ok {
			b.Fatal("the installation is gone")
		}
	}
}
