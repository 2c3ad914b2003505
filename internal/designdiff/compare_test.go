package designdiff

// The rules of the comparison, one by one.

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/figmatree"
)

// framelinkNode is a layer as Framelink sends it.
func framelinkNode(t testing.TB, node string) *figmatree.Node {
	t.Helper()
	return parse(t, `{"metadata":{"name":"n","components":{},"componentSets":{}},"nodes":[`+node+`],"globalVars":{"styles":{
		"Body":{"fontFamily":"Inter","fontWeight":400,"fontSize":16,"lineHeight":"1.5em"},"ink":["#0F172A"],"bold":{"fontFamily":"Inter","fontWeight":700,"fontSize":16}}},
		"elements":{"EL-1":{"type":"FRAME","fills":["#1976D2"],"borderRadius":"8px","layout":{"mode":"row","padding":"12px 24px"}}}}`)
}

func parse(t testing.TB, text string) *figmatree.Node {
	t.Helper()
	d, err := figmatree.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d.Roots[0]
}

// restNode is a layer as the REST API sends it.
func restNode(t testing.TB, node string) *figmatree.Node {
	t.Helper()
	return parse(t, `{"nodes":{"1:1":{"document":`+node+`}}}`)
}

// element is a plain box of 200 by 100 with a plain text; css and text override
// its styles.
func element(css, text map[string]string) *Element {
	e := &Element{Tag: "div", Width: 200, Height: 100, Style: map[string]string{
		"background-color": "rgba(0, 0, 0, 0)", "background-image": "none", "background-clip": "border-box", "box-shadow": "none", "opacity": "1",
		"filter": "none", "backdrop-filter": "none", "display": "flex", "row-gap": "normal", "column-gap": "normal", "flex-direction": "row",
		"outline-style": "none", "outline-width": "3px", "outline-color": "rgb(0, 0, 0)",
	}, Label: Label{Texts: 1, Opacity: 1, NormalHeight: 19, Text: "Save", Width: 50, Height: 24, Style: map[string]string{
		"font-family": `Inter, sans-serif`, "font-size": "16px", "font-weight": "400", "font-style": "normal", "line-height": "24px", "letter-spacing": "normal",
		"color": "rgb(15, 23, 42)", "-webkit-text-fill-color": "rgb(15, 23, 42)", "text-align": "start", "direction": "ltr", "text-transform": "none",
		"text-shadow": "none", "font-variant-caps": "normal", "background-clip": "border-box", "background-image": "none",
	}}}
	for _, side := range sideNames {
		e.Style["padding-"+side], e.Style["margin-"+side] = "0px", "0px"
		e.Style["border-"+side+"-width"], e.Style["border-"+side+"-color"] = "0px", "rgb(15, 23, 42)"
		e.Style["border-"+side+"-style"] = "none"
	}
	for _, corner := range []string{"top-left", "top-right", "bottom-right", "bottom-left"} {
		e.Style["border-"+corner+"-radius"] = "0px"
	}
	for name, value := range css {
		if base, all := strings.CutSuffix(name, "*"); all { // border-*-width and so on
			for key := range maps.Keys(e.Style) {
				if strings.HasPrefix(key, base) {
					e.Style[key] = value
				}
			}
			continue
		}
		e.Style[name] = value
	}
	maps.Copy(e.Label.Style, text)
	return e
}

var defaultTolerance = Tolerance{PX: 2, Color: 5}

// only compares one property.
func only(t *testing.T, n *figmatree.Node, e *Element, property string) Row {
	t.Helper()
	rows := Compare(n, e, defaultTolerance, []string{property})
	if len(rows) != 1 {
		t.Fatalf("%s gave %d rows", property, len(rows))
	}
	return rows[0]
}

type css = map[string]string

