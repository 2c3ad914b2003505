package playwright

// What a call asks of PlayGuard: its own parameters, taken out of the arguments.

import (
	"strconv"

	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/upstream"
)

// request is what a call asks of PlayGuard besides what it asks of the server.
type request struct {
	params []byte // for the server
	args   []byte // its arguments, without PlayGuard's own
	raw    bool
	full   bool // a whole view, no delta
	urls   bool
	text   string
	filter aria.Filter
	file   bool    // the answer goes to a file
	note   string  // a line that its answer gets
	before *answer // what an action was answered for which this look was taken
	number int     // of the call
	mapped bool    // handles were replaced by refs
	// foreseen: answered from what a navigation saw, not by the browser.
	foreseen bool
	boxes    bool
	// partial: upstream is asked for one element, which makes every other ref
	// invalid there until the next whole look.
	partial bool
}

// plain reports whether a look asks for nothing special, or just for all.
func (q request) plain() bool {
	return !q.raw && !q.urls && !q.boxes && q.filter == (aria.Filter{}) && q.text == "" && !q.partial && !q.file
}

// Parameters of browser_snapshot that PlayGuard answers itself. depth is
// upstream's too, but a partial tree would make all other refs invalid there.
const (
	rawParam     = "raw"
	fullParam    = "full"
	urlsParam    = "urls"
	textParam    = "text"
	sectionParam = "section"
	aroundParam  = "around"
	depthParam   = "depth"
	targetParam  = "target"
)

// readRequest takes PlayGuard's own parameters out of a call.
func readRequest(c *config.Config, call *upstream.Call) request {
	q := request{params: call.Params, args: call.Arguments(), raw: !c.Compact}
	if call.Tool != snapshotTool || !c.Compact {
		return q
	}
	args := q.args
	q.raw, q.full, q.urls = flag(args, rawParam), flag(args, fullParam), flag(args, urlsParam)
	call.Log.Raw = q.raw
	switch text := jsonrpc.StringMember(args, textParam); text {
	case config.TextFull, config.TextShort, config.TextNone:
		q.text = text
	}
	q.filter = aria.Filter{Section: jsonrpc.StringMember(args, sectionParam), Around: word(args, aroundParam)}
	q.filter.Depth, _ = strconv.Atoi(word(args, depthParam))
	_, q.file = jsonrpc.Member(args, "filename")
	q.boxes = flag(args, "boxes")
	_, q.partial = jsonrpc.Member(args, targetParam)
	strip := []string{rawParam, fullParam, urlsParam, textParam, sectionParam, aroundParam}
	if !q.raw && !q.file {
		strip = append(strip, depthParam)
	}
	for _, name := range strip {
		args = jsonrpc.DeleteMember(args, name)
	}
	q.args = args
	return q
}

// flag accepts what models write for true.
func flag(args []byte, name string) bool {
	v, _ := jsonrpc.Member(args, name)
	return string(v) == "true" || string(v) == `"true"`
}

// word returns a parameter that may be written as a string or as a number.
func word(args []byte, name string) string {
	v, ok := jsonrpc.Member(args, name)
	if !ok || len(v) == 0 {
		return ""
	}
	if v[0] == '"' {
		return jsonrpc.StringMember(args, name)
	}
	return string(v)
}
