// The call log of a session with a real browser.

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/test/site"
)

func TestCallLog(t *testing.T) {
	pages := site.Start(t)
	s, p := open(t, "PLAYGUARD_SNAPSHOT_TTL=0") // each look asks the browser
	const secret = "correct horse battery"
	navigate(t, p, pages.URL+"/form.html")
	look(t, p, nil)
	view := look(t, p, nil)
	field := handles(lineWith(t, view, "textbox Full name"))[0]
	call(t, p, "browser_type", map[string]any{"target": field, "text": secret})
	look(t, p, map[string]any{"raw": true})
	call(t, p, "browser_evaluate", map[string]any{"function": "() => 'quiet value'.length"})
	call(t, p, "browser_wait_for", map[string]any{"time": 0.1})
	call(t, p, "browser_wait_for", map[string]any{"text": "Registration"})
	call(t, p, "browser_run_code_unsafe", map[string]any{"code": "async (page) => { await page.waitForTimeout(1); return 'quiet value'.length }"})
	call(t, p, "browser_take_screenshot", map[string]any{"fullPage": true, "type": "jpeg"})
	if _, isError := attempt(t, p, "browser_click", map[string]any{"target": "e999"}); !isError {
		t.Error("a click on nothing succeeded")
	}
	p.End()

	entries, text := readLog(t, s.Path("logs"))
	lacks(t, text, secret, "quiet value", "form.html", "Registration")
	want := []string{
		"browser_navigate", "browser_snapshot", "browser_snapshot", "browser_type", "browser_snapshot", "browser_evaluate",
		"browser_wait_for", "browser_wait_for", "browser_run_code_unsafe", "browser_take_screenshot", "browser_click",
	}
	if len(entries) != len(want) {
		t.Fatalf("the log has %d lines instead of %d:\n%s", len(entries), len(want), text)
	}
	for i, e := range entries {
		if e.Tool != want[i] || e.Server != "playwright" || !e.Intercepted || e.MS <= 0 || len(e.Time) != len("2006-01-02T15:04:05.000Z") {
			t.Errorf("line %d is %+v", i+1, e)
		}
		if (e.RawBytes == 0 || e.KeptBytes == 0) && e.Tool != "browser_type" { // whose answer is empty
			t.Errorf("line %d has no sizes: %+v", i+1, e)
		}
		if e.SavedBytes != e.RawBytes-e.KeptBytes || e.Thrown || e.Cancelled || e.IsError != (i == len(want)-1) {
			t.Errorf("line %d is %+v", i+1, e)
		}
	}
	first, second, raw := entries[1], entries[2], entries[4]
	if first.SnapCount != 1 || second.SnapCount != 2 || raw.SnapCount != 1 || first.Handles < 10 || first.SavedBytes == 0 || first.Raw {
		t.Errorf("the looks are %+v, %+v, %+v", first, second, raw)
	}
	if !raw.Raw || raw.SavedBytes != 0 {
		t.Errorf("the raw look is %+v", raw)
	}
	if e := entries[5]; len(e.ScriptHash) != 12 {
		t.Errorf("the evaluation is %+v", e)
	}
	if e := entries[6]; e.WaitKind != "time" || e.WaitTime != 0.1 {
		t.Errorf("the wait for time is %+v", e)
	}
	if e := entries[7]; e.WaitKind != "text" || e.WaitTime != 0 {
		t.Errorf("the wait for text is %+v", e)
	}
	if e := entries[8]; e.CodeChars != 77 || len(e.CodeHash) != 12 || e.CodeSleeps != 1 {
		t.Errorf("the code is %+v", e)
	}
	if e := entries[9]; !e.FullPage || e.Type != "jpeg" || e.ScreenshotBytes == 0 {
		t.Errorf("the screenshot is %+v", e)
	}
	if e := entries[10]; !strings.Contains(e.ErrText, "Ref e999 not found") || len(e.ErrText) > 200 {
		t.Errorf("the failure is %+v", e)
	}
}

// readLog reads the one day's file of a log folder.
func readLog(t testing.TB, dir string) (entries []calllog.Entry, text string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "????-??-??.ndjson"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no log in %s (%v)", dir, err)
	}
	for _, file := range files { // two around midnight
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text += string(data)
	}
	for line := range strings.Lines(text) {
		var e calllog.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("the line %q of the log cannot be read: %v", line, err)
		}
		entries = append(entries, e)
	}
	return entries, text
}
