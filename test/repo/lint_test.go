package repo

// What linters say, and the rules of this house.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// lint runs a tool that prints nothing when all is well.
func lint(t *testing.T, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func TestGofmt(t *testing.T) { lint(t, "gofmt", "-l", ".") }

func TestVet(t *testing.T) { lint(t, "go", "vet", "./...") }

func TestStaticcheck(t *testing.T) { lint(t, "go", "tool", "staticcheck", "./...") }

// TestOtherSystems compiles for the systems that the tests do not run on.
func TestOtherSystems(t *testing.T) {
	for _, system := range []string{"darwin", "windows"} {
		cmd := exec.Command("go", "vet", "./cmd/...", "./internal/...")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=arm64", "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", system, err, out)
		}
	}
}

// tracked returns the files of the repository that hold text of its own.
func tracked(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v (the tests run in a git checkout)", err)
	}
	var files []string
	for f := range strings.FieldsSeq(string(out)) {
		if _, err := os.Stat(filepath.Join(root, f)); err == nil {
			files = append(files, f)
		}
	}
	return files
}

// serving are the folders whose code runs while stdout is the protocol's.
var serving = regexp.MustCompile(`^internal/(jsonrpc|mcp|transport|upstream|catalog|proxy|servers|aria|figmatree|designdiff|designtool|endpoint|calllog|config|environ|project|browser|bundle|proctree|store|reread)/`)

var printsToStdout = regexp.MustCompile(`\bfmt\.Print(ln|f)?\(|\bos\.Stdout\b|\bprintln\(`)

// TestNothingPrintsToStdout keeps stdout the protocol's.
func TestNothingPrintsToStdout(t *testing.T) {
	for _, f := range tracked(t) {
		if !serving.MatchString(f) || !strings.HasSuffix(f, ".go") || strings.HasSuffix(f, "_test.go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			t.Fatal(err)
		}
		if m := printsToStdout.Find(data); m != nil {
			t.Errorf("%s writes to stdout (%s), which carries the protocol", f, m)
		}
	}
}

var (
	lockedHost = regexp.MustCompile(`"resolved":\s*"https?:`)
	unfinished = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)
)

// TestFiles checks each file for what does not belong into the repository.
func TestFiles(t *testing.T) {
	const maxLines = 450
	for _, f := range tracked(t) {
		data, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f, "lock.json") && lockedHost.Match(data) {
			t.Errorf("%s names a registry's host; make it with npm's omit-lockfile-registry-resolved", f)
		}
		if !strings.HasSuffix(f, ".go") {
			continue
		}
		if m := unfinished.Find(data); m != nil {
			t.Errorf("%s holds an unfinished mark: %s", f, m)
		}
		if n := bytes.Count(data, []byte("\n")); n > maxLines && !strings.HasSuffix(f, "_test.go") {
			t.Errorf("%s has %d lines; a file holds one concern", f, n)
		}
	}
}
