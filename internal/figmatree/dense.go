package figmatree

// The dense form: one line for a layer. docs/figma-format.md has its grammar.

import (
	"strconv"
	"strings"
)

const (
	textKind  = "TEXT"
	frameKind = "FRAME"
)

// kindWords are the words for the types of layers. A text and a frame have none.
var kindWords = map[string]string{
	"INSTANCE": "instance", "COMPONENT": "component", "COMPONENT_SET": "variants", "GROUP": "group", "SECTION": "section",
	"RECTANGLE": "rect", "ELLIPSE": "ellipse", "LINE": "line", "VECTOR": "vector", "STAR": "star", "REGULAR_POLYGON": "polygon",
	"BOOLEAN_OPERATION": "boolean", "IMAGE-SVG": "svg", "IMAGE": "image", "CANVAS": "page", "DOCUMENT": "document",
	textKind: "text", frameKind: "frame", "SLICE": "slice",
}

var kindOfWord = func() map[string]string {
	out := map[string]string{}
	for kind, word := range kindWords {
		out[word] = kind
	}
	return out
}()

// dense is a document on its way to text.
type dense struct {
	doc    *Document
	roots  []*layer
	styles []Value // shared styles that only texts name, as {ts1}…{/ts1}; REST: all, by id
	lists  []listedComponent
}

// newDense makes the layers of a document. Identifiers of published components,
// which only plugins need, are counted as deleted.
func newDense(doc *Document, v *Value, counts *Counts) *dense {
	d := &dense{doc: doc}
	b := &builder{doc: doc, used: map[string]bool{}}
	for _, root := range doc.Roots {
		d.roots = append(d.roots, b.build(root))
	}
	for _, style := range v.Path("globalVars", "styles").Members() {
		if !b.used[style.Name] {
			d.styles = append(d.styles, style)
		}
	}
	if doc.Shape == REST {
		d.styles = listStyles(v, counts)
	}
	d.listComponents(v, counts)
	return d
}

// writer writes lines.
type writer struct {
	dst    []byte
	macros *macros
	prefix string // of the last id that was written in full
	used   features
}

// features are what a text makes use of; the legend explains only those.
type features struct {
	macros, shortIDs, innerIDs, copies, listed, stubs, star, places, canvas bool
}

// text writes the whole document.
func (d *dense) text() string {
	lines := d.lines()
	w := &writer{macros: findMacros(lines)}
	for _, root := range d.roots {
		w.used.canvas = w.used.canvas || d.doc.Shape == REST && root.place != ""
		w.layer(root, "", 0)
	}
	tree := w.dst
	w.dst, w.prefix = nil, ""
	w.components(d.lists)
	lists := w.dst
	w.used.macros = len(w.macros.list) > 0
	out := append(w.used.legend(), '\n')
	if d.doc.Name != "" {
		out = append(append(out, "file "...), relaxedLine(d.doc.Name)...)
		out = append(out, '\n')
	}
	out = append(d.missing(out), lists...)
	for i := range d.styles {
		out = append(appendRelaxedString(append(out, "style "...), d.styles[i].Name, true), '=')
		out = append(appendRelaxed(out, &d.styles[i], true), '\n')
	}
	out = w.macros.define(out)
	out = append(append(out, '\n'), tree...)
	return strings.TrimRight(string(out), "\n")
}

// missing names the nodes that were asked for and that the file does not have.
func (d *dense) missing(dst []byte) []byte {
	for i, id := range d.doc.Missing {
		between := ", "
		if i == 0 {
			between = "not in the file: "
		}
		dst = append(dst, between...)
		if !plainID(id) {
			id = string(appendQuoted(nil, id))
		}
		dst = append(dst, id...)
	}
	if len(d.doc.Missing) > 0 {
		dst = append(dst, '\n')
	}
	return dst
}

// legend is the first line.
func (f features) legend() []byte {
	out := []byte(`[type] name #id style: text. Indent=child; type omitted: text if it has ": ", else frame.`)
	say := func(used bool, text string) {
		if used {
			out = append(append(out, ' '), text...)
		}
	}
	say(f.macros, "x=… are shorthands.")
	say(f.shortIDs, "#7: id with the page number of the last full a:b above.")
	say(f.innerIDs, "#;x: I<instance id>;x.")
	say(f.star, "W*H: unsized axes.")
	say(f.places && !f.canvas, "@x,y in parent.")
	say(f.canvas, "@x,y in parent, of the top layer on the canvas.")
	say(f.copies, "#b =#a: subtree like a's, ids counted on alike, except the lines below it.")
	say(f.listed, "(ids): those of the subtree.")
	say(f.stubs, "…n: its style and n layers below are left out, fetch it by nodeId.")
	return out
}

// lines returns the layers whose words are written.
func (d *dense) lines() []*layer {
	var out []*layer
	var walk func(l *layer)
	walk = func(l *layer) {
		if l.copyOf != nil {
			for _, changed := range l.diff {
				if !changed.onlyText {
					out = append(out, changed)
				}
			}
			return
		}
		if l.cut {
			return
		}
		out = append(out, l)
		for _, kid := range l.kids {
			walk(kid)
		}
	}
	for _, root := range d.roots {
		walk(root)
	}
	return out
}

