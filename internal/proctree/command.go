// What a command needs before it can run: the program's full path, its
// environment, and the sentences for when it cannot be started.

package proctree

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// resolved is a Command whose program was found and whose tree has a name.
type resolved struct {
	Command
	id string // value of TreeVariable
}

// resolve looks the program up and completes the environment.
func resolve(cmd Command) (resolved, error) {
	path, err := findProgram(cmd.Path, cmd.Dir)
	if err != nil {
		return resolved{}, err
	}
	id := rand.Text()
	cmd.Env = withVariable(cmd.Env, TreeVariable, id)
	cmd.Path = path
	return resolved{Command: cmd, id: id}, nil
}

// findProgram returns an absolute path for the program name, or a sentence that
// says why there is none.
func findProgram(name, dir string) (string, error) {
	if name == "" {
		return "", errors.New("no program can be started because the command is empty; give the program's name or path")
	}
	if dir != "" {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return "", fmt.Errorf("%q cannot be started in %q because there is no such directory; create it or choose another", name, dir)
		}
	}
	if hasSeparator(name) && !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", startError(name, err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", fmt.Errorf("%q cannot be started because the current directory is gone: %w", name, err)
	}
	return path, nil
}

// hasSeparator reports whether name is a path and not a name for PATH.
func hasSeparator(name string) bool {
	return strings.ContainsRune(filepath.ToSlash(name), '/')
}

// startError turns the system's reason into a sentence with what to do next.
func startError(name string, err error) error {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%q cannot be started because no such program is in PATH; install it, or give its full path (%w)", name, err)
	case errors.Is(err, exec.ErrDot):
		return fmt.Errorf("%q is not started because it was found in the current directory only; give its path if it is meant (%w)", name, err)
	case errors.Is(err, fs.ErrNotExist):
		if _, statErr := os.Stat(name); statErr == nil {
			return fmt.Errorf("%q cannot be started because the interpreter or loader it names does not exist; install that (%w)", name, err)
		}
		return fmt.Errorf("%q cannot be started because there is no such file; check the path (%w)", name, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%q cannot be started because it is not an executable file for this user; check its permissions (%w)", name, err)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%q cannot be started because it is no program for this system; if it is a script, its first line must name an interpreter (%w)", name, err)
	}
	return fmt.Errorf("%q cannot be started: %w", name, err)
}

// withVariable returns env with name set to value. Of several entries for one
// name the last is kept, as a shell would do it.
func withVariable(env []string, name, value string) []string {
	all := append(slices.Clone(env), name+"="+value)
	last := make(map[string]int, len(all))
	for i, entry := range all {
		key, _, _ := strings.Cut(entry, "=")
		last[key] = i
	}
	out := make([]string, 0, len(all))
	for i, entry := range all {
		if key, _, _ := strings.Cut(entry, "="); last[key] == i {
			out = append(out, entry)
		}
	}
	return out
}

// openStreams returns the three standard streams with the null device in place
// of those that are nil, and a function that closes what was opened here.
func openStreams(cmd Command) ([3]*os.File, func(), error) {
	streams := [3]*os.File{cmd.Stdin, cmd.Stdout, cmd.Stderr}
	if cmd.Stdin != nil && cmd.Stdout != nil && cmd.Stderr != nil {
		return streams, func() {}, nil
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return streams, nil, fmt.Errorf("%q cannot be started because the null device cannot be opened: %w", cmd.Path, err)
	}
	for i, f := range streams {
		if f == nil {
			streams[i] = null
		}
	}
	return streams, func() { null.Close() }, nil
}
