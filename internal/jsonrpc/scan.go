package jsonrpc

// Messages and where their members lie.

import (
	"bytes"
	"errors"
	"fmt"
)

// Span is where a value lies in a message: Raw[Start:End]. The zero Span means
// that the member is absent.
type Span struct{ Start, End int }

// Present reports whether the member was there.
func (s Span) Present() bool { return s.End > 0 }

// Message is one JSON-RPC message and where its members lie in it.
type Message struct {
	Raw                               []byte
	ID, Method, Params, Result, Error Span
}

// Kind is what a message is (JSON-RPC 2.0, sections 4 and 5).
type Kind int

// The kinds of message.
const (
	Invalid      Kind = iota // none of the others
	Request                  // a method and an id
	Notification             // a method and no id
	Response                 // an id, and a result or an error
)

// Kind tells what the message is. A method wins over a result, as in JSON-RPC
// libraries at large; a null id with a method is a notification's by no rule,
// so it counts as a request and is answered.
func (m *Message) Kind() Kind {
	switch {
	case m.Method.Present() && m.ID.Present():
		return Request
	case m.Method.Present():
		return Notification
	case m.ID.Present() && (m.Result.Present() || m.Error.Present()):
		return Response
	}
	return Invalid
}

// Bytes returns the bytes of a member, nil when it is absent. They have no room
// behind them, so appending to them copies.
func (m *Message) Bytes(s Span) []byte {
	if !s.Present() {
		return nil
	}
	return m.Raw[s.Start:s.End:s.End]
}

// MethodName returns the method, unquoted; empty when it is absent or no string.
func (m *Message) MethodName() string {
	b := m.Bytes(m.Method)
	if len(b) < 2 || b[0] != '"' {
		return ""
	}
	s, err := Unquote(b)
	if err != nil {
		return ""
	}
	return s
}

// place returns where the span of a member of that name goes, nil if it is none
// of a message's.
func (m *Message) place(name string) *Span {
	switch name {
	case "id":
		return &m.ID
	case "method":
		return &m.Method
	case "params":
		return &m.Params
	case "result":
		return &m.Result
	case "error":
		return &m.Error
	}
	return nil
}

// Parse checks that line is one valid JSON object and finds its members. Keys
// are matched exactly, unlike encoding/json, which ignores case, and however
// they are spelt ("\u0069d" is "id"). A member that appears twice is an error,
// because peers disagree on which one counts.
func Parse(line []byte) (Message, error) {
	m := Message{Raw: line}
	if len(line) == 0 || line[0] != '{' {
		return m, errors.New("the line is no JSON object")
	}
	var dup string
	end, err := object(line, 0, 0, func(key, value Span) {
		at := m.place(string(line[key.Start+1 : key.End-1]))
		if at == nil {
			if name, escaped := unescapedKey(line[key.Start:key.End]); escaped {
				at = m.place(name)
			}
		}
		if at == nil {
			return
		}
		if at.Present() {
			dup = string(line[key.Start:key.End])
		}
		*at = value
	})
	if err != nil {
		return m, err
	}
	if end = space(line, end); end < len(line) {
		return m, fmt.Errorf("something follows the JSON object at byte %d", end)
	}
	if dup != "" {
		return m, fmt.Errorf("the member %s appears twice", dup)
	}
	return m, nil
}

// Members calls visit for each member of a JSON object that Parse has already
// found valid, in the order of the bytes. Spans are offsets into obj; a key's
// span includes its quotes.
func Members(obj []byte, visit func(key, value Span)) {
	if len(obj) > 0 && obj[0] == '{' {
		_, _ = object(obj, 0, 0, visit)
	}
}

// Elements calls visit for each element of a valid JSON array.
func Elements(arr []byte, visit func(value Span)) {
	if len(arr) > 0 && arr[0] == '[' {
		_, _ = array(arr, 0, 0, visit)
	}
}

// unescapedKey returns the name of a key that is spelt with escapes, false for
// one that is not.
func unescapedKey(key []byte) (string, bool) {
	if bytes.IndexByte(key, '\\') < 0 {
		return "", false
	}
	name, err := Unquote(key)
	return name, err == nil
}

// isKey reports whether a key, quotes included, is a way to spell name.
func isKey(key []byte, name string) bool {
	if spelt, escaped := unescapedKey(key); escaped {
		return spelt == name
	}
	return string(key[1:len(key)-1]) == name
}

// Member returns the value of one member of a valid JSON object and whether it
// is there. Of several members of that name the last counts, as in most
// decoders. The value has no room behind it, so appending to it copies.
func Member(obj []byte, name string) ([]byte, bool) {
	s := MemberSpan(obj, name)
	if !s.Present() {
		return nil, false
	}
	return obj[s.Start:s.End:s.End], true
}

// MemberSpan is Member with the place of the value instead of the value.
func MemberSpan(obj []byte, name string) Span {
	var found Span
	Members(obj, func(key, value Span) {
		if isKey(obj[key.Start:key.End], name) {
			found = value
		}
	})
	return found
}

// StringMember returns the text of a string member, empty when it is absent or
// no string.
func StringMember(obj []byte, name string) string {
	v, _ := Member(obj, name)
	if len(v) == 0 || v[0] != '"' {
		return ""
	}
	s, err := Unquote(v)
	if err != nil {
		return ""
	}
	return s
}

// Valid checks that b is one JSON value with nothing but white space around it.
func Valid(b []byte) error {
	end, err := value(b, space(b, 0), 0)
	if err != nil {
		return err
	}
	if space(b, end) != len(b) {
		return fmt.Errorf("something follows the JSON value at byte %d", end)
	}
	return nil
}
