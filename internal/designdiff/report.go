package designdiff

// The answer: one or many comparisons, as text and as JSON.

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Pair is the comparison of one layer with one element.
type Pair struct {
	Node     string `json:"figmaNodeId"`
	Name     string `json:"name,omitempty"` // the layer's, where the caller did not choose it
	Selector string `json:"browserSelector"`
	How      string `json:"mappedBy,omitempty"` // auto-map only
	Rows     []Row  `json:"properties,omitempty"`
	Hidden   bool   `json:"hidden,omitempty"` // the element is not shown, so its sizes say nothing
	Error    string `json:"error,omitempty"`  // why there are no rows
}

// Unmapped is a layer that auto-map found no element for.
type Unmapped struct {
	Node string `json:"figmaNodeId"`
	Name string `json:"name,omitempty"`
	Why  string `json:"reason"`
}

// Report is everything that one call compared.
type Report struct {
	Pairs    []Pair
	AutoMap  string // the node that the layers were beneath; empty in other modes
	Unmapped []Unmapped
	Cut      int // layers that were not looked for
}

// Counts are how many rows came to what, and how many pairs failed.
type Counts struct {
	Mismatches int `json:"mismatches"`
	Matches    int `json:"matches"`
	Unknown    int `json:"unknown"`
	Failed     int `json:"failed"`
}

func (p *Pair) counts() Counts {
	var c Counts
	for _, r := range p.Rows {
		switch r.Status {
		case Mismatch:
			c.Mismatches++
		case Match:
			c.Matches++
		default:
			c.Unknown++
		}
	}
	if p.Error != "" {
		c.Failed++
	}
	return c
}

// Counts adds up all pairs.
func (r *Report) Counts() Counts {
	var sum Counts
	for i := range r.Pairs {
		c := r.Pairs[i].counts()
		sum.Mismatches += c.Mismatches
		sum.Matches += c.Matches
		sum.Unknown += c.Unknown
		sum.Failed += c.Failed
	}
	return sum
}

func (c Counts) String() string {
	parts := []string{plural(c.Mismatches, "mismatch", "es"), plural(c.Matches, "match", "es")}
	if c.Unknown > 0 {
		parts = append(parts, fmt.Sprintf("%d unknown", c.Unknown))
	}
	if c.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", c.Failed))
	}
	return strings.Join(parts, ", ")
}

func plural(n int, word, ending string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %s%s", n, word, ending)
}

// Text is the report for the agent: one pair with all its rows, of several the
// rows that need looking at.
func (r *Report) Text() string {
	if len(r.Pairs) == 1 && r.AutoMap == "" {
		p := &r.Pairs[0]
		if p.Error != "" {
			return fmt.Sprintf("[PlayGuard design diff: %s → %s failed]\n\n  %s", p.Node, p.Selector, p.Error)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "[PlayGuard design diff: %s → %s %s]\n", p.Node, p.Selector, p.counts())
		p.write(&b, true)
		return b.String()
	}
	var b strings.Builder
	if r.AutoMap != "" {
		fmt.Fprintf(&b, "[PlayGuard design diff: %s auto-mapped %s, %s; %d unmapped]\n", r.AutoMap, plural(len(r.Pairs), "layer", "s"), r.Counts(), len(r.Unmapped)+r.Cut)
	} else {
		fmt.Fprintf(&b, "[PlayGuard design diff: %s, %s]\n", plural(len(r.Pairs), "pair", "s"), r.Counts())
	}
	var clean []string
	for i := range r.Pairs {
		p := &r.Pairs[i]
		c := p.counts()
		switch {
		case p.Error != "":
			fmt.Fprintf(&b, "\n%s failed: %s\n", p.title(), p.Error)
		case c.Mismatches+c.Unknown == 0 && !p.Hidden:
			clean = append(clean, p.title())
		default:
			fmt.Fprintf(&b, "\n%s %s\n", p.title(), c)
			p.write(&b, false)
		}
	}
	if len(clean) > 0 {
		fmt.Fprintf(&b, "\n✓ all match: %s\n", strings.Join(clean, "; "))
	}
	r.writeUnmapped(&b)
	return strings.TrimSuffix(b.String(), "\n")
}

