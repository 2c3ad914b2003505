package figmatree

// What the dense form says of a layer's style: each member becomes one or more
// words, each of which can be read back.

import (
	"regexp"
	"strings"
)

// attrs are a layer's words. Place and size are apart, because they differ where
// all else is alike.
type attrs struct {
	place string   // @x,y
	size  string   // 340x982
	rest  []string // in a fixed order
}

// hashName is the name of a style that Framelink made up: eight hex digits or, in
// older versions, six capitals and digits. Designers write fill_primary, and so
// it is one of theirs that has no digit.
var hashName = regexp.MustCompile(`^(layout|fill|style|effect|stroke)_([0-9a-f]{8}|[0-9A-Z]{6})$`)

func isHash(name string) bool {
	return hashName.MatchString(name) && strings.ContainsAny(name, "0123456789")
}

// styled is a member's word: key, the style's own name if it has one, value.
func styled(key, name, value string) string {
	if name == "" || isHash(name) {
		return key + "=" + value
	}
	return key + string(appendQuoted(nil, name)) + "=" + value
}

// simplified adds the words for one member of a Framelink node; name is that of
// the shared style that v was looked up by.
func (a *attrs) simplified(m *Value, v *Value, name string) {
	switch m.Name {
	case "layout":
		if v.Kind == Object && v.Get("mode").Str() != "" && (name == "" || isHash(name)) && a.layout(v) {
			return
		}
		a.add(styled("layout", name, relaxed(v)))
	case "fills":
		a.paints("fill", "fills", v, name)
	case "strokes":
		a.paints("stroke", "strokes", v, name)
	case "effects":
		a.add(styled("effects", name, relaxed(v)))
	case "textStyle":
		if font, ok := fontWord(v); ok {
			a.add(styled("font", name, font))
			return
		}
		a.add(styled("textStyle", name, relaxed(v)))
	case "borderRadius":
		a.lengths("r", m)
	case "strokeWeight":
		a.lengths("w", m)
	case "componentId":
		a.add("comp=" + idText(m))
	default:
		a.other(m)
	}
}

// other adds a member that has no word of its own.
func (a *attrs) other(m *Value) { a.add(string(appendKey(nil, m.Name)) + "=" + relaxed(m)) }

// appendKey appends a member's name, in quotes if it could be taken for something
// else.
func appendKey(dst []byte, name string) []byte {
	if plainKey.MatchString(name) && !ownKeys[name] {
		return append(dst, name...)
	}
	return appendQuoted(dst, name)
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// ownKeys are words with an equals sign that are not the names of members.
var ownKeys = names("fill stroke font comp ref")

func (a *attrs) add(word string) { a.rest = append(a.rest, word) }

// lengths adds a member that is a list of pixels.
func (a *attrs) lengths(key string, m *Value) {
	if list, ok := pixels(m); ok {
		a.add(key + list)
		return
	}
	a.other(m)
}

// pixelList is one to four lengths in px.
var pixelList = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?px( -?[0-9]+(\.[0-9]+)?px){0,3}$`)

// pixels writes "8px 0px" as 8,0.
func pixels(v *Value) (string, bool) {
	text := v.Str()
	if !pixelList.MatchString(text) {
		return "", false
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "px", ""), " ", ","), true
}

var (
	hexColor  = regexp.MustCompile(`^#[0-9A-Fa-f]{3,8}$`)
	rgbaColor = regexp.MustCompile(`^rgba\([0-9]+, [0-9]+, [0-9]+, [0-9.]+\)$`)
)

// paints adds fills or strokes.
func (a *attrs) paints(key, member string, v *Value, name string) {
	if v.Kind != Array {
		a.add(styled(member, name, relaxed(v)))
		return
	}
	if len(v.Kids) == 0 {
		a.add(styled(key, name, "none"))
		return
	}
	var out []byte
	for i := range v.Kids {
		if i > 0 {
			out = append(out, '+')
		}
		paint := &v.Kids[i]
		switch text := paint.Str(); {
		case paint.Kind != String:
			out = appendRelaxed(out, paint, false)
		case hexColor.MatchString(text):
			out = append(out, text...)
		case rgbaColor.MatchString(text):
			out = append(out, strings.ReplaceAll(text, " ", "")...)
		default:
			out = appendQuoted(out, text)
		}
	}
	a.add(styled(key, name, string(out)))
}

// layout adds a layout's words; false, adding none, if it has a member of an
// unknown form.
func (a *attrs) layout(v *Value) bool {
	var l attrs
	var sizing, dimensions *Value
	for i := range v.Kids {
		m := &v.Kids[i]
		text, isText := m.Text, m.Kind == String && bare(m.Text, false)
		list, isPixels := pixels(m)
		switch {
		case m.Name == "mode":
			if mode := map[string]string{"row": "row", "column": "col", "none": "", "grid": "grid"}; !isText || mode[text] == "" && text != "none" {
				return false
			} else if text != "none" {
				l.add(mode[text])
			}
		case m.Name == "sizing":
			sizing = m
		case m.Name == "dimensions":
			dimensions = m
		case m.Name == "locationRelativeToParent":
			x, y := m.Get("x"), m.Get("y")
			if len(m.Kids) != 2 || x == nil || y == nil || x.Kind != Number || y.Kind != Number {
				return false
			}
			l.place = "@" + x.Text + "," + y.Text
		case m.Name == "padding" && isPixels:
			l.add("pad" + list)
		case m.Name == "gap" && isPixels:
			l.add("gap" + list)
		case m.Name == "justifyContent" && isText:
			l.add("justify-" + text)
		case m.Name == "alignItems" && isText:
			l.add("items-" + text)
		case m.Name == "alignSelf" && isText:
			l.add("self-" + text)
		case m.Name == "wrap" && m.IsTrue():
			l.add("wrap")
		case m.Name == "position" && text == "absolute" && isText:
			l.add("absolute")
		default:
			l.add("layout." + string(appendKey(nil, m.Name)) + "=" + relaxed(m))
		}
	}
	size, ok := sizeWord(sizing, dimensions)
	if !ok {
		return false
	}
	l.size = size
	a.place, a.size = l.place, l.size
	a.rest = append(a.rest, l.rest...)
	return true
}