// layer writes a layer and those below it. base is the instance that ids may be
// relative to.
func (w *writer) layer(l *layer, base string, depth int) {
	w.indent(depth)
	// Full ids near the root keep the way up to one short.
	w.head(l, base, depth < 2)
	switch {
	case l.copyOf != nil:
		w.copied(l, base, depth)
		return
	case l.cut:
		w.stub(l)
		return
	}
	w.tail(l)
	inner := innerBase(l, base)
	for _, kid := range l.kids {
		w.layer(kid, inner, depth+1)
	}
	if l.more > 0 {
		w.indent(depth + 1)
		w.dst = append(append(w.dst, "… "...), strconv.Itoa(l.more)...)
		w.dst = append(w.dst, " more layers\n"...)
	}
}

// stub ends the line of a layer whose branch was left out.
func (w *writer) stub(l *layer) {
	w.used.stubs = true
	w.dst = append(w.dst, " …"...)
	if below := l.count - 1; below > 0 {
		w.dst = strconv.AppendInt(w.dst, int64(below), 10)
	}
	w.text(l)
}

func innerBase(l *layer, base string) string {
	if l.kind == "INSTANCE" {
		return l.id
	}
	return base
}

// copied writes what follows the id of a copy.
func (w *writer) copied(l *layer, base string, depth int) {
	w.used.copies = true
	w.dst = append(w.dst, " ="...)
	w.reference(l.copyOf.id)
	if l.place != "" {
		w.used.places = true
		w.dst = append(append(w.dst, ' '), l.place...)
	}
	if l.listed {
		w.used.listed = true
		w.dst = append(w.dst, " ("...)
		for i, id := range l.below(nil) {
			if i > 0 {
				w.dst = append(w.dst, ' ')
			}
			w.id(id, "", false)
		}
		w.dst = append(w.dst, ')')
	}
	w.dst = append(w.dst, '\n')
	inner := ""
	if l.kind == "INSTANCE" {
		inner = l.id
	}
	for _, changed := range l.diff {
		w.indent(depth + 1)
		if changed.onlyText {
			w.dst = append(w.dst, '#')
			w.id(changed.id, inner, false)
			w.text(changed)
			continue
		}
		w.head(changed, inner, false)
		w.tail(changed)
	}
}

// below returns the ids of the layers below l, parents first.
func (l *layer) below(ids []string) []string {
	for _, kid := range l.kids {
		ids = kid.below(append(ids, kid.id))
	}
	return ids
}

func (w *writer) indent(depth int) {
	for range depth {
		w.dst = append(w.dst, ' ')
	}
}

// head writes type, name and id.
func (w *writer) head(l *layer, base string, full bool) {
	if word := l.kindWord(); word != "" {
		w.dst = append(append(w.dst, word...), ' ')
	}
	if l.named {
		w.dst = append(appendName(w.dst, l.name), ' ')
	}
	w.dst = append(w.dst, '#')
	w.id(l.id, base, full)
}

// kindWord returns the word for a layer's type.
func (l *layer) kindWord() string {
	if l.kind == textKind && l.worded || l.kind == frameKind && !l.worded {
		return ""
	}
	if word := kindWords[l.kind]; word != "" {
		return word
	}
	return "<" + string(appendRelaxedString(nil, l.kind, false)) + ">"
}

// tail writes words, text and line end.
func (w *writer) tail(l *layer) {
	if l.place != "" {
		w.used.places = true
		w.dst = append(append(w.dst, ' '), l.place...)
	}
	w.used.star = w.used.star || strings.Contains(l.attrs.size, "*")
	for _, word := range w.macros.words(l) {
		w.dst = append(append(w.dst, ' '), word...)
	}
	w.text(l)
}

func (w *writer) text(l *layer) {
	if l.worded {
		w.dst = append(append(w.dst, ": "...), relaxedLine(l.text)...)
	}
	w.dst = append(w.dst, '\n')
}

// relaxedLine writes a text that ends with its line: bare if it can be.
func relaxedLine(s string) string {
	if s == "" || s[0] == '"' || strings.TrimSpace(s) != s || !oneLine(s) {
		return string(appendQuoted(nil, s))
	}
	return s
}

// appendName appends a name, in quotes if it could be taken for something else.
func appendName(dst []byte, s string) []byte {
	first, _, _ := strings.Cut(s, " ")
	if kindOfWord[first] != "" || s == "" || strings.IndexByte(`"<=`, s[0]) >= 0 || strings.Contains(s, "#") || strings.TrimSpace(s) != s || !oneLine(s) {
		return appendQuoted(dst, s)
	}
	return append(dst, s...)
}

// plainID is an id as Figma writes them; others are quoted.
func plainID(id string) bool {
	for i := 0; i < len(id); i++ {
		if c := id[i]; !isDigit(c) && c != ':' && c != ';' && c != 'I' && c != '-' {
			return false
		}
	}
	return id != ""
}

// id writes an id: relative to the instance that the layer is in, without the
// page number if the last full id had it, or in full.
func (w *writer) id(id, base string, full bool) {
	if !plainID(id) {
		w.dst = appendQuoted(w.dst, id)
		return
	}
	if rest, ok := strings.CutPrefix(id, "I"+strings.TrimPrefix(base, "I")+";"); ok && base != "" {
		w.used.innerIDs = true
		w.dst = append(append(w.dst, ';'), rest...)
		return
	}
	page, number, ok := numbered(id)
	switch {
	case !ok || number < 0:
		w.dst = append(w.dst, id...)
	case page == w.prefix && !full:
		w.used.shortIDs = true
		w.dst = strconv.AppendInt(w.dst, int64(number), 10)
	default:
		w.prefix = page
		w.dst = append(w.dst, id...)
	}
}

// reference writes another layer's id.
func (w *writer) reference(id string) {
	prefix := w.prefix
	w.dst = append(w.dst, '#')
	w.id(id, "", false)
	w.prefix = prefix
}
