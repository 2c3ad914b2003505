package jsonrpc

// JSON strings to text and back.

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote returns the text of a JSON string literal, quotes included in raw. Of
// a literal that Parse or Valid has not seen only the quotes and the escapes are
// checked. A lone surrogate becomes U+FFFD, as in every JSON library. Invalid
// UTF-8 is kept, which encoding/json replaces: see ValidUTF8.
func Unquote(raw []byte) (string, error) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", errors.New("not a JSON string")
	}
	body := raw[1 : len(raw)-1]
	i := bytes.IndexByte(body, '\\')
	if i < 0 {
		return string(body), nil
	}
	var out strings.Builder
	out.Grow(len(body))
	for i >= 0 {
		out.Write(body[:i])
		n := escape(body, i)
		switch {
		case n == 0:
			return "", errors.New("a broken escape in a JSON string")
		case n == 2:
			out.WriteByte(unescaped(body[i+1]))
		default:
			r, used := unicodeEscape(body[i:])
			out.WriteRune(r)
			n = used
		}
		body = body[i+n:]
		i = bytes.IndexByte(body, '\\')
	}
	out.Write(body)
	return out.String(), nil
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// unicodeEscape decodes \u and its four digits, or a surrogate pair of two, at the start of b
// and returns how many bytes it took.
func unicodeEscape(b []byte) (rune, int) {
	r := hex4(b[2:6])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' && escape(b, 6) == 6 {
		if pair := utf16.DecodeRune(r, hex4(b[8:12])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(b []byte) rune {
	n, _ := strconv.ParseUint(string(b), 16, 32) // escape has checked the digits
	return rune(n)
}

// AppendString appends s as a JSON string. It escapes what JSON demands and
// nothing else: unlike encoding/json it leaves <, >, &, U+2028 and U+2029 as
// they are, since every escape costs the reader tokens. A run of invalid UTF-8
// becomes one U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	for {
		i := skipPlain(s, 0)
		dst = append(dst, s[:i]...)
		if i == len(s) {
			return append(dst, '"')
		}
		c := s[i]
		s = s[i+1:]
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		default:
			const digits = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
}

// Quote returns s as a JSON string.
func Quote(s string) []byte { return AppendString(make([]byte, 0, len(s)+16), s) }

// ValidUTF8 returns line with invalid UTF-8 replaced by U+FFFD, and whether it
// had to change anything. MCP messages are UTF-8 (transports, section 1); a
// strict peer drops the connection over one bad byte.
func ValidUTF8(line []byte) ([]byte, bool) {
	if utf8.Valid(line) {
		return line, false
	}
	return bytes.ToValidUTF8(line, []byte("\uFFFD")), true
}
