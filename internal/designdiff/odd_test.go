package designdiff

// What is there but not compared, and elements that are not shown, are said.

import (
	"strings"
	"testing"
)

func TestBorderStyles(t *testing.T) {
	solid := `{"id":"1:1","type":"FRAME","strokes":["#CBD5E1"],"strokeWeight":"4px"}`
	dashed := `{"id":"1:1","type":"FRAME","strokes":["#CBD5E1"],"strokeWeight":"4px","strokeDashes":[4,4]}`
	for _, c := range []struct {
		node  string
		width string
		style css // of single sides; the others are solid
		want  Status
	}{
		{solid, "4px", nil, Match},
		{solid, "4px", css{"border-*": "dashed"}, Mismatch},
		{solid, "4px", css{"border-*": "dotted"}, Mismatch},
		{solid, "4px", css{"border-*": "double"}, Mismatch},
		{solid, "4px", css{"border-*": "groove"}, Mismatch},
		{solid, "4px", css{"border-*": "inset"}, Mismatch},
		{solid, "2px", css{"border-*": "double"}, Unknown},
		{solid, "4px", css{"border-left-style": "dashed"}, Mismatch},
		{dashed, "4px", css{"border-*": "dashed"}, Match},
		{dashed, "4px", css{"border-*": "dotted"}, Match},
		{dashed, "4px", css{"border-*": "double"}, Mismatch},
		{dashed, "4px", css{"border-top-style": "dashed"}, Mismatch},
		{dashed, "4px", nil, Mismatch},
	} {
		e := element(nil, nil)
		for _, side := range sideNames {
			e.Style["border-"+side+"-width"], e.Style["border-"+side+"-style"] = c.width, "solid"
			if s := c.style["border-*"]; s != "" {
				e.Style["border-"+side+"-style"] = s
			}
			if s := c.style["border-"+side+"-style"]; s != "" {
				e.Style["border-"+side+"-style"] = s
			}
		}
		if r := only(t, framelinkNode(t, c.node), e, "borderStyle"); r.Status != c.want {
			t.Errorf("%s beside %v: %+v, want %s", c.node, c.style, r, c.want)
		}
	}
	// A side without a width has no style that could be seen.
	bottom := element(css{"border-bottom-width": "4px", "border-bottom-style": "dashed"}, nil)
	one := framelinkNode(t, `{"id":"1:1","type":"FRAME","strokes":["#CBD5E1"],"strokeWeight":"0px 0px 4px 0px"}`)
	if r := only(t, one, bottom, "borderStyle"); r.Status != Mismatch || r.Browser != "dashed" {
		t.Errorf("of one side: %+v", r)
	}
}

// Nobody has to ask for what an answer holds that is not compared.
func TestUnknownEffectsAreSaid(t *testing.T) {
	for _, kind := range []string{"NOISE", "TEXTURE", "GLASS"} {
		for _, layer := range []string{`"type":"FRAME"`, `"type":"TEXT","characters":"Save","style":{"fontSize":16}`} {
			effect := `"effects":[{"type":"` + kind + `","visible":`
			rows := Compare(restNode(t, `{"id":"1:1","blendMode":"NORMAL",`+layer+`,`+effect+`true}]}`), element(nil, nil), defaultTolerance, nil)
			said := ""
			for _, r := range rows {
				if r.Property == "filter" {
					said = string(r.Status)
				}
			}
			if said != string(Unknown) {
				t.Errorf("%s of %s: filter is %q", kind, layer, said)
			}
			for _, r := range Compare(restNode(t, `{"id":"1:1","blendMode":"NORMAL",`+layer+`,`+effect+`false}]}`), element(nil, nil), defaultTolerance, nil) {
				if r.Property == "filter" {
					t.Errorf("%s that is hidden: %+v", kind, r)
				}
			}
		}
	}
}

// The element of a text may be the box around it, whose effects are not the
// text's.
func TestEffectsAroundATextAreNotItsOwn(t *testing.T) {
	around := element(css{"filter": "blur(8px)", "backdrop-filter": "blur(8px)"}, nil)
	for effects, want := range map[string]string{
		``: "", `,"effects":{"filter":"blur(8px)"}`: "filter", `,"effects":{"backdropFilter":"blur(8px)"}`: "backdropFilter",
	} {
		got := ""
		for _, r := range Compare(framelinkNode(t, `{"id":"1:1","type":"TEXT","text":"Save","textStyle":"Body"`+effects+`}`), around, defaultTolerance, nil) {
			if strings.HasSuffix(strings.ToLower(r.Property), "filter") {
				got += r.Property
			}
		}
		if got != want {
			t.Errorf("%s compares %q, want %q", effects, got, want)
		}
	}
}

func TestHiddenElementsAreSaid(t *testing.T) {
	hidden := Pair{Node: "1:1", Selector: "#a", Hidden: true, Rows: []Row{{Property: "color", Status: Match, Figma: "x", Browser: "x"}}}
	for name, r := range map[string]*Report{
		"one pair":   {Pairs: []Pair{hidden}},
		"many pairs": {Pairs: []Pair{hidden, {Node: "1:2", Selector: "#b"}}},
		"auto-map":   {Pairs: []Pair{hidden}, AutoMap: "1:0"},
	} {
		data, err := r.JSON()
		if text := r.Text(); strings.Count(text, "is not shown") != 1 || err != nil || strings.Count(data, `"hidden":true`) != 1 {
			t.Errorf("%s: %s\n%s (%v)", name, text, data, err)
		}
	}
	e := element(nil, nil)
	e.Hidden, e.Width, e.Height = true, 0, 0
	frame := framelinkNode(t, `{"id":"1:1","type":"FRAME","layout":{"dimensions":{"width":200,"height":100}}}`)
	if r := only(t, frame, e, "width"); r.Status != Unknown || !strings.Contains(r.Note, "not shown") {
		t.Errorf("its width: %+v", r)
	}
}
