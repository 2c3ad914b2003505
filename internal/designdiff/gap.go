package designdiff

// The distances between what a layer with auto layout holds.

import (
	"math"
	"strings"

	"github.com/playguard/playguard/internal/figmatree"
)

// gaps are the distances between a layer's rows and between its columns.
type gaps struct {
	row, column  float64 // px, as CSS's row-gap and column-gap
	down         bool    // what it holds is in one column, or in several that are filled first
	grid         bool
	rows, across bool // which of the two mean something
	oneOfTwo     bool // the answer gives one number, which may be both or the only one
}

// main is the distance from one to the next.
func (g gaps) main() float64 {
	if g.down {
		return g.row
	}
	return g.column
}

func (l *layer) restGaps() {
	n := l.node
	main, cross := number(n.Attr("itemSpacing")), number(n.Attr("counterAxisSpacing"))
	wraps := n.Attr("layoutWrap").Str() == "WRAP"
	if wraps && n.Attr("counterAxisAlignContent").Str() == "SPACE_BETWEEN" {
		wraps = false // the distance of the lines is what is left over
	}
	switch n.Attr("layoutMode").Str() {
	case "GRID":
		l.gaps = gaps{row: number(n.Attr("gridRowGap")), column: number(n.Attr("gridColumnGap")), rows: true, across: true, grid: true}
		return
	case "VERTICAL":
		l.gaps = gaps{row: main, column: cross, down: true, rows: true, across: wraps}
	default:
		l.gaps = gaps{row: cross, column: main, rows: wraps, across: true}
	}
	if n.Attr("primaryAxisAlignItems").Str() == "SPACE_BETWEEN" {
		l.odd["gap"] = true // the distance is what is left over
	}
}

// framelinkGaps reads "8px", or "8px 16px" for rows and columns.
func (l *layer) framelinkGaps(layout *figmatree.Value) {
	mode, wraps := layout.Get("mode").Str(), layout.Get("wrap").IsTrue()
	l.gaps = gaps{down: mode == "column", grid: mode == "grid", rows: mode != "row" || wraps, across: mode != "column" || wraps}
	if layout.Get("justifyContent").Str() == "space-between" {
		l.odd["gap"] = true
		return
	}
	v := layout.Get("gap")
	if v == nil {
		return
	}
	if f, ok := v.Float(); ok {
		l.gaps.row, l.gaps.column = f, f
	} else {
		words := strings.Fields(v.Str())
		if len(words) == 0 || len(words) > 2 {
			l.odd["gap"] = true
			return
		}
		row, okRow := px(words[0])
		column, okColumn := px(words[len(words)-1])
		if !okRow || !okColumn {
			l.odd["gap"] = true
			return
		}
		l.gaps.row, l.gaps.column = row, column
		if len(words) == 2 {
			return
		}
	}
	l.gaps.oneOfTwo = l.gaps.rows && l.gaps.across
}

func (c *comparison) gap() Row {
	style, want := c.el.Style, c.layer.gaps
	grid, flex := strings.Contains(style["display"], "grid"), strings.Contains(style["display"], "flex")
	row, okRow := cssGap(style["row-gap"])
	column, okColumn := cssGap(style["column-gap"])
	down := strings.HasPrefix(style["flex-direction"], "column")
	shown := style["row-gap"] + " " + style["column-gap"]
	switch {
	case !c.layer.auto:
		return unknown("", shown, "the layer has no auto layout")
	case !flex && !grid:
		return unknown(want.String(), "", "the element is neither flex nor grid")
	case !okRow || !okColumn:
		return unknown(want.String(), shown, "the page's value is not understood")
	}
	if want.rows != want.across {
		// A grid's rows and columns are where they are; a flex box has one line,
		// whichever way it goes.
		browser := column
		if grid && want.down || !grid && down {
			browser = row
		}
		return c.sizeRow(want.main(), browser)
	}
	if flex && want.wraps() && down != want.down {
		row, column = column, row
	}
	var parts []string
	missing := 0 // of the two, which the page has none of
	for _, axis := range []struct {
		name           string
		figma, browser float64
	}{{"row", want.row, row}, {"column", want.column, column}} {
		if d := axis.figma - axis.browser; math.Abs(d) > c.tol.PX+epsilon {
			parts = append(parts, "Δ"+axis.name+":"+signed(d)+"px")
			if axis.browser == 0 {
				missing++
			}
		}
	}
	browser := gaps{row: row, column: column, rows: true, across: true}
	if want.oneOfTwo && len(parts) == 1 && missing == 1 {
		return unknown(want.String(), browser.String(), "Figma's answer has one number, which may be for one of the two only")
	}
	return verdict(len(parts) == 0, want.String(), browser.String(), strings.Join(parts, ", "))
}

// wraps reports whether there are lines of different lengths, as in a flex box.
func (g gaps) wraps() bool { return g.rows && g.across && !g.grid }

func (g gaps) String() string {
	if g.rows != g.across {
		return pxText(g.main())
	}
	if g.row == g.column {
		return pxText(g.row)
	}
	return pxText(g.row) + " " + pxText(g.column)
}

func cssGap(s string) (float64, bool) {
	if s == "normal" {
		return 0, true
	}
	return px(s)
}
