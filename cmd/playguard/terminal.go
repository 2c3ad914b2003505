package main

// What the server says when a user starts it by hand.

import (
	"fmt"
	"io"
	"os"
)

// printClientSetup tells somebody who has started the server by hand how to put
// it into a client.
func printClientSetup(w io.Writer) {
	self, err := os.Executable()
	if err != nil {
		self = "playguard"
	}
	fmt.Fprintf(w, `PlayGuard is an MCP server: an MCP client starts it and talks to it over stdio.

Claude Code:
  claude mcp add playguard -- %[1]q

Cursor, Claude Desktop and most others (mcp.json, claude_desktop_config.json):
  {"mcpServers": {"playguard": {"command": %[1]q}}}

Codex (~/.codex/config.toml):
  [mcp_servers.playguard]
  command = %[1]q

First time here?
  playguard setup   installs Playwright MCP and looks for a browser
  playguard demo    shows it at work
  playguard help    lists the commands
`, self)
}
