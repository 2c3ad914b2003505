package mcp

// Results of tools.

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/jsonrpc"
)

const result = `{"_meta":{"n":9007199254740993, "x":"<&>"}, "content" : [ {"type":"text","text":"one\n\"1\"","annotations":{"audience":["user"]}},` +
	` {"type":"image","data":"AA==","text":"not a text block"}, {"type":"hologram","text":"unknown"},` +
	` {"text":"two","type":"text","_meta":{"text":"inner"}}, {"type":"text"}, {"type":"text","text":5}, "text", null, {"type":"text","text":""} ],` +
	` "structuredContent":{"content":[{"type":"text","text":"three"}]}, "isError":false }`

func TestTexts(t *testing.T) {
	texts := Texts([]byte(result))
	var got []string
	for _, text := range texts {
		got = append(got, text.Text)
		again, err := jsonrpc.Unquote([]byte(result[text.Span.Start:text.Span.End]))
		if err != nil || again != text.Text {
			t.Errorf("at the span of %q lies %q, %v", text.Text, again, err)
		}
	}
	if strings.Join(got, "|") != "one\n\"1\"|two|" {
		t.Errorf("texts %q", got)
	}
	for _, odd := range []string{``, `null`, `{}`, `{"content":null}`, `{"content":{"type":"text","text":"x"}}`, `{"content":"x"}`, `{"content":[]}`, `[]`} {
		if texts := Texts([]byte(odd)); len(texts) > 0 {
			t.Errorf("%s has texts %v", odd, texts)
		}
	}
}

func TestReplaceTextKeepsAllElse(t *testing.T) {
	in := []byte(result)
	texts := Texts(in)
	out := in
	for i := len(texts) - 1; i >= 0; i-- {
		out = ReplaceText(out, texts[i], strings.Repeat("new <&>\n", i*i+1))
	}
	want := strings.Replace(result, `"one\n\"1\""`, `"new <&>\n"`, 1)
	want = strings.Replace(want, `"two"`, `"new <&>\nnew <&>\n"`, 1)
	want = strings.Replace(want, `"text":""`, `"text":"`+strings.Repeat(`new <&>\n`, 5)+`"`, 1)
	if string(out) != want {
		t.Errorf("\n%s, want\n%s", out, want)
	}
	if string(in) != result {
		t.Errorf("the result was changed in place to %s", in)
	}
	if !json.Valid(out) {
		t.Error("not valid")
	}
}

func TestIsError(t *testing.T) {
	for in, want := range map[string]bool{
		`{"isError":true}`: true, `{"isError":false}`: false, `{"isError":null}`: false, `{"isError":"true"}`: false,
		`{}`: false, ``: false, `{"content":[{"isError":true}]}`: false,
	} {
		if got := IsError([]byte(in)); got != want {
			t.Errorf("%s: %v", in, got)
		}
	}
}

func TestErrorResult(t *testing.T) {
	got := ErrorResult("It \"died\".\n<why>")
	if want := `{"content":[{"type":"text","text":"It \"died\".\n<why>"}],"isError":true}`; string(got) != want || !IsError(got) {
		t.Errorf("%s, want %s", got, want)
	}
	if texts := Texts(got); len(texts) != 1 || texts[0].Text != "It \"died\".\n<why>" {
		t.Errorf("texts %v", texts)
	}
}

func TestEditContent(t *testing.T) {
	in := []byte(`{"a":1.0,"content":[ {"n":1} , {"n":2},{"n":3}],"z":[]}`)
	got := EditContent(in, func(block []byte) []byte {
		switch string(block) {
		case `{"n":1}`:
			return nil
		case `{"n":2}`:
			return []byte(`{"m":2}`)
		}
		return block
	})
	if want := `{"a":1.0,"content":[{"m":2},{"n":3}],"z":[]}`; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, same := range []string{`{}`, `{"content":[]}`} {
		if got := EditContent([]byte(same), func([]byte) []byte { return nil }); string(got) != same {
			t.Errorf("%s became %s", same, got)
		}
	}
}
