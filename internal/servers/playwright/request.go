package playwright

import (
	"strconv"

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
	filter filter
	target string // of a look: the element to look at
	file   bool   // the answer goes to a file
	said   string // what an action said for which this look was taken
}

// filter narrows a look to a part of the page.
type filter struct {
	section string
	around  string
	depth   int
}

func (f filter) empty() bool { return f == filter{} }

// plain reports whether a look asks for nothing special.
func (q request) plain() bool {
	return !q.raw && !q.full && !q.urls && q.filter.empty() && q.text == "" && q.target == "" && !q.file
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
	q.filter = filter{section: jsonrpc.StringMember(args, sectionParam), around: word(args, aroundParam)}
	q.filter.depth, _ = strconv.Atoi(word(args, depthParam))
	q.target = word(args, "target")
	_, q.file = jsonrpc.Member(args, "filename")
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
