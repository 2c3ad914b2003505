// The scanner against encoding/json.

package scripted

import (
	"bytes"
	"encoding/json"
	"testing"
)

func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,{"b":"}\""}]}}`,
		` { "id" : "x" , "method":"a/b" } `, `{`, `{"id":`, `[]`, `{"a":"\`, `{"id":-1.5e+3,"params":[]}`, `{}`, `{"a" "b"}`, ``,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, ok := scanMessage(line)
		var want map[string]json.RawMessage
		if json.Unmarshal(line, &want) != nil || want == nil {
			return // only that nothing panics
		}
		if !ok {
			t.Fatalf("%q is an object but was refused", line)
		}
		keys := 0
		eachMember(line, func(key, value []byte) {
			keys++
			if !json.Valid(value) {
				t.Fatalf("%q: %q is not one value", line, value)
			}
		})
		if keys < len(want) {
			t.Fatalf("%q: %d members, want %d", line, keys, len(want))
		}
		if raw, plain := want["id"], bytes.IndexByte(line, '\\') < 0; plain && raw != nil && !bytes.Equal(raw, m.id) {
			t.Fatalf("%q: id %q, want %q", line, m.id, raw)
		}
	})
}

func TestElements(t *testing.T) {
	for in, want := range map[string]int{`[]`: 0, `[1]`: 1, ` [ {"a":[1,2]} , "x,]" ,null]`: 3, `{}`: 0, `[`: 0, `[1`: 1, `[}`: 0} {
		if got := elements([]byte(in)); len(got) != want {
			t.Errorf("%s has %d elements, want %d", in, len(got), want)
		}
	}
}

func BenchmarkSmallCall(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":12345,"method":"tools/call","params":{"name":"small","arguments":{"a":1},"_meta":{"progressToken":7}}}`)
	s, err := newServer([]byte(`{"record":false}`), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.handle(b.Context(), line)
		s.out.w.Reset(nil)
	}
}
