package aria

// This file is the live path: one text block of an answer in, the text for
// the agent out.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Format is how the view is written (PLAYGUARD_FORMAT).
type Format uint8

const (
	// FormatDense is the form of docs/snapshot-format.md.
	FormatDense Format = iota
	// FormatYAML writes lines as upstream does.
	FormatYAML
)

// Options say how an answer is compacted. The zero value is the default:
// all text, dense, every handle of the leaf rule, upstream's refs.
type Options struct {
	Text    TextMode
	Format  Format
	Handles HandlesMode
	// URLs shows the target of every link.
	URLs bool
	// Refs prints upstream's refs for elements that have a number too.
	Refs bool
	// Identify, if set, is called with the tree before it is shown, so that
	// its elements get their numbers.
	Identify func(*Tree)
}

// Result is a compacted answer and its figures. Bytes count the whole text,
// lines those of the tree.
type Result struct {
	Text                string
	RawBytes, KeptBytes int
	RawLines, KeptLines int
	// Interactive is the number of handles kept.
	Interactive int
	// Cut is the number of characters of running text left out.
	Cut int
	// Skipped is why a text with an inline tree was not understood; it is
	// nil when the text has no tree.
	Skipped error
}

// Answer is a text block of an answer that holds an accessibility tree.
type Answer struct {
	Tree  *Tree
	parts answerParts
	raw   string
}

// ReadAnswer finds and parses the tree in a text block. It returns nil and no
// error if there is none in it, and an error if the tree is not understood: the
// text must then be passed on unchanged.
func ReadAnswer(text string) (*Answer, error) {
	parts, ok := splitAnswer(text)
	if !ok {
		return nil, nil
	}
	tree, err := Parse(parts.tree)
	if err != nil {
		return nil, err
	}
	return &Answer{Tree: tree, parts: parts, raw: text}, nil
}

// Around returns all of the answer but the tree, shortened, up to the heading
// that the tree goes below.
func (a *Answer) Around(f Format) string {
	return string(a.parts.appendOutside(nil, f))
}

// Result puts the view in the place of the tree. If the text would not be
// smaller, Result.Text is the original.
func (a *Answer) Result(v *View) Result {
	res := Result{
		Text: a.raw, RawBytes: len(a.raw), KeptBytes: len(a.raw),
		RawLines: a.Tree.Lines, KeptLines: a.Tree.Lines, Interactive: v.view.handles,
	}
	body, lines := v.Render()
	out := make([]byte, 0, len(a.raw)-len(a.parts.tree)+len(body)+256)
	out = a.parts.appendOutside(out, v.opt.Format)
	if v.opt.Format == FormatYAML {
		out = append(append(append(out, "```yaml\n"...), body...), "\n```"...)
	} else {
		out = append(out, body...)
	}
	header, total := header(lines, a.Tree.Lines, len(a.raw), len(out), v.view.cut)
	if total >= len(a.raw) {
		return res
	}
	res.Text = header + string(out)
	res.KeptBytes, res.KeptLines, res.Cut = len(res.Text), lines, v.view.cut
	return res
}

// Compact rewrites one text block of an answer that holds an accessibility
// tree. The second result is false if there is no tree in it, or none that
// is understood (Result.Skipped then says why): the text must then be passed
// on unchanged. If the rewritten text would not be smaller, Result.Text is
// the original.
func Compact(answer string, o Options) (Result, bool) {
	a, err := ReadAnswer(answer)
	if a == nil {
		return Result{Text: answer, RawBytes: len(answer), KeptBytes: len(answer), Skipped: err}, false
	}
	if o.Identify != nil {
		o.Identify(a.Tree)
	}
	return a.Result(NewView(a.Tree, o)), true
}

// header returns the first line and the length of the whole text, whose size
// the line itself states.
func header(kept, raw, rawBytes, bodyBytes, cut int) (string, int) {
	note := ""
	if cut > 0 {
		note = fmt.Sprintf(`; %d characters of text cut, text:"full" shows them`, cut)
	}
	total := bodyBytes
	for {
		percent := 0
		if rawBytes > 0 {
			percent = max(0, 100*(rawBytes-total)/rawBytes)
		}
		line := fmt.Sprintf("[PlayGuard compact: %d/%d lines, ~%d%% removed, %s→%s%s]\n",
			kept, raw, percent, kilobytes(rawBytes), kilobytes(total), note)
		if len(line)+bodyBytes <= total {
			return line, len(line) + bodyBytes
		}
		total = len(line) + bodyBytes
	}
}

