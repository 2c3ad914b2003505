// The compact view's figures and their bounds.

package main

import "fmt"

// The bounds on the time of making the compact view.
const (
	maxCompactMillis = 15 // for the first size measured, 520 KB
	maxCompactGrowth = 2  // of the time per byte, from the first to the last size
)

// minNumberedPercent is the bound on what is saved on a kind of public page with
// numbers for handles, as in the product, by how much text is kept.
func minNumberedPercent(kind, text string) (percent float64, bounded bool) {
	switch kind + " " + text {
	case "article full":
		return 67, true
	case "article short":
		return 73, true
	case "app full":
		return 74, true
	case "app short":
		return 76, true
	}
	return 0, false
}

// minSavedPercent is the bound on the tokens saved on a kind of page, with
// upstream's refs and all text kept: shop and site are our own recordings,
// article and app are those of public pages. Other kinds have none.
func minSavedPercent(kind string) (percent float64, bounded bool) {
	switch kind {
	case "article":
		return 60, true
	case "app":
		return 62, true
	case "shop":
		return 60, true
	case "site":
		return 50, true
	}
	return 0, false
}

// compactFigures judges what was measured on a folder of recorded snapshots.
func compactFigures(r CorpusReport) []figure {
	var figures []figure
	for _, s := range r.Savings {
		name := fmt.Sprintf("%s, refs %s, text %s, %s: tokens saved", s.Kind, s.Refs, s.Text, s.Format)
		note := fmt.Sprintf("%d pages, %d to %d tokens, mean of pages %.1f %%", s.Pages, s.RawTokens, s.Tokens, s.MeanPercent)
		f := plain(name, s.SavedPercent, "%")
		if limit, bounded := minSavedPercent(s.Kind); bounded && s.Refs == "upstream" && s.Text == "full" && s.Format == "dense" {
			f = atLeast(name, s.SavedPercent, "%", limit)
		}
		if limit, bounded := minNumberedPercent(s.Kind, s.Text); bounded && s.Refs == "numbers" {
			f = atLeast(name, s.SavedPercent, "%", limit)
		}
		figures = append(figures, f.with(note))
	}
	missing := ""
	if len(r.Missing) > 0 {
		missing = ", for example not " + r.Missing[0]
	}
	for _, k := range r.Kept {
		f := atLeast(k.What+" kept", k.Percent(), "%", 100).with(fmt.Sprintf("%d of %d", k.Found, k.Total))
		if k.Found < k.Total {
			f.Note += missing
		}
		figures = append(figures, f)
	}
	return append(figures, timeFigures(r.CompactMs)...)
}

// timeFigures judges the times of compacting, smallest size first.
func timeFigures(times []CorpusTime) []figure {
	var figures []figure
	for i, t := range times {
		name := fmt.Sprintf("compacting %.2f MB", t.megabytes())
		if i == 0 {
			figures = append(figures, atMost(name, t.Ms, "ms", maxCompactMillis))
		} else {
			figures = append(figures, plain(name, t.Ms, "ms"))
		}
	}
	if len(times) < 2 {
		return figures
	}
	first, last := times[0], times[len(times)-1]
	growth := (last.Ms / last.megabytes()) / (first.Ms / first.megabytes())
	name := fmt.Sprintf("time per byte, %.2f MB / %.2f MB", last.megabytes(), first.megabytes())
	return append(figures, atMost(name, growth, "×", maxCompactGrowth))
}
