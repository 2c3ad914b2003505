// The processes that a PlayGuard has started, from Linux's /proc.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/proctree"
)

// process is one of this machine's, told apart from a later one with its id by
// the time of its start.
type process struct {
	pid, parent int
	started     string
}

func (p process) kill() error {
	found, err := os.FindProcess(p.pid)
	if err == nil {
		err = found.Kill()
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("the process %d, which PlayGuard has left, could not be killed: %w", p.pid, err)
	}
	return nil
}

// tree is everything that a PlayGuard in a scene starts.
type tree struct {
	dir string // the scene's
}

// members are the processes below root, and those that carry the mark of a tree
// whose environment names the scene: what has cut itself off is found by that.
func (t tree) members(root int) []process {
	all := processes()
	below := map[int]bool{root: true}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if below[p.parent] && !below[p.pid] {
				below[p.pid], grown = true, true
			}
		}
	}
	delete(below, root)
	return slices.DeleteFunc(all, func(p process) bool { return !below[p.pid] && !t.marked(p.pid) })
}

// left are those of the members that still run, and whatever else is marked.
func (t tree) left(members []process) []process {
	return slices.DeleteFunc(processes(), func(p process) bool {
		same := func(m process) bool { return m.pid == p.pid && m.started == p.started }
		return !slices.ContainsFunc(members, same) && !t.marked(p.pid)
	})
}

// awaitNone waits until nothing is left, at most until the deadline, and returns
// what is.
func (t tree) awaitNone(members []process, deadline time.Time) []process {
	for {
		left := t.left(members)
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
		time.Sleep(5 * time.Millisecond) // the process table cannot be waited on
	}
}

func (t tree) marked(pid int) bool {
	// Of a process that has just ended nothing can be read.
	env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return bytes.Contains(env, []byte(proctree.TreeVariable+"=")) && bytes.Contains(env, []byte("="+t.dir+"/"))
}

// processes lists all that run; zombies do not.
func processes() []process {
	var all []process
	files, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue // it has just ended
		}
		// The name, in parentheses, may hold anything; the fields follow it.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		parent, parentErr := strconv.Atoi(fields[1])
		if err == nil && parentErr == nil {
			all = append(all, process{pid, parent, fields[19]})
		}
	}
	return all
}