func TestBoxRules(t *testing.T) {
	box := func(members string) string { return `{"id":"1:1","type":"FRAME",` + members + `}` }
	auto := `"layout":{"mode":"row","padding":"12px 24px","gap":"8px","dimensions":{"width":200,"height":100}}`
	for _, c := range []struct {
		name, node string
		css        css
		property   string
		want       Status
		says       string // in one of the row's texts
	}{
		{"same colour", box(`"fills":["#1976D2"]`), css{"background-color": "rgb(25, 118, 210)"}, "backgroundColor", Match, ""},
		{"within the tolerance", box(`"fills":["#1976D2"]`), css{"background-color": "rgb(30, 113, 210)"}, "backgroundColor", Match, ""},
		{"beyond it", box(`"fills":["#1976D2"]`), css{"background-color": "rgb(31, 118, 210)"}, "backgroundColor", Mismatch, "Δr:-6"},
		{"nothing on both sides", box(`"name":"x"`), nil, "backgroundColor", Match, "transparent"},
		{"a stray background", box(`"name":"x"`), css{"background-color": "rgb(1, 2, 3)"}, "backgroundColor", Mismatch, ""},
		{"opacity in the layer, alpha in CSS", box(`"fills":["#1976D2"],"opacity":0.5`), css{"background-color": "rgba(25, 118, 210, 0.5)"}, "backgroundColor", Match, ""},
		{"opacity in CSS, alpha in the fill", box(`"fills":["rgba(25, 118, 210, 0.5)"]`), css{"background-color": "rgb(25, 118, 210)", "opacity": "0.5"}, "backgroundColor", Match, ""},
		{"fills on top of each other", box(`"fills":["rgba(0, 0, 0, 0.5)","#FFFFFF"]`), css{"background-color": "rgb(128, 128, 128)"}, "backgroundColor", Match, ""},
		{"the same as two backgrounds", box(`"fills":["rgba(0, 0, 0, 0.5)","#FFFFFF"]`),
			css{"background-color": "rgb(255, 255, 255)", "background-image": "linear-gradient(rgba(0, 0, 0, 0.5), rgba(0, 0, 0, 0.5))"}, "backgroundColor", Match, ""},
		{"clipped to the text it is no background", box(`"name":"x"`), css{"background-color": "rgb(1, 2, 3)", "background-clip": "text"}, "backgroundColor", Match, ""},
		{"a picture", box(`"fills":[{"type":"IMAGE"}]`), css{"background-image": `url("a.png")`}, "backgroundImage", Unknown, "images"},
		{"a wrapper around one layer", box(`"children":[{"id":"1:2","type":"FRAME","fills":["#FFFFFF"]}]`), css{"background-color": "rgb(255, 255, 255)"}, "backgroundColor", Unknown, "a layer inside"},
		{"a wrapper with a padding", box(`"layout":{"mode":"row","padding":"8px"},"children":[{"id":"1:2","type":"FRAME","fills":["#FFFFFF"]}]`), css{"background-color": "rgb(255, 255, 255)"}, "backgroundColor", Mismatch, ""},
		{"a gradient", box(`"fills":[{"type":"GRADIENT_LINEAR","gradient":"linear-gradient(90deg, #f00 0%, #00f 100%)"}]`),
			css{"background-image": "linear-gradient(to right, rgb(255, 0, 0), rgb(0, 0, 255))"}, "backgroundImage", Match, ""},
		{"a stray gradient", box(`"fills":["#FFFFFF"]`), css{"background-image": "linear-gradient(rgb(255, 0, 0), rgb(0, 0, 255))"}, "backgroundImage", Mismatch, "none"},
		{"a gradient hides the colour", box(`"fills":[{"type":"GRADIENT_LINEAR","gradient":"linear-gradient(90deg, #f00 0%, #00f 100%)"}]`),
			css{"background-color": "rgb(1, 2, 3)", "background-image": "linear-gradient(to right, rgb(255, 0, 0), rgb(0, 0, 255))"}, "backgroundColor", Match, ""},
		{"a diamond", box(`"fills":[{"type":"GRADIENT_DIAMOND","gradient":"radial-gradient(ellipse at 50% 50%, #f00 0%, #00f 100%)"}]`), nil, "backgroundImage", Unknown, "this kind"},
		{"a style that is not there", box(`"fills":"gone"`), css{"background-color": "rgb(1, 2, 3)"}, "backgroundColor", Unknown, "not understood"},
		{"a template's fill", `{"id":"1:1","template":"EL-1"}`, css{"background-color": "rgb(25, 118, 210)"}, "backgroundColor", Match, ""},

		{"padding", box(auto), css{"padding-top": "12px", "padding-bottom": "12px", "padding-left": "16px", "padding-right": "16px"}, "padding", Mismatch, "Δright:+8px, Δleft:+8px"},
		{"padding within the tolerance", box(auto), css{"padding-top": "14px", "padding-bottom": "10px", "padding-left": "24px", "padding-right": "24px"}, "padding", Match, ""},
		{"unset padding is none", box(`"layout":{"mode":"row"}`), css{"padding-left": "16px"}, "padding", Mismatch, "0px"},
		{"padding without auto layout", box(`"layout":{"mode":"none"}`), css{"padding-left": "16px"}, "padding", Unknown, "no auto layout"},
		{"margin", box(auto), css{"margin-top": "8px"}, "margin", Unknown, "Figma has no margins"},
		{"gap", box(auto), css{"column-gap": "8px"}, "gap", Match, ""},
		{"gap of a column", box(auto), css{"row-gap": "20px", "flex-direction": "column"}, "gap", Mismatch, "-12.0px"},
		{"gap in a block", box(auto), css{"display": "block"}, "gap", Unknown, "neither flex nor grid"},

		{"radius", box(`"borderRadius":"8px"`), css{"border-top-left-radius": "8px", "border-top-right-radius": "8px"}, "borderRadius", Mismatch, "ΔbottomRight:+8px"},
		{"each corner", box(`"borderRadius":"8px 8px 0px 0px"`), css{"border-top-left-radius": "8px", "border-top-right-radius": "8px"}, "borderRadius", Match, ""},
		{"a pill is a pill", box(`"borderRadius":"999px",` + auto), css{"border-top-left-radius": "9999px", "border-top-right-radius": "9999px", "border-bottom-left-radius": "9999px", "border-bottom-right-radius": "9999px"}, "borderRadius", Match, ""},
		{"a stray radius", box(`"name":"x"`), css{"border-top-left-radius": "8px"}, "borderRadius", Mismatch, "ΔtopLeft:-8px"},
		{"elliptic corners", box(`"borderRadius":"8px"`), css{"border-top-left-radius": "8px 20px"}, "borderRadius", Unknown, "elliptic"},
		{"an ellipse", `{"id":"1:1","type":"ELLIPSE"}`, css{"border-top-left-radius": "50%", "border-top-right-radius": "50%", "border-bottom-left-radius": "50%", "border-bottom-right-radius": "50%"}, "borderRadius", Match, "50%"},
		{"a box instead of an ellipse", `{"id":"1:1","type":"ELLIPSE"}`, nil, "borderRadius", Mismatch, ""},

		{"border", box(`"strokes":["#CBD5E1"],"strokeWeight":"1px"`), css{"border-top-width": "1px", "border-right-width": "1px", "border-bottom-width": "1px", "border-left-width": "1px"}, "borderWidth", Match, "1px"},
		{"no border", box(`"strokes":["#CBD5E1"],"strokeWeight":"1px"`), nil, "borderWidth", Mismatch, "+1px"},
		{"a stray border, thinner than the tolerance", box(`"name":"x"`), css{"border-top-width": "1px"}, "borderWidth", Mismatch, "Δtop:-1px"},
		{"one side", box(`"strokes":["#CBD5E1"],"strokeWeight":"0px 0px 4px 0px"`), css{"border-bottom-width": "4px"}, "borderWidth", Match, ""},
		{"a ring as a border", box(`"strokes":["#CBD5E1"],"strokeWeight":"1px"`), css{"box-shadow": "rgb(203, 213, 225) 0px 0px 0px 1px inset"}, "borderWidth", Match, ""},
		{"its colour", box(`"strokes":["#CBD5E1"],"strokeWeight":"1px"`), css{"box-shadow": "rgb(203, 213, 225) 0px 0px 0px 1px inset"}, "borderColor", Match, ""},
		{"it is no shadow", box(`"strokes":["#CBD5E1"],"strokeWeight":"1px"`), css{"box-shadow": "rgb(203, 213, 225) 0px 0px 0px 1px inset"}, "boxShadow", Match, "none"},
		{"an outline as a border", box(`"strokes":["#CBD5E1"],"strokeWeight":"3px"`), css{"outline-style": "solid"}, "borderWidth", Match, ""},
		{"border colour", box(`"strokes":["#CBD5E1"],"strokeWeight":"1px"`), css{"border-top-width": "1px"}, "borderColor", Mismatch, "rgb(15, 23, 42)"},
		{"a stroke of a gradient", box(`"strokes":[{"type":"GRADIENT_LINEAR","gradient":"linear-gradient(90deg, #f00 0%, #00f 100%)"}],"strokeWeight":"1px"`), css{"border-top-width": "1px"}, "borderColor", Unknown, "more than one colour"},
		{"dashes", box(`"strokes":["#CBD5E1"],"strokeWeight":"1px","strokeDashes":[4,4]`), css{"border-top-width": "1px", "border-top-style": "solid"}, "borderStyle", Mismatch, "dashed"},

		{"shadow", box(`"effects":{"boxShadow":"0px 4px 8px 0px rgba(0, 0, 0, 0.25)"}`), css{"box-shadow": "rgba(0, 0, 0, 0.25) 0px 4px 8px 0px"}, "boxShadow", Match, ""},
		{"shadows in another order", box(`"effects":{"boxShadow":"0px 1px 2px 0px #000, inset 0px 9px 9px 0px #fff"}`), css{"box-shadow": "rgb(255, 255, 255) 0px 9px 9px 0px inset, rgb(0, 0, 0) 0px 1px 2px 0px"}, "boxShadow", Match, ""},
		{"one shadow is missing", box(`"effects":{"boxShadow":"0px 1px 2px 0px #000, inset 0px 9px 9px 0px #fff"}`), css{"box-shadow": "rgb(0, 0, 0) 0px 1px 2px 0px"}, "boxShadow", Mismatch, ""},
		{"a stray shadow", box(`"name":"x"`), css{"box-shadow": "rgb(0, 0, 0) 0px 1px 2px 0px"}, "boxShadow", Mismatch, ""},
		{"a shadow by filter", box(`"effects":{"boxShadow":"0px 4px 8px 0px rgba(0, 0, 0, 0.25)"}`), css{"filter": "drop-shadow(rgba(0, 0, 0, 0.25) 0px 4px 8px)"}, "boxShadow", Match, ""},
		{"blur", box(`"effects":{"filter":"blur(4px)"}`), css{"filter": "blur(10px)"}, "filter", Mismatch, "-6.0px"},
		{"another filter", box(`"name":"x"`), css{"filter": "saturate(2)"}, "filter", Unknown, "other filters"},
		{"opacity", box(`"opacity":0.5,"children":[{"id":"1:2","type":"VECTOR"}]`), nil, "opacity", Mismatch, "-0.5"},
		{"width", box(auto), nil, "width", Match, "viewport"},
		{"width that is not said", box(`"name":"x"`), nil, "width", Unknown, "fills or hugs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := only(t, framelinkNode(t, c.node), element(c.css, nil), c.property)
			if r.Status != c.want || !strings.Contains(strings.Join([]string{r.Figma, r.Browser, r.Delta, r.Note}, " "), c.says) {
				t.Errorf("the row is %+v", r)
			}
		})
	}
}

