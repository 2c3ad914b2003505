// Package reread is the tool playguard_read, by which an agent gets back what
// was cut from an answer.
package reread

import (
	"context"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/upstream"
)

// Name is the tool's name.
const Name = "playguard_read"

// definition is read in every session, so it says only what can't be guessed.
const definition = `{"name":"` + Name + `","description":"Get back what PlayGuard cut from an answer, by the id it gave.","inputSchema":{"type":"object","properties":{` +
	`"id":{"type":"string"},"grep":{"type":"string","description":"Only lines that match this regexp"},` +
	`"from":{"type":"integer","description":"First line, from 1"},"lines":{"type":"integer","description":"Default 200"}},"required":["id"]},` +
	`"annotations":{"readOnlyHint":true}}`

const (
	defaultLines = 200
	// maxChars bounds one answer, below what clients cut off themselves.
	maxChars = 40_000
	// maxLine is where a longer line is broken, so that the text of one line,
	// as JSON often is, can be read in parts.
	maxLine = 2_000
)

// Call is the ready call that gives back a text, for the notice that it was cut.
func Call(id string) string { return Name + ` {"id":"` + id + `"}` }

// Tool returns the tool over a store.
func Tool(s *store.Store) upstream.Own {
	return upstream.Own{Definition: mcp.Tool(definition), Handle: func(_ context.Context, call *upstream.Call) ([]byte, error) {
		q, problem := readQuery(call.Arguments())
		if problem != "" {
			return mcp.ErrorResult(problem), nil
		}
		text, ok := s.Get(q.id)
		if !ok {
			return mcp.ErrorResult(fmt.Sprintf("Nothing is kept under the id %q: it has expired or was never given. Repeat the call whose answer was cut.", q.id)), nil
		}
		return mcp.TextResult(q.answer(text)), nil
	}}
}

// query is what one call asks for.
type query struct {
	id    string
	grep  *regexp.Regexp // nil: all lines
	shown string         // the pattern, to say how to go on
	from  int            // from 1
	lines int
}

// readQuery reads the arguments. A problem is the text that answers the call.
func readQuery(args []byte) (q query, problem string) {
	if q.id = word(args, "id"); q.id == "" {
		return q, "playguard_read needs the id that stands in the notice of the cut answer."
	}
	if q.from, problem = positive(args, "from", 1); problem != "" {
		return q, problem
	}
	if q.lines, problem = positive(args, "lines", defaultLines); problem != "" {
		return q, problem
	}
	if q.shown = word(args, "grep"); q.shown != "" {
		var err error
		if q.grep, err = regexp.Compile(q.shown); err != nil {
			reason := err.Error()
			if e, ok := err.(*syntax.Error); ok {
				reason = e.Code.String()
			}
			return q, fmt.Sprintf(`%q is no regular expression (%s). Put a backslash before characters that are meant literally; (?i) ignores case.`, q.shown, reason)
		}
	}
	return q, ""
}

// word returns an argument that may be written as a string or as a number.
func word(args []byte, name string) string {
	v, ok := jsonrpc.Member(args, name)
	switch {
	case !ok || string(v) == "null":
		return ""
	case v[0] == '"':
		return jsonrpc.StringMember(args, name)
	}
	return string(v)
}

func positive(args []byte, name string, def int) (n int, problem string) {
	given := word(args, name)
	if given == "" {
		return def, ""
	}
	f, err := strconv.ParseFloat(given, 64)
	if err != nil || f < 1 || f > 1<<31 || f != float64(int(f)) {
		return 0, fmt.Sprintf("%s must be a whole number from 1 on, not %s.", name, given)
	}
	return int(f), ""
}

// answer picks the lines asked for, and says first which they are and how to go
// on.
func (q query) answer(text string) string {
	lines, match := split(text, q.grep)
	var out strings.Builder
	shown, last, next := 0, 0, 0
	for i := q.from - 1; i < len(lines); i++ {
		if q.grep != nil && !match[i] {
			continue
		}
		line := lines[i]
		if q.grep != nil {
			line = strconv.Itoa(i+1) + ": " + line
		}
		if shown == q.lines || shown > 0 && out.Len()+len(line) >= maxChars {
			next = i + 1
			break
		}
		out.WriteByte('\n')
		out.WriteString(line)
		shown++
		last = i + 1
	}
	return q.head(shown, last, next, len(lines)) + out.String()
}

// head is the first line.
func (q query) head(shown, last, next, all int) string {
	what := fmt.Sprintf("lines %d-%d of %d", q.from, last, all)
	switch {
	case q.grep != nil:
		what = fmt.Sprintf("%d matching lines from line %d on, of %d", shown, q.from, all)
	case shown == 0:
		what = fmt.Sprintf("no line %d, there are %d", q.from, all)
	}
	if next == 0 {
		return "[PlayGuard: " + what + "]"
	}
	grep, lines := "", ""
	if q.grep != nil {
		grep = `,"grep":` + string(jsonrpc.Quote(q.shown))
	}
	if q.lines != defaultLines {
		lines = `,"lines":` + strconv.Itoa(q.lines)
	}
	return fmt.Sprintf(`[PlayGuard: %s; go on: %s {"id":"%s"%s,"from":%d%s}]`, what, Name, q.id, grep, next, lines)
}

// split breaks a text into lines of at most maxLine bytes. match says which of
// them hold a part of a match of a whole line; it is nil without a pattern.
func split(text string, grep *regexp.Regexp) (lines []string, match []bool) {
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		first := len(lines)
		starts := []int{}
		at := 0
		for rest := line; ; {
			n := pieceEnd(rest)
			lines, starts = append(lines, rest[:n]), append(starts, at)
			if rest, at = rest[n:], at+n; rest == "" {
				break
			}
		}
		if grep == nil {
			continue
		}
		match = append(match, make([]bool, len(starts))...)
		for _, m := range grep.FindAllStringIndex(line, -1) {
			for i, start := range starts {
				end := start + len(lines[first+i])
				if m[0] < end && m[1] > start || m[0] == m[1] && m[0] >= start && m[0] <= end {
					match[first+i] = true
				}
			}
		}
	}
	return lines, match
}

// pieceEnd is where a line is broken: between characters.
func pieceEnd(line string) int {
	if len(line) <= maxLine {
		return len(line)
	}
	end := maxLine
	for end > maxLine-4 && line[end]&0xC0 == 0x80 {
		end--
	}
	return end
}
