package demo

// This file runs the whole task against the real Playwright MCP.

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/argv"
	"github.com/playguard/playguard/internal/browser"
	"github.com/playguard/playguard/internal/proctree"
	"github.com/playguard/playguard/test/harness"
)

// realPlaywright is the command of the real Playwright MCP with this machine's
// browser.
func realPlaywright(t *testing.T) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("this test needs Playwright MCP and a browser")
	}
	command, err := argv.Command(os.Getenv("PLAYWRIGHT_MCP_CMD"), func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular()
	})
	if err != nil {
		t.Fatalf("PLAYWRIGHT_MCP_CMD cannot be read: %v", err)
	}
	if len(command) == 0 {
		installed, _, err := harness.Bundle(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		command = []string{installed.Node, installed.PlaywrightCLI}
	}
	machine := browser.System(os.LookupEnv)
	b, err := browser.Find(t.Context(), machine)
	if err != nil {
		t.Fatal(err)
	}
	command = append(command, "--executable-path", b.Path)
	if machine.NeedsNoSandbox() {
		command = append(command, "--no-sandbox")
	}
	return command
}

func TestTaskOnTheRealBrowser(t *testing.T) {
	command := realPlaywright(t)
	temp, err := os.MkdirTemp("", "pg") // t.TempDir is too long for the browser's sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	t.Setenv("TMPDIR", temp)
	var out bytes.Buffer
	report, err := Run(t.Context(), Options{Command: command, Out: &out})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	t.Log("\n" + out.String())
	if len(report.Steps) != len(task()) || report.Orders != 1 || report.Calls == 0 || report.RawBytes != report.KeptBytes {
		t.Errorf("report: %+v", report)
	}
	var whole bytes.Buffer
	if err := report.WriteText(&whole); err != nil {
		t.Fatal(err)
	}
	if whole.String() != out.String() {
		t.Errorf("WriteText differs from what was written on the way:\n%s", whole.String())
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFailureSaysWhatTheProgramSaid(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(failingServer, "1")
	_, err = Run(t.Context(), Options{Command: []string{self}, Out: &bytes.Buffer{}, JSON: true})
	if err == nil || !strings.Contains(err.Error(), "no browser here") || !strings.Contains(err.Error(), "exit status 7") {
		t.Errorf("got %v", err)
	}
	if _, err := Run(t.Context(), Options{Executable: "/nonexistent/playguard", Out: &bytes.Buffer{}}); err == nil {
		t.Error("a program that does not exist was run")
	}
}

// failingServer is the environment variable that makes this test binary a
// server that fails at once.
const failingServer = "PLAYGUARD_DEMO_TEST_FAILING"

func TestMain(m *testing.M) {
	proctree.Guard() // the installation runs npm under a guard
	if os.Getenv(failingServer) != "" {
		_, _ = os.Stderr.WriteString("no browser here\n")
		os.Exit(7)
	}
	os.Exit(m.Run())
}

func TestEnvironmentOfTheProgram(t *testing.T) {
	t.Setenv("PLAYWRIGHT_MCP_ARGS", `--user-data-dir /x --executable-path="/opt/my browser"`)
	dir := t.TempDir() + "/with space"
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := prepare(Options{Executable: "/bin/playguard"}, dir)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]string{}
	for _, e := range s.env {
		name, value, _ := strings.Cut(e, "=")
		last[name] = value
	}
	got, err := argv.Split(last["PLAYWRIGHT_MCP_ARGS"])
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"--isolated", "--config", dir + "/playwright.json", "--timeout-settle", "150", "--headless", "--executable-path", "/opt/my browser"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("arguments %q, want %q", got, want)
	}
	for name, value := range map[string]string{
		"PLAYGUARD_LOG_DIR": s.logDir, "PLAYGUARD_PROJECT_ROOT": dir + "/project", "PLAYGUARD_OUTPUT_DIR": dir + "/output",
	} {
		if last[name] != value {
			t.Errorf("%s is %q, want %q", name, last[name], value)
		}
		if _, err := os.Stat(value); err != nil {
			t.Error(err)
		}
	}
	b, err := os.ReadFile(dir + "/playwright.json")
	if err != nil || !json.Valid(b) {
		t.Errorf("settings file: %s, %v", b, err)
	}
	if s, err := prepare(Options{Executable: "/bin/playguard", Headed: true}, t.TempDir()); err != nil || strings.Contains(strings.Join(s.env[len(s.env)-1:], ""), "--headless") {
		t.Errorf("a visible browser was asked for: %v", err)
	}
}

func TestQuoteArg(t *testing.T) {
	for _, a := range []string{"", "plain", `C:\My Files\x`, `it's`, `say "hi"`, "tab\there"} {
		q, err := quoteArg(a)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := argv.Split(q); err != nil || len(back) != 1 || back[0] != a {
			t.Errorf("%q was quoted as %s and read back as %q, %v", a, q, back, err)
		}
	}
	if _, err := quoteArg(`it's "x"`); err == nil {
		t.Error("both kinds of quotes were accepted")
	}
}

func TestLogIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("2026-01-01.ndjson", `{"tool":"browser_snapshot","rawBytes":900,"keptBytes":90,"ms":5}`+"\n"+`{"tool":"other"}`+"\n"+`{"tool":"browser_cl`)
	l := callLog{dir: dir}
	calls := []Call{{Tool: "browser_snapshot"}}
	if err := l.fill(t.Context(), calls); err != nil || calls[0] != (Call{"browser_snapshot", 900, 90, 5}) {
		t.Errorf("first call: %+v, %v", calls[0], err)
	}
	filled := make(chan error)
	calls = []Call{{Tool: "browser_click"}, {Tool: "browser_snapshot"}}
	go func() { filled <- l.fill(t.Context(), calls) }()
	write("2026-01-02.ndjson", `{"tool":"browser_click","rawBytes":1}`+"\n"+`{"tool":"browser_snapshot","rawBytes":2,"keptBytes":1}`+"\n")
	if err := <-filled; err != nil || calls[0].RawBytes != 1 || calls[1].RawBytes != 2 {
		t.Errorf("later calls: %+v, %v", calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.fill(ctx, []Call{{Tool: "browser_type"}}); err == nil || !strings.Contains(err.Error(), "browser_type") {
		t.Errorf("a line that never comes: %v", err)
	}
	write("2026-01-03.ndjson", "not json\n")
	if err := l.fill(t.Context(), []Call{{Tool: "browser_type"}}); err == nil || !strings.Contains(err.Error(), "not json") {
		t.Errorf("a broken log: %v", err)
	}
}
