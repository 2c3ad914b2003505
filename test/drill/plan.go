package drill

// What one drill does: drawn from the seed, so that it can be done again.

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// fault is what is done to what.
type fault string

const (
	killOne      fault = "SIGKILL the current tab's renderer"
	closePort    fault = "close the browser's port"
	killBrowser  fault = "SIGKILL browser"
	killRenderer fault = "SIGKILL renderer"
	killNode     fault = "SIGKILL node"
	killGuard    fault = "SIGKILL guard"
	stopNode     fault = "SIGSTOP node"
	stopBrowser  fault = "SIGSTOP browser"
)

// hangs reports whether nothing dies by the fault.
func (f fault) hangs() bool { return f == stopNode || f == stopBrowser }

type weighted struct {
	fault
	weight int
}

// faults are drawn by their weights, remoteFaults where the browser is the user's.
var (
	faults = []weighted{
		{killBrowser, 32}, {killRenderer, 12}, {killOne, 14}, {killNode, 18}, {killGuard, 10}, {stopNode, 7}, {stopBrowser, 7},
	}
	remoteFaults = []weighted{{closePort, 65}, {killNode, 25}, {killGuard, 10}}
)

// perSession is how many drills a session is put through.
const perSession = 10

// remote reports whether a drill is one with a browser of the user's own: all of
// every sixth session are, the second one first.
func remote(number int) bool { return number/perSession%6 == 1 }

// resources are what a page has besides: most have nothing, some a picture that
// comes late, a few one that never comes.
var resources = []string{"", "", "", "", "", "", "", "", "&late=1", "&late=1", "&late=1", "&late=never"}

// plan is one drill.
type plan struct {
	number int
	fault  fault
	// settled waits after the fault until it can be known, before the call is
	// made: then the call has certainly not been executed.
	settled bool
	// delay is from the call to the fault, or from the fault to the call.
	delay  time.Duration
	during bool // the fault comes after the call
	calls  []call
	slow   time.Duration // of the server's answer to posts
	tabs   int           // further ones beside the current
	second fault         // strikes when the restoration asks for a page; empty for none
	page   string        // added to the address of the page
}

// draw returns a drill by its number: it depends on nothing but seed and number.
func draw(seed uint64, number int) plan {
	r := rand.New(rand.NewPCG(seed, uint64(number)))
	p := plan{number: number, tabs: r.IntN(3)}
	total := 0
	from := faults
	if remote(number) {
		from = remoteFaults
	}
	for _, f := range from {
		total += f.weight
	}
	at := r.IntN(total)
	for _, f := range from {
		if at -= f.weight; at < 0 {
			p.fault = f.fault
			break
		}
	}
	switch r.IntN(3) {
	case 0:
		p.settled = !p.fault.hangs()
	case 1:
		p.during = true
		p.delay = time.Duration(r.Int64N(int64(300 * time.Millisecond)))
		p.slow = time.Duration(r.Int64N(int64(300 * time.Millisecond)))
	case 2:
		p.delay = time.Duration(r.Int64N(int64(50 * time.Millisecond)))
	}
	if p.fault == killOne && p.tabs == 0 {
		p.tabs = 1 // the one that must not be touched
	}
	if !p.fault.hangs() && r.IntN(6) == 0 {
		p.second = []fault{killBrowser, killRenderer, killNode}[r.IntN(3)]
		if remote(number) {
			p.second = closePort
		}
	}
	p.page = resources[r.IntN(len(resources))]
	p.calls = append(p.calls, calls[r.IntN(len(calls))])
	if r.IntN(3) == 0 {
		// Others beside it only read, so that each answer is known.
		for range 1 + r.IntN(3) {
			p.calls = append(p.calls, beside[r.IntN(len(beside))])
		}
		r.Shuffle(len(p.calls), func(i, j int) { p.calls[i], p.calls[j] = p.calls[j], p.calls[i] })
	}
	return p
}

func (p plan) String() string {
	when := fmt.Sprintf("%s before", p.delay.Round(time.Millisecond))
	switch {
	case p.settled:
		when = "known before"
	case p.during:
		when = fmt.Sprintf("%s into", p.delay.Round(time.Millisecond))
	}
	names := ""
	for _, c := range p.calls {
		names += " " + c.name
	}
	if p.second != "" {
		when += ", then " + string(p.second)
	}
	return fmt.Sprintf("drill %d: %s %s%s %s", p.number, p.fault, when, names, p.page)
}

