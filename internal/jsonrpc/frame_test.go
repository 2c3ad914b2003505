package jsonrpc

// Lines out of streams that are cut anywhere.

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// pieces gives a stream in reads of at most n bytes.
type pieces struct {
	rest string
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.rest == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.n)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// readAll reads to the end; a line over the limit is told as "long SIZE".
func readAll(t *testing.T, r *Reader) []string {
	t.Helper()
	var got []string
	for {
		line, err := r.Read()
		var long *TooLongError
		switch {
		case errors.As(err, &long):
			got = append(got, fmt.Sprintf("long %d", long.Size))
		case err == io.EOF:
			if _, err := r.Read(); err != io.EOF {
				t.Errorf("after the end: %v", err)
			}
			return got
		case err != nil:
			t.Fatal(err)
		default:
			if cap(line)-len(line) < spare {
				t.Errorf("a line of %d bytes has room for %d more, want %d", len(line), cap(line)-len(line), spare)
			}
			got = append(got, string(line))
		}
	}
}

func TestReaderCutsLinesWhereverTheStreamIsCut(t *testing.T) {
	const stream = "{\"a\":1}\n\n \t\n{\"b\":2}\r\n  {\"c\":3} \n\r\nnot json\n{\"last\":true}"
	want := []string{`{"a":1}`, `{"b":2}`, `{"c":3}`, "not json", `{"last":true}`}
	readers := map[string]func(io.Reader) io.Reader{
		"whole":            func(r io.Reader) io.Reader { return r },
		"one byte":         iotest.OneByteReader,
		"half":             iotest.HalfReader,
		"end with data":    iotest.DataErrReader,
		"one byte and end": func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) },
	}
	for name, wrap := range readers {
		if got := readAll(t, NewReader(wrap(strings.NewReader(stream)), 1000)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		ended := append(slices.Clone(want[:4]), `{"last":true}`)
		if got := readAll(t, NewReader(wrap(strings.NewReader(stream+"\n")), 1000)); !slices.Equal(got, ended) {
			t.Errorf("%s, with a newline at the end: %q", name, got)
		}
	}
	for n := 1; n <= len(stream); n++ {
		if got := readAll(t, NewReader(&pieces{stream, n}, 1000)); !slices.Equal(got, want) {
			t.Errorf("in reads of %d bytes: %q, want %q", n, got, want)
		}
	}
}

func TestReaderLimit(t *testing.T) {
	for _, limit := range []int{10, 512, readSize - 1, readSize, readSize + 1, 3 * readSize, 5*readSize + 17} {
		for _, n := range []int{7, 1000, readSize, 10 * readSize} {
			if n < 1000 && limit > 1000 {
				continue // the same path, slowly
			}
			for _, size := range []int{limit - 1, limit, limit + 1, 3 * limit} {
				line := strings.Repeat("x", size)
				want := line
				if size > limit {
					want = fmt.Sprintf("long %d", size)
				}
				stream := "{}\n" + line + "\n[1]\n" + line + "\n{}\n" + line
				got := readAll(t, NewReader(&pieces{stream, n}, limit))
				if !slices.Equal(got, []string{"{}", want, "[1]", want, "{}", want}) {
					t.Errorf("limit %d, line of %d, reads of %d: lines of %v", limit, size, n, lengths(got))
				}
			}
		}
	}
}

func lengths(lines []string) (n []int) {
	for _, l := range lines {
		n = append(n, len(l))
	}
	return n
}

func TestTooLongTellsBothEnds(t *testing.T) {
	for _, size := range []int{11, 600, 2000, readSize + 100, 3*readSize + 100, 10 * readSize} {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, "%d ", i)
		}
		line := b.String()[:size-1] + "!"
		for _, n := range []int{100, readSize} {
			for _, end := range []string{"\n{}\n", ""} {
				for _, limit := range []int{10, size - 1} {
					r := NewReader(&pieces{line + end, n}, limit)
					_, err := r.Read()
					var long *TooLongError
					if !errors.As(err, &long) {
						t.Fatalf("size %d, limit %d: %v", size, limit, err)
					}
					head, tail := line[:min(size, keepEnds)], line[max(0, size-keepEnds):]
					if long.Size != size || long.Limit != limit || string(long.Head) != head || string(long.Tail) != tail {
						t.Errorf("size %d, limit %d, reads of %d, end %q: size %d, limit %d, head %.20q..., tail ...%q",
							size, limit, n, end, long.Size, long.Limit, long.Head, long.Tail[max(0, len(long.Tail)-20):])
					}
					if text := err.Error(); text != fmt.Sprintf("a line of %d bytes is over the limit of %d", size, limit) {
						t.Error(text)
					}
					if end != "" {
						if line, err := r.Read(); err != nil || string(line) != "{}" {
							t.Errorf("the next line is %q, %v", line, err)
						}
					}
				}
			}
		}
	}
}

func TestReaderHandsOnTheSourcesError(t *testing.T) {
	broken := errors.New("broken")
	r := NewReader(io.MultiReader(strings.NewReader("{}\nhalf"), iotest.ErrReader(broken)), 100)
	for _, want := range []string{"{}", "half"} {
		if line, err := r.Read(); err != nil || string(line) != want {
			t.Errorf("%q, %v; want %q", line, err, want)
		}
	}
	for range 2 {
		if _, err := r.Read(); err != broken {
			t.Errorf("the error is %v", err)
		}
	}
	r = NewReader(io.MultiReader(strings.NewReader(strings.Repeat("x", 2*readSize)), iotest.ErrReader(broken)), 100)
	var long *TooLongError
	if _, err := r.Read(); !errors.As(err, &long) || long.Size != 2*readSize {
		t.Errorf("a long line cut by an error: %v", err)
	}
	if _, err := r.Read(); err != broken {
		t.Errorf("the error behind a long line is %v", err)
	}
}

func TestLinesDoNotShareMemory(t *testing.T) {
	r := NewReader(strings.NewReader("{\"a\":1}\n{\"b\":2}\n"), 100)
	first, _ := r.Read()
	_ = append(first, "................................"...)
	if second, err := r.Read(); err != nil || string(second) != `{"b":2}` {
		t.Errorf("%q, %v", second, err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add("{}\n\r\n[1]\n", uint16(3), uint16(5))
	f.Add(strings.Repeat("x", 100)+"\ny", uint16(64), uint16(10))
	f.Fuzz(func(t *testing.T, stream string, n, limit uint16) {
		var want []string
		for line := range strings.SplitSeq(stream, "\n") {
			if len(line) > int(limit) {
				want = append(want, fmt.Sprintf("long %d", len(line)))
			} else if line = strings.TrimSpace(line); line != "" {
				want = append(want, line)
			}
		}
		if got := readAll(t, NewReader(&pieces{stream, int(n) + 1}, int(limit))); !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
