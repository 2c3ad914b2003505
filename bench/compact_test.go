// Which of the compact view's figures are held against a bound.

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompactFigures(t *testing.T) {
	saving := func(kind, refs, text, format string, saved float64) CorpusSaving {
		return CorpusSaving{Kind: kind, Refs: refs, Text: text, Format: format, SavedPercent: saved}
	}
	figures := compactFigures(CorpusReport{
		Savings: []CorpusSaving{
			saving("app", "upstream", "full", "dense", 61.9),
			saving("app", "upstream", "full", "yaml", 20),
			saving("article", "upstream", "full", "dense", 60),
			saving("article", "numbers", "full", "dense", 10),
			saving("other", "upstream", "full", "dense", 10),
			saving("shop", "upstream", "full", "dense", 60),
			saving("site", "upstream", "full", "dense", 44),
		},
		Kept:      []CorpusKept{{"words", 3, 3}, {"handles", 30000, 29999}},
		Missing:   []string{"x.txt: handle e5"},
		CompactMs: []CorpusTime{{1 << 19, 10}, {1 << 20, 30}, {1 << 21, 81}},
	})
	got := map[string]string{}
	for _, f := range figures {
		verdict := "no bound"
		if f.Pass != nil {
			verdict = map[bool]string{true: "kept", false: "missed"}[*f.Pass]
		}
		got[f.Name] = verdict
	}
	want := map[string]string{
		"app, refs upstream, text full, dense: tokens saved":     "missed",
		"app, refs upstream, text full, yaml: tokens saved":      "no bound",
		"article, refs upstream, text full, dense: tokens saved": "kept",
		"article, refs numbers, text full, dense: tokens saved":  "missed",
		"other, refs upstream, text full, dense: tokens saved":   "no bound",
		"shop, refs upstream, text full, dense: tokens saved":    "kept",
		"site, refs upstream, text full, dense: tokens saved":    "missed",
		"words kept":                       "kept",
		"handles kept":                     "missed",
		"compacting 0.50 MB":               "kept",
		"compacting 1.00 MB":               "no bound",
		"compacting 2.00 MB":               "no bound",
		"time per byte, 2.00 MB / 0.50 MB": "missed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
	if got, want := figures[8].Note, "29999 of 30000, for example not x.txt: handle e5"; got != want {
		t.Errorf("the note is %q, want %q", got, want)
	}
	if growth := figures[len(figures)-1]; growth.Value != 2.025 {
		t.Errorf("the growth is %+v, want 2.025", growth)
	}
}
