// That the README's figures are those that are counted, and its bounds those that
// are held.

package main

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/figmatree"
	"github.com/playguard/playguard/test/figmafile"
)

// figureRow is a row of the README's tables of figures.
type figureRow struct{ section, what, measured, bound string }

// readmeFigures are the rows of the README's tables of figures; one without a section
// or command of its own has that of the row above.
func readmeFigures(t *testing.T) []figureRow {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(readme), "\n## Figures\n")
	var rows []figureRow
	for line := range strings.Lines(tables) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		if len(cells) != 4 || !strings.HasPrefix(line, "| ") || strings.TrimSpace(cells[3]) == "bound" {
			continue
		}
		row := figureRow{strings.Trim(cells[0], " `"), strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])}
		if row.section == "" && len(rows) > 0 {
			row.section = rows[len(rows)-1].section
		}
		rows = append(rows, row)
	}
	return rows
}

// Where a figure is a time, or takes a browser, only its bound is compared.
func TestReadmeFigures(t *testing.T) {
	counted := countedFigures(t)
	limit := func(kind string) string { l, _ := minSavedPercent(kind); return fmt.Sprintf("%g %%,", l) }
	numbered := func(kind, text string) string { l, _ := minNumberedPercent(kind, text); return fmt.Sprintf("%g", l) }
	wanted := []figureRow{
		{"bytes", "odd answers", counted["bytes"], "all"},
		{"overhead", "added to a small answer", "", fmt.Sprintf("%d µs, %d × direct", maxSmallAddedMicros, maxSmallRatio)},
		{"overhead", "added to an answer of 316 KB", "", fmt.Sprintf("%g ms", maxLargeAddedMillis)},
		{"start", "`initialize` and `tools/list`", "", fmt.Sprintf("%d ms and %d ms", maxInitializeMillis, maxListMillis)},
		{"memory", "PlayGuard's own", "", fmt.Sprintf("%d MB and %d MB", maxIdleMB, maxLoadedMB)},
		{"size", "binary", "", fmt.Sprintf("%d MB", maxBinaryMB)},
		{"end", "stdin closed", "", fmt.Sprintf("%d ms", maxEndMillis)},
		{"end", "SIGKILL", "", fmt.Sprintf("%d s", maxKillMillis/1000)},
		{"tools", "the list of tools", counted["tools"], fmt.Sprintf("%d %%", maxToolsPercent)},
		{"flows", "delivered tokens saved", "", fmt.Sprintf("%d %% at 20", minTodoSavedPercent)},
		{"flows", "the same: checkout", "", fmt.Sprintf("%d %%, %d %%", minFormSavedPercent, minNavigationSavedPercent)},
		{"flows", "the same: grid", "", fmt.Sprintf("%d %%", minFormSavedPercent)},
		{"flows", "the largest answer", "", fmt.Sprint(maxEnvelopeTokens)},
		{"corpus", "tokens saved on " + counted["shop pages"] + " recorded pages of the demo's shop", counted["shop"], limit("shop")},
		{"corpus", "the same on " + counted["site pages"] + " recorded pages of the test site", counted["site"], limit("site")},
		{"corpus", "words, handles", "100 %", "100 %"},
		{"corpus", "compacting an answer", "", fmt.Sprintf("%d ms", maxCompactMillis)},
		{"corpus", "its time per byte", "", fmt.Sprintf("%d ×", maxCompactGrowth)},
		{"figma", "tokens saved of Framelink's own `tree`", counted["tree"], fmt.Sprintf("%d %%", minSavedOfTree)},
		{"figma", "tokens saved of its indented JSON", counted["JSON"], fmt.Sprintf("%d %%", minSavedOfJSON)},
		{"figma", "bytes removed", counted["REST"], fmt.Sprintf("%d %%", minRemovedBytes)},
		{"figma", "a REST file of 5 MB", "", fmt.Sprintf("%d ms, %d ×", maxDesignMillis, maxDesignMemory)},
		{"go run ./bench --only corpus --corpus DIR", "33 public articles", "", numbered("article", "full") + " % and " + numbered("app", "full") + " %, 100 %"},
		{"go run ./bench --only corpus --corpus DIR", "the same with `text: short`", "", numbered("article", "short") + " % and " + numbered("app", "short") + " %"},
		{"go run ./bench --only corpus --corpus DIR", "the same with Playwright's own refs", "", strings.Trim(limit("article"), ",") + " and " + strings.Trim(limit("app"), ",")},
		{"go run ./bench --only figma --designs DIR", "the same on other designs", "", fmt.Sprintf("%d %%, %d %%", minSavedOfTree, minSavedOfJSON)},
	}
	rows := readmeFigures(t)
	for _, w := range wanted {
		found := 0
		for _, row := range rows {
			if row.section != w.section || !strings.HasPrefix(row.what, w.what) {
				continue
			}
			found++
			if w.measured != "" && row.measured != w.measured || row.bound != w.bound {
				t.Errorf("the README has %q with the bound %q for %s, %s; it is %q with %q", row.measured, row.bound, w.section, w.what, w.measured, w.bound)
			}
		}
		if found != 1 {
			t.Errorf("%d rows of the README begin with %s, %s", found, w.section, w.what)
		}
	}
	for _, row := range rows {
		for _, section := range sectionNames() {
			if row.section == section {
				row.section = ""
			}
		}
		if row.section != "" && !strings.Contains(row.section, " ") {
			t.Errorf("the README names the section %s, which there is not", row.section)
		}
	}
}

// countedFigures are the figures that are the same on each machine, as the README
// writes them.
func countedFigures(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	odd := 4 * len(oddRequests()) // once with each id
	out["bytes"] = fmt.Sprintf("%d of %d", odd, odd)

	tools, err := measureTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	out["tools"] = fmt.Sprintf("%.1f %%", tools[0].Value)

	files, folder := openCorpus("")
	pages, err := readCorpus(files, folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range corpusModes {
		if mode.text != "full" || mode.format != "dense" {
			continue
		}
		savings, err := measureSavings(pages, mode)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range savings {
			out[s.Kind] += fmt.Sprintf(", %.1f %%", s.SavedPercent)
			out[s.Kind+" pages"] = fmt.Sprint(s.Pages)
		}
	}
	out["shop"], out["site"] = strings.TrimPrefix(out["shop"], ", "), strings.TrimPrefix(out["site"], ", ")

	designs, err := fs.Sub(recordedDesigns, "testdata/figma")
	if err != nil {
		t.Fatal(err)
	}
	figures, err := designTokens(designs)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"tree", "JSON"} {
		low, high := math.Inf(1), math.Inf(-1)
		for at := i; at < len(figures); at += 2 {
			low, high = min(low, figures[at].Value), max(high, figures[at].Value)
		}
		out[name] = fmt.Sprintf("%.0f–%.0f %%", low, high)
	}

	instances := string(figmafile.Instances(100))
	r := figmatree.Optimize(instances, figmatree.Options{Format: figmatree.JSON})
	out["REST"] = fmt.Sprintf("%.0f %%", percentSaved(len(instances)-r.WhitespaceBytes, len(r.Text)))
	return out
}
