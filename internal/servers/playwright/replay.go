package playwright

// Which calls may be sent again after a crash, and why.

import (
	"regexp"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
)

// repeat says what it means to send a tool's call a second time.
type repeat int

const (
	// acts: the second time is another action.
	acts repeat = iota
	// reading: nothing on the page or on its server is another afterwards.
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

// rule is one tool's entry in the table.
type rule struct {
	tool  string
	kind  repeat
	needs needs
	why   string
}

// rules is the table of Playwright MCP 0.0.83's tools. It is not taken from
// readOnlyHint, which says nothing of repeating. A tool that it does not name
// acts.
func rules() []rule {
	return []rule{
		{snapshotTool, reading, nothing, "looks"},
		{screenshotTool, reading, nothing, "looks; a file is written again"},
		{"browser_find", reading, nothing, "looks"},
		{"browser_console_messages", reading, nothing, "lists; what was before the crash is gone"},
		{"browser_network_requests", reading, nothing, "lists; what was before the crash is gone"},
		{"browser_network_request", reading, nothing, "shows one of the list, or says that it is gone"},
		{"browser_wait_for", reading, nothing, "watches the page once more"},
		{"browser_pdf_save", reading, nothing, "looks; a file is written again"},
		{"browser_get_config", reading, nothing, "lists"},
		{"browser_generate_locator", reading, nothing, "looks"},
		{"browser_highlight", reading, nothing, "draws over the page, for the eye only"},
		{"browser_hide_highlight", reading, nothing, "draws over the page, for the eye only"},
		{"browser_storage_state", reading, nothing, "reads what was restored"},
		{"browser_cookie_list", reading, nothing, "reads what was restored"},
		{"browser_cookie_get", reading, nothing, "reads what was restored"},
		{"browser_route_list", reading, nothing, "lists"},
		{"browser_webmcp_list", reading, nothing, "lists"},
		{"browser_verify_element_visible", reading, nothing, "looks"},
		{"browser_verify_list_visible", reading, nothing, "looks"},
		{"browser_verify_text_visible", reading, nothing, "looks"},
		{"browser_verify_value", reading, nothing, "looks"},

		{"browser_navigate", navigates, nothing, "asks for the page once more, as a reload does"},
		{backTool, navigates, nothing, "goes to the address before, which is remembered, one step also if the browser had gone it"},
		{"browser_reload", navigates, nothing, "the restored page is loaded anew"},
		{tabsTool, navigates, nothing, "works on the tabs as they were before it"},

		{"browser_resize", sets, nothing, "the same size, set twice"},
		{"browser_emulate_media", sets, nothing, "the same features, set twice"},
		{"browser_set_storage_state", sets, nothing, "the same storage, set twice"},
		{"browser_cookie_set", sets, nothing, "the same cookie, set twice"},
		{"browser_cookie_delete", sets, nothing, "gone is gone"},
		{"browser_cookie_clear", sets, nothing, "gone is gone"},
		{networkTool, sets, nothing, "the same state, set twice"},
		{routeTool, sets, nothing, "the same answer, set twice"},
		{unrouteTool, sets, nothing, "gone is gone"},

		{evaluateTool, escapes, input, "a script may ask a server for something from any page; one that only reads is repeated"},
		{"browser_run_code_unsafe", escapes, input, "code may do anything from any page"},
		{"browser_webmcp_call", escapes, input, "a page's own tool may do anything"},

		{"browser_click", acts, input, "an action"},
		{"browser_type", acts, nothing, "an action; a page may act on each key; needs input with submit"},
		{"browser_fill_form", acts, nothing, "an action; a page may act on each change"},
		{"browser_press_key", acts, place, "an action"},
		{"browser_press_sequentially", acts, place, "an action"},
		{"browser_keydown", acts, place, "an action"},
		{"browser_keyup", acts, place, "an action"},
		{"browser_select_option", acts, nothing, "an action; a page may act on the change"},
		{"browser_check", acts, nothing, "an action"},
		{"browser_uncheck", acts, nothing, "an action"},
		{"browser_hover", acts, input, "an action; a page may act on the pointer"},
		{"browser_drag", acts, input, "an action"},
		{"browser_drop", acts, input, "an action"},
		{"browser_file_upload", acts, nothing, "an action"},
		{"browser_handle_dialog", acts, dialog, "an action; the dialog is gone with the page"},
		{"browser_mouse_click_xy", acts, place, "an action"},
		{"browser_mouse_down", acts, place, "an action"},
		{"browser_mouse_drag_xy", acts, place, "an action"},
		{"browser_mouse_move_xy", acts, place, "an action; a page may act on the pointer"},
		{"browser_mouse_up", acts, place, "an action"},
		{"browser_mouse_wheel", acts, place, "an action; a page may act on scrolling"},
		{closeTool, acts, nothing, "never needed: a browser that died is closed"},
	}
}

// ReplayTable renders the table for the documentation, as Markdown.
func ReplayTable() string {
	names := map[repeat]string{reading: "reads", navigates: "navigates", sets: "sets", escapes: "escapes", acts: "acts"}
	out := "| Tool | Kind | Needs | Why |\n|------|------|-------|-----|\n"
	for _, r := range rules() {
		out += "| `" + r.tool + "` | " + names[r.kind] + " | " + r.needs.String() + " | " + r.why + " |\n"
	}
	return out
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
	for _, r := range rules() {
		if r.tool == tool {
			return r.kind
		}
	}
	return acts
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

// refusals are upstream's own first lines of an error for an element, or a dialog, that
// was not found; what stands behind them, or in a script's error, may be a page's text.
var (
	refRefusal      = regexp.MustCompile(`^(?:### Error\n)?(?:Error: )?Ref (\S+) not found in the current page snapshot`)
	selectorRefusal = regexp.MustCompile(`^(?:### Error\n)?(?:Error: )?"(.*)" does not match any elements`)
	modalRefusal    = regexp.MustCompile(`^(?:### Error\n)?(?:Error: )?The tool "(\w+)" can only be used when there is related modal state present`)
)

// refusesTarget reports whether an error says that an element which a call names, or
// the dialog that it answers, was not found: upstream looks for it before it acts. A form's fields are filled
// one by one, so for it only its first one proves that nothing was done. An error
// of an escaping call may be the script's own.
func refusesTarget(text, tool string, args []byte) bool {
	if repeatOf(tool, args) == escapes {
		return false
	}
	if m := modalRefusal.FindStringSubmatch(text); m != nil {
		return m[1] == tool
	}
	said := refRefusal.FindStringSubmatch(text)
	if said == nil {
		said = selectorRefusal.FindStringSubmatch(text)
	}
	if said == nil {
		return false
	}
	first, named := "", false
	_, _ = mapTargets(tool, args, func(v []byte) (ref []byte, changed bool, refusal string) {
		if name, err := jsonrpc.Unquote(v); err == nil && !named {
			first, named = name, true
		}
		return v, false, ""
	})
	return named && (tool != "browser_fill_form" || first == said[1])
}
