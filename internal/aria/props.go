package aria

// This file holds what both renderers print of handles and properties.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// appendHandle writes what stands inside a handle's brackets.
func appendHandle(out []byte, it *item, o *Options) []byte {
	if it.number != 0 && !o.Refs {
		return strconv.AppendInt(out, int64(it.number), 10)
	}
	return append(out, it.handle...)
}

// shownProps returns the properties of an item that are printed: all but
// link targets, which are shown on request, and in short where a link has
// nothing else to go by.
func (v *view) shownProps(it *item, o *Options) []Prop {
	props := v.tree.Nodes[it.node].Props
	for i, p := range props {
		if p.Name != "url" || o.URLs {
			continue
		}
		shown := make([]Prop, 0, len(props))
		shown = append(shown, props[:i]...)
		if it.label == "" && it.first == 0 {
			shown = append(shown, Prop{p.Name, shortURL(p.Value)})
		}
		return append(shown, props[i+1:]...)
	}
	return props
}

// props writes the properties that are shown.
func (d *dense) props(it *item, start int, quote, bracket bool) {
	for _, p := range d.shownProps(it, d.opt) {
		d.space(start)
		if p.Name != "url" && p.Name != "placeholder" {
			d.out = append(d.out, '{')
			d.out = appendJSON(d.out, p.Name)
			d.out = append(d.out, ':')
			d.out = appendJSON(d.out, p.Value)
			d.out = append(d.out, '}')
			continue
		}
		d.out = append(append(d.out, p.Name...), '=')
		if quote {
			d.out = appendJSON(d.out, p.Value)
		} else {
			d.out = appendLabel(d.out, p.Value, bracket)
		}
	}
}

// shortURL cuts a link target that stands in for a missing name to its most
// telling part: no query, and of a path the end.
func shortURL(url string) string {
	const limit = 24
	if len(url) <= limit {
		return url
	}
	short := url
	if i := strings.IndexAny(short, "?#"); i > 0 {
		short = short[:i]
	}
	tail := ""
	if len(short) < len(url) {
		tail = ellipsis
	}
	cut := 1 + strings.LastIndexByte(strings.TrimRight(short, "/"), '/')
	cut = max(cut, len(short)-limit)
	for cut < len(short) && !utf8.RuneStart(short[cut]) {
		cut++
	}
	if cut > 0 {
		short = ellipsis + short[cut:]
	}
	return short + tail
}
