// Tokens, bytes, time and memory of designs from Figma.

package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"runtime/metrics"
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
	costs, err := designCosts(quick)
	return append(figures, costs...), err
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

// designCosts measures a large file, as indented and as minified JSON: the fastest
// run, since other programs only ever add to it, and the most memory that was in
// use at any time.
func designCosts(quick bool) ([]figure, error) {
	runs := 8
	if quick {
		runs = 3
	}
	indented := string(figmafile.Large(designSize))
	minified, err := minifiedDesign()
	if err != nil {
		return nil, err
	}
	var figures []figure
	for _, way := range []struct {
		name, text string
		options    figmatree.Options
	}{
		{"dense", indented, figmatree.Options{}}, {"JSON", indented, figmatree.Options{Format: figmatree.JSON}},
		{"10,000 characters", indented, figmatree.Options{Budget: 10_000}},
		{"minified, dense", minified, figmatree.Options{}}, {"minified, JSON", minified, figmatree.Options{Format: figmatree.JSON}},
		{"minified, 10,000 characters", minified, figmatree.Options{Budget: 10_000}},
	} {
		fastest := time.Duration(1 << 62)
		for range runs {
			runtime.GC()
			start := time.Now()
			figmatree.Optimize(way.text, way.options)
			fastest = min(fastest, time.Since(start))
		}
		peak := peakHeap(func() { figmatree.Optimize(way.text, way.options) })
		megabytes := float64(len(way.text)) / (1 << 20)
		figures = append(figures,
			atMost(fmt.Sprintf("REST file of %.1f MB, %s", megabytes, way.name), millis(fastest), "ms", maxDesignMillis),
			atMost(fmt.Sprintf("REST file of %.1f MB, %s: memory", megabytes, way.name), float64(peak)/float64(len(way.text)), "× its size", maxDesignMemory))
	}
	return figures, nil
}

// minifiedDesign is a file without white space of at least designSize bytes.
func minifiedDesign() (string, error) {
	for size := 2 * designSize; ; size += designSize {
		var out bytes.Buffer
		if err := json.Compact(&out, figmafile.Large(size)); err != nil {
			return "", fmt.Errorf("a made-up design is no JSON: %w", err)
		}
		if out.Len() >= designSize {
			return out.String(), nil
		}
	}
}

// peakHeap returns by how much the heap's objects, those to be collected
// included, grew at most while f ran.
func peakHeap(f func()) uint64 {
	objects := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() uint64 {
		metrics.Read(objects)
		return objects[0].Value.Uint64()
	}
	runtime.GC()
	before := read()
	peak := before
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	tick := time.NewTicker(200 * time.Microsecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			peak = max(peak, read())
		case <-done:
			return max(peak, read()) - before
		}
	}
}
