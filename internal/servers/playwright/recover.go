package playwright

// Recovery: what dies is brought back once for all calls that it took with it,
// and each of them is then sent again or told the truth.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playguard/playguard/internal/argv"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/servers/playwright/watch"
	"github.com/playguard/playguard/internal/transport"
	"github.com/playguard/playguard/internal/upstream"
)

const (
	closeTool = "browser_close"
	// nothingOpen is upstream's answer to closing the browser.
	nothingOpen = "### Result\nNo open tabs. Navigate to a URL to create one."
)

const (
	// maxFailures is how many times in a row something may die before calls are
	// told so.
	maxFailures = 2
	// firstBackoff and maxBackoff bound the time until the next call tries again;
	// it doubles.
	firstBackoff = time.Second
	maxBackoff   = time.Minute
)

// recovery is the life of the browser's session beyond that of the browser.
type recovery struct {
	row  *row
	link upstream.Link
	// stateDir is where the session's private folder is made; empty makes none.
	stateDir string
	remote   bool // the browser is not PlayGuard's: it is neither ended nor filled with saved storage
	saved    *saved
	watch    *watch.Watcher // nil where it could not be set up
	blind    atomic.Bool    // the script was there and did not come again
	ctx      context.Context
	end      context.CancelFunc
	tasks    sync.WaitGroup

	mu      sync.Mutex
	wake    chan struct{} // closed and replaced when the script has said something
	ours    string        // the context whose tabs these are
	gone    string        // the context that the agent has closed
	tabs    []string      // their URLs
	current int
	closing bool // the agent has the browser closed
	last    int  // number of the last call
	active  int  // calls that upstream works on
	dirty   bool // the page may have changed since the storage was saved
	touched chan struct{}

	restoring bool
	restores  int    // so far
	dying     string // what is being restored
	presumed  string // what an answer says has died, where the script is not there to say so
	line      []*sent
	turn      *sent // the call of the line that is under way
	failures  int   // in a row
	retryAt   time.Time
	failure   error
	done      restored // the last restoration
	notice    bool     // it has not been said yet
}

// sent is one call on its way through the recovery.
type sent struct {
	number   int
	tool     string
	args     []byte
	params   []byte
	kind     repeat
	blank    bool           // it asks for an empty page
	handles  map[string]int // numbers of its elements, by their refs in that browser
	browser  int
	tabs     []string // as they were before it
	restores int
	current  int
	ready    chan error // in the line: its turn has come, or none will
}

// restored is what a restoration has brought back.
type restored struct {
	death
	tabs  int
	state bool
	took  time.Duration
	url   string
}

func newRecovery(r *row, stateDir string) *recovery {
	return &recovery{row: r, stateDir: stateDir, wake: make(chan struct{}), touched: make(chan struct{}, 1)}
}

// open begins with the row's life; the function that it returns ends it.
func (v *recovery) open(link upstream.Link) (closed func()) {
	v.link = link
	v.ctx, v.end = context.WithCancel(context.Background())
	v.setUp()
	if v.watch != nil && v.row.config.RestoreState {
		v.tasks.Go(v.saveWhenIdle)
	}
	return func() {
		v.end()
		if v.watch != nil {
			v.watch.Close()
		}
		v.tasks.Wait()
		v.saved.remove()
	}
}

// setUp makes the session's private folder and begins to watch. Without either
// PlayGuard goes by the answers, and storage is lost with the browser.
func (v *recovery) setUp() {
	if v.stateDir == "" {
		return
	}
	saved, err := newSaved(v.stateDir, v.row.log)
	if err == nil {
		v.saved = saved
		v.watch, err = watch.New(saved.dir, v.noteWatch)
	}
	if err != nil {
		v.row.log.Warn("a crash of the browser will be noticed late, and its storage is lost with it", "reason", err.Error())
	}
}

