package demo

// This file finds an element's handle in the text of a look, as an agent does:
// by reading. It knows neither of the forms; a handle follows its label.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// handlePattern is a handle in any form: [ref=e12], [ref=f2e12], [e12], [47].
var handlePattern = regexp.MustCompile(`\[(?:ref=)?((?:f\d+)?e\d+|\d+)\]`)

// plainGap is what may stand between a label and its handle: a closing quote,
// spaces, and states such as [checked].
var plainGap = regexp.MustCompile(`^"?:?\s*(?:\[[^\]]*\]\s*)*$`)

// The ways in which a match can be less than perfect, worst first. A match with
// a smaller sum is the better one.
const (
	flawGap     = 8 // other words between the label and the handle
	flawNoRole  = 4 // the role is nowhere before it on the line
	flawFarRole = 2 // the role belongs to an earlier item of the line
	flawStart   = 1 // the item's name only ends with the label
)

// FindHandle gives the handle of the element with this role and label in the
// text of a look, without its brackets, and how far the match is from a perfect
// one (0). Of equally good matches the first counts. An empty role is that of
// plain text.
func FindHandle(view, role, label string) (handle string, flaws int, found bool) {
	best := flawGap + flawNoRole + flawFarRole + flawStart + 1
	for line := range strings.Lines(SpellRanges(view)) {
		if !strings.Contains(line, label) {
			continue
		}
		itemStart := 0
		for _, at := range handlePattern.FindAllStringSubmatchIndex(line, -1) {
			item := line[itemStart:at[0]]
			for _, i := range occurrences(item, label) {
				if f := judge(line[:itemStart], item[:i], item[i+len(label):], role); f < best {
					best, flaws, handle, found = f, f, line[at[2]:at[3]], true
				}
			}
			itemStart = at[1]
		}
	}
	return handle, flaws, found
}

// rangePattern is the first range of handles on a line, with what is before it.
var rangePattern = regexp.MustCompile(`(?m)^(.*?) \[(\d+)-(\d+)\]`)

// SpellRanges writes the handles that stand in a range behind several texts, each
// set off by a bar or a semicolon, behind its own: "a | b | c [5-7]" becomes
// "a [5] b [6] c [7]".
func SpellRanges(view string) string {
	for rangePattern.MatchString(view) {
		view = rangePattern.ReplaceAllStringFunc(view, spellRange)
	}
	return view
}

func spellRange(line string) string {
	m := rangePattern.FindStringSubmatch(line)
	rest := m[1]
	first, _ := strconv.Atoi(m[2])
	last, _ := strconv.Atoi(m[3])
	spelled := ""
	for number := last; number > first; number-- {
		separator := " | "
		at := strings.LastIndex(rest, separator)
		if run := strings.LastIndex(rest, "; "); run > at {
			separator, at = "; ", run
		}
		if at < 0 {
			break // it is none of PlayGuard's
		}
		spelled = strings.TrimLeft(separator, " |") + rest[at+len(separator):] + fmt.Sprintf(" [%d]", number) + spelled
		if separator == " | " {
			spelled = " " + spelled
		}
		rest = rest[:at]
	}
	return rest + fmt.Sprintf(" [%d]", first) + spelled
}

// good is the number of flaws below which a match in a newer text is preferred to
// any in an older one.
const good = flawNoRole

// FindNewest gives the handle of an element in texts of which the last is the
// newest. find looks for it in one of them, with flaws as FindHandle counts them.
func FindNewest(texts []string, find func(text string) (handle string, flaws int, found bool)) (handle string, found bool) {
	best := 0
	for _, text := range slices.Backward(texts) {
		h, flaws, here := find(text)
		if here && flaws < good {
			return h, true
		}
		if here && (!found || flaws < best) {
			best, handle, found = flaws, h, true
		}
	}
	return handle, found
}

// judge adds up the flaws of a match. An item is the text from the handle
// before it to its own.
func judge(earlierItems, before, after, role string) int {
	flaws := 0
	if !plainGap.MatchString(after) {
		flaws += flawGap
	}
	name := strings.TrimLeft(before, " -'\t,;|·")
	switch {
	case role == "":
	case len(occurrences(name, role)) > 0:
		name = name[occurrences(name, role)[0]+len(role):]
	case len(occurrences(earlierItems, role)) > 0:
		flaws += flawFarRole
	default:
		flaws += flawNoRole
	}
	if strings.Trim(name, ` "':`) != "" {
		flaws += flawStart
	}
	return flaws
}

// occurrences lists where s has part as whole words.
func occurrences(s, part string) []int {
	var found []int
	for from := 0; part != ""; {
		i := strings.Index(s[from:], part)
		if i < 0 {
			break
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+len(part):])
		if !isWord(before) && !isWord(after) {
			found = append(found, i)
		}
		from = i + len(part)
	}
	return found
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
