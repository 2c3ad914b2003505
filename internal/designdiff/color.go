package designdiff

// Colours, as Figma and a browser's computed style write them.

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// color is a colour in sRGB: channels of 0 to 255, alpha of 0 to 1.
type color struct{ r, g, b, a float64 }

// transparent is no colour.
var transparent = color{}

// parseColor reads a CSS colour: hex, rgb, hsl, lab, lch, oklab, oklch and
// color() of sRGB and Display P3. Names are those that computed styles have.
func parseColor(s string) (color, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "transparent":
		return transparent, true
	case "black":
		return color{0, 0, 0, 1}, true
	case "white":
		return color{255, 255, 255, 1}, true
	}
	if strings.HasPrefix(s, "#") {
		return parseHex(s[1:])
	}
	name, args, ok := function(s)
	if !ok {
		return color{}, false
	}
	space := ""
	if name == "color" {
		space, args, _ = strings.Cut(strings.TrimSpace(args), " ")
	}
	channels, alpha, ok := colorArgs(args)
	if !ok {
		return color{}, false
	}
	c, ok := convert(name, space, channels)
	c.a = alpha
	return c.clamped(), ok
}

func parseHex(digits string) (color, bool) {
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return color{}, false
	}
	part := func(shift uint) float64 { return float64(n >> shift & 0xFF) }
	wide := func(shift uint) float64 { return float64(n>>shift&0xF) * 17 }
	switch len(digits) {
	case 3:
		return color{wide(8), wide(4), wide(0), 1}, true
	case 4:
		return color{wide(12), wide(8), wide(4), wide(0) / 255}, true
	case 6:
		return color{part(16), part(8), part(0), 1}, true
	case 8:
		return color{part(24), part(16), part(8), part(0) / 255}, true
	}
	return color{}, false
}

// colorArgs reads three channels and an alpha, with commas or without.
func colorArgs(args string) (channels [3]length, alpha float64, ok bool) {
	alpha = 1
	if before, after, slash := strings.Cut(args, "/"); slash {
		if alpha, ok = alphaOf(after); !ok {
			return channels, 0, false
		}
		args = before
	}
	parts := strings.FieldsFunc(args, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
	if len(parts) == 4 {
		if alpha, ok = alphaOf(parts[3]); !ok {
			return channels, 0, false
		}
		parts = parts[:3]
	}
	if len(parts) != 3 {
		return channels, 0, false
	}
	for i, part := range parts {
		if part == "none" {
			continue
		}
		if channels[i], ok = parseLength(part); !ok {
			return channels, 0, false
		}
	}
	return channels, alpha, true
}

func alphaOf(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if s == "none" {
		return 0, true
	}
	l, ok := parseLength(s)
	if l.unit == "%" {
		l.n /= 100
	}
	return min(max(l.n, 0), 1), ok && (l.unit == "" || l.unit == "%")
}

// scaled is a channel's value where 100 % stands for full.
func (l length) scaled(full float64) float64 {
	if l.unit == "%" {
		return l.n / 100 * full
	}
	return l.n
}

// convert brings a colour of a CSS function to sRGB.
func convert(name, space string, ch [3]length) (color, bool) {
	switch name {
	case "rgb", "rgba":
		return color{r: ch[0].scaled(255), g: ch[1].scaled(255), b: ch[2].scaled(255)}, true
	case "hsl", "hsla":
		return hsl(ch[0].n, ch[1].n/100, ch[2].n/100), true
	case "color":
		r, g, b := ch[0].scaled(1), ch[1].scaled(1), ch[2].scaled(1)
		switch space {
		case "srgb":
			return color{r: r * 255, g: g * 255, b: b * 255}, true
		case "srgb-linear":
			return fromLinear(r, g, b), true
		case "display-p3":
			return fromP3(r, g, b)
		}
	case "oklab":
		return oklab(ch[0].scaled(1), ch[1].scaled(0.4), ch[2].scaled(0.4)), true
	case "oklch":
		c, h := ch[1].scaled(0.4), ch[2].n*math.Pi/180
		return oklab(ch[0].scaled(1), c*math.Cos(h), c*math.Sin(h)), true
	case "lab":
		return lab(ch[0].scaled(100), ch[1].scaled(125), ch[2].scaled(125)), true
	case "lch":
		c, h := ch[1].scaled(150), ch[2].n*math.Pi/180
		return lab(ch[0].scaled(100), c*math.Cos(h), c*math.Sin(h)), true
	}
	return color{}, false
}

// The formulas of CSS Color 4, sections 7 to 17.

func hsl(h, s, l float64) color {
	h = math.Mod(math.Mod(h, 360)+360, 360)
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		return 255 * (l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1)))
	}
	return color{r: f(0), g: f(8), b: f(4)}
}

