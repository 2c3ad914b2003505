// The compact view's figures and their bounds.

package main

import "fmt"

// The bounds on the compact view with upstream's refs and all text kept.
const (
	minArticleSavedPercent = 60
	minAppSavedPercent     = 62
	maxCompactMillis       = 15 // for the first size measured, 520 KB
)

// compactFigures judges what was measured on a folder of recorded snapshots.
func compactFigures(r CorpusReport) []figure {
	var figures []figure
	for _, s := range r.Savings {
		name := fmt.Sprintf("%s, refs %s, text %s, %s: tokens saved", s.Kind, s.Refs, s.Text, s.Format)
		note := fmt.Sprintf("%d pages, %d to %d tokens, mean of pages %.1f %%", s.Pages, s.RawTokens, s.Tokens, s.MeanPercent)
		f := plain(name, s.SavedPercent, "%")
		if s.Refs == "upstream" && s.Text == "full" && s.Format == "dense" {
			switch s.Kind {
			case "article":
				f = atLeast(name, s.SavedPercent, "%", minArticleSavedPercent)
			case "app":
				f = atLeast(name, s.SavedPercent, "%", minAppSavedPercent)
			}
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
	for i, t := range r.CompactMs {
		name := fmt.Sprintf("compacting %.2f MB", float64(t.Bytes)/(1<<20))
		if i == 0 {
			figures = append(figures, atMost(name, t.Ms, "ms", maxCompactMillis))
			continue
		}
		first := r.CompactMs[0]
		perByte := (t.Ms / float64(t.Bytes)) / (first.Ms / float64(first.Bytes))
		figures = append(figures, plain(name, t.Ms, "ms").with(fmt.Sprintf("%.2f × the time per byte of the first", perByte)))
	}
	return figures
}
