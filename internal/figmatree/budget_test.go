package figmatree

// Module 7: what stays when not all fits.

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/playguard/playguard/test/figmafile"
)

// sections is an answer with a page of n sections, the i-th of i layers.
func sections(n int) string {
	var parts []string
	id := 1
	for i := range n {
		var kids []string
		section := id
		for range i {
			id++
			kids = append(kids, fmt.Sprintf(`{"id":"1:%d","name":"Layer %d of its own","type":"FRAME","layout":{"mode":"row","gap":"%dpx","sizing":{}},"children":[{"id":"2:%d","type":"TEXT","text":"Text number %d"}]}`, id, id, id, id, id))
		}
		id++
		parts = append(parts, fmt.Sprintf(`{"id":"1:%d","name":"Section %d","type":"FRAME","children":[%s]}`, section, i, strings.Join(kids, ",")))
	}
	return `{"metadata":{"name":"F","components":{"9:9":{"id":"9:9","name":"unused"}}},"nodes":[{"id":"0:1","name":"Page","type":"CANVAS","children":[` + strings.Join(parts, ",") + `]}],"globalVars":{"styles":{"unused":["#FFF"]}},"elements":{}}`
}

func TestBudgetIsKept(t *testing.T) {
	files := map[string]string{"sections": sections(40), "shop": string(figmafile.Shop()), "poster": string(figmafile.Poster())}
	for name, text := range files {
		for _, format := range []Format{Dense, JSON} {
			for _, budget := range []int{1500, 5000, 10_000, 60_000} {
				r := Optimize(text, Options{Format: format, Budget: budget})
				if r.Skipped != nil {
					t.Fatal(r.Skipped)
				}
				n := utf8.RuneCountInString(r.Text)
				if n > budget {
					t.Errorf("%s, format %d: %d characters for a budget of %d", name, format, n, budget)
				}
				// A branch of hundreds of layers may be too much for a small one.
				if r.Stubs > 0 && n < budget/2 && budget >= 10_000 {
					t.Errorf("%s, format %d: only %d of %d characters were used", name, format, n, budget)
				}
				if whole := Optimize(text, Options{Format: format}); (len(whole.Text) > budget) != (r.Stubs > 0) {
					t.Errorf("%s, format %d: %d stubs for %d of %d", name, format, r.Stubs, budget, len(whole.Text))
				}
			}
		}
	}
}

// Every section is visible; layers are either there or below a stub.
func TestSectionsStayVisible(t *testing.T) {
	text := sections(40)
	for _, budget := range []int{3000, 5000, 10_000} {
		for _, format := range []Format{Dense, JSON} {
			r := Optimize(text, Options{Format: format, Budget: budget})
			for i := range 40 {
				if !regexp.MustCompile(fmt.Sprintf(`\bSection %d\b`, i)).MatchString(r.Text) {
					t.Errorf("format %d, budget %d: section %d is gone\n%.2000s", format, budget, i, r.Text)
				}
			}
			if strings.Contains(r.Text, "unused") {
				t.Errorf("format %d: the lists hold what no layer uses", format)
			}
			if shown := r.Layers - r.LayersLeftOut; shown < 41 || r.LayersLeftOut == 0 {
				t.Errorf("%d of %d layers left out", r.LayersLeftOut, r.Layers)
			}
		}
	}
}

func TestStubs(t *testing.T) {
	r := Optimize(sections(40), Options{Budget: 4000})
	if !strings.Contains(r.Text, "\n Section 9 #1:46 …18\n") {
		t.Errorf("no stub says how many layers it stands for:\n%s", r.Text)
	}
	r = Optimize(sections(40), Options{Budget: 4000, Format: JSON})
	if !regexp.MustCompile(`\{"id":"1:\d+","name":"[^"]+","type":"FRAME","_stub":true\}`).MatchString(r.Text) {
		t.Errorf("there is no stub in %s", r.Text)
	}
	if _, err := ParseJSON(r.Text); err != nil {
		t.Error(err)
	}
}

// Where not even the stubs fit, it is said how many sections there are besides.
func TestMoreSectionsThanRoom(t *testing.T) {
	r := Optimize(sections(60), Options{Budget: 900})
	if n := utf8.RuneCountInString(r.Text); n > 900 || !regexp.MustCompile(`… \d+ more`).MatchString(r.Text) {
		t.Errorf("%d characters:\n%s", n, r.Text)
	}
	r = Optimize(sections(60), Options{Budget: 900, Format: JSON})
	if n := utf8.RuneCountInString(r.Text); n > 900 || !strings.Contains(r.Text, `{"_stub":true,"_more":`) {
		t.Errorf("%d characters:\n%s", n, r.Text)
	}
}

// What is left can be read, and a copy refers to what is there.
func TestTrimmedDenseIsReadable(t *testing.T) {
	for seed := range uint64(150) {
		answer := randomAnswer(seed)
		whole := Optimize(answer, Options{})
		for _, share := range []int{2, 3, 6} {
			r := Optimize(answer, Options{Budget: len(whole.Text) / share})
			if _, err := readDense(r.Text); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, r.Text)
			}
		}
	}
}
