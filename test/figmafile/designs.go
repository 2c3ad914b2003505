package figmafile

// The designs.

import "fmt"

// Shop is a page in auto layout: 200 instances of 12 components with overrides,
// vectors with outlines, hidden layers, gradients, names from many languages.
func Shop() []byte { return shop(200) }

// Instances is a page of the same components with n instances.
func Instances(n int) []byte { return shop(n) }

func shop(instances int) []byte {
	f := newFile()
	var kit []Layer
	for i := range 12 {
		kit = append(kit, f.component(i))
	}
	f.page = 2
	var grid []Layer
	for i := range instances {
		x, y := float64(i%5)*248+40, float64(i/5)*120+260
		grid = append(grid, f.instance(kit[i%12], i, x, y))
	}
	hero := f.layer("FRAME", "Héros — “Été”", 0, 80, 1280, 160,
		f.text("Title", "Spring sale: up to 40 % off", 40, 700, 0xffffff, 80, 110),
		f.text("Subtitle", "Line one\nline two\u2028line three", 16, 400, 0xe2e8f0, 80, 170),
		f.layer("RECTANGLE", "old background", 0, 80, 1280, 160).with(map[string]any{"visible": false}).fill(solid(0xff0000)),
	).auto("VERTICAL", 80, 24, 12).fill(gradient(0x1976d2, 0x7c3aed)).with(map[string]any{"effects": shadow(4, 12)})
	list := f.layer("FRAME", "Products", 0, 240, 1280, 5000, grid...).auto("HORIZONTAL", 40, 20, 8).
		with(map[string]any{"layoutWrap": "WRAP", "counterAxisSpacing": 16.0, "layoutSizingHorizontal": "FIXED"})
	page := f.layer("FRAME", "Shop", 0, 0, 1280, 5200, f.header(), hero, list, f.deep(40)).auto("VERTICAL", 0, 0, 0).fill(solid(0xf8fafc))
	return f.json("Shop kit", f.canvas("Components", kit...), f.canvas("Страница / 页面\u2028two", page))
}

func (f *file) header() Layer {
	var links []Layer
	for i, name := range []string{"Home", "Catalogue", "Angebote", "À propos", "联系我们"} {
		links = append(links, f.text(name, name, 14, 500, 0x0f172a, 300+float64(i)*120, 28))
	}
	return f.layer("FRAME", "Header", 0, 0, 1280, 80,
		f.vector("Logo", 40, 24, 32),
		f.layer("FRAME", "Navigation", 300, 28, 600, 20, links...).auto("HORIZONTAL", 0, 0, 32),
		f.layer("RECTANGLE", "Search", 1000, 20, 200, 40).fill(solid(0xffffff)).with(map[string]any{"cornerRadius": 8.0, "rectangleCornerRadii": []any{8.0, 8.0, 0.0, 0.0}}),
	).auto("HORIZONTAL", 40, 20, 24).fill(solid(0xffffff))
}

// deep is a chain of frames.
func (f *file) deep(depth int) Layer {
	inner := f.text("deep text", "At the bottom", 12, 400, 0x64748b, 10, 5100)
	for i := range depth {
		inner = f.layer("FRAME", fmt.Sprintf("level %d", depth-i), 0, 5100, 400, 40, inner).auto("VERTICAL", 1, 0, 0)
	}
	return inner
}

// component is the i-th of the kit.
func (f *file) component(i int) Layer {
	x := float64(i) * 300
	state := []string{"Default", "Hover", "Disabled"}[i%3]
	set := fmt.Sprintf("9:%d", i/3+1)
	kids := []Layer{
		f.vector("icon", x+12, 12, 24),
		f.layer("FRAME", "labels", x+48, 10, 140, 48,
			f.text("title", "Product name", 16, 600, 0x0f172a, x+48, 10),
			f.text("price", "0,00 €", 14, 400, 0x475569, x+48, 34),
			f.text("hidden hint", "never shown", 10, 400, 0, x+48, 50).with(map[string]any{"visible": false}),
		).auto("VERTICAL", 0, 0, 4),
	}
	if i%2 == 0 {
		kids = append(kids, f.layer("FRAME", "badge", x+190, 8, 30, 18,
			f.text("count", "1", 11, 700, 0xffffff, x+196, 10)).auto("HORIZONTAL", 6, 2, 0).fill(solid(0xdc2626)).with(map[string]any{"cornerRadius": 9.0}))
	}
	c := f.layer("COMPONENT", fmt.Sprintf("Kind=%d, State=%s", i/3, state), x, 0, 232, 68, kids...).auto("HORIZONTAL", 12, 10, 12).
		fill(solid(0xffffff)).with(map[string]any{"cornerRadius": 12.0, "effects": shadow(1, 3), "exportSettings": []any{map[string]any{"suffix": "", "format": "PNG"}}})
	f.components[c["id"].(string)] = map[string]any{
		"key": fmt.Sprintf("%040x", i+1), "name": c["name"], "description": "", "remote": false, "componentSetId": set, "documentationLinks": []any{},
	}
	f.sets[set] = map[string]any{"key": fmt.Sprintf("%040x", 100+i/3), "name": fmt.Sprintf("Card %d", i/3), "description": "A card of the shop", "remote": false}
	return c
}

