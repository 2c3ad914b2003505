// Figures, their bounds, and how they are printed.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"text/tabwriter"
)

// figure is one measured value.
type figure struct {
	Section string  `json:"section"`
	Name    string  `json:"name"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Bound   *bound  `json:"bound,omitempty"`
	Pass    *bool   `json:"pass,omitempty"`
	Note    string  `json:"note,omitempty"`
}

// bound is what a figure must reach.
type bound struct {
	AtMost  *float64 `json:"atMost,omitempty"`
	AtLeast *float64 `json:"atLeast,omitempty"`
}

func (b bound) kept(v float64) bool {
	return (b.AtMost == nil || v <= *b.AtMost) && (b.AtLeast == nil || v >= *b.AtLeast)
}

func (b bound) String() string {
	if b.AtMost != nil {
		return fmt.Sprintf("≤ %g", *b.AtMost)
	}
	return fmt.Sprintf("≥ %g", *b.AtLeast)
}

// plain is a figure without a bound.
func plain(name string, value float64, unit string) figure {
	return figure{Name: name, Value: rounded(value), Unit: unit}
}

// atMost is a figure that must not be larger than the limit.
func atMost(name string, value float64, unit string, limit float64) figure {
	return bounded(name, value, unit, bound{AtMost: &limit})
}

// atLeast is a figure that must not be smaller than the limit.
func atLeast(name string, value float64, unit string, limit float64) figure {
	return bounded(name, value, unit, bound{AtLeast: &limit})
}

func bounded(name string, value float64, unit string, b bound) figure {
	f := plain(name, value, unit)
	pass := b.kept(value)
	f.Bound, f.Pass = &b, &pass
	if b.kept(f.Value) != pass {
		f.Value = value // rounding must not hide on which side it lies
	}
	return f
}

// with adds a note.
func (f figure) with(note string) figure {
	f.Note = note
	return f
}

// rounded keeps four significant digits: the rest is noise.
func rounded(v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	scale := math.Pow(10, 3-math.Floor(math.Log10(math.Abs(v))))
	if scale < 1 {
		return math.Round(v)
	}
	return math.Round(v*scale) / scale
}

// report is everything measured in one run.
type report struct {
	OS      string   `json:"os"`
	Arch    string   `json:"arch"`
	CPUs    int      `json:"cpus"`
	Go      string   `json:"go"`
	Quick   bool     `json:"quick"`
	Pass    bool     `json:"pass"`
	Figures []figure `json:"figures"`
	// Corpus is the whole of what its section's figures are taken from.
	Corpus *CorpusReport `json:"corpus,omitempty"`
}

func newReport(quick bool) *report {
	return &report{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), Go: runtime.Version(), Quick: quick, Pass: true}
}

func (r *report) add(section string, figures []figure) {
	for _, f := range figures {
		f.Section = section
		if f.Pass != nil && !*f.Pass {
			r.Pass = false
		}
		r.Figures = append(r.Figures, f)
	}
}

// json prints the report as one object.
func (r *report) json(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// text prints the report as a table, with a blank line between sections.
func (r *report) text(w io.Writer) error {
	fmt.Fprintf(w, "%s/%s, %d CPUs, %s\n", r.OS, r.Arch, r.CPUs, r.Go)
	var table bytes.Buffer
	tw := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	last := ""
	for _, f := range r.Figures {
		if f.Section != last {
			fmt.Fprintf(tw, "\n%s\n", f.Section)
			last = f.Section
		}
		verdict, limit := "", ""
		if f.Bound != nil {
			limit, verdict = f.Bound.String(), "ok"
			if !*f.Pass {
				verdict = "MISSED"
			}
		}
		fmt.Fprintf(tw, "  %s\t%g %s\t%s\t%s\t%s\n", f.Name, f.Value, f.Unit, limit, verdict, f.Note)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(table.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	verdict := "all bounds kept"
	if !r.Pass {
		verdict = "a bound is missed"
	}
	_, err := fmt.Fprintf(w, "\n%s\n", verdict)
	return err
}
