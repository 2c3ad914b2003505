package playwright

// How long calls may take.

import (
	"encoding/json"
	"time"

	"github.com/playguard/playguard/internal/argv"
	"github.com/playguard/playguard/internal/jsonrpc"
)

// Playwright MCP's own limits (0.0.83), unless its flags say otherwise.
const (
	navigationLimit = 60 * time.Second
	actionLimit     = 5 * time.Second
)

// deadlines returns the Deadline of the row: the tool's own limits, and on top of
// them what the settings allow.
func deadlines(o Options, env []string) func(params []byte) time.Duration {
	c := o.Config
	navigation := ownLimit(c.PlaywrightArgs, env, "timeout-navigation", "PLAYWRIGHT_MCP_TIMEOUT_NAVIGATION", navigationLimit)
	action := ownLimit(c.PlaywrightArgs, env, "timeout-action", "PLAYWRIGHT_MCP_TIMEOUT_ACTION", actionLimit)
	return func(params []byte) time.Duration {
		tool := jsonrpc.StringMember(params, "name")
		if limit, ok := c.ToolTimeouts[tool]; ok {
			return limit
		}
		if c.BrowserTimeout == 0 {
			return 0
		}
		args, _ := jsonrpc.Member(params, "arguments")
		switch {
		case navigations[tool] || tool == tabsTool:
			return navigation + c.BrowserTimeout
		case tool == "browser_wait_for":
			var seconds float64
			if v, ok := jsonrpc.Member(args, "time"); ok {
				_ = json.Unmarshal(v, &seconds) // what is no number is refused by upstream
			}
			return time.Duration(seconds*float64(time.Second)) + action + c.BrowserTimeout
		}
		return action + c.BrowserTimeout
	}
}

func ownLimit(args, env []string, flag, variable_ string, otherwise time.Duration) time.Duration {
	text, given := argv.Flag(args, flag)
	if !given {
		text = variable(env, variable_)
	}
	var ms int64
	if json.Unmarshal([]byte(text), &ms) != nil || ms < 0 {
		return otherwise
	}
	return time.Duration(ms) * time.Millisecond
}
