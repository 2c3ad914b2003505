package demo

// This file is what a run found out, and how it is told.

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// bytesPerToken is the average of accessibility snapshots under o200k_base.
const bytesPerToken = 2.64

// excerptLines is how much of a view is shown.
const excerptLines = 12

// excerptWidth is the longest line shown, in characters.
const excerptWidth = 110

// Report is the outcome of a run. Sizes are bytes of text; tokens are estimates
// made from them.
type Report struct {
	Steps        []Step  `json:"steps"`
	Calls        int     `json:"calls"`
	RawBytes     int     `json:"rawBytes"`  // what upstream sent
	KeptBytes    int     `json:"keptBytes"` // what the agent got
	RawTokens    int     `json:"rawTokens"`
	KeptTokens   int     `json:"keptTokens"`
	SavedPercent float64 `json:"savedPercent"`
	Orders       int     `json:"orders"`  // orders the shop counted
	Seconds      float64 `json:"seconds"` // from the program's start to its end
}

// Step is one part of the task.
type Step struct {
	Name       string  `json:"name"`
	Calls      []Call  `json:"calls"`
	RawBytes   int     `json:"rawBytes"`
	KeptBytes  int     `json:"keptBytes"`
	RawTokens  int     `json:"rawTokens"`
	KeptTokens int     `json:"keptTokens"`
	Seconds    float64 `json:"seconds"`
	View       string  `json:"view,omitempty"` // a part of what the agent read, where it is worth seeing
}

// Call is one tool call.
type Call struct {
	Tool      string  `json:"tool"`
	RawBytes  int     `json:"rawBytes"`
	KeptBytes int     `json:"keptBytes"`
	MS        float64 `json:"ms"`
}

// finish adds up the step's calls.
func (s *Step) finish(took time.Duration) {
	for _, c := range s.Calls {
		s.RawBytes += c.RawBytes
		s.KeptBytes += c.KeptBytes
	}
	s.RawTokens, s.KeptTokens = tokens(s.RawBytes), tokens(s.KeptBytes)
	s.Seconds = took.Seconds()
}

// finish adds up the steps.
func (r *Report) finish(took time.Duration) {
	r.Calls, r.RawBytes, r.KeptBytes = 0, 0, 0
	for _, s := range r.Steps {
		r.Calls += len(s.Calls)
		r.RawBytes += s.RawBytes
		r.KeptBytes += s.KeptBytes
	}
	r.RawTokens, r.KeptTokens = tokens(r.RawBytes), tokens(r.KeptBytes)
	r.SavedPercent = saved(r.RawBytes, r.KeptBytes)
	r.Seconds = took.Seconds()
}

func tokens(bytes int) int { return int(float64(bytes)/bytesPerToken + 0.5) }

func saved(raw, kept int) float64 {
	if raw == 0 {
		return 0
	}
	return 100 * float64(raw-kept) / float64(raw)
}

// WriteText writes the whole report for a reader: each step, then the summary.
func (r Report) WriteText(w io.Writer) error {
	for i, s := range r.Steps {
		if err := s.write(w, i+1); err != nil {
			return err
		}
	}
	return r.writeSummary(w)
}

// write tells one step.
func (s Step) write(w io.Writer, number int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%2d. %s\n", number, s.Name)
	fmt.Fprintf(&b, "    upstream sent %9s (~%d tokens)   agent got %9s (~%d tokens)   %3.0f%% saved   %s   %.1f s\n",
		size(s.RawBytes), s.RawTokens, size(s.KeptBytes), s.KeptTokens, saved(s.RawBytes, s.KeptBytes), counted(len(s.Calls), "call"), s.Seconds)
	if s.View != "" {
		b.WriteString("    what the agent reads:\n")
		for line := range strings.Lines(s.View) {
			b.WriteString("    | " + strings.TrimRight(line, "\n") + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Report) writeSummary(w io.Writer) error {
	_, err := fmt.Fprintf(w, "\nTotal over %s and %s in %.1f s; the shop counted %s.\n"+
		"    upstream sent  %9s  ~%d tokens\n    the agent got  %9s  ~%d tokens\n    saved          %8.1f%%\n"+
		"Tokens are estimated from bytes, %.2f to the token.\n",
		counted(len(r.Steps), "step"), counted(r.Calls, "call"), r.Seconds, counted(r.Orders, "order"),
		size(r.RawBytes), r.RawTokens, size(r.KeptBytes), r.KeptTokens, r.SavedPercent, bytesPerToken)
	return err
}

func size(bytes int) string { return fmt.Sprintf("%.1f KB", float64(bytes)/1000) }

// excerpt is a part of a view, with long lines cut: its first line, which says
// what it is, and some lines from the first one with the focus on. Without a
// focus it is the beginning.
func excerpt(view, focus string) string {
	lines := strings.Split(strings.TrimRight(view, "\n"), "\n")
	from := 1
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, focus) }); focus != "" && i > 1 {
		from = i
	}
	to := min(from+excerptLines-1, len(lines))
	shown := lines[:1:1]
	if from > 1 {
		shown = append(shown, omitted(from-1))
	}
	shown = append(shown, lines[min(from, to):to]...)
	if to < len(lines) {
		shown = append(shown, omitted(len(lines)-to))
	}
	for i, line := range shown {
		if r := []rune(line); len(r) > excerptWidth {
			shown[i] = string(r[:excerptWidth-1]) + "…"
		}
	}
	return strings.Join(shown, "\n")
}

func omitted(lines int) string { return "… " + counted(lines, "line") }

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
