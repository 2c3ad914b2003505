package jsonrpc

// The scanner against encoding/json, which is the oracle for what is valid.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// source makes random JSON.
type source struct{ *rand.Rand }

func newSource(seed uint64) source { return source{rand.New(rand.NewPCG(seed, 7))} }

func (s source) pick(of ...string) string { return of[s.IntN(len(of))] }

// space is white space, mostly none.
func (s source) space() string { return s.pick("", "", "", "", " ", "\t", "\r\n ") }

// literal is a string literal with plain runs of every length and every kind of
// escape.
func (s source) literal() string {
	var b strings.Builder
	b.WriteByte('"')
	for range s.IntN(5) {
		b.WriteString(strings.Repeat("ab<>&é", s.IntN(4)))
		b.WriteString(s.pick(`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u00e9`, `\u2028`, `\ud83d\ude00`,
			`\ud800`, `\udc00\ud800`, `\ud800\u0041`, `\ud800\n`, "\u2028", "😀", "\x7f", "x"))
	}
	b.WriteByte('"')
	return b.String()
}

func (s source) value(depth int) string {
	kind := s.IntN(8)
	if depth <= 0 {
		kind = s.IntN(5)
	}
	switch kind {
	case 0, 1:
		return s.literal()
	case 2:
		return s.pick("0", "-0", "1", "-17", "9007199254740993", "1.5", "-0.25e-7", "1E+9", "12345678901234567890")
	case 3:
		return s.pick("true", "false", "null")
	case 4:
		return s.pick("{}", "[]", "[ ]", "{ }")
	case 5:
		return s.array(depth)
	}
	return s.object(depth)
}

