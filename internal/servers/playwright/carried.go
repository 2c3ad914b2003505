package playwright

// Calls from before a crash on the page after it: their elements and the way
// back.

import (
	"fmt"
	"strconv"

	"github.com/playguard/playguard/internal/jsonrpc"
)

const backTool = "browser_navigate_back"

// maxHistory bounds what is remembered of a tab's way.
const maxHistory = 50

// visited notes where a tab is after a call.
func (p *page) visited(url, tool string) {
	if !sameAddress(p.entered.at, url) {
		p.entered.at, p.entered.calls, p.entered.lost = "", nil, nil
	}
	n := len(p.history)
	switch {
	case n > 0 && p.history[n-1] == url:
		return
	case tool == backTool && n > 1 && p.history[n-2] == url:
		p.history = p.history[:n-1]
		p.base = min(p.base, n-1)
		return
	case n == maxHistory:
		p.dropped++
		p.history = p.history[1:]
		p.base = max(0, p.base-1)
	}
	p.history = append(p.history, url)
}

// back is the address that one step back leads to, if the browser does not know
// it because the tab was opened again since; empty if it does, or if there is none.
func (p *page) back() string {
	if n := len(p.history); n > 1 && n <= p.base {
		return p.history[n-2]
	}
	return ""
}

// way is how many addresses have led to where a tab is, also those that are not
// remembered any more.
func (p *page) way() int { return p.dropped + len(p.history) }

// notBack takes back that the tab has gone one step back, if it has, from a way that
// had so many addresses: the answer to that was lost, and it is asked for again.
func (p *page) notBack(way int) {
	if n := len(p.history); n > 2 && p.way() == way+1 && p.history[n-1] == p.history[n-3] {
		p.history = p.history[:n-1]
		p.base = min(p.base, n-1)
	}
}

// numbersIn returns the numbers of the elements whose refs a call names, the key of
// the page that they are on, empty if there is none, and the browser's count.
func (r *row) numbersIn(tool string, args []byte) (numbers map[string]int, key string, browser int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	browser = r.pages.browser
	if r.pages.current == nil {
		return nil, "", browser
	}
	key = r.pages.shown(r.pages.current)
	numbers = map[string]int{}
	_, _ = mapTargets(tool, args, func(v []byte) (ref []byte, changed bool, refusal string) {
		if name, err := jsonrpc.Unquote(v); err == nil {
			if number := r.numbers.NumberOf(key, name); number != 0 {
				numbers[name] = number
			}
		}
		return v, false, ""
	})
	return numbers, key, browser
}

// translate returns a call's params as they are right for the browser that there
// is now: its elements under their new refs. A refusal says which of them is
// gone.
func (v *recovery) translate(c *sent) (params []byte, refusal string) {
	r := v.row
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.pages.current; c.tool == backTool && p != nil {
		p.notBack(c.way)
		if c.way == 0 {
			c.way = p.way()
		}
		if p.base == 0 || len(p.history) > p.base {
			return c.params, ""
		}
		url := p.back()
		if url == "" {
			return nil, "[PlayGuard] " + c.tool + " was not done: nothing before this page is known since it was restored."
		}
		return jsonrpc.SetMember(jsonrpc.SetMember(c.params, "name", []byte(`"browser_navigate"`)), "arguments", jsonrpc.SetMember([]byte(`{}`), "url", jsonrpc.Quote(url))), ""
	}
	unseen := r.pages.current != nil && r.pages.current.from != "" // since it was restored
	if r.pages.browser == c.browser && !unseen || r.pages.lives(c.page) {
		return c.params, ""
	}
	args, refusal := mapTargets(c.tool, c.args, func(v []byte) (ref []byte, changed bool, refusal string) {
		name, err := jsonrpc.Unquote(v)
		if err != nil {
			return v, false, ""
		}
		if found, ok := r.numbers.Resolve(name); !ok || found.Number != 0 {
			return v, false, "" // a selector
		}
		number, known := c.handles[name]
		if !known {
			return v, false, fmt.Sprintf("%s was of the page before it was restored. browser_snapshot shows what is there.", name)
		}
		found, _ := r.numbers.Resolve(strconv.Itoa(number))
		switch {
		case found.Ref == "":
			return v, false, r.gone(bracketed(number), found)
		case unseen && found.Page == r.pages.current.from:
			return v, false, r.called(number) + " has not been seen since the page was restored."
		}
		return jsonrpc.Quote(found.Ref), true, ""
	})
	if refusal != "" {
		return nil, "[PlayGuard] " + c.tool + " was not done: " + refusal
	}
	return jsonrpc.SetMember(c.params, "arguments", args), ""
}

// renamed maps one of upstream's refs from before a restoration, which the agent
// may still use because it has seen no other, to the present one.
func (r *row) renamed(ref string) (now, refusal string) {
	p := r.pages.current
	if p == nil || p.before == nil {
		return ref, ""
	}
	number, known := p.before[ref]
	if !known {
		return "", fmt.Sprintf("%s was of the page before it was restored. browser_snapshot shows what is there.", ref)
	}
	found, _ := r.numbers.Resolve(strconv.Itoa(number))
	if found.Ref == "" {
		return "", r.gone(bracketed(number), found)
	}
	return found.Ref, ""
}