// An ellipse is one whose corners meet in the middle of every side.
func TestEllipses(t *testing.T) {
	for _, c := range []struct {
		w, h   float64
		radius string
		want   Status
	}{
		{200, 100, "50%", Match}, {100, 100, "50px", Match}, {100, 100, "999px", Match}, {200, 100, "100px 50px", Match}, {200, 100, "99px 49px", Match},
		{200, 100, "50px", Mismatch}, {200, 100, "999px", Mismatch}, {200, 20, "10px", Mismatch}, {200, 100, "50px 25px", Mismatch}, {200, 100, "0px", Mismatch},
		{100, 100, "47px", Mismatch}, {100, 20, "50% 8px", Match}, {100, 20, "50% 4px", Mismatch},
		{8, 8, "50%", Match}, {8, 8, "999px", Match}, {8, 8, "2px", Unknown}, {4, 4, "0px", Unknown}, {8, 8, "0px", Mismatch}, {0, 0, "50px", Unknown},
	} {
		e := element(nil, nil)
		e.Width, e.Height = c.w, c.h
		for _, corner := range []string{"top-left", "top-right", "bottom-right", "bottom-left"} {
			e.Style["border-"+corner+"-radius"] = c.radius
		}
		if r := only(t, framelinkNode(t, `{"id":"1:1","type":"ELLIPSE"}`), e, "borderRadius"); r.Status != c.want {
			t.Errorf("%v by %v with %s: %+v, want %s", c.w, c.h, c.radius, r, c.want)
		}
	}
}