// kilobytes formats a size in units of 1,024 bytes.
func kilobytes(n int) string {
	return strconv.FormatFloat(float64(n)/1024, 'f', 1, 64) + "KB"
}

// answerParts are the pieces of an answer around its tree.
type answerParts struct {
	before, prelude, tree, after string
}

const (
	fenceOpen  = "### Snapshot\n```yaml\n"
	fenceClose = "\n```"
)

// splitAnswer finds the tree of an answer. No line inside the fence can look
// like its end, because every line there starts with a dash.
func splitAnswer(answer string) (answerParts, bool) {
	start := -1
	for at := 0; ; { // the last one: an earlier one may be quoted by a result
		i := strings.Index(answer[at:], fenceOpen)
		if i < 0 {
			break
		}
		if at += i; at == 0 || answer[at-1] == '\n' {
			start = at
		}
		at += len(fenceOpen)
	}
	if start < 0 {
		return answerParts{}, false
	}
	p := answerParts{before: answer[:start]}
	if !placed(p.before) {
		return answerParts{}, false
	}
	rest := answer[start+len(fenceOpen):]
	end := 0
	if !strings.HasPrefix(rest, fenceClose[1:]) {
		for {
			i := strings.Index(rest[end:], fenceClose)
			if i < 0 {
				return answerParts{}, false
			}
			end += i
			tail := rest[end+len(fenceClose):]
			if tail == "" || tail == "\n" || strings.HasPrefix(tail, "\n### ") {
				p.after = strings.TrimPrefix(tail, "\n")
				break
			}
			end += len(fenceClose)
		}
	}
	p.tree = rest[:end]
	// Tools that the page itself offers stand before the tree.
	if strings.HasPrefix(p.tree, "- webmcp tools (") {
		if i := strings.LastIndex(p.tree, "\n\n"); i >= 0 {
			p.prelude, p.tree = p.tree[:i], p.tree[i+2:]
		}
	}
	return p, true
}

// placed reports whether a tree may follow what stands before it: upstream's own
// sections about the page, each once and in upstream's order. Anything else may
// quote text of the page, which can imitate a tree: the message of a dialog, a
// line of the console, the body of a response.
func placed(before string) bool {
	if !strings.HasPrefix(before, "### ") {
		return before == ""
	}
	next := 0
	sections := []string{"### Ran Playwright code", "### Open tabs", "### Page"}
	for line := range strings.Lines(before) {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		i := slices.Index(sections[next:], strings.TrimRight(line, "\n"))
		if i < 0 {
			return false
		}
		next += i + 1
	}
	return true
}

// appendOutside writes everything but the tree. The tree comes last, so that
// nothing is needed to mark its end.
func (p *answerParts) appendOutside(out []byte, f Format) []byte {
	out = appendSections(out, p.before)
	if p.after != "" {
		out = appendSections(out, p.after)
		if out[len(out)-1] != '\n' {
			out = append(out, '\n')
		}
	}
	if p.prelude != "" {
		out = append(append(out, p.prelude...), '\n')
	}
	return append(out, "### Snapshot\n"...)
}

// appendSections copies sections and shortens the page's own: the heading
// and the dashes go, every line stays.
func appendSections(out []byte, sections string) []byte {
	inPage := false
	for sections != "" {
		line := sections
		if i := strings.IndexByte(sections, '\n'); i >= 0 {
			line, sections = sections[:i+1], sections[i+1:]
		} else {
			sections = ""
		}
		switch {
		case line == "### Page\n":
			inPage = true
			continue
		case strings.HasPrefix(line, "### "):
			inPage = false
		case inPage:
			line = strings.TrimPrefix(line, "- ")
			if strings.HasPrefix(line, "Console: ") {
				line = strings.TrimSuffix(strings.Replace(line, " 0 errors,", "", 1), ", 0 warnings\n")
				line = strings.TrimSuffix(line, "\n") + "\n"
			}
			if rest, ok := strings.CutPrefix(line, "Page "); ok &&
				(strings.HasPrefix(rest, "URL: ") || strings.HasPrefix(rest, "Title: ")) {
				line = rest
			}
		}
		out = append(out, line...)
	}
	return out
}
