package calllog

// The log's lines and files.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// open returns a log in a new folder, and what it says on notes.
func open(t *testing.T, dir string) (*Log, *bytes.Buffer) {
	t.Helper()
	var notes bytes.Buffer
	l := Open(dir, slog.New(slog.NewTextHandler(&notes, nil)))
	t.Cleanup(l.Close)
	return l, &notes
}

// read returns the lines of a day's file, decoded.
func read(t *testing.T, dir, day string) []map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, day+".ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		t.Errorf("the last line of %s has no end", day)
	}
	var lines []map[string]any
	for line := range bytes.SplitSeq(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		var entry map[string]any
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		lines = append(lines, entry)
	}
	return lines
}

func TestOneLinePerCall(t *testing.T) {
	dir := t.TempDir()
	l, notes := open(t, dir)
	l.now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 5e6, time.FixedZone("", 3600)) }
	e := Entry{Server: "playwright", Tool: "browser_click", MS: 12.5, Intercepted: true, RawBytes: 1000, KeptBytes: 300}
	e.SetError("line one\nline \"two\"")
	l.Add(e)
	l.Add(Entry{Server: "x", Tool: "grown", RawBytes: 10, KeptBytes: 30})
	l.Add(Entry{Server: "x", Tool: "own time", Time: "2026-03-01T23:59:59.999Z"})
	l.Close()
	got := read(t, dir, "2026-03-01")
	want := []map[string]any{
		{
			"ts": "2026-03-01T11:00:00.005Z", "server": "playwright", "tool": "browser_click", "ms": 12.5, "intercepted": true,
			"isError": true, "errText": "line one\nline \"two\"", "rawBytes": 1000.0, "keptBytes": 300.0, "savedBytes": 700.0,
		},
		{"ts": "2026-03-01T11:00:00.005Z", "server": "x", "tool": "grown", "ms": 0.0, "intercepted": false, "rawBytes": 10.0, "keptBytes": 30.0},
		{"ts": "2026-03-01T23:59:59.999Z", "server": "x", "tool": "own time", "ms": 0.0, "intercepted": false, "rawBytes": 0.0, "keptBytes": 0.0},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n%v, want\n%v", got, want)
	}
	if notes.Len() > 0 {
		t.Errorf("said %s", notes)
	}
	info, err := os.Stat(filepath.Join(dir, "2026-03-01.ndjson"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the log: %v, %v", info.Mode(), err)
	}
}

func TestNamesOfTheFields(t *testing.T) {
	// What analyze and other readers go by; a new field belongs into this list
	// and into the documentation.
	const want = "ts server tool ms intercepted isError errText thrown cancelled rawBytes keptBytes savedBytes parseSkip raw" +
		" revived died noticed restoredTabs restoredState replayed recoveryMs delta cacheHit cut prefetchHit retried hinted relocated snapCount handles" +
		" fileKey nodeId inBytes outBytes savedTokens whitespaceBytes metaKeysDeleted invisiblePruned svgRefsReplaced instancesCollapsed" +
		" layoutCoordsRemoved sameAs noOpStyles rounded stubs scriptHash waitKind waitTime codeChars codeHash codeSleeps" +
		" redirected visual blocked fullPage type screenshotBytes"
	var got []string
	for i := range reflect.TypeFor[Entry]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[Entry]().Field(i).Tag.Get("json"), ",")
		got = append(got, name)
	}
	if strings.Join(got, " ") != want {
		t.Errorf("fields %v", got)
	}
}

func TestConcurrentAdds(t *testing.T) {
	dir := t.TempDir()
	logs := make([]*Log, 3) // sessions that share a folder
	for i := range logs {
		logs[i], _ = open(t, dir)
	}
	var adds sync.WaitGroup
	for i := range 8 {
		adds.Go(func() {
			for j := range 100 {
				e := Entry{Time: "2026-03-01T00:00:00Z", Server: fmt.Sprint(i), MS: float64(j)}
				e.SetError(strings.Repeat("long ", 100))
				logs[i%len(logs)].Add(e)
			}
		})
	}
	adds.Wait()
	for _, l := range logs {
		l.Close()
	}
	next := map[string]float64{}
	lines := read(t, dir, "2026-03-01")
	for _, line := range lines {
		server := line["server"].(string)
		if line["ms"] != next[server] {
			t.Fatalf("entry %v of %s comes where %v was expected", line["ms"], server, next[server])
		}
		next[server]++
	}
	if len(lines) != 800 {
		t.Errorf("%d lines", len(lines))
	}
}

func TestDayChange(t *testing.T) {
	dir := t.TempDir()
	l, _ := open(t, dir)
	now := time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	l.now = func() time.Time { return now }
	l.Add(Entry{Tool: "old"})
	now = now.Add(time.Second)
	l.Add(Entry{Tool: "new"})
	l.Add(Entry{Tool: "late", Time: "2026-12-31T23:59:59.500Z"})
	l.Close()
	for day, want := range map[string][]string{"2026-12-31": {"old", "late"}, "2027-01-01": {"new"}} {
		var got []string
		for _, line := range read(t, dir, day) {
			got = append(got, line["tool"].(string))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", day, got, want)
		}
	}
}

func TestTroubleIsSaidOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	l, notes := open(t, dir)
	for range 5 {
		l.Add(Entry{Tool: "x"})
	}
	l.Close()
	if n := strings.Count(notes.String(), "could not be written"); n != 1 {
		t.Errorf("said %d times: %s", n, notes)
	}
}

func TestATimeThatIsNoneIsReplaced(t *testing.T) {
	dir := t.TempDir()
	l, notes := open(t, dir)
	l.now = func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }
	l.Add(Entry{Time: "x"})
	l.Add(Entry{Time: "../../../../outside"})
	l.Close()
	if lines := read(t, dir, "2026-03-01"); len(lines) != 2 || notes.Len() > 0 {
		t.Errorf("lines %v, said %s", lines, notes)
	}
}

func TestWithoutAFolderNothingIsWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	l, notes := open(t, "")
	l.Add(Entry{Tool: "x"})
	l.Close()
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 || notes.Len() > 0 {
		t.Errorf("written %v, %v, said %s", entries, err, notes)
	}
}

func TestAfterCloseNothingIsAdded(t *testing.T) {
	dir := t.TempDir()
	l, _ := open(t, dir)
	l.Add(Entry{Time: "2026-03-01T00:00:00Z"})
	l.Close()
	l.Close()
	l.Add(Entry{Time: "2026-03-01T00:00:00Z"})
	if lines := read(t, dir, "2026-03-01"); len(lines) != 1 {
		t.Errorf("%d lines", len(lines))
	}
}

func TestErrTextIsLimited(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("é", 199), strings.Repeat("é", 200), strings.Repeat("é", 201), strings.Repeat("😀", 100_000), strings.Repeat("\xff", 300)} {
		var e Entry
		e.SetError(text)
		runes := utf8.RuneCountInString(e.ErrText)
		if !e.IsError || runes != min(utf8.RuneCountInString(text), 200) || !strings.HasPrefix(text, e.ErrText) {
			t.Errorf("%d characters of %d", runes, utf8.RuneCountInString(text))
		}
	}
}
