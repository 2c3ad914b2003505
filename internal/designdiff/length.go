package designdiff

// CSS lengths and lists.

import (
	"math"
	"strconv"
	"strings"
)

// length is a CSS length, percentage or bare number.
type length struct {
	n    float64
	unit string // "px", "em", "%", "deg", … in lower case; empty for a bare number
}

// parseLength reads a number with its unit.
func parseLength(s string) (length, bool) {
	s = strings.TrimSpace(s)
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || s[end] == '.' || s[end] == '-' || s[end] == '+' ||
		(s[end] == 'e' || s[end] == 'E') && end+1 < len(s) && (s[end+1] >= '0' && s[end+1] <= '9' || s[end+1] == '-' || s[end+1] == '+')) {
		end++
	}
	n, err := strconv.ParseFloat(s[:end], 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return length{}, false
	}
	unit := strings.ToLower(s[end:])
	for _, c := range unit {
		if c != '%' && (c < 'a' || c > 'z') {
			return length{}, false
		}
	}
	return length{n, unit}, true
}

// px reads a length in px; 0 may have no unit.
func px(s string) (float64, bool) {
	l, ok := parseLength(s)
	if !ok || l.unit != "px" && (l.unit != "" || l.n != 0) {
		return 0, false
	}
	return l.n, true
}

// splitTop splits at a separator that is in no parentheses and no quotes. Parts
// are trimmed; with a space as the separator empty ones are left out.
func splitTop(s string, sep byte) []string {
	var out []string
	depth, start := 0, 0
	var quote byte
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" || sep != ' ' {
			out = append(out, part)
		}
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && (c == sep || sep == ' ' && (c == '\t' || c == '\n')):
			add(s[start:i])
			start = i + 1
		}
	}
	add(s[start:])
	return out
}

// function takes a CSS function apart: rgb(1, 2) is "rgb" and "1, 2".
func function(s string) (name, args string, ok bool) {
	s = strings.TrimSpace(s)
	open := strings.IndexByte(s, '(')
	if open <= 0 || s[len(s)-1] != ')' {
		return "", "", false
	}
	return strings.ToLower(strings.TrimSpace(s[:open])), s[open+1 : len(s)-1], true
}

// sides are a box's top, right, bottom and left, or a radius's corners clockwise
// from the top left.
type sides [4]float64

// parseSides reads the one to four lengths of a CSS shorthand, in px.
func parseSides(s string) (sides, bool) {
	parts := splitTop(s, ' ')
	var n [4]float64
	if len(parts) == 0 || len(parts) > 4 {
		return sides{}, false
	}
	for i, part := range parts {
		v, ok := px(part)
		if !ok {
			return sides{}, false
		}
		n[i] = v
	}
	switch len(parts) {
	case 1:
		return sides{n[0], n[0], n[0], n[0]}, true
	case 2:
		return sides{n[0], n[1], n[0], n[1]}, true
	case 3:
		return sides{n[0], n[1], n[2], n[1]}, true
	}
	return n, true
}

func (s sides) String() string {
	if s[0] == s[1] && s[1] == s[2] && s[2] == s[3] {
		return pxText(s[0])
	}
	parts := make([]string, 4)
	for i, v := range s {
		parts[i] = pxText(v)
	}
	return strings.Join(parts, " ")
}

func (s sides) zero() bool { return s == sides{} }

// pxText is a length for the reader.
func pxText(n float64) string { return numberText(n) + "px" }

// numberText is a number with at most two decimals.
func numberText(n float64) string {
	if n = math.Round(n*100) / 100; n == 0 {
		n = 0 // not -0
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// signed is a difference for the reader.
func signed(n float64) string {
	if n >= 0 {
		return "+" + numberText(n)
	}
	return numberText(n)
}
