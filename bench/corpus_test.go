// What is measured on a corpus, and what the audit notices.

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/aria"
)

const corpusAnswer = "### Page\n- Page URL: http://127.0.0.1/\n- Page Title: Shop\n### Snapshot\n```yaml\n" +
	`- generic [active] [ref=e1]:
  - navigation "Main" [ref=e2]:
    - link "Home" [ref=e3] [cursor=pointer]:
      - /url: /a/rather/long/address/that/is/shown/on/request
    - link "Basket 3" [ref=e4] [cursor=pointer]:
      - /url: /basket/with/a/long/address
      - generic [ref=e5]: Basket
      - generic [ref=e6]: "3"
  - main [ref=e7]:
    - heading "Order" [level=1] [ref=e8]
    - generic [ref=e9]:
      - generic [ref=e10]: Quantity
      - textbox "Quantity" [ref=e11]:
        - /placeholder: How many
        - text: two
    - 'combobox "Size: any" [ref=e12]':
      - option "Small" [selected]
      - option "Large, extra"
    - button "Send" [disabled] [ref=e13]
` + "```"

func TestMeasureCorpus(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"app-a.txt", "article-b.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(corpusAnswer), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	report, err := measureCorpus(openCorpus(dir))
	if err != nil {
		t.Fatal(err)
	}
	if report.Pages != 2 || len(report.Savings) != 2*len(corpusModes) || len(report.CompactMs) != 4 {
		t.Errorf("the report is not complete: %+v", report)
	}
	for _, s := range report.Savings {
		if s.Format == "dense" && s.SavedPercent < 20 {
			t.Errorf("%+v saves too little", s)
		}
	}
	for _, k := range report.Kept {
		if k.Found != k.Total || k.Total == 0 {
			t.Errorf("%s: %d of %d kept; missing %q", k.What, k.Found, k.Total, report.Missing)
		}
	}
}

func TestMeasureCorpusRefuses(t *testing.T) {
	if _, err := measureCorpus(openCorpus(t.TempDir())); err == nil || !strings.Contains(err.Error(), "no .txt file") {
		t.Errorf("an empty folder gives %v", err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.txt"), []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := measureCorpus(openCorpus(dir)); err == nil || !strings.Contains(err.Error(), "no snapshot") {
		t.Errorf("an answer without a tree gives %v", err)
	}
}

// The audit must notice what is lost, or its 100 % says nothing.
func TestAuditNotices(t *testing.T) {
	result, ok := aria.Compact(corpusAnswer, aria.Options{})
	if !ok {
		t.Fatal("the answer is not understood")
	}
	for _, test := range []struct{ lose, what string }{
		{"Quantity", "distinct words of names and text"},
		{"[e3]", "handles"},
		{"[e10]", "handles"},
		{"Large, extra", "options"},
		{"= two", "values"},
		{"placeholder=How many", "placeholders"},
		{"[disabled]", "states"},
		{"# Order", "heading levels"},
	} {
		if !strings.Contains(result.Text, test.lose) {
			t.Errorf("the view lacks %q:\n%s", test.lose, result.Text)
			continue
		}
		a := newAudit()
		a.page("p", corpusAnswer, strings.ReplaceAll(result.Text, test.lose, ""))
		kept, _ := a.result()
		for _, k := range kept {
			if k.What == test.what && k.Found == k.Total {
				t.Errorf("the loss of %q is not noticed: %+v", test.lose, k)
			}
		}
	}
}
