//go:build !linux

package harness

import (
	"testing"
	"time"
)

// CanSeeProcesses tells whether Remaining, Processes and PeakMemory work here.
const CanSeeProcesses = false

// PeakMemory is known only on Linux.
func PeakMemory(testing.TB, int) int { return 0 }

// Remaining finds processes only on Linux, where another process's environment
// can be read.
func Remaining(string, time.Duration) []string { return nil }

// Processes finds processes only on Linux.
func Processes(string) []string { return nil }
