//go:build unix

package playwright

import (
	"errors"
	"syscall"
)

// alive reports whether there is a process with this id.
func alive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