func TestTextRules(t *testing.T) {
	text := func(style string) string {
		return `{"id":"1:1","type":"TEXT","text":"Save","fills":"ink","textStyle":{"fontFamily":"Inter","fontWeight":400,"fontSize":16` + style + `}}`
	}
	for _, c := range []struct {
		name, node string
		css        css
		property   string
		want       Status
		says       string
	}{
		{"a shared style", `{"id":"1:1","type":"TEXT","text":"Save","textStyle":"Body"}`, nil, "lineHeight", Match, "24px"},
		{"font", text(""), css{"font-family": "Georgia, Inter"}, "fontFamily", Mismatch, "Georgia"},
		{"a served font", text(""), css{"font-family": "__Inter_a1b2c3, sans-serif"}, "fontFamily", Match, ""},
		{"a variable font", text(""), css{"font-family": `"Inter Variable"`}, "fontFamily", Match, ""},
		{"the system's font", text(""), css{"font-family": "system-ui, Inter"}, "fontFamily", Unknown, "the system"},
		{"size", text(""), css{"font-size": "14px"}, "fontSize", Mismatch, "+2.0px"},
		{"nearly the size", text(""), css{"font-size": "15px"}, "fontSize", Match, ""},
		{"weight", text(""), css{"font-weight": "500"}, "fontWeight", Mismatch, "-100"},
		{"italic", text(`,"italic":true`), nil, "fontStyle", Mismatch, "italic"},
		{"line height in em", text(`,"lineHeight":"1.5em"`), nil, "lineHeight", Match, ""},
		{"line height in %", text(`,"lineHeight":"200%"`), nil, "lineHeight", Mismatch, "+8.0px"},
		{"line height as the font has it", text(""), css{"line-height": "normal"}, "lineHeight", Match, "auto"},
		{"auto and a number that is near", text(""), css{"line-height": "20px"}, "lineHeight", Match, "auto"},
		{"auto and one that is far", text(""), css{"line-height": "40px"}, "lineHeight", Mismatch, "-21.0px"},
		{"auto and one that may be", text(""), css{"line-height": "23px"}, "lineHeight", Unknown, "depends on the font"},
		{"normal and a number that is far", text(`,"lineHeight":"32px"`), css{"line-height": "normal"}, "lineHeight", Mismatch, ""},
		{"normal and one that may be", text(`,"lineHeight":"23px"`), css{"line-height": "normal"}, "lineHeight", Unknown, ""},
		{"letter spacing in em", text(`,"letterSpacing":"-0.02em"`), css{"letter-spacing": "-0.32px"}, "letterSpacing", Match, ""},
		{"letter spacing in %", text(`,"letterSpacing":"5%"`), css{"letter-spacing": "5%"}, "letterSpacing", Match, "0.8px"},
		{"no letter spacing", text(`,"letterSpacing":"0.05em"`), nil, "letterSpacing", Mismatch, "+0.8px"},
		{"upper case", text(`,"textCase":"UPPER"`), css{"text-transform": "uppercase"}, "textTransform", Match, ""},
		{"not upper case", text(`,"textCase":"UPPER"`), nil, "textTransform", Mismatch, "uppercase"},
		{"stray upper case", text(""), css{"text-transform": "uppercase"}, "textTransform", Mismatch, "none"},
		{"capitals of the right words", text(""), css{"text-transform": "capitalize"}, "textTransform", Match, ""},
		{"underline", text(`,"textDecoration":"UNDERLINE"`), nil, "textDecoration", Mismatch, "underline"},
		{"alignment of a hugging text", `{"id":"1:1","type":"TEXT","text":"Save","layout":{"sizing":{"horizontal":"hug"}},"textStyle":{"fontSize":16,"textAlignHorizontal":"CENTER"}}`, nil, "textAlign", Unknown, "as wide"},
		{"alignment", text(`,"textAlignHorizontal":"LEFT"`), css{"text-align": "right"}, "textAlign", Mismatch, "left"},
		{"colour", text(""), css{"-webkit-text-fill-color": "rgb(100, 116, 139)"}, "color", Mismatch, "Δr:-85"},
		{"runs of other styles", `{"id":"1:1","type":"TEXT","text":"{ts1}Sa{/ts1}ve","textStyle":"Body"}`, nil, "fontWeight", Unknown, "several styles"},
		{"a shadow of the letters", `{"id":"1:1","type":"TEXT","text":"Save","textStyle":"Body","effects":{"textShadow":"0px 4px 4px 0px #000"}}`, nil, "textShadow", Mismatch, "none"},
		{"a gradient in the letters", `{"id":"1:1","type":"TEXT","text":"Save","textStyle":"Body","fills":[{"type":"GRADIENT_LINEAR","gradient":"linear-gradient(90deg, #f00 0%, #00f 100%)"}]}`,
			css{"-webkit-text-fill-color": "rgba(0, 0, 0, 0)", "background-clip": "text", "background-image": "linear-gradient(to right, rgb(255, 0, 0), rgb(0, 0, 255))"}, "color", Match, "linear-gradient"},
		{"no gradient in the letters", `{"id":"1:1","type":"TEXT","text":"Save","textStyle":"Body","fills":[{"type":"GRADIENT_LINEAR","gradient":"linear-gradient(90deg, #f00 0%, #00f 100%)"}]}`, nil, "color", Mismatch, "linear-gradient"},

		{"the label's size", `{"id":"1:1","type":"INSTANCE","fills":["#FF0000"],"children":[{"id":"1:2","type":"FRAME","children":[{"id":"1:3","type":"TEXT","text":"Save","fills":"ink","textStyle":"Body"}]}]}`, nil, "fontSize", Match, "16px"},
		{"the label's colour, not the background", `{"id":"1:1","type":"INSTANCE","fills":["#FF0000"],"children":[{"id":"1:3","type":"TEXT","text":"Save","fills":"ink","textStyle":"Body"}]}`, nil, "color", Match, "rgb(15, 23, 42)"},
		{"the layer's opacity on the label", `{"id":"1:1","type":"INSTANCE","opacity":0.5,"children":[{"id":"1:3","type":"TEXT","text":"Save","fills":"ink","opacity":0.5,"textStyle":"Body"}]}`, css{"-webkit-text-fill-color": "rgba(15, 23, 42, 0.25)"}, "color", Match, "0.25"},
		{"labels that are alike", `{"id":"1:1","type":"FRAME","children":[{"id":"1:2","type":"TEXT","text":"a","textStyle":"Body"},{"id":"1:3","type":"TEXT","text":"b","textStyle":"Body"}]}`, nil, "fontSize", Match, ""},
		{"labels that are not", `{"id":"1:1","type":"FRAME","children":[{"id":"1:2","type":"TEXT","text":"a","textStyle":"Body"},{"id":"1:3","type":"TEXT","text":"b","textStyle":"bold"}]}`, nil, "fontSize", Unknown, "2 text styles"},
		{"no label", `{"id":"1:1","type":"FRAME"}`, nil, "fontSize", Unknown, "no text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := only(t, framelinkNode(t, c.node), element(nil, c.css), c.property)
			if r.Status != c.want || !strings.Contains(strings.Join([]string{r.Figma, r.Browser, r.Delta, r.Note}, " "), c.says) {
				t.Errorf("the row is %+v", r)
			}
		})
	}
}

