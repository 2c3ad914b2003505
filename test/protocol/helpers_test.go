// Small tools of these tests.

package protocol

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/test/harness"
)

// exchange sends a request line and returns the line of its answer.
func exchange(p *harness.Peer, line, id string) string {
	p.Send(line)
	return p.Answer(id)
}

// quoted is a Go string as JSON, with nothing escaped that need not be.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// fileLines returns the whole lines of a file that another process appends to;
// none while it does not exist.
func fileLines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	return lines[:len(lines)-1]
}

func lastLine(t *testing.T, file string) string {
	t.Helper()
	lines := fileLines(t, file)
	if len(lines) == 0 {
		t.Fatalf("%s is empty", file)
	}
	return lines[len(lines)-1]
}

// awaitFile waits until the lines of a file, which another process writes,
// satisfy a condition.
func awaitFile(t *testing.T, file string, enough func(lines []string) bool) []string {
	t.Helper()
	deadline := time.Now().Add(harness.Patience)
	for {
		lines := fileLines(t, file)
		if enough(lines) {
			return lines
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s has only:\n%s", file, strings.Join(lines, "\n"))
		}
		time.Sleep(2 * time.Millisecond) // a file cannot be waited on without more machinery than this is worth
	}
}

// withMethod returns the lines whose method is the given one.
func withMethod(lines []string, method string) []string {
	var out []string
	for _, line := range lines {
		if harness.Parse(line).Method == method {
			out = append(out, line)
		}
	}
	return out
}

// has reports whether a line with the method is among those that came.
func has(lines []string, method string) bool { return len(withMethod(lines, method)) > 0 }

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in: %s", part, text)
		}
	}
}

// canonical is a decoded JSON value with its members sorted.
func canonical(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
