package designdiff

// Colours, lengths, gradients and shadows.

import (
	"math"
	"strings"
	"testing"
)

func TestColors(t *testing.T) {
	for text, want := range map[string]string{
		"#fff":                           "rgb(255, 255, 255)",
		"#1976D2":                        "rgb(25, 118, 210)",
		"#16A34A26":                      "rgba(22, 163, 74, 0.15)",
		"#f008":                          "rgba(255, 0, 0, 0.53)",
		"rgb(1, 2, 3)":                   "rgb(1, 2, 3)",
		"rgba(1, 2, 3, 0.5)":             "rgba(1, 2, 3, 0.5)",
		"rgb(1 2 3 / 50%)":               "rgba(1, 2, 3, 0.5)",
		"rgb(100% 0% 50%)":               "rgb(255, 0, 128)",
		"rgba(0, 0, 0, 0)":               "transparent",
		"transparent":                    "transparent",
		"hsl(210 79% 46%)":               "rgb(25, 117, 210)",
		"hsl(-150, 79%, 46%, .5)":        "rgba(25, 117, 210, 0.5)",
		"oklch(1 0 0)":                   "rgb(255, 255, 255)",
		"oklch(62.8% 0.25768 29.234)":    "rgb(255, 0, 0)",
		"oklab(0.62796 0.22486 0.12585)": "rgb(255, 0, 0)",
		"lab(54.29 80.81 69.89)":         "rgb(255, 0, 0)",
		"lch(54.29 106.84 40.85)":        "rgb(255, 0, 0)",
		"color(srgb 1 0.5 0 / 0.25)":     "rgba(255, 128, 0, 0.25)",
		"color(srgb-linear 0.2159 0 0)":  "rgb(128, 0, 0)",
		"color(display-p3 0.6 0.6 0.6)":  "rgb(153, 153, 153)",
		" RGB(none 10 20) ":              "rgb(0, 10, 20)",
		"oklch(0.704 0.191 22.216)":      "rgb(255, 100, 103)", // Tailwind's red-400
		"rgba(300, -5, 3, 7)":            "rgb(255, 0, 3)",
	} {
		if c, ok := parseColor(text); !ok || c.String() != want {
			t.Errorf("%s is %s (%v), want %s", text, c, ok, want)
		}
	}
	for _, text := range []string{"", "#12345", "#xyz", "currentcolor", "rgb(1, 2)", "rgb(1, 2, 3, 4, 5)", "rgb(1px)", "color(display-p3 1 0 0)", "color(rec2020 1 0 0)", "url(x)", "rgb(a b c)", "rgb(1 2 3 / x)"} {
		if c, ok := parseColor(text); ok {
			t.Errorf("%q is %s", text, c)
		}
	}
}

func TestOver(t *testing.T) {
	half := color{0, 0, 0, 0.5}
	if got := half.over(color{255, 255, 255, 1}).String(); got != "rgb(128, 128, 128)" {
		t.Errorf("half black over white is %s", got)
	}
	if got := half.over(half); math.Abs(got.a-0.75) > 1e-9 {
		t.Errorf("half over half is %s", got)
	}
	if got := transparent.over(transparent); got != transparent {
		t.Errorf("nothing over nothing is %s", got)
	}
}