func TestRESTRules(t *testing.T) {
	box := func(members string) string {
		return `{"id":"1:1","type":"FRAME","blendMode":"PASS_THROUGH","absoluteBoundingBox":{"x":0,"y":0,"width":200,"height":100},` + members + `}`
	}
	handles := func(x0, y0, x1, y1, x2, y2 string) string {
		return `"fills":[{"type":"GRADIENT_LINEAR","blendMode":"NORMAL","gradientHandlePositions":[{"x":` + x0 + `,"y":` + y0 + `},{"x":` + x1 + `,"y":` + y1 + `},{"x":` + x2 + `,"y":` + y2 + `}],` +
			`"gradientStops":[{"position":0,"color":{"r":1,"g":0,"b":0,"a":1}},{"position":1,"color":{"r":0,"g":0,"b":1,"a":1}}]}]`
	}
	white, ink := `{"type":"SOLID","blendMode":"NORMAL","color":{"r":1,"g":1,"b":1,"a":1}}`, `{"type":"SOLID","blendMode":"NORMAL","opacity":0.5,"color":{"r":0,"g":0,"b":0,"a":1}}`
	for _, c := range []struct {
		name, node string
		css        css
		property   string
		want       Status
		says       string
	}{
		{"fills from the bottom up", box(`"fills":[` + white + `,` + ink + `]`), css{"background-color": "rgb(128, 128, 128)"}, "backgroundColor", Match, ""},
		{"hidden fills", box(`"fills":[` + white + `,{"type":"SOLID","visible":false,"color":{"r":0,"g":0,"b":0,"a":1}}]`), css{"background-color": "rgb(255, 255, 255)"}, "backgroundColor", Match, ""},
		{"a blend mode", box(`"fills":[{"type":"SOLID","blendMode":"MULTIPLY","color":{"r":1,"g":1,"b":1,"a":1}}]`), nil, "backgroundImage", Unknown, "this kind"},
		{"a gradient to the right", box(handles("0", "0.5", "1", "0.5", "0", "1")), css{"background-image": "linear-gradient(90deg, rgb(255, 0, 0) 0%, rgb(0, 0, 255) 100%)"}, "backgroundImage", Match, "90deg"},
		{"a gradient within the box", box(handles("0.5", "0.25", "0.5", "0.75", "0", "0.25")), css{"background-image": "linear-gradient(rgb(255, 0, 0) 25%, rgb(0, 0, 255) 75%)"}, "backgroundImage", Match, "180deg"},
		{"a slanted gradient with lines of its own", box(handles("0", "0", "1", "1", "0", "1")), css{"background-image": "linear-gradient(to bottom right, rgb(255, 0, 0), rgb(0, 0, 255))"}, "backgroundImage", Unknown, "this kind"},
		{"padding", box(`"layoutMode":"HORIZONTAL","paddingLeft":16`), css{"padding-left": "16px"}, "padding", Match, ""},
		{"corners", box(`"rectangleCornerRadii":[8,8,0,0]`), css{"border-top-left-radius": "8px", "border-top-right-radius": "8px"}, "borderRadius", Match, ""},
		{"strokes of single sides", box(`"strokes":[` + white + `],"strokeWeight":1,"individualStrokeWeights":{"top":0,"right":0,"bottom":4,"left":0}`), css{"border-bottom-width": "4px"}, "borderWidth", Match, ""},
		{"a hidden stroke", box(`"strokes":[{"type":"SOLID","visible":false,"color":{"r":1,"g":1,"b":1,"a":1}}],"strokeWeight":1`), nil, "borderWidth", Match, ""},
		{"a shadow", box(`"effects":[{"type":"INNER_SHADOW","visible":true,"color":{"r":0,"g":0,"b":0,"a":0.25},"offset":{"x":0,"y":4},"radius":8},{"type":"DROP_SHADOW","visible":false}]`), css{"box-shadow": "rgba(0, 0, 0, 0.25) 0px 4px 8px 0px inset"}, "boxShadow", Match, ""},
		{"a blur behind", box(`"effects":[{"type":"BACKGROUND_BLUR","visible":true,"radius":16}]`), css{"backdrop-filter": "blur(8px)"}, "backdropFilter", Match, ""},
		{"an effect of another kind", box(`"effects":[{"type":"GLASS","visible":true}]`), nil, "filter", Unknown, "not understood"},
		{"a group's backdrop", `{"id":"1:1","type":"GROUP","blendMode":"PASS_THROUGH","absoluteBoundingBox":{"x":0,"y":0,"width":200,"height":100},"children":[
			{"id":"1:2","type":"RECTANGLE","blendMode":"NORMAL","opacity":0.5,"absoluteBoundingBox":{"x":0,"y":0,"width":200,"height":100},"fills":[` + white + `]},{"id":"1:3","type":"VECTOR"}]}`,
			css{"background-color": "rgba(255, 255, 255, 0.5)"}, "backgroundColor", Match, ""},
		{"a rectangle that is only a part", `{"id":"1:1","type":"GROUP","blendMode":"PASS_THROUGH","absoluteBoundingBox":{"x":0,"y":0,"width":200,"height":100},"children":[
			{"id":"1:2","type":"RECTANGLE","blendMode":"NORMAL","absoluteBoundingBox":{"x":0,"y":0,"width":20,"height":100},"fills":[` + white + `]},{"id":"1:3","type":"VECTOR"}]}`, nil, "backgroundColor", Match, "transparent"},
		{"the font's own line height", `{"id":"1:1","type":"TEXT","characters":"Save","style":{"fontFamily":"Inter","fontSize":16,"fontWeight":400,"lineHeightPx":19.36,"lineHeightUnit":"INTRINSIC_%"}}`, nil, "lineHeight", Mismatch, "19.36px"},
		{"runs of other styles", `{"id":"1:1","type":"TEXT","characters":"Save","characterStyleOverrides":[0,2],"style":{"fontSize":16}}`, nil, "fontSize", Unknown, "several styles"},
		{"size", box(`"name":"x"`), nil, "height", Match, "100px"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := only(t, restNode(t, c.node), element(c.css, nil), c.property)
			if r.Status != c.want || !strings.Contains(strings.Join([]string{r.Figma, r.Browser, r.Delta, r.Note}, " "), c.says) {
				t.Errorf("the row is %+v", r)
			}
		})
	}
}