// watchedBy adds the watching script to the server's command, behind the init
// pages that the user has. A command of the user's own gets it by a variable,
// which versions that do not know it ignore.
func (v *recovery) watchedBy(cmd transport.Command, given flags, custom bool) transport.Command {
	const pageVariable = "PLAYWRIGHT_MCP_INIT_PAGE"
	if v.watch == nil {
		return cmd
	}
	if custom {
		if !given.given("init-page") && len(given.file.Browser.InitPage) == 0 {
			cmd.Env = append(slices.Clone(cmd.Env), pageVariable+"="+v.watch.Script())
		}
		return cmd
	}
	pages := given.file.Browser.InitPage
	if page := variable(given.env, pageVariable); page != "" {
		pages = []string{page}
	}
	if argv.Has(given.args, "init-page") {
		pages = nil // they are on the command line already, where ours is one more
	}
	cmd.Args = slices.Clone(cmd.Args)
	for _, page := range append(slices.Clone(pages), v.watch.Script()) {
		cmd.Args = append(cmd.Args, "--init-page", page)
	}
	return cmd
}

// guarded is next with recovery around it.
func (v *recovery) guarded(call *upstream.Call, next upstream.Next) upstream.Next {
	if v.link == nil {
		return next
	}
	return func(ctx context.Context, params []byte) (jsonrpc.Message, error) {
		c := v.begin(params)
		defer v.leave(c)
		for again := false; ; again = true {
			if err := v.ready(ctx, c, call); err != nil {
				return jsonrpc.Message{}, err
			}
			if c.tool == closeTool && v.nothingToClose() {
				return toolText(nothingOpen)
			}
			out, refusal := v.translate(c)
			if refusal != "" {
				return v.told(ctx, call, refusal, next)
			}
			v.sending(c)
			resp, err := next(ctx, out)
			v.answered(c, resp, err)
			d, died := v.diagnose(ctx, c, resp, err)
			if !died {
				v.settle(c, resp, err)
				return resp, err
			}
			if c.tool == closeTool {
				v.drop()
				return toolText(nothingOpen)
			}
			if err := v.revive(ctx, c, call, d, again, failureText(resp, err)); err != nil {
				return jsonrpc.Message{}, err
			}
			if !mayReplay(v.row.config.Replay, c.kind, d) {
				return v.told(ctx, call, v.unknown(c, d), next)
			}
			call.Log.Replayed = call.Log.Replayed || !d.unsent
		}
	}
}

// begin gives a call its number and notes which elements its refs stand for.
func (v *recovery) begin(params []byte) *sent {
	c := &sent{tool: jsonrpc.StringMember(params, "name"), params: params, args: []byte("{}")}
	if args, ok := jsonrpc.Member(params, "arguments"); ok && args[0] == '{' {
		c.args = args
	}
	c.kind = repeatOf(c.tool, c.args)
	url := jsonrpc.StringMember(c.args, "url")
	c.blank = navigations[c.tool] && url == "about:blank" || c.tool == tabsTool && jsonrpc.StringMember(c.args, "action") != "list"
	c.handles, c.browser = v.row.numbersIn(c.tool, c.args)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last++
	c.number = v.last
	return c
}

// ready lets a call go on at once while all is well. Otherwise the call waits in
// the line, in the order of numbers, until the session has been restored.
func (v *recovery) ready(ctx context.Context, c *sent, call *upstream.Call) error {
	v.mu.Lock()
	if v.turn == c {
		v.mu.Unlock()
		return nil
	}
	if c.tool == closeTool {
		v.closing = true
	}
	what := v.deadLocked()
	if what == "" && !v.restoring && len(v.line) == 0 && v.turn == nil || c.tool == closeTool {
		v.mu.Unlock()
		return nil
	}
	return v.wait(ctx, c, call, death{what: what, noticed: byWatch, unsent: true})
}

// revive waits until what has died under a call is back. That it dies again under
// the same call is said, with what upstream said of it.
func (v *recovery) revive(ctx context.Context, c *sent, call *upstream.Call, d death, again bool, said string) error {
	v.mu.Lock()
	if v.turn == c {
		v.turn = nil
	}
	if d.noticed != byWatch {
		v.presumed = d.what
	}
	if c.tool == tabsTool && c.kind != reading && !v.restoring && c.restores == v.restores {
		// It is done again on the tabs as they were before it.
		v.tabs, v.current = c.tabs, c.current
	}
	if again && !d.unsent {
		defer v.mu.Unlock()
		v.fail(d, errors.New(said))
		return v.failure
	}
	return v.wait(ctx, c, call, d)
}

// failureText is what upstream said when something died under a call.
func failureText(resp jsonrpc.Message, err error) string {
	if err != nil {
		return err.Error()
	}
	text, _ := answerText(resp)
	return errorText(text)
}

