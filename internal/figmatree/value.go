package figmatree

// Value: JSON that keeps the order of members and the spelling of numbers.

import (
	"strconv"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// Kind is what a Value is.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is one JSON value. Members and elements lie next to each other in
// memory, so a file of megabytes takes few allocations.
type Value struct {
	Name string  // the member's name, if it is the member of an object
	Text string  // a string's content; a number or bool as it is written
	Kids []Value // an object's members or an array's elements, in order
	Kind Kind
}

// StringValue returns a string.
func StringValue(name, text string) Value { return Value{Name: name, Kind: String, Text: text} }

func numberValue(name string, n int) Value {
	return Value{Name: name, Kind: Number, Text: strconv.Itoa(n)}
}

// Get returns an object's member, the last one of that name; nil when there is
// none. It may be called on nil.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	for i := len(v.Kids) - 1; i >= 0; i-- {
		if v.Kids[i].Name == name {
			return &v.Kids[i]
		}
	}
	return nil
}

// Path follows member names; nil when one is missing.
func (v *Value) Path(names ...string) *Value {
	for _, name := range names {
		v = v.Get(name)
	}
	return v
}

// Str returns a string's content, and "" for everything else, nil included.
func (v *Value) Str() string {
	if v == nil || v.Kind != String {
		return ""
	}
	return v.Text
}

// Float returns a number's value; false for everything else, nil included.
func (v *Value) Float() (float64, bool) {
	if v == nil || v.Kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	return f, err == nil
}

// IsTrue reports whether the value is true.
func (v *Value) IsTrue() bool { return v != nil && v.Kind == Bool && v.Text == "true" }

// IsFalse reports whether the value is false.
func (v *Value) IsFalse() bool { return v != nil && v.Kind == Bool && v.Text == "false" }

// Items returns an array's elements; none for everything else, nil included.
func (v *Value) Items() []Value {
	if v == nil || v.Kind != Array {
		return nil
	}
	return v.Kids
}

// Members returns an object's members; none for everything else, nil included.
func (v *Value) Members() []Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	return v.Kids
}

// JSON returns the value as JSON without white space.
func (v *Value) JSON() string { return string(v.AppendJSON(nil)) }

// AppendJSON appends the value as JSON without white space. Nil is null.
func (v *Value) AppendJSON(dst []byte) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	switch v.Kind {
	case Bool, Number:
		return append(dst, v.Text...)
	case String:
		return jsonrpc.AppendString(dst, v.Text)
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
				dst = append(jsonrpc.AppendString(dst, v.Kids[i].Name), ':')
			}
			dst = v.Kids[i].AppendJSON(dst)
		}
		return append(dst, end)
	}
	return append(dst, "null"...)
}

// equal reports whether two values are the same, the order of members and the
// spelling of numbers included. Names are not compared.
func equal(a, b *Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Kids) != len(b.Kids) {
		return false
	}
	for i := range a.Kids {
		if a.Kids[i].Name != b.Kids[i].Name || !equal(&a.Kids[i], &b.Kids[i]) {
			return false
		}
	}
	return true
}

// set replaces or adds a member of an object.
func (v *Value) set(m Value) {
	if old := v.Get(m.Name); old != nil {
		*old = m
		return
	}
	// Capped, because the members of the next object may lie behind.
	v.Kids = append(v.Kids[:len(v.Kids):len(v.Kids)], m)
}

// remove takes out the members that gone reports, and returns how many.
func (v *Value) remove(gone func(m *Value) bool) int {
	kept := v.Kids[:0]
	for i := range v.Kids {
		if !gone(&v.Kids[i]) {
			kept = append(kept, v.Kids[i])
		}
	}
	n := len(v.Kids) - len(kept)
	v.Kids = kept
	return n
}
