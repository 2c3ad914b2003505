// Tokens, completeness and time of the compact view on a folder of recorded
// snapshots.

package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
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

func (t CorpusTime) megabytes() float64 { return float64(t.Bytes) / (1 << 20) }

// recorded are what Playwright MCP 0.0.83 sent for the pages of the demo's shop
// and of test/site; see recordCorpus.
//
//go:embed testdata/corpus/*.txt
var recorded embed.FS

// openCorpus opens a folder of recorded answers; without a name it is our own.
// The second result names it for error texts.
func openCorpus(dir string) (files fs.FS, name string) {
	if dir != "" {
		return os.DirFS(dir), dir
	}
	files, err := fs.Sub(recorded, "testdata/corpus")
	if err != nil {
		panic(err) // the name is the one embedded above
	}
	return files, "bench/testdata/corpus"
}

// page is one recorded answer.
type page struct {
	name, kind, text string
	tokens           int
}

// corpusMode is one way of compacting.
type corpusMode struct {
	refs, text, format string
	options            aria.Options
}

// corpusModes are those that are compared. The product's default is numbers, all text
// and the dense form.
var corpusModes = []corpusMode{
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
func measureCorpus(files fs.FS, folder string) (CorpusReport, error) {
	var report CorpusReport
	pages, err := readCorpus(files, folder)
	if err != nil {
		return report, err
	}
	report.Pages = len(pages)
	for i := range corpusModes {
		savings, err := measureSavings(pages, corpusModes[i])
		if err != nil {
			return report, err
		}
		report.Savings = append(report.Savings, savings...)
	}
	slices.SortStableFunc(report.Savings, func(a, b CorpusSaving) int { return strings.Compare(a.Kind, b.Kind) })
	report.Kept, report.Missing = auditPages(pages)
	report.CompactMs = timeCompact(pages)
	return report, nil
}

// measureSavings compacts the pages in one way, and returns what that saves on
// each kind of page.
func measureSavings(pages []page, mode corpusMode) ([]CorpusSaving, error) {
	encoder, err := newEncoder()
	if err != nil {
		return nil, err
	}
	sums := map[string]*CorpusSaving{}
	for _, p := range pages {
		options := mode.options
		if mode.refs == "numbers" {
			options.Identify = func(t *aria.Tree) { new(aria.Numbers).Identify("", t, aria.IdentifyOptions{}) }
		}
		result, ok := aria.Compact(p.text, options)
		if !ok {
			return nil, fmt.Errorf("%s is not understood: %w", p.name, skipped(result))
		}
		tokens, err := encoder.Count(result.Text)
		if err != nil {
			return nil, fmt.Errorf("counting the tokens of %s: %w", p.name, err)
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
	var savings []CorpusSaving
	for _, sum := range sums {
		sum.SavedPercent = percentSaved(sum.RawTokens, sum.Tokens)
		sum.MeanPercent /= float64(sum.Pages)
		savings = append(savings, *sum)
	}
	return savings, nil
}

// newEncoder is the tokenizer that all figures are counted with.
func newEncoder() (tokenizer.Codec, error) {
	encoder, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return nil, fmt.Errorf("the tokenizer cannot be loaded: %w", err)
	}
	return encoder, nil
}

// auditPages looks in the compact view of each page for what must be in it.
func auditPages(pages []page) (kept []CorpusKept, missing []string) {
	audit := newAudit()
	for _, p := range pages {
		result, _ := aria.Compact(p.text, aria.Options{})
		audit.page(p.name, p.text, result.Text)
	}
	return audit.result()
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

func readCorpus(files fs.FS, folder string) ([]page, error) {
	encoder, err := newEncoder()
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "*.txt")
	if err != nil {
		return nil, fmt.Errorf("the corpus folder %s cannot be searched: %w", folder, err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the corpus folder %s has no .txt file; give the folder with the recorded answers", folder)
	}
	var pages []page
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("a recorded answer cannot be read: %w", err)
		}
		kind, _, _ := strings.Cut(strings.TrimSuffix(name, ".txt"), "-")
		p := page{name: name, kind: kind, text: string(data)}
		if p.tokens, err = encoder.Count(p.text); err != nil {
			return nil, fmt.Errorf("counting the tokens of %s: %w", name, err)
		}
		pages = append(pages, p)
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
