// Tokens, bytes, time and memory of designs from Figma.

package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/figmatree"
	"github.com/playguard/playguard/test/figmafile"
)

// The bounds on designs.
const (
	minSavedOfTree  = 50 // % of the tokens of Framelink's own tree format
	minSavedOfJSON  = 68 // % of those of its indented JSON
	minRemovedBytes = 70 // % of a REST file with 100 instances, JSON kept
	maxDesignMillis = 150
	maxDesignMemory = 6 // times the file's size
	designSize      = 5 << 20
)

// recordedDesigns are what figma-developer-mcp 0.13.2 sent for files of
// test/figmafile, in both of its formats; see recordDesigns.
//
//go:embed testdata/figma/*.txt
var recordedDesigns embed.FS

// openDesigns opens a folder of recorded answers, NAME.json.txt and NAME.tree.txt
// for each design; without a name it is our own.
func openDesigns(dir string) (fs.FS, error) {
	if dir != "" {
		return os.DirFS(dir), nil
	}
	return fs.Sub(recordedDesigns, "testdata/figma")
}

// measureDesigns measures the recorded designs and a file from the REST API.
func measureDesigns(files fs.FS, quick bool) ([]figure, error) {
	figures, err := designTokens(files)
	if err != nil {
		return nil, err
	}
	instances := string(figmafile.Instances(100))
	r := figmatree.Optimize(instances, figmatree.Options{Format: figmatree.JSON})
	if r.Skipped != nil {
		return nil, fmt.Errorf("a file of the REST API is not understood: %w", r.Skipped)
	}
	minified := len(instances) - r.WhitespaceBytes
	figures = append(figures, atLeast("REST, 100 instances and vectors, JSON kept: bytes removed", percentSaved(minified, len(r.Text)), "%", minRemovedBytes).
		with(fmt.Sprintf("of %d bytes without white space; %.1f %% of %d bytes as they came", minified, percentSaved(len(instances), len(r.Text)), len(instances))))
	return append(figures, designCosts(quick)...), nil
}

// designTokens compares the dense form with what Framelink sends.
func designTokens(files fs.FS) ([]figure, error) {
	encoder, err := newEncoder()
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(files, "*.json.txt")
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("there is no recorded design (NAME.json.txt) to measure: %v", err)
	}
	var figures []figure
	for _, name := range names {
		name = strings.TrimSuffix(name, ".json.txt")
		answer, err := fs.ReadFile(files, name+".json.txt")
		if err != nil {
			return nil, fmt.Errorf("a recorded design can't be read: %w", err)
		}
		tree, err := fs.ReadFile(files, name+".tree.txt")
		if err != nil || !strings.Contains(string(tree), "\nNODES:\n") {
			continue // recorded in one format only, or an error
		}
		r := figmatree.Optimize(string(answer), figmatree.Options{})
		if r.Skipped != nil {
			return nil, fmt.Errorf("%s is not understood: %w", name, r.Skipped)
		}
		counts := [3]int{}
		for i, text := range []string{string(tree), string(answer), r.Text} {
			if counts[i], err = encoder.Count(text); err != nil {
				return nil, fmt.Errorf("counting the tokens of %s: %w", name, err)
			}
		}
		note := fmt.Sprintf("%d to %d tokens", counts[0], counts[2])
		figures = append(figures,
			atLeast(name+": tokens saved of Framelink's tree", percentSaved(counts[0], counts[2]), "%", minSavedOfTree).with(note),
			atLeast(name+": tokens saved of its JSON", percentSaved(counts[1], counts[2]), "%", minSavedOfJSON).with(fmt.Sprintf("%d to %d tokens", counts[1], counts[2])))
	}
	if len(figures) == 0 {
		return nil, fmt.Errorf("no design is recorded in both formats, as NAME.json.txt and NAME.tree.txt")
	}
	return figures, nil
}

// designCosts measures a large file: the fastest run, since other programs only
// ever add to it, and all memory that was asked for, which is more than was in
// use at any time.
func designCosts(quick bool) []figure {
	runs := 8
	if quick {
		runs = 3
	}
	text := string(figmafile.Large(designSize))
	var figures []figure
	for _, way := range []struct {
		name    string
		options figmatree.Options
	}{
		{"dense", figmatree.Options{}}, {"JSON", figmatree.Options{Format: figmatree.JSON}}, {"10,000 characters", figmatree.Options{Budget: 10_000}},
	} {
		fastest := time.Duration(1 << 62)
		var before, after runtime.MemStats
		for range runs {
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := time.Now()
			figmatree.Optimize(text, way.options)
			fastest = min(fastest, time.Since(start))
			runtime.ReadMemStats(&after)
		}
		megabytes := float64(len(text)) / (1 << 20)
		figures = append(figures,
			atMost(fmt.Sprintf("REST file of %.1f MB, %s", megabytes, way.name), millis(fastest), "ms", maxDesignMillis),
			atMost(fmt.Sprintf("REST file of %.1f MB, %s: memory", megabytes, way.name), float64(after.TotalAlloc-before.TotalAlloc)/float64(len(text)), "× its size", maxDesignMemory))
	}
	return figures
}
