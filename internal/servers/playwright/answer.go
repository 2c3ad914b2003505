package playwright

// Reading a text answer of Playwright MCP: its sections and what each says.

import (
	"regexp"
	"slices"
	"strings"
)

// answer is the parts of a text answer of Playwright MCP 0.0.83: sections, each
// under a heading of its own, in a fixed order.
type answer struct {
	head    string // what stands before the page's sections: a result or an error
	tabs    []tab  // "### Open tabs", only with two or more
	url     string
	title   string
	console string   // "2 errors, 0 warnings"
	facts   []string // what else is said of the page, such as "HTTP status: 404 Not Found"
	modals  []string
	file    string // the file the snapshot was written to; empty when it is inline
	tree    string // the snapshot itself, when it is inline
	inline  bool
	events  []string
	hasPage bool // there is a "### Page" section
}

// tab is one line of the list of open tabs.
type tab struct {
	current    bool
	title, url string
}

var (
	tabLine      = regexp.MustCompile(`^- (\d+): (\(current\) )?\[(.*)\]\((.*)\)(?: \[crashed\])?$`)
	snapshotLink = regexp.MustCompile(`^- \[Snapshot\]\((.*)\)$`)
)

// pageSections are the sections about the page, in upstream's order.
var pageSections = []string{"### Open tabs", "### Page", "### Modal state", "### Snapshot", "### Events"}

// parseAnswer takes an answer apart. It reports false when the page's part is
// not understood; the answer must then pass as it is.
//
// The first heading of the page's part is upstream's own: what stands before it, a
// script's result, is written as JSON on one line. Behind it only a dialog's message
// can hold line breaks, and with a dialog there is no snapshot.
func parseAnswer(text string) (answer, bool) {
	var a answer
	lines := strings.Split(text, "\n")
	start := firstSection(lines)
	if start < 0 {
		a.head = text
		return a, true
	}
	a.head = strings.TrimSuffix(strings.Join(lines[:start], "\n"), "\n")
	for next := 0; start < len(lines); {
		name := lines[start]
		next = slices.Index(pageSections, name) + 1
		end := start + 1
		for end < len(lines) && !slices.Contains(pageSections[next:], lines[end]) {
			end++
		}
		if name == "### Modal state" {
			end = len(lines)
			if events := lastLine(lines, "### Events"); events > start {
				end = events
			}
		}
		if !a.section(name, lines[start+1:end]) {
			return answer{}, false
		}
		a.hasPage = a.hasPage || name == "### Page"
		start = end
	}
	if !a.hasPage {
		return answer{head: text}, true
	}
	return a, true
}

// firstSection is the line on which the page's part begins, -1 without one. The
// code that upstream has run holds what the agent sent.
func firstSection(lines []string) int {
	inCode := false
	for i, line := range lines {
		switch {
		case line == "```js" && i > 0 && lines[i-1] == "### Ran Playwright code":
			inCode = true
		case line == "```":
			inCode = false
		case !inCode && (line == "### Open tabs" || line == "### Page"):
			return i
		}
	}
	return -1
}

func lastLine(lines []string, want string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i] == want {
			return i
		}
	}
	return -1
}

// section reads one section's lines; false when one is unknown.
func (a *answer) section(name string, lines []string) bool {
	lines = trimBlank(lines)
	switch name {
	case "### Open tabs":
		for _, line := range lines {
			m := tabLine.FindStringSubmatch(line)
			if m == nil {
				return false
			}
			a.tabs = append(a.tabs, tab{current: m[2] != "", title: m[3], url: m[4]})
		}
	case "### Page":
		for _, line := range lines {
			key, value, _ := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
			switch key {
			case "Page URL":
				a.url = value
			case "Page Title":
				a.title = value
			case "Console":
				a.console = value
			default:
				a.facts = append(a.facts, strings.TrimPrefix(line, "- "))
			}
		}
	case "### Modal state":
		if n := len(lines); n > 2 && lines[n-2] == "### Snapshot" && snapshotLink.MatchString(lines[n-1]) {
			lines = lines[:n-2] // of a page that stands still behind a dialog it shows nothing
		}
		for i, line := range lines {
			if i > 0 && (!strings.HasPrefix(line, "- [") || strings.Contains(a.modals[0], ` dialog with message "`)) {
				// A dialog's message may hold line breaks, with anything behind them.
				a.modals[len(a.modals)-1] += `\n` + line
				continue
			}
			a.modals = append(a.modals, strings.TrimPrefix(line, "- "))
		}
	case "### Snapshot":
		return a.snapshot(lines)
	case "### Events":
		for _, line := range lines {
			a.events = append(a.events, strings.TrimPrefix(line, "- "))
		}
	}
	return true
}

// snapshot reads the section that holds the tree or the link to its file.
func (a *answer) snapshot(lines []string) bool {
	if len(lines) == 1 {
		if m := snapshotLink.FindStringSubmatch(lines[0]); m != nil {
			a.file = m[1]
			return true
		}
	}
	if len(lines) >= 2 && lines[0] == "```yaml" && lines[len(lines)-1] == "```" {
		a.inline, a.tree = true, strings.Join(lines[1:len(lines)-1], "\n")
		return true
	}
	return false
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
