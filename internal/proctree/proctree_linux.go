// Linux: the process table in /proc, the child subreaper, parent-death signals
// and pidfds.

package proctree

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// newHunter returns a hunter for the tree with this id, guard and program.
func newHunter(id string, guard, _ int) *hunter {
	return &hunter{id: id, self: os.Getpid(), session: guard, marked: true}
}

// becomeReaper makes orphans among this process's descendants its children and
// reports whether it worked. It may be called more than once.
func becomeReaper() bool {
	return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
}

// guardExecutable names this very executable, even if another has taken its
// place on disk since.
func guardExecutable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}

// setGuardName keeps "killall playguard" from reaching the guards, which have to
// clean up after just that.
func setGuardName() {
	// Through /proc, since prctl would name a thread only.
	os.WriteFile("/proc/self/comm", []byte("pg-guard"), 0)
}

// programAttributes gives the program a process group, so that a signal it sends
// to its own group misses the guard, and has it killed if the guard is.
func programAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// parentVanished returns a channel that is closed when the process parent is
// gone. It is a second line to the control pipe, whose other end a forked copy of
// the parent could hold open. A parent-death signal would follow the thread that
// started the guard, which the parent would have to keep for that.
func parentVanished(parent int) <-chan struct{} {
	vanished := make(chan struct{})
	fd, err := unix.PidfdOpen(parent, 0)
	if os.Getppid() != parent {
		close(vanished)
		return vanished
	}
	if err != nil {
		return nil // before Linux 5.3
	}
	unix.SetNonblock(fd, true) // so that waiting for it takes no thread
	conn, err := os.NewFile(uintptr(fd), "pidfd").SyscallConn()
	if err != nil {
		return nil
	}
	go func() {
		err := conn.Read(func(fd uintptr) (over bool) {
			fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			n, err := unix.Poll(fds, 0)
			return n > 0 || err != nil && err != unix.EINTR
		})
		if err == nil {
			close(vanished)
		}
	}()
	return vanished
}

// processes returns the process table as far as it can be seen.
func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	all := make([]process, 0, len(names))
	var buf [1024]byte
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		if p, ok := parseStat(readSome("/proc/"+name+"/stat", buf[:])); ok {
			all = append(all, p)
		}
	}
	return all
}

// readSome returns the beginning of a file of /proc, as much as fits buf.
func readSome(path string, buf []byte) []byte {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	n, err := unix.Read(fd, buf)
	if err != nil {
		return nil
	}
	return buf[:n]
}

// parseStat reads a line of /proc/PID/stat, see proc_pid_stat(5). The name in
// parentheses may hold anything, parentheses and blanks too.
func parseStat(line []byte) (process, bool) {
	open := bytes.IndexByte(line, '(')
	closing := bytes.LastIndexByte(line, ')')
	if open < 1 || closing < open {
		return process{}, false
	}
	fields := bytes.Fields(line[closing+1:])
	const (
		state, parent, group, session, startTime = 0, 1, 2, 3, 19 // field 3 of the manual is 0 here
	)
	if len(fields) <= startTime {
		return process{}, false
	}
	ok := true
	number := func(text []byte) int {
		n, err := strconv.Atoi(string(text))
		ok = ok && err == nil
		return n
	}
	p := process{
		pid:     number(bytes.TrimSpace(line[:open])),
		parent:  number(fields[parent]),
		group:   number(fields[group]),
		session: number(fields[session]),
		// X is for a process on its way out of the table.
		zombie: fields[state][0] == 'Z' || fields[state][0] == 'X',
	}
	started, err := strconv.ParseUint(string(fields[startTime]), 10, 64)
	p.started = started
	return p, ok && err == nil
}

// hasMarker reports whether the process was started with entry in its
// environment. A process that hides or overwrites its environment has none.
func hasMarker(pid int, entry string) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for variable := range bytes.SplitSeq(data, []byte{0}) {
		if string(variable) == entry {
			return true
		}
	}
	return false
}
