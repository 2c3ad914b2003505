//go:build unix

// The guard: the process between this program and the one it started.

package proctree

import (
	"errors"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// walkInterval is how often a guard without a subreaper looks for new
// descendants, to remember those that later cut themselves off.
const walkInterval = time.Second

// Guard must be the first thing main does, and TestMain in packages whose tests
// start trees. If this process was started as a guard, Guard does a guard's work
// and never returns; otherwise it does nothing.
func Guard() {
	if isGuard(os.Args) {
		os.Exit(runGuard(os.Args))
	}
}

// runGuard returns the exit code.
func runGuard(argv []string) int {
	arguments, ok := decodeGuardArguments(argv)
	if !ok || !isPipe(controlFD) || !isPipe(statusFD) {
		os.Stderr.WriteString(guardArgument + " is what playguard starts its own helper processes with; it is no command for users.\n")
		return 2
	}
	// Nothing that can wait comes before the program's start.
	unix.CloseOnExec(controlFD)
	unix.CloseOnExec(statusFD)
	adopts := arguments.how == adopting && becomeReaper()
	// The program is sent a signal when the thread that started it ends, so that
	// thread has to stay.
	runtime.LockOSThread()
	pid, err := syscall.ForkExec(arguments.path, append([]string{arguments.path}, arguments.args...), &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, 1, 2},
		Sys:   programAttributes(),
	})
	if err != nil {
		report("failed", int(errnoOf(err)))
		removeFolder(arguments.remove)
		return 1
	}

	// Signals to the guard are dropped. Ignoring them instead would be inherited
	// by the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGTSTP)
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	select {
	case children <- syscall.SIGCHLD: // the program may have ended already
	default:
	}
	dropStreams()
	os.Chdir("/") // not to keep a directory or disk in use
	report("started", pid)

	runtime.GOMAXPROCS(1)
	setGuardName()
	g := guard{program: pid, adopts: adopts, children: children, hunter: newHunter(arguments.id, os.Getpid(), pid)}
	g.hunter.children = true
	g.hunter.marked = !adopts
	ended := make(chan struct{})
	go func() { // not on the thread that only has to stay
		defer close(ended)
		g.run(arguments.parent)
	}()
	<-ended
	report("done", 0)
	removeFolder(arguments.remove)
	return 0
}

// guard watches over one started program.
type guard struct {
	program  int  // process id; 0 once it has been reaped
	adopts   bool // every orphan becomes a child of this process
	children <-chan os.Signal
	hunter   *hunter
}

// run returns when the program and all its descendants are gone.
func (g *guard) run(parent int) {
	control := make(chan time.Duration)
	go readControl(control)
	vanished := parentVanished(parent)
	walk := time.NewTicker(walkInterval)
	if g.adopts {
		walk.Stop()
	}
	var end time.Time // when the program's grace is over; zero while it may run
	for g.program != 0 && (end.IsZero() || time.Now().Before(end)) {
		var over <-chan time.Time
		if !end.IsZero() {
			over = time.After(time.Until(end))
		}
		select {
		case grace := <-control:
			end = earlier(end, time.Now().Add(grace))
		case <-vanished:
			vanished = nil
			end = earlier(end, time.Now().Add(defaultGrace))
		case <-g.children:
			g.reap()
		case <-over:
		case <-walk.C:
			g.hunter.look()
			if os.Getppid() != parent {
				end = earlier(end, time.Now().Add(defaultGrace))
			}
		}
	}
	walk.Stop()
	g.destroy(control)
}

// destroy kills until nothing is left.
func (g *guard) destroy(control <-chan time.Duration) {
	var pause backoff
	for {
		childless := g.reap()
		if childless && g.adopts {
			return
		}
		found, fresh := g.hunter.strike()
		if childless && !slices.ContainsFunc(found, func(p process) bool { return !p.zombie }) {
			return
		}
		next := time.After(pause.next(fresh))
		for waiting := true; waiting; {
			select {
			case <-g.children:
				// Only reaped: looking through the process table at each of a browser's
				// ends would take the time that they need.
				waiting = !g.reap()
			case <-next:
				waiting = false
			case <-control: // nothing is faster than this
			}
		}
	}
}

// reap collects every child that has ended, the program and what was adopted,
// and reports whether there is no child left.
func (g *guard) reap() (childless bool) {
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return true
		case pid == 0:
			return false
		case pid == g.program:
			g.program = 0
			report("exit", int(ws))
		}
	}
}

// readControl passes on every grace that arrives and, when the pipe's other end
// is gone, the one for that.
func readControl(out chan<- time.Duration) {
	unix.SetNonblock(controlFD, true) // so that waiting for it takes no thread
	control := os.NewFile(controlFD, "control")
	var buf [64 * graceSize]byte
	for {
		n, err := control.Read(buf[:])
		if err != nil {
			out <- defaultGrace
			return
		}
		out <- shortestGrace(buf[:n])
	}
}

// report writes a line to the process that started this guard. If that is gone
// nobody needs it.
func report(word string, value int) {
	unix.Write(statusFD, status{word, value}.encode())
}

// dropStreams puts the null device in the place of the program's streams, so
// that they close when the program closes them.
func dropStreams() {
	null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0)
	for fd := range 3 {
		if err != nil || unix.Dup2(null, fd) != nil {
			unix.Close(fd)
		}
	}
}

func isPipe(fd int) bool {
	var info unix.Stat_t
	return unix.Fstat(fd, &info) == nil && info.Mode&unix.S_IFMT == unix.S_IFIFO
}

func errnoOf(err error) syscall.Errno {
	var errno syscall.Errno
	errors.As(err, &errno)
	return errno
}

// earlier returns the earlier of two times, of which a may be zero for never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
