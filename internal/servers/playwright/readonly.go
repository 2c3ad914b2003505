package playwright

// Which scripts only read, so that their result may be given twice.

import (
	"regexp"
	"strings"
)

// readingCalls are functions and methods that change nothing and depend on
// nothing but the page. Date, performance and Math.random are not among them.
var readingCalls = words(`
	querySelector querySelectorAll getElementById getElementsByClassName getElementsByTagName getElementsByName
	closest matches contains getAttribute getAttributeNames hasAttribute hasAttributes hasChildNodes item namedItem
	getComputedStyle getPropertyValue getBoundingClientRect getClientRects elementFromPoint elementsFromPoint checkVisibility
	map filter find findIndex findLast some every reduce flatMap flat forEach slice concat join includes indexOf lastIndexOf at
	from isArray entries keys values fromEntries hasOwn has
	trim trimStart trimEnd split substring substr startsWith endsWith toLowerCase toUpperCase padStart padEnd charAt charCodeAt
	codePointAt replaceAll match matchAll test repeat localeCompare
	stringify parse toString toFixed String Number Boolean parseInt parseFloat isNaN isFinite isInteger
	round floor ceil abs min max sqrt pow matchMedia getItem`)

// readingNames are what a script may begin an expression with, besides what it
// declares itself: of the page's own objects and functions nothing is known.
var readingNames = words(`document getComputedStyle matchMedia Array Object JSON Math Number String Boolean
	parseInt parseFloat isNaN isFinite localStorage sessionStorage innerWidth innerHeight scrollX scrollY
	undefined null true false NaN Infinity
	if else for while do switch case default break continue return typeof void instanceof of in const let var function catch try finally`)

// keywordsBefore may stand before a parenthesis without calling anything.
var keywordsBefore = words("if for while switch return typeof of in const let var case catch function")

// effects are words by which a script changes or waits for something.
var effects = words("new delete await async yield import throw with debugger class super eval this")

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

var (
	scriptWord  = regexp.MustCompile(`[A-Za-z_$][\w$]*`)
	loop        = regexp.MustCompile(`\bfor\s*\(`)
	loopReading = regexp.MustCompile(`\bfor\s*\(\s*(?:const|let|var)\s`) // others may assign to a property
	declaration = regexp.MustCompile(`(?:^|[^\w$.])(?:const|let|var)\s+[A-Za-z_$][\w$]*\s*$`)
)

// onlyReads reports whether a script certainly changes nothing, so that running
// it once instead of twice can't be told apart. It knows few scripts: whatever
// is not on its lists counts as a change.
func onlyReads(script string) bool {
	code, ok := withoutStrings(script)
	if !ok {
		return false
	}
	for _, w := range scriptWord.FindAllString(code, -1) {
		if effects[w] {
			return false
		}
	}
	if !knownNames(code) {
		return false
	}
	if len(loop.FindAllString(code, -1)) != len(loopReading.FindAllString(code, -1)) {
		return false
	}
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '=':
			if before, width := code[:i], assignmentWidth(code, i); width > 0 {
				i += width - 1
			} else if !declaration.MatchString(before) {
				return false
			}
		case '+', '-':
			if i+1 < len(code) && code[i+1] == c {
				return false
			}
		case '(':
			if !callReads(code[:i]) {
				return false
			}
		}
	}
	return true
}

var (
	declared   = regexp.MustCompile(`\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)`)
	destructed = regexp.MustCompile(`\b(?:const|let|var)\s*[\[{]([^\]}]*)[\]}]`)
	arrowList  = regexp.MustCompile(`\(([^()]*)\)\s*=>`)
	arrowOne   = regexp.MustCompile(`([A-Za-z_$][\w$]*)\s*=>`)
	// windowReading is the window's own.
	windowReading = regexp.MustCompile(`^(?:window|globalThis)\.(?:document|getComputedStyle|matchMedia|innerWidth|innerHeight|scrollX|scrollY|devicePixelRatio)\b`)
	paramList     = regexp.MustCompile(`\bfunction\s*[\w$]*\s*\(([^()]*)\)`)
)

// knownNames reports whether all names in code that are no members are declared in
// it or among those known. A name in front of a colon is a key, unless the code has
// a condition, in which it may be a value.
func knownNames(code string) bool {
	own := map[string]bool{}
	for _, pattern := range []*regexp.Regexp{declared, destructed, arrowList, arrowOne, paramList} {
		for _, m := range pattern.FindAllStringSubmatch(code, -1) {
			for _, name := range scriptWord.FindAllString(m[1], -1) {
				own[name] = true
			}
		}
	}
	keys := !strings.Contains(code, "?")
	for _, at := range scriptWord.FindAllStringIndex(code, -1) {
		name := code[at[0]:at[1]]
		before, after := strings.TrimRight(code[:at[0]], " \t\r\n"), strings.TrimLeft(code[at[1]:], " \t\r\n")
		member := strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "..")
		if member || own[name] || readingNames[name] || keys && strings.HasPrefix(after, ":") {
			continue
		}
		if windowReading.MatchString(code[at[0]:]) {
			continue
		}
		if last := len(before) - 1; last >= 0 && before[last] >= '0' && before[last] <= '9' && at[0] == len(before) {
			continue // of a number, as in 1e3
		}
		return false
	}
	return true
}

// assignmentWidth is the length of the operator at an equals sign that assigns
// nothing (==, ===, =>, <=, >=, !=); 0 for one that does.
func assignmentWidth(code string, i int) int {
	rest := code[i:]
	switch {
	case strings.HasPrefix(rest, "==="):
		return 3
	case strings.HasPrefix(rest, "=="), strings.HasPrefix(rest, "=>"):
		return 2
	}
	before := strings.TrimRight(code[:i], "<>!")
	if op := code[len(before):i]; op == "<" || op == ">" || op == "!" {
		return 1
	} else if op == "!=" {
		return 1
	}
	return 0
}

// callReads reports whether the parenthesis behind before groups something, or
// calls a function that reads.
func callReads(before string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	if before == "" {
		return true
	}
	last := before[len(before)-1]
	switch {
	case last == ')', last == ']', last == '}', last == '"':
		return false // calls what an expression gives
	case isWordByte(last):
		start := len(before)
		for start > 0 && isWordByte(before[start-1]) {
			start--
		}
		name := before[start:]
		member := strings.HasSuffix(strings.TrimRight(before[:start], " \t\r\n"), ".")
		return readingCalls[name] || keywordsBefore[name] && !member
	case last == '.':
		return false // an optional call, ?.()
	}
	return true
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// withoutStrings replaces quoted strings by "". A script with a slash outside
// of them (a comment or a pattern, in which a quote opens no string), with a
// template, or with an escape in a name is not taken apart: false.
func withoutStrings(script string) (string, bool) {
	var out strings.Builder
	for i := 0; i < len(script); i++ {
		switch c := script[i]; c {
		case '/', '`', '\\', '#', '@':
			return "", false
		case '"', '\'':
			end := stringEnd(script, i)
			if end < 0 {
				return "", false
			}
			out.WriteString(`""`)
			i = end
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), true
}

// stringEnd is the place of the quote that closes the string at i, -1 if none
// does on its line.
func stringEnd(script string, i int) int {
	for j := i + 1; j < len(script); j++ {
		switch script[j] {
		case script[i]:
			return j
		case '\\':
			j++
		case '\n':
			return -1
		}
	}
	return -1
}
