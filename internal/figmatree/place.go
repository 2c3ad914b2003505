package figmatree

// Places in the parent, as the dense form writes them for both shapes.

import (
	"math"
	"strconv"
)

// placeInParent turns the boxes of a REST node and of those below it into boxes
// whose x and y count from the parent's corner. x and y are the corner of the
// nearest layer above that has a box; a layer without one above, as those of a
// page, stays where it is on the canvas.
func placeInParent(v *Value, x, y float64) {
	if box := v.Get(boxMember); box != nil && box.Kind == Object {
		box.Name = placeMember
		left, okX := box.Get("x").Float()
		top, okY := box.Get("y").Float()
		if okX && okY {
			box.Get("x").Text, box.Get("y").Text = hundredths(left-x), hundredths(top-y)
			x, y = left, top
		}
	}
	children := v.Get(childrenMember).Items()
	for i := range children {
		placeInParent(&children[i], x, y)
	}
}

// hundredths writes a length with at most two decimals: coordinates on a large
// canvas are not more exact.
func hundredths(f float64) string {
	if f = math.Round(f*100) / 100; f == 0 {
		f = 0 // not -0
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
