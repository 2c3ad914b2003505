// What can be found out of other processes.

package harness

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Remaining returns a description of each process that was started, at whatever
// distance, by a PlayGuard of the scene in dir. It waits up to within for them
// to be gone.
//
// Every process below PlayGuard has a folder of the scene in its environment,
// because upstreams get XDG_* from it.
func Remaining(dir string, within time.Duration) []string {
	deadline := time.Now().Add(within)
	for {
		left := processesOf(dir)
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
		time.Sleep(25 * time.Millisecond) // the process table cannot be waited on
	}
}

// CanSeeProcesses tells whether Remaining, Processes and PeakMemory work here.
const CanSeeProcesses = true

// PeakMemory is the largest resident size the process has had, in bytes.
func PeakMemory(t testing.TB, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(status), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatalf("the status of process %d has no VmHWM", pid)
	return 0
}

// Processes returns a description of each process of the scene in dir.
func Processes(dir string) []string { return processesOf(dir) }

func processesOf(dir string) []string {
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(env, []byte("XDG_STATE_HOME="+dir+"/")) {
			continue // gone, a zombie, or not ours
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		found = append(found, fmt.Sprintf("%s: %s", filepath.Base(filepath.Dir(file)), strings.ReplaceAll(string(line), "\x00", " ")))
	}
	return found
}
