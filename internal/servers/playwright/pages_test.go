package playwright

// Which tab of a list is which of those known.

import (
	"strings"
	"testing"
)

// Tabs are followed by what is listed: a page keeps its identity whatever its
// place.
func TestPagesAreFollowed(t *testing.T) {
	var p pages
	arrange := func(current int, urls string) string {
		var list []tab
		for i, url := range strings.Fields(urls) {
			list = append(list, tab{url: url, current: i == current})
		}
		p.arrange(list)
		var keys []string
		for _, page := range p.tabs {
			page.url = list[len(keys)].url // as an answer about it would tell
			keys = append(keys, string(rune('0'+page.id)))
		}
		return strings.Join(keys, "") + ">" + string(rune('0'+p.current.id))
	}
	steps := []struct {
		current    int
		urls, want string
	}{
		{0, "a", "1>1"},
		{1, "a b", "12>2"},
		{2, "a b c", "123>3"},
		{2, "a b c2", "123>3"}, // navigated
		{1, "a c2", "13>3"},    // the middle one was closed
		{0, "c2", "3>3"},       // the first one was closed
		{1, "c2 d", "34>4"},
		{0, "d", "4>4"},
	}
	for _, step := range steps {
		if got := arrange(step.current, step.urls); got != step.want {
			t.Fatalf("the tabs %s are %s instead of %s", step.urls, got, step.want)
		}
	}
	before := p.key(p.current)
	p.forget()
	if arrange(0, "d"); p.key(p.current) == before {
		t.Error("a page of the next browser has the key of one before")
	}
}

// A tab whose page has crashed is listed with a word behind it.
func TestCrashedTabsAreListed(t *testing.T) {
	tabs, ok := listedTabs("### Result\n- 0: [](http://a.test/) [crashed]\n- 1: (current) [B](http://b.test/)")
	if !ok || len(tabs) != 2 || tabs[0].url != "http://a.test/" || !tabs[1].current {
		t.Errorf("the tabs are %+v", tabs)
	}
}
