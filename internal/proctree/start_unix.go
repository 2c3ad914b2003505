//go:build unix

// The side of the process that starts a tree: it runs the guard, listens to it,
// and stands in for it if it is killed.

package proctree

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// startTimeout is how long a guard may take to start the program. It takes a few
// milliseconds; a program on a network disk that is gone never starts.
const startTimeout = 10 * time.Second

func start(cmd Command) (*Tree, error) { return startGuarded(cmd, adopting) }

// startGuarded starts cmd under a guard that finds descendants in the given way.
func startGuarded(cmd Command, how mode) (*Tree, error) {
	if isGuard(os.Args) {
		return nil, errors.New("this process was started as a guard and may not start trees; main must call proctree.Guard before anything else")
	}
	r, err := resolve(cmd)
	if err != nil {
		return nil, err
	}
	if how == adopting {
		becomeReaper()
	}
	g, err := launch(r, how)
	if err != nil {
		return nil, err
	}
	pid, err := g.awaitStart(r.Path)
	if err != nil {
		g.control.Close()
		return nil, err
	}
	t := &Tree{
		pid:      pid,
		guardPid: g.process.Pid,
		done:     make(chan struct{}),
		// Once the guard is gone writing fails, and there is nothing left to say.
		ask:   func(grace time.Duration) { g.control.Write(encodeGrace(grace)) },
		force: func() { g.kill(pid) },
	}
	go func() {
		t.exit = g.listen(pid)
		g.control.Close()
		close(t.done)
		g.finish()
	}()
	return t, nil
}

// guardHandle is this process's end of a guard.
type guardHandle struct {
	process *os.Process
	control *os.File // closing it, or dying, tells the guard to end the tree
	status  *os.File
	lines   *bufio.Scanner
	id      string
	remove  string // Command.Remove

	killed sync.Once
	hunter *hunter // of what it leaves, once it was killed
}

// kill kills the guard. What it has killed itself and not reaped, as when it stands
// still, comes to this process, where nothing tells any more that it belonged to the
// tree: so it is looked for before.
func (g *guardHandle) kill(program int) {
	g.killed.Do(func() {
		g.hunter = newHunter(g.id, g.process.Pid, program)
		g.hunter.look()
		g.process.Kill()
	})
}

// launch starts the guard with the program's streams as its own.
func launch(r resolved, how mode) (*guardHandle, error) {
	streams, closeStreams, err := openStreams(r.Command)
	if err != nil {
		return nil, err
	}
	defer closeStreams()
	pipeError := func(err error) error {
		return fmt.Errorf("%q cannot be started because no pipe to its guard can be made: %w", r.Path, err)
	}
	controlRead, control, err := os.Pipe()
	if err != nil {
		return nil, pipeError(err)
	}
	defer controlRead.Close()
	status, statusWrite, err := os.Pipe()
	if err != nil {
		control.Close()
		return nil, pipeError(err)
	}
	defer statusWrite.Close()

	executable, err := guardExecutable()
	if err == nil {
		arguments := guardArguments{how: how, parent: os.Getpid(), id: r.id, remove: r.Remove, path: r.Path, args: r.Args}
		var process *os.Process
		process, err = os.StartProcess(executable, append([]string{"playguard"}, arguments.encode()...), &os.ProcAttr{
			Dir:   r.Dir,
			Env:   r.Env,
			Files: []*os.File{streams[0], streams[1], streams[2], controlFD: controlRead, statusFD: statusWrite},
			// A session of its own keeps a terminal's Ctrl-C and hang-up away.
			Sys: &syscall.SysProcAttr{Setsid: true},
		})
		if err == nil {
			return &guardHandle{process: process, control: control, status: status, lines: bufio.NewScanner(status), id: r.id, remove: r.Remove}, nil
		}
	}
	control.Close()
	status.Close()
	return nil, fmt.Errorf("%q cannot be started because its guard cannot be: %w", r.Path, err)
}

// awaitStart returns the program's process id when the guard reports it. After
// an error nothing of the tree is left.
func (g *guardHandle) awaitStart(path string) (int, error) {
	timer := time.AfterFunc(startTimeout, func() { g.process.Kill() })
	line, ok := g.read()
	inTime := timer.Stop()
	if ok && line.word == "started" && inTime {
		return line.value, nil
	}
	g.process.Kill()
	g.listen(0)
	g.finish()
	switch {
	case ok && line.word == "failed":
		return 0, startError(path, syscall.Errno(line.value))
	case !inTime:
		return 0, fmt.Errorf("%q was not started because the system took longer than %v for it; check the disk it is on", path, startTimeout)
	}
	return 0, fmt.Errorf("%q was not started because its guard ended too early; somebody killed it, or main does not call proctree.Guard before anything else", path)
}

// read returns the guard's next line, false at the end or at one that no guard
// writes.
func (g *guardHandle) read() (status, bool) {
	if !g.lines.Scan() {
		return status{}, false
	}
	return decodeStatus(g.lines.Bytes())
}

// listen follows the guard to the tree's end and returns how the program, whose
// process id is given, ended. Nothing of the tree is left when it returns, but
// the guard may still be removing a folder.
func (g *guardHandle) listen(program int) string {
	exit := "ended unseen, because its guard was killed"
	complete := false
	for !complete {
		line, ok := g.read()
		if !ok {
			break
		}
		switch line.word {
		case "exit":
			exit = describe(syscall.WaitStatus(line.value))
		case "done":
			complete = true
		}
	}
	g.status.Close()
	if complete && g.remove != "" {
		return exit
	}
	if !complete {
		g.kill(program)
	}
	// Orphans are handed on before the guard can be waited for, so that sweep sees
	// them all.
	g.process.Wait()
	if !complete {
		sweep(g.hunter)
		removeFolder(g.remove)
	}
	return exit
}

// finish waits, after listen, for a guard that removes a folder, and removes it
// if the guard was killed at that.
func (g *guardHandle) finish() {
	if g.remove != "" {
		g.process.Wait()
		removeFolder(g.remove)
	}
}