// What is compared without being asked for follows from the layer.
func TestChosenProperties(t *testing.T) {
	names := func(node string, e *Element) string {
		var out []string
		for _, r := range Compare(framelinkNode(t, node), e, defaultTolerance, nil) {
			out = append(out, r.Property)
		}
		return strings.Join(out, " ")
	}
	for node, want := range map[string]string{
		`{"id":"1:1","type":"TEXT","text":"Save","fills":"ink","textStyle":"Body"}`: "fontFamily fontSize fontWeight lineHeight letterSpacing color",
		`{"id":"1:1","template":"EL-1"}`:                                            "backgroundColor padding borderRadius borderWidth boxShadow",
		`{"id":"1:1","type":"GROUP"}`:                                               "backgroundColor borderRadius borderWidth boxShadow",
		`{"id":"1:1","type":"IMAGE-SVG"}`:                                           "",
	} {
		if got := names(node, element(nil, nil)); got != want {
			t.Errorf("%s: %s", node, got)
		}
	}
	// What only the page has is looked at too.
	e := element(css{"background-image": "linear-gradient(rgb(1, 2, 3), rgb(4, 5, 6))", "filter": "blur(2px)"}, css{"text-transform": "uppercase"})
	if got := names(`{"id":"1:1","type":"FRAME","children":[{"id":"1:2","type":"TEXT","text":"x","textStyle":"Body"}]}`, e); !strings.Contains(got, "textTransform") || !strings.Contains(got, "backgroundImage") || !strings.Contains(got, "filter") {
		t.Errorf("the properties are %s", got)
	}
}

