package designdiff

// Typography, which follows the label.

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// typography compares a property of the text.
func (c *comparison) typography(name string) Row {
	dom := &c.el.Label
	switch {
	case c.label == nil && c.texts > 1:
		return unknown("", "", fmt.Sprintf("there are %d text styles in the layer: compare its TEXT layers", c.texts))
	case c.label == nil:
		return unknown("", "", "the layer has no text")
	case dom.Texts == 0:
		return unknown(c.figmaText(name), "", "the element has no text")
	case dom.Style == nil:
		return unknown(c.figmaText(name), "", fmt.Sprintf("%d elements in it have text of different styles: give the one that is meant", dom.Texts))
	case c.label.text.mixed && name != "textAlign":
		return unknown(c.figmaText(name), "", "the text has several styles in Figma")
	}
	t, style := c.label.text, dom.Style
	switch name {
	case "fontFamily":
		return familyRow(t.family, style["font-family"])
	case "fontSize":
		return c.fontSize()
	case "fontWeight":
		browser, ok := parseLength(style["font-weight"])
		if !ok || t.weight == 0 {
			return unknown(c.figmaText(name), style["font-weight"], "the weight is not understood")
		}
		return verdict(t.weight == browser.n, numberText(t.weight), numberText(browser.n), signed(t.weight-browser.n))
	case "fontStyle":
		browser := style["font-style"]
		r := verdict(t.italic == (browser != "normal"), c.figmaText(name), browser, "")
		r.unset = !t.italic && browser == "normal"
		return r
	case "lineHeight":
		return c.lineHeight()
	case "letterSpacing":
		return c.letterSpacing()
	case "textTransform":
		return c.textTransform()
	case "textDecoration":
		return textDecoration(t.decoration, dom.Decoration)
	case "textAlign":
		return c.textAlign()
	case "textShadow":
		return c.textShadow()
	}
	return c.color()
}

// figmaText is what Figma says of a property of the text.
func (c *comparison) figmaText(name string) string {
	t := c.label.text
	switch name {
	case "fontFamily":
		return t.family
	case "fontSize":
		return pxText(t.size)
	case "fontWeight":
		return numberText(t.weight)
	case "fontStyle":
		if t.italic {
			return "italic"
		}
		return "normal"
	case "lineHeight":
		if t.autoHeight {
			return "auto"
		}
		return pxText(t.lineHeight)
	case "letterSpacing":
		return pxText(t.letterSpacing)
	}
	return ""
}

// genericFamilies name no font of their own: which one it is depends on the
// system.
var genericFamilies = map[string]bool{
	"system-ui": true, "-apple-system": true, "blinkmacsystemfont": true, "ui-sans-serif": true, "ui-serif": true, "ui-monospace": true,
	"ui-rounded": true, "sans-serif": true, "serif": true, "monospace": true, "cursive": true, "fantasy": true,
}

// hashedFamily is how Next.js names a font that it serves.
var hashedFamily = regexp.MustCompile(`^__(.+)_[0-9a-f]{6}$`)

func familyRow(figma, css string) Row {
	list := splitTop(css, ',')
	if len(list) == 0 || figma == "" {
		return unknown(figma, css, "the font is not named")
	}
	first := strings.Trim(list[0], `"' `)
	if m := hashedFamily.FindStringSubmatch(first); m != nil {
		first = strings.ReplaceAll(m[1], "_", " ")
	}
	if genericFamilies[strings.ToLower(first)] {
		return unknown(figma, first, "the system decides which font it is")
	}
	return verdict(plainFamily(figma) == plainFamily(first), figma, first, "")
}

// plainFamily is a font's name without what the same font is called elsewhere.
func plainFamily(name string) string {
	name = strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(name))
	for _, suffix := range []string{"variable", "vf", "var"} {
		if cut, ok := strings.CutSuffix(name, suffix); ok && cut != "" {
			return cut
		}
	}
	return name
}

