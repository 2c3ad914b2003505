package playwright

// The errors of a browser that could not be started.

import (
	"strings"
	"testing"
)

// What Playwright MCP answers where a browser cannot be started.
const failedStart = "### Error\nError: async initializeServer: Target page, context or browser has been closed\nBrowser logs:\n\n" +
	"╔═══════════╗\n║ Looks like you launched a headed browser without having a XServer running.    ║\n║                 ║\n║ <3 Playwright Team ║\n╚═══════════╝\n" +
	"Call log:\n  - <launching> /usr/bin/chromium --disable-sync --no-startup-window\n  - <launched> pid=7\n" +
	"  - [pid=7][err] [7:7:ERROR:ozone_platform_x11.cc:257] Missing X server or $DISPLAY\n" +
	"  - [pid=7] <gracefully close start>\n  - [pid=7] <kill>\n  - [pid=7] <process did exit: exitCode=1, signal=null>\n" +
	"  - [pid=7] starting temporary directories cleanup\n"

func TestErrorText(t *testing.T) {
	many := "Error: no\nCall log:" + launching + "chrome\n" + strings.Repeat("  - [pid=7][err] again\n", 30)
	for text, want := range map[string]string{
		failedStart: "Error: async initializeServer: Target page, context or browser has been closed\n" +
			"Looks like you launched a headed browser without having a XServer running.\n" +
			"[7:7:ERROR:ozone_platform_x11.cc:257] Missing X server or $DISPLAY\nprocess did exit: exitCode=1, signal=null",
		many:                                  "no" + strings.Repeat("\nagain", maxLaunchLines),
		"### Error\nError: \x1b[2mno\x1b[22m": "no",
		"Error: no\nCall log:\n  - waiting for x": "no\nCall log:\n  - waiting for x",
	} {
		if got := errorText(text); strings.ReplaceAll(got, "Error: ", "") != strings.ReplaceAll(want, "Error: ", "") {
			t.Errorf("%q became\n%q, want\n%q", text, got, want)
		}
	}
}

// The words that tell what to do stand at the end of such a log.
func TestFailedStartIsExplained(t *testing.T) {
	r := &row{}
	for text, part := range map[string]string{
		failedStart: "add --headless",
		"### Error\nError: no\nBrowser logs:\n\n\n\nCall log:" + launching + "c\n  - [pid=7][err] Running as root without --no-sandbox is not supported.": "add --no-sandbox",
	} {
		got, _ := r.explain(text)
		if !strings.Contains(got, part) || strings.Contains(got, "<launched>") || strings.Contains(got, "--disable-sync") {
			t.Errorf("%q became %q", text, got)
		}
	}
}