func TestGradients(t *testing.T) {
	for text, want := range map[string]string{
		"linear-gradient(red, blue)":                               "",
		"linear-gradient(#f00, #00f)":                              "linear-gradient(180deg, rgb(255, 0, 0) 0%, rgb(0, 0, 255) 100%)",
		"linear-gradient(to right, #f00, #0f0, #00f)":              "linear-gradient(90deg, rgb(255, 0, 0) 0%, rgb(0, 255, 0) 50%, rgb(0, 0, 255) 100%)",
		"linear-gradient(0.25turn, rgb(255, 0, 0) 10%, #00f 90%)":  "linear-gradient(90deg, rgb(255, 0, 0) 10%, rgb(0, 0, 255) 90%)",
		"linear-gradient(to top right, #f00, #00f)":                "linear-gradient(63.43deg, rgb(255, 0, 0) 0%, rgb(0, 0, 255) 100%)",
		"linear-gradient(90deg, #f00 0px, #00f 50px)":              "linear-gradient(90deg, rgb(255, 0, 0) 0%, rgb(0, 0, 255) 50%)",
		"linear-gradient(to right in oklab, #f00 0% 20%, #00f)":    "linear-gradient(90deg, rgb(255, 0, 0) 0%, rgb(255, 0, 0) 20%, rgb(0, 0, 255) 100%)",
		"radial-gradient(circle at 50% 50%, #fff 0%, #000 100%)":   "radial-gradient(circle at 50% 50%, rgb(255, 255, 255) 0%, rgb(0, 0, 0) 100%)",
		"conic-gradient(from 90deg at 50% 50%, #fff, #000 180deg)": "conic-gradient(from 90deg at 50% 50%, rgb(255, 255, 255) 0%, rgb(0, 0, 0) 50%)",
		"repeating-linear-gradient(#f00, #00f 10px)":               "",
		"linear-gradient(#f00)":                                    "",
		"linear-gradient(to middle, #f00, #00f)":                   "",
		"linear-gradient(#f00, 30%, #00f)":                         "",
		"url(a.png)":                                               "",
		"none":                                                     "",
		"linear-gradient()":                                        "",
	} {
		g, ok := parseGradient(text, 100, 200)
		got := ""
		if ok {
			got = g.String()
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestGradientsCompared(t *testing.T) {
	tol := Tolerance{PX: 2, Color: 5}
	for _, c := range []struct {
		figma, css string
		want       Status
	}{
		{"linear-gradient(90deg, #f00 0%, #00f 100%)", "linear-gradient(to right, rgb(255, 0, 0), rgb(0, 0, 255))", Match},
		{"linear-gradient(90deg, #f00 0%, #00f 100%)", "linear-gradient(270deg, #00f, #f00)", Match},
		{"linear-gradient(90deg, #f00 0%, #00f 100%)", "linear-gradient(91deg, #f00, #00f)", Match},
		{"linear-gradient(90deg, #f00 0%, #00f 100%)", "linear-gradient(90deg, #f00, #800080 50%, #00f)", Match}, // the same along the line
		{"linear-gradient(90deg, #f00 0%, #00f 100%)", "linear-gradient(#f00, #00f)", Mismatch},
		{"linear-gradient(90deg, #f00 0%, #00f 100%)", "linear-gradient(90deg, #f00, #0f0)", Mismatch},
		{"linear-gradient(90deg, #f00 0%, #00f 100%)", "linear-gradient(90deg, #f00 30%, #00f)", Mismatch},
		{"linear-gradient(90deg, #f00 0%, #00f 100%)", "radial-gradient(#f00, #00f)", Mismatch},
		{"linear-gradient(90deg, #f00 0%, #00f 100%)", "linear-gradient(90deg in oklch, #f00, #00f)", Unknown},
		{"radial-gradient(circle at 50% 50%, #f00 0%, #00f 100%)", "radial-gradient(circle, #f00, #00f)", Match},
		{"radial-gradient(circle at 50% 50%, #f00 0%, #00f 100%)", "radial-gradient(circle at 0% 0%, #f00, #00f)", Unknown},
		{"radial-gradient(circle at 50% 50%, #f00 0%, #00f 100%)", "radial-gradient(circle, #f00, #0f0)", Mismatch},
	} {
		a, okA := parseGradient(c.figma, 100, 50)
		b, okB := parseGradient(c.css, 100, 50)
		if got, why := a.compare(b, tol); !okA || !okB || got != c.want || got == Unknown && why == "" {
			t.Errorf("%s and %s: %s (%s), want %s", c.figma, c.css, got, why, c.want)
		}
	}
}

func TestShadows(t *testing.T) {
	for text, want := range map[string]string{
		"none":                                "none",
		"rgba(0, 0, 0, 0.25) 0px 4px 4px 0px": "0px 4px 4px rgba(0, 0, 0, 0.25)",
		"inset 0px 1px 2px 3px #f00, 0 1px #0000":                              "inset 0px 1px 2px 3px rgb(255, 0, 0)",
		"rgba(0, 0, 0, 0) 0px 0px 0px 0px, rgb(1, 2, 3) 0px 0px 0px 2px inset": "inset 0px 0px 0px 2px rgb(1, 2, 3)",
		"1px 2px": "1px 2px 0px rgb(0, 0, 0)",
	} {
		list, ok := parseShadows(text)
		if got := shadowsText(list); !ok || got != want {
			t.Errorf("%s is %s (%v), want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"1px", "1px 2px 3px 4px 5px", "red 1px 2px", "1em 2px", "#fff #000 1px 1px"} {
		if list, ok := parseShadows(text); ok {
			t.Errorf("%s is %s", text, shadowsText(list))
		}
	}
}

func TestSides(t *testing.T) {
	for text, want := range map[string]string{
		"8px": "8px", "12px 24px": "12px 24px 12px 24px", "1px 2px 3px": "1px 2px 3px 2px", "8px 8px 0 0": "8px 8px 0px 0px", "1.3333px": "1.33px",
	} {
		s, ok := parseSides(text)
		if !ok || s.String() != want {
			t.Errorf("%s is %s (%v), want %s", text, s, ok, want)
		}
	}
	for _, text := range []string{"", "8", "1em", "1px 2px 3px 4px 5px", "auto", "1e999px"} {
		if s, ok := parseSides(text); ok {
			t.Errorf("%q is %s", text, s)
		}
	}
}

func TestSplitTop(t *testing.T) {
	got := strings.Join(splitTop(`a(1, 2), "b, c" ,d`, ','), "|")
	if got != `a(1, 2)|"b, c"|d` {
		t.Errorf("it is %s", got)
	}
}

func FuzzColor(f *testing.F) {
	for _, s := range []string{"#fff", "rgba(1, 2, 3, 0.5)", "oklch(0.5 0.2 280 / 20%)", "color(display-p3 1 0 0)", "hsl(1turn 2% 3%)", "lab(1 2 3)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, ok := parseColor(s)
		if !ok {
			return
		}
		for _, v := range []float64{c.r, c.g, c.b, c.a * 255} {
			if !(v >= 0 && v <= 255) {
				t.Fatalf("%q is %v", s, c)
			}
		}
		// What is written is read again as nearly the same.
		if again, ok := parseColor(c.String()); !ok || again.distance(c) > 2 && c.a > 0.01 {
			t.Fatalf("%q is %s, which is read as %s", s, c, again)
		}
	})
}

func FuzzLength(f *testing.F) {
	for _, s := range []string{"12px", "-1.5em", "50%", "1e3px", "8px 8px 0 0", "0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if l, ok := parseLength(s); ok && (math.IsNaN(l.n) || math.IsInf(l.n, 0)) {
			t.Fatalf("%q is %v", s, l)
		}
		if v, ok := parseSides(s); ok {
			if again, ok := parseSides(v.String()); !ok || math.Abs(again[0]-v[0]) > 0.01+math.Abs(v[0])*1e-9 {
				t.Fatalf("%q is %s, which is read as %s", s, v, again)
			}
		}
		for _, part := range splitTop(s, ',') {
			if len(part) > len(s) {
				t.Fatalf("%q has the part %q", s, part)
			}
		}
	})
}

func FuzzGradient(f *testing.F) {
	for _, s := range []string{"linear-gradient(to top left, #f00 1px, #00f 90%, #fff)", "radial-gradient(circle at 1% 2%, #fff, #000)", "conic-gradient(in hsl, #fff 0deg, #000)"} {
		f.Add(s, 100.0, 50.0)
	}
	f.Fuzz(func(t *testing.T, s string, w, h float64) {
		if !(w >= 0 && w < 1e6 && h >= 0 && h < 1e6) {
			return
		}
		g, ok := parseGradient(s, w, h)
		if !ok {
			return
		}
		if len(g.stops) < 2 {
			t.Fatalf("%q has %d stops", s, len(g.stops))
		}
		for i, s := range g.stops[1:] {
			if s.at < g.stops[i].at {
				t.Fatalf("the stops are %v", g.stops)
			}
		}
		if got, _ := g.compare(g, Tolerance{}); got != Match {
			t.Fatalf("%q is no match of itself", s)
		}
		_ = g.String()
	})
}

func FuzzShadow(f *testing.F) {
	f.Add("inset 0px 1px 2px 3px #f00, 0 1px #0000")
	f.Add("rgba(0, 0, 0, 0.25) 0px 4px 4px 0px")
	f.Fuzz(func(t *testing.T, s string) {
		list, ok := parseShadows(s)
		if ok && !sameShadows(list, list, Tolerance{}) {
			t.Fatalf("%q is not like itself: %s", s, shadowsText(list))
		}
	})
}
