package figmatree

// Relaxed JSON: JSON without the quotes that a reader does not need. A string
// stands bare if it can be taken for nothing else.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// appendRelaxed appends a value. inside says that brackets are around it, so
// that a bare string may hold spaces.
func appendRelaxed(dst []byte, v *Value, inside bool) []byte {
	switch v.Kind {
	case Bool, Number:
		return append(dst, v.Text...)
	case String:
		return appendRelaxedString(dst, v.Text, inside)
	case Array, Object:
		open, end := byte('['), byte(']')
		if v.Kind == Object {
			open, end = '{', '}'
		}
		dst = append(dst, open)
		for i := range v.Kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			if v.Kind == Object {
				dst = append(appendRelaxedString(dst, v.Kids[i].Name, true), ':')
			}
			dst = appendRelaxed(dst, &v.Kids[i], true)
		}
		return append(dst, end)
	}
	return append(dst, "null"...)
}

func relaxed(v *Value) string { return string(appendRelaxed(nil, v, false)) }

func appendRelaxedString(dst []byte, s string, inside bool) []byte {
	if bare(s, inside) {
		return append(dst, s...)
	}
	return appendQuoted(dst, s)
}

// bare reports whether a string needs no quotes.
func bare(s string, inside bool) bool {
	if s == "" || s == "true" || s == "false" || s == "null" || (s[0] == '-' || isDigit(s[0])) && jsonNumber.MatchString(s) {
		return false
	}
	if s[0] == ' ' || s[len(s)-1] == ' ' || !inside && strings.IndexByte(s, ' ') >= 0 {
		return false
	}
	return !strings.ContainsAny(s, "\"'{}[](),:=\\+") && oneLine(s)
}

// oneLine reports whether a text has no character that ends a line, moves the
// cursor or is invisible to most, besides the joiners that are part of emoji.
func oneLine(s string) bool {
	for i, r := range s {
		if r < 0x20 || r == 0x7f {
			return false
		}
		if r < utf8.RuneSelf {
			continue
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return false
			}
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || unicode.Is(unicode.Bidi_Control, r) {
			return false
		}
	}
	return true
}

// appendQuoted appends a JSON string that stays on its line for readers who know
// Unicode's line ends too.
func appendQuoted(dst []byte, s string) []byte {
	start := len(dst)
	dst = jsonrpc.AppendString(dst, s)
	if oneLine(string(dst[start:])) {
		return dst
	}
	var out strings.Builder
	for _, r := range string(dst[start:]) {
		if r >= 0x7f && !oneLine(string(r)) && r != utf8.RuneError {
			const digits = "0123456789abcdef" // all of them are in the basic plane
			out.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				out.WriteByte(digits[r>>shift&15])
			}
			continue
		}
		out.WriteRune(r)
	}
	return append(dst[:start], out.String()...)
}
