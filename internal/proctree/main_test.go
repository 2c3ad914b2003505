//go:build unix

// TestMain and the programs that the tests run: this test binary again, told by
// an environment variable what to be.

package proctree

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

const (
	roleVariable = "PROCTREE_TEST_ROLE"
	markVariable = "PROCTREE_TEST_MARK"
	// removeVariable is the Command.Remove of an owner's tree.
	removeVariable = "PROCTREE_TEST_REMOVE"

	// noExitPause keeps the race detector from waiting a second before each exit.
	noExitPause = "GORACE=atexit_sleep_ms=0"

	// roleLimit ends a helper that a failed test has left behind.
	roleLimit = 2 * time.Minute
)

func TestMain(m *testing.M) {
	Guard()
	if role := os.Getenv(roleVariable); role != "" {
		time.AfterFunc(roleLimit, func() { os.Exit(99) })
		play(role, os.Args[1:])
	}
	os.Exit(m.Run())
}

// play is the main function of the helper programs.
func play(role string, args []string) {
	switch role {
	case "cat":
		if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
			os.Exit(1)
		}
	case "tell": // its arguments, directory, environment, and whether its input blocks
		dir, _ := os.Getwd()
		flags, _, _ := syscall.Syscall(syscall.SYS_FCNTL, 0, syscall.F_GETFL, 0)
		fmt.Printf("%q\n%s\n%q\n%v\n", args, dir, os.Environ(), flags&syscall.O_NONBLOCK == 0)
	case "exit":
		code, _ := strconv.Atoi(args[0])
		os.Exit(code)
	case "signal":
		number, _ := strconv.Atoi(args[0])
		syscall.Kill(os.Getpid(), syscall.Signal(number))
		select {}
	case "signalled": // tells which signals of interest it was started ignoring
		fmt.Println(signal.Ignored(syscall.SIGTERM), signal.Ignored(syscall.SIGHUP))
	case "polite":
		io.Copy(io.Discard, os.Stdin)
		fmt.Println("bye")
		os.Exit(7)
	case "leaf":
		leaf()
	case "leave": // what a program leaves behind that ends at once
		begin("leaf", &syscall.SysProcAttr{Setsid: true}, os.Environ())
	case "family":
		family(args)
		leaf()
	case "litter":
		litter(args[0])
	case "owner":
		owner(mode(args[0]), args[1:])
	default:
		playSystem(role, args)
	}
	os.Exit(0)
}

// leaf is a process that does not want to end.
func leaf() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	fmt.Println("up")
	time.Sleep(roleLimit)
}

// litter makes files in a folder for as long as it lives.
func litter(dir string) {
	for i := range 1 << 20 {
		below := filepath.Join(dir, strconv.Itoa(i%10))
		os.Mkdir(below, 0o700)
		if err := os.WriteFile(filepath.Join(below, strconv.Itoa(i)), []byte("x"), 0o600); err != nil {
			panic(err)
		}
		if i == 100 {
			fmt.Println("up")
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// family starts one leaf for each of the given ways to get away from a parent.
func family(ways []string) {
	for _, way := range ways {
		switch way {
		case "plain":
			begin("leaf", &syscall.SysProcAttr{}, os.Environ())
		case "group":
			begin("leaf", &syscall.SysProcAttr{Setpgid: true}, os.Environ())
		case "session":
			begin("leaf", &syscall.SysProcAttr{Setsid: true}, os.Environ())
		case "daemon": // its parent has ended
			begin("leave", &syscall.SysProcAttr{Setsid: true}, os.Environ()).Wait()
		case "nameless": // the same without the tree's variable
			begin("leave", &syscall.SysProcAttr{Setsid: true}, nil).Wait()
		}
	}
}

// begin starts a helper with this process's output.
func begin(role string, attributes *syscall.SysProcAttr, env []string) *exec.Cmd {
	executable, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(executable)
	cmd.Env = append(env, roleVariable+"="+role, noExitPause)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = attributes
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd
}

// owner is what a test kills in place of PlayGuard: it starts a tree with its own
// output, and kills it when it reads a line.
func owner(how mode, args []string) {
	executable, err := os.Executable()
	if err != nil {
		panic(err)
	}
	input, _, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	tree, err := startGuarded(Command{
		Path: executable, Args: args[1:],
		Env:   withVariable(os.Environ(), roleVariable, args[0]),
		Stdin: input, Stdout: os.Stdout, Stderr: os.Stderr,
		Remove: os.Getenv(removeVariable),
	}, how)
	if err != nil {
		panic(err)
	}
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err == nil {
		tree.Kill()
	}
	// Otherwise it ends without a word to the guard.
}
