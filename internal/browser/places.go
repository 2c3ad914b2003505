package browser

// Places: where each system keeps its browsers.

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	onPath        = "on the PATH"
	inPlace       = "in its standard place"
	inCache       = "in Playwright's cache"
	inSnap        = "in a snap"
	snapChromium  = "/snap/bin/chromium"
	completeEntry = "INSTALLATION_COMPLETE" // written by Playwright when a download is whole
)

// searches lists what to try, in order. Each is cheap and looks at the disk only
// when it is called.
func (l Lookup) searches() []func() (Browser, bool) {
	var list []func() (Browser, bool)
	for _, kind := range []Kind{Chrome, Chromium, Edge} {
		list = append(list,
			func() (Browser, bool) { return l.onPath(kind) },
			func() (Browser, bool) { return l.first(kind, inPlace, l.places(kind)) })
	}
	list = append(list,
		func() (Browser, bool) { return l.downloaded(Playwright, "chromium-") },
		func() (Browser, bool) { return l.downloaded(HeadlessShell, "chromium_headless_shell-") })
	if l.GOOS == "linux" {
		list = append(list, func() (Browser, bool) { return Browser{snapChromium, Chromium, inSnap}, l.Executable(snapChromium) })
	}
	return list
}

// first returns the first path that can be run and is no snap.
func (l Lookup) first(kind Kind, source string, paths []string) (Browser, bool) {
	for _, path := range paths {
		if l.Executable(path) && !l.startsSnap(path) {
			return Browser{Path: path, Kind: kind, Source: source}, true
		}
	}
	return Browser{}, false
}

// startsSnap reports whether path is a script that leads to a snap. Ubuntu puts
// one in the place of chromium-browser, also where the snap is not installed.
func (l Lookup) startsSnap(path string) bool {
	if l.GOOS != "linux" {
		return false
	}
	if strings.HasPrefix(path, "/snap/") {
		return true
	}
	head := l.Head(path)
	return bytes.HasPrefix(head, []byte("#!")) && bytes.Contains(head, []byte("/snap/"))
}

// onPath looks for a kind's program names in the folders of the PATH. Relative
// folders are left out: they are relative to whatever project is open.
func (l Lookup) onPath(kind Kind) (Browser, bool) {
	names := map[Kind][]string{
		Chrome:   {"google-chrome-stable", "google-chrome"},
		Chromium: {"chromium", "chromium-browser"},
		Edge:     {"microsoft-edge-stable", "microsoft-edge"},
	}[kind]
	separator := ":"
	if l.GOOS == "windows" {
		separator = ";"
		names = map[Kind][]string{Chrome: {"chrome.exe"}, Chromium: {"chromium.exe"}, Edge: {"msedge.exe"}}[kind]
	}
	for _, name := range names {
		var paths []string
		for _, dir := range strings.Split(l.value("PATH"), separator) {
			if l.isAbs(dir) {
				paths = append(paths, l.join(dir, name))
			}
		}
		if b, ok := l.first(kind, onPath, paths); ok {
			return b, true
		}
	}
	return Browser{}, false
}

