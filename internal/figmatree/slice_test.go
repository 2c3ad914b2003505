package figmatree

// Module 7 says how much is missing, and leaves no call that leads back to
// itself.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/playguard/playguard/test/figmafile"
)

func asJSON(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The layer that was asked for is there, whatever is long in it.
func TestRootIsNoStub(t *testing.T) {
	long := strings.Repeat("wörd \"q\" ", 1500)
	framelink := func(root object) object { return object{"metadata": object{"name": "F"}, "nodes": []any{root}} }
	rest := func(root object) object {
		return object{"nodes": object{"1:1": object{"document": root}}}
	}
	kids := []any{}
	for i := range 30 {
		kids = append(kids, object{"id": fmt.Sprintf("2:%d", i), "type": "TEXT", "name": "kid", "text": long[:400], "characters": long[:400]})
	}
	for name, answer := range map[string]object{
		"text":           framelink(object{"id": "1:1", "type": "TEXT", "text": long}),
		"REST text":      rest(object{"id": "1:1", "name": "a", "type": "TEXT", "characters": long}),
		"member":         framelink(object{"id": "1:1", "name": "n", "type": "FRAME", "note": object{"a": long}}),
		"text, children": framelink(object{"id": "1:1", "type": "TEXT", "text": long, "children": kids}),
		"two members":    framelink(object{"id": "1:1", "type": "TEXT", "text": long, "note": long}),
	} {
		for _, o := range []Options{{Budget: 3000}, {Budget: 3000, Format: JSON}} {
			r := Optimize(asJSON(t, answer), o)
			n := utf8.RuneCountInString(r.Text)
			if n > o.Budget || n < o.Budget/3 {
				t.Errorf("%s, format %d: %d characters for %d", name, o.Format, n, o.Budget)
			}
			if regexp.MustCompile(`#1:1 …|"1:1"[^{]*"_stub"`).MatchString(r.Text) {
				t.Errorf("%s: the layer asked for is a stub:\n%.300s", name, r.Text)
			}
			left := 0
			for _, m := range regexp.MustCompile(`…\[\+([0-9]+)\]`).FindAllStringSubmatch(r.Text, -1) {
				i, _ := strconv.Atoi(m[1])
				left += i
			}
			if left == 0 || left != r.Sliced {
				t.Errorf("%s, format %d: the text says that %d characters are missing, the count %d", name, o.Format, left, r.Sliced)
			}
			if !strings.Contains(r.Text, "wörd") {
				t.Errorf("%s: nothing of the text is left:\n%.300s", name, r.Text)
			}
			if _, err := readDense(r.Text); o.Format == Dense && err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// What is shown and what is said to be missing make up the whole.
func TestFiguresAddUp(t *testing.T) {
	answers := map[string]string{"sections": sections(60), "shop": string(figmafile.Shop()), "poster": string(figmafile.Poster())}
	for seed := range uint64(40) {
		answers[fmt.Sprint("REST ", seed)] = randomREST(seed)
		answers[fmt.Sprint("random ", seed)] = randomAnswer(seed)
	}
	more := regexp.MustCompile(`… ([0-9]+) more layers`)
	for name, answer := range answers {
		for _, budget := range []int{600, 900, 2000, 5000} {
			r := Optimize(answer, Options{Budget: budget})
			doc, err := readDense(r.Text)
			if err != nil {
				t.Fatal(err)
			}
			shown, left := 0, 0
			var walk func(l *readLayer)
			walk = func(l *readLayer) {
				shown++
				left += l.stub
				for _, kid := range l.kids {
					walk(kid)
				}
			}
			for _, root := range doc.roots {
				walk(root)
			}
			for _, m := range more.FindAllStringSubmatch(r.Text, -1) {
				n, _ := strconv.Atoi(m[1])
				left += n
			}
			if left != r.LayersLeftOut || shown+left != r.Layers {
				t.Errorf("%s, %d: %d layers shown and %d left out, but %d of %d are said to be", name, budget, shown, left, r.LayersLeftOut, r.Layers)
			}
			r = Optimize(answer, Options{Budget: budget, Format: JSON})
			v, err := ParseJSON(r.Text)
			if err != nil {
				t.Fatal(err)
			}
			if shown, more := shownInJSON(v); shown+r.LayersLeftOut != r.Layers || more > r.LayersLeftOut {
				t.Errorf("%s, %d, JSON: %d layers shown, %d of %d left out", name, budget, shown, r.LayersLeftOut, r.Layers)
			}
		}
	}
}

func shownInJSON(v *Value) (shown, more int) {
	doc, err := NewDocument(v)
	if err != nil {
		return 0, 0
	}
	var walk func(v *Value)
	walk = func(v *Value) {
		if n := v.Get("_more"); n != nil {
			i, _ := strconv.Atoi(n.Text)
			more += i
			return
		}
		shown++
		for _, kid := range v.Get("children").Items() {
			walk(&kid)
		}
	}
	for _, root := range doc.Roots {
		walk(root.Value)
	}
	return shown, more
}

// The original of every copy is there, not a stub itself.
func TestCopiesKeepTheirOriginal(t *testing.T) {
	answers := []string{copiesAndMore()}
	for seed := range uint64(200) {
		answers = append(answers, randomAnswer(seed))
	}
	copies := 0
	for i, answer := range answers {
		whole := Optimize(answer, Options{Format: JSON})
		for _, share := range []int{2, 3, 5, 8} {
			r := Optimize(answer, Options{Format: JSON, Budget: len(whole.Text) / share})
			v, err := ParseJSON(r.Text)
			if err != nil {
				t.Fatal(err)
			}
			eachNode(v.Get("nodes"), func(parent *Value) {
				there := map[string]*Value{}
				for _, kid := range parent.Get("children").Items() {
					if there[kid.Get("id").Str()] == nil {
						there[kid.Get("id").Str()] = &kid
					}
				}
				for _, kid := range parent.Get("children").Items() {
					of := kid.Get("_sameAs").Str()
					if of == "" {
						continue
					}
					copies++
					if original := there[of]; original == nil || original.Get("_stub") != nil {
						t.Errorf("answer %d, 1/%d: %s is said to be like %s, which is not there", i, share, kid.Get("id").Str(), of)
					}
				}
			})
		}
	}
	if copies == 0 {
		t.Error("no copy was seen")
	}
}

// copiesAndMore is a page of cards that are alike, each larger than a stub.
func copiesAndMore() string {
	var kids []string
	for i := range 12 {
		var below []string
		for k := range 20 {
			below = append(below, fmt.Sprintf(`{"id":"1:%d","type":"TEXT","text":"text %d of the card"}`, 100*i+k+1, k))
		}
		kids = append(kids, fmt.Sprintf(`{"id":"1:%d","name":"Card","type":"FRAME","children":[%s]}`, 100*i+100, strings.Join(below, ",")))
	}
	return `{"nodes":[{"id":"0:1","name":"P","type":"CANVAS","children":[{"id":"0:2","name":"Q","type":"FRAME","children":[` + strings.Join(kids, ",") + `]},{"id":"0:3","name":"R","type":"FRAME"}]}]}`
}
