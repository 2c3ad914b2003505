//go:build unix && !linux && !darwin

// Unix systems without code of their own: the program's process group is all that
// is known of its descendants.

package proctree

import (
	"os"
	"syscall"
)

// newHunter returns a hunter for the tree with this id, guard and program.
func newHunter(id string, guard, program int) *hunter {
	return &hunter{id: id, self: os.Getpid(), session: guard, group: program}
}

func becomeReaper() bool { return false }

func guardExecutable() (string, error) { return os.Executable() }

func setGuardName() {}

// programAttributes gives the program the process group that is killed later.
func programAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// parentVanished returns nil: the guard compares its parent's id now and then.
func parentVanished(int) <-chan struct{} { return nil }

func processes() []process { return nil }

func hasMarker(int, string) bool { return false }
