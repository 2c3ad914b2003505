package endpoint

// Which addresses are allowed, and that no name of one holds its credentials.

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for raw, want := range map[string]string{
		"http://127.0.0.1:3845/mcp":               "http://127.0.0.1:3845",
		" http://localhost/mcp ":                  "http://localhost",
		"http://LOCALHOST.:1/":                    "http://LOCALHOST.:1",
		"http://[::1]:3845/mcp":                   "http://[::1]:3845",
		"https://user:secret@example.org/a?k=key": "https://example.org",
	} {
		e, err := Parse(raw)
		if err != nil || e.String() != want {
			t.Errorf("%q gave %s, %v", raw, e, err)
		}
	}
	for raw, reason := range map[string]string{
		"http://example.org/mcp":       "plain http",
		"http://localhost.example.org": "plain http",
		"http://10.0.0.1/":             "plain http",
		"ftp://127.0.0.1/":             "http://",
		"https://m\u00FCller.example/": "ASCII",
		"127.0.0.1:3845/mcp":           "URL",
		"http:///mcp":                  "no host",
		"http://a b:secret/":           "no URL",
		"":                             "http://",
	} {
		_, err := Parse(raw)
		if err == nil || !strings.Contains(err.Error(), reason) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q gave %v", raw, err)
		}
	}
}

func TestHostOf(t *testing.T) {
	for raw, want := range map[string]string{
		"https://User:p@Example.ORG.:80/a//b": "example.org", "example.org": "example.org", "http://[::1]:1/": "::1",
		"http:///x": "", "a.b?u=http://c.d": "a.b", "https://a b": "", "": "", "https://a\u3002b\uFF0Ec": "a.b.c",
	} {
		if got := HostOf(raw); got != want {
			t.Errorf("%q gave %q, want %q", raw, got, want)
		}
	}
}

func TestDial(t *testing.T) {
	for raw, want := range map[string]string{
		"http://127.0.0.1:3845/mcp": "127.0.0.1:3845", "https://example.org": "example.org:443", "http://[::1]/": "[::1]:80",
	} {
		e, err := Parse(raw)
		if err != nil || e.Dial() != want {
			t.Errorf("%q is dialled as %s (%v)", raw, e.Dial(), err)
		}
	}
}

func TestRedact(t *testing.T) {
	e, err := Parse("https://someone:pass%20word@example.org/mcp?token=abc%2Fdef&x=1")
	if err != nil {
		t.Fatal(err)
	}
	text := e.Redact(`at "` + e.URL() + `" for someone with pass word, abc/def, abc%2Fdef and x=1`)
	for _, secret := range []string{"someone", "pass", "word", "abc", "def"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s is still in %s", secret, text)
		}
	}
	if !strings.Contains(text, "example.org/mcp") || !strings.Contains(text, "x=1") {
		t.Errorf("too much is gone: %s", text)
	}
}

func TestRedactPathsAndShortPasswords(t *testing.T) {
	e, err := Parse("https://me:abc@example.org/hooks/messages/k3y%2Fsecret/abcdefghijklmnopqr/mcp?mode=code")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"POST " + e.URL():                   "POST https://…@example.org/hooks/messages/…/…/mcp?…",
		"no k3y/secret, k3y%2Fsecret":       "no …, …",
		"not found: /abcdefghijklmnopqr/x":  "not found: /…/x",
		"wrong password abc":                "wrong password …",
		"abc":                               "…",
		"abcess of hooks, messages and mcp": "abcess of hooks, messages and mcp",
	} {
		if got := e.Redact(text); got != want {
			t.Errorf("%q gave %q, want %q", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("http://127.0.0.1:3845/mcp")
	f.Add("https://user:pass@host/p?q=1#f")
	f.Fuzz(func(t *testing.T, raw string) {
		e, err := Parse(raw)
		if err != nil {
			return
		}
		if strings.HasPrefix(e.URL(), "http:") && !e.Loopback() {
			t.Errorf("%q is plain http to %s", raw, e)
		}
		if strings.Contains(e.String(), "@") {
			t.Errorf("%q is shown as %s", raw, e)
		}
	})
}
