package playwright

// Which calls may be sent again after a crash, and why.

import (
	"strings"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
)

// repeat says what it means to send a tool's call a second time.
type repeat int

const (
	// acts: the second time is another action. Also what is not in the table.
	acts repeat = iota
	// reads: nothing on the page or on its server is another afterwards.
	reading
	// navigates: a page is asked for once more, as by a reload.
	navigates
	// sets: what is set is the same, set once or twice.
	sets
	// escapes: an action whose effect need not be on the page that it runs on. If
	// it ran on the empty page of a new browser it may have done something all
	// the same, such as a request to a server.
	escapes
)

// repeats is the table of Playwright MCP 0.0.83's tools. It is not taken from
// readOnlyHint, which says nothing of repeating. The tools that it does not name
// act.
var repeats = map[string]repeat{
	snapshotTool:               reading,
	screenshotTool:             reading,
	"browser_find":             reading,
	"browser_console_messages": reading, // those since the page was restored
	"browser_network_requests": reading, // likewise
	"browser_network_request":  reading,
	"browser_wait_for":         reading, // the page is watched once more
	"browser_pdf_save":         reading,
	"browser_get_config":       reading,
	"browser_generate_locator": reading,
	"browser_highlight":        reading,
	"browser_storage_state":    reading,
	"browser_cookie_list":      reading,
	"browser_cookie_get":       reading,

	"browser_localstorage_list":   reading,
	"browser_localstorage_get":    reading,
	"browser_sessionstorage_list": reading,
	"browser_sessionstorage_get":  reading,
	"browser_route_list":          reading,

	"browser_verify_element_visible": reading,
	"browser_verify_text_visible":    reading,
	"browser_verify_list_visible":    reading,
	"browser_verify_value":           reading,

	"browser_navigate":      navigates,
	"browser_navigate_back": navigates, // to the address before, which is known
	"browser_reload":        navigates,

	"browser_resize":              sets,
	"browser_emulate_media":       sets,
	"browser_set_storage_state":   sets,
	"browser_cookie_set":          sets,
	"browser_cookie_delete":       sets,
	"browser_cookie_clear":        sets,
	"browser_localstorage_set":    sets,
	"browser_sessionstorage_set":  sets,
	"browser_network_state_set":   sets,
	"browser_localstorage_clear":  sets,
	"browser_localstorage_delete": sets,

	evaluateTool:              escapes,
	"browser_run_code_unsafe": escapes,
}

// repeatOf is what sending a call again means.
func repeatOf(tool string, args []byte) repeat {
	switch tool {
	case tabsTool:
		// The tabs are restored as they were before the call, so that opening,
		// closing or selecting one again gives the same tabs.
		if jsonrpc.StringMember(args, "action") == "list" {
			return reading
		}
		return navigates
	case evaluateTool:
		if onlyReads(jsonrpc.StringMember(args, "function")) {
			return reading
		}
	}
	return repeats[tool]
}

// repeatable reports whether a call does no harm when it happens twice.
func (k repeat) repeatable() bool { return k == reading || k == navigates || k == sets }

// mayReplay reports whether a call that something died under is sent again.
func mayReplay(policy string, kind repeat, d death) bool {
	switch policy {
	case config.ReplayAlways:
		return true
	case config.ReplayNever:
		return d.unsent
	}
	return d.unsent || d.without || kind.repeatable()
}

// refusesTarget reports whether an error says that the element of a call was not
// found: upstream looks for it before it acts. A form's fields are filled one by
// one, so for it only its first one proves that nothing was done.
func refusesTarget(text, tool string, args []byte) bool {
	if tool == "browser_fill_form" {
		first := ""
		if fields, ok := jsonrpc.Member(args, "fields"); ok && fields[0] == '[' {
			jsonrpc.Elements(fields, func(s jsonrpc.Span) {
				if first == "" {
					first = jsonrpc.StringMember(fields[s.Start:s.End], targetParam)
				}
			})
		}
		return first != "" && (strings.Contains(text, "Ref "+first+" not found") || strings.Contains(text, `"`+first+`" does not match any elements`))
	}
	return strings.Contains(text, " not found in the current page snapshot") || strings.Contains(text, " does not match any elements")
}
