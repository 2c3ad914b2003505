package figmatree

// Whatever comes in, the optimiser answers, within the budget's reach, with what
// can be read.

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func seeds(f *testing.F) {
	for _, seed := range []uint64{2, 3} {
		f.Add(randomAnswer(seed))
	}
	f.Add(sections(2))
	f.Add(`{"nodes":{"1:1":{"document":{"id":"1:1","type":"INSTANCE","componentId":"9:9","children":[]}}}}`)
	f.Add("metadata:\n  name: A\nnodes:\n  - id: 1:1\n    name: x\n    type: FRAME\n    fills: ['#FFF']\n")
	f.Add("a: &a [*a]")
}

// FuzzOptimize holds both forms, whole and cut, against the rules that every text
// must keep to.
func FuzzOptimize(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, o := range []Options{{}, {Format: JSON}, {Budget: 400}, {Format: JSON, Budget: 400}, {KeepSVG: true}} {
			r := Optimize(text, o)
			if r.Skipped != nil {
				if r.Text != text {
					t.Fatal("what is not understood was changed")
				}
				continue
			}
			if !utf8.ValidString(r.Text) && utf8.ValidString(text) {
				t.Fatal("the text is no UTF-8")
			}
			if o.Format == JSON {
				if !json.Valid([]byte(r.Text)) {
					t.Fatalf("no JSON: %s", r.Text)
				}
			} else if !oneLine(removeLineEnds(r.Text)) {
				t.Fatalf("a character that ends a line came through: %q", r.Text)
			}
		}
	})
}

func removeLineEnds(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] != '\n' {
			out = append(out, s[i])
		}
	}
	return string(out)
}

// FuzzDense holds the dense form against the answer it was made of.
func FuzzDense(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkDense(t, randomAnswer(seed)) })
}

// FuzzBudget cuts random answers to random sizes.
func FuzzBudget(f *testing.F) {
	f.Add(uint64(1), 500)
	f.Fuzz(func(t *testing.T, seed uint64, budget int) {
		answer := randomAnswer(seed)
		r := Optimize(answer, Options{Budget: budget})
		if _, err := readDense(r.Text); err != nil {
			t.Fatalf("%v\n%s", err, r.Text)
		}
		if r := Optimize(answer, Options{Budget: budget, Format: JSON}); !json.Valid([]byte(r.Text)) {
			t.Fatal("no JSON")
		}
	})
}

// FuzzRound holds rounding to what it promises: it never lengthens a text, and it
// leaves all that is no number alone.
func FuzzRound(f *testing.F) {
	f.Add("1.3999999364217122em")
	f.Add("rgba(0, 0, 0, 0.1199999)")
	f.Add("0.6067")
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r == '.' {
				return -1
			}
			return r
		}, s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Round(text)
		if len(got) > len(text) || letters(got) != letters(text) {
			t.Errorf("%q becomes %q", text, got)
		}
		want, err := strconv.ParseFloat(text, 64)
		f, err2 := strconv.ParseFloat(got, 64)
		if err == nil && (err2 != nil || math.Abs(f-want) > maxRoundingError*math.Abs(want)*1.0001) {
			t.Errorf("%q becomes %q", text, got)
		}
	})
}

// FuzzParseJSON holds the parser against the standard library's.
func FuzzParseJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,-0.5e+7,"x\u2028\n",null,true,false,{}]}`, `[]`, ` "a" `, `01`, `"\ud83d\ude00"`, `{"a":1,"a":2}`, `1.`, `-`, "\"\x01\""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseJSON(text)
		if valid := json.Valid([]byte(text)); valid != (err == nil) && utf8.ValidString(text) {
			t.Fatalf("%q: %v", text, err)
		}
		if err != nil || !utf8.ValidString(text) {
			return
		}
		decode := func(text string) any {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			var out any
			if err := d.Decode(&out); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			return out
		}
		if canon(decode(text)) != canon(decode(v.JSON())) {
			t.Fatalf("%q became %q", text, v.JSON())
		}
	})
}
