package jsonrpc

// Edits: what was asked for changes, every other byte stays.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// memberBytes lists an object's members, each from its key to its value's end.
func memberBytes(obj []byte) (names, members []string) {
	Members(obj, func(key, value Span) {
		name, _ := Unquote(obj[key.Start:key.End])
		names = append(names, name)
		members = append(members, string(obj[key.Start:value.End]))
	})
	return names, members
}

func TestSetMember(t *testing.T) {
	for _, c := range []struct{ obj, name, value, want string }{
		{`{}`, "a", `1`, `{"a":1}`},
		{`{ }`, "a", `1`, `{ "a":1}`},
		{`{"a":1}`, "a", `[2]`, `{"a":[2]}`},
		{`{"a":1}`, "b", `2`, `{"a":1,"b":2}`},
		{"{ \"a\" : 1 ,\n\"b\":2 } ", "a", `null`, "{ \"a\" : null ,\n\"b\":2 } "},
		{"{ \"a\" : 1 } ", "b", `2`, "{ \"a\" : 1 ,\"b\":2} "},
		{`{"o":{"a":1}}`, "a", `2`, `{"o":{"a":1},"a":2}`},
		{`{"a":1,"a":2}`, "a", `3`, `{"a":1,"a":3}`},
		{`{"\u0061":1}`, "a", `2`, `{"\u0061":2}`},
		{`{"q\"":1}`, `q"`, `2`, `{"q\"":2}`},
		{`{}`, `q"`, `2`, `{"q\"":2}`},
		{`{"n\\":1}`, `n\\`, `2`, `{"n\\":1,"n\\\\":2}`},
		{`{"s":"}"}`, "a", `1`, `{"s":"}","a":1}`},
		{``, "a", `1`, `{"a":1}`},
		{`[1]`, "a", `1`, `{"a":1}`},
		{`null`, "a", `1`, `{"a":1}`},
	} {
		obj := []byte(c.obj)
		if got := string(SetMember(obj, c.name, []byte(c.value))); got != c.want {
			t.Errorf("%s with %s = %s: %s, want %s", c.obj, c.name, c.value, got, c.want)
		}
		if string(obj) != c.obj {
			t.Errorf("%s was changed in place to %s", c.obj, obj)
		}
	}
}

func TestDeleteMember(t *testing.T) {
	for _, c := range []struct{ obj, name, want string }{
		{`{"a":1,"b":2,"c":3}`, "a", `{"b":2,"c":3}`},
		{`{"a":1,"b":2,"c":3}`, "b", `{"a":1,"c":3}`},
		{`{"a":1,"b":2,"c":3}`, "c", `{"a":1,"b":2}`},
		{`{"a":1}`, "a", `{}`},
		{"{ \"a\" : 1 ,\n\"b\" : 2 } ", "a", "{ \"b\" : 2 } "},
		{"{ \"a\" : 1 ,\n\"b\" : 2 } ", "b", "{ \"a\" : 1 } "},
		{`{"a":1,"x":0,"a":2,"a":3}`, "a", `{"x":0}`},
		{`{"x":0,"a":1,"a":2,"y":1}`, "a", `{"x":0,"y":1}`},
		{`{"a":1,"a":2}`, "a", `{}`},
		{`{"o":{"a":1},"b":[{"a":2}]}`, "a", `{"o":{"a":1},"b":[{"a":2}]}`},
		{`{"\u0061":1,"b":2}`, "a", `{"b":2}`},
		{`{"q\"":1,"b":2}`, `q"`, `{"b":2}`},
		{`{}`, "a", `{}`},
		{`[{"a":1}]`, "a", `[{"a":1}]`},
		{``, "a", ``},
	} {
		obj := []byte(c.obj)
		if got := string(DeleteMember(obj, c.name)); got != c.want {
			t.Errorf("%s without %s: %s, want %s", c.obj, c.name, got, c.want)
		}
		if string(obj) != c.obj {
			t.Errorf("%s was changed in place to %s", c.obj, obj)
		}
	}
}

