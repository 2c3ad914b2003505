package playwright

// Handles in a call's arguments, mapped to the server's refs.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/jsonrpc"
)

// targetParams are the parameters that name an element: today's, and those of
// older servers.
var targetParams = map[string]bool{
	"target": true, "startTarget": true, "endTarget": true,
	"ref": true, "startRef": true, "endRef": true,
}

// mapHandles replaces the handles in a call's arguments by upstream's refs. A
// refusal says why one of them can't be used. Called with mu.
func (r *row) mapHandles(tool string, args []byte) (mapped []byte, refusal string) {
	return mapTargets(tool, args, r.refOf)
}

// mapTargets replaces each value in a call's arguments that names an element by
// what ref makes of it.
func mapTargets(tool string, args []byte, ref func(v []byte) (ref []byte, changed bool, refusal string)) (mapped []byte, refusal string) {
	if tool == "browser_run_code_unsafe" || len(args) == 0 || args[0] != '{' {
		return args, ""
	}
	mapped = args
	jsonrpc.Members(args, func(key, value jsonrpc.Span) {
		name, err := jsonrpc.Unquote(args[key.Start:key.End])
		if err != nil || refusal != "" {
			return
		}
		v := args[value.Start:value.End]
		switch {
		case targetParams[name]:
			found, changed, why := ref(v)
			if refusal = why; changed {
				mapped = jsonrpc.SetMember(mapped, name, found)
			}
		case v[0] == '[':
			list, why := mapList(tool, v, ref)
			if refusal = why; string(list) != string(v) {
				mapped = jsonrpc.SetMember(mapped, name, list)
			}
		}
	})
	return mapped, refusal
}

// mapList maps the handles of the objects in an array, as in fields[].target.
func mapList(tool string, list []byte, ref func(v []byte) ([]byte, bool, string)) (mapped []byte, refusal string) {
	mapped = append(mapped, '[')
	first := true
	jsonrpc.Elements(list, func(value jsonrpc.Span) {
		v := list[value.Start:value.End]
		if v[0] == '{' && refusal == "" {
			v, refusal = mapTargets(tool, v, ref)
		}
		if !first {
			mapped = append(mapped, ',')
		}
		first = false
		mapped = append(mapped, v...)
	})
	return append(mapped, ']'), refusal
}

// severalHandles is a range as views have it behind neighbours.
var severalHandles = regexp.MustCompile(`^\[?\d+-\d+\]?$`)

// refOf returns upstream's ref for a value that may be a handle. What is none,
// such as a selector, stays.
func (r *row) refOf(v []byte) (ref []byte, changed bool, refusal string) {
	arg := string(v)
	if v[0] == '"' {
		var err error
		if arg, err = jsonrpc.Unquote(v); err != nil {
			return v, false, ""
		}
	}
	if severalHandles.MatchString(arg) {
		return v, false, fmt.Sprintf("%s are the handles of several elements, in their order on the line. Pass one of them.", arg)
	}
	found, ok := r.numbers.Resolve(arg)
	switch {
	case !ok:
		return v, false, ""
	case found.Ref == "":
		return v, false, r.gone(arg, found)
	case found.Number != 0 && r.pages.current != nil && found.Page != "" && found.Page != r.pages.shown(r.pages.current):
		return v, false, fmt.Sprintf("%s is %s in another tab. Select it with browser_tabs first.", bracketed(found.Number), label(found.Role, found.Name))
	}
	if found.Number == 0 {
		if found.Ref, refusal = r.renamed(found.Ref); refusal != "" {
			return v, false, refusal
		}
	}
	return jsonrpc.Quote(found.Ref), true, ""
}

// gone is the error for a handle whose element is no more.
func (r *row) gone(arg string, found aria.Resolution) string {
	if !found.Given {
		return fmt.Sprintf("No element was ever called %s. browser_snapshot shows the page's handles.", arg)
	}
	text := r.called(found.Number) + " is gone from the page"
	var like []string
	for _, c := range found.Candidates {
		like = append(like, label(c.Role, c.Name)+" "+bracketed(c.Number))
	}
	if len(like) > 0 {
		return text + ". Closest now: " + strings.Join(like, ", ") + "."
	}
	return text + ". browser_snapshot shows what is there."
}

func bracketed(number int) string { return "[" + strconv.Itoa(number) + "]" }

// label is how an element is called in a sentence.
func label(role, name string) string {
	switch {
	case role == "":
		return strconv.Quote(name)
	case name == "":
		return role
	}
	return role + " " + strconv.Quote(name)
}

// structuralRef finds the ref of a line of a tree: behind the name, where text
// of the page can't stand.
var structuralRef = regexp.MustCompile(`(?m)^(\s*- (?:'?[a-z]+)(?: "(?:[^"\\\n]|\\.)*")?(?: \[[a-z-]+(?:=[^\]\n]*)?\])*?) \[ref=((?:f\d+)?e\d+)\](?: \[cursor=pointer\])?`)

// mapFound writes the handles of browser_find's matches as the agent knows them.
func (r *row) mapFound(text string) (string, bool) {
	if r.pages.current == nil || !r.config.Compact {
		return text, false
	}
	key := r.pages.key(r.pages.current)
	out := structuralRef.ReplaceAllStringFunc(text, func(line string) string {
		m := structuralRef.FindStringSubmatch(line)
		if number := r.numbers.NumberOf(key, m[2]); number != 0 && !r.viewOptions().Refs {
			return m[1] + " " + bracketed(number)
		}
		return m[1] + " [" + m[2] + "]"
	})
	return out, out != text
}

// refInError finds the refs that upstream's errors name, and not what the page
// says like one.
var refInError = regexp.MustCompile(`(aria-ref=|Ref )((?:f\d+)?e\d+)\b`)

// ansi are the colours that upstream's call logs carry.
var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// explain makes an error one the agent can act on: without colours, with the
// handle and name of the element it is about.
func (r *row) explain(text string) (string, bool) {
	out := ansi.ReplaceAllString(text, "")
	said := head(out)
	if isLaunchLog(out) {
		out = shortLaunchLog(out)
		said = out
	}
	if remedy := remedyFor(said); remedy != "" {
		return out + "\n[PlayGuard] " + remedy, true
	}
	if r.pages.current != nil && r.config.Compact && !r.viewOptions().Refs {
		key := r.pages.key(r.pages.current)
		out = refInError.ReplaceAllStringFunc(out, func(found string) string {
			number := r.numbers.NumberOf(key, refInError.FindStringSubmatch(found)[2])
			if number == 0 {
				return found
			}
			return r.called(number)
		})
	}
	return out, out != text
}

// called is how an element is called in a sentence: [47] (button "Save").
func (r *row) called(number int) string {
	found, _ := r.numbers.Resolve(bracketed(number))
	if found.Role == "" && found.Name == "" {
		return bracketed(number)
	}
	return fmt.Sprintf("%s (%s)", bracketed(number), label(found.Role, found.Name))
}
