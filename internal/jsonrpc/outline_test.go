package jsonrpc

// What is told of messages of which only the head and the tail are known.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestOutlineOf(t *testing.T) {
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		line string
		id   string
		kind Kind
	}{
		{`{"jsonrpc":"2.0","id":7,"result":{"text":"` + long + `"}}`, `7`, Response},
		{`{"jsonrpc":"2.0","id":7,"error":{"text":"` + long + `"}}`, `7`, Response},
		{`{"result":{"text":"` + long + `"},"jsonrpc":"2.0","id":7}`, `7`, Response},
		{`{"result":{"text":"` + long + `","id":3} , "id" : -1.5e3 }`, `-1.5e3`, Response},
		{`{"result":[{"id":3,"text":"` + long + `"}],"id":"a\"b}"}`, `"a\"b}"`, Response},
		{`{"result":{"text":"` + long + `","id":3}}`, ``, Response},
		{`{"method":"m","params":{"text":"` + long + `"},"jsonrpc":"2.0","id":7}`, `7`, Request},
		{`{"jsonrpc":"2.0","id":7,"method":"m","params":{"text":"` + long + `"}}`, `7`, Request},
		{`{"params":{"text":"` + long + `"},"id":7,"method":"m"}`, `7`, Request},
		{`{"method":"m","params":{"id":1,"text":"` + long + `"}}`, ``, Notification},
		{`{"params":{"method":"m","text":"` + long + `"},"id":7}`, `7`, Invalid},
		{`["` + long + `"]`, ``, Invalid},
		{long, ``, Invalid},
	} {
		head, tail := []byte(c.line)[:keepEnds], []byte(c.line)[len(c.line)-keepEnds:]
		got := OutlineOf(head, tail)
		if string(got.ID) != c.id || got.Kind != c.kind {
			t.Errorf("%.40s…%s: id %s, kind %d instead of %s, %d", c.line, tail[keepEnds-40:], got.ID, got.Kind, c.id, c.kind)
		}
	}
}

// A number that the cut went through is no id: 12 would be taken for 1.
func TestOutlineOfCutNumber(t *testing.T) {
	if got := OutlineOf([]byte(`{"id":1`), nil); got.ID != nil {
		t.Errorf("the id is %s", got.ID)
	}
	if got := OutlineOf([]byte(`{"id":1,`), nil); string(got.ID) != "1" {
		t.Errorf("the id is %q", got.ID)
	}
}

// Of a whole message that Parse reads, the outline says what Parse says.
func FuzzOutlineOf(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"method":"m","id":"x"}`, `{"id":{"id":1},"result":[]}`,
		`{"a":1,"id":2}`, `{"x":"}","id":3}`, `{"x":{"y":2,"id":3}}`, `[]`, `{`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := Parse(line)
		got := OutlineOf(line, line)
		if err != nil || bytes.Contains(line, []byte(`\u`)) {
			return // no more is asked of a broken line than to be survived
		}
		if m.ID.Present() && !bytes.Equal(got.ID, m.Bytes(m.ID)) {
			t.Errorf("the id of %q is %q", line, got.ID)
		}
		if kind := m.Kind(); kind != Invalid && got.Kind != kind {
			t.Errorf("the kind of %q is %s", line, fmt.Sprint(got.Kind))
		}
	})
}
