package jsonrpc

// Strings, against encoding/json.

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestUnquote(t *testing.T) {
	s := newSource(5)
	for range 20_000 {
		raw := s.literal()
		var want string
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatal(err)
		}
		if got, err := Unquote([]byte(raw)); err != nil || got != want {
			t.Fatalf("Unquote(%s) = %q, %v; want %q", raw, got, err, want)
		}
	}
	for _, raw := range []string{``, `"`, `a`, `"a`, `a"`, `"\"`, `"\x"`, `"\u12"`, `"\u12g4"`, `1`, `null`} {
		if got, err := Unquote([]byte(raw)); err == nil {
			t.Errorf("Unquote(%s) = %q", raw, got)
		}
	}
}

func FuzzUnquote(f *testing.F) {
	s := newSource(6)
	for range 50 {
		f.Add([]byte(s.literal()))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := Unquote(raw)
		var want string
		if Valid(raw) != nil || json.Unmarshal(raw, &want) != nil || raw[0] != '"' || raw[len(raw)-1] != '"' {
			return // of these only a panic would be wrong
		}
		if err != nil {
			t.Fatalf("Unquote(%q): %v", raw, err)
		}
		if utf8.Valid(raw) && got != want {
			t.Fatalf("Unquote(%q) = %q, want %q", raw, got, want)
		}
	})
}

func TestAppendStringEscapesWhatItMust(t *testing.T) {
	for in, want := range map[string]string{
		"":                           `""`,
		"<a href='x'>&</a>":          `"<a href='x'>&</a>"`,
		"line\u2028par\u2029/é😀\x7f": "\"line\u2028par\u2029/é😀\x7f\"",
		"a\"b\\c":                    `"a\"b\\c"`,
		"\b\f\n\r\t":                 `"\b\f\n\r\t"`,
		"\x00\x1b\x1f":               `"\u0000\u001b\u001f"`,
		"1234567\n12345678\"":        `"1234567\n12345678\""`,
		"a\xff\xfeb":                 "\"a\uFFFDb\"",
	} {
		if got := string(AppendString(nil, in)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
		if got := string(AppendString([]byte("x:"), in)); got != "x:"+want {
			t.Errorf("%q behind other bytes: %s", in, got)
		}
		if got := string(Quote(in)); got != want {
			t.Errorf("Quote(%q): %s", in, got)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, text := range []string{"", "plain", "a\nb\"c\\d", "\x00\x1f", "é\u2028😀", "\xff\xfe", "1234567\x0012345678"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		raw := Quote(text)
		if err := Valid(raw); err != nil {
			t.Fatalf("Quote(%q) = %s: %v", text, raw, err)
		}
		got, err := Unquote(raw)
		if want := strings.ToValidUTF8(text, "\uFFFD"); err != nil || got != want {
			t.Fatalf("%q comes back as %q, %v", text, got, err)
		}
		var std string
		if err := json.Unmarshal(raw, &std); err != nil || std != got {
			t.Fatalf("encoding/json reads %s as %q, %v", raw, std, err)
		}
	})
}

func TestValidUTF8(t *testing.T) {
	good := []byte(`{"a":"é😀"}`)
	if got, changed := ValidUTF8(good); changed || &got[0] != &good[0] {
		t.Error("a valid line was touched")
	}
	got, changed := ValidUTF8([]byte("{\"a\":\"x\xffy\xc3\"}"))
	if want := "{\"a\":\"x\uFFFDy\uFFFD\"}"; !changed || string(got) != want {
		t.Errorf("mended to %q, %v; want %q", got, changed, want)
	}
}
