package playwright

import "bytes"

// wording replaces phrases of the bundled version's tool list (0.0.83) by
// shorter ones that say the same: the list is read in every session. Only
// wording is shortened; parameters, types, enums, required lists and annotations
// stay. A phrase that another version words differently stays as it is.
var wording = []struct{ long, short string }{
	{`"$schema":"https://json-schema.org/draft/2020-12/schema",`, ``},
	{`Exact target element reference from the page snapshot, or a unique element selector`, `Handle such as 47, or a unique selector`},
	{`Human-readable element description used to obtain permission to interact with the element`, `What it is, to ask permission`},
	{`Human-readable source element description used to obtain the permission to interact with the element`, `What is dragged, to ask permission`},
	{`Human-readable target element description used to obtain the permission to interact with the element`, `Where to, to ask permission`},
	{`File name to save the console messages to. Relative file names are resolved against the workspace root. If not provided, messages are returned as text.`, `Save to this file instead (relative to the workspace)`},
	{`File name to save the network requests to. Relative file names are resolved against the workspace root. If not provided, requests are returned as text.`, `Save to this file instead (relative to the workspace)`},
	{`File name to save the result to. Relative file names are resolved against the workspace root. If not provided, result is returned as text.`, `Save to this file instead (relative to the workspace)`},
	{`File name to save the result to. Relative file names are resolved against the workspace root. If not provided, output is returned as text.`, `Save to this file instead (relative to the workspace)`},
	{`Save results to a file instead of returning them in the response. Relative file names are resolved against the workspace root.`, `Save to this file instead (relative to the workspace)`},
	{`Save snapshot to a file instead of returning it in the response. Relative file names are resolved against the workspace root.`, `Save to this file instead (relative to the workspace)`},
	{`File name to save the screenshot to. Relative file names are resolved against the workspace root. If not specified, the screenshot is saved into the output directory as `, `File to save to (relative to the workspace); default: in the output directory as `},
	{`Search the accessibility snapshot of the current page for text or a regular expression. Returns matching snapshot nodes with a few lines of surrounding context (like search snippets), each shown under its path from the root of the tree, which is cheaper than capturing the whole snapshot when you only need to locate an element and its ref.`, `Find text or a regex in the page: matching nodes with their handles, some context and their path. Cheaper than a snapshot to locate an element.`},
	{`Plain text to search for in the page snapshot (case-insensitive substring match). Provide either text or regex, not both.`, `Substring, any case. Either text or regex.`},
	{`Regular expression to search for in the page snapshot. Matching is case-sensitive by default; wrap the pattern in slashes to add flags, e.g. `, `Case-sensitive; in slashes it takes flags, e.g. `},
	{` for case-insensitive. Provide either text or regex, not both.`, `. Either text or regex.`},
	{`Image resolution scale. \"css\" produces a screenshot sized in CSS pixels (smaller, consistent across devices). \"device\" produces a high-resolution screenshot using device pixels (larger, accounts for the device pixel ratio). Default is css.`, `Resolution: css pixels (default, smaller) or device pixels`},
	{`When true, takes a screenshot of the full scrollable page, instead of the currently visible viewport. Cannot be used with element screenshots.`, `The whole scrollable page instead of the viewport; not with an element`},
	{`Include each element's bounding box as [box=x,y,width,height] in the snapshot. Coordinates are viewport-relative, in CSS pixels (Element.getBoundingClientRect)`, `Add [box=x,y,width,height], in CSS pixels of the viewport`},
	{`Whether to type one character at a time. Useful for triggering key handlers in the page. By default entire text is filled in at once.`, `Type one character at a time, for key handlers. Default: fill at once`},
	{`Whether to submit entered text (press Enter after)`, `Press Enter after`},
	{`Value to fill in the field. If the field is a checkbox, the value should be `, `Value. For a checkbox `},
	{`. If the field is a combobox, the value should be the text of the option.`, `, for a combobox the option's text.`},
	{`Level of the console messages to return. Each level includes the messages of more severe levels. Defaults to `, `Least severe level to return. Defaults to `},
	{`Return all console messages since the beginning of the session, not just since the last navigation. Defaults to false.`, `Since the session began, not only since the last navigation. Default false.`},
	{`Whether to include successful static resources like images, fonts, scripts, etc. Defaults to false.`, `Include successful images, fonts, scripts etc. Default false.`},
	{`Returns a numbered list of network requests since loading the page. Use browser_network_request with the number to get full details.`, `Numbered list of the page's network requests; browser_network_request gives one in full.`},
	{`Returns full details (headers and body) of a single network request, or a single part if `, `Headers and body of one network request, or one part if `},
	{`Drop files or MIME-typed data onto an element, as if dragged from outside the page. At least one of `, `Drop files or data onto an element, as if from outside the page. At least one of `},
	{`The absolute paths to the files to upload. Can be single file or multiple files. If omitted, file chooser is cancelled.`, `Absolute paths. If omitted, the file chooser is cancelled.`},
	{`Array of values to select in the dropdown. This can be a single value or multiple values.`, `Values to select, one or several`},
	{`Load code from the specified file. Relative file names are resolved against the workspace root. If both code and filename are provided, code will be ignored.`, `Load the code from this file (relative to the workspace) instead`},
	{`A JavaScript function containing Playwright code to execute. It will be invoked with a single argument, page, which you can use for any page interaction. For example: `, `A function of page, e.g. `},
	{`Emulate CSS media features for the page, for example switch between the light and dark color scheme. Omitted parameters are left unchanged; null clears an override.`, `Emulate CSS media features, e.g. the dark color scheme. Omitted ones stay; null clears an override.`},
	{`Capture accessibility snapshot of the current page, this is better than screenshot`, `Look at the page: compact view, [47] is a handle. Actions answer with what they changed, so look only when you need to. Better than a screenshot`},
	{`Take a screenshot of the current page. You can't perform actions based on the screenshot, use browser_snapshot for actions.`, `Screenshot of the page. To act, use the handles of browser_snapshot.`},
}

// reword shortens the wording of one tool's entry.
func reword(entry []byte) []byte {
	for _, w := range wording {
		entry = bytes.ReplaceAll(entry, []byte(w.long), []byte(w.short))
	}
	return entry
}
