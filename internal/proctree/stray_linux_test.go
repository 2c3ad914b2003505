// What is promised for Linux, and for macOS as far as the code is shared: nothing
// is left, whoever is killed.

package proctree

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// playSystem plays the helpers that need system calls of Linux.
func playSystem(role string, args []string) {
	switch role {
	case "bomb":
		fmt.Println("up")
		bomb(8, 3)
		leaf()
	case "runner":
		fmt.Println("up")
		run(20_000, args[0] == "session")
	default:
		panic("no such role: " + role)
	}
}

// fork is fork(2). The child may do nothing but system calls: it is one thread of
// a program with several.
//
//go:norace
func fork() uintptr {
	pid, _, _ := syscall.RawSyscall6(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
	return pid
}

// bomb forks breadth children, each of which does the same to the given depth,
// one each millisecond. The children stay.
//
//go:norace
func bomb(breadth, depth int) {
	pause := syscall.Timespec{Nsec: 1e6}
	for range breadth {
		if depth > 0 && fork() == 0 {
			depth--
			bomb(breadth, depth)
			for {
				syscall.RawSyscall(syscall.SYS_PPOLL, 0, 0, 0)
			}
		}
		syscall.RawSyscall6(syscall.SYS_PPOLL, 0, 0, pointer(&pause), 0, 0, 0)
	}
}

// run is a process that flees: it forks and ends, again and again, each
// generation in a session of its own if so asked. One that is never caught says
// so in the end.
//
//go:norace
func run(generations int, ownSession bool) {
	escaped := [1]byte{'!'}
	for range generations {
		if fork() != 0 {
			syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
		if ownSession {
			syscall.RawSyscall(syscall.SYS_SETSID, 0, 0, 0)
		}
	}
	syscall.RawSyscall(syscall.SYS_WRITE, 1, pointer(&escaped), 1)
	syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
}

// marked returns the ids of the processes that this test has started, guards
// included, zombies not.
func marked(t testing.TB) []int {
	t.Helper()
	var pids []int
	for _, p := range processes() {
		if !p.zombie && p.pid != os.Getpid() && hasMarker(p.pid, markVariable+"="+t.Name()) {
			pids = append(pids, p.pid)
		}
	}
	return pids
}

// awaitNone waits until no process of this test is left.
func awaitNone(t testing.TB, within time.Duration) {
	t.Helper()
	deadline := time.Now().Add(within)
	for {
		pids := marked(t)
		if len(pids) == 0 {
			return
		}
		if time.Now().After(deadline) {
			for _, pid := range pids {
				cmdline, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				t.Logf("process %d: %q", pid, cmdline)
				syscall.Kill(pid, syscall.SIGKILL)
			}
			t.Fatalf("%d processes are left after %v", len(pids), within)
		}
		time.Sleep(5 * time.Millisecond) // the process table cannot be waited on
	}
}

// noZombies fails if this process has a child that was not reaped.
func noZombies(t testing.TB) {
	t.Helper()
	for _, p := range processes() {
		if p.parent == os.Getpid() {
			t.Errorf("process %d is left as a child of this one, zombie: %v", p.pid, p.zombie)
		}
	}
}

// reapAdopted waits for what a killed owner has left to this process, which is a
// subreaper: guards that have done their work, mostly.
func reapAdopted(t testing.TB) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			if _, err := syscall.Wait4(-1, nil, 0, nil); err != nil && err != syscall.EINTR {
				return
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("an adopted process does not end")
	}
}

func TestEveryDescendantIsKilled(t *testing.T) {
	for _, test := range []struct {
		name, role string
		args       []string
		up         int
	}{
		{"one that ignores signals", "leaf", nil, 1},
		{"another group", "family", []string{"group"}, 2},
		{"another session", "family", []string{"session"}, 2},
		{"daemon", "family", []string{"daemon"}, 2},
		{"daemon without environment", "family", []string{"nameless"}, 2},
		{"all at once", "family", []string{"plain", "group", "session", "daemon", "nameless"}, 6},
		{"fork bomb", "bomb", nil, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, outWrite := pipe(t)
			cmd := command(t, test.role, test.args...)
			cmd.Stdout = outWrite
			tree := begun(t, cmd)
			outWrite.Close()
			awaitLeaves(t, out, test.up)
			tree.Kill()
			// Not a moment later, since Done promises it.
			if pids := marked(t); len(pids) != 0 {
				t.Errorf("processes %v are left", pids)
			}
			awaitEnd(t, out, patience)
			noZombies(t)
		})
	}
}