// places lists where the installers of a kind put it. The PATH is not enough:
// clients start servers with a short one, and on macOS and Windows browsers are
// not on it.
func (l Lookup) places(kind Kind) []string {
	switch l.GOOS {
	case "darwin":
		app := map[Kind]string{Chrome: "Google Chrome", Chromium: "Chromium", Edge: "Microsoft Edge"}[kind]
		inner := "Applications/" + app + ".app/Contents/MacOS/" + app
		return []string{"/" + inner, l.join(l.Home, inner)}
	case "windows":
		inner := map[Kind]string{
			Chrome:   `Google\Chrome\Application\chrome.exe`,
			Chromium: `Chromium\Application\chrome.exe`,
			Edge:     `Microsoft\Edge\Application\msedge.exe`,
		}[kind]
		var paths []string
		for _, dir := range []string{
			l.value("ProgramFiles"), l.value("ProgramW6432"), l.value("ProgramFiles(x86)"), l.localAppData(),
			// Some clients start servers without these variables.
			`C:\Program Files`, `C:\Program Files (x86)`,
		} {
			if dir != "" {
				paths = append(paths, l.join(dir, inner))
			}
		}
		return paths
	}
	return map[Kind][]string{
		Chrome:   {"/usr/bin/google-chrome-stable", "/usr/bin/google-chrome", "/opt/google/chrome/chrome"},
		Chromium: {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/local/bin/chromium"},
		Edge:     {"/usr/bin/microsoft-edge-stable", "/usr/bin/microsoft-edge", "/opt/microsoft/msedge/msedge"},
	}[kind]
}

// downloaded looks for the newest complete build in Playwright's cache, whose
// folders are named prefix and revision.
func (l Lookup) downloaded(kind Kind, prefix string) (Browser, bool) {
	root := l.cacheDir()
	if root == "" {
		return Browser{}, false
	}
	var revisions []int
	for _, name := range l.Names(root) {
		if digits, ok := strings.CutPrefix(name, prefix); ok {
			if revision, err := strconv.Atoi(digits); err == nil {
				revisions = append(revisions, revision)
			}
		}
	}
	slices.SortFunc(revisions, func(a, b int) int { return cmp.Compare(b, a) })
	for _, revision := range revisions {
		dir := l.join(root, prefix+strconv.Itoa(revision))
		if !l.Exists(l.join(dir, completeEntry)) {
			continue
		}
		// The folder inside carries the architecture, so it is listed, not guessed.
		for _, inner := range l.Names(dir) {
			var paths []string
			for _, program := range l.downloadedPrograms(kind) {
				paths = append(paths, l.join(dir, inner, program))
			}
			if b, ok := l.first(kind, inCache, paths); ok {
				return b, true
			}
		}
	}
	return Browser{}, false
}

// downloadedPrograms are the executables of a build, relative to its inner
// folder; the later ones are of older Playwright versions.
func (l Lookup) downloadedPrograms(kind Kind) []string {
	if kind == HeadlessShell {
		if l.GOOS == "windows" {
			return []string{"chrome-headless-shell.exe", "headless_shell.exe"}
		}
		return []string{"chrome-headless-shell", "headless_shell"}
	}
	switch l.GOOS {
	case "darwin":
		return []string{
			"Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
			"Chromium.app/Contents/MacOS/Chromium",
		}
	case "windows":
		return []string{"chrome.exe"}
	}
	return []string{"chrome"}
}

// cacheDir is where Playwright keeps its browsers, by its own rule.
func (l Lookup) cacheDir() string {
	switch dir := l.value("PLAYWRIGHT_BROWSERS_PATH"); {
	case dir == "0" && l.CoreDir != "":
		return l.join(l.CoreDir, ".local-browsers")
	case dir == "0":
		return ""
	case l.isAbs(dir):
		return dir
	case dir != "":
		return l.join(cmp.Or(l.value("INIT_CWD"), l.Cwd), dir)
	}
	base := ""
	switch l.GOOS {
	case "darwin":
		base = l.join(l.Home, "Library/Caches")
	case "windows":
		base = l.localAppData()
	default:
		base = cmp.Or(l.value("XDG_CACHE_HOME"), l.join(l.Home, ".cache"))
	}
	return l.join(base, "ms-playwright")
}

func (l Lookup) localAppData() string {
	return cmp.Or(l.value("LOCALAPPDATA"), l.join(l.Home, `AppData\Local`))
}

// join and isAbs follow GOOS, where path/filepath follows the system that this
// program was built for.
func (l Lookup) join(parts ...string) string {
	if l.GOOS != "windows" {
		return path.Join(parts...)
	}
	for i := range parts {
		if i < len(parts)-1 {
			parts[i] = strings.TrimRight(parts[i], `\/`)
		}
	}
	return strings.Join(parts, `\`)
}

func (l Lookup) isAbs(dir string) bool {
	if l.GOOS != "windows" {
		return path.IsAbs(dir)
	}
	return strings.HasPrefix(dir, `\\`) || len(dir) >= 3 && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/')
}
