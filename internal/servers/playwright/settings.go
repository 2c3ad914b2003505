package playwright

// What tools have set for a tab, which a new browser has to be told again.

import (
	"slices"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/servers/playwright/watch"
)

// tabSettings are what tools have set for each of the tabs with these addresses.
func (r *row) tabSettings(urls []string) []watch.Tab {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]watch.Tab, len(urls))
	for i, p := range r.pages.paired(urls) {
		if p != nil {
			out[i] = p.settings
		}
	}
	return out
}

// keepSettings notes what a call has set for the current tab.
func (r *row) keepSettings(call string, args []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pages.current
	if p == nil {
		return
	}
	switch call {
	case "browser_resize":
		p.settings.Viewport = slices.Clone(args)
	case "browser_emulate_media":
		media := p.settings.Media
		if media == nil {
			media = []byte("{}")
		}
		jsonrpc.Members(args, func(key, value jsonrpc.Span) {
			if name, err := jsonrpc.Unquote(args[key.Start:key.End]); err == nil {
				media = jsonrpc.SetMember(media, name, args[value.Start:value.End])
			}
		})
		p.settings.Media = slices.Clone(media)
	}
}
