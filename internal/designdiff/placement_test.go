package designdiff

// Backgrounds that do not just fill their element, and blend modes.

import (
	"maps"
	"strings"
	"testing"
)

func TestPlacedBackgrounds(t *testing.T) {
	gradient := framelinkNode(t, `{"id":"1:1","type":"FRAME","fills":[{"type":"GRADIENT_LINEAR","gradient":"linear-gradient(90deg, #f00 0%, #00f 100%)"}]}`)
	letters := framelinkNode(t, `{"id":"1:1","type":"TEXT","text":"Save","textStyle":"Body","fills":[{"type":"GRADIENT_LINEAR","gradient":"linear-gradient(90deg, #f00 0%, #00f 100%)"}]}`)
	for _, c := range []struct {
		css  css
		want Status
	}{
		{nil, Match},
		{css{"background-size": "auto", "background-position": "0% 0%", "background-repeat": "repeat", "background-blend-mode": "normal"}, Match},
		{css{"background-size": "cover", "background-position": "50% 50%", "background-repeat": "no-repeat"}, Match},
		{css{"background-size": "100% 100%"}, Match},
		{css{"background-size": "50% 100%"}, Unknown},
		{css{"background-size": "20px 20px"}, Unknown},
		{css{"background-size": "20px"}, Unknown},
		{css{"background-size": "100% auto, 3px"}, Unknown},
		{css{"background-position": "10px 0%"}, Unknown},
		{css{"background-position": "right 10px top 0%"}, Unknown},
		{css{"background-blend-mode": "multiply"}, Unknown},
		{css{"mix-blend-mode": "screen"}, Unknown},
		{css{"mix-blend-mode": "normal"}, Match},
	} {
		style := css{"background-image": "linear-gradient(to right, rgb(255, 0, 0), rgb(0, 0, 255))"}
		maps.Copy(style, c.css)
		if r := only(t, gradient, element(style, nil), "backgroundImage"); r.Status != c.want || r.Status == Unknown && r.Note == "" {
			t.Errorf("%v: %+v, want %s", c.css, r, c.want)
		}
		maps.Copy(style, css{"-webkit-text-fill-color": "rgba(0, 0, 0, 0)", "background-clip": "text"})
		if r := only(t, letters, element(nil, style), "color"); r.Status != c.want {
			t.Errorf("in letters %v: %+v, want %s", c.css, r, c.want)
		}
	}
	bordered := css{"background-image": "linear-gradient(to right, rgb(255, 0, 0), rgb(0, 0, 255))", "background-repeat": "no-repeat", "border-top-width": "4px"}
	if r := only(t, gradient, element(bordered, nil), "backgroundImage"); r.Status != Unknown {
		t.Errorf("within a border: %+v", r)
	}
	// One colour as a picture of a part of the box is no background colour.
	half := css{"background-image": "linear-gradient(rgb(255, 0, 0), rgb(255, 0, 0))", "background-size": "50% 50%", "background-repeat": "no-repeat"}
	if r := only(t, framelinkNode(t, `{"id":"1:1","type":"FRAME","fills":["#FF0000"]}`), element(half, nil), "backgroundColor"); r.Status != Unknown {
		t.Errorf("half a box: %+v", r)
	}
	// Each background has its own.
	two := css{"background-image": "linear-gradient(to right, rgb(255, 0, 0), rgb(0, 0, 255)), linear-gradient(rgb(0, 0, 0), rgb(0, 0, 0))", "background-size": "auto, 5px"}
	if got := cssBackground(two, "transparent", 10, 10); got[0].kind != gradientPaint || got[1].kind != otherPaint {
		t.Errorf("two backgrounds are %+v", got)
	}
}

func TestBlendModes(t *testing.T) {
	node := func(mode, label string) string {
		return `{"id":"1:1","type":"FRAME","blendMode":"` + mode + `","fills":[{"type":"SOLID","blendMode":"NORMAL","color":{"r":1,"g":1,"b":1,"a":1}}],"children":[
			{"id":"1:2","type":"TEXT","characters":"Save","blendMode":"` + label + `","style":{"fontSize":16},"fills":[{"type":"SOLID","blendMode":"NORMAL","color":{"r":0,"g":0,"b":0,"a":1}}]}]}`
	}
	white, black := css{"background-color": "rgb(255, 255, 255)"}, css{"-webkit-text-fill-color": "rgb(0, 0, 0)"}
	for _, c := range []struct {
		layer, label, element, text string
		background, color, size     Status
	}{
		{"NORMAL", "NORMAL", "normal", "normal", Match, Match, Match},
		{"PASS_THROUGH", "PASS_THROUGH", "", "", Match, Match, Match},
		{"MULTIPLY", "NORMAL", "normal", "normal", Unknown, Unknown, Match},
		{"MULTIPLY", "NORMAL", "multiply", "normal", Unknown, Unknown, Match},
		{"NORMAL", "LINEAR_BURN", "normal", "normal", Match, Unknown, Match},
		{"NORMAL", "NORMAL", "overlay", "normal", Unknown, Unknown, Match},
		{"NORMAL", "NORMAL", "normal", "difference", Match, Unknown, Match},
	} {
		e := element(white, black)
		e.Style["mix-blend-mode"], e.Label.Style["mix-blend-mode"] = c.element, c.text
		for name, want := range map[string]Status{"backgroundColor": c.background, "color": c.color, "fontSize": c.size} {
			r := only(t, restNode(t, node(c.layer, c.label)), e, name)
			if r.Status != want || want == Unknown && !strings.Contains(r.Note, "blend mode") {
				t.Errorf("%+v: %+v, want %s", c, r, want)
			}
		}
	}
}
