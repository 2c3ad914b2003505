package playwright

// Upstream's errors in short. The log of a browser that could not be started is
// long, and few words in it tell anything.

import (
	"errors"
	"regexp"
	"strings"
)

const (
	// launching begins the log of a start, with the browser's whole command line.
	launching = "\n  - <launching> "
	// maxLaunchLines bounds what the browser has said itself.
	maxLaunchLines = 8
)

// launchNote is what the browser itself has written, or how it has ended.
var launchNote = regexp.MustCompile(`^  - \[pid=\d+\](?:\[(?:err|out)\] | <(process did exit: [^>]*)>)(.*)$`)

// isLaunchLog reports whether an error is that of a browser that could not be
// started. It has no page that could word it.
func isLaunchLog(text string) bool { return strings.Contains(text, "Call log:"+launching) }

// shortLaunchLog reduces the log of a start to what the browser has said and how it
// has ended. What else there is in the text stays, without frames.
func shortLaunchLog(text string) string {
	if !isLaunchLog(text) {
		return text
	}
	before, log, _ := strings.Cut(text, "Call log:"+launching)
	var out []string
	for line := range strings.Lines(before) {
		if line = strings.Trim(line, " \n║╔╗╚╝═"); line != "" && line != "Browser logs:" && line != "<3 Playwright Team" {
			out = append(out, line)
		}
	}
	said := 0
	for line := range strings.Lines(log) {
		m := launchNote.FindStringSubmatch(strings.TrimRight(line, "\n"))
		switch {
		case m == nil || m[1] == "" && said == maxLaunchLines:
		case m[1] != "":
			out = append(out, m[1])
		default:
			said++
			out = append(out, strings.TrimSpace(m[2]))
		}
	}
	return strings.Join(out, "\n")
}

// errorText is an upstream's error without its heading, and the log of a start in
// short.
func errorText(text string) string {
	text = ansi.ReplaceAllString(strings.TrimPrefix(strings.TrimPrefix(text, "### Error\n"), "Error: "), "")
	return strings.TrimSpace(shortLaunchLog(text))
}

func orText(err error, text string) error {
	if err != nil {
		return err
	}
	return errors.New(errorText(text))
}
