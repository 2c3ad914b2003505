package playwright

// Failures that no second try mends, and what the user can do about them.

import "strings"

// trouble is a failure of the machine, as upstream words it, and what to do.
type trouble struct {
	signs  []string // one of them is in the text
	remedy string
}

// troubles are looked for in the texts of errors in this order.
var troubles = []trouble{
	{[]string{"Browser is already in use", "ProcessSingleton", "SingletonLock", "profile appears to be in use"},
		"Another browser uses this profile: close it, or add --isolated or another --user-data-dir to PLAYWRIGHT_MCP_ARGS."},
	{[]string{"Missing X server", "without having a XServer", "$DISPLAY", "cannot open display", "Can't open display"},
		"There is no display: add --headless to PLAYWRIGHT_MCP_ARGS, or set DISPLAY."},
	{[]string{"ENOSPC", "No space left on device", "no space left on device", "not enough space on the disk"},
		"The disk is full: make room, or set TMPDIR or PLAYGUARD_OUTPUT_DIR to a folder with room."},
	{[]string{"Executable doesn't exist", "is not found at", "spawn ENOENT", "Failed to launch: Error: spawn", "executable doesn't exist"},
		"The browser is not there: check --executable-path and --browser in PLAYWRIGHT_MCP_ARGS; `playguard setup` says what is found."},
	{[]string{"error while loading shared libraries", "Host system is missing dependencies", "Missing system dependencies"},
		"The browser lacks libraries of the system: install what the text names."},
	{[]string{"Running as root without --no-sandbox", "No usable sandbox"},
		"The browser's sandbox does not work here: add --no-sandbox to PLAYWRIGHT_MCP_ARGS if the machine is trusted."},
	{[]string{"connect ECONNREFUSED", "connect ENOENT", "connectOverCDP", "WebSocket error", "retrieving websocket url"},
		"The browser that Playwright MCP is to connect to is not reachable. PlayGuard does not start it: start it, with its debugging port or Playwright server open."},
}

// silentPage is what keeps Playwright MCP from a browser that can be reached: it waits for
// an answer of each page.
const silentPage = "The browser can be reached, but a page in it does not answer: a dialog may stand open there, or it hangs or has crashed. Close the dialog, or the page."

// remedyFor returns what to do about an error, empty if it is none of the known
// troubles.
func remedyFor(text string) string {
	if strings.Contains(text, "<ws connected>") && !strings.Contains(text, "<ws disconnected>") {
		return silentPage // the connection itself has come about
	}
	for _, t := range troubles {
		for _, sign := range t.signs {
			if strings.Contains(text, sign) {
				return t.remedy
			}
		}
	}
	return ""
}
