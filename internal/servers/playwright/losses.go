package playwright

// What tools have set for the whole browser context and a restoration does not
// bring back: mocked answers of servers, and being offline. An action on a page
// without them would meet the real servers.

import (
	"strings"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
)

const (
	routeTool   = "browser_route"
	unrouteTool = "browser_unroute"
	networkTool = "browser_network_state_set"
)

// contextSettings are those of the context that there is, and what was lost of the one
// before.
type contextSettings struct {
	routes  []string // their patterns
	offline bool
	lost    string // what is lost and was not set again, as a sentence has it
	// told is the number of the last call from before the agent was told; 0 while
	// it has not been.
	told int
}

// lose notes that the context is another one, and reports whether anything is
// lost by it.
func (s *contextSettings) lose() bool {
	var lost []string
	if len(s.routes) > 0 {
		lost = append(lost, "the routes of "+routeTool+" ("+strings.Join(s.routes, ", ")+")")
	}
	if s.offline {
		lost = append(lost, "being offline")
	}
	if len(lost) == 0 {
		return false
	}
	*s = contextSettings{lost: strings.Join(lost, " and ")}
	return true
}

// note takes in what a call has set.
func (s *contextSettings) note(tool string, args []byte) {
	pattern := jsonrpc.StringMember(args, "pattern")
	switch tool {
	case routeTool:
		s.routes = append(s.routes, pattern)
	case unrouteTool:
		var rest []string
		for _, r := range s.routes {
			if pattern != "" && r != pattern {
				rest = append(rest, r)
			}
		}
		s.routes = rest
	case networkTool:
		s.offline = jsonrpc.StringMember(args, "state") == "offline"
	}
}

// noteSettings takes in what a call that was answered has set.
func (v *recovery) noteSettings(c *sent, resp jsonrpc.Message, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil && !resp.Error.Present() && !mcp.IsError(resp.Bytes(resp.Result)) {
		v.settings.note(c.tool, c.args)
	}
}

// withoutSettings refuses an action that the agent has asked for before it could
// know that the routes or being offline are lost.
func (v *recovery) withoutSettings(c *sent) (refusal string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s := &v.settings
	if s.lost == "" || c.kind.repeatable() || c.tool == closeTool || s.told != 0 && c.number > s.told {
		return ""
	}
	if s.told == 0 {
		s.told = v.last // that form input is lost comes with the next answer
	}
	return "[PlayGuard] " + v.done.phrase() + ", and with it " + s.lost + " were lost. " + c.tool + " was not done without them: set them again first."
}

// lostNote is what a notice adds of the settings, and notes that it was said.
// Called with mu.
func (v *recovery) lostNote() string {
	s := &v.settings
	if s.lost == "" || s.told != 0 {
		return ""
	}
	s.told = v.last
	return "; lost: " + s.lost
}
