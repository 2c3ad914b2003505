package playwright

import (
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
	browser int // which browser since the start: a new one has new refs
	lastTab int
	tabs    []*page
	current *page
	listed  string // the list of tabs as the agent was last told
}

// page is one tab and what the agent was last sent of it.
type page struct {
	id    int
	url   string
	title string

	view     *aria.View // nil before the first look and after raw answers
	revision int
	deltas   int       // since the last full view
	full     time.Time // of the last full view
	console  string

	// recovery
	history  []string       // addresses that led here, oldest first
	base     int            // how many of them are from before the tab was opened again
	settings watch.Tab      // by tools
	from     string         // the key in a browser that died, until it is seen in this one
	before   map[string]int // numbers by the refs there, until the agent has seen others
}

// key tells the page's elements apart from those of every other page.
func (p *pages) key(of *page) string {
	return "browser" + strconv.Itoa(p.browser) + "/tab" + strconv.Itoa(of.id)
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

// arrange matches the known tabs with a list of them. Tabs keep their order, new
// ones come at the end, so what is missing was closed.
func (p *pages) arrange(list []tab) {
	old := p.tabs
	tabs := make([]*page, 0, len(list))
	for i, t := range list {
		missing := len(old) - (len(list) - i)
		match := 0
		if missing > 0 {
			// Some of the old ones were closed: skip those with another URL.
			for match < missing && old[match].url != t.url {
				match++
			}
		}
		if match < len(old) {
			tabs = append(tabs, old[match])
			old = old[match+1:]
		} else {
			p.lastTab++
			tabs = append(tabs, &page{id: p.lastTab, url: t.url})
		}
		if t.current {
			p.current = tabs[i]
		}
	}
	p.tabs = tabs
}

// forget drops what was known of all tabs: the browser is another one.
func (p *pages) forget() {
	p.browser++
	p.tabs, p.current = nil, nil
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
