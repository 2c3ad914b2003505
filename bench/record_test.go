// Recording the corpus: what the real Playwright MCP sends for the demo's shop
// and the test site.

package main

import (
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/internal/demo/shop"
	"github.com/playguard/playguard/test/machine"
	"github.com/playguard/playguard/test/site"
)

var update = flag.Bool("update", false, "record testdata/corpus again, with the real Playwright MCP and a browser")

// recording is one page of the corpus: its path is opened, the steps are done,
// and then it is looked at.
type recording struct {
	name  string
	path  string
	steps []toolCall
}

type toolCall struct {
	tool      string
	arguments map[string]any
}

// shopPages are in the order of a visit: what is bought on the way is in the
// later ones.
var shopPages = []recording{
	{"shop-home", "/", nil},
	{"shop-products", "/products", nil},
	{"shop-filtered", "/products?category=Desk&category=Kitchen&sort=price&page=2", nil},
	{"shop-product", "/products/felt-desk-mat", nil},
	{"shop-soldout", "/products/night-path-lights", nil},
	{"shop-cart", "/cart", []toolCall{
		script(`async () => {
			for (const slug of ['felt-desk-mat', 'stoneware-mug', 'candle-lantern'])
				await fetch('/cart/items', {method: 'POST', body: new URLSearchParams({slug, quantity: 2})})
		}`),
		script(`() => { location.reload() }`),
	}},
	{"shop-checkout", "/checkout", nil},
	{"shop-refused", "/checkout", []toolCall{{"browser_click", map[string]any{"target": "button:has-text('Place order')"}}}},
	{"shop-order", "/cart", []toolCall{
		script(`() => fetch('/checkout', {method: 'POST', body: new URLSearchParams({name: 'Ada Marsh', email: 'ada@example.com',
			street: 'Mill Lane 4', postal: '10115', city: 'Berlin', country: 'Germany', giftwrap: '1', terms: '1'})}).then(r => { location = r.url })`),
	}},
	{"shop-orders", "/orders", nil},
	{"shop-live", "/live", nil},
	{"shop-help", "/help", nil},
	{"shop-notfound", "/nothing", nil},
}

var sitePages = []recording{
	{"site-index", "/index.html", nil},
	{"site-form", "/form.html", nil},
	{"site-actions", "/actions.html", nil},
	{"site-table", "/table.html", nil},
	{"site-frames", "/frames.html", nil},
	{"site-imitation", "/imitation.html", nil},
	{"site-rtl", "/rtl.html", nil},
	{"site-rows", "/rows.html", nil},
	{"site-errors", "/errors.html", nil},
	{"site-dialog", "/dialog.html", []toolCall{{"browser_click", map[string]any{"target": "button:has-text('Open sheet')"}}}},
	{"site-download", "/download.html", nil},
}

func script(function string) toolCall {
	return toolCall{"browser_evaluate", map[string]any{"function": function}}
}

// recordCorpus writes the pages' answers to browser_snapshot into dir. The
// addresses they were served at become ports 8000 and 8001. What the shop shows
// of the time, the day of an order and the prices of the live page, is another
// in each recording.
func recordCorpus(t *testing.T, dir string) {
	t.Helper()
	here, err := machine.Find()
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	config, err := machine.QuietConfig(work)
	if err != nil {
		t.Fatal(err)
	}
	line := here.Direct([]string{"--isolated", "--config", config}, filepath.Join(work, "output"))
	c, err := client.Start(t.Context(), client.Options{
		Command: line[0], Args: line[1:], Env: cleanEnvironment(os.Environ()), Dir: work, Stderr: t.Output(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Initialize(t.Context()); err != nil {
		t.Fatal(err)
	}
	store := httptest.NewServer(shop.New())
	t.Cleanup(store.Close)
	pages := site.Start(t)
	addresses := strings.NewReplacer(store.URL, "http://127.0.0.1:8000", pages.URL, "http://127.0.0.1:8000", pages.Other, "http://127.0.0.1:8001")
	call := func(name, tool string, arguments map[string]any) string {
		t.Helper()
		if arguments == nil {
			arguments = map[string]any{}
		}
		result, err := c.CallTool(t.Context(), tool, arguments)
		if err != nil || result.IsError {
			t.Fatalf("%s: %s: %v %s", name, tool, err, result.Text())
		}
		return result.Text()
	}
	for _, group := range []struct {
		url   string
		pages []recording
	}{{store.URL, shopPages}, {pages.URL, sitePages}} {
		for _, p := range group.pages {
			call(p.name, "browser_navigate", map[string]any{"url": group.url + p.path})
			for _, step := range p.steps {
				call(p.name, step.tool, step.arguments)
			}
			answer := addresses.Replace(call(p.name, "browser_snapshot", nil))
			if err := os.WriteFile(filepath.Join(dir, p.name+".txt"), []byte(answer), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
