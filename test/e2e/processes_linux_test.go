// Which processes a PlayGuard under test has started.

package e2e

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/proctree"
	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/processes"
)

// mine finds processes of a stage in three ways: by the list of descendants
// taken before, by the environment that they inherit, and by the temporary
// folder in their command line.
func (s *stage) mine(before []processes.Process) []string {
	var found []string
	for _, p := range processes.Running() {
		env := p.Environment()
		marked := bytes.Contains(env, []byte(proctree.TreeVariable+"=")) && bytes.Contains(env, []byte(s.Dir+"/"))
		named := strings.Contains(p.Command, s.Temp+"/")
		known := slices.ContainsFunc(before, p.Is)
		if marked || named || known {
			found = append(found, fmt.Sprintf("%d (parent %d, marked %v, named %v, known %v): %.200s", p.PID, p.Parent, marked, named, known, p.Command))
		}
	}
	return found
}

// gone waits until no process of the stage is left, and fails after the limit.
// It returns how long it took.
func (s *stage) gone(t testing.TB, before []processes.Process, limit time.Duration) time.Duration {
	t.Helper()
	began := time.Now()
	for {
		left := s.mine(before)
		if len(left) == 0 {
			return time.Since(began)
		}
		if time.Since(began) > limit {
			t.Errorf("%d processes are left after %v:\n%s", len(left), limit, strings.Join(left, "\n"))
			return limit
		}
		time.Sleep(25 * time.Millisecond) // the process table cannot be waited on
	}
}

// made is what lies in the temporary folder besides the stage's own file.
func (s *stage) made(t testing.TB) []string {
	t.Helper()
	return slices.DeleteFunc(filesIn(t, s.Temp), func(name string) bool { return name == filepath.Base(s.Config) })
}

// tidy waits until nothing is left in the temporary folder. That is the last
// thing to come: the guard clears away when all processes are gone.
func (s *stage) tidy(t testing.TB) {
	t.Helper()
	s.lasts(t, func(string) bool { return false })
}

// lasts waits until the temporary folder holds only what may last.
func (s *stage) lasts(t testing.TB, may func(name string) bool) {
	t.Helper()
	began := time.Now()
	for {
		left := slices.DeleteFunc(s.made(t), may)
		if len(left) == 0 {
			return
		}
		if time.Since(began) > harness.Patience {
			t.Errorf("temporary files are left: %q", left)
			return
		}
		time.Sleep(10 * time.Millisecond) // a folder's end cannot be waited on
	}
}

// one is the only process below pid whose command line has the text.
func one(t testing.TB, pid int, text string) processes.Process {
	t.Helper()
	var found []processes.Process
	for _, p := range processes.Below(pid) {
		if strings.Contains(p.Command, text) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no process below %d has %q in its command line", pid, text)
	}
	return found[len(found)-1] // the guard, which carries the command too, is above it
}
