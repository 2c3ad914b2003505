package processes

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const rest = " 7 1 1 0 -1 4194560 10 0 0 0 42 3 0 0 20 0 1 0 98765 1000 10 1 1"
	for stat, want := range map[string]Process{
		"12 (cat) S" + rest:           {PID: 12, Parent: 7, Started: "98765", Worked: 42},
		"13 (a) Z (b c) R) R" + rest:  {PID: 13, Parent: 7, Started: "98765", Worked: 42},
		"14 (gone) Z" + rest:          {},
		"15 (gone) X" + rest:          {},
		"16 (short) S 7 1":            {},
		"":                            {},
		"x (cat) S" + rest:            {},
		"17 (cat) S seven" + rest[2:]: {},
	} {
		got, ok := parse([]byte(stat))
		if ok != (want != Process{}) || ok && got != want {
			t.Errorf("%q is %+v, %v", stat, got, ok)
		}
	}
}

func TestBelow(t *testing.T) {
	all := []Process{{PID: 4, Parent: 3}, {PID: 2, Parent: 1}, {PID: 3, Parent: 2}, {PID: 9, Parent: 8}, {PID: 1, Parent: 0}}
	var got []int
	for _, p := range below(all, 1) {
		got = append(got, p.PID)
	}
	if !slices.Equal(got, []int{2, 3, 4}) {
		t.Errorf("below 1 are %v", got)
	}
}

func TestRunning(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this test needs /proc")
	}
	cmd := exec.Command("cat")
	cmd.Env = []string{"PROCESSES_TEST=here"}
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	is := func(p Process) bool { return p.PID == cmd.Process.Pid }
	at := slices.IndexFunc(Below(os.Getpid()), is)
	if at < 0 {
		t.Fatal("a process of this one is not found")
	}
	p := Below(os.Getpid())[at]
	if !strings.HasSuffix(p.Command, "cat ") || string(p.Environment()) != "PROCESSES_TEST=here\x00" || !p.Is(p) {
		t.Errorf("it is %+v, with %q", p, p.Environment())
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(Running(), p.Is) {
		t.Error("it still runs when it has ended")
	}
}