func (p *Pair) title() string {
	if p.Name != "" {
		return fmt.Sprintf("%s %q → %s", p.Node, p.Name, p.Selector)
	}
	return p.Node + " → " + p.Selector
}

// write writes the rows; with all also those that match.
func (p *Pair) write(b *strings.Builder, all bool) {
	var unset, warned []string
	if p.Hidden {
		b.WriteString("\n  ⚠️ the element is not shown (display:none, visibility:hidden, or no box of its own)")
	}
	for _, row := range p.Rows {
		if row.unset && row.Status == Match {
			unset = append(unset, row.Property)
			continue
		}
		if row.Status == Match && !all {
			continue
		}
		b.WriteString("\n  " + row.line())
		if row.Note != "" && row.Status != Unknown && (row.Property == "width" || row.Property == "height") {
			warned = append(warned, row.Property)
		}
	}
	if len(unset) > 0 && all {
		b.WriteString("\n  unset on both sides ✓ MATCH: " + strings.Join(unset, ", "))
	}
	if len(warned) > 0 {
		b.WriteString("\n  ⚠️ " + strings.Join(warned, " and ") + ": sizes depend on the viewport, not only on the design")
	}
	b.WriteString("\n")
}

func (r *Row) line() string {
	if r.Status == Unknown {
		var values []string
		if r.Figma != "" {
			values = append(values, "Figma "+r.Figma)
		}
		if r.Browser != "" {
			values = append(values, "Browser "+r.Browser)
		}
		return strings.TrimSpace(fmt.Sprintf("%s: %s ? UNKNOWN (%s)", r.Property, strings.Join(values, ", "), r.Note))
	}
	text := fmt.Sprintf("%s: Figma %s → Browser %s ", r.Property, r.Figma, r.Browser)
	switch {
	case r.Status == Match:
		return text + "✓ MATCH"
	case r.Delta != "":
		return text + "⚠️ MISMATCH (" + r.Delta + ")"
	}
	return text + "⚠️ MISMATCH"
}

// shownUnmapped is how many layers without an element are named.
const shownUnmapped = 20

func (r *Report) writeUnmapped(b *strings.Builder) {
	if len(r.Unmapped) > 0 {
		var parts []string
		for i, u := range r.Unmapped {
			if i == shownUnmapped {
				parts = append(parts, fmt.Sprintf("and %d more", len(r.Unmapped)-i))
				break
			}
			name := u.Node
			if u.Name != "" {
				name += fmt.Sprintf(" %q", u.Name)
			}
			parts = append(parts, name+" ("+u.Why+")")
		}
		b.WriteString("\nunmapped: " + strings.Join(parts, "; ") + "\n")
	}
	if r.Cut > 0 {
		fmt.Fprintf(b, "\n%d more layers were not looked for: start from a smaller node\n", r.Cut)
	}
	if r.AutoMap != "" && len(r.Pairs) == 0 {
		b.WriteString("\nNo layer has an element: put data-figma-id on elements, or give pairs.\n")
	}
}

// JSON is the whole report as data.
func (r *Report) JSON() (string, error) {
	pairs := r.Pairs
	if pairs == nil {
		pairs = []Pair{}
	}
	out, err := json.Marshal(struct {
		Summary  Counts     `json:"summary"`
		AutoMap  string     `json:"autoMap,omitempty"`
		Pairs    []Pair     `json:"pairs"`
		Unmapped []Unmapped `json:"unmapped,omitempty"`
		Cut      int        `json:"layersNotLookedFor,omitempty"`
	}{r.Counts(), r.AutoMap, pairs, r.Unmapped, r.Cut})
	return string(out), err
}
