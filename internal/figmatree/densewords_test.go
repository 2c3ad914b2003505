package figmatree

// The words of the dense form, read back.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// scanner reads words and relaxed JSON.
type scanner struct {
	s string
	i int
}

func (s *scanner) expect(c byte) {
	if s.i >= len(s.s) || s.s[s.i] != c {
		panic(fmt.Sprintf("%q expected at %d of %q", c, s.i, s.s))
	}
	s.i++
}

// words splits at spaces outside of quotes and brackets.
func (s *scanner) words() []string {
	var out []string
	for s.i < len(s.s) {
		start := s.i
		s.word()
		out = append(out, s.s[start:s.i])
		if s.i < len(s.s) {
			s.expect(' ')
		}
	}
	return out
}

// word passes one word; a colon with a space behind it ends it as well.
func (s *scanner) word() {
	for depth := 0; s.i < len(s.s); s.i++ {
		switch c := s.s[s.i]; {
		case c == '"':
			s.quoted()
			s.i--
		case c == '{' || c == '[' || c == '(':
			depth++
		case c == '}' || c == ']' || c == ')':
			depth--
		case depth == 0 && (c == ' ' || c == ':' && strings.HasPrefix(s.s[s.i:], ": ")):
			return
		}
	}
}

func (s *scanner) quoted() string {
	start := s.i
	for s.i++; s.i < len(s.s) && s.s[s.i] != '"'; s.i++ {
		if s.s[s.i] == '\\' {
			s.i++
		}
	}
	s.expect('"')
	return unquoteTest(s.s[start:s.i])
}

// relaxedString reads a string that ends before one of the bytes in end.
func (s *scanner) relaxedString(end string) string {
	if s.i < len(s.s) && s.s[s.i] == '"' {
		return s.quoted()
	}
	start := s.i
	for s.i < len(s.s) && strings.IndexByte(end, s.s[s.i]) < 0 {
		s.i++
	}
	return s.s[start:s.i]
}

func (s *scanner) relaxed() any {
	switch c := s.s[s.i]; c {
	case '{':
		out := map[string]any{}
		for s.i++; s.s[s.i] != '}'; {
			name := s.relaxedString(":")
			s.expect(':')
			out[name] = s.relaxed()
			if s.s[s.i] == ',' {
				s.i++
			}
		}
		s.i++
		return out
	case '[':
		out := []any{}
		for s.i++; s.s[s.i] != ']'; {
			out = append(out, s.relaxed())
			if s.s[s.i] == ',' {
				s.i++
			}
		}
		s.i++
		return out
	case '"':
		return s.quoted()
	}
	word := s.relaxedString(",]}+ ")
	if s.i < len(s.s) && s.s[s.i] == ' ' { // inside of brackets
		word += s.relaxedString(",]}+")
	}
	switch {
	case word == "true" || word == "false":
		return word == "true"
	case word == "null":
		return nil
	case jsonNumber.MatchString(word):
		return json.Number(word)
	}
	return word
}

var (
	sizeWords  = regexp.MustCompile(`^(?:(hug|fill)|(-|~?(?:hug|fill|fixed)?[0-9.eE+-]*)([x*])(-|~?(?:hug|fill|fixed)?[0-9.eE+-]*))(?:/([0-9.]+))?$`)
	axisWord   = regexp.MustCompile(`^(~?)(hug|fill|fixed)?(-?[0-9][0-9.eE+-]*)?$`)
	styledWord = regexp.MustCompile(`^((?:layout\.)?(?:[A-Za-z_][A-Za-z0-9_]*|"(?:[^"\\]|\\.)*"))("(?:[^"\\]|\\.)*")?=`)
	listWord   = regexp.MustCompile(`^(pad|gap|r|w)(-?[0-9.]+(,-?[0-9.]+)*)$`)
	flexWord   = regexp.MustCompile(`^(justify|items|self)-(.+)$`)
)

func layoutOf(members map[string]any) map[string]any {
	l, ok := members["layout"].(map[string]any)
	if !ok {
		l = map[string]any{"mode": "none", "sizing": map[string]any{}}
		members["layout"] = l
	}
	return l
}

// readWord adds what a word says to members.
func readWord(members map[string]any, w string) {
	switch {
	case w == "row" || w == "grid":
		layoutOf(members)["mode"] = w
		return
	case w == "col":
		layoutOf(members)["mode"] = "column"
		return
	case w == "outline":
		members["_svgRef"] = ""
		return
	case w == "wrap":
		layoutOf(members)["wrap"] = true
		return
	case w == "absolute":
		layoutOf(members)["position"] = w
		return
	case strings.HasPrefix(w, "@"):
		x, y, _ := strings.Cut(w[1:], ",")
		members["@"] = map[string]any{"x": json.Number(x), "y": json.Number(y)}
		return
	}
	if m := listWord.FindStringSubmatch(w); m != nil {
		text := strings.ReplaceAll(m[2], ",", "px ") + "px"
		switch m[1] {
		case "pad":
			layoutOf(members)["padding"] = text
		case "gap":
			layoutOf(members)["gap"] = text
		case "r":
			members["borderRadius"] = text
		case "w":
			members["strokeWeight"] = text
		}
		return
	}
	if m := styledWord.FindStringSubmatch(w); m != nil {
		readStyled(members, m[1], m[2], w[len(m[0]):])
		return
	}
	if m := flexWord.FindStringSubmatch(w); m != nil {
		layoutOf(members)[map[string]string{"justify": "justifyContent", "items": "alignItems", "self": "alignSelf"}[m[1]]] = m[2]
		return
	}
	if m := sizeWords.FindStringSubmatch(w); m != nil {
		readSize(layoutOf(members), m)
		return
	}
	panic("an unknown word: " + w)
}

