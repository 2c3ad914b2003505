package transport

// Children are this test binary again, told by a variable what to be.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/proctree"
)

const (
	roleVariable = "TRANSPORT_TEST_ROLE"
	// roleLimit ends a child that a failed test has left behind.
	roleLimit = 2 * time.Minute
)

func TestMain(m *testing.M) {
	proctree.Guard()
	if role := os.Getenv(roleVariable); role != "" {
		time.AfterFunc(roleLimit, func() { os.Exit(99) })
		play(role, os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is the main function of the children.
func play(role string, args []string) {
	switch role {
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "exit":
		fmt.Println(`{"last":1}`)
		fmt.Fprint(os.Stderr, "first line\nit broke")
		os.Exit(3)
	case "flood": // a pipe's worth many times over, before it answers
		for range 5_000 {
			fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 100))
		}
		fmt.Fprintln(os.Stderr, "the end")
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "big":
		for _, arg := range args {
			n, _ := strconv.Atoi(arg)
			fmt.Println(strings.Repeat("x", n))
		}
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "deaf":
		fmt.Println("up")
		time.Sleep(roleLimit)
	case "family": // stays at EOF, with a child that holds its stdout
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{roleVariable + "=deaf"}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			panic(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			panic(err)
		}
		fmt.Println(cmd.Process.Pid)
		time.Sleep(roleLimit)
	case "serve": // echoes by way of the link to the client
		s := NewStdio(Pollable(os.Stdin, os.Stdout, os.Stderr), os.Stdout, 1000)
		for {
			line, err := s.Read()
			if err != nil || s.SendWait(line) != nil {
				break
			}
		}
		s.Close(roleLimit)
	case "litter", "litter and stay": // tells its temporary folders and leaves a file there
		if err := os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), "file"), nil, 0o600); err != nil {
			panic(err)
		}
		fmt.Println(os.Getenv("TMPDIR"), os.Getenv("TMP"), os.Getenv("TEMP"))
		if role == "litter and stay" {
			time.Sleep(roleLimit)
		}
	case "tell":
		dir, _ := os.Getwd()
		fmt.Printf("%q %q %q\n", args, dir, os.Getenv("GIVEN"))
	}
}

func start(t *testing.T, maxLine int, ring *Ring, role string, args ...string) *Child {
	t.Helper()
	c, err := StartChild(Command{Path: os.Args[0], Args: args, Env: []string{roleVariable + "=" + role, "GIVEN=value"}, Dir: t.TempDir()}, maxLine, ring)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(0) })
	return c
}

func expect(t *testing.T, c *Child, want string) {
	t.Helper()
	if line, err := c.Read(); err != nil || string(line) != want {
		t.Fatalf("%.80q (%d bytes), %v; want %.80q (%d bytes)", line, len(line), err, want, len(want))
	}
}

func gone(pid int) bool {
	p, err := os.FindProcess(pid)
	return err != nil || p.Signal(syscall.Signal(0)) != nil
}

func TestChildEchoes(t *testing.T) {
	c := start(t, 1<<20, &Ring{}, "echo")
	if gone(c.Pid()) {
		t.Error("the pid is no process")
	}
	for i := range 100 {
		line := fmt.Sprintf(`{"n":%d}`, i)
		if err := c.Send([]byte(line)); err != nil {
			t.Fatal(err)
		}
		expect(t, c, line)
	}
	c.Close(time.Minute) // it ends by itself at EOF
	if got := c.Exit(); got != "exited with status 0" {
		t.Errorf("it %s", got)
	}
	if err := c.Send([]byte("x")); err != ErrClosed {
		t.Errorf("sent to a closed child: %v", err)
	}
	if _, err := c.Read(); err == nil {
		t.Error("read from a closed child")
	}
	c.Close(0)
}

func TestChildIsStartedAsAsked(t *testing.T) {
	c := start(t, 1000, &Ring{}, "tell", "a b", "", `"q"`)
	line, err := c.Read()
	if err != nil || !strings.HasPrefix(string(line), `["a b" "" "\"q\""] `) || !strings.HasSuffix(string(line), ` "value"`) {
		t.Errorf("%s, %v", line, err)
	}
}