// fontSize compares sizes of type. A difference that is as large as the tolerance
// is a different size.
func (c *comparison) fontSize() Row {
	figma := c.label.text.size
	browser, ok := px(c.el.Label.Style["font-size"])
	if !ok || figma == 0 {
		return unknown(pxText(figma), c.el.Label.Style["font-size"], "the size is not understood")
	}
	d := figma - browser
	return verdict(math.Abs(d) < c.tol.PX-epsilon || math.Abs(d) < 0.05, pxText(figma), pxText(browser), sizeDelta(d))
}

func (c *comparison) lineHeight() Row {
	t, dom := c.label.text, &c.el.Label
	css := dom.Style["line-height"]
	browser, isPx := px(css)
	// normal is at least the font's own height; many fonts have a gap besides.
	own, roomy := dom.NormalHeight, dom.NormalHeight+0.35*t.size
	switch {
	case css == "normal" && t.autoHeight:
		return verdict(true, "auto", "normal", "")
	case css == "normal" && own == 0, css != "normal" && !isPx:
		return unknown(c.figmaText("lineHeight"), css, "the page's line height is not known in px")
	case css == "normal":
		shown := "normal (about " + pxText(own) + ")"
		switch d := t.lineHeight - own; {
		case math.Abs(d) <= c.tol.PX+epsilon:
			return verdict(true, pxText(t.lineHeight), shown, "")
		case d < 0 || t.lineHeight > roomy+c.tol.PX:
			return verdict(false, pxText(t.lineHeight), shown, sizeDelta(d))
		}
		return unknown(pxText(t.lineHeight), shown, "normal depends on the font")
	case t.autoHeight && t.lineHeight > 0:
		return c.sizeRow(t.lineHeight, browser)
	case t.autoHeight && own == 0:
		return unknown("auto", css, "what auto comes to is not known")
	case t.autoHeight:
		switch d := browser - own; {
		case math.Abs(d) <= c.tol.PX+epsilon:
			return verdict(true, "auto", css, "")
		case browser < own || browser > roomy+c.tol.PX:
			return verdict(false, "auto (about "+pxText(own)+")", css, sizeDelta(-d))
		}
		return unknown("auto", css, "what auto comes to depends on the font")
	}
	return c.sizeRow(t.lineHeight, browser)
}

// letterSpacing is compared more finely than sizes: a pixel is a lot.
func (c *comparison) letterSpacing() Row {
	css := c.el.Label.Style["letter-spacing"]
	if css == "normal" {
		css = "0px"
	}
	size, _ := px(c.el.Label.Style["font-size"])
	browser, ok := textLength(css, size) // a percentage stays one in computed styles
	figma := c.label.text.letterSpacing
	if !ok {
		return unknown(pxText(figma), css, "the page's value is not understood")
	}
	d := figma - browser
	return verdict(math.Abs(d) <= c.tol.PX/10+epsilon, pxText(figma), pxText(browser), signed(d)+"px")
}

// caseNames are CSS's words for Figma's.
var caseNames = map[string]string{"": "none", "UPPER": "uppercase", "LOWER": "lowercase", "TITLE": "capitalize"}

func (c *comparison) textTransform() Row {
	t, dom := c.label.text, &c.el.Label
	want, known := caseNames[t.textCase]
	browser := dom.Style["text-transform"]
	if strings.HasPrefix(t.textCase, "SMALL_CAPS") {
		caps := dom.Style["font-variant-caps"]
		return verdict(strings.Contains(caps, "small-caps"), "small-caps", caps, "")
	}
	switch {
	case !known:
		return unknown(strings.ToLower(t.textCase), browser, "this case has no like in CSS")
	case want == browser:
		r := verdict(true, want, browser, "")
		r.unset = want == "none"
		return r
	}
	// The letters may be typed as they are to be seen.
	if seen(dom.Text, browser) == seen(dom.Text, want) {
		r := verdict(true, want, browser, "")
		r.Note = "the text is typed so"
		return r
	}
	if want == "none" && strings.EqualFold(squeeze(c.label.node.Text), dom.Text) {
		return verdict(seen(dom.Text, browser) == squeeze(c.label.node.Text), want, browser, "")
	}
	return verdict(false, want, browser, "")
}