// wait puts a call into the line and waits for its turn. Called with mu, which
// it unlocks.
func (v *recovery) wait(ctx context.Context, c *sent, call *upstream.Call, d death) error {
	if v.failures >= maxFailures && time.Now().Before(v.retryAt) && v.failure != nil {
		err := v.failure
		v.mu.Unlock()
		return err
	}
	c.ready = make(chan error, 1)
	at, _ := slices.BinarySearchFunc(v.line, c, func(a, b *sent) int { return a.number - b.number })
	v.line = slices.Insert(v.line, at, c)
	v.advance(d)
	v.mu.Unlock()
	if call.Place != nil {
		call.Place()
	}
	select {
	case err := <-c.ready:
		if err == nil {
			v.mu.Lock()
			v.enter(call)
			v.mu.Unlock()
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-v.ctx.Done():
		return errors.New("PlayGuard is ending")
	}
}

// enter writes into a call's line of the log what was restored for it. Called
// with mu.
func (v *recovery) enter(call *upstream.Call) {
	r := v.done
	if r.what == "" {
		return
	}
	l := call.Log
	l.Revived, l.Died, l.Noticed = true, r.what, r.noticed
	l.RestoredTabs, l.RestoredState = r.tabs, r.state
	l.RecoveryMS = float64(r.took.Microseconds()) / 1000
}

// advance starts what comes next: a restoration if something is dead, or the
// first call of the line. Called with mu.
func (v *recovery) advance(d death) {
	if v.restoring || v.turn != nil || v.ctx.Err() != nil {
		return
	}
	if what := v.deadLocked(); what != "" {
		if d.what == "" {
			d = death{what: what, noticed: byWatch}
		}
		v.restoring, v.dying = true, d.what
		v.tasks.Go(func() { v.restoreFor(d) })
		return
	}
	if len(v.line) > 0 {
		v.turn, v.line = v.line[0], v.line[1:]
		v.turn.ready <- nil
	}
}

// restoreFor restores the session, tries once more if it dies on the way, and
// then lets the line go on, or fails it.
func (v *recovery) restoreFor(d death) {
	began := time.Now()
	r, err := v.restore(v.ctx)
	var final *finalError
	if err != nil && !errors.As(err, &final) && v.ctx.Err() == nil {
		v.row.log.Warn("the browser's session could not be restored at once", "error", err.Error())
		r, err = v.restore(v.ctx)
	}
	r.death, r.took = d, time.Since(began)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.restoring = false
	v.restores++
	if err == nil {
		v.presumed, v.failure, v.done, v.notice = "", nil, r, r.tabs > 0
		v.row.log.Info("the browser's session was restored", "died", d.what, "noticed", d.noticed, "tabs", r.tabs, "state", r.state, "ms", r.took.Milliseconds())
		v.advance(death{})
		return
	}
	v.fail(d, err)
}

// fail tells all that wait why the session could not be restored. The next call
// after the backoff tries again. Called with mu.
func (v *recovery) fail(d death, cause error) {
	v.failures = max(v.failures+1, maxFailures)
	backoff := min(firstBackoff<<min(v.failures-maxFailures, 10), maxBackoff)
	v.retryAt = time.Now().Add(backoff)
	v.failure = v.explained(d, cause, backoff)
	line := v.line
	v.line = nil
	for _, c := range line {
		c.ready <- v.failure
	}
}

// explained is the error of a session that could not be restored.
func (v *recovery) explained(d death, cause error, backoff time.Duration) error {
	text := strings.TrimRight(cause.Error(), ". \n")
	out := fmt.Sprintf("[PlayGuard] %s, and again when the session was restored: %s.", d.phrase(), strings.TrimPrefix(text, "[PlayGuard] "))
	if remedy := remedyFor(text); remedy != "" {
		out += " " + remedy
	} else {
		out += " `playguard doctor` checks the installation; browser_navigate to another page may help if it is the page that crashes."
	}
	out += fmt.Sprintf(" A call after %s tries again.", backoff)
	if lines := v.link.Stderr(); len(lines) > 0 && !strings.Contains(text, "stderr:") {
		out += "\nIts last lines on stderr:\n" + strings.Join(lines, "\n")
	}
	return errors.New(out)
}

// leave takes a call out of the line, or ends its turn.
func (v *recovery) leave(c *sent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.turn == c {
		v.turn = nil
	}
	v.line = slices.DeleteFunc(v.line, func(o *sent) bool { return o == c })
	// A turn that came at the moment when the call was taken back passes on.
	if len(v.line) > 0 {
		v.advance(death{})
	}
}

// sending notes the tabs as they are before a call.
func (v *recovery) sending(c *sent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.active++
	c.tabs, c.current, c.restores = slices.Clone(v.tabs), v.current, v.restores
}

func (v *recovery) answered(c *sent, resp jsonrpc.Message, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.active--
	if c.kind != reading {
		v.touch()
	}
}

// settle notes what an answer says of the tabs.
func (v *recovery) settle(c *sent, resp jsonrpc.Message, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if c.tool == closeTool {
		v.closing = false
	}
	if err != nil || resp.Error.Present() {
		return
	}
	text, failed := answerText(resp)
	if !failed {
		v.failures = 0
	}
	if c.tool == closeTool && !failed {
		v.dropLocked()
		return
	}
	if !failed {
		v.row.keepSettings(c.tool, c.args)
	}
	v.noteTabs(text)
}

// drop forgets the session: the agent has closed the browser.
func (v *recovery) drop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dropLocked()
}