// A process that forks and ends is gone from under every look at the process
// table; it must be caught long before it gives up by itself.
func TestFleeingProcessIsCaught(t *testing.T) {
	for _, where := range []string{"group", "session"} {
		t.Run(where, func(t *testing.T) {
			out, outWrite := pipe(t)
			cmd := command(t, "runner", where)
			cmd.Stdout = outWrite
			tree := begun(t, cmd)
			outWrite.Close()
			ended(t, tree) // the first generation ends by itself
			if got := string(awaitEnd(t, out, patience)); got != "up\n" {
				t.Errorf("output %q: it was not caught", got)
			}
			noZombies(t)
		})
	}
}

// startOwner starts a process that owns a tree. Closing the file that is returned
// lets it end, a line written to it makes it kill the tree first.
func startOwner(t *testing.T, out *os.File, how mode, args ...string) (*exec.Cmd, *os.File) {
	t.Helper()
	inRead, in := pipe(t)
	cmd := command(t, "owner", append([]string{string(how)}, args...)...)
	owner := exec.Command(cmd.Path, cmd.Args...)
	owner.Env = cmd.Env
	owner.Stdin, owner.Stdout = inRead, out
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	inRead.Close()
	out.Close()
	return owner, in
}

func TestOwnerKilledAtAnyMoment(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 5
	}
	everyWay := []string{"family", "plain", "group", "session", "daemon", "nameless"}
	for i := range rounds {
		out, outWrite := pipe(t)
		owner, _ := startOwner(t, outWrite, adopting, everyWay...)
		if i%3 == 0 {
			awaitLeaves(t, out, len(everyWay))
		} else {
			time.Sleep(time.Duration(rand.IntN(80_000)) * time.Microsecond) // the random moment
		}
		owner.Process.Kill()
		owner.Wait()
		awaitEnd(t, out, patience)
		awaitNone(t, patience)
		reapAdopted(t)
	}
}

func TestOwnerEndsWithoutStop(t *testing.T) {
	out, outWrite := pipe(t)
	owner, in := startOwner(t, outWrite, adopting, "family", "session", "daemon")
	awaitLeaves(t, out, 3)
	in.Close()
	if err := owner.Wait(); err != nil {
		t.Error(err)
	}
	awaitEnd(t, out, patience)
	awaitNone(t, patience)
	reapAdopted(t)
}

// Without a subreaper, as on macOS. The owner is a process of its own, because
// this one has become a subreaper in other tests.
func TestEveryDescendantIsKilledByWalking(t *testing.T) {
	ways := []string{"family", "plain", "group", "session", "daemon"}
	for _, ending := range []string{"stopped", "killed"} {
		t.Run(ending, func(t *testing.T) {
			out, outWrite := pipe(t)
			owner, in := startOwner(t, outWrite, walking, ways...)
			awaitLeaves(t, out, len(ways))
			if ending == "stopped" {
				fmt.Fprintln(in)
			} else {
				owner.Process.Kill()
			}
			owner.Wait()
			awaitEnd(t, out, patience)
			awaitNone(t, patience)
			reapAdopted(t)
		})
	}
}

