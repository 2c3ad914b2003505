//go:build unix

// The messages between guard and owner, and the selection of a tree's members.

package proctree

import (
	"reflect"
	"slices"
	"syscall"
	"testing"
	"time"
)

func TestGuardArgumentsRoundTrip(t *testing.T) {
	for _, want := range []guardArguments{
		{how: adopting, parent: 7, id: "x", remove: "/tmp/pg-1", path: "/bin/a b", args: []string{}},
		{how: walking, parent: 1 << 22, id: "ID", path: "p", args: []string{"", "__guard", "\n"}},
	} {
		got, ok := decodeGuardArguments(append([]string{"name"}, want.encode()...))
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v; want %+v", got, ok, want)
		}
	}
	for _, argv := range [][]string{
		nil, {"a"}, {"a", "serve"}, {"a", guardArgument},
		{"a", guardArgument, "adopt", "none", "id", "", "path"},
		{"a", guardArgument, "adopt", "0", "id", "", "path"},
		{"a", guardArgument, "other", "5", "id", "", "path"},
		{"a", guardArgument, "adopt", "5", "id", ""},
	} {
		if got, ok := decodeGuardArguments(argv); ok {
			t.Errorf("%q was accepted: %+v", argv, got)
		}
	}
}

func TestShortestGrace(t *testing.T) {
	buf := slices.Concat(encodeGrace(time.Hour), encodeGrace(3*time.Millisecond), encodeGrace(time.Second))
	if got := shortestGrace(buf); got != 3*time.Millisecond {
		t.Errorf("got %v", got)
	}
	if got := shortestGrace(encodeGrace(-5)); got != 0 {
		t.Errorf("a negative grace gives %v", got)
	}
}

func FuzzDecodeStatus(f *testing.F) {
	for _, s := range []string{"started 5", "failed 2", "exit 9", "exit -1", "done 0", "done", "started x", "other 1", ""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got, ok := decodeStatus(line)
		if !ok {
			return
		}
		encoded := got.encode()
		if again, ok := decodeStatus(encoded[:len(encoded)-1]); !ok || again != got {
			t.Errorf("%q gives %+v, then %+v", line, got, again)
		}
	})
}

func TestDescribe(t *testing.T) {
	for status, want := range map[syscall.WaitStatus]string{
		0:        "exited with status 0",
		3 << 8:   "exited with status 3",
		9:        "was killed by SIGKILL",
		0x80 | 6: "was killed by SIGABRT", // with a core dump
		64:       "was killed by signal 64",
	} {
		if got := describe(status); got != want {
			t.Errorf("describe(%#x) = %q, want %q", int(status), got, want)
		}
	}
}

func TestMembers(t *testing.T) {
	const self = 50
	all := []process{
		{pid: 1, parent: 0, session: 1},
		{pid: 2, parent: 0, session: 0}, // the kernel's threads
		{pid: 9, parent: 2, session: 0},
		{pid: 40, parent: 1, session: 40}, // a shell that started self
		{pid: self, parent: 40, session: 40},
		{pid: 41, parent: 40, session: 40},
		{pid: 60, parent: self, session: 60}, // a guard
		{pid: 61, parent: 60, session: 60},
		{pid: 62, parent: 61, session: 62},            // a session of its own
		{pid: 63, parent: 1, session: 62},             // an orphan, known by that session
		{pid: 64, parent: 63, session: 64},            // and its child
		{pid: 65, parent: 1, session: 65},             // not to be known by anything
		{pid: 66, parent: 61, session: 0},             // of a session outside the namespace
		{pid: 70, parent: self, session: 70},          // another guard
		{pid: 71, parent: 70, session: 70},            // and its program
		{pid: 72, parent: 1, session: 72, started: 5}, // marked
	}
	pids := func(seed func(process) bool) []int {
		var pids []int
		for _, p := range members(all, self, seed) {
			pids = append(pids, p.pid)
		}
		slices.Sort(pids)
		return pids
	}
	if got, want := pids(func(p process) bool { return p.session == 60 }), []int{60, 61, 62, 63, 64, 66}; !slices.Equal(got, want) {
		t.Errorf("by session: %v, want %v", got, want)
	}
	if got, want := pids(func(p process) bool { return p.started == 5 }), []int{72}; !slices.Equal(got, want) {
		t.Errorf("by mark: %v, want %v", got, want)
	}
	if got := pids(func(p process) bool { return p.pid <= 1 || p.pid == self }); got != nil {
		t.Errorf("self and the system: %v, want none", got)
	}
}
