// Which processes a PlayGuard under test has started.

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/test/harness"
)

// process is one of this machine's, told apart from a later one with its id by
// the time of its start.
type process struct {
	pid, parent int
	started     string
	command     string
}

// running lists all processes that are not zombies.
func running() []process {
	var all []process
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// The name, in parentheses, may hold anything; fields follow it.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
			continue
		}
		p := process{started: fields[19]}
		p.pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(file)))
		p.parent, _ = strconv.Atoi(fields[1])
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		p.command = strings.ReplaceAll(string(line), "\x00", " ")
		all = append(all, p)
	}
	return all
}

// descendants are the processes below pid.
func descendants(pid int) []process {
	below := map[int]bool{pid: true}
	var found []process
	all := running()
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if below[p.parent] && !below[p.pid] {
				below[p.pid] = true
				found = append(found, p)
				grown = true
			}
		}
	}
	return found
}

// mine finds processes of a stage in three ways: by the list of descendants
// taken before, by the environment that they inherit, and by the temporary
// folder in their command line.
func (s *stage) mine(before []process) []string {
	var found []string
	for _, p := range running() {
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		marked := bytes.Contains(env, []byte("PLAYGUARD_TREE=")) && bytes.Contains(env, []byte(s.Dir+"/"))
		named := strings.Contains(p.command, s.Temp+"/")
		known := false
		for _, b := range before {
			known = known || b.pid == p.pid && b.started == p.started
		}
		if marked || named || known {
			found = append(found, fmt.Sprintf("%d (parent %d, marked %v, named %v, known %v): %.200s", p.pid, p.parent, marked, named, known, p.command))
		}
	}
	return found
}

// gone waits until no process of the stage is left, and fails after the limit.
// It returns how long it took.
func (s *stage) gone(t testing.TB, before []process, limit time.Duration) time.Duration {
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
func one(t testing.TB, pid int, text string) process {
	t.Helper()
	var found []process
	for _, p := range descendants(pid) {
		if strings.Contains(p.command, text) {
			found = append(found, p)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no process below %d has %q in its command line", pid, text)
	}
	return found[len(found)-1] // the guard, which carries the command too, is above it
}