// kind is what an answer must be.
type kind int

const (
	reads   kind = iota // right, whatever happens
	acts                // right, or unknown; done once at most
	escapes             // the same, but it may also be said not to have been repeated
	placed              // acts, but not on a page that was opened anew: it goes by the focus
)

// toBeSent reports whether an action that was certainly not executed is then done.
// The user's own browser keeps its pages, and on them the focus.
func (p plan) toBeSent(c call) bool { return c.kind != placed || remote(p.number) }

// call is one tool call of a drill, on the page /work?k=KEY.
type call struct {
	name  string
	tool  string
	kind  kind
	posts string // what it posts
	args  func(s *session, view, key string) map[string]any
	want  string // a right answer has it; KEY stands for the key
}

func target(label string, more map[string]any) func(*session, string, string) map[string]any {
	return func(s *session, view, _ string) map[string]any {
		args := map[string]any{"target": handle(s.t, view, label)}
		for k, v := range more {
			args[k] = v
		}
		return args
	}
}

func fixed(args map[string]any) func(*session, string, string) map[string]any {
	return func(*session, string, string) map[string]any { return args }
}

// beside are calls that only read.
var beside = []call{
	{"snapshot", "browser_snapshot", reads, "", fixed(map[string]any{"full": true}), "Work KEY"},
	{"find", "browser_find", reads, "", fixed(map[string]any{"text": "Welcome"}), "ada"},
	{"title", "browser_evaluate", reads, "", fixed(map[string]any{"function": "() => document.title"}), "Work KEY"},
	{"wait", "browser_wait_for", reads, "", fixed(map[string]any{"text": "Welcome"}), ""},
	{"tabs", "browser_tabs", reads, "", fixed(map[string]any{"action": "list"}), "/work?k=KEY"},
	{"console", "browser_console_messages", reads, "", fixed(map[string]any{"level": "info"}), ""},
	{"requests", "browser_network_requests", reads, "", fixed(map[string]any{"static": false}), ""},
	{"picture", "browser_take_screenshot", reads, "", fixed(map[string]any{}), ""},
}

// calls are all of them.
var calls = append([]call{
	{"navigate", "browser_navigate", reads, "", func(s *session, _, key string) map[string]any {
		return map[string]any{"url": s.app.URL + "/work?k=" + key + "&again=1"}
	}, "/work?k=KEY&again=1"},
	{"back", "browser_navigate_back", reads, "", fixed(map[string]any{}), "/home"},
	{"resize", "browser_resize", reads, "", fixed(map[string]any{"width": 900, "height": 700}), ""},
	{"click", "browser_click", acts, "click", target("Count", nil), ""},
	{"submit", "browser_click", acts, "submit", target("Send", nil), ""},
	{"submit text", "browser_type", acts, "submit", target("Text", map[string]any{"text": "hello", "submit": true}), ""},
	{"enter", "browser_type", acts, "enter", target("Line", map[string]any{"text": "hello", "submit": true}), ""},
	{"select", "browser_select_option", acts, "select", target("Colour", map[string]any{"values": []string{"blue"}}), ""},
	{"hover", "browser_hover", acts, "hover", target("Point", nil), ""},
	{"fill", "browser_fill_form", acts, "", func(s *session, view, _ string) map[string]any {
		return map[string]any{"fields": []map[string]any{
			{"name": "Text", "element": "Text", "type": "textbox", "target": handle(s.t, view, "Text"), "value": "a"},
			{"name": "Line", "element": "Line", "type": "textbox", "target": handle(s.t, view, "Line"), "value": "b"},
		}}
	}, ""},
	{"key", "browser_press_key", placed, "", fixed(map[string]any{"key": "Tab"}), ""},
	{"script", "browser_evaluate", escapes, "script", func(_ *session, _, key string) map[string]any {
		return map[string]any{"function": "() => fetch('/act?what=script&k=" + key + "', { method: 'POST' }).then(r => r.status)"}
	}, ""},
}, beside...)
