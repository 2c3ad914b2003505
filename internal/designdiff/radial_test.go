package designdiff

// Radial and angular gradients of the REST API beside CSS's.

import (
	"fmt"
	"testing"
)

// restGradient is a frame of w by h px with a red to blue gradient.
func restGradient(kind string, w, h float64, handles [6]float64) string {
	return fmt.Sprintf(`{"id":"1:1","type":"FRAME","blendMode":"PASS_THROUGH","absoluteBoundingBox":{"x":0,"y":0,"width":%v,"height":%v},
		"fills":[{"type":"GRADIENT_%s","blendMode":"NORMAL","gradientHandlePositions":[{"x":%v,"y":%v},{"x":%v,"y":%v},{"x":%v,"y":%v}],
		"gradientStops":[{"position":0,"color":{"r":1,"g":0,"b":0,"a":1}},{"position":1,"color":{"r":0,"g":0,"b":1,"a":1}}]}]}`,
		w, h, kind, handles[0], handles[1], handles[2], handles[3], handles[4], handles[5])
}

func TestRoundGradients(t *testing.T) {
	half, small := [6]float64{.5, .5, .5, 1, 0, .5}, [6]float64{.5, .5, .5, .55, .45, .5}
	for _, c := range []struct {
		kind    string
		w, h    float64
		handles [6]float64
		css     string
		want    Status
	}{
		{"RADIAL", 200, 100, half, "radial-gradient(50% 50%, #f00, #00f)", Match},
		{"RADIAL", 200, 100, half, "radial-gradient(closest-side, #f00, #00f)", Match},
		{"RADIAL", 200, 100, half, "radial-gradient(100px 50px at center, #f00, #00f)", Match},
		{"RADIAL", 200, 100, half, "radial-gradient(#f00 0%, #00f 70.7%)", Match},                    // the same, to the farthest corner
		{"RADIAL", 200, 100, half, "radial-gradient(#f00, #00f)", Mismatch},                          // farthest-corner
		{"RADIAL", 200, 100, half, "radial-gradient(circle closest-side, #f00, #00f)", Mismatch},     // round
		{"RADIAL", 200, 100, half, "radial-gradient(closest-side at 40% 50%, #f00, #00f)", Mismatch}, // elsewhere
		{"RADIAL", 200, 100, half, "radial-gradient(closest-side, #f00, #0f0)", Mismatch},
		{"RADIAL", 200, 100, half, "radial-gradient(closest-side at right 10px top 5px, #f00, #00f)", Unknown},
		{"RADIAL", 200, 100, small, "radial-gradient(#f00, #00f)", Mismatch},
		{"RADIAL", 200, 100, small, "radial-gradient(50% 50%, #f00, #00f)", Mismatch},
		{"RADIAL", 200, 100, small, "radial-gradient(5% 5%, #f00, #00f)", Match},
		{"RADIAL", 200, 100, [6]float64{.5, .5, .75, .5, .5, 1}, "radial-gradient(circle 50px, #f00, #00f)", Match},
		{"RADIAL", 200, 100, [6]float64{.5, .5, .75, 1, .25, 1}, "radial-gradient(circle 70.71px at 50% 50%, #f00, #00f)", Match}, // a circle that is turned
		{"RADIAL", 200, 100, [6]float64{.5, .5, .75, 1, .4, .7}, "radial-gradient(#f00, #00f)", Unknown},                          // an ellipse that is
		{"RADIAL", 200, 100, [6]float64{0, 0, 1, 0, 0, 1}, "radial-gradient(farthest-side at left top, #f00, #00f)", Match},
		{"RADIAL", 200, 100, [6]float64{0, 0, 1, 0, 0, 1}, "radial-gradient(farthest-side at top left, #f00, #00f)", Match},
		{"RADIAL", 200, 100, [6]float64{0, 0, 1, 0, 0, 1}, "radial-gradient(farthest-corner at 0% 0%, #f00, #00f)", Mismatch},

		{"ANGULAR", 100, 100, half, "conic-gradient(from 180deg, #f00, #00f)", Match},
		{"ANGULAR", 100, 100, half, "conic-gradient(from 90deg, #f00, #00f)", Unknown},
		{"ANGULAR", 200, 100, half, "conic-gradient(from 180deg, #f00, #00f)", Unknown},                                  // stretched
		{"ANGULAR", 200, 100, [6]float64{.5, .5, .5, 1, .25, .5}, "conic-gradient(from 180deg, #f00, #00f)", Match},      // even
		{"ANGULAR", 100, 100, [6]float64{.5, .5, .5, 1, 1, .5}, "conic-gradient(from 180deg, #f00, #00f)", Unknown},      // the other way round
		{"ANGULAR", 100, 100, [6]float64{.5, .5, .5, 1, .146, .854}, "conic-gradient(from 180deg, #f00, #00f)", Unknown}, // slanted
	} {
		e := element(css{"background-image": c.css}, nil)
		e.Width, e.Height = c.w, c.h
		r := only(t, restNode(t, restGradient(c.kind, c.w, c.h, c.handles)), e, "backgroundImage")
		if r.Status != c.want || r.Status == Unknown && r.Note == "" {
			t.Errorf("%s %v in %v by %v and %s: %+v, want %s", c.kind, c.handles, c.w, c.h, c.css, r, c.want)
		}
	}
	// A page of another size has the same gradient.
	e := element(css{"background-image": "radial-gradient(closest-side, #f00, #00f)"}, nil)
	e.Width, e.Height = 400, 120
	if r := only(t, restNode(t, restGradient("RADIAL", 200, 100, half)), e, "backgroundImage"); r.Status != Match {
		t.Errorf("in a larger box: %+v", r)
	}
}

// Whatever a page says, a gradient that is understood has an end.
func FuzzOvals(f *testing.F) {
	f.Add("circle closest-side at left 10px", 200.0, 100.0)
	f.Add("5% 20px at bottom", 3.0, 0.5)
	f.Fuzz(func(t *testing.T, geometry string, w, h float64) {
		w, h = min(max(w, 1), 1e5), min(max(h, 1), 1e5)
		o := cssOval(geometry, w, h)
		if o == nil {
			return
		}
		if !(o.rx > 0 && o.ry > 0 && o.x >= 0 && o.x <= 1 && o.y >= 0 && o.y <= 1) {
			t.Errorf("%q in %v by %v is %+v", geometry, w, h, *o)
		}
		g := gradient{kind: "radial", oval: o, stops: []stop{{0, color{255, 0, 0, 1}}, {1, color{0, 0, 255, 1}}}}
		if status, why := g.compare(g, Tolerance{PX: 2, Color: 5}); status != Match {
			t.Errorf("%q beside itself is %s %s", geometry, status, why)
		}
	})
}
