// Package agent does tasks in a browser the way a coding agent does: it knows
// only the text that was delivered to it, finds labels in it, and acts through
// the handles beside them.
//
// The same tasks run against PlayGuard in every mode and against Playwright MCP
// itself, so that what each of them costs can be compared.
package agent

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/internal/demo"
	"github.com/playguard/playguard/test/site"
)

// patience bounds one call; the first may have to start a browser.
const patience = 60 * time.Second

// Agent is an agent with a browser. Its methods do nothing once one of them has
// failed; Err says what was in the way.
type Agent struct {
	MCP  *client.Client
	Site *site.Site
	// Look is set where an action's answer does not show the page: the agent
	// then asks for it after each one.
	Look bool
	// Refs is set where handles are upstream's refs.
	Refs bool
	// File is the path of a file that may be uploaded.
	File string

	Calls []Call // so far
	Err   error

	ctx   context.Context
	known []string // what was delivered about the present page, oldest first
	step  string   // what the last step delivered
}

// Call is one tool call with its answer.
type Call struct {
	Tool   string
	Action bool // not a look that the agent asked for
	Answer client.ToolResult
}

// Task is something to be done on one of the site's applications.
type Task struct {
	Name string
	Page string // below the site's URL
	Do   func(*Agent)
	// Report is what the page reports when the task is done.
	Report string
}

// Run does a task and checks that the page has reported it.
func (a *Agent) Run(ctx context.Context, task Task) error {
	a.ctx, a.Err, a.Calls = ctx, nil, nil
	before := a.Site.Count(task.Report)
	a.Open(task.Page)
	task.Do(a)
	if a.Err == nil && task.Report != "" {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		a.Err = a.Site.Await(ctx, task.Report, before+1)
	}
	if a.Err != nil {
		return fmt.Errorf("the task %s failed: %w", task.Name, a.Err)
	}
	return nil
}

// Args are a tool's arguments.
type Args map[string]any

// Act calls a tool that changes the page, and looks if that must be asked for.
func (a *Agent) Act(tool string, args Args) {
	a.step = ""
	answer := a.call(tool, args, true)
	// A dialog of the browser must be answered before anything else.
	if a.Look && !strings.Contains(answer, "### Modal state") && !strings.HasPrefix(answer, "Open: ") {
		a.call("browser_snapshot", Args{}, false)
	}
}

func (a *Agent) call(tool string, args Args, action bool) string {
	if a.Err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeoutCause(a.ctx, patience, fmt.Errorf("no answer within %s", patience))
	defer cancel()
	result, err := a.MCP.CallTool(ctx, tool, args)
	if err != nil {
		a.Err = err
		return ""
	}
	a.Calls = append(a.Calls, Call{Tool: tool, Action: action, Answer: result})
	text := result.Text()
	if result.IsError {
		a.fail("%s %v answered with an error: %s", tool, args, text)
		return ""
	}
	a.step += text + "\n"
	a.known = append(a.known, text)
	return text
}

func (a *Agent) fail(format string, args ...any) {
	if a.Err == nil {
		a.Err = fmt.Errorf(format, args...)
	}
}

// Open navigates to a page of the site.
func (a *Agent) Open(page string) {
	a.known = nil
	a.Act("browser_navigate", Args{"url": a.Site.URL + page})
}

// Click clicks the element with this role and label; without a role it is plain
// text that listens.
func (a *Agent) Click(role, label string) {
	a.clickAt(a.find(role, label, a.known), label)
}

// ClickIn clicks the first such element behind a text, as in a row.
func (a *Agent) ClickIn(text, role, label string) {
	var behind []string
	for _, known := range a.known {
		if _, after, found := strings.Cut(known, text); found {
			behind = append(behind, after)
		}
	}
	a.clickAt(a.find(role, label, behind), text+" "+label)
}

func (a *Agent) clickAt(handle, label string) {
	a.Act("browser_click", Args{"element": label, "target": handle})
}

// Follow clicks a link that leads to another page.
func (a *Agent) Follow(label string) {
	handle := a.find("link", label, a.known)
	a.known = nil
	a.clickAt(handle, label)
}

// Type replaces the text of a field.
func (a *Agent) Type(label, text string) {
	a.Act("browser_type", Args{"element": label, "target": a.find("textbox", label, a.known), "text": text})
}

// Press presses a key.
func (a *Agent) Press(key string) { a.Act("browser_press_key", Args{"key": key}) }

// Choose picks options of a select element.
func (a *Agent) Choose(role, label string, options ...string) {
	a.Act("browser_select_option", Args{"element": label, "target": a.find(role, label, a.known), "values": options})
}

