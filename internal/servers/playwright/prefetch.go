package playwright

// The look that directly follows a navigation, answered from what that has seen.

import (
	"strings"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/upstream"
)

// prefetched is what a navigation has seen, for the look that follows directly:
// upstream has written the tree to a file, so the browser need not be asked.
type prefetched struct {
	at   time.Time
	call int // number of the navigation
	text string
}

// prefetchAge is how long an agent takes to ask for a look; a later one may find
// another page.
const prefetchAge = 5 * time.Second

// foresee keeps what a navigation has seen.
func (r *row) foresee(resp jsonrpc.Message, call *upstream.Call, asked request) {
	if !r.config.Prefetch || !navigations[call.Tool] {
		return
	}
	text, ok := r.wholeAnswer(resp)
	if !ok {
		return
	}
	if at := strings.LastIndex(text, "\n### Events\n"); at >= 0 {
		text = text[:at] // the navigation has said them
	}
	if lines := strings.Split(text, "\n"); firstSection(lines) > 0 {
		text = strings.Join(lines[firstSection(lines):], "\n")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.prefetched = prefetched{r.now(), asked.number, text}
}

// foreseen answers a look that directly follows a navigation with what that has
// seen. The look is then made compact like any other.
func (r *row) foreseen(call *upstream.Call, asked request) (jsonrpc.Message, bool) {
	r.mu.Lock()
	p := r.prefetched
	r.prefetched = prefetched{}
	fits := p.text != "" && p.call == asked.number-1 && r.flying == 1 && r.now().Sub(p.at) < prefetchAge
	r.mu.Unlock()
	if !fits || call.Tool != snapshotTool || call.Log.Raw || asked.full || asked.partial || asked.file || asked.boxes {
		return jsonrpc.Message{}, false
	}
	resp, err := toolText(p.text)
	if err != nil {
		return resp, false
	}
	call.Log.CacheHit, call.Log.PrefetchHit = true, true
	return resp, true
}
