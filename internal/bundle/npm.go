package bundle

// npm: running it, following what it does, and telling why it failed.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/proctree"
)

// beat is the longest time between two progress lines.
const beat = time.Second

// succeeded is what proctree says of a program that ended without an error.
const succeeded = "exited with status 0"

// npmArgs installs exactly the lock file in dir. The flags behind the first line
// undo settings of the user, or of an npm that PlayGuard was started by, which
// would turn the command into another: a global install, no lock file, a layout
// of packages that Locate does not know.
func npmArgs(dir string) []string {
	return []string{
		"ci", "--ignore-scripts", "--no-audit", "--no-fund",
		"--prefix=" + dir, "--global=false", "--dry-run=false", "--package-lock=true", "--workspaces=false",
		"--omit=dev", "--include=prod", "--install-strategy=hoisted", "--bin-links=false",
		"--loglevel=http", "--no-progress", "--color=false", "--no-update-notifier",
		"--fetch-retries=2", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=10000", "--fetch-timeout=60000",
	}
}

// runNPM runs npm ci in dir and calls progress at least every second. When ctx
// ends, npm is killed with all it started before runNPM returns.
//
// npm gets the whole environment: it is the user's own program, no package's
// script runs, and an .npmrc may refer to any variable (mirrors, certificates,
// tokens).
func runNPM(ctx context.Context, dir string, progress func(string)) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return fmt.Errorf("npm, which comes with Node.js, is not on the PATH (%w); install it, then run: playguard setup", err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("no pipe to npm could be made: %w", err)
	}
	defer read.Close()
	tree, err := proctree.Start(proctree.Command{
		Path: npm, Args: npmArgs(dir), Dir: dir, Env: os.Environ(), Stdout: write, Stderr: write,
	})
	write.Close()
	if err != nil {
		return fmt.Errorf("npm could not be started: %w", err)
	}
	lines := make(chan string)
	go func() {
		// Ends when npm and its children have closed the pipe, or with read.Close.
		defer close(lines)
		scanLines(read, lines)
	}()
	var tail []string
	activity, started := "asking the registry", time.Now()
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for open, stop := true, ctx.Done(); open; {
		select {
		case <-stop:
			tree.Kill()
			stop = nil
			read.Close()
		case line, ok := <-lines:
			if open = ok; !ok {
				break
			}
			if what := fetched(line); what != "" {
				activity = "received " + what
			} else if tail = append(tail, line); len(tail) > 200 {
				tail = tail[1:]
			}
		case <-ticker.C:
			progress(fmt.Sprintf("Installing %s (%d s): %s", title(), int(time.Since(started).Seconds()), activity))
		}
	}
	select {
	case <-tree.Done():
	case <-ctx.Done():
		tree.Kill()
	}
	if ctx.Err() != nil {
		return fmt.Errorf("the installation was broken off: %w", context.Cause(ctx))
	}
	if exit := tree.Exit(); exit != succeeded {
		return npmError(exit, tail)
	}
	return nil
}

// scanLines sends each line of r; a longer one than a megabyte is cut there.
func scanLines(r io.Reader, lines chan<- string) {
	in := bufio.NewReaderSize(r, 1<<20)
	for {
		line, _, err := in.ReadLine()
		if err != nil {
			return
		}
		lines <- string(line)
	}
}

var fetchLine = regexp.MustCompile(`^npm http fetch GET \d+ (\S+)`)

// fetched is the name of what a log line says was loaded, "" for other lines.
func fetched(line string) string {
	match := fetchLine.FindStringSubmatch(line)
	if match == nil {
		return ""
	}
	u, err := url.Parse(match[1])
	if err != nil {
		return ""
	}
	// A scoped package's own page is …/@scope%2fname, and Path is unescaped.
	return path.Base(u.Path)
}

// Codes of npm and of the system, by what the user can do about them.
var (
	offline = regexp.MustCompile(`\b(ENOTFOUND|EAI_AGAIN|EAI_FAIL|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|ETIMEOUT)\b`)
	full    = regexp.MustCompile(`\b(ENOSPC|EDQUOT)\b`)
	altered = regexp.MustCompile(`\bEINTEGRITY\b`)
	unknown = regexp.MustCompile(`\b(E401|E403|E404|ETARGET|ENOVERSIONS)\b`)
)

// npmError makes one sentence of npm's output: what failed, npm's own words, and
// the command that repairs it.
func npmError(exit string, output []string) error {
	all := strings.Join(output, "\n")
	what, repair := "npm "+exit+" while installing "+title(), "correct that"
	switch {
	case full.MatchString(all):
		what, repair = "the disk is full, so "+title()+" could not be installed", "free 100 MB in the data directory and npm's cache"
	case altered.MatchString(all):
		what, repair = "npm was given a package that is not the pinned one", "run npm cache clean --force"
	case offline.MatchString(all):
		what, repair = "npm could not reach the package registry", "check the network and npm's proxy setting"
	case unknown.MatchString(all):
		what, repair = "the package registry does not give out "+title(), "check npm's registry setting"
	}
	said := credentials.ReplaceAllString(npmWords(output), "://")
	if said != "" {
		said = " (npm: " + said + ")"
	}
	return errors.New(what + said + "; " + repair + ", then run: playguard setup")
}

// noise is what npm prints around its reason: codes that the reason repeats, a
// stack, a dumped object, the place of its log.
var noise = regexp.MustCompile(`^(code|errno|syscall|path|dest) |^\s|^}|^A complete log|^If you are behind a proxy`)

// credentials are what stands before the host of a URL.
var credentials = regexp.MustCompile(`://[^/@\s]+@`)

// npmWords picks npm's reason out of its output: at most its last three error
// lines or, if it printed none, its last line.
func npmWords(output []string) string {
	var words []string
	last := ""
	for _, line := range output {
		line = strings.TrimRight(line, " \r")
		if line != "" {
			last = line
		}
		rest, isError := strings.CutPrefix(line, "npm error")
		if !isError {
			// The prefix of npm before version 10.
			rest, isError = strings.CutPrefix(line, "npm ERR!")
		}
		rest = strings.TrimPrefix(rest, " ")
		if isError && rest != "" && !noise.MatchString(rest) {
			words = append(words, rest)
		}
	}
	if len(words) == 0 {
		return last
	}
	return strings.Join(words[max(0, len(words)-3):], " / ")
}
