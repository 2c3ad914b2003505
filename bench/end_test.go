// The figures of an end, and that what is left would be seen.

package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/proctree"
	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/processes"
)

func TestEndFigures(t *testing.T) {
	ends := []ending{
		{exited: 300 * time.Millisecond, gone: 310 * time.Millisecond, tree: 12},
		{exited: 390 * time.Millisecond, gone: 2500 * time.Millisecond, tree: 12, left: 1},
		{exited: 900 * time.Millisecond, gone: 910 * time.Millisecond, tree: 12},
	}
	asked := way{name: "SIGTERM"}.figures(ends)
	if len(asked) != 2 || asked[0].Value != 390 || !*asked[0].Pass || asked[1].Value != 910 || asked[1].Pass != nil {
		t.Errorf("the median of what was asked for is judged as %+v", asked)
	}
	killed := way{name: "SIGKILL", killed: true}.figures(ends)
	if len(killed) != 1 || killed[0].Value != 2500 || *killed[0].Pass {
		t.Errorf("the slowest kill is judged as %+v", killed)
	}
	left := leftFigure(ends)
	if left.Value != 1 || *left.Pass || left.Note != "of 36 that 3 PlayGuards had below them" {
		t.Errorf("what is left is judged as %+v", left)
	}
}

// A process counts as left by its place in the list taken before, and by its
// mark.
func TestWhatIsLeftIsSeen(t *testing.T) {
	if !harness.CanSeeProcesses {
		t.Skip("this system has no /proc")
	}
	scene := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := func(env ...string) *peer {
		p, err := startPeer(t.Context(), scene, append(append(os.Environ(), asProgram+"=scripted"), env...), self, "-e", "{}")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.stop)
		if err := p.handshake(); err != nil {
			t.Fatal(err)
		}
		return p
	}
	plain := start()
	marked := start(proctree.TreeVariable+"=x", "XDG_STATE_HOME="+filepath.Join(scene, "state"))
	has := func(list []processes.Process, p *peer) bool {
		return slices.ContainsFunc(list, func(found processes.Process) bool { return found.PID == p.cmd.Process.Pid })
	}
	watched := tree{scene}
	before := watched.members(os.Getpid())
	if !has(before, plain) || !has(before, marked) {
		t.Fatalf("the processes started are not below this one: %+v", before)
	}
	if left := watched.left(nil); has(left, plain) || !has(left, marked) {
		t.Errorf("by the mark alone these are left: %+v", left)
	}
	if left := watched.awaitNone(before, time.Now()); !has(left, plain) || !has(left, marked) {
		t.Errorf("of the list these are left: %+v", left)
	}
	plain.stop()
	marked.stop()
	if left := watched.awaitNone(before, time.Now().Add(leftPatience)); has(left, plain) || has(left, marked) {
		t.Errorf("after the end these are left: %+v", left)
	}
}
