package playwright

// The browser's tabs, and what the agent was last sent of each.

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/servers/playwright/watch"
)

// pages follows the browser's tabs, so that views, deltas and handles are each
// tab's own. Playwright MCP numbers tabs by their place, which moves when one is
// closed.
type pages struct {
	browser int // counts browsers, and restorations of pages: a new one has new refs
	lastTab int
	tabs    []*page
	current *page
	listed  string // the list of tabs as the agent was last told
	// answered is the tab that the agent was last told about.
	answered *page
	// closed are the keys of tabs that are no more, until someone takes them.
	closed []string
}

// sending is how much of a view the agent was sent.
type sending int

const (
	sentWhole   sending = iota
	sentFolded          // with parts folded: it can be said to be unchanged, no more
	sentOutline         // changes after actions build on it, but a look gives all
)

// page is one tab and what the agent was last sent of it.
type page struct {
	id    int
	life  int // which of its browser's, and of its own after a crash, this is
	url   string
	title string

	view     *aria.View // nil before the first look and after raw answers
	raw      string     // the last raw answer
	sent     sending
	revision int
	fullCall int       // number of the call that gave the last full view
	full     time.Time // of the last full view
	facts    []string

	// recovery
	history  []string       // addresses that led here, oldest first
	dropped  int            // how many more there were before these
	base     int            // how many of them are from before the tab was opened again
	settings watch.Tab      // by tools
	from     string         // the key in a browser that died, until it is seen in this one
	before   map[string]int // numbers by the refs there, until the agent has seen others
	entered  entered
}

// key tells the page's elements apart from those of every other page.
func (p *pages) key(of *page) string {
	return "browser" + strconv.Itoa(of.life) + "/tab" + strconv.Itoa(of.id)
}

// shown is the key under which a tab's elements are known: that from before a
// restoration, as long as the tab has not been seen since.
func (p *pages) shown(of *page) string { return orElse(of.from, p.key(of)) }

// lives reports whether a key is that of a tab as it is now.
func (p *pages) lives(key string) bool {
	return slices.ContainsFunc(p.tabs, func(t *page) bool { return p.key(t) == key })
}

// see brings the tabs up to date with an answer and returns the current one.
func (p *pages) see(a answer) *page {
	switch {
	case len(a.tabs) > 0:
		p.arrange(a.tabs)
	case len(p.tabs) != 1:
		// One tab is not listed. Which of several is left shows by its URL.
		p.arrange([]tab{{current: true, url: a.url, title: a.title}})
	}
	return p.current
}

// arrange matches the known tabs with a list of them. Tabs keep their order and
// new ones come at the end, so where some are missing they were closed. Which
// ones shows by the addresses, unless several tabs have the same: what can't be
// told counts as a new tab.
func (p *pages) arrange(list []tab) {
	old := p.tabs
	known := make([]*page, len(list))
	if len(old) <= len(list) {
		copy(known, old)
	} else {
		at := map[string]int{}
		for i, o := range old {
			if _, twice := at[o.url]; twice {
				at[o.url] = -1
			} else {
				at[o.url] = i
			}
		}
		listed := map[string]int{}
		for _, t := range list {
			listed[t.url]++
		}
		last := -1
		for i, t := range list {
			if o, ok := at[t.url]; ok && o > last && listed[t.url] == 1 {
				known[i], last = old[o], o
			}
		}
	}
	tabs := make([]*page, 0, len(list))
	for i, t := range list {
		if known[i] == nil {
			p.lastTab++
			known[i] = &page{id: p.lastTab, life: p.browser, url: t.url}
		}
		tabs = append(tabs, known[i])
		if t.current {
			p.current = tabs[i]
		}
	}
	for _, o := range old {
		if !slices.Contains(tabs, o) {
			p.closed = append(p.closed, p.key(o))
		}
	}
	p.tabs = tabs
}

// close takes out the tab that a call has closed: the one with the index, or the
// current one for -1.
func (p *pages) close(index int) {
	if index < 0 {
		index = slices.Index(p.tabs, p.current)
	}
	if index >= 0 && index < len(p.tabs) {
		p.closed = append(p.closed, p.key(p.tabs[index]))
		p.tabs = slices.Delete(p.tabs, index, index+1)
	}
}

// takeClosed returns the keys of the tabs that were closed since the last time.
func (p *pages) takeClosed() []string {
	closed := p.closed
	p.closed = nil
	return closed
}

// forget drops what was known of all tabs: the browser is another one.
func (p *pages) forget() {
	for _, t := range p.tabs {
		p.closed = append(p.closed, p.key(t))
	}
	p.browser++
	p.tabs, p.current, p.answered = nil, nil, nil
}

// listedTabs reads the answer of browser_tabs, which is the list as a result.
func listedTabs(text string) ([]tab, bool) {
	rest, ok := strings.CutPrefix(text, "### Result\n")
	if !ok {
		return nil, false
	}
	var a answer
	if !a.section("### Open tabs", strings.Split(rest, "\n")) {
		return nil, false
	}
	return a.tabs, len(a.tabs) > 0
}