func TestEOFWhenTheChildExits(t *testing.T) {
	var mu sync.Mutex
	var lines []string
	ring := &Ring{Line: func(line []byte) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, string(line))
	}}
	c := start(t, 1000, ring, "exit")
	expect(t, c, `{"last":1}`)
	if _, err := c.Read(); err != io.EOF {
		t.Errorf("after its end: %v", err)
	}
	c.Close(time.Minute)
	if got := c.Exit(); got != "exited with status 3" {
		t.Errorf("it %s", got)
	}
	want := []string{"first line", "it broke"}
	if got := ring.Tail(5); !slices.Equal(got, want) || !slices.Equal(lines, want) {
		t.Errorf("its stderr is %q, handed on %q", got, lines)
	}
}

func TestAFloodOnStderrIsDrained(t *testing.T) {
	n := 0
	ring := &Ring{Line: func([]byte) { n++ }}
	c := start(t, 1000, ring, "flood")
	if err := c.Send([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	expect(t, c, "hello")
	c.Close(time.Minute)
	if n != 5_001 || !slices.Equal(ring.Tail(1), []string{"the end"}) {
		t.Errorf("%d lines, the last %q", n, ring.Tail(1))
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	c := start(t, 1000, &Ring{}, "family")
	line, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	grandchild, err := strconv.Atoi(string(line))
	if err != nil || gone(grandchild) {
		t.Fatalf("%q is no process, %v", line, err)
	}
	var closes sync.WaitGroup
	for range 3 { // from wherever
		closes.Go(func() { c.Close(10 * time.Millisecond) })
	}
	closes.Wait()
	for _, pid := range []int{c.Pid(), grandchild} {
		if !gone(pid) {
			t.Errorf("process %d is left", pid)
		}
	}
	if c.Exit() == "" {
		t.Error("how it ended is not told")
	}
}

func TestCloseEndsARead(t *testing.T) {
	c := start(t, 1000, &Ring{}, "deaf")
	expect(t, c, "up")
	read := make(chan error)
	go func() {
		_, err := c.Read()
		read <- err
	}()
	c.Close(0)
	if err := <-read; err == nil {
		t.Error("a line came from nowhere")
	}
}

func TestAChildThatDoesNotRead(t *testing.T) {
	c := start(t, 1<<20, &Ring{}, "deaf")
	expect(t, c, "up")
	var err error
	for err == nil {
		err = c.Send(bytes.Repeat([]byte("x"), 1<<18))
	}
	if err != ErrFull {
		t.Errorf("%v", err)
	}
	c.Close(0)
	if err := c.Send([]byte("x")); err != ErrClosed {
		t.Errorf("after Close: %v", err)
	}
}

func TestBigLinesBothWays(t *testing.T) {
	c := start(t, 16<<20, &Ring{}, "echo")
	for _, size := range []int{directSize - 1, directSize, 64 << 10, 1 << 20, 16 << 20} {
		line := strings.Repeat("0123456789abcdef", size/16+1)[:size]
		if err := c.Send([]byte(line)); err != nil {
			t.Fatal(err)
		}
		expect(t, c, line)
	}
}

func TestALineOverTheLimit(t *testing.T) {
	c := start(t, 100_000, &Ring{}, "big", "100000", "100001", "5000000", "10")
	expect(t, c, strings.Repeat("x", 100_000))
	for _, size := range []int{100_001, 5_000_000} {
		_, err := c.Read()
		var long *jsonrpc.TooLongError
		if !errors.As(err, &long) || long.Size != size {
			t.Errorf("a line of %d: %v", size, err)
		}
	}
	expect(t, c, strings.Repeat("x", 10))
}

func TestAProgramThatCannotBeStarted(t *testing.T) {
	if c, err := StartChild(Command{Path: "playguard-no-such-program"}, 1000, &Ring{}); err == nil {
		c.Close(0)
		t.Error("started")
	} else if !strings.Contains(err.Error(), "playguard-no-such-program") {
		t.Errorf("the error does not name it: %v", err)
	}
}