func (s source) array(depth int) string {
	var parts []string
	for range s.IntN(5) {
		parts = append(parts, s.space()+s.value(depth-1)+s.space())
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func (s source) object(depth int) string {
	var parts []string
	for i := range s.IntN(5) {
		key := fmt.Sprintf(`"k%d%s`, i, s.literal()[1:])
		parts = append(parts, s.space()+key+s.space()+":"+s.space()+s.value(depth-1)+s.space())
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// mutate changes, drops, doubles or adds a few bytes.
func (s source) mutate(text string) string {
	b := []byte(text)
	for range 1 + s.IntN(3) {
		i := s.IntN(len(b) + 1)
		switch s.IntN(4) {
		case 0:
			if i < len(b) {
				b[i] = byte(s.IntN(256))
			}
		case 1:
			if i < len(b) {
				b = slices.Delete(b, i, i+1)
			}
		case 2:
			b = slices.Insert(b, i, b[i:min(len(b), i+s.IntN(9))]...)
		default:
			b = slices.Insert(b, i, []byte(s.pick(`"`, `\`, `{`, `}`, `[`, `]`, `,`, `:`, "0", "-", ".", "e", "tru", "\x00", "\n", "\f", "\u00a0", "\xff"))...)
		}
	}
	return string(b)
}

// sameVerdict checks Valid and Parse against the oracle.
func sameVerdict(t *testing.T, text []byte) {
	t.Helper()
	want := json.Valid(text)
	if err := Valid(text); (err == nil) != want {
		t.Fatalf("Valid(%q) = %v; encoding/json says %v", text, err, want)
	}
	_, err := Parse(text)
	if err == nil && !want {
		t.Fatalf("Parse accepts %q; encoding/json does not", text)
	}
	object := len(text) > 0 && text[0] == '{'
	if err != nil && want && object && !strings.Contains(err.Error(), "appears twice") {
		t.Fatalf("Parse refuses %q (%v); encoding/json does not", text, err)
	}
	if err == nil && !object {
		t.Fatalf("Parse accepts %q, which is no object", text)
	}
}

func TestVerdictOfRandomInput(t *testing.T) {
	s := newSource(1)
	for range 20_000 {
		text := s.space() + s.value(4) + s.space()
		if err := Valid([]byte(text)); err != nil {
			t.Fatalf("Valid refuses %q: %v", text, err)
		}
		sameVerdict(t, []byte(text))
		sameVerdict(t, []byte(s.mutate(text)))
	}
}

func TestVerdictAtTheEdges(t *testing.T) {
	for _, text := range []string{
		"", " ", "{", "}", "{}", "{} ", " {}", "{}x", "{}{}", "{}\f", "{}\u00a0", "\ufeff{}", `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{"a":1 "b":2}`, `{a:1}`, `{'a':1}`,
		"[1,]", "[,1]", "[", "[1", "nul", "nulll", "True", "01", "-", "-01", "1.", ".5", "1e", "1e+", "+1", "0x1", "NaN", "1 2",
		`"`, `"\`, `"\"`, `"\x"`, `"\u"`, `"\u12"`, `"\u12g4"`, `"\uD83D"`, "\"a\x00b\"", "\"a\nb\"", "\"12345678\x1f\"", "\"\x7f\xff\"", `"12345678\"12345678"`,
		"// c\n{}", `{"a":1}//`,
	} {
		sameVerdict(t, []byte(text))
	}
	// Every byte, at every place of a word of eight, inside a string.
	for c := range 256 {
		for at := range 9 {
			text := []byte(`"----------------"`)
			text[1+at] = byte(c)
			sameVerdict(t, text)
		}
	}
}

func TestDepth(t *testing.T) {
	for _, depth := range []int{9_999, 10_000, 10_001, 1_000_000} {
		arrays := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		objects := strings.Repeat(`{"a":`, depth-1) + "{}" + strings.Repeat("}", depth-1)
		for _, text := range []string{arrays, objects} {
			sameVerdict(t, []byte(text))
			if err := Valid([]byte(text)); (err == nil) != (depth <= 10_000) {
				t.Errorf("%d levels: %v", depth, err)
			}
		}
		sameVerdict(t, []byte(strings.Repeat("[", depth)))
	}
}

func TestParseFindsMembers(t *testing.T) {
	for _, c := range []struct {
		line                              string
		kind                              Kind
		id, method, params, result, error string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"x":[1]}}`, Request, `1`, `"a/b"`, `{"x":[1]}`, ``, ``},
		{"{ \"id\" : \"x\" ,\t\"method\":\"m\" } \r", Request, `"x"`, `"m"`, ``, ``, ``},
		{`{"id":null,"method":"m"}`, Request, `null`, `"m"`, ``, ``, ``},
		{`{"method":"m","params":[]}`, Notification, ``, `"m"`, `[]`, ``, ``},
		{`{"id":9007199254740993,"result":null}`, Response, `9007199254740993`, ``, ``, `null`, ``},
		{`{"error":{"code":1},"id":-1}`, Response, `-1`, ``, ``, ``, `{"code":1}`},
		{`{"result":{},"\u0069d":3}`, Response, `3`, ``, ``, `{}`, ``},
		{`{"ID":1,"Method":"m"}`, Invalid, ``, ``, ``, ``, ``},
		{`{"id":1}`, Invalid, `1`, ``, ``, ``, ``},
		{`{"result":1}`, Invalid, ``, ``, ``, `1`, ``},
		{`{"params":{"id":1,"method":"m"}}`, Invalid, ``, ``, `{"id":1,"method":"m"}`, ``, ``},
		{`{}`, Invalid, ``, ``, ``, ``, ``},
	} {
		m, err := Parse([]byte(c.line))
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		got := []string{string(m.Bytes(m.ID)), string(m.Bytes(m.Method)), string(m.Bytes(m.Params)), string(m.Bytes(m.Result)), string(m.Bytes(m.Error))}
		if want := []string{c.id, c.method, c.params, c.result, c.error}; !slices.Equal(got, want) || m.Kind() != c.kind {
			t.Errorf("%s: kind %d, members %q; want %d, %q", c.line, m.Kind(), got, c.kind, want)
		}
	}
}

func TestParseRefusesTwice(t *testing.T) {
	for _, line := range []string{`{"id":1,"id":1}`, `{"id":1,"\u0069d":2}`, `{"method":"a","params":1,"method":"a"}`, `{"result":1,"result":2,"id":1}`, `{"error":{},"error":{}}`} {
		if _, err := Parse([]byte(line)); err == nil || !strings.Contains(err.Error(), "twice") {
			t.Errorf("%s: %v", line, err)
		}
	}
	if _, err := Parse([]byte(`{"other":1,"other":2,"id":1,"result":{"id":1,"id":2}}`)); err != nil {
		t.Errorf("members that are not a message's may repeat: %v", err)
	}
}

func TestMethodName(t *testing.T) {
	for in, want := range map[string]string{`"tools\/call"`: "tools/call", `"m"`: "m", `""`: "", `5`: "", `null`: ""} {
		m, err := Parse([]byte(`{"method":` + in + `}`))
		if err != nil || m.MethodName() != want {
			t.Errorf("%s: %q, %v", in, m.MethodName(), err)
		}
	}
	if m := (&Message{}); m.MethodName() != "" {
		t.Error("a message without a method has a name")
	}
}

func TestMembersAreWhatDecodingGives(t *testing.T) {
	s := newSource(2)
	for range 5_000 {
		text := []byte(s.object(3))
		var want map[string]json.RawMessage
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		got := map[string]json.RawMessage{}
		at := 0
		Members(text, func(key, value Span) {
			if key.Start < at || value.Start < key.End {
				t.Fatalf("%s: members out of order", text)
			}
			at = value.End
			name, err := Unquote(text[key.Start:key.End])
			if err != nil {
				t.Fatal(err)
			}
			got[name] = text[value.Start:value.End]
		})
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: members %q, want %q", text, got, want)
		}
		for name, value := range want {
			if v, ok := Member(text, name); !ok || !bytes.Equal(v, value) {
				t.Fatalf("%s: member %q is %q, %v", text, name, v, ok)
			}
		}
		if v, ok := Member(text, "none"); ok || v != nil {
			t.Fatalf("%s: a member that is not there: %q", text, v)
		}
	}
}

func TestElementsAreWhatDecodingGives(t *testing.T) {
	s := newSource(3)
	for range 5_000 {
		text := []byte(s.array(3))
		var want []json.RawMessage
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		got := []json.RawMessage{}
		Elements(text, func(v Span) { got = append(got, text[v.Start:v.End]) })
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: elements %q, want %q", text, got, want)
		}
	}
}

func TestOthersHaveNoMembers(t *testing.T) {
	for _, text := range []string{"", "[]", "null", `"{}"`, "1", `[{"a":1}]`} {
		Members([]byte(text), func(_, _ Span) { t.Errorf("%q has a member", text) })
		if _, ok := Member([]byte(text), "a"); ok {
			t.Errorf("%q has a member a", text)
		}
	}
	for _, text := range []string{"", "{}", "null", `"[]"`, `{"a":[1]}`} {
		Elements([]byte(text), func(Span) { t.Errorf("%q has an element", text) })
	}
}

func TestValuesHaveNoRoomBehindThem(t *testing.T) {
	line := []byte(`{"id":1,"params":{"a":1},"method":"m"}`)
	m, err := Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	before := string(line)
	_ = append(m.Bytes(m.Params), "overwritten"...)
	v, _ := Member(line, "params")
	_ = append(v, "overwritten"...)
	if string(line) != before {
		t.Errorf("appending to a member changed the message: %s", line)
	}
}

func TestStringMember(t *testing.T) {
	obj := []byte(`{"s":"a\nb","n":1,"z":null,"o":{},"s2":"\u0041","d":"first","d":"last"}`)
	for name, want := range map[string]string{"s": "a\nb", "n": "", "z": "", "o": "", "none": "", "s2": "A", "d": "last"} {
		if got := StringMember(obj, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	s := newSource(4)
	for range 50 {
		f.Add([]byte(s.object(3)))
	}
	for _, text := range []string{`{"id":1,"id":2}`, `{"\u0069d":1}`, `{"a":"\ud800"}`, "{}\f", `[[[[`, `-0.0e-0`, "\"\x1f\""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		sameVerdict(t, text)
		m, err := Parse(text)
		if err != nil {
			return
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("Parse accepts %q: %v", text, err)
		}
		maps.DeleteFunc(want, func(name string, _ json.RawMessage) bool { return m.place(name) == nil })
		for name, span := range map[string]Span{"id": m.ID, "method": m.Method, "params": m.Params, "result": m.Result, "error": m.Error} {
			if got := m.Bytes(span); !bytes.Equal(got, want[name]) {
				t.Fatalf("%s of %q is %q, want %q", name, text, got, want[name])
			}
		}
	})
}