func TestEditsKeepAllElse(t *testing.T) {
	s := newSource(10)
	for range 10_000 {
		obj := []byte(s.object(3))
		before := string(obj)
		names, members := memberBytes(obj)
		name := "new\n"
		at := len(names)
		if len(names) > 0 && s.IntN(4) > 0 {
			at = s.IntN(len(names))
			name = names[at]
		}
		value := s.value(2)

		set := SetMember(obj, name, []byte(value))
		if !json.Valid(set) {
			t.Fatalf("SetMember(%s, %q, %s) = %s", obj, name, value, set)
		}
		if v, ok := Member(set, name); !ok || string(v) != value {
			t.Fatalf("SetMember(%s, %q, %s): the member reads %s", obj, name, value, v)
		}
		gotNames, got := memberBytes(set)
		if at == len(names) {
			got, gotNames = got[:at], gotNames[:at]
		} else {
			got[at] = members[at]
		}
		if !slices.Equal(got, members) || !slices.Equal(gotNames, names) {
			t.Fatalf("SetMember(%s, %q) changed another member: %s", obj, name, set)
		}

		deleted := DeleteMember(obj, name)
		if !json.Valid(deleted) {
			t.Fatalf("DeleteMember(%s, %q) = %s", obj, name, deleted)
		}
		_, got = memberBytes(deleted)
		want := slices.Clone(members)
		if at < len(names) {
			want = slices.Delete(want, at, at+1)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("DeleteMember(%s, %q) = %s", obj, name, deleted)
		}
		if again := DeleteMember(SetMember(deleted, name, []byte(value)), name); !slices.Equal(memberList(again), want) {
			t.Fatalf("adding and deleting %q leaves %s of %s", name, again, deleted)
		}
		if string(obj) != before {
			t.Fatalf("%s was changed in place to %s", before, obj)
		}
	}
}

func memberList(obj []byte) []string { _, members := memberBytes(obj); return members }

func TestSplice(t *testing.T) {
	s := newSource(11)
	for range 20_000 {
		text := strings.Repeat("0123456789", 3)[:s.IntN(31)]
		from := s.IntN(len(text) + 1)
		span := Span{from, from + s.IntN(len(text)-from+1)}
		with := strings.Repeat("X", s.IntN(25))
		want := text[:span.Start] + with + text[span.End:]

		exact := []byte(text)[:len(text):len(text)]
		if got := Splice(exact, span, []byte(with)); string(got) != want {
			t.Fatalf("Splice(%q, %v, %q) = %q", text, span, with, got)
		}
		roomy := append(make([]byte, 0, len(text)+spare), text...)
		got := Splice(roomy, span, []byte(with))
		if string(got) != want {
			t.Fatalf("with room: Splice(%q, %v, %q) = %q", text, span, with, got)
		}
		if len(got) > 0 && &got[0] != &roomy[:1][0] {
			t.Fatalf("Splice(%q, %v, %q) copied although there was room", text, span, with)
		}
	}
}

func TestALineOfTheReaderIsSplicedInPlace(t *testing.T) {
	r := NewReader(strings.NewReader(`{"id":7,"method":"m"}`+"\n"), 100)
	line, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	got := append(Splice(line, m.ID, []byte("9223372036854775807")), '\n')
	if string(got) != `{"id":9223372036854775807,"method":"m"}`+"\n" || &got[0] != &line[0] {
		t.Errorf("%s, in place: %v", got, &got[0] == &line[0])
	}
}

func TestNewMessages(t *testing.T) {
	for got, want := range map[string]string{
		string(NewRequest([]byte(`"a"`), "tools/call", []byte(`{"x":1}`))):                                           `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"x":1}}`,
		string(NewRequest([]byte(`1`), "odd\"name", nil)):                                                            `{"jsonrpc":"2.0","id":1,"method":"odd\"name"}`,
		string(NewNotification("n", []byte(`[]`))):                                                                   `{"jsonrpc":"2.0","method":"n","params":[]}`,
		string(NewNotification("n", nil)):                                                                            `{"jsonrpc":"2.0","method":"n"}`,
		string(NewResult([]byte(`9007199254740993`), []byte(`null`))):                                                `{"jsonrpc":"2.0","id":9007199254740993,"result":null}`,
		string(NewError([]byte(`1`), &RPCError{Code: CodeMethodNotFound, Message: "a <b> \"c\""})):                   `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"a <b> \"c\""}}`,
		string(NewError(nil, &RPCError{Code: CodeParse, Message: "no", Data: []byte(`{"n":12345678901234567890}`)})): `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no","data":{"n":12345678901234567890}}}`,
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if _, err := Parse([]byte(got)); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
	if got := AppendInt([]byte("x"), -5); !bytes.Equal(got, []byte("x-5")) {
		t.Errorf("AppendInt: %s", got)
	}
	if err := error(&RPCError{Code: 1, Message: "what happened"}); err.Error() != "what happened" {
		t.Errorf("the error reads %q", err)
	}
}
