//go:build unix

// Killing what belongs to a tree, pass after pass, by the guard or in its place.

package proctree

import (
	"syscall"
	"time"
)

// hunter kills the processes of one tree.
type hunter struct {
	id      string // value of TreeVariable
	self    int    // this process
	session int    // the guard's session
	group   int    // the program's process group, where nothing else is to be had; else 0
	// children says that every child of this process belongs to the tree.
	children bool
	// marked says that the environment is looked at too, which costs a read per
	// process of the system.
	marked bool
	// known holds the start times of all members seen so far, because a parent
	// that dies takes the proof with it.
	known map[int]uint64
}

// look returns the tree's processes that are alive or wait to be reaped, and
// whether there are any that the last look did not show.
func (h *hunter) look() (found []process, fresh bool) {
	found = members(processes(), h.self, func(p process) bool {
		if started, ok := h.known[p.pid]; ok && started == p.started {
			return true
		}
		return h.children && p.parent == h.self ||
			p.session == h.session ||
			h.marked && !p.zombie && p.pid != h.self && hasMarker(p.pid, TreeVariable+"="+h.id)
	})
	known := make(map[int]uint64, len(found))
	for _, p := range found {
		known[p.pid] = p.started
		if started, ok := h.known[p.pid]; !ok || started != p.started {
			fresh = true
		}
	}
	h.known = known
	return found, fresh
}

// strike sends SIGKILL to all that look finds, and returns the same.
//
// Whole process groups are signalled first: the kernel does that without a gap
// in which a fork could slip through. A member's group holds members only, since
// groups do not reach across sessions.
func (h *hunter) strike() (found []process, fresh bool) {
	found, fresh = h.look()
	groups := map[int]bool{0: true, 1: true, h.self: true}
	if h.group > 1 {
		groups[h.group] = true
		syscall.Kill(-h.group, syscall.SIGKILL)
	}
	for _, p := range found {
		if !groups[p.group] {
			groups[p.group] = true
			syscall.Kill(-p.group, syscall.SIGKILL)
		}
	}
	for _, p := range found {
		if !p.zombie {
			syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
	return found, fresh
}

// backoff is the pause between two strikes. It is short while there is something
// new to strike, which wins against processes that fork, and grows while there is
// only waiting to be done: the kernel needs the time to clear a browser away.
type backoff time.Duration

func (b *backoff) next(fresh bool) time.Duration {
	const shortest, longest = backoff(time.Millisecond), backoff(200 * time.Millisecond)
	if fresh {
		*b = 0
	}
	*b = min(max(2**b, shortest), longest)
	return time.Duration(*b)
}

// sweep does the work of a guard that was killed: it kills the tree's processes
// and reaps those that have become children of this process, and returns when
// there is none left.
func sweep(h *hunter) {
	var pause backoff
	for {
		none := true
		found, fresh := h.strike()
		for _, p := range found {
			if p.parent == h.self {
				// This one only: other children belong to other parts of the program.
				syscall.Wait4(p.pid, nil, syscall.WNOHANG, nil)
			} else if p.zombie {
				continue // for its own parent to reap
			}
			// One that has just been reaped may have left a zombie of its own to this
			// process, so that there is always one look more.
			none = false
		}
		if none {
			return
		}
		time.Sleep(pause.next(fresh))
	}
}
