package transport

// What is kept of a server's stderr.

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestRingHandsOnLines(t *testing.T) {
	const text = "one\ntwo\r\n\n  three  \nwithout end"
	want := []string{"one", "two", "", "  three  ", "without end"}
	readers := map[string]io.Reader{"whole": strings.NewReader(text), "one byte": iotest.OneByteReader(strings.NewReader(text))}
	for name, src := range readers {
		var got []string
		r := &Ring{Line: func(line []byte) { got = append(got, string(line)) }}
		r.drain(src)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestRingCutsLinesWithoutEnd(t *testing.T) {
	for _, step := range []int{100, 1000, ringSize, ringSize + 1, 3 * ringSize} {
		var got []string
		r := &Ring{Line: func(line []byte) { got = append(got, string(line)) }}
		text := strings.Repeat("0123456789", 25_000) + "\nshort\n" + strings.Repeat("y", ringSize) + "\n"
		for rest := text; rest != ""; rest = rest[min(step, len(rest)):] {
			if n, err := io.WriteString(r, rest[:min(step, len(rest))]); err != nil || n != min(step, len(rest)) {
				t.Fatalf("%d, %v", n, err)
			}
		}
		var sizes []int
		for _, line := range got {
			sizes = append(sizes, len(line))
		}
		if !slices.Equal(sizes, []int{ringSize, ringSize, ringSize, 250_000 - 3*ringSize, 5, ringSize}) || strings.Join(got, "") != strings.ReplaceAll(text, "\n", "") {
			t.Errorf("in writes of %d: lines of %v", step, sizes)
		}
	}
}

func TestRingTail(t *testing.T) {
	r := &Ring{}
	if got := r.Tail(5); got != nil {
		t.Errorf("of nothing: %q", got)
	}
	for i := range 10 {
		fmt.Fprintf(r, "line %d\n\n \t\r\n", i)
	}
	fmt.Fprint(r, "last, without end")
	for n, want := range map[int][]string{0: nil, 1: {"last, without end"}, 3: {"line 8", "line 9", "last, without end"}} {
		if got := r.Tail(n); !slices.Equal(got, want) {
			t.Errorf("%d lines: %q, want %q", n, got, want)
		}
	}
	if got := r.Tail(100); len(got) != 11 || got[0] != "line 0" {
		t.Errorf("all: %q", got)
	}
}

func TestRingKeepsTheEndOfAFlood(t *testing.T) {
	for _, size := range []int{10, 40_000, 1 << 20} {
		r := &Ring{}
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		total := 0
		for total < 10*ringSize {
			n, err := io.WriteString(r, b.String())
			if err != nil || n != b.Len() {
				t.Fatalf("%d, %v", n, err)
			}
			total += n
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		if got := r.Tail(1); !slices.Equal(got, lines[len(lines)-1:]) {
			t.Errorf("writes of %d bytes: the last line is %q", size, got)
		}
		kept := len(strings.Join(r.Tail(1<<20), "\n"))
		if kept > ringSize || kept < ringSize-100 || cap(r.last) > 8*ringSize {
			t.Errorf("writes of %d bytes: %d bytes kept, in room for %d", size, kept, cap(r.last))
		}
	}
}
