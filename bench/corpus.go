// Tokens, completeness and time of the compact view on a folder of recorded
// snapshots.

package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/playguard/playguard/internal/aria"
	"github.com/tiktoken-go/tokenizer"
)

// CorpusReport is what was measured on a folder of recorded answers. Tokens
// are those of o200k_base, of the whole text before and after.
type CorpusReport struct {
	Pages   int            `json:"pages"`
	Savings []CorpusSaving `json:"savings"`
	// Kept is what was looked for in the compact view, all text kept, and
	// how much of it was found.
	Kept []CorpusKept `json:"kept"`
	// Missing names the first things that were not found.
	Missing []string `json:"missing,omitempty"`
	// CompactMs is the time of compacting one answer made of the pages.
	CompactMs []CorpusTime `json:"compactMs"`
}

// CorpusSaving is what one way of compacting saves on one kind of page. The
// kind is the part of the file's name before the first dash.
type CorpusSaving struct {
	Kind      string `json:"kind"`
	Refs      string `json:"refs"` // upstream or numbers
	Text      string `json:"text"` // full, short or none
	Format    string `json:"format"`
	Pages     int    `json:"pages"`
	RawTokens int    `json:"rawTokens"`
	Tokens    int    `json:"tokens"`
	// SavedPercent is taken of all tokens of the kind, MeanPercent is the
	// mean of the pages' own figures.
	SavedPercent float64 `json:"savedPercent"`
	MeanPercent  float64 `json:"meanPercent"`
}

// CorpusKept says how many of the things of one sort are still there.
type CorpusKept struct {
	What  string `json:"what"`
	Total int    `json:"total"`
	Found int    `json:"found"`
}

// Percent is the share that was found; of nothing, all was.
func (k CorpusKept) Percent() float64 {
	if k.Total == 0 {
		return 100
	}
	return 100 * float64(k.Found) / float64(k.Total)
}

// CorpusTime is the time for an answer of one size: that of the fastest run,
// since other programs on the machine only ever add to it.
type CorpusTime struct {
	Bytes int     `json:"bytes"`
	Ms    float64 `json:"ms"`
}

// page is one recorded answer.
type page struct {
	name, kind, text string
	tokens           int
}

// corpusModes are the ways of compacting that are compared.
var corpusModes = []struct {
	refs, text, format string
	options            aria.Options
}{
	{"upstream", "full", "dense", aria.Options{}},
	{"upstream", "short", "dense", aria.Options{Text: aria.TextShort}},
	{"upstream", "none", "dense", aria.Options{Text: aria.TextNone}},
	{"upstream", "full", "yaml", aria.Options{Format: aria.FormatYAML}},
	{"numbers", "full", "dense", aria.Options{}},
	{"numbers", "short", "dense", aria.Options{Text: aria.TextShort}},
	{"numbers", "none", "dense", aria.Options{Text: aria.TextNone}},
}

// measureCorpus compacts every .txt file of the folder. An answer that is not
// understood is an error: the corpus holds none such.
func measureCorpus(dir string) (CorpusReport, error) {
	var report CorpusReport
	encoder, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return report, fmt.Errorf("the tokenizer cannot be loaded: %w", err)
	}
	pages, err := readCorpus(dir)
	if err != nil {
		return report, err
	}
	report.Pages = len(pages)
	for i := range pages {
		if pages[i].tokens, err = encoder.Count(pages[i].text); err != nil {
			return report, fmt.Errorf("counting the tokens of %s: %w", pages[i].name, err)
		}
	}
	for _, mode := range corpusModes {
		sums := map[string]*CorpusSaving{}
		for _, p := range pages {
			options := mode.options
			if mode.refs == "numbers" {
				options.Handle = numbered()
			}
			result, ok := aria.Compact(p.text, options)
			if !ok {
				return report, fmt.Errorf("%s is not understood: %w", p.name, skipped(result))
			}
			tokens, err := encoder.Count(result.Text)
			if err != nil {
				return report, fmt.Errorf("counting the tokens of %s: %w", p.name, err)
			}
			sum := sums[p.kind]
			if sum == nil {
				sum = &CorpusSaving{Kind: p.kind, Refs: mode.refs, Text: mode.text, Format: mode.format}
				sums[p.kind] = sum
			}
			sum.Pages++
			sum.RawTokens += p.tokens
			sum.Tokens += tokens
			sum.MeanPercent += percentSaved(p.tokens, tokens)
		}
		for _, sum := range sums {
			sum.SavedPercent = percentSaved(sum.RawTokens, sum.Tokens)
			sum.MeanPercent /= float64(sum.Pages)
			report.Savings = append(report.Savings, *sum)
		}
	}
	slices.SortStableFunc(report.Savings, func(a, b CorpusSaving) int { return strings.Compare(a.Kind, b.Kind) })

	audit := newAudit()
	for _, p := range pages {
		result, _ := aria.Compact(p.text, aria.Options{})
		audit.page(p.name, p.text, result.Text)
	}
	report.Kept, report.Missing = audit.result()
	report.CompactMs = timeCompact(pages)
	return report, nil
}

