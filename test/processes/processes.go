// Package processes tells which processes run on this machine, for tests and
// measurements of what PlayGuard starts and leaves. It reads Linux's /proc, and
// finds none elsewhere.
package processes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Process is one that ran when it was looked for.
type Process struct {
	PID, Parent int
	// Started is the time of its start, in the kernel's ticks, which tells it apart
	// from a later one with its id.
	Started string
	Worked  int    // ticks of CPU time in its own code
	Command string // the command line, with blanks between the arguments
}

// Is reports whether two are the same process.
func (p Process) Is(other Process) bool { return p.PID == other.PID && p.Started == other.Started }

// Environment is what the process was started with, as "NAME=value" with a zero
// byte behind each; empty if it has just ended or may not be looked at.
func (p Process) Environment() []byte {
	env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.PID)) // it may be gone
	return env
}

// Running lists all that run; zombies do not.
func Running() []Process {
	var all []Process
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		if p, ok := parse(stat); ok {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline")) // it may be gone
			p.Command = strings.ReplaceAll(string(line), "\x00", " ")
			all = append(all, p)
		}
	}
	return all
}

// parse reads a line of the kernel's (proc_pid_stat(5)); false for what runs no
// more.
func parse(stat []byte) (p Process, ok bool) {
	// The name, in parentheses, may hold anything; the other fields follow it.
	id, _, _ := bytes.Cut(stat, []byte(" "))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return p, false
	}
	var errs [3]error
	p.PID, errs[0] = strconv.Atoi(string(id))
	p.Parent, errs[1] = strconv.Atoi(fields[1])
	p.Worked, errs[2] = strconv.Atoi(fields[11])
	p.Started = fields[19]
	return p, errs == [3]error{}
}

// Below lists the processes below one, at whatever distance, parents before their
// children.
func Below(pid int) []Process { return below(Running(), pid) }

func below(all []Process, pid int) []Process {
	under := map[int]bool{pid: true}
	var found []Process
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if under[p.Parent] && !under[p.PID] {
				under[p.PID] = true
				found = append(found, p)
				grown = true
			}
		}
	}
	return found
}
