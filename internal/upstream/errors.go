package upstream

// What went wrong with an upstream, as the agent is told.

import (
	"fmt"
	"strings"
	"time"
)

// Reason is what kind of failure an Error is about.
type Reason int

// The reasons of failures.
const (
	Refused Reason = iota // it was not accepted, or its answer cannot be had
	Ended                 // the process ended
	Hung                  // there was neither an answer nor progress within the deadline
	Absent                // the process could not be started
	Closing               // PlayGuard is ending
)

// Error is why an upstream gave no answer. Its text is for the agent: what
// happened, to which upstream, and what to do next.
type Error struct {
	Reason Reason
	Title  string        // the upstream
	What   string        // what happened: "is not running", "died during this call"
	Cause  error         // may be nil
	Stderr []string      // its last lines
	Hint   string        // what to check
	Retry  time.Duration // when the next call tries again; 0 is at once
	Sent   bool          // the request had been written to it: whether it took effect is unknown
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[PlayGuard] %s %s", e.Title, e.What)
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %s", strings.TrimRight(e.Cause.Error(), ". \n"))
	}
	b.WriteString(".")
	if e.Sent {
		b.WriteString(" Whether the call took effect is unknown: check before you repeat it.")
	}
	if e.Hint != "" {
		b.WriteString(" " + e.Hint)
	}
	if e.Retry > 0 {
		fmt.Fprintf(&b, " A call after %s starts it again.", e.Retry.Round(100*time.Millisecond))
	}
	if len(e.Stderr) > 0 {
		b.WriteString("\nIts last lines on stderr:\n" + strings.Join(e.Stderr, "\n"))
	}
	return b.String()
}
