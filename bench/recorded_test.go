// The recorded corpus: what the compact view keeps of it and saves on it.

package main

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRecordedCorpus holds the compact view against our own recordings. With
// -update it makes them first; the totals below are then to be reviewed.
func TestRecordedCorpus(t *testing.T) {
	dir := filepath.Join("testdata", "corpus")
	if *update {
		recordCorpus(t, dir)
	}
	pages, err := readCorpus(os.DirFS(dir), dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(shopPages) + len(sitePages); len(pages) != want {
		t.Errorf("%d answers are recorded, not %d", len(pages), want)
	}

	savings, err := measureSavings(pages, corpusModes[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(savings) != 2 {
		t.Errorf("the kinds are not shop and site: %+v", savings)
	}
	for _, s := range savings {
		// The bound is what is reached, rounded down to a multiple of five, so
		// that neither a loss nor a gain goes unnoticed.
		if want, bounded := minSavedPercent(s.Kind); !bounded || math.Floor(s.SavedPercent/5)*5 != want {
			t.Errorf("%s saves %.2f %% of %d tokens; the bound is %g %%", s.Kind, s.SavedPercent, s.RawTokens, want)
		}
	}

	kept, missing := auditPages(pages)
	want := []CorpusKept{
		{"distinct words of names and text", 4436, 4436},
		{"handles", 7099, 7099},
		{"headings", 104, 104},
		{"options", 68, 68},
		{"states", 30, 30},
		{"heading levels", 104, 104},
		{"placeholders", 5, 5},
		{"values", 4, 4},
		{"frames", 2, 2},
	}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Errorf("kept (-want +got):\n%s\nmissing: %q", diff, missing)
	}
}

var anyAddress = regexp.MustCompile(`127\.0\.0\.1:\d+|localhost`)

// TestRecordedCorpusIsPortable keeps what belongs to one machine, and what is
// large, out of the recordings.
func TestRecordedCorpusIsPortable(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	files, name := openCorpus("")
	names, err := fs.Glob(files, "*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("%s is empty: %v", name, err)
	}
	total := 0
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		total += len(data)
		if len(data) > 400_000 {
			t.Errorf("%s has %d bytes", name, len(data))
		}
		for _, address := range anyAddress.FindAllString(string(data), -1) {
			if address != "127.0.0.1:8000" && address != "127.0.0.1:8001" {
				t.Errorf("%s names the address %s", name, address)
			}
		}
		for _, path := range []string{home + "/", filepath.ToSlash(os.TempDir()) + "/", ".playwright-mcp"} {
			if strings.Contains(string(data), path) {
				t.Errorf("%s names %s", name, path)
			}
		}
	}
	if total > 1_500_000 {
		t.Errorf("the recordings have %d bytes", total)
	}
}