func TestGuardKilled(t *testing.T) {
	ways := []string{"plain", "group", "session", "daemon"}
	for range 5 {
		out, outWrite := pipe(t)
		cmd := command(t, "family", ways...)
		cmd.Stdout = outWrite
		tree := begun(t, cmd)
		other := begun(t, command(t, "leaf")) // another tree, which must not suffer
		outWrite.Close()
		awaitLeaves(t, out, len(ways)+1)
		if err := syscall.Kill(tree.GuardPid(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		ended(t, tree)
		awaitEnd(t, out, patience)
		if got := tree.Exit(); got != "ended unseen, because its guard was killed" {
			t.Errorf("Exit() = %q", got)
		}
		select {
		case <-other.Done():
			t.Errorf("the other tree ended too: %s", other.Exit())
		default:
		}
		other.Kill()
		tree.Kill()
		if pids := marked(t); len(pids) != 0 {
			t.Errorf("processes %v are left", pids)
		}
		noZombies(t)
	}
}

// grown starts a tree with leaves in a family, in a session and as a daemon, which all
// hold the pipe that is returned.
func grown(t testing.TB) (tree *Tree, out *os.File) {
	t.Helper()
	out, outWrite := pipe(t)
	cmd := command(t, "family", "session", "daemon")
	cmd.Stdout = outWrite
	tree = begun(t, cmd)
	outWrite.Close()
	awaitLeaves(t, out, 3)
	return tree, out
}

// A guard that cannot be talked to any more is replaced.
func TestGuardStopped(t *testing.T) {
	tree, out := grown(t)
	if err := syscall.Kill(tree.GuardPid(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	tree.Kill()
	ended(t, tree)
	awaitEnd(t, out, patience)
	noZombies(t)
}

// What has died below a guard that stands still, and was not reaped by it, is not left
// to this process for good.
func TestGuardStoppedOverZombies(t *testing.T) {
	tree, out := grown(t)
	guard := tree.GuardPid()
	if err := syscall.Kill(guard, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(guard, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the guard does not stop: %v, %v", status, err)
	}
	below := func() []process {
		return slices.DeleteFunc(members(processes(), os.Getpid(), func(p process) bool { return p.parent == guard }), func(p process) bool { return p.pid == guard })
	}
	for _, p := range below() {
		syscall.Kill(p.pid, syscall.SIGKILL)
	}
	for end := time.Now().Add(patience); slices.ContainsFunc(below(), func(p process) bool { return !p.zombie }); {
		if time.Now().After(end) {
			t.Fatalf("what is below the guard lives on: %v", below())
		}
		time.Sleep(time.Millisecond) // the process table can't be waited on
	}
	tree.Kill()
	ended(t, tree)
	awaitEnd(t, out, patience)
	noZombies(t)
}

func TestNothingLeaks(t *testing.T) {
	descriptors := func() []string {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			target, _ := os.Readlink("/proc/self/fd/" + e.Name())
			names = append(names, target)
		}
		slices.Sort(names)
		return names
	}
	round := func(i int) {
		switch i % 3 {
		case 0:
			ended(t, begun(t, command(t, "exit", "0")))
		case 1:
			begun(t, command(t, "leaf")).Kill()
		case 2:
			if _, err := Start(Command{Path: "/dev/null"}); err == nil {
				t.Error("the null device was started")
			}
		}
	}
	for i := range 3 { // what the runtime opens once
		round(i)
	}
	before := descriptors()
	for i := range 50 {
		round(i)
	}
	if after := descriptors(); len(after) > len(before) {
		t.Errorf("open files before: %q\nafter: %q", before, after)
	}
	noZombies(t)
}

func TestGuardHoldsNoStreams(t *testing.T) {
	in, _ := pipe(t)
	out, outWrite := pipe(t)
	cmd := command(t, "leaf")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, outWrite, outWrite
	tree := begun(t, cmd)
	awaitLeaves(t, out, 1)
	for fd := range 3 {
		target, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tree.GuardPid(), fd))
		if err != nil || target != os.DevNull {
			t.Errorf("descriptor %d of the guard is %s, %v", fd, target, err)
		}
	}
	if dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", tree.GuardPid())); err != nil || dir != "/" {
		t.Errorf("the guard's directory is %s, %v", dir, err)
	}
}

func TestParseStat(t *testing.T) {
	line, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Fatal(err)
	}
	got, ok := parseStat(line)
	session, _, _ := syscall.Syscall(syscall.SYS_GETSID, 0, 0, 0)
	if !ok || got.pid != os.Getpid() || got.parent != os.Getppid() || got.group != syscall.Getpgrp() ||
		got.session != int(session) || got.started == 0 || got.zombie {
		t.Errorf("own entry: %+v, %v", got, ok)
	}
	got, ok = parseStat([]byte("12 (a) R (b\n) Z 3 4 5 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987 0 0"))
	if want := (process{pid: 12, parent: 3, group: 4, session: 5, started: 987, zombie: true}); !ok || got != want {
		t.Errorf("got %+v, %v; want %+v", got, ok, want)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("1 (init) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987 0 0"))
	f.Add([]byte("1 (a) b) S 0"))
	f.Add([]byte(") ("))
	f.Fuzz(func(t *testing.T, line []byte) {
		p, ok := parseStat(line)
		if !ok {
			return
		}
		state := "S"
		if p.zombie {
			state = "Z"
		}
		again, ok := parseStat([]byte(strings.Join([]string{
			strconv.Itoa(p.pid), "(x)", state, strconv.Itoa(p.parent), strconv.Itoa(p.group), strconv.Itoa(p.session),
			strings.Repeat("0 ", 15) + strconv.FormatUint(p.started, 10)}, " ")))
		if !ok || again != p {
			t.Errorf("%q gives %+v, then %+v, %v", line, p, again, ok)
		}
	})
}