// sizeWord writes sizing and dimensions as width x height. Per axis: 340 is
// fixed, ~340 has no sizing, hug and fill may have a length behind them, - says
// nothing. Where both axes have no sizing an asterisk stands between them.
func sizeWord(sizing, dimensions *Value) (string, bool) {
	if sizing == nil || sizing.Kind != Object || dimensions != nil && dimensions.Kind != Object {
		return "", false
	}
	ratio := ""
	for i := range dimensions.Members() {
		switch m := &dimensions.Kids[i]; {
		case m.Kind != Number:
			return "", false
		case m.Name == "aspectRatio":
			ratio = "/" + m.Text
		case m.Name != "width" && m.Name != "height":
			return "", false
		}
	}
	for i := range sizing.Kids {
		if m := &sizing.Kids[i]; m.Name != "horizontal" && m.Name != "vertical" {
			return "", false
		}
	}
	if dimensions != nil && len(dimensions.Kids) == 0 {
		return "", false
	}
	w, okW := axis(sizing.Get("horizontal"), dimensions.Get("width"))
	h, okH := axis(sizing.Get("vertical"), dimensions.Get("height"))
	switch {
	case !okW || !okH:
		return "", false
	case w == "-" && h == "-" && ratio == "":
		return "", true
	case w == h && (w == "hug" || w == "fill"):
		return w + ratio, true
	case strings.HasPrefix(w, "~") && strings.HasPrefix(h, "~"):
		return w[1:] + "*" + h[1:] + ratio, true
	}
	return w + "x" + h + ratio, true
}

func axis(sizing, length *Value) (string, bool) {
	if sizing == nil {
		if length == nil {
			return "-", true
		}
		return "~" + length.Text, true
	}
	switch mode := sizing.Str(); {
	case mode == "fixed" && length != nil:
		return length.Text, true
	case mode != "fixed" && mode != "hug" && mode != "fill":
		return "", false
	case length != nil:
		return mode + length.Text, true
	default:
		return mode, true
	}
}

// fontWord writes a text style: {family,style,weight,size/line height, then what
// is not left and top}.
func fontWord(v *Value) (string, bool) {
	family, weight, size := v.Get("fontFamily"), v.Get("fontWeight"), v.Get("fontSize")
	if family == nil || family.Kind != String || weight == nil || weight.Kind != Number || size == nil || size.Kind != Number {
		return "", false
	}
	out := appendRelaxedString([]byte{'{'}, family.Text, true)
	if style := v.Get("fontStyle"); style != nil {
		if style.Kind != String {
			return "", false
		}
		out = appendRelaxedString(append(out, ','), style.Text, true)
	}
	out = append(out, ","+weight.Text+","+size.Text...)
	if height := v.Get("lineHeight"); height != nil {
		if height.Kind != String || !lengthText.MatchString(height.Text) {
			return "", false
		}
		out = append(out, "/"+height.Text...)
	}
	for _, side := range [2]struct{ name, usual string }{{"textAlignHorizontal", "LEFT"}, {"textAlignVertical", "TOP"}} {
		m := v.Get(side.name)
		word, known := alignWords[side.name+m.Str()]
		switch {
		case m == nil:
			out = append(out, ","+alignWords[side.name]...)
		case !known:
			return "", false
		case m.Text != side.usual:
			out = append(out, ","+word...)
		}
	}
	for i := range v.Kids {
		switch m := &v.Kids[i]; m.Name {
		case "fontFamily", "fontStyle", "fontWeight", "fontSize", "lineHeight", "textAlignHorizontal", "textAlignVertical":
		default:
			out = append(appendRelaxedString(append(out, ','), m.Name, true), ':')
			out = appendRelaxed(out, m, true)
		}
	}
	return string(append(out, '}')), true
}

var lengthText = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?(px|em|%)$`)

// alignWords are the words for a text's alignment; those of a name alone say
// that it is not given.
var alignWords = map[string]string{
	"textAlignHorizontal": "halign:null", "textAlignHorizontalLEFT": "left", "textAlignHorizontalCENTER": "center",
	"textAlignHorizontalRIGHT": "right", "textAlignHorizontalJUSTIFIED": "justified",
	"textAlignVertical": "valign:null", "textAlignVerticalTOP": "top", "textAlignVerticalCENTER": "middle", "textAlignVerticalBOTTOM": "bottom",
}

// idText writes a member that holds an id.
func idText(m *Value) string {
	if m.Kind == String && plainID(m.Text) {
		return m.Text
	}
	return relaxed(m)
}
