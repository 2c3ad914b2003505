package figmatree

// Optimize: the modules in their order, and what each of them did.

// Format is how an optimised answer is written.
type Format uint8

// The formats.
const (
	Dense Format = iota // one line for a layer
	JSON                // JSON without white space
)

// Options say what to do with an answer.
type Options struct {
	Format  Format
	KeepSVG bool // leave outlines as path data in
	Budget  int  // characters; what does not fit becomes stubs. 0: all
}

// Counts are what the modules did.
type Counts struct {
	WhitespaceBytes     int `json:"whitespaceBytes"`     // what writing the same JSON without white space saves
	MetaKeysDeleted     int `json:"metaKeysDeleted"`     // modules 1 and 5
	InvisiblePruned     int `json:"invisiblePruned"`     // 2: layers, each with all below it
	InstancesCollapsed  int `json:"instancesCollapsed"`  // 3
	SVGRefsReplaced     int `json:"svgRefsReplaced"`     // 4
	LayoutCoordsRemoved int `json:"layoutCoordsRemoved"` // 6: layers
	Stubs               int `json:"stubs"`               // 7: layers that stand for those below them
	LayersLeftOut       int `json:"layersLeftOut"`       // 7
	Sliced              int `json:"sliced"`              // 7: characters that are missing in the layer asked for
	SameAs              int `json:"sameAs"`              // 8a: subtrees without a difference
	TextDiffs           int `json:"textDiffs"`           // 8a: subtrees with one
	NoOpStyles          int `json:"noOpStyles"`          // 8b
	Rounded             int `json:"rounded"`             // 8c: values
}

// Result is an optimised answer.
type Result struct {
	Text string // the answer as it was if Skipped is not nil
	Counts
	Format  Format
	Layers  int   // how many there are after the modules that take some out
	Skipped error // why the answer is not understood
}

// Optimize runs the modules on the text of an answer.
func Optimize(text string, o Options) Result {
	v, err := ParseText(text)
	if err != nil {
		return Result{Text: text, Skipped: err}
	}
	doc, err := newDocument(v, false)
	if err != nil {
		return Result{Text: text, Skipped: err}
	}
	r := Result{Format: o.Format}
	r.WhitespaceBytes = max(0, len(text)-jsonLen(v))
	if doc.Shape == Framelink {
		simplify(v, o.Format == JSON, &r.Counts)
	} else {
		v = clean(v, doc, o, &r.Counts)
	}
	for _, root := range doc.Roots {
		r.Layers += countLayers(root.Value)
	}
	if o.Format == JSON {
		r.Text = fittedJSON(v, o.Budget, &r.Counts)
		return r
	}
	if doc, err = NewDocument(v); err != nil {
		return Result{Text: text, Skipped: err}
	}
	r.Text = newDense(doc, v, &r.Counts).fitted(o.Budget, &r.Counts)
	return r
}

// countLayers counts a node and those below it.
func countLayers(v *Value) int {
	n := 1
	children := v.Get(childrenMember).Items()
	for i := range children {
		if child := &children[i]; child.Kind == Object && child.Get("id") != nil {
			n += countLayers(child)
		}
	}
	return n
}

// simplify runs the modules for Framelink's shape. The dense form has copies of
// its own.
func simplify(v *Value, fold bool, counts *Counts) {
	trimMetadata(v, counts)
	dropNoOps(v, counts)
	roundStyles(v, counts)
	if fold {
		foldRepeats(v, counts)
	}
}

// clean runs the modules for the REST API's shape.
func clean(v *Value, doc *Document, o Options, counts *Counts) *Value {
	v.remove(func(m *Value) bool {
		gone := metadataMembers[m.Name]
		if gone {
			counts.MetaKeysDeleted++
		}
		return gone
	})
	c := cleaner{keepSVG: o.KeepSVG, counts: counts}
	collapse := collapser{first: map[string]*Value{}, counts: counts}
	for _, root := range doc.Roots {
		c.root(root.Value)
		if o.Format == Dense {
			placeInParent(root.Value, 0, 0)
		}
	}
	for _, root := range doc.Roots {
		*root.Value = collapse.inside(root.Value)
	}
	for _, root := range doc.Roots { // not before: what is compared has its positions
		compressLayout(root.Value, counts)
	}
	return v
}