// seen is a text as a transformation shows it.
func seen(text, transform string) string {
	switch transform {
	case "uppercase":
		return strings.ToUpper(text)
	case "lowercase":
		return strings.ToLower(text)
	case "capitalize":
		words := strings.Split(text, " ")
		for i, w := range words {
			if r := []rune(w); len(r) > 0 {
				words[i] = strings.ToUpper(string(r[:1])) + string(r[1:])
			}
		}
		return strings.Join(words, " ")
	}
	return text
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func textDecoration(figma, browser string) Row {
	want := map[string]string{"UNDERLINE": "underline", "STRIKETHROUGH": "line-through", "": "none"}[figma]
	if browser == "" {
		browser = "none"
	}
	if want == "" {
		return unknown(strings.ToLower(figma), browser, "this decoration has no like in CSS")
	}
	r := verdict(want == browser, want, browser, "")
	r.unset = want == "none" && browser == "none"
	return r
}

func (c *comparison) textAlign() Row {
	want := map[string]string{"LEFT": "left", "CENTER": "center", "RIGHT": "right", "JUSTIFIED": "justify"}[c.label.text.align]
	style := c.el.Label.Style
	browser := style["text-align"]
	if rtl := style["direction"] == "rtl"; browser == "start" && !rtl || browser == "end" && rtl || browser == "-webkit-left" {
		browser = "left"
	} else if browser == "start" || browser == "end" || browser == "-webkit-right" {
		browser = "right"
	} else if browser == "-webkit-center" {
		browser = "center"
	}
	switch {
	case want == "":
		return unknown("", browser, "Figma's answer does not say")
	case want != browser && c.label.hugs:
		return unknown(want, browser, "the text is as wide as its layer")
	}
	return verdict(want == browser, want, browser, "")
}

func (c *comparison) textShadow() Row {
	figma := fadeShadows(c.label.shadows, c.label.opacity*c.fade)
	browser, ok := parseShadows(c.el.Label.Style["text-shadow"])
	if !ok {
		return unknown(shadowsText(figma), shortText(c.el.Label.Style["text-shadow"]), "the page's value is not understood")
	}
	browser = fadeShadows(browser, c.el.Label.Opacity*c.el.opacity())
	r := verdict(sameShadows(figma, browser, c.tol), shadowsText(figma), shadowsText(browser), "")
	r.unset = len(figma)+len(browser) == 0
	return r
}

// color compares the colour of the characters, with every opacity from the
// compared layer and element down to them.
func (c *comparison) color() Row {
	dom := &c.el.Label
	opacity := c.label.opacity * c.fade
	fade := dom.Opacity * c.el.opacity()
	if c.label != c.layer {
		opacity *= c.layer.opacity
	}
	figma := flatten(c.label.fills, opacity)
	css := dom.Style["-webkit-text-fill-color"]
	if css == "" {
		css = dom.Style["color"]
	}
	own, ok := parseColor(css)
	if !ok {
		return unknown(figma.base.String(), css, "the page's colour is not understood")
	}
	pile := []paint{{kind: solid, color: own}}
	if clipsToText(dom.Style) {
		pile = append(pile, cssBackground(dom.Style, "transparent", dom.Width, dom.Height)...)
	}
	browser := flatten(pile, fade)
	if len(figma.above)+len(browser.above) == 0 {
		return verdict(figma.base.distance(browser.base) <= c.tol.Color+epsilon, figma.base.String(), browser.base.String(), colorDelta(figma.base, browser.base))
	}
	status, note := figma.compare(browser, c.tol)
	if status == Match && figma.base.distance(browser.base) > c.tol.Color+epsilon {
		status = Mismatch
	}
	return Row{Status: status, Figma: figma.both(), Browser: browser.both(), Note: note}
}

// both is all of a stack for the reader.
func (s stack) both() string {
	switch {
	case len(s.above) == 0:
		return s.base.String()
	case s.base.a == 0:
		return s.aboveText()
	}
	return s.aboveText() + " over " + s.base.String()
}
