// Settings that change what the browser is started with and what comes back.

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/site"
)

func TestYAMLAndShortText(t *testing.T) {
	pages := site.Start(t)
	_, p := open(t, "PLAYGUARD_FORMAT=yaml", "PLAYGUARD_TEXT=short")
	navigate(t, p, pages.URL+"/index.html")
	view := look(t, p, nil)
	contains(t, view, "[PlayGuard compact: ", "```yaml\n", "\n```", `- heading "Welcome" [level=1] [ref=`, "The quick brown fox")
	lacks(t, view, "rather than after it.", "form.html?from")
	contains(t, look(t, p, map[string]any{"text": "full", "urls": true}), "rather than after it.", "/url: form.html?from=start")
	navigate(t, p, pages.URL+"/imitation.html")
	lacks(t, quotedPart.ReplaceAllString(look(t, p, nil), `""`), "- button \"Fence\"")
}

// The quotes of PLAYWRIGHT_MCP_ARGS reach the browser as the README says, and
// an --output-dir in it wins over PlayGuard's own.
func TestArgumentsAreQuoted(t *testing.T) {
	pages := site.Start(t)
	s := newStage(t, harness.Setup{})
	output := filepath.Join(s.Temp, "my files")
	s = restage(t, s, `PLAYWRIGHT_MCP_ARGS=`+s.Args()+` --user-agent='Mine "quoted" C:\x' --output-dir "`+output+`"`)
	p := s.Start()
	p.Init()
	navigate(t, p, pages.URL+"/index.html")
	contains(t, call(t, p, "browser_evaluate", map[string]any{"function": "() => navigator.userAgent"}), `Mine \"quoted\" C:\\x`)
	call(t, p, "browser_take_screenshot", nil)
	if files := filesIn(t, output); len(files) < 2 { // the page's tree and its picture
		t.Errorf("the folder of --output-dir holds only %v", files)
	}
	if files := filesIn(t, s.Path("project/.playguard/.qa")); len(files) > 0 {
		t.Errorf("PlayGuard's own folder got %v", files)
	}
}

// restage is a stage with other settings and the same temporary folder.
func restage(t testing.TB, s *stage, env ...string) *stage {
	t.Helper()
	next := newStage(t, harness.Setup{Env: append([]string{"TMPDIR=" + s.Temp}, env...)})
	next.Temp = s.Temp
	return next
}

// A command of the user's own is run as it is, with its files still in
// PlayGuard's folder.
func TestOwnCommand(t *testing.T) {
	pages := site.Start(t)
	s := newStage(t, harness.Setup{})
	line := command(t, "", "unused")
	quoted := make([]string, 0, len(line))
	for i := 0; i < len(line); i++ {
		if line[i] == "--output-dir" {
			i++ // PlayGuard names it by the variable
			continue
		}
		quoted = append(quoted, `"`+line[i]+`"`)
	}
	s = restage(t, s, "PLAYWRIGHT_MCP_CMD="+strings.Join(quoted, " "), "PLAYWRIGHT_MCP_ARGS="+s.Args())
	p := s.Start()
	p.Init()
	contains(t, p.Result("tools/list", `{}`), `"browser_snapshot"`, `"raw"`)
	navigate(t, p, pages.URL+"/index.html")
	contains(t, look(t, p, nil), "[PlayGuard compact: ", "Welcome")
	call(t, p, "browser_take_screenshot", nil)
	if files := filesIn(t, s.Path("project/.playguard/.qa")); len(files) < 2 {
		t.Errorf("PlayGuard's folder holds only %v", files)
	}
}

// What comes from the site under test lies in .playguard/.qa, which no
// repository takes in, and the answers' links lead there from the project.
func TestFilesLandInTheProject(t *testing.T) {
	pages := site.Start(t)
	s, p := open(t)
	navigate(t, p, pages.URL+"/download.html")
	link := handles(lineWith(t, look(t, p, nil), "Figures as CSV"))[0]
	call(t, p, "browser_click", map[string]any{"target": link})
	text := call(t, p, "browser_wait_for", map[string]any{"time": 0.2})
	answer := call(t, p, "browser_take_screenshot", nil)
	_, after, _ := strings.Cut(answer, "](")
	shot, _, found := strings.Cut(after, ")")
	if !found {
		t.Fatalf("the answer names no file: %s", answer)
	}
	exists(t, filepath.Join(s.Path("project"), shot))
	exists(t, s.Path("project/.playguard/.qa/figures.csv"))
	if !strings.HasPrefix(shot, ".playguard/.qa/") {
		t.Errorf("the screenshot is at %s; %s", shot, text)
	}
	ignored, err := os.ReadFile(s.Path("project/.playguard/.gitignore"))
	if err != nil || string(ignored) != "*\n" {
		t.Errorf(".gitignore holds %q (%v)", ignored, err)
	}
	if files := filesIn(t, s.Path("project")); len(files) != 2 { // .keep is the scene's
		t.Errorf("the project holds %v", files)
	}
}

func exists(t testing.TB, path string) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("the file is missing or empty: %v", err)
	}
}

func filesIn(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
