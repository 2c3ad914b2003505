// macOS: the process table by sysctl, environments by kern.procargs2, the end of
// the parent by kqueue.

package proctree

import (
	"bytes"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// newHunter returns a hunter for the tree with this id, guard and program.
func newHunter(id string, guard, _ int) *hunter {
	return &hunter{id: id, self: os.Getpid(), session: guard, marked: true}
}

// becomeReaper reports false: orphans become launchd's children.
func becomeReaper() bool { return false }

func guardExecutable() (string, error) { return os.Executable() }

func setGuardName() {}

// programAttributes gives the program a process group, so that a signal it sends
// to its own group misses the guard.
func programAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// parentVanished returns a channel that is closed when the process parent is
// gone, as a second line to the control pipe.
func parentVanished(parent int) <-chan struct{} {
	vanished := make(chan struct{})
	queue, err := unix.Kqueue()
	if err != nil {
		return nil
	}
	unix.CloseOnExec(queue)
	change := unix.Kevent_t{Fflags: unix.NOTE_EXIT}
	unix.SetKevent(&change, parent, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
	_, err = unix.Kevent(queue, []unix.Kevent_t{change}, nil, nil)
	if err != nil || os.Getppid() != parent {
		close(vanished) // ESRCH: there is no such process
		return vanished
	}
	go func() {
		events := make([]unix.Kevent_t, 1)
		for {
			if _, err := unix.Kevent(queue, nil, events, nil); err != unix.EINTR {
				break
			}
		}
		close(vanished)
	}()
	return vanished
}

// processes returns the process table.
func processes() []process {
	const zombie = 5 // SZOMB in sys/proc.h
	entries, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	all := make([]process, 0, len(entries))
	for _, e := range entries {
		pid := int(e.Proc.P_pid)
		session, err := unix.Getsid(pid)
		if err != nil {
			session = 0
		}
		all = append(all, process{
			pid:     pid,
			parent:  int(e.Eproc.Ppid),
			group:   int(e.Eproc.Pgid),
			session: session,
			started: uint64(e.Proc.P_starttime.Sec)*1e6 + uint64(e.Proc.P_starttime.Usec),
			zombie:  e.Proc.P_stat == zombie,
		})
	}
	return all
}

// hasMarker reports whether the process was started with entry in its
// environment. The system hides that of its own programs and of other users'.
func hasMarker(pid int, entry string) bool {
	// The number of arguments, the path, then arguments and environment, all
	// ended by a zero byte. An argument that equals entry does no harm: nobody else
	// knows the id in it.
	data, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return false
	}
	for text := range bytes.SplitSeq(data, []byte{0}) {
		if string(text) == entry {
			return true
		}
	}
	return false
}
