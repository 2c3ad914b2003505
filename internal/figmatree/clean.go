package figmatree

// Modules 1, 2, 4 and 6: what is taken out of the nodes of the REST API.

import "strings"

// metadataMembers are a node's (and a file's) members that say nothing about
// how the component looks or behaves: history, plugins, export presets,
// prototype wiring, bounds that follow from others (module 1).
var metadataMembers = names(`
	createdAt updatedAt lastModified lastModifiedAt creator thumbnailUrl thumbnail_url version role editorType linkAccess
	schemaVersion mainFileKey branches
	pluginData sharedPluginData pluginRelaunchData exportSettings reactions interactions
	transitionNodeID transitionDuration transitionEasing flowStartingPoints prototypeStartNodeID prototypeDevice prototypeBackgrounds
	devStatus isExposedInstance exposedInstances locked complexStrokeProperties absoluteRenderBounds`)

// defaultMembers are dropped where they hold what Figma takes for granted.
var defaultMembers = map[string]string{
	"blendMode": "PASS_THROUGH", "scrollBehavior": "SCROLLS", "layoutPositioning": "AUTO",
}

// geometryMembers hold outlines as path data (module 4).
var geometryMembers = names("fillGeometry strokeGeometry vectorPaths vectorNetwork")

func names(list string) map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		out[name] = true
	}
	return out
}

// cleaner runs the modules over a tree, in place.
type cleaner struct {
	keepSVG bool
	counts  *Counts
}

// root cleans a top node, which stays even if it is hidden: it was asked for.
func (c cleaner) root(v *Value) { c.node(v) }

func (c cleaner) node(v *Value) {
	c.members(v)
	children := v.Get("children")
	if children == nil || children.Kind != Array {
		return
	}
	kept := children.Kids[:0]
	for i := range children.Kids {
		child := &children.Kids[i]
		if hidden(child) {
			c.counts.InvisiblePruned++
			continue
		}
		c.node(child)
		kept = append(kept, *child)
	}
	children.Kids = kept
}

// hidden reports whether a layer can't be seen (module 2).
func hidden(v *Value) bool {
	if v.Get("visible").IsFalse() {
		return true
	}
	opacity, ok := v.Get("opacity").Float()
	return ok && opacity == 0
}

func (c cleaner) members(v *Value) {
	var outlined bool
	v.remove(func(m *Value) bool {
		switch {
		case metadataMembers[m.Name]:
			c.counts.MetaKeysDeleted++
			return true
		case isDefault(m):
			c.counts.MetaKeysDeleted++
			return true
		case !c.keepSVG && geometryMembers[m.Name]:
			outlined = outlined || len(m.Kids) > 0
			return true
		}
		return false
	})
	if outlined {
		c.counts.SVGRefsReplaced++
		v.set(StringValue("_svgRef", v.Get("id").Str()))
	}
}

func isDefault(m *Value) bool {
	text, known := defaultMembers[m.Name]
	return known && m.Kind == String && m.Text == text
}

// compressLayout takes the position from what an auto layout places (module 6).
func compressLayout(v *Value, counts *Counts) {
	children := v.Get("children").Items()
	auto := autoLayout(v)
	for i := range children {
		if child := &children[i]; auto && placed(child) && dropPosition(child) {
			counts.LayoutCoordsRemoved++
		}
		compressLayout(&children[i], counts)
	}
}

// anchors reports whether the positions of what is in a layer, which are those
// on the canvas, can be told only with the layer's own.
func anchors(v *Value) bool {
	auto := autoLayout(v)
	for _, child := range v.Get(childrenMember).Items() {
		if (!auto || !placed(&child)) && child.Path(boxMember, "x") != nil {
			return true
		}
	}
	for _, o := range v.Get(overridesMember).Items() {
		if o.Path(boxMember, "x") != nil || o.Get(childrenMember) != nil {
			return true
		}
	}
	return false
}

// autoLayout reports whether a layer arranges its children in a row or column.
func autoLayout(v *Value) bool {
	mode := v.Get("layoutMode").Str()
	return mode == "HORIZONTAL" || mode == "VERTICAL"
}

// placed reports whether a child takes part in its parent's auto layout.
func placed(v *Value) bool { return v.Get("layoutPositioning").Str() != "ABSOLUTE" }

func isPosition(m *Value) bool { return m.Name == "x" || m.Name == "y" }

// dropPosition reports whether there was anything to drop. A transform that
// turns or mirrors stays.
func dropPosition(v *Value) bool {
	n := v.remove(func(m *Value) bool {
		return isPosition(m) && m.Kind == Number || m.Name == "relativeTransform" && onlyMoves(m)
	})
	for _, name := range []string{boxMember, placeMember} {
		if box := v.Get(name); box != nil && box.Kind == Object && (name == placeMember || !anchors(v)) {
			n += box.remove(isPosition)
		}
	}
	return n > 0
}

// onlyMoves reports whether a 2×3 matrix is a translation.
func onlyMoves(m *Value) bool {
	rows := m.Items()
	if len(rows) != 2 || len(rows[0].Items()) != 3 || len(rows[1].Items()) != 3 {
		return false
	}
	for i, want := range [4]float64{1, 0, 0, 1} {
		if f, ok := rows[i/2].Kids[i%2].Float(); !ok || f != want {
			return false
		}
	}
	return true
}
