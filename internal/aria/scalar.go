package aria

// This file decodes and encodes the scalars of the snapshot: JSON strings for
// names, YAML scalars for keys and values.

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonString reads the JSON string that s starts with and returns its value
// and what follows.
func jsonString(s string) (value, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", "", false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			value, ok = unescape(s[1:i])
			return value, s[i+1:], ok
		}
	}
	return "", "", false
}

// yamlSingleQuoted reads the single-quoted YAML scalar that s starts with.
func yamlSingleQuoted(s string) (value, rest string, ok bool) {
	doubled := false
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '\'' {
			doubled = true
			i++
			continue
		}
		value = s[1:i]
		if doubled {
			value = strings.ReplaceAll(value, "''", "'")
		}
		return value, s[i+1:], true
	}
	return "", "", false
}

// yamlValue reads the scalar behind a colon: plain, or double-quoted.
func yamlValue(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, s != ""
	}
	value, rest, ok := jsonString(s)
	return value, ok && rest == ""
}

// unescape decodes the escapes of JSON strings and of upstream's
// double-quoted YAML, which adds \xNN. Lone surrogates become U+FFFD.
func unescape(s string) (string, bool) {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for {
		b = append(b, s[:i]...)
		s = s[i:]
		if len(s) < 2 {
			return "", false
		}
		size := 2
		switch c := s[1]; c {
		case '"', '\\', '/':
			b = append(b, c)
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'x', 'u':
			r, n, ok := unescapeRune(s)
			if !ok {
				return "", false
			}
			b, size = utf8.AppendRune(b, r), n
		default:
			return "", false
		}
		s = s[size:]
		if i = strings.IndexByte(s, '\\'); i < 0 {
			return string(append(b, s...)), true
		}
	}
}

// unescapeRune decodes the \xNN or \uNNNN (with its low surrogate, if it is
// a pair) that s starts with, and returns its length.
func unescapeRune(s string) (r rune, size int, ok bool) {
	size = 4
	if s[1] == 'u' {
		size = 6
	}
	v, ok := hex(s, size)
	if !ok {
		return 0, 0, false
	}
	r = rune(v)
	if !utf16.IsSurrogate(r) {
		return r, size, true
	}
	if len(s) >= 8 && s[6] == '\\' && s[7] == 'u' {
		if low, ok := hex(s[6:], 6); ok {
			if pair := utf16.DecodeRune(r, rune(low)); pair != utf8.RuneError {
				return pair, 12, true
			}
		}
	}
	return utf8.RuneError, size, true
}

// hex reads the digits s[2:size].
func hex(s string, size int) (uint64, bool) {
	if len(s) < size {
		return 0, false
	}
	v, err := strconv.ParseUint(s[2:size], 16, 32)
	return v, err == nil
}

// appendJSON writes s as a JSON string on one line. Every character that
// some reader takes for a line break is escaped; <, > and & are not.
func appendJSON(b []byte, s string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case isControl(r) || i == 0 && r < 0x80 && strings.IndexByte(closing, byte(r)) >= 0:
			b = append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		case r == utf8.RuneError:
			// Keeps bytes that are no UTF-8 from being written as such.
			_, size := utf8.DecodeRuneInString(s[i:])
			if size == 1 {
				b = append(b, `\ufffd`...)
			} else {
				b = utf8.AppendRune(b, r)
			}
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// isControl reports whether r is a control character or a line break.
func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029'
}
