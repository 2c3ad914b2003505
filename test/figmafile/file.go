// Package figmafile makes Figma files as the REST API sends them: for the fake
// API, for the tests of the optimiser and for the benchmark. The designs are
// made up; the members and their order of magnitude are Figma's.
package figmafile

// What every file is made of: layers, and the file around them.

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Layer is a node of the document.
type Layer map[string]any

// file hands out ids and keeps the lists of components.
type file struct {
	page, last int
	components map[string]any
	sets       map[string]any
	styles     map[string]any
}

func newFile() *file {
	return &file{page: 1, components: map[string]any{}, sets: map[string]any{}, styles: map[string]any{}}
}

func (f *file) id() string {
	f.last++
	return fmt.Sprintf("%d:%d", f.page, f.last)
}

// rgb is a colour as the API writes it, channels from 0 to 1.
func rgb(hex uint32) map[string]any {
	channel := func(shift int) float64 { return float64(float32(hex>>shift&255) / 255) }
	return map[string]any{"r": channel(16), "g": channel(8), "b": channel(0), "a": 1.0}
}

func solid(hex uint32) []any {
	return []any{map[string]any{"blendMode": "NORMAL", "type": "SOLID", "color": rgb(hex)}}
}

func gradient(from, to uint32) []any {
	return []any{map[string]any{
		"blendMode": "NORMAL", "type": "GRADIENT_LINEAR",
		"gradientHandlePositions": []any{point(0.5, -3.0616171314629196e-17), point(0.5, 0.9999999999999999), point(0, 0)},
		"gradientStops": []any{
			map[string]any{"color": rgb(from), "position": 0.0},
			map[string]any{"color": rgb(to), "position": 1.0},
		},
	}}
}

func point(x, y float64) map[string]any { return map[string]any{"x": x, "y": y} }

func shadow(y, radius float64) []any {
	c := rgb(0)
	c["a"] = 0.12
	return []any{map[string]any{"type": "DROP_SHADOW", "visible": true, "color": c, "blendMode": "NORMAL", "offset": point(0, y), "radius": radius, "showShadowBehindNode": false}}
}

// layer is what all layers have: bounds, and the members that tell a developer
// nothing.
func (f *file) layer(kind, name string, x, y, w, h float64, kids ...Layer) Layer {
	l := Layer{
		"id": f.id(), "name": name, "type": kind, "scrollBehavior": "SCROLLS", "blendMode": "PASS_THROUGH",
		"absoluteBoundingBox":  map[string]any{"x": x, "y": y, "width": w, "height": h},
		"absoluteRenderBounds": map[string]any{"x": x, "y": y, "width": w, "height": h},
		"constraints":          map[string]any{"vertical": "TOP", "horizontal": "LEFT"},
		"fills":                []any{}, "strokes": []any{}, "strokeWeight": 1.0, "strokeAlign": "INSIDE", "effects": []any{}, "interactions": []any{},
	}
	if kids != nil {
		l["children"] = kids
		l["clipsContent"] = false
	}
	return l
}

// with adds members.
func (l Layer) with(members map[string]any) Layer {
	for name, v := range members {
		l[name] = v
	}
	return l
}

func (l Layer) fill(paints []any) Layer { return l.with(map[string]any{"fills": paints}) }

// auto makes a layer an auto layout.
func (l Layer) auto(mode string, padX, padY, gap float64) Layer {
	return l.with(map[string]any{
		"layoutMode": mode, "itemSpacing": gap, "paddingLeft": padX, "paddingRight": padX, "paddingTop": padY, "paddingBottom": padY,
		"primaryAxisSizingMode": "AUTO", "counterAxisSizingMode": "AUTO", "counterAxisAlignItems": "CENTER",
		"layoutSizingHorizontal": "HUG", "layoutSizingVertical": "HUG", "layoutWrap": "NO_WRAP",
	})
}

// text is a text layer.
func (f *file) text(name, characters string, size, weight float64, color uint32, x, y float64) Layer {
	w := float64(len(characters)) * size * 0.52
	return f.layer("TEXT", name, x, y, w, size*1.4).fill(solid(color)).with(map[string]any{
		"characters": characters, "characterStyleOverrides": []any{}, "styleOverrideTable": map[string]any{}, "lineTypes": []any{"NONE"}, "lineIndentations": []any{0},
		"layoutSizingHorizontal": "HUG", "layoutSizingVertical": "HUG",
		"style": map[string]any{
			"fontFamily": "Inter", "fontPostScriptName": "Inter-Regular", "fontWeight": weight, "textAutoResize": "WIDTH_AND_HEIGHT", "fontSize": size,
			"textAlignHorizontal": "LEFT", "textAlignVertical": "TOP", "letterSpacing": 0.0,
			"lineHeightPx": size * 1.3999999364217122, "lineHeightPercent": 116.0, "lineHeightPercentFontSize": 139.99999364217122, "lineHeightUnit": "FONT_SIZE_%",
		},
	})
}

// vector is an icon: its outline as the API sends it for geometry=paths.
func (f *file) vector(name string, x, y, size float64) Layer {
	var path strings.Builder
	for i := range 24 {
		fmt.Fprintf(&path, "C%.6f %.6f %.6f %.6f %.6f %.6f", float64(i)*0.731, size-float64(i)*0.317, float64(i)*0.553, float64(i)*0.911, size*0.5, float64(i)*0.121)
	}
	return f.layer("VECTOR", name, x, y, size, size).fill(solid(0x334155)).with(map[string]any{
		"fillGeometry":   []any{map[string]any{"path": "M0 0" + path.String() + "Z", "windingRule": "NONZERO"}},
		"strokeGeometry": []any{}, "strokeCap": "ROUND", "layoutSizingHorizontal": "FIXED", "layoutSizingVertical": "FIXED",
	})
}

// json is the whole answer of GET /v1/files/:key.
func (f *file) json(name string, pages ...Layer) []byte {
	document := Layer{"id": "0:0", "name": "Document", "type": "DOCUMENT", "scrollBehavior": "SCROLLS", "children": pages}
	out, err := json.MarshalIndent(map[string]any{
		"document": document, "components": f.components, "componentSets": f.sets, "styles": f.styles, "schemaVersion": 0,
		"name": name, "lastModified": "2026-03-01T12:00:00Z", "thumbnailUrl": "https://images.example/thumbnail?signature=0123456789abcdef",
		"version": "1234567890", "role": "viewer", "editorType": "figma", "linkAccess": "view",
	}, "", " ")
	if err != nil {
		panic(err) // maps of numbers and texts
	}
	return out
}

func (f *file) canvas(name string, kids ...Layer) Layer {
	return Layer{
		"id": f.id(), "name": name, "type": "CANVAS", "scrollBehavior": "SCROLLS", "children": kids, "backgroundColor": rgb(0xf5f5f5),
		"prototypeStartNodeID": nil, "flowStartingPoints": []any{}, "prototypeDevice": map[string]any{"type": "NONE", "rotation": "NONE"},
	}
}
