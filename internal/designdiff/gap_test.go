package designdiff

// Gaps of rows, columns, wrapped lines and grids.

import (
	"strings"
	"testing"
)

func TestGaps(t *testing.T) {
	frame := func(members string) string {
		return `{"id":"1:1","type":"FRAME","blendMode":"PASS_THROUGH",` + members + `}`
	}
	flex := func(row, column string) css {
		return css{"display": "flex", "row-gap": row, "column-gap": column}
	}
	column := func(row, column string) css {
		return css{"display": "inline-flex", "flex-direction": "column-reverse", "row-gap": row, "column-gap": column}
	}
	grid := func(row, column string) css {
		return css{"display": "grid", "row-gap": row, "column-gap": column}
	}
	across, down := `"layoutMode":"HORIZONTAL","itemSpacing":16`, `"layoutMode":"VERTICAL","itemSpacing":16`
	wrap := across + `,"layoutWrap":"WRAP","counterAxisSpacing":8`
	both := `"layoutMode":"GRID","gridRowGap":8,"gridColumnGap":16`
	for _, c := range []struct {
		layer string
		css   css
		want  Status
		says  string
	}{
		{across, flex("4px", "16px"), Match, "16px"},
		{across, flex("16px", "4px"), Mismatch, "+12.0px"},
		{across, column("16px", "4px"), Match, ""}, // a line that goes another way
		{across, grid("4px", "16px"), Match, ""},
		{across, grid("16px", "4px"), Mismatch, ""},
		{across, grid("16px", "normal"), Mismatch, "0px"},
		{down, grid("16px", "4px"), Match, ""},
		{down, grid("4px", "16px"), Mismatch, ""},
		{down, column("16px", "4px"), Match, ""},
		{down, flex("4px", "16px"), Match, ""},
		{wrap, flex("8px", "16px"), Match, "8px 16px"},
		{wrap, flex("16px", "16px"), Mismatch, "Δrow:-8px"},
		{wrap, flex("8px", "8px"), Mismatch, "Δcolumn:+8px"},
		{wrap, column("16px", "8px"), Match, ""},
		{wrap, grid("8px", "16px"), Match, ""},
		{across + `,"layoutWrap":"WRAP"`, flex("16px", "16px"), Mismatch, "Δrow:-16px"},
		{wrap + `,"counterAxisAlignContent":"SPACE_BETWEEN"`, flex("99px", "16px"), Match, ""},
		{wrap + `,"primaryAxisAlignItems":"SPACE_BETWEEN"`, flex("8px", "16px"), Unknown, ""},
		{both, grid("8px", "16px"), Match, ""},
		{both, grid("16px", "8px"), Mismatch, "Δrow:-8px, Δcolumn:+8px"},
		{both, flex("8px", "16px"), Match, ""},
		{`"layoutMode":"GRID"`, grid("normal", "normal"), Match, "0px"},
		{across, flex("4px", "5%"), Unknown, "not understood"},
		{across, css{"display": "block"}, Unknown, "neither flex nor grid"},
	} {
		r := only(t, restNode(t, frame(c.layer)), element(c.css, nil), "gap")
		if r.Status != c.want || !strings.Contains(strings.Join([]string{r.Figma, r.Browser, r.Delta, r.Note}, " "), c.says) {
			t.Errorf("%s and %v: %+v, want %s %s", c.layer, c.css, r, c.want, c.says)
		}
	}
	for _, c := range []struct {
		layout string
		css    css
		want   Status
	}{
		{`"mode":"row","gap":"16px"`, grid("4px", "16px"), Match},
		{`"mode":"row","gap":"16px"`, grid("16px", "4px"), Mismatch},
		{`"mode":"column","gap":"16px"`, grid("16px", "4px"), Match},
		{`"mode":"column"`, column("normal", "normal"), Match},
		{`"mode":"row","wrap":true,"gap":"8px 16px"`, flex("8px", "16px"), Match},
		{`"mode":"row","wrap":true,"gap":"8px 16px"`, flex("16px", "8px"), Mismatch},
		{`"mode":"row","wrap":true,"gap":"16px"`, flex("16px", "16px"), Match},
		{`"mode":"row","wrap":true,"gap":"16px"`, flex("normal", "16px"), Unknown}, // one number for two
		{`"mode":"row","wrap":true,"gap":"16px"`, flex("32px", "16px"), Mismatch},
		{`"mode":"grid","gap":"8px 16px"`, grid("8px", "16px"), Match},
		{`"mode":"grid","gap":"8px 16px"`, grid("8px", "8px"), Mismatch},
		{`"mode":"grid","gap":"8px"`, grid("8px", "8px"), Match},
		{`"mode":"grid","gap":"8px"`, grid("8px", "0px"), Unknown},
		{`"mode":"grid","gap":"8px"`, grid("0px", "0px"), Mismatch},
		{`"mode":"row","justifyContent":"space-between"`, flex("0px", "40px"), Unknown},
		{`"mode":"row","gap":"1px 2px 3px"`, flex("0px", "2px"), Unknown},
		{`"mode":"row","gap":"auto"`, flex("0px", "0px"), Unknown},
	} {
		if r := only(t, framelinkNode(t, `{"id":"1:1","type":"FRAME","layout":{`+c.layout+`}}`), element(c.css, nil), "gap"); r.Status != c.want {
			t.Errorf("%s and %v: %+v, want %s", c.layout, c.css, r, c.want)
		}
	}
}