func readSize(layout map[string]any, m []string) {
	w, h := m[2], m[4]
	if m[1] != "" {
		w, h = m[1], m[1]
	}
	if m[3] == "*" {
		w, h = "~"+w, "~"+h
	}
	sizing, dimensions := map[string]any{}, map[string]any{}
	for _, a := range [2]struct{ text, mode, length string }{{w, "horizontal", "width"}, {h, "vertical", "height"}} {
		if a.text == "-" {
			continue
		}
		m := axisWord.FindStringSubmatch(a.text)
		if m == nil {
			panic("an unknown size: " + a.text)
		}
		switch {
		case m[2] != "":
			sizing[a.mode] = m[2]
		case m[1] == "":
			sizing[a.mode] = "fixed"
		}
		if m[3] != "" {
			dimensions[a.length] = json.Number(m[3])
		}
	}
	if m[5] != "" {
		dimensions["aspectRatio"] = json.Number(m[5])
	}
	layout["sizing"] = sizing
	if len(dimensions) > 0 {
		layout["dimensions"] = dimensions
	}
}

func readStyled(members map[string]any, key, name, value string) {
	s := scanner{s: value}
	var v any
	member := key
	switch key {
	case "fill", "stroke":
		member += "s"
		v = readPaints(&s)
	case "font":
		member = "textStyle"
		v = readFont(&s)
	case "comp":
		member = "componentId"
		v = idValue(&s)
	default:
		v = s.relaxed()
		if strings.HasPrefix(key, `"`) {
			member = unquoteTest(key)
		}
	}
	if s.i != len(s.s) {
		panic("more behind the value of " + key + ": " + value)
	}
	if sub, ok := strings.CutPrefix(key, "layout."); ok {
		if strings.HasPrefix(sub, `"`) {
			sub = unquoteTest(sub)
		}
		layoutOf(members)[sub] = v
		return
	}
	if name != "" {
		v = map[string]any{"name": unquoteTest(name), "value": v}
	}
	members[member] = v
}

func idValue(s *scanner) any {
	if strings.HasPrefix(s.s, `"`) {
		return s.quoted()
	}
	s.i = len(s.s)
	return s.s
}

func readPaints(s *scanner) any {
	out := []any{}
	if s.s == "none" {
		s.i = len(s.s)
		return out
	}
	for {
		if strings.HasPrefix(s.s[s.i:], "rgba(") {
			end := strings.IndexByte(s.s[s.i:], ')') + s.i + 1
			out = append(out, strings.ReplaceAll(s.s[s.i:end], ",", ", "))
			s.i = end
		} else {
			out = append(out, s.relaxed())
		}
		if s.i == len(s.s) {
			return out
		}
		s.expect('+')
	}
}

func readFont(s *scanner) any {
	out := map[string]any{"textAlignHorizontal": "LEFT", "textAlignVertical": "TOP"}
	s.expect('{')
	out["fontFamily"] = s.relaxedString(",")
	s.expect(',')
	number := regexp.MustCompile(`^[0-9.]+$`)
	start := s.i
	word := s.relaxedString(",")
	if s.s[start] == '"' || !number.MatchString(word) {
		out["fontStyle"] = word
		s.expect(',')
		word = s.relaxedString(",")
	}
	out["fontWeight"] = json.Number(word)
	s.expect(',')
	size, height, has := strings.Cut(s.relaxedString(",}"), "/")
	out["fontSize"] = json.Number(size)
	if has {
		out["lineHeight"] = height
	}
	for s.s[s.i] != '}' {
		s.expect(',')
		word := s.relaxedString(",:}")
		if s.s[s.i] == ':' {
			s.i++
			switch v := s.relaxed(); word {
			case "halign":
				delete(out, "textAlignHorizontal")
			case "valign":
				delete(out, "textAlignVertical")
			default:
				out[word] = v
			}
			continue
		}
		known := false
		for key, w := range alignWords {
			if w == word {
				side := "textAlignVertical"
				if strings.HasPrefix(key, "textAlignHorizontal") {
					side = "textAlignHorizontal"
				}
				out[side], known = strings.TrimPrefix(key, side), true
			}
		}
		if !known {
			panic("an unknown word of a font: " + word)
		}
	}
	s.i++
	return out
}
