package browser

// Discovery on all three systems, on a machine made of a list of files.

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// machine makes a Lookup whose disk holds the given executables, each perhaps
// followed by "=" and its contents.
func machine(goos string, vars map[string]string, files ...string) Lookup {
	disk := map[string]string{}
	for _, file := range files {
		path, content, _ := strings.Cut(file, "=")
		disk[path] = content
	}
	separator := "/"
	home := "/home/u"
	if goos == "windows" {
		separator, home = `\`, `C:\Users\u`
	}
	return Lookup{
		GOOS: goos, Home: home, Cwd: home + separator + "app",
		Getenv:     func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
		Executable: func(path string) bool { _, ok := disk[path]; return ok },
		Exists:     func(path string) bool { _, ok := disk[path]; return ok },
		Head:       func(path string) []byte { return []byte(disk[path]) },
		Names: func(dir string) []string {
			seen := map[string]bool{}
			var names []string
			for _, file := range files {
				file, _, _ = strings.Cut(file, "=")
				if rest, ok := strings.CutPrefix(file, dir+separator); ok {
					if name, _, _ := strings.Cut(rest, separator); !seen[name] {
						seen[name] = true
						names = append(names, name)
					}
				}
			}
			return names
		},
	}
}

func TestFind(t *testing.T) {
	linuxPath := map[string]string{"PATH": "/usr/local/bin:bin::/usr/bin"}
	const (
		linuxCache = "/home/u/.cache/ms-playwright/"
		macCache   = "/home/u/Library/Caches/ms-playwright/"
		winCache   = `C:\Users\u\AppData\Local\ms-playwright\`
	)
	tests := []struct {
		name  string
		goos  string
		vars  map[string]string
		files []string
		want  Browser
	}{
		{"chrome before chromium", "linux", linuxPath, []string{"/usr/bin/chromium", "/usr/bin/google-chrome"},
			Browser{"/usr/bin/google-chrome", Chrome, onPath}},
		{"earlier folder of the PATH", "linux", linuxPath, []string{"/usr/bin/chromium", "/usr/local/bin/chromium"},
			Browser{"/usr/local/bin/chromium", Chromium, onPath}},
		{"relative PATH is not used", "linux", map[string]string{"PATH": "bin:"}, []string{"bin/chromium", "chromium", "/usr/bin/chromium"},
			Browser{"/usr/bin/chromium", Chromium, inPlace}},
		{"no PATH at all", "linux", nil, []string{"/opt/google/chrome/chrome"},
			Browser{"/opt/google/chrome/chrome", Chrome, inPlace}},
		{"Debian's wrapper script", "linux", linuxPath, []string{"/usr/bin/chromium=#!/bin/sh\nexec /usr/lib/chromium/chromium"},
			Browser{"/usr/bin/chromium", Chromium, onPath}},
		{"edge", "linux", linuxPath, []string{"/usr/bin/microsoft-edge-stable"},
			Browser{"/usr/bin/microsoft-edge-stable", Edge, onPath}},
		{"Ubuntu's stand-in for the snap", "linux", linuxPath, []string{"/usr/bin/chromium-browser=#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then exit 1; fi", "/usr/bin/microsoft-edge"},
			Browser{"/usr/bin/microsoft-edge", Edge, onPath}},
		{"snap last", "linux", map[string]string{"PATH": "/snap/bin"}, []string{"/snap/bin/chromium", linuxCache + "chromium-1/INSTALLATION_COMPLETE", linuxCache + "chromium-1/chrome-linux64/chrome"},
			Browser{linuxCache + "chromium-1/chrome-linux64/chrome", Playwright, inCache}},
		{"snap alone", "linux", map[string]string{"PATH": "/snap/bin"}, []string{"/snap/bin/chromium"},
			Browser{"/snap/bin/chromium", Chromium, inSnap}},
		{"newest complete download", "linux", nil, []string{
			linuxCache + "chromium-999/INSTALLATION_COMPLETE", linuxCache + "chromium-999/chrome-linux/chrome",
			linuxCache + "chromium-1200/INSTALLATION_COMPLETE", linuxCache + "chromium-1200/chrome-linux-arm64/chrome",
			linuxCache + "chromium-1300/chrome-linux64/chrome",
			linuxCache + "chromium-x/INSTALLATION_COMPLETE", linuxCache + "chromium-x/chrome-linux64/chrome"},
			Browser{linuxCache + "chromium-1200/chrome-linux-arm64/chrome", Playwright, inCache}},
		{"headless shell", "linux", map[string]string{"XDG_CACHE_HOME": "/c"}, []string{
			"/c/ms-playwright/chromium_headless_shell-7/INSTALLATION_COMPLETE", "/c/ms-playwright/chromium_headless_shell-7/chrome-linux/headless_shell"},
			Browser{"/c/ms-playwright/chromium_headless_shell-7/chrome-linux/headless_shell", HeadlessShell, inCache}},
		{"named cache", "linux", map[string]string{"PLAYWRIGHT_BROWSERS_PATH": "/ms"}, []string{"/ms/chromium-7/INSTALLATION_COMPLETE", "/ms/chromium-7/chrome-linux64/chrome"},
			Browser{"/ms/chromium-7/chrome-linux64/chrome", Playwright, inCache}},
		{"relative cache", "linux", map[string]string{"PLAYWRIGHT_BROWSERS_PATH": "pw"}, []string{"/home/u/app/pw/chromium-7/INSTALLATION_COMPLETE", "/home/u/app/pw/chromium-7/chrome-linux64/chrome"},
			Browser{"/home/u/app/pw/chromium-7/chrome-linux64/chrome", Playwright, inCache}},
		{"cache in the package", "linux", map[string]string{"PLAYWRIGHT_BROWSERS_PATH": "0"}, []string{"/core/.local-browsers/chromium-7/INSTALLATION_COMPLETE", "/core/.local-browsers/chromium-7/chrome-linux64/chrome"},
			Browser{"/core/.local-browsers/chromium-7/chrome-linux64/chrome", Playwright, inCache}},

		{"mac, for all users", "darwin", nil, []string{"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"},
			Browser{"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", Chrome, inPlace}},
		{"mac, for one user", "darwin", nil, []string{"/home/u/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"},
			Browser{"/home/u/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge", Edge, inPlace}},
		{"mac, Homebrew", "darwin", map[string]string{"PATH": "/opt/homebrew/bin"}, []string{"/opt/homebrew/bin/chromium"},
			Browser{"/opt/homebrew/bin/chromium", Chromium, onPath}},
		{"mac, download", "darwin", nil, []string{macCache + "chromium-7/INSTALLATION_COMPLETE", macCache + "chromium-7/chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"},
			Browser{macCache + "chromium-7/chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing", Playwright, inCache}},

		{"windows", "windows", map[string]string{"ProgramFiles": `D:\Programs\`}, []string{`D:\Programs\Google\Chrome\Application\chrome.exe`},
			Browser{`D:\Programs\Google\Chrome\Application\chrome.exe`, Chrome, inPlace}},
		{"windows, empty environment", "windows", nil, []string{`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`},
			Browser{`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`, Edge, inPlace}},
		{"windows, for one user", "windows", nil, []string{`C:\Users\u\AppData\Local\Chromium\Application\chrome.exe`},
			Browser{`C:\Users\u\AppData\Local\Chromium\Application\chrome.exe`, Chromium, inPlace}},
		{"windows, PATH", "windows", map[string]string{"PATH": `.;\x;C:\tools`}, []string{`C:\tools\chrome.exe`},
			Browser{`C:\tools\chrome.exe`, Chrome, onPath}},
		{"windows, download", "windows", map[string]string{"LOCALAPPDATA": `C:\Users\u\AppData\Local`}, []string{winCache + `chromium-7\INSTALLATION_COMPLETE`, winCache + `chromium-7\chrome-win64\chrome.exe`},
			Browser{winCache + `chromium-7\chrome-win64\chrome.exe`, Playwright, inCache}},
		{"windows, headless shell", "windows", nil, []string{winCache + `chromium_headless_shell-7\INSTALLATION_COMPLETE`, winCache + `chromium_headless_shell-7\s\chrome-headless-shell.exe`},
			Browser{winCache + `chromium_headless_shell-7\s\chrome-headless-shell.exe`, HeadlessShell, inCache}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := machine(tt.goos, tt.vars, tt.files...)
			env.CoreDir = "/core"
			got, err := Find(t.Context(), env)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Find (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFindNothing(t *testing.T) {
	for goos, install := range map[string]string{"linux": "apt install chromium", "darwin": "brew install", "windows": "winget install"} {
		_, err := Find(t.Context(), machine(goos, map[string]string{"PLAYWRIGHT_BROWSERS_PATH": "0"}))
		if !IsNotFound(err) {
			t.Fatalf("%s: Find error = %v, want that nothing was found", goos, err)
		}
		for _, part := range []string{install, "playwright install chromium", "--executable-path"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %q does not mention %q", goos, err, part)
			}
		}
	}
}

func TestFindBrokenOff(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Find(ctx, machine("linux", nil, "/usr/bin/chromium"))
	if !errors.Is(err, context.Canceled) || IsNotFound(err) {
		t.Errorf("Find error = %v, want that it was broken off", err)
	}
}

func TestNeedsNoSandbox(t *testing.T) {
	for _, tt := range []struct {
		goos string
		euid int
		want bool
	}{{"linux", 0, true}, {"linux", 1000, false}, {"darwin", 0, false}, {"windows", -1, false}} {
		if got := (Lookup{GOOS: tt.goos, Euid: tt.euid}).NeedsNoSandbox(); got != tt.want {
			t.Errorf("NeedsNoSandbox on %s as %d = %v, want %v", tt.goos, tt.euid, got, tt.want)
		}
	}
}

func TestHasDisplay(t *testing.T) {
	for _, tt := range []struct {
		goos, name string
		want       bool
	}{{"linux", "", false}, {"linux", "DISPLAY", true}, {"linux", "WAYLAND_DISPLAY", true}, {"freebsd", "", false}, {"darwin", "", true}, {"windows", "", true}} {
		if got := machine(tt.goos, map[string]string{tt.name: ":0"}).HasDisplay(); got != tt.want {
			t.Errorf("HasDisplay on %s with %q = %v, want %v", tt.goos, tt.name, got, tt.want)
		}
	}
	if machine("linux", map[string]string{"DISPLAY": ""}).HasDisplay() {
		t.Error("an empty DISPLAY counts as a display")
	}
}

func TestSystemReadsTheDisk(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+strings.Repeat("x", 9000)), 0o755); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	if err := os.WriteFile(data, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	l := System(os.LookupEnv)
	missing := filepath.Join(dir, "missing")
	if !l.Executable(program) || l.Executable(dir) || l.Executable(missing) {
		t.Error("Executable takes something for a program that is none, or the other way round")
	}
	if runtime.GOOS != "windows" && l.Executable(data) {
		t.Error("Executable ignores the mode bits")
	}
	if !l.Exists(data) || l.Exists(missing) {
		t.Error("Exists is wrong")
	}
	if diff := cmp.Diff([]string{"data", "program"}, l.Names(dir)); diff != "" || l.Names(missing) != nil {
		t.Errorf("Names (-want +got):\n%s", diff)
	}
	if head := l.Head(program); len(head) != 4096 || l.Head(missing) != nil || l.Head(dir) != nil {
		t.Errorf("Head gives %d bytes", len(head))
	}
}

// TestFindRunnable looks on this machine: what Find returns must start.
func TestFindRunnable(t *testing.T) {
	if testing.Short() {
		t.Skip("this test needs a browser")
	}
	if runtime.GOOS == "windows" {
		t.Skip("On Windows a browser asked for its version opens a window instead.")
	}
	b, err := Find(t.Context(), System(os.LookupEnv))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), b.Path, "--version").CombinedOutput()
	if err != nil || len(out) == 0 {
		t.Errorf("%s, found %s, does not start: %v\n%s", b.Path, b.Source, err, out)
	}
}