func gamma(v float64) float64 {
	if math.Abs(v) <= 0.0031308 {
		return v * 12.92
	}
	return math.Copysign(1.055*math.Pow(math.Abs(v), 1/2.4)-0.055, v)
}

func linear(v float64) float64 {
	if math.Abs(v) <= 0.04045 {
		return v / 12.92
	}
	return math.Copysign(math.Pow((math.Abs(v)+0.055)/1.055, 2.4), v)
}

func fromLinear(r, g, b float64) color {
	return color{r: gamma(r) * 255, g: gamma(g) * 255, b: gamma(b) * 255}
}

// fromP3 converts Display P3. A colour that sRGB does not have can't be compared
// with Figma's.
func fromP3(r, g, b float64) (color, bool) {
	r, g, b = linear(r), linear(g), linear(b)
	c := fromLinear(1.2249401762*r-0.2249401762*g, -0.0420569547*r+1.0420569547*g, -0.0196375546*r-0.0786360456*g+1.0982736001*b)
	const slack = 2
	inside := func(v float64) bool { return v >= -slack && v <= 255+slack }
	return c, inside(c.r) && inside(c.g) && inside(c.b)
}

func oklab(l, a, b float64) color {
	cube := func(v float64) float64 { return v * v * v }
	lms := [3]float64{
		cube(l + 0.3963377774*a + 0.2158037573*b),
		cube(l - 0.1055613458*a - 0.0638541728*b),
		cube(l - 0.0894841775*a - 1.2914855480*b),
	}
	return fromLinear(
		4.0767416621*lms[0]-3.3077115913*lms[1]+0.2309699292*lms[2],
		-1.2684380046*lms[0]+2.6097574011*lms[1]-0.3413193965*lms[2],
		-0.0041960863*lms[0]-0.7034186147*lms[1]+1.7076147010*lms[2])
}

func lab(l, a, b float64) color {
	const kappa, epsilon = 24389.0 / 27, 216.0 / 24389
	fy := (l + 16) / 116
	fx, fz := fy+a/500, fy-b/200
	invert := func(f float64) float64 {
		if f*f*f > epsilon {
			return f * f * f
		}
		return (116*f - 16) / kappa
	}
	y := l / kappa
	if l > kappa*epsilon {
		y = fy * fy * fy
	}
	// D50 white, and the matrix from D50 XYZ to linear sRGB.
	x, z := invert(fx)*0.9642956764, invert(fz)*0.8251046025
	return fromLinear(
		3.1341359569*x-1.6173863321*y-0.4906619460*z,
		-0.9787955030*x+1.9162543773*y+0.0334541225*z,
		0.0719728644*x-0.2289938735*y+1.4053860351*z)
}

func (c color) clamped() color {
	in := func(v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return min(max(v, 0), 255)
	}
	return color{in(c.r), in(c.g), in(c.b), c.a}
}

// faded is the colour under an opacity.
func (c color) faded(opacity float64) color {
	c.a *= opacity
	return c
}

// over is the colour on top of another (source over, CSS Compositing 1).
func (c color) over(below color) color {
	a := c.a + below.a*(1-c.a)
	if a == 0 {
		return transparent
	}
	mix := func(top, bottom float64) float64 { return (top*c.a + bottom*below.a*(1-c.a)) / a }
	return color{mix(c.r, below.r), mix(c.g, below.g), mix(c.b, below.b), a}
}

// distance is the largest difference of a channel, alpha included, in steps of
// 255. What is invisible on both sides does not differ.
func (c color) distance(d color) float64 {
	alpha := math.Abs(c.a-d.a) * 255
	if c.a == 0 || d.a == 0 {
		return alpha
	}
	return max(math.Abs(c.r-d.r), math.Abs(c.g-d.g), math.Abs(c.b-d.b), alpha)
}

// String writes the colour as computed styles do.
func (c color) String() string {
	r, g, b := math.Round(c.r), math.Round(c.g), math.Round(c.b)
	switch {
	case c.a <= 0:
		return "transparent"
	case c.a >= 0.9995:
		return fmt.Sprintf("rgb(%g, %g, %g)", r, g, b)
	}
	return fmt.Sprintf("rgba(%g, %g, %g, %s)", r, g, b, numberText(c.a))
}
