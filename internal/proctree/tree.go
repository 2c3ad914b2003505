// The type Tree: what a caller can ask of a running program, on every system.

package proctree

import (
	"os"
	"time"
)

// TreeVariable is the environment variable that every process of a tree
// inherits. Its value is different for each tree. It is added to
// [Command.Env] by [Start].
const TreeVariable = "PLAYGUARD_TREE"

const (
	// defaultGrace is what the program gets when this process vanished and can
	// no longer say how long to wait. Its input has closed too by then; Playwright
	// MCP needs 10-30 ms to end by itself.
	defaultGrace = 250 * time.Millisecond

	// killPatience is how long Stop waits for processes that were sent SIGKILL.
	// One that is still there then is either stuck in the kernel or not ours to
	// kill.
	killPatience = 3 * time.Second
)

// Command says what to run. The zero value of each field but Path is useful.
type Command struct {
	// Path is the program: a name to be looked up in this process's PATH, or a
	// path. A relative path with a separator is relative to Dir.
	Path string
	// Args are the arguments without argv[0].
	Args []string
	// Env is the whole environment of the program, as "NAME=value". Nothing is
	// inherited: nil means that only TreeVariable is set.
	Env []string
	// Dir is the working directory; "" is that of this process.
	Dir string
	// Stdin, Stdout and Stderr become the program's own; nil is the null device.
	// The caller keeps its copies and closes them when Start has returned.
	Stdin, Stdout, Stderr *os.File
	// Remove is a folder that is removed, with all that is in it, once nothing of
	// the tree is left, or when Start fails; "" is none. It must be one that
	// os.MkdirTemp made with [RemovePrefix], in [os.TempDir] or /tmp. The guard
	// removes it after Done, so that nobody waits for that and it happens after
	// the end of this process too; if the guard was killed, and on Windows, this
	// process removes it before Done. What cannot be removed stays.
	Remove string
}

// Tree is a started program with all its descendants. Its methods may be called
// from several goroutines.
type Tree struct {
	pid      int
	guardPid int
	done     chan struct{}
	exit     string // written before done is closed, read only after

	// ask makes the killing begin after grace; it does not wait. The shortest
	// grace asked for counts.
	ask func(grace time.Duration)
	// force is for a guard that does not answer any more.
	force func()
}

// Start runs cmd under a guard and returns once the program has been started or
// could not be. The error is a sentence for the user. On Linux this process
// becomes a child subreaper: orphans of other programs that it starts by other
// means become its children.
func Start(cmd Command) (*Tree, error) {
	if err := checkRemove(cmd.Remove); err != nil {
		return nil, err
	}
	tree, err := start(cmd)
	if err != nil {
		removeFolder(cmd.Remove)
	}
	return tree, err
}

// Pid is the program's process id, 0 if it is not known.
func (t *Tree) Pid() int { return t.pid }

// GuardPid is the process id of the guard, 0 where there is none (Windows).
func (t *Tree) GuardPid() int { return t.guardPid }

// Done is closed when the program and all its descendants are gone.
func (t *Tree) Done() <-chan struct{} { return t.done }

// Exit tells how the program ended, to follow the program's name in a sentence:
// "exited with status 1", "was killed by SIGKILL". It is "" until Done is closed.
func (t *Tree) Exit() string {
	select {
	case <-t.done:
		return t.exit
	default:
		return ""
	}
}

// Stop ends the tree. The caller has closed the program's input already, which
// is how an MCP server is asked to end. A program that ends within grace ends by
// itself; whatever is alive after that, or was left by the program, is killed.
//
// Stop returns when Done is closed. Only if something cannot be killed (it
// belongs to another user, or is stuck in the kernel) it returns a few seconds
// after grace without that; the guard goes on trying.
func (t *Tree) Stop(grace time.Duration) {
	t.ask(max(grace, 0))
	if t.wait(max(grace, 0) + killPatience) {
		return
	}
	t.force()
	t.wait(killPatience)
}

// Kill is Stop without grace.
func (t *Tree) Kill() { t.Stop(0) }

// wait waits at most d for the end and reports whether it came.
func (t *Tree) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.done:
		return true
	case <-timer.C:
		return false
	}
}
