//go:build !linux

package harness

import "time"

// Remaining finds processes only on Linux, where another process's environment
// can be read.
func Remaining(string, time.Duration) []string { return nil }

// Processes finds processes only on Linux.
func Processes(string) []string { return nil }
