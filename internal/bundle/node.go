package bundle

// Node.js: the one thing that must be on the machine already.

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// MinNode is the oldest major version of Node.js that the pinned packages run
// on (engines of playwright-core).
const MinNode = 20

// nodePatience is how long node may take to print its version, on a machine
// that is busy starting everything else.
const nodePatience = 20 * time.Second

const getNode = "install Node.js %d or newer from https://nodejs.org or with the system's package manager, and start the MCP client anew if it has an older PATH"

// CheckNode finds node on the PATH and asks it for its version, which starts a
// process. It returns the path and the version without its v. The error says
// what to install.
func CheckNode(ctx context.Context) (path, version string, err error) {
	install := fmt.Sprintf(getNode, MinNode)
	path, err = exec.LookPath("node")
	if err != nil {
		return "", "", fmt.Errorf("the browser tools need Node.js, but no node is on the PATH (%w); %s", err, install)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, nodePatience, fmt.Errorf("it printed nothing for %v", nodePatience))
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return path, "", fmt.Errorf("the check of %s was broken off: %w", path, context.Cause(ctx))
	}
	if err != nil {
		return path, "", fmt.Errorf("%s does not run (%w); %s", path, err, install)
	}
	version, isVersion := strings.CutPrefix(strings.TrimSpace(string(out)), "v")
	major, _, _ := strings.Cut(version, ".")
	number, err := strconv.Atoi(major)
	if !isVersion || err != nil {
		return path, "", fmt.Errorf("%s gives %q instead of a version; %s", path, out, install)
	}
	if number < MinNode {
		return path, version, fmt.Errorf("the browser tools need Node.js %d or newer, but %s is %s; %s", MinNode, path, version, install)
	}
	return path, version, nil
}
