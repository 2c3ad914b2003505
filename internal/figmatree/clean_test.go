package figmatree

// Modules 1, 2, 4 and 6 on the REST API's shape.

import (
	"strings"
	"testing"
)

// optimised runs the modules and returns the JSON.
func optimised(t *testing.T, text string, o Options) (string, Counts) {
	t.Helper()
	o.Format = JSON
	r := Optimize(text, o)
	if r.Skipped != nil {
		t.Fatal(r.Skipped)
	}
	return r.Text, r.Counts
}

func TestModules(t *testing.T) {
	tests := []struct {
		name, in, want string
		counts         Counts
		keepSVG        bool
	}{
		{
			name: "1: history, plugins, prototypes and defaults go",
			in: `{"document":{"id":"0:0","name":"D","type":"DOCUMENT","pluginData":{"a":{}},"children":[{"id":"1:1","name":"creator","type":"FRAME",
				"createdAt":"x","creator":{},"exportSettings":[{}],"reactions":[1],"interactions":[],"sharedPluginData":{},"transitionNodeID":null,
				"blendMode":"PASS_THROUGH","scrollBehavior":"SCROLLS","fills":[{"type":"SOLID","visible":false}],"constraints":{"vertical":"TOP"},
				"componentPropertyDefinitions":{"creator":{"type":"TEXT","defaultValue":"createdAt"}},"cornerRadius":4}]},
				"lastModified":"x","thumbnailUrl":"https://x","version":"1","name":"File","styles":{"1:2":{"name":"Brand/Blue"}}}`,
			want: `{"document":{"id":"0:0","name":"D","type":"DOCUMENT","children":[{"id":"1:1","name":"creator","type":"FRAME",` +
				`"fills":[{"type":"SOLID","visible":false}],"constraints":{"vertical":"TOP"},` +
				`"componentPropertyDefinitions":{"creator":{"type":"TEXT","defaultValue":"createdAt"}},"cornerRadius":4}]},` +
				`"name":"File","styles":{"1:2":{"name":"Brand/Blue"}}}`,
			counts: Counts{MetaKeysDeleted: 13},
		},
		{
			name: "1: what differs from the default stays",
			in:   `{"id":"1:1","type":"FRAME","blendMode":"MULTIPLY","scrollBehavior":"FIXED","layoutPositioning":"ABSOLUTE"}`,
			want: `{"id":"1:1","type":"FRAME","blendMode":"MULTIPLY","scrollBehavior":"FIXED","layoutPositioning":"ABSOLUTE"}`,
		},
		{
			name: "2: hidden layers go with all below them, but not the one asked for",
			in: `{"id":"1:1","type":"FRAME","visible":false,"children":[{"id":"1:2","visible":false,"children":[{"id":"1:3"}]},
				{"id":"1:4","opacity":0},{"id":"1:5","opacity":0.5,"visible":true},{"id":"1:6","opacity":0.0}]}`,
			want:   `{"id":"1:1","type":"FRAME","visible":false,"children":[{"id":"1:5","opacity":0.5,"visible":true}]}`,
			counts: Counts{InvisiblePruned: 3},
		},
		{
			name:   "4: outlines become a reference",
			in:     `{"id":"1:1","type":"VECTOR","fillGeometry":[{"path":"M0 0L1 1Z","windingRule":"NONZERO"}],"strokeGeometry":[],"fills":[]}`,
			want:   `{"id":"1:1","type":"VECTOR","fills":[],"_svgRef":"1:1"}`,
			counts: Counts{SVGRefsReplaced: 1},
		},
		{
			name: "4: no outline, no reference",
			in:   `{"id":"1:1","type":"FRAME","fillGeometry":[],"strokeGeometry":[]}`,
			want: `{"id":"1:1","type":"FRAME"}`,
		},
		{
			name:    "4: outlines stay if they are wanted",
			in:      `{"id":"1:1","type":"VECTOR","fillGeometry":[{"path":"M0 0Z"}]}`,
			want:    `{"id":"1:1","type":"VECTOR","fillGeometry":[{"path":"M0 0Z"}]}`,
			keepSVG: true,
		},
		{
			name: "6: what an auto layout places has a size only",
			in: `{"id":"1:1","type":"FRAME","layoutMode":"HORIZONTAL","absoluteBoundingBox":{"x":1,"y":2,"width":9,"height":9},"children":[
				{"id":"1:2","absoluteBoundingBox":{"x":1,"y":2,"width":3,"height":4},"relativeTransform":[[1,0,5],[0,1,6]],"x":1,"y":2},
				{"id":"1:3","absoluteBoundingBox":{"x":1,"y":2,"width":3,"height":4},"relativeTransform":[[0,1,5],[1,0,6]]},
				{"id":"1:4","layoutPositioning":"ABSOLUTE","absoluteBoundingBox":{"x":1,"y":2,"width":3,"height":4}},
				{"id":"1:5","layoutMode":"NONE","absoluteBoundingBox":null,"children":[{"id":"1:6","absoluteBoundingBox":{"x":1,"y":2,"width":3,"height":4}}]}]}`,
			want: `{"id":"1:1","type":"FRAME","layoutMode":"HORIZONTAL","absoluteBoundingBox":{"x":1,"y":2,"width":9,"height":9},"children":[` +
				`{"id":"1:2","absoluteBoundingBox":{"width":3,"height":4}},` +
				`{"id":"1:3","absoluteBoundingBox":{"width":3,"height":4},"relativeTransform":[[0,1,5],[1,0,6]]},` +
				`{"id":"1:4","layoutPositioning":"ABSOLUTE","absoluteBoundingBox":{"x":1,"y":2,"width":3,"height":4}},` +
				`{"id":"1:5","layoutMode":"NONE","absoluteBoundingBox":null,"children":[{"id":"1:6","absoluteBoundingBox":{"x":1,"y":2,"width":3,"height":4}}]}]}`,
			counts: Counts{LayoutCoordsRemoved: 2},
		},
		{
			name: "answers for several nodes",
			in:   `{"name":"F","lastModified":"x","nodes":{"1:1":{"document":{"id":"1:1","type":"FRAME","reactions":[]},"components":{}},"1:9":null,"2:1":{"document":{"id":"2:1","type":"TEXT","characters":"a","creator":1}}}}`,
			want: `{"name":"F","nodes":{"1:1":{"document":{"id":"1:1","type":"FRAME"},"components":{}},"1:9":null,"2:1":{"document":{"id":"2:1","type":"TEXT","characters":"a"}}}}`, counts: Counts{MetaKeysDeleted: 3},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, counts := optimised(t, tt.in, Options{KeepSVG: tt.keepSVG})
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if counts.WhitespaceBytes = 0; counts != tt.counts {
				t.Errorf("counted %+v", counts)
			}
		})
	}
}

func TestWhatIsNoDesign(t *testing.T) {
	for _, text := range []string{
		"", "{", "null", "[]", "{}", `{"ok":true}`, `"text"`, "plain text", `{"nodes":{"1:1":null}}`, `{"nodes":[]}`, `{"nodes":[1,"a",{"name":"no id"}]}`,
		"NAME: \"A\"\n\nGLOBAL_VARS:\nfill: []\n\nNODES:\n[FRAME] \"x\" #1:2", "Error fetching file: 404", "- a\n- b", "a: b",
		strings.Repeat("[", 100_000), strings.Repeat("{\"a\":", 100_000), "a: &x [1]\nb: [*x,*x]\n", "\x00", `{"id":"1:1"} x`,
	} {
		if r := Optimize(text, Options{}); r.Skipped == nil || r.Text != text {
			t.Errorf("%.40q was taken for a design: %.80q", text, r.Text)
		}
	}
}
