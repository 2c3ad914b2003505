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
var effects = words(`new delete await async yield import throw with debugger class super eval this
	defaultView contentWindow parent top frames constructor prototype __proto__ call apply bind`)

// iterating are the methods that call what they are given; from and replaceAll may
// be given something as their second argument.
var iterating = words("map filter find findIndex findLast some every reduce flatMap forEach from replaceAll parse stringify")

// mayIterate are functions of the language that an iterating method may be given.
var mayIterate = words("Boolean String Number parseInt parseFloat isNaN isFinite")

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
	if !knownNames(code) || lentKey.MatchString(code) {
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
			if !callReads(code[:i]) || !callsBack(code, i) {
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

// lentKey is a key under which an object would lend a function to a call of one of
// the language's own, or a key that can't be told.
var lentKey = regexp.MustCompile(`\b(?:toString|valueOf|toJSON|then)\s*:|[{,]\s*\[[^{}]*\]\s*:`)

var (
	literalFunction = regexp.MustCompile(`^(?:function\b|[A-Za-z_$][\w$]*\s*=>|\((?:[^()]|\([^()]*\))*\)\s*=>)`)
	plainNumber     = regexp.MustCompile(`^\d+$`)
)

// callsBack reports whether the call whose parenthesis is at i calls back nothing
// but functions that the script itself has, or the language: a page's function, or
// a method of an object that would be its second argument, may do anything.
func callsBack(code string, i int) bool {
	name := lastWord(code[:i])
	if !iterating[name] {
		return true
	}
	args := arguments(code, i)
	switch name {
	case "from", "replaceAll":
		args = args[min(1, len(args)):]
	case "parse", "stringify":
		// A reviver or a replacer; behind it the width of an indentation.
		if len(args) > 1 && (args[1] == "null" || args[1] == "undefined") {
			return len(args) == 2 || len(args) == 3 && (args[2] == `""` || plainNumber.MatchString(args[2]))
		}
		args = args[min(1, len(args)):]
	case "reduce":
		if len(args) > 2 {
			return false
		}
		args = args[:min(1, len(args))] // what it begins with is not called
	}
	switch {
	case len(args) == 0:
		return true
	case len(args) > 1:
		return false
	case name == "replaceAll" && args[0] == `""`:
		return true
	}
	return literalFunction.MatchString(args[0]) || mayIterate[args[0]]
}

// arguments are those of the call whose parenthesis is at i.
func arguments(code string, i int) []string {
	var args []string
	depth, start := 0, i+1
	for j := i; j < len(code); j++ {
		switch c := code[j]; {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
		if depth == 1 && code[j] == ',' || depth == 0 {
			if arg := strings.TrimSpace(code[start:j]); arg != "" {
				args = append(args, arg)
			}
			start = j + 1
		}
		if depth == 0 {
			break
		}
	}
	return args
}

// lastWord is the name that code ends with, empty if it ends with none.
func lastWord(code string) string {
	code = strings.TrimRight(code, " \t\r\n")
	start := len(code)
	for start > 0 && isWordByte(code[start-1]) {
		start--
	}
	return code[start:]
}

// knownNames reports whether all names in code that are no members are declared in
// it or among those known. A name in front of a colon is a key, unless the code has
// a condition, in which it may be a value.
func knownNames(code string) bool {
	own := map[string]bool{}
	for _, pattern := range []*regexp.Regexp{declared, destructed, arrowList, arrowOne, paramList} {
		for _, m := range pattern.FindAllStringSubmatch(code, -1) {
			for _, name := range scriptWord.FindAllString(m[1], -1) {
				if readingCalls[name] {
					return false // it would be called in place of what is known
				}
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
