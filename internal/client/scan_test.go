package client

// This file checks the scanner against encoding/json.

import (
	"bytes"
	"encoding/json"
	"testing"
)

func FuzzScanMessage(f *testing.F) {
	for _, s := range []string{
		`{}`, ` { } `, `{"id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"a\"b","params":[{"x":"}\\"}],"id":"\\\\"}`,
		`{"id":1,"id":2,"error":null}`, `{"\u0069d":3}`, `{"a":tru}`, `{"a" 1}`, `[`, `{"method":5}`, `{"a":"`, `{"a":[}`, `{"id":1}x`, `{,}`, `{"a":}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, ok := scanMessage(b)
		if ok {
			_ = m.methodName()
			_, _ = parseID(m.id)
		}
		var want map[string]json.RawMessage
		if json.Unmarshal(b, &want) != nil || want == nil {
			return // the scanner may accept what is not quite JSON
		}
		if method := want["method"]; method != nil && method[0] != '"' {
			if ok {
				t.Fatalf("accepted a method that is no string: %s", b)
			}
			return
		}
		if !ok {
			t.Fatalf("refused valid JSON: %s", b)
		}
		for key, got := range map[string][]byte{"id": m.id, "method": m.method, "params": m.params, "result": m.result, "error": m.err} {
			if !bytes.Equal(got, want[key]) {
				t.Fatalf("%s of %s is %s, want %s", key, b, got, want[key])
			}
		}
		var name string
		if json.Unmarshal(want["method"], &name) == nil && m.methodName() != name {
			// Invalid UTF-8 is replaced by encoding/json and kept here.
			if bytes.ContainsRune(want["method"], '\\') || bytes.Equal(bytes.ToValidUTF8(b, nil), b) {
				t.Fatalf("method %s read as %q", want["method"], m.methodName())
			}
		}
	})
}

func TestParseID(t *testing.T) {
	for in, want := range map[string]int64{"1": 1, "0": 0, "922337203685477579": 922337203685477579} {
		if got, ok := parseID([]byte(in)); !ok || got != want {
			t.Errorf("%s: %d, %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "-1", "1.0", "1e3", `"1"`, "9223372036854775808", "null"} {
		if got, ok := parseID([]byte(in)); ok {
			t.Errorf("%s was read as %d", in, got)
		}
	}
}
