package transport

// Streams of events, cut at any byte.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// events are a stream's events as text, and how it ended.
func events(src io.Reader, max int) (out []string, r *eventReader) {
	r = newEventReader(src, max)
	for {
		e, err := r.next()
		if err != nil {
			return out, r
		}
		data := string(e.data)
		if e.tooLong != nil {
			data = fmt.Sprintf("(%d of %d: %s…%s)", e.tooLong.Size, e.tooLong.Limit, e.tooLong.Head, e.tooLong.Tail)
		}
		out = append(out, fmt.Sprintf("%s|%s|%s", e.id, e.kind, data))
	}
}

func TestEvents(t *testing.T) {
	for stream, want := range map[string]string{
		"data: a\n\n":                            "||a",
		"data:a\n\ndata: b\n\n":                  "||a ||b",
		"event: message\ndata: {\"a\":1}\n\n":    `|message|{"a":1}`,
		"id: 7\ndata: a\n\ndata: b\n\n":          "7||a 7||b",
		"id: 1\ndata\n\n":                        "1||",
		"data: a\ndata: b\n\n":                   "||a\nb",
		"data: a\r\n\r\ndata: b\r\n\r\n":         "||a ||b",
		"data: a\r\rdata: b\r\r":                 "||a ||b",
		"\xEF\xBB\xBFdata: a\n\n":                "||a",
		": a comment\n\n\n\nfoo: x\ndata: a\n\n": "||a",
		"data: cut off":                          "",
		"data: cut off\n":                        "",
		"id: a\x00b\ndata: x\n\n":                "||x",
		"data:  two spaces\n\n":                  "|| two spaces",
		"data: 1234567\n\ndata: 1\n\n":           "||(7 of 5: 1234567…1234567) ||1",
		"data: 123\ndata: 456\n\n":               "||(6 of 5: 123456…123456)",
	} {
		max := 100
		if strings.Contains(want, "of 5") {
			max = 5
		}
		for name, src := range map[string]io.Reader{
			"whole": strings.NewReader(stream), "byte by byte": iotest.OneByteReader(strings.NewReader(stream)),
		} {
			if got, _ := events(src, max); strings.Join(got, " ") != want {
				t.Errorf("%s, %q gave %q, want %q", name, stream, got, want)
			}
		}
	}
}

// Wherever a stream is cut, going on behind the last id gives every event once.
func TestEventsResumeAtAnyCut(t *testing.T) {
	stream := "id: 1\ndata: a\n\nid: 2\r\ndata: b\r\ndata: c\r\n\r\ndata: d\nid: 3\n\nid: 4\n\n: end\n\n"
	whole, _ := events(strings.NewReader(stream), 100)
	for cut := range len(stream) {
		got, r := events(strings.NewReader(stream[:cut]), 100)
		if want := fmt.Sprint(len(got)); len(got) > 0 && r.lastID != want || len(got) == 0 && r.lastID != "" {
			t.Errorf("behind %q the last id is %q, want that of event %s", stream[:cut], r.lastID, want)
		}
		if strings.Join(got, " ") != strings.Join(whole[:len(got)], " ") {
			t.Errorf("%q gave %q", stream[:cut], got)
		}
	}
}

func TestRetry(t *testing.T) {
	for stream, want := range map[string]time.Duration{
		"retry: 50\n": 50 * time.Millisecond, "retry: 99999999999999999999\n": 0, "retry: -1\n": 0, "retry: x\n": 0,
	} {
		if _, r := events(strings.NewReader(stream), 10); r.retry != want {
			t.Errorf("%q: %s", stream, r.retry)
		}
	}
}

// A line far over the limit is not kept in memory, and whose answer it was can
// still be told.
func TestAnEventOverTheLimit(t *testing.T) {
	stream := `data: {"result":"` + strings.Repeat("x", 1<<20) + "\",\"jsonrpc\":\"2.0\",\"id\":7}\n\ndata: next\n\n"
	r := newEventReader(strings.NewReader(stream), 1000)
	e, err := r.next()
	if err != nil || e.tooLong == nil || e.tooLong.Size < 1<<20 {
		t.Fatalf("%+v, %v", e.tooLong, err)
	}
	if o := jsonrpc.OutlineOf(e.tooLong.Head, e.tooLong.Tail); string(o.ID) != "7" || o.Kind != jsonrpc.Response {
		t.Errorf("it is told to be %+v", o)
	}
	if e, err = r.next(); err != nil || string(e.data) != "next" {
		t.Errorf("behind it comes %q, %v", e.data, err)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add([]byte("id: 1\nevent: message\ndata: {}\n\n"), 20)
	f.Add([]byte("data: a\r\ndata: b\r\rretry: 5\n\n: c\n\n"), 3)
	f.Fuzz(func(t *testing.T, stream []byte, max int) {
		max = 1 + int(uint(max)%64)
		r := newEventReader(bytes.NewReader(stream), max)
		pieces := newEventReader(iotest.OneByteReader(bytes.NewReader(stream)), max)
		for {
			e, err := r.next()
			p, perr := pieces.next()
			if !errors.Is(err, perr) || e.id != p.id || !bytes.Equal(e.data, p.data) || (e.tooLong == nil) != (p.tooLong == nil) {
				t.Fatalf("%+v %v, but in pieces %+v %v", e, err, p, perr)
			}
			if err != nil {
				return
			}
			if len(e.data) > max {
				t.Fatalf("%d bytes of data", len(e.data))
			}
		}
	})
}
