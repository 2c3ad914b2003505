package jsonrpc

// A scanner for JSON (RFC 8259) that checks and measures values in one pass.
// Each function takes the offset of a value's first byte and returns the
// offset behind it.

import (
	"fmt"
	"math/bits"
)

// maxDepth is encoding/json's limit as well; deeper nesting is an attack.
const maxDepth = 10000

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

func unexpected(b []byte, i int, want string) error {
	if i >= len(b) {
		return fmt.Errorf("the JSON ends where %s was expected", want)
	}
	return fmt.Errorf("%q at byte %d of the JSON, where %s was expected", b[i], i, want)
}

func value(b []byte, i, depth int) (int, error) {
	if i >= len(b) {
		return i, unexpected(b, i, "a value")
	}
	switch c := b[i]; c {
	case '"':
		return str(b, i)
	case '{':
		return object(b, i, depth, nil)
	case '[':
		return array(b, i, depth, nil)
	case 't':
		return literal(b, i, "true")
	case 'f':
		return literal(b, i, "false")
	case 'n':
		return literal(b, i, "null")
	default:
		if c == '-' || c >= '0' && c <= '9' {
			return number(b, i)
		}
		return i, unexpected(b, i, "a value")
	}
}

func literal(b []byte, i int, word string) (int, error) {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return i, unexpected(b, i, word)
	}
	return i + len(word), nil
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

func number(b []byte, i int) (int, error) {
	if b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	default:
		j := digits(b, i)
		if j == i {
			return i, unexpected(b, i, "a digit")
		}
		i = j
	}
	if i < len(b) && b[i] == '.' {
		j := digits(b, i+1)
		if j == i+1 {
			return j, unexpected(b, j, "a digit")
		}
		i = j
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		j := digits(b, i)
		if j == i {
			return i, unexpected(b, i, "a digit")
		}
		i = j
	}
	return i, nil
}

// plain tells for each byte whether it stands for itself inside a string.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 256; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// special marks the bytes of w that end a run of plain string bytes: a quote, a
// backslash or a control character. The lowest mark is exact; those above it may
// be wrong, because the subtractions borrow.
func special(w uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	quote := w ^ (ones * '"')
	slash := w ^ (ones * '\\')
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & high
}

// skipPlain returns the offset of the first byte from i on that does not stand
// for itself inside a string, or len(b). It takes eight bytes at a time: in a
// snapshot an escape comes every 20 to 30 bytes.
func skipPlain[T string | []byte](b T, i int) int {
	for i+8 <= len(b) {
		w := uint64(b[i]) | uint64(b[i+1])<<8 | uint64(b[i+2])<<16 | uint64(b[i+3])<<24 |
			uint64(b[i+4])<<32 | uint64(b[i+5])<<40 | uint64(b[i+6])<<48 | uint64(b[i+7])<<56
		if marks := special(w); marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
		i += 8
	}
	for i < len(b) && plain[b[i]] {
		i++
	}
	return i
}

func str(b []byte, i int) (int, error) {
	start := i
	i++
	for {
		i = skipPlain(b, i)
		if i >= len(b) {
			return i, fmt.Errorf("the string that begins at byte %d of the JSON has no end", start)
		}
		switch b[i] {
		case '"':
			return i + 1, nil
		case '\\':
			n := escape(b, i)
			if n == 0 {
				return i, fmt.Errorf("a broken escape at byte %d of the JSON", i)
			}
			i += n
		default:
			return i, fmt.Errorf("a bare control character at byte %d of the JSON", i)
		}
	}
}

// escape returns the length of the escape sequence at i, 0 if it is broken.
func escape(b []byte, i int) int {
	if i+1 >= len(b) {
		return 0
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if i+6 > len(b) {
			return 0
		}
		for _, c := range b[i+2 : i+6] {
			if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
				return 0
			}
		}
		return 6
	}
	return 0
}

func object(b []byte, i, depth int, visit func(key, value Span)) (int, error) {
	if depth >= maxDepth {
		return i, fmt.Errorf("the JSON is nested more than %d levels deep", maxDepth)
	}
	i = space(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return i, unexpected(b, i, "a member's name")
		}
		keyEnd, err := str(b, i)
		if err != nil {
			return keyEnd, err
		}
		key := Span{i, keyEnd}
		i = space(b, keyEnd)
		if i >= len(b) || b[i] != ':' {
			return i, unexpected(b, i, "a colon")
		}
		i = space(b, i+1)
		end, err := value(b, i, depth+1)
		if err != nil {
			return end, err
		}
		if visit != nil {
			visit(key, Span{i, end})
		}
		i = space(b, end)
		if i < len(b) && b[i] == ',' {
			i = space(b, i+1)
			continue
		}
		if i < len(b) && b[i] == '}' {
			return i + 1, nil
		}
		return i, unexpected(b, i, "a comma or the object's end")
	}
}

func array(b []byte, i, depth int, visit func(value Span)) (int, error) {
	if depth >= maxDepth {
		return i, fmt.Errorf("the JSON is nested more than %d levels deep", maxDepth)
	}
	i = space(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, nil
	}
	for {
		end, err := value(b, i, depth+1)
		if err != nil {
			return end, err
		}
		if visit != nil {
			visit(Span{i, end})
		}
		i = space(b, end)
		if i < len(b) && b[i] == ',' {
			i = space(b, i+1)
			continue
		}
		if i < len(b) && b[i] == ']' {
			return i + 1, nil
		}
		return i, unexpected(b, i, "a comma or the array's end")
	}
}