// Field is one entry of a form.
type Field struct{ Role, Label, Value string } // the role is also the tool's type

// Fill fills several fields with one call.
func (a *Agent) Fill(fields ...Field) {
	var list []Args
	for _, f := range fields {
		list = append(list, Args{"element": f.Label, "name": f.Label, "type": f.Role, "target": a.find(f.Role, f.Label, a.known), "value": f.Value})
	}
	a.Act("browser_fill_form", Args{"fields": list})
}

// Upload answers the question for a file.
func (a *Agent) Upload() { a.Act("browser_file_upload", Args{"paths": []string{a.File}}) }

// Answer answers a dialog of the browser.
func (a *Agent) Answer(accept bool, text string) {
	args := Args{"accept": accept}
	if text != "" {
		args["promptText"] = text
	}
	a.Act("browser_handle_dialog", args)
}

// Await waits until the page shows a text.
func (a *Agent) Await(text string) { a.Act("browser_wait_for", Args{"text": text}) }

// See checks that the last step delivered all of these texts.
func (a *Agent) See(texts ...string) {
	for _, text := range texts {
		if !strings.Contains(a.step, text) {
			a.fail("%q was expected in what was delivered:\n%s", text, clip(a.step))
		}
	}
}

// Recall checks that all of these texts were delivered since the page was opened.
func (a *Agent) Recall(texts ...string) {
	for _, text := range texts {
		if !slices.ContainsFunc(a.known, func(known string) bool { return strings.Contains(known, text) }) {
			a.fail("%q was expected among what was delivered:\n%s", text, clip(strings.Join(a.known, "\n")))
		}
	}
}

// Miss checks that the last step delivered none of these texts.
func (a *Agent) Miss(texts ...string) {
	for _, text := range texts {
		if strings.Contains(a.step, text) {
			a.fail("%q was not expected in what was delivered:\n%s", text, clip(a.step))
		}
	}
}

func clip(text string) string {
	const most = 4000
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// find reads the handle of an element in what is known. What is not there may be
// in a part that was left out, which is then asked for.
func (a *Agent) find(role, label string, known []string) string {
	handle := a.read(role, label, known)
	if handle == "" && a.Err == nil && slices.ContainsFunc(known, func(text string) bool { return strings.Contains(text, folded) }) {
		handle = a.read(role, label, []string{a.call("browser_snapshot", Args{"full": true}, false)})
	}
	if handle == "" {
		a.fail("the %s %q was not delivered; what is known of the page:\n%s", role, label, clip(strings.Join(known, "\n")))
	}
	return handle
}

// folded begins what stands for a part that was left out.
const folded = "[… "

// read reads a handle, the newest text first; empty if there is none.
func (a *Agent) read(role, label string, known []string) string {
	handle, _ := demo.FindNewest(known, func(text string) (handle string, flaws int, found bool) {
		text = a.readable(text)
		if role == "" {
			if handle, found = behindHandle(text, label); found {
				return handle, 0, true
			}
		}
		return demo.FindHandle(text, role, label)
	})
	return handle
}

var (
	// yamlText is what follows the colon on a line of Playwright's own form: text.
	yamlText = regexp.MustCompile(`(?m)^(\s*- [^"\n]*?(?:"(?:[^"\\\n]|\\.)*"[^"\n]*?)?): (.+)$`)
	// quoted is a text in quotes, imitation what may be taken for a handle in it.
	quoted    = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	imitation = regexp.MustCompile(`\[(?:ref=)?(?:(?:f\d+)?e)?\d+\]`)
	number    = regexp.MustCompile(`\[\d+\]`)
)

// readable is a text without what only looks like a handle: one in quotes or in
// the text of a line of Playwright's form, and a number where handles are refs.
func (a *Agent) readable(text string) string {
	text = yamlText.ReplaceAllStringFunc(text, func(line string) string {
		m := yamlText.FindStringSubmatch(line)
		return m[1] + ": " + imitation.ReplaceAllString(m[2], "")
	})
	text = quoted.ReplaceAllStringFunc(text, func(q string) string { return imitation.ReplaceAllString(q, "") })
	if a.Refs {
		return number.ReplaceAllString(text, "")
	}
	return demo.SpellRanges(text)
}

// behindHandle finds a label in the place where Playwright's own form has the
// text of an element without a name: behind its handle, at the end of the line.
func behindHandle(text, label string) (handle string, found bool) {
	m := regexp.MustCompile(`(?m)\[(?:ref=)?((?:(?:f\d+)?e)?\d+)\](?: \[[^\]\n]*\])*: "?` + regexp.QuoteMeta(label) + `"?$`).FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return m[1], true
}
