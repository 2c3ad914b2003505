//go:build unix

// What the guard and the process that started it say to each other.
//
// To the guard: its arguments once, then on the control pipe one 8-byte number
// for each Stop, the grace in nanoseconds. From the guard: lines on the status
// pipe, in this order: "started PID" or "failed ERRNO"; "exit WAITSTATUS" when
// the program has ended; "done" when nothing is left.

package proctree

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	guardArgument = "__guard"

	// Descriptors that the guard finds open besides the program's streams.
	controlFD = 3
	statusFD  = 4

	graceSize = 8
)

// mode says how the guard finds the descendants.
type mode string

const (
	// adopting: orphans become the guard's children where the system can do that.
	adopting mode = "adopt"
	// walking: orphans become somebody else's children, as on macOS.
	walking mode = "walk"
)

// guardArguments is the guard's command line from argv[1] on.
type guardArguments struct {
	how    mode
	parent int // process that must be alive
	id     string
	remove string // Command.Remove
	path   string
	args   []string
}

func (a guardArguments) encode() []string {
	return append([]string{guardArgument, string(a.how), strconv.Itoa(a.parent), a.id, a.remove, a.path}, a.args...)
}

// isGuard reports whether argv is that of a guard, well formed or not.
func isGuard(argv []string) bool { return len(argv) > 1 && argv[1] == guardArgument }

// decodeGuardArguments reads what encode wrote, preceded by argv[0].
func decodeGuardArguments(argv []string) (guardArguments, bool) {
	if !isGuard(argv) || len(argv) < 7 {
		return guardArguments{}, false
	}
	parent, err := strconv.Atoi(argv[3])
	how := mode(argv[2])
	if err != nil || parent <= 0 || (how != adopting && how != walking) {
		return guardArguments{}, false
	}
	return guardArguments{how: how, parent: parent, id: argv[4], remove: argv[5], path: argv[6], args: argv[7:]}, true
}

func encodeGrace(grace time.Duration) []byte {
	return binary.LittleEndian.AppendUint64(nil, uint64(grace))
}

// shortestGrace reads the messages in buf, of which there is at least one.
// Writes of graceSize bytes to a pipe are atomic, so there are whole ones only.
func shortestGrace(buf []byte) time.Duration {
	shortest := time.Duration(1<<63 - 1)
	for ; len(buf) >= graceSize; buf = buf[graceSize:] {
		shortest = min(shortest, max(0, time.Duration(binary.LittleEndian.Uint64(buf))))
	}
	return shortest
}

// status is one line from the guard.
type status struct {
	word  string // "started", "failed", "exit" or "done"
	value int
}

func (s status) encode() []byte {
	return append(strconv.AppendInt([]byte(s.word+" "), int64(s.value), 10), '\n')
}

// decodeStatus reads one line as encode writes it, without the line end.
func decodeStatus(line []byte) (status, bool) {
	word, number, found := bytes.Cut(line, []byte(" "))
	value, err := strconv.Atoi(string(number))
	if !found || err != nil {
		return status{}, false
	}
	switch s := (status{string(word), value}); s.word {
	case "started", "failed", "exit", "done":
		return s, true
	}
	return status{}, false
}

// describe says in words how a process ended.
func describe(ws syscall.WaitStatus) string {
	if !ws.Signaled() {
		return "exited with status " + strconv.Itoa(ws.ExitStatus())
	}
	if name := unix.SignalName(ws.Signal()); name != "" {
		return "was killed by " + name
	}
	return "was killed by signal " + strconv.Itoa(int(ws.Signal()))
}
