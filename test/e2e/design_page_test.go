// What the comparison reads from a page that is styled in roundabout ways.

package e2e

import (
	"testing"

	"github.com/playguard/playguard/internal/designdiff"
	"github.com/playguard/playguard/test/site"
)

// styled is what is read of elements of test/site/pages/styled.html.
var styled = []struct {
	selector, property string
	status             designdiff.Status
	browser            string // not looked at if empty
}{
	{"#d-inherited", "textDecoration", designdiff.Mismatch, "underline"},
	{"#d-inline-block", "textDecoration", designdiff.Match, "none"},
	{"#d-inline-flex", "textDecoration", designdiff.Match, "none"},
	{"#d-float", "textDecoration", designdiff.Match, "none"},
	{"#d-absolute", "textDecoration", designdiff.Match, "none"},
	{"#d-fixed", "textDecoration", designdiff.Match, "none"},
	{"#d-own", "textDecoration", designdiff.Mismatch, "line-through"},
	{"#d-both", "textDecoration", designdiff.Mismatch, "line-through underline"},
	{"#d-item", "textDecoration", designdiff.Mismatch, "underline"},
	{"#d-slotted", "textDecoration", designdiff.Match, "none"},
	{"#d-shadow", "textDecoration", designdiff.Mismatch, "underline"},
	{"#d-none", "textDecoration", designdiff.Match, "none"},
	{"#b-size", "backgroundImage", designdiff.Unknown, ""},
	{"#b-blend", "color", designdiff.Unknown, ""},
}

func TestCompareDesignOfStyledPage(t *testing.T) {
	design := mustJSON(t, map[string]any{"globalVars": map[string]any{"styles": map[string]any{}}, "nodes": []any{map[string]any{
		"id": "1:1", "type": "TEXT", "text": "Text", "textStyle": map[string]any{"fontFamily": "Inter", "fontSize": 16, "fontWeight": 400},
	}}})
	_, p := open(t, "FIGMA_MCP_CMD="+answering(t, design))
	navigate(t, p, site.Start(t).URL+"/styled.html")
	var pairs []any
	for _, s := range styled {
		pairs = append(pairs, map[string]any{"figmaNodeId": "1:1", "browserSelector": s.selector})
	}
	c := compare(t, p, map[string]any{"pairs": pairs, "properties": []string{"textDecoration", "color", "backgroundImage"}})
	for i, want := range styled {
		pair, found := c.Pairs[i], false
		for _, row := range pair.Properties {
			if row.Property != want.property {
				continue
			}
			found = true
			if row.Status != string(want.status) || want.browser != "" && row.Browser != want.browser {
				t.Errorf("%s: %+v, want %+v", want.selector, row, want)
			}
		}
		if !found {
			t.Errorf("%s has no %s: %s", want.selector, want.property, pair.Error)
		}
	}
	for id, hidden := range map[string]bool{"#h-display": true, "#h-visibility": true, "#h-inherited": true, "#d-none": false} {
		c := compare(t, p, map[string]any{"figmaNodeId": "1:1", "browserSelector": id, "properties": []string{"fontSize"}})
		if c.Pairs[0].Hidden != hidden {
			t.Errorf("%s is %+v", id, c.Pairs[0])
		}
	}
	p.End()
}