// dropLocked is drop, called with mu.
func (v *recovery) dropLocked() {
	v.gone, v.ours, v.closing = orElse(v.ours, v.gone), "", false
	v.tabs, v.current, v.presumed, v.failures, v.done, v.notice = nil, 0, "", 0, restored{}, false
	v.saved.forget()
}

// nothingToClose reports whether the browser that the agent closes is dead
// already; then there is nothing to restore either.
func (v *recovery) nothingToClose() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closing = false
	dead := v.deadLocked() != ""
	v.closing = !dead
	if dead {
		v.dropLocked()
	}
	return dead
}

// noteTabs takes the tabs from an answer: their URLs where no script tells them,
// and the current one. Called with mu.
func (v *recovery) noteTabs(text string) {
	a, ok := parseAnswer(text)
	list := a.tabs
	if !ok {
		return
	}
	if !a.hasPage {
		if list, ok = listedTabs(text); !ok {
			return
		}
	}
	if len(list) == 0 {
		list = []tab{{current: true, url: a.url}}
	}
	if v.watching() && len(v.tabs) > 0 && len(list) == len(v.tabs) || !v.watching() {
		v.tabs = v.tabs[:0:0]
		for i, t := range list {
			v.tabs = append(v.tabs, t.url)
			if t.current {
				v.current = i
			}
		}
		return
	}
	for i, t := range list {
		if t.current {
			v.current = i
		}
	}
}

// unknown is what the agent is told of a call that is not sent again.
func (v *recovery) unknown(c *sent, d death) string {
	v.mu.Lock()
	url := v.done.url
	v.notice = false // this says it
	v.mu.Unlock()
	text := fmt.Sprintf("[PlayGuard] %s during %s. ", d.phrase(), c.tool)
	if d.without {
		text += "It had no effect and was not repeated (PLAYGUARD_REPLAY)."
	} else {
		text += "Whether it took effect is unknown: check before you repeat it."
	}
	if url != "" {
		text += " Restored: " + url + " (form input and scroll position are lost)."
	}
	return text
}

// told answers a call with an error of PlayGuard's and the page as it is now.
func (v *recovery) told(ctx context.Context, call *upstream.Call, text string, next upstream.Next) (jsonrpc.Message, error) {
	resp, err := next(ctx, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`))
	if err == nil && !resp.Error.Present() && !mcp.IsError(resp.Bytes(resp.Result)) {
		look := *call
		look.Tool, look.Params = snapshotTool, []byte(`{"name":"`+snapshotTool+`","arguments":{}}`)
		asked := readRequest(v.row.config, &look)
		asked.full = true
		if seen, err := v.row.answer(resp, &look, asked); err == nil {
			view, _ := answerText(seen)
			text += "\n" + view
		}
	}
	return toolError(text)
}

// noted puts the notice of a restoration, once, to what an answer is told besides.
func (v *recovery) noted(note string, resp jsonrpc.Message) string {
	if mcp.IsError(resp.Bytes(resp.Result)) {
		return note
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.notice {
		return note
	}
	v.notice = false
	what := v.done.phrase()
	return joinLines([]string{note, "[PlayGuard: " + strings.ToLower(what[:1]) + what[1:] + "; restored, form input and scroll position are lost]"})
}
