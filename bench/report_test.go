// How figures are judged and printed.

package main

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestQuantiles(t *testing.T) {
	samples := []float64{5, 1, 4, 2, 3}
	for q, want := range map[float64]float64{0: 1, 0.1: 1, 0.5: 3, 0.99: 5, 1: 5} {
		if got := quantile(samples, q); got != want {
			t.Errorf("the %g-quantile is %g, want %g", q, got, want)
		}
	}
	if got := median([]time.Duration(nil)); got != 0 {
		t.Errorf("the median of nothing is %v", got)
	}
}

func TestRounded(t *testing.T) {
	for in, want := range map[float64]float64{0: 0, 1234567: 1234567, 98765.4: 98765, 12.34567: 12.35, 0.00123456: 0.001235, -3.14159: -3.142} {
		if got := rounded(in); got != want {
			t.Errorf("%g becomes %g, want %g", in, got, want)
		}
	}
}

func TestReport(t *testing.T) {
	r := &report{OS: "os", Arch: "arch", CPUs: 2, Go: "go1", Pass: true}
	r.add("first", []figure{plain("a", 12.345678, "µs").with("a note"), atMost("b", 60, "µs", 60)})
	if !r.Pass {
		t.Error("a figure on its bound fails")
	}
	r.add("second", []figure{atLeast("c", 99.999, "%", 100)})
	if r.Pass {
		t.Error("a missed bound passes")
	}
	var text, object bytes.Buffer
	if err := r.text(&text); err != nil {
		t.Fatal(err)
	}
	want := `os/arch, 2 CPUs, go1

first
  a  12.35 µs            a note
  b  60 µs     ≤ 60  ok

second
  c  99.999 %  ≥ 100  MISSED

a bound is missed
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if err := r.json(&object); err != nil {
		t.Fatal(err)
	}
	var back report
	if err := json.Unmarshal(object.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*r, back); diff != "" {
		t.Errorf("the JSON report says something else (-want +got):\n%s", diff)
	}
}

func TestStatusMB(t *testing.T) {
	status := []byte("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n")
	if got, err := statusMB(status, "VmRSS:"); err != nil || got != 1 {
		t.Errorf("got %g, %v, want 1", got, err)
	}
	if _, err := statusMB(status, "VmSwap:"); err == nil {
		t.Error("a missing line is no error")
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var l tail
	if got := l.String(); got != "(none)" {
		t.Errorf("an empty tail says %q", got)
	}
	for range 3 {
		_, _ = l.Write(bytes.Repeat([]byte("x"), tailBytes))
	}
	_, _ = l.Write([]byte("end\n"))
	if got := l.String(); len(got) != tailBytes-1 || got[len(got)-4:] != "xend" {
		t.Errorf("the tail has %d bytes and ends in %q", len(got), got[len(got)-4:])
	}
}