// Where the page paints in another way, or holds texts of several styles, a
// difference is not certain.
func TestUncertainElements(t *testing.T) {
	red := `{"id":"1:1","type":"FRAME","fills":["#FF0000"],"children":[{"id":"1:2","type":"TEXT","text":"x","textStyle":"Body"}]}`
	e := element(nil, nil)
	e.Painted = true
	if r := only(t, framelinkNode(t, red), e, "backgroundColor"); r.Status != Unknown || !strings.Contains(r.Note, "pseudo") {
		t.Errorf("with a pseudo-element: %+v", r)
	}
	e = element(nil, nil)
	e.Tag = "img"
	if r := only(t, framelinkNode(t, red), e, "backgroundColor"); r.Status != Unknown {
		t.Errorf("of a picture: %+v", r)
	}
	e.Label = Label{Texts: 3}
	if r := only(t, framelinkNode(t, red), e, "fontSize"); r.Status != Unknown || !strings.Contains(r.Note, "3 elements") {
		t.Errorf("with three texts: %+v", r)
	}
	e.Label = Label{}
	if r := only(t, framelinkNode(t, red), e, "fontSize"); r.Status != Unknown || !strings.Contains(r.Note, "no text") {
		t.Errorf("without a text: %+v", r)
	}
	e = &Element{} // a page that answers nothing at all
	for _, r := range Compare(framelinkNode(t, red), e, defaultTolerance, Properties()) {
		if r.Status == Match && r.Property != "opacity" && !optional[r.Property] && r.Property != "boxShadow" {
			t.Errorf("of nothing: %+v", r)
		}
	}
}