// instance is one of a component, with the n-th product's texts and, now and
// then, another colour or a layer hidden.
func (f *file) instance(component Layer, n int, x, y float64) Layer {
	id := f.id()
	from := component["absoluteBoundingBox"].(map[string]any)
	dx, dy := x-from["x"].(float64), y-from["y"].(float64)
	copied := copyLayer(component, func(l Layer) {
		l["id"] = "I" + id + ";" + l["id"].(string)
		for _, bounds := range []string{"absoluteBoundingBox", "absoluteRenderBounds"} {
			box := l[bounds].(map[string]any)
			l[bounds] = map[string]any{"x": box["x"].(float64) + dx, "y": box["y"].(float64) + dy, "width": box["width"], "height": box["height"]}
		}
		switch l["name"] {
		case "title":
			l["characters"] = fmt.Sprintf("Product %d “%c”", n+1, 'A'+rune(n%26))
		case "price":
			l["characters"] = fmt.Sprintf("%d,%02d €", 3+n*7%90, n*31%100)
		case "badge":
			if n%8 == 0 {
				l["visible"] = false
			}
			if n%12 == 4 {
				l["fills"] = solid(0x16a34a)
			}
		}
	})
	copied["id"], copied["type"], copied["componentId"], copied["name"] = id, "INSTANCE", component["id"], fmt.Sprintf("Card %d", n+1)
	copied["overrides"] = []any{map[string]any{"id": id, "overriddenFields": []any{"name"}}}
	delete(copied, "exportSettings")
	return copied
}

// copyLayer copies a layer and those below it, and calls edit on each copy.
func copyLayer(l Layer, edit func(Layer)) Layer {
	out := Layer{}
	for name, v := range l {
		out[name] = v
	}
	if kids, ok := l["children"].([]Layer); ok {
		copies := make([]Layer, len(kids))
		for i, kid := range kids {
			copies[i] = copyLayer(kid, edit)
		}
		out["children"] = copies
	}
	edit(out)
	return out
}

// Poster is a page without auto layout: everything lies where it was put.
func Poster() []byte {
	f := newFile()
	var rows []Layer
	for i := range 24 {
		y := 120 + float64(i)*44
		rows = append(rows, f.layer("GROUP", fmt.Sprintf("Row %d", i+1), 40, y, 720, 40,
			f.layer("RECTANGLE", "line", 40, y+39, 720, 1).fill(solid(0xe2e8f0)),
			f.layer("ELLIPSE", "dot", 44, y+12, 16, 16).fill(gradient(0xf97316, 0xdc2626)),
			f.text("time", fmt.Sprintf("%02d:%02d", 8+i/2, i%2*30), 16, 600, 0x0f172a, 80, y+10),
			f.text("talk", fmt.Sprintf("Talk no. %d, in room %d", i+1, i%4+1), 16, 400, 0x334155, 180, y+10),
		))
	}
	frame := f.layer("FRAME", "Programme", 0, 0, 800, 1240, append([]Layer{
		f.text("heading", "Programme: Saturday", 48, 800, 0x0f172a, 40, 32),
		f.layer("LINE", "rule", 40, 104, 720, 0).with(map[string]any{"strokes": solid(0x0f172a), "strokeWeight": 2.0}),
	}, rows...)...).fill(solid(0xffffff))
	return f.json("Poster", f.canvas("Page 1", frame))
}

// Form is a screen with settings and their explanations.
func Form() []byte {
	f := newFile()
	var fields []Layer
	for i, name := range []string{"Full name", "E-mail address", "Company (optional)", "Street and number", "Postcode", "City", "Country", "VAT number"} {
		y := float64(i) * 92
		fields = append(fields, f.layer("FRAME", "Field / "+name, 24, y+100, 480, 76,
			f.text("Label", name, 14, 500, 0x334155, 24, y+100),
			f.layer("FRAME", "Input", 24, y+124, 480, 40,
				f.text("Placeholder", "Enter "+name, 16, 400, 0x94a3b8, 36, y+134),
				f.vector("chevron", 470, y+134, 16),
			).auto("HORIZONTAL", 12, 10, 8).fill(solid(0xffffff)).with(map[string]any{"strokes": solid(0xcbd5e1), "cornerRadius": 6.0}),
		).auto("VERTICAL", 0, 0, 6))
	}
	button := f.layer("FRAME", "Button", 24, 860, 160, 48, f.text("Label", "Save address", 16, 600, 0xffffff, 48, 874)).
		auto("HORIZONTAL", 24, 12, 8).fill(solid(0x1976d2)).with(map[string]any{"cornerRadius": 8.0})
	frame := f.layer("FRAME", "Address", 0, 0, 528, 940, append(append([]Layer{f.text("Heading", "Your address", 24, 700, 0x0f172a, 24, 32)}, fields...), button)...).
		auto("VERTICAL", 24, 32, 16).fill(solid(0xf8fafc))
	return f.json("Form", f.canvas("Page 1", frame))
}

// Large is a file of at least size bytes.
func Large(size int) []byte {
	n := 64
	for {
		out := Instances(n)
		if len(out) >= size {
			return out
		}
		n = n*size/len(out) + 8
	}
}
