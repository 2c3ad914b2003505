// The processes that a PlayGuard has started.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/playguard/playguard/internal/proctree"
	"github.com/playguard/playguard/test/processes"
)

// kill ends a process that PlayGuard has left.
func kill(p processes.Process) error {
	found, err := os.FindProcess(p.PID)
	if err == nil {
		err = found.Kill()
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("the process %d, which PlayGuard has left, could not be killed: %w", p.PID, err)
	}
	return nil
}

// tree is everything that a PlayGuard in a scene starts.
type tree struct {
	dir string // the scene's
}

// members are the processes below root, and those that carry the mark of a tree
// whose environment names the scene: what has cut itself off is found by that.
func (t tree) members(root int) []processes.Process {
	return t.left(processes.Below(root))
}

// left are those of the members that still run, and whatever else is marked.
func (t tree) left(members []processes.Process) []processes.Process {
	return slices.DeleteFunc(processes.Running(), func(p processes.Process) bool {
		return !slices.ContainsFunc(members, p.Is) && !t.marked(p)
	})
}

// awaitNone waits until nothing is left, at most until the deadline, and returns
// what is.
func (t tree) awaitNone(members []processes.Process, deadline time.Time) []processes.Process {
	for {
		left := t.left(members)
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
		time.Sleep(5 * time.Millisecond) // the process table cannot be waited on
	}
}

func (t tree) marked(p processes.Process) bool {
	env := p.Environment()
	return bytes.Contains(env, []byte(proctree.TreeVariable+"=")) && bytes.Contains(env, []byte("="+t.dir+"/"))
}
