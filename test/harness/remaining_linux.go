// What can be found out of other processes.

package harness

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/test/processes"
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
	for _, p := range processes.Running() {
		if bytes.Contains(p.Environment(), []byte("XDG_STATE_HOME="+dir+"/")) {
			found = append(found, fmt.Sprintf("%d: %s", p.PID, p.Command))
		}
	}
	return found
}