// An element without a background shows what is around it.
func TestWhatIsAround(t *testing.T) {
	white := framelinkNode(t, `{"id":"1:1","type":"FRAME","fills":["#FFFFFF"]}`)
	for behind, want := range map[string]Status{"rgb(255, 255, 255)": Match, "rgb(1, 2, 3)": Mismatch, "": Mismatch} {
		e := element(nil, nil)
		e.Behind = behind
		if r := only(t, white, e, "backgroundColor"); r.Status != want {
			t.Errorf("on %q: %+v", behind, r)
		}
	}
}

func TestLayersOf(t *testing.T) {
	root := framelinkNode(t, `{"id":"1:1","name":"Card","type":"FRAME","children":[
		{"id":"1:2","name":"Button/Primary","type":"INSTANCE","children":[{"id":"I1:2;3:4","type":"TEXT","text":"**Save**  now","textStyle":"Body"}]},
		{"id":"1:3","name":"arrow","type":"IMAGE-SVG"}]}`)
	layers, nodes, cut := LayersOf(root, true)
	var got []string
	for i, l := range layers {
		if nodes[i].ID != l.IDs[0] || l.At != i {
			t.Errorf("the layer %d is %+v", i, l)
		}
		got = append(got, strings.Join([]string{strings.Join(l.IDs, " "), strings.Join(l.Keys, " "), l.Text}, "|"))
	}
	want := []string{"1:1 1-1|Card card|", "1:2 1-2|Button/Primary button-primary|", "I1:2;3:4 I1-2;3-4||Save now"}
	if !slices.Equal(got, want) || cut != 0 || layers[2].Parent != 1 || layers[0].Parent != -1 {
		t.Errorf("the layers are %q", got)
	}
	if layers, _, _ = LayersOf(root, false); len(layers) != 2 || layers[0].Parent != -1 {
		t.Errorf("below the root are %+v", layers)
	}
}
