package figmatree

// Modules 5, 8b and 8c: what is taken out of Framelink's answers.

import (
	"math"
	"strconv"
	"strings"
)

// trimMetadata drops the preview's signed URL and the file's date (module 5),
// which older versions wrote beside the nodes.
func trimMetadata(v *Value, counts *Counts) {
	for _, at := range []*Value{v.Get("metadata"), v} {
		if at != nil && at.Kind == Object {
			counts.MetaKeysDeleted += at.remove(func(m *Value) bool { return m.Name == "thumbnailUrl" || m.Name == "lastModified" })
		}
	}
}

// noOpLayout reports whether a layout says nothing: no mode, no sizing and
// nothing else.
func noOpLayout(v *Value) bool {
	return v != nil && v.Kind == Object && len(v.Kids) == 2 && v.Get("mode").Str() == "none" &&
		v.Get("sizing") != nil && v.Get("sizing").Kind == Object && len(v.Get("sizing").Kids) == 0
}

// dropNoOps takes the layouts that say nothing from the shared styles, and from
// all nodes and elements that have or name one (module 8b).
func dropNoOps(v *Value, counts *Counts) {
	dropped := map[string]bool{}
	if styles := v.Path("globalVars", "styles"); styles != nil && styles.Kind == Object {
		counts.NoOpStyles += styles.remove(func(m *Value) bool {
			if noOpLayout(m) {
				dropped[m.Name] = true
			}
			return dropped[m.Name]
		})
	}
	drop := func(v *Value) {
		counts.NoOpStyles += v.remove(func(m *Value) bool {
			return m.Name == "layout" && (noOpLayout(m) || m.Kind == String && dropped[m.Text])
		})
	}
	for i := range v.Get("elements").Members() {
		drop(&v.Get("elements").Kids[i])
	}
	eachNode(v.Get("nodes"), drop)
}

// eachNode calls f with every node of a list and below it, parents first.
func eachNode(list *Value, f func(*Value)) {
	for i := range list.Items() {
		if n := &list.Kids[i]; n.Kind == Object {
			f(n)
			eachNode(n.Get(childrenMember), f)
		}
	}
}

// roundStyles rounds float noise in all style values (module 8c). Texts, names
// and what else the nodes say is left alone.
func roundStyles(v *Value, counts *Counts) {
	styles := v.Path("globalVars", "styles").Members()
	for i := range styles {
		roundValue(&styles[i], counts)
	}
	own := func(n *Value) {
		for i := range n.Kids {
			if m := &n.Kids[i]; styleMembers[m.Name] || m.Name == "borderRadius" || m.Name == "strokeWeight" || m.Name == "opacity" {
				if m.Kind != String || !styleMembers[m.Name] { // a string there is a style's name
					roundValue(m, counts)
				}
			}
		}
	}
	elements := v.Get("elements").Members()
	for i := range elements {
		own(&elements[i])
	}
	eachNode(v.Get("nodes"), own)
}

// exactMembers hold numbers that are handed back to Figma as they are.
var exactMembers = names("cropTransform imageTransform filenameSuffix imageRef gifRef fontFamily fontStyle fontPostScriptName")

func roundValue(v *Value, counts *Counts) {
	if exactMembers[v.Name] {
		return
	}
	switch v.Kind {
	case Number, String:
		if text := Round(v.Text); text != v.Text {
			v.Text = text
			counts.Rounded++
		}
	case Array, Object:
		for i := range v.Kids {
			roundValue(&v.Kids[i], counts)
		}
	}
}

// maxRoundingError is how far a rounded number may be from what was written:
// two decimals are enough for pixels, not for -0.045em.
const maxRoundingError = 0.005

// Round rounds the numbers in a CSS-like text to two decimals, or to as many as
// keep them within half a percent. Text without long fractions is returned as it
// is.
func Round(text string) string {
	var out strings.Builder
	rest := text
	for {
		dot := strings.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		start, end := dot, dot+1
		for start > 0 && isDigit(rest[start-1]) {
			start--
		}
		for end < len(rest) && isDigit(rest[end]) {
			end++
		}
		number := rest[start:end]
		// A number stands alone: v1.2345 and 1.23456.7 are none.
		alone := start < dot && (start == 0 || !isWordByte(rest[start-1])) && (end == len(rest) || rest[end] != '.' && rest[end] != 'e' || strings.HasPrefix(rest[end:], "em"))
		if alone && end-dot > 3 {
			number = roundNumber(number)
		}
		out.WriteString(rest[:start])
		out.WriteString(number)
		rest = rest[end:]
	}
	if out.Len() == 0 {
		return text
	}
	out.WriteString(rest)
	return out.String()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool {
	return isDigit(c) || c == '.' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// roundNumber rounds a decimal number without a sign.
func roundNumber(text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	for decimals := 2; decimals < 12; decimals++ {
		factor := math.Pow10(decimals)
		rounded := math.Round(f*factor) / factor
		if math.Abs(rounded-f) <= maxRoundingError*f {
			return strconv.FormatFloat(rounded, 'f', -1, 64)
		}
	}
	return text
}
