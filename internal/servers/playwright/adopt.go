package playwright

// Taking the tabs of a restored session for those that there were.

import "github.com/playguard/playguard/internal/aria"

// reopened is what a restoration has made of the tabs that there were.
type reopened struct {
	urls   []string
	places []int  // in the browser, -1 for none; nil if they are as they were
	kept   []bool // those that were not opened anew; nil if none
	same   bool   // the browser is the same, so that what was kept has lived on
}

// adopt takes the restored browser for the one that died: its tabs are the
// agent's tabs, and its elements have the numbers of those that they equal.
func (r *row) adopt(text string, failed bool, tabs reopened) (url string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.evaluations.results, r.prefetched, r.looked = nil, prefetched{}, look{}
	old := r.pages.paired(tabs.urls)
	r.pages.browser++
	for _, p := range r.pages.tabs {
		kept := false
		for i, o := range old {
			if o != p {
				continue
			}
			kept = i < len(tabs.kept) && tabs.kept[i]
			if !kept || !tabs.same {
				p.visited(tabs.urls[i], "") // it may have moved on since the last answer
			}
		}
		if kept && tabs.same {
			continue
		}
		p.from = orElse(p.from, r.pages.key(p))
		p.before = r.numbers.Refs(p.from)
		p.life = r.pages.browser
		// A user's own browser knows its way still, but going back by it over a new
		// connection hangs (0.0.83): the page may come out of the browser's cache.
		p.base = len(p.history)
	}
	r.pages.reorder(tabs.places)
	a, ok := parseAnswer(text)
	if !ok || failed || !a.hasPage {
		return ""
	}
	p := r.pages.see(a)
	if read, err := aria.ReadAnswer(text); err == nil && read != nil {
		r.identify(p, a, read.Tree)
	}
	return a.url
}

// paired finds the known tabs that have these addresses: by their places if there
// are as many, otherwise those that only one has. Others are nil.
func (p *pages) paired(urls []string) []*page {
	out := make([]*page, len(urls))
	if len(urls) == len(p.tabs) {
		copy(out, p.tabs)
		return out
	}
	by := map[string]*page{}
	for _, t := range p.tabs {
		if _, twice := by[t.url]; twice {
			by[t.url] = nil
		} else {
			by[t.url] = t
		}
	}
	listed := map[string]int{}
	for _, url := range urls {
		listed[url]++
	}
	for i, url := range urls {
		if listed[url] == 1 {
			out[i] = by[url]
		}
	}
	return out
}

// reorder brings the tabs into the order of their places in another browser.
func (p *pages) reorder(places []int) {
	if len(places) != len(p.tabs) {
		return
	}
	tabs := make([]*page, len(p.tabs))
	for i, at := range places {
		if at < 0 || at >= len(tabs) || tabs[at] != nil {
			return // some are missing; their URLs tell them apart
		}
		tabs[at] = p.tabs[i]
	}
	p.tabs = tabs
}
