package drill

// What can die, and how it is found among the processes.

import (
	"strings"
	"syscall"
	"time"

	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/processes"
)

// process is one of those that PlayGuard has started.
type process struct {
	pid, parent int
	command     string
	started     string
	worked      int // ticks of CPU time
}

// below lists the processes below pid.
func below(pid int) []process {
	var found []process
	for _, p := range processes.Below(pid) {
		found = append(found, process{p.PID, p.Parent, p.Command, p.Started, p.Worked})
	}
	return found
}

// node is Playwright MCP's own process.
func node(all []process) []process {
	return pick(all, func(p process) bool {
		return strings.Contains(p.command, "cli.js") && !strings.Contains(p.command, "__guard")
	})
}

// browsers are the browsers' main processes.
func browsers(all []process) []process {
	return pick(all, func(p process) bool {
		return strings.Contains(p.command, "--remote-debugging-p") && !strings.Contains(p.command, "--type=") && !strings.Contains(p.command, "crashpad")
	})
}

func renderers(all []process) []process {
	return pick(all, func(p process) bool { return strings.Contains(p.command, "--type=renderer") })
}

// renderer finds the current tab's: the one that works when the page does.
func (s *session) renderer() process {
	s.t.Helper()
	before := map[int]int{}
	for _, p := range renderers(below(s.Process().Pid)) {
		before[p.pid] = p.worked
	}
	s.call("browser_evaluate", map[string]any{"function": busy})
	var found process
	most := -1
	for _, p := range renderers(below(s.Process().Pid)) {
		if worked := p.worked - before[p.pid]; worked > most {
			found, most = p, worked
		}
	}
	return found
}

// guards are PlayGuard's guards: the parents of the servers.
func guards(all []process) []process {
	var found []process
	for _, n := range node(all) {
		found = append(found, pick(all, func(p process) bool { return p.pid == n.parent })...)
	}
	return found
}

func pick(all []process, is func(process) bool) []process {
	var found []process
	for _, p := range all {
		if is(p) {
			found = append(found, p)
		}
	}
	return found
}

// signal sends a signal to processes; one that is gone already counts as hit.
func signal(to []process, sig syscall.Signal) {
	for _, p := range to {
		_ = syscall.Kill(p.pid, sig)
	}
}

// awaitGone waits until processes are no more.
func (s *session) awaitGone(old []process) {
	s.t.Helper()
	for deadline := time.Now().Add(harness.Patience); ; {
		var left []string
		for _, p := range old {
			for _, now := range below(s.Process().Pid) {
				if now.pid == p.pid && now.started == p.started {
					left = append(left, p.command)
				}
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			s.t.Errorf("processes of what was killed are left:\n%s", strings.Join(left, "\n"))
			return
		}
		time.Sleep(25 * time.Millisecond) // the process table cannot be waited on
	}
}
