//go:build unix

// Which processes belong to a tree: a pure function over a list of processes.

package proctree

// process is one entry of the system's process table.
type process struct {
	pid, parent, group, session int
	started                     uint64 // only to tell a reused pid; the unit is the system's
	zombie                      bool
}

// members returns the processes for which seed holds, and all that belong
// to one of those by descent or by session, in no particular order.
//
// A session counts because it cannot be joined from outside: the guard made its
// own, and every other session met here was made by one of its descendants. The
// process self never is a member, nor are the processes 0 and 1 or their sessions.
func members(all []process, self int, seed func(process) bool) []process {
	byParent := make(map[int][]process)
	bySession := make(map[int][]process)
	for _, p := range all {
		byParent[p.parent] = append(byParent[p.parent], p)
		bySession[p.session] = append(bySession[p.session], p)
	}
	var found []process
	seen := map[int]bool{self: true, 0: true, 1: true}
	sessions := map[int]bool{0: true, 1: true}
	add := func(p process) {
		if !seen[p.pid] {
			seen[p.pid] = true
			found = append(found, p)
		}
	}
	for _, p := range all {
		if seed(p) {
			add(p)
		}
	}
	for i := 0; i < len(found); i++ { // found grows while it is walked
		p := found[i]
		for _, child := range byParent[p.pid] {
			add(child)
		}
		if !sessions[p.session] {
			sessions[p.session] = true
			for _, fellow := range bySession[p.session] {
				add(fellow)
			}
		}
	}
	return found
}
