// What the compact view must still hold, taken from upstream's lines by
// rules of its own: nothing here uses the product's parser or its plan.

package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	auditKey         = regexp.MustCompile(`^([A-Za-z]+)(?: ("(?:[^"\\]|\\.)*"))?((?: \[[^\]]*\])*)(?::(?: (.*))?)?$`)
	auditAttr        = regexp.MustCompile(`\[([^\]]*)\]`)
	auditRef         = regexp.MustCompile(`\[(?:ref=)?((?:f\d+)?e\d+)\]`)
	auditString      = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	auditMoreOptions = regexp.MustCompile(`\n *option `)
	auditWord        = regexp.MustCompile(`[\p{L}\p{N}\p{M}]+`)
	auditHeading     = regexp.MustCompile(`(?m)(?:^ *|: | \| )(#{1,6})(?: |$)`)
)

// auditRoles are the roles that make a node actionable.
var auditRoles = strings.Fields(`button checkbox combobox gridcell iframe link listbox menuitem
	menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton switch tab
	textbox treeitem`)

// auditOwn are the actionable roles that stand for everything inside them.
var auditOwn = strings.Fields(`button checkbox combobox link menuitem menuitemcheckbox
	menuitemradio option radio searchbox slider spinbutton switch tab textbox`)

// auditStates are the attributes that say in what state a control is.
var auditStates = strings.Fields("checked disabled expanded active invalid pressed selected")

// auditValued are the roles whose own text is a value.
var auditValued = strings.Fields("textbox searchbox combobox spinbutton slider progressbar meter")

// auditLine is one line of the snapshot.
type auditLine struct {
	depth                       int
	role, name, text, ref, prop string
	states                      []string
	pointer, actionable         bool
	level                       string
}

// audit collects what was looked for and found over all pages.
type audit struct {
	order   []string
	counts  map[string]*CorpusKept
	missing []string
}

func newAudit() *audit { return &audit{counts: map[string]*CorpusKept{}} }

// check records one thing that was looked for.
func (a *audit) check(page, what, detail string, found bool) {
	k := a.counts[what]
	if k == nil {
		k = &CorpusKept{What: what}
		a.counts[what] = k
		a.order = append(a.order, what)
	}
	k.Total++
	if found {
		k.Found++
	} else if len(a.missing) < 20 {
		a.missing = append(a.missing, fmt.Sprintf("%s: %s %q", page, what, detail))
	}
}

func (a *audit) result() (kept []CorpusKept, missing []string) {
	for _, what := range a.order {
		kept = append(kept, *a.counts[what])
	}
	return kept, a.missing
}

// page compares one answer with its compact view.
func (a *audit) page(page, raw, compact string) {
	lines := auditLines(raw)
	auditForgetFocus(lines)
	plain := auditUnquote(compact)
	words := map[string]bool{}
	for _, w := range auditWord.FindAllString(plain, -1) {
		words[w] = true
	}
	seen := map[string]bool{}
	for _, l := range lines {
		if l.prop != "" {
			continue
		}
		for _, w := range auditWord.FindAllString(l.name+" "+l.text, -1) {
			if !seen[w] {
				seen[w] = true
				a.check(page, "distinct words of names and text", w, words[w])
			}
		}
	}

	handles := map[string]int{}
	for _, m := range auditRef.FindAllStringSubmatch(compact, -1) {
		handles[m[1]]++
	}
	for _, ref := range auditHandles(lines) {
		a.check(page, "handles", ref, handles[ref] == 1)
	}

	states := map[string]int{}
	var options []string // of the list that is being read
	for i, l := range lines {
		switch {
		case l.prop == "placeholder":
			a.check(page, "placeholders", l.text, strings.Contains(plain, "placeholder="+l.text) ||
				strings.Contains(plain, "/placeholder: "+l.text))
		case l.role == "option":
			options = append(options, l.name)
			if i+1 == len(lines) || lines[i+1].role != "option" || lines[i+1].depth != l.depth {
				for n, name := range options {
					a.check(page, "options", name, auditInOneLine(plain, options[:n+1]))
				}
				options = nil
			}
		case l.role == "heading":
			a.check(page, "headings", l.name, l.name == "" || auditHas(words, l.name))
		case l.role == "iframe":
			a.check(page, "frames", l.ref, l.ref == "" ||
				regexp.MustCompile(`iframe[^\n[]* \[(ref=)?`+l.ref+`\]`).MatchString(compact))
		}
		if slices.Contains(auditValued, l.role) && l.text != "" {
			a.check(page, "values", l.text, strings.Contains(plain, "= "+l.text) ||
				strings.Contains(plain, ": "+l.text))
		}
		for _, s := range l.states {
			states["["+s+"]"]++
		}
	}
	for s, n := range states {
		got := strings.Count(compact, s)
		for i := range n {
			a.check(page, "states", s, i < got)
		}
	}
	levels := map[string]int{}
	for _, l := range lines {
		if l.level != "" {
			levels[l.level]++
		}
	}
	marks := map[string]int{}
	for _, m := range auditHeading.FindAllStringSubmatch(compact, -1) {
		marks[fmt.Sprint(len(m[1]))]++
	}
	for level, n := range levels {
		got := max(marks[level], strings.Count(compact, "[level="+level+"]"))
		for i := range n {
			a.check(page, "heading levels", level, i < got)
		}
	}
}

