package figmatree

// Documents: what a node says, whatever shape it came in.

import (
	"fmt"
	"strings"
	"testing"
)

const treeAnswer = `{"metadata":{"name":"File","components":{"9:1":{"id":"9:1","name":"Size=S","componentSetId":"9:0"}},"componentSets":{"9:0":{"id":"9:0","name":"Button"}}},
	"nodes":[{"id":"1:1","name":"Card","template":"EL-1","fills":["#000"],"children":[{"id":"I1:1;2:2","type":"TEXT","text":"Buy","textStyle":"Body/M"}]}],
	"globalVars":{"styles":{"Body/M":{"fontSize":16},"layout_1":{"mode":"row","sizing":{}},"fills":"x"}},
	"elements":{"EL-1":{"type":"INSTANCE","layout":"layout_1","fills":["#FFF"],"componentId":"9:1","name":"unused"}}}`

func TestDocument(t *testing.T) {
	d, err := Parse(treeAnswer)
	if err != nil {
		t.Fatal(err)
	}
	card, text := d.Node("1-1"), d.Node("I1:1;2:2")
	if d.Shape != Framelink || d.Name != "File" || d.Len() != 2 || len(d.Roots) != 1 || card == nil || text == nil || text.Parent != card || card.Children[0] != text {
		t.Fatalf("the document is %+v", d)
	}
	if d.Node("7:7") != nil {
		t.Error("a node is found that is not there")
	}
	// A node's own members go before its template's.
	if card.Name != "Card" || card.Type != "INSTANCE" || card.ComponentID != "9:1" || card.Attr("fills").JSON() != `["#000"]` {
		t.Errorf("the card is %+v, its fills are %s", card, card.Attr("fills").JSON())
	}
	if got := card.Attr("layout").Get("mode").Str(); got != "row" {
		t.Errorf("the layout's mode is %q", got)
	}
	if card.StyleName("layout") != "layout_1" || text.StyleName("textStyle") != "Body/M" || text.StyleName("text") != "" || card.StyleName("fills") != "" {
		t.Error("a shared style has another name")
	}
	if size, ok := text.Attr("textStyle").Get("fontSize").Float(); !ok || size != 16 || text.Text != "Buy" || text.Attr("opacity") != nil {
		t.Errorf("the text is %+v", text)
	}
	if c := d.Components["9:1"]; c.Name != "Size=S" || d.Sets[c.SetID].Name != "Button" {
		t.Errorf("the component is %+v", c)
	}
}

func TestShapes(t *testing.T) {
	node := `{"id":"1:1","name":"A","type":"TEXT","characters":"x"}`
	for name, tt := range map[string]struct {
		text  string
		shape Shape
		roots int
	}{
		"a file":            {`{"name":"F","document":` + node + `}`, REST, 1},
		"several nodes":     {`{"nodes":{"1:1":{"document":` + node + `},"2:2":null,"3:3":{"document":` + node + `}}}`, REST, 2},
		"one node":          {node, REST, 1},
		"a list":            {`[` + node + `,` + node + `]`, REST, 2},
		"old Framelink":     {`{"name":"F","lastModified":"x","nodes":[{"id":"1:1","type":"TEXT","text":"x","fills":"f"}],"globalVars":{"styles":{"f":["#000"]}}}`, Framelink, 1},
		"a byte order mark": {"\ufeff " + node, REST, 1},
		"YAML":              {"nodes:\n  - id: 1:1\n    type: TEXT\n    text: x\n", Framelink, 1},
	} {
		d, err := Parse(tt.text)
		if err != nil || d.Shape != tt.shape || len(d.Roots) != tt.roots || d.Roots[0].Text != "x" {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

// What YAML would make of a plain scalar, Framelink did not mean.
func TestYAMLScalars(t *testing.T) {
	v, err := ParseYAML(`a: 1:2
b: 1_000
c: 0777
d: 2026-01-02
e: yes
f: '12'
g: 12
h: -0.5e3
i: null
j: ~
k: "a\u2028b"
l: true
m: |
 two
 lines
n: 0x1F
o: .5
p: .inf
q: 12345678901234567890
r: [ ]
s: { }
`)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"a":"1:2","b":"1_000","c":"0777","d":"2026-01-02","e":"yes","f":"12","g":12,"h":-0.5e3,"i":null,"j":null,"k":"a` + "\u2028" +
		`b","l":true,"m":"two\nlines\n","n":"0x1F","o":".5","p":".inf","q":12345678901234567890,"r":[],"s":{}}`
	if got := v.JSON(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A short document that repeats itself without end is refused.
func TestYAMLBomb(t *testing.T) {
	text := "a0: &a0 [x,x,x,x,x,x,x,x]\n"
	for i := range 12 {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 8), ","))
	}
	if _, err := ParseYAML(text); err == nil {
		t.Error("it was read")
	}
}

func TestColors(t *testing.T) {
	for in, want := range map[string]string{
		`{"r":1,"g":0,"b":0.2,"a":1}`: "#ff0033",
		`{"r":0.09803921729326248,"g":0.46274510025978088,"b":0.8235294222831726,"a":1}`: "#1976d2",
		`{"r":0,"g":0,"b":0,"a":0}`:    "#00000000",
		`{"r":0,"g":0,"b":0}`:          "#000000",
		`{"r":0,"g":0,"b":0,"a":0.25}`: "", // no byte says that
		`{"r":1.2,"g":0,"b":0,"a":1}`:  "",
		`{"r":"1","g":0,"b":0,"a":1}`:  "",
		`{"x":1,"y":0,"z":0,"a":1}`:    "",
	} {
		v, err := ParseJSON(in)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := hexOf(v); got != want || ok != (want != "") {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
}
