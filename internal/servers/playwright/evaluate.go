package playwright

// Remembering what a script has read, as long as the page can't have changed.

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/reread"
	"github.com/playguard/playguard/internal/upstream"
)

const evaluateTool = "browser_evaluate"

// evaluations are results of scripts that only read, for the same script that
// follows at once.
type evaluations struct {
	results  map[string]evaluation
	changing int // calls under way that may change the page
}

type evaluation struct {
	at     time.Time
	result []byte
}

// maxEvaluations bounds the memory; within one TTL there are few.
const maxEvaluations = 20

// readingTools leave the page as it is. Every other tool may change it, also by
// giving it time.
var readingTools = map[string]bool{
	snapshotTool: true, screenshotTool: true, "browser_find": true, "browser_console_messages": true,
	"browser_network_requests": true, "browser_network_request": true,
}

// reads reports whether a call leaves the page as it is.
func reads(call *upstream.Call) bool {
	return readingTools[call.Tool] || call.Tool == evaluateTool && onlyReads(jsonrpc.StringMember(call.Arguments(), "function"))
}

// changing notes that a call which may change the page goes out; the function
// that it returns notes that it is back.
func (r *row) changing(call *upstream.Call) (back func()) {
	if reads(call) {
		return func() {}
	}
	step := func(n int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.evaluations.changing += n
		r.evaluations.results = nil
	}
	step(1)
	return func() { step(-1) }
}

// evaluationKey is what a result depends on; empty for a call whose result is
// not to be given twice. Called with mu.
func (r *row) evaluationKey(call *upstream.Call, asked request) string {
	if call.Tool != evaluateTool || r.config.EvalCacheTTL == 0 || r.evaluations.changing > 0 || !reads(call) {
		return ""
	}
	if _, file := jsonrpc.Member(asked.args, "filename"); file {
		return ""
	}
	where := ""
	if page := r.pages.current; page != nil {
		where = r.pages.key(page) + " " + page.url
	}
	return where + "\n" + string(jsonrpc.DeleteMember(asked.args, "element"))
}

// evaluated returns the result of the same script from memory.
func (r *row) evaluated(call *upstream.Call, asked request) (result []byte, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := r.evaluationKey(call, asked)
	known, ok := r.evaluations.results[key]
	if key == "" || !ok || r.now().Sub(known.at) >= r.config.EvalCacheTTL {
		return nil, false
	}
	call.Log.CacheHit = true
	return known.result, true
}

// remember keeps a result as the agent gets it; original is what upstream
// answered, which with more than a value in it says that something happened.
// Called with mu.
func (r *row) remember(result []byte, original string, call *upstream.Call, asked request) {
	key := r.evaluationKey(call, asked)
	original, _ = splitCode(original)
	if key == "" || !strings.HasPrefix(original, "### Result\n") || strings.Contains(original, "\n### ") {
		return
	}
	if r.evaluations.results == nil || len(r.evaluations.results) >= maxEvaluations {
		r.evaluations.results = map[string]evaluation{}
	}
	r.evaluations.results[key] = evaluation{r.now(), bytes.Clone(result)}
}

// cut shortens the value in the answer to a script, and keeps the original.
func (r *row) cut(a answer, text string, call *upstream.Call) (string, bool) {
	head, code := splitCode(a.head)
	dropped := code != "" && !r.wantsCode && r.config.Compact
	if dropped {
		code = ""
	}
	rest := code + text[len(a.head):]
	value, ok := strings.CutPrefix(head, "### Result\n")
	limit := r.config.EvalCompact
	if call.Tool != evaluateTool || !ok || limit == 0 || len(value) <= limit {
		return head + rest, dropped
	}
	all := utf8.RuneCountInString(value)
	kept := firstCharacters(value, limit)
	if all <= limit || len(value)-len(kept) < minCut {
		return head + rest, dropped
	}
	call.Log.Cut = true
	original := value
	if plain, err := jsonrpc.Unquote([]byte(value)); err == nil && value[0] == '"' {
		original = plain // a string reads better by its own lines
	}
	return fmt.Sprintf("[PlayGuard: %d of %d characters; all: %s]\n### Result\n", utf8.RuneCountInString(kept), all, reread.Call(r.originals.Put(original))) +
		kept + rest, true
}

// minCut is the least number of bytes worth a notice, which is shorter.
const minCut = 200

// firstCharacters returns at most limit characters of a text, up to the end of a
// line where that does not lose much.
func firstCharacters(text string, limit int) string {
	for i := range text {
		if limit == 0 {
			text = text[:i]
			break
		}
		limit--
	}
	if end := strings.LastIndexByte(text, '\n'); end > len(text)/4*3 {
		text = text[:end]
	}
	return text
}