// auditInOneLine reports whether some line that lists options holds the names
// in this order.
func auditInOneLine(text string, names []string) bool {
	// A long list goes on in the next line.
	for line := range strings.Lines(auditMoreOptions.ReplaceAllString(text, "; option ")) {
		_, rest, ok := strings.Cut(line, "option")
		for _, name := range names {
			if ok {
				_, rest, ok = strings.Cut(rest, name)
			}
		}
		if ok {
			return true
		}
	}
	return false
}

func auditHas(words map[string]bool, text string) bool {
	for _, w := range auditWord.FindAllString(text, -1) {
		if !words[w] {
			return false
		}
	}
	return true
}

// auditUnquote replaces JSON strings by what they say.
func auditUnquote(text string) string {
	return auditString.ReplaceAllStringFunc(text, func(s string) string {
		var v string
		if json.Unmarshal([]byte(s), &v) != nil {
			return s
		}
		return v
	})
}

// snapshotLines returns the lines inside the fence of an answer.
func snapshotLines(raw string) []string {
	_, rest, ok := strings.Cut(raw, "### Snapshot\n```yaml\n")
	if !ok {
		return nil
	}
	body, _, _ := strings.Cut(rest, "\n```")
	if body == "" || strings.HasPrefix(rest, "```") {
		return nil
	}
	return strings.Split(body, "\n")
}

func auditLines(raw string) []auditLine {
	var lines []auditLine
	for _, line := range snapshotLines(raw) {
		body := strings.TrimLeft(line, " ")
		l := auditLine{depth: (len(line) - len(body)) / 2}
		body = strings.TrimPrefix(body, "- ")
		if rest, ok := strings.CutPrefix(body, "'"); ok {
			// The key is the longest quoted part: a doubled quote is a quote.
			end := 0
			for end < len(rest) {
				if rest[end] == '\'' {
					if end+1 < len(rest) && rest[end+1] == '\'' {
						end++
					} else {
						break
					}
				}
				end++
			}
			body = strings.ReplaceAll(rest[:end], "''", "'") + rest[min(end+1, len(rest)):]
		}
		if prop, value, ok := strings.Cut(strings.TrimPrefix(body, "/"), ": "); ok && strings.HasPrefix(body, "/") {
			l.prop, l.text = prop, auditScalar(value)
			lines = append(lines, l)
			continue
		}
		m := auditKey.FindStringSubmatch(body)
		if m == nil {
			l.role, l.text = "?", body
			lines = append(lines, l)
			continue
		}
		l.role, l.text = m[1], auditScalar(m[4])
		if m[2] != "" {
			l.name = auditScalar(m[2])
		}
		for _, attr := range auditAttr.FindAllStringSubmatch(m[3], -1) {
			name, value, _ := strings.Cut(attr[1], "=")
			switch {
			case name == "ref":
				l.ref = value
			case name == "cursor":
				l.pointer = true
			case name == "level":
				l.level = value
			case slices.Contains(auditStates, name):
				l.states = append(l.states, attr[1])
			}
		}
		l.actionable = l.pointer || len(l.states) > 0 || slices.Contains(auditRoles, l.role)
		lines = append(lines, l)
	}
	return lines
}

// auditForgetFocus takes the focus off a plain document, the page's or a
// frame's, that has it because nothing inside has.
func auditForgetFocus(lines []auditLine) {
	for i := range lines {
		l := &lines[i]
		if l.role != "generic" || l.name != "" || l.pointer || !slices.Equal(l.states, []string{"active"}) ||
			l.depth > 0 && (lines[i-1].role != "iframe" || lines[i-1].depth >= l.depth) {
			continue
		}
		alone := true
		for _, other := range lines[i+1:] {
			if other.depth < l.depth {
				break
			}
			alone = alone && other.depth > l.depth
		}
		if alone {
			l.states, l.actionable = nil, false
		}
	}
}

func auditScalar(s string) string {
	var v string
	if strings.HasPrefix(s, `"`) && json.Unmarshal([]byte(strings.ReplaceAll(s, `\x`, `\u00`)), &v) == nil {
		return v
	}
	return s
}

// auditHandles returns the refs that must be there: those of all actionable
// nodes, and those of nodes outside any such node that have no node with a
// ref inside them.
func auditHandles(lines []auditLine) []string {
	var refs []string
	for i, l := range lines {
		if l.ref == "" || l.prop != "" {
			continue
		}
		if l.actionable {
			refs = append(refs, l.ref)
			continue
		}
		leaf := true
		for j := i + 1; j < len(lines) && lines[j].depth > l.depth; j++ {
			if lines[j].ref != "" {
				leaf = false
				break
			}
		}
		depth := l.depth
		for j := i - 1; j >= 0 && leaf; j-- {
			if lines[j].depth >= depth {
				continue
			}
			depth = lines[j].depth
			if lines[j].role == "iframe" {
				break
			}
			if lines[j].ref != "" && (lines[j].pointer || slices.Contains(auditOwn, lines[j].role)) {
				leaf = false
			}
		}
		if leaf {
			refs = append(refs, l.ref)
		}
	}
	return refs
}
