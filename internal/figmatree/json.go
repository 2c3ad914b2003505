package figmatree

// JSON text to values, in one pass and without copying what has no escapes.

import (
	"fmt"
	"strings"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// maxDepth is more than any design has; deeper nesting is an attack.
const maxDepth = 4000

// ParseJSON reads one JSON value; text may not hold anything else but white
// space. The value's strings share the text's memory.
func ParseJSON(text string) (*Value, error) {
	p := &jsonParser{text: text}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.at < len(text) {
		return nil, fmt.Errorf("after the JSON value, at byte %d, there is more", p.at)
	}
	return &v, nil
}

type jsonParser struct {
	text  string
	at    int
	stack []Value // the members and elements that were read of what is still open
	arena []Value // where those of what is closed come to lie
}

// arenaSize is how many values are allocated at once.
const arenaSize = 512

// closeAt moves what was read since base into memory of its own.
func (p *jsonParser) closeAt(base int) []Value {
	read := p.stack[base:]
	if len(read) == 0 {
		return nil
	}
	if len(p.arena)+len(read) > cap(p.arena) {
		p.arena = make([]Value, 0, max(arenaSize, len(read)))
	}
	start := len(p.arena)
	p.arena = append(p.arena, read...)
	p.stack = p.stack[:base]
	return p.arena[start:len(p.arena):len(p.arena)]
}

func (p *jsonParser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

func (p *jsonParser) unexpected(want string) error {
	if p.at >= len(p.text) {
		return fmt.Errorf("the JSON ends where %s was expected", want)
	}
	return fmt.Errorf("%q at byte %d of the JSON, where %s was expected", p.text[p.at], p.at, want)
}

func (p *jsonParser) value(depth int) (Value, error) {
	p.space()
	if p.at >= len(p.text) {
		return Value{}, p.unexpected("a value")
	}
	switch c := p.text[p.at]; c {
	case '"':
		s, err := p.string()
		return Value{Kind: String, Text: s}, err
	case '{', '[':
		if depth == maxDepth {
			return Value{}, fmt.Errorf("the JSON is nested more than %d deep", maxDepth)
		}
		p.at++
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case 't':
		return p.word(Bool, "true")
	case 'f':
		return p.word(Bool, "false")
	case 'n':
		return p.word(Null, "null")
	}
	return p.number()
}

func (p *jsonParser) word(kind Kind, word string) (Value, error) {
	if !strings.HasPrefix(p.text[p.at:], word) {
		return Value{}, p.unexpected(word)
	}
	p.at += len(word)
	v := Value{Kind: kind}
	if kind == Bool {
		v.Text = word
	}
	return v, nil
}

func (p *jsonParser) digits() bool {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}

func (p *jsonParser) number() (Value, error) {
	start := p.at
	p.skip("-")
	if !p.skip("0") && !p.digits() {
		return Value{}, p.unexpected("a value")
	}
	if p.skip(".") && !p.digits() {
		return Value{}, p.unexpected("a digit")
	}
	if p.skip("eE") {
		p.skip("+-")
		if !p.digits() {
			return Value{}, p.unexpected("a digit")
		}
	}
	return Value{Kind: Number, Text: p.text[start:p.at]}, nil
}

// skip passes one byte if it is among set.
func (p *jsonParser) skip(set string) bool {
	if p.at < len(p.text) && strings.IndexByte(set, p.text[p.at]) >= 0 {
		p.at++
		return true
	}
	return false
}

// string reads a string literal.
func (p *jsonParser) string() (string, error) {
	start := p.at
	escaped := false
	for i := start + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			p.at = i + 1
			if !escaped {
				return p.text[start+1 : i], nil
			}
			s, err := jsonrpc.Unquote([]byte(p.text[start:p.at]))
			if err != nil {
				return "", fmt.Errorf("%w, at byte %d", err, start)
			}
			return s, nil
		case c == '\\':
			escaped = true
			i++
		case c < 0x20:
			p.at = i
			return "", p.unexpected("a character of a string")
		}
	}
	return "", fmt.Errorf("the string at byte %d of the JSON does not end", start)
}

func (p *jsonParser) object(depth int) (Value, error) {
	base := len(p.stack)
	if p.space(); p.skip("}") {
		return Value{Kind: Object}, nil
	}
	for {
		if p.space(); p.at >= len(p.text) || p.text[p.at] != '"' {
			return Value{}, p.unexpected("a member's name")
		}
		name, err := p.string()
		if err != nil {
			return Value{}, err
		}
		if p.space(); !p.skip(":") {
			return Value{}, p.unexpected("a colon")
		}
		v, err := p.value(depth)
		if err != nil {
			return Value{}, err
		}
		v.Name = name
		p.stack = append(p.stack, v)
		if p.space(); p.skip(",") {
			continue
		}
		if !p.skip("}") {
			return Value{}, p.unexpected("a comma or the object's end")
		}
		return Value{Kind: Object, Kids: p.closeAt(base)}, nil
	}
}

func (p *jsonParser) array(depth int) (Value, error) {
	base := len(p.stack)
	if p.space(); p.skip("]") {
		return Value{Kind: Array}, nil
	}
	for {
		v, err := p.value(depth)
		if err != nil {
			return Value{}, err
		}
		p.stack = append(p.stack, v)
		if p.space(); p.skip(",") {
			continue
		}
		if !p.skip("]") {
			return Value{}, p.unexpected("a comma or the array's end")
		}
		return Value{Kind: Array, Kids: p.closeAt(base)}, nil
	}
}
