package aria

// This file decides when text of the page can stand bare in the dense form.
// Bare text is taken literally up to the next mark; whatever would be read as
// a mark is written as a JSON string instead.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// appendLabel writes the name of an element whose role is shown, or a value.
// A colon at its end would start a section if no bracket followed it.
func appendLabel(b []byte, s string, bracket bool) []byte {
	if bareLabel(s) && (bracket || s[len(s)-1] != ':') {
		return append(b, s...)
	}
	return appendJSON(b, s)
}

// appendText writes text that starts a part of a line.
func appendText(b []byte, s string) []byte {
	if bareText(s) {
		return append(b, s...)
	}
	return appendJSON(b, s)
}

// appendHeading writes the label of a heading, behind whose signs both an
// element and a label may stand. No heading of the page looks like the
// heading of one of the answer's sections.
func appendHeading(b []byte, s string, level uint8) []byte {
	if bareText(s) && bareLabel(s) && (level != 3 || !isSectionTitle(s)) {
		return append(b, s...)
	}
	return appendJSON(b, s)
}

// isSectionTitle reports whether an answer may have a section of this title.
func isSectionTitle(s string) bool {
	switch s {
	case "Result", "Error", "Ran Playwright code", "Open tabs", "Page", "Modal state",
		"WebMCP tools", "Snapshot", "Events", "Paused":
		return true
	}
	return false
}

// appendLinkLabel writes the label of a link inside running text. A stub
// starts with a bracket and an ellipsis.
func appendLinkLabel(b []byte, s string) []byte {
	if n := len(s) - 1; n > 1 && s[0] == '[' && s[n] == ']' {
		// A citation: its own brackets stay bare, as [[5]][190].
		if inner := s[1:n]; strings.IndexByte(inner, ']') < 0 && bareLabel(inner) {
			return append(b, s...)
		}
	}
	if bareLabel(s) && !strings.HasPrefix(s, ellipsis) && strings.IndexByte(s, ']') < 0 && !looksLikeMark(s) {
		return append(b, s...)
	}
	return appendJSON(b, s)
}

// plain reports whether s has no character that is never bare: brackets that
// open, line breaks and control characters, and white space at an end.
func plain(s string) bool {
	if s == "" || s[0] == '"' && quoteAmbiguous(s) {
		return false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[' || c < 0x20 || c == 0x7f:
			return false
		case c >= 0x80:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || isControl(r) {
				return false
			}
			i += size - 1
		}
	}
	first, _ := utf8.DecodeRuneInString(s)
	last, _ := utf8.DecodeLastRuneInString(s)
	return !unicode.IsSpace(first) && !unicode.IsSpace(last)
}

// quoteAmbiguous reports whether a text that starts with a quotation mark
// would be read as a JSON string. It is not if its second quotation mark is
// followed by more text.
func quoteAmbiguous(s string) bool {
	if len(s) == 1 || strings.IndexByte(closing, s[1]) >= 0 {
		return false
	}
	_, rest, ok := jsonString(s)
	return !ok || !strings.HasPrefix(rest, " ") || len(rest) < 2 || strings.IndexByte("|[={", rest[1]) >= 0 ||
		strings.HasPrefix(rest, " url=") || strings.HasPrefix(rest, " placeholder=")
}

// closing are the characters that a JSON string of the dense form never
// starts with: appendJSON escapes them there. So a text that starts with the
// quotation mark which ended an earlier one stays bare.
const closing = " ,.;:)!?"

// bareText reports whether s can stand bare where a part of a line starts.
func bareText(s string) bool {
	if !plain(s) || hasBar(s) || misleads(s) {
		return false
	}
	switch s[0] {
	case ';', '#', '|':
		return false
	}
	if s == sectionEnd {
		return false
	}
	word := s
	if i := strings.IndexAny(s, " :;"); i >= 0 {
		word = s[:i]
	}
	return !isRoleWord(word)
}

// bareLabel reports whether s can stand bare behind a role or a sign.
func bareLabel(s string) bool {
	if !plain(s) || hasBar(s) || misleads(s) {
		return false
	}
	switch s[0] {
	case ';', ':', '=', '{', '|':
		return false
	}
	if strings.HasPrefix(s, "url=") || strings.HasPrefix(s, "placeholder=") {
		return false
	}
	for i := strings.IndexByte(s, ' '); i >= 0; {
		rest := s[i+1:]
		if strings.HasPrefix(rest, "= ") || rest == "=" || strings.HasPrefix(rest, "url=") ||
			strings.HasPrefix(rest, "placeholder=") || strings.HasPrefix(rest, "{") {
			return false
		}
		n := strings.IndexByte(rest, ' ')
		if n < 0 {
			break
		}
		i += n + 1
	}
	return !strings.Contains(s, "; ") && s[len(s)-1] != ';'
}

// misleads reports whether s has something that no grammar but a person would
// take for an element: a colon or semicolon with a role behind it.
func misleads(s string) bool {
	for i := 1; i+1 < len(s); i++ {
		if s[i] != ' ' || s[i-1] != ':' && s[i-1] != ';' {
			continue
		}
		word := s[i+1:]
		if n := strings.IndexAny(word, " :;"); n >= 0 {
			word = word[:n]
		}
		if info, ok := roles[word]; ok && info&wrapper == 0 || word == "raw" || strings.HasPrefix(word, "role=") {
			return true
		}
	}
	return false
}

// hasBar reports whether s has a bar that would be read as a separator.
func hasBar(s string) bool {
	for i := strings.IndexByte(s, '|'); i >= 0; {
		end := i
		for end < len(s) && s[end] == '|' {
			end++
		}
		if (i == 0 || s[i-1] == ' ') && (end == len(s) || s[end] == ' ') {
			return true
		}
		n := strings.IndexByte(s[end:], '|')
		if n < 0 {
			return false
		}
		i = end + n
	}
	return false
}

// isRoleWord reports whether a part of a line that starts with the word is
// an element.
func isRoleWord(word string) bool {
	if word == "raw" || strings.HasPrefix(word, "role=") {
		return true
	}
	_, ok := roles[word]
	return ok
}

// opens reports whether the text written last ends with a mark that nothing
// but what comes next belongs to.
func opens(out []byte) bool {
	r, _ := utf8.DecodeLastRune(out)
	return r == '(' || r == '“' || r == '‘' || r == '—'
}

// looksLikeMark reports whether a reader could take [s] for a handle or for
// a state.
func looksLikeMark(s string) bool {
	if strings.IndexByte(s, '=') >= 0 {
		return true
	}
	switch s {
	case "checked", "disabled", "expanded", "active", "invalid", "pressed", "selected", "aria-hidden":
		return true
	}
	return strings.Trim(s, "0123456789ef") == ""
}