func skipped(r aria.Result) error {
	if r.Skipped != nil {
		return r.Skipped
	}
	return errors.New("it holds no snapshot")
}

func percentSaved(raw, kept int) float64 {
	return 100 * (1 - float64(kept)/float64(raw))
}

// numbered hands out 1, 2, … in the order of the page.
func numbered() func(string) string {
	numbers := map[string]string{}
	return func(ref string) string {
		n, ok := numbers[ref]
		if !ok {
			n = strconv.Itoa(len(numbers) + 1)
			numbers[ref] = n
		}
		return n
	}
}

func readCorpus(dir string) ([]page, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, fmt.Errorf("the corpus folder %s cannot be searched: %w", dir, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("the corpus folder %s has no .txt file; give the folder with the recorded answers", dir)
	}
	var pages []page
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("a recorded answer cannot be read: %w", err)
		}
		name := filepath.Base(file)
		kind, _, _ := strings.Cut(strings.TrimSuffix(name, ".txt"), "-")
		pages = append(pages, page{name: name, kind: kind, text: string(data)})
	}
	return pages, nil
}

// timeCompact measures answers of about 0.5, 1, 2 and 4 MB.
func timeCompact(pages []page) []CorpusTime {
	var times []CorpusTime
	for _, size := range []int{520 << 10, 1 << 20, 2 << 20, 4 << 20} {
		answer := concatenate(pages, size)
		fastest := time.Duration(math.MaxInt64)
		for range 15 {
			// The tokenizer's tables would be marked during the run: they are
			// not part of the product.
			runtime.GC()
			start := time.Now()
			aria.Compact(answer, aria.Options{})
			fastest = min(fastest, time.Since(start))
		}
		times = append(times, CorpusTime{Bytes: len(answer), Ms: float64(fastest.Microseconds()) / 1000})
	}
	return times
}

// concatenate makes one answer of the wanted size whose tree holds the trees
// of the pages one after the other.
func concatenate(pages []page, size int) string {
	var sb strings.Builder
	sb.WriteString("### Page\n- Page URL: http://127.0.0.1/\n### Snapshot\n```yaml")
	for sb.Len() < size {
		before := sb.Len()
		for _, p := range pages {
			for _, line := range snapshotLines(p.text) {
				if sb.Len() >= size {
					break
				}
				sb.WriteByte('\n')
				sb.WriteString(line)
			}
		}
		if sb.Len() == before {
			break // the pages are empty
		}
	}
	sb.WriteString("\n```")
	return sb.String()
}

// Text is the report for a reader.
func (r CorpusReport) Text() string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "%d pages\n", r.Pages)
	w := tabwriter.NewWriter(&sb, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "kind\trefs\ttext\tformat\ttokens before\tafter\tsaved\tmean of pages")
	for _, s := range r.Savings {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%.1f %%\t%.1f %%\n",
			s.Kind, s.Refs, s.Text, s.Format, s.RawTokens, s.Tokens, s.SavedPercent, s.MeanPercent)
	}
	fmt.Fprintln(w, "\nkept\ttotal\tfound\tshare")
	for _, k := range r.Kept {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f %%\n", k.What, k.Total, k.Found, k.Percent())
	}
	fmt.Fprintln(w, "\nanswer\tcompacted in")
	for _, t := range r.CompactMs {
		fmt.Fprintf(w, "%.2f MB\t%.1f ms\n", float64(t.Bytes)/(1<<20), t.Ms)
	}
	w.Flush()
	for _, m := range r.Missing {
		fmt.Fprintf(&sb, "missing: %s\n", m)
	}
	return sb.String()
}
