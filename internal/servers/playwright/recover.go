package playwright

// Recovery: what dies is brought back once for all calls that it took with it,
// and each of them is then sent again or told the truth.

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/playguard/playguard/internal/argv"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/servers/playwright/watch"
	"github.com/playguard/playguard/internal/transport"
	"github.com/playguard/playguard/internal/upstream"
)

const (
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
	remote   bool // the browser is not PlayGuard's: it is not ended, nor filled with saved storage unless a context of it is
	onDisk   bool // a profile keeps the storage, so that only cookies are saved
	saved    *saved
	watch    *watch.Watcher // nil where it could not be set up
	news     atomic.Bool    // a look has shown something else since the storage was saved
	blind    atomic.Bool    // the script was there and did not come again
	ctx      context.Context
	end      context.CancelFunc
	tasks    sync.WaitGroup

	mu      sync.Mutex
	wake    chan struct{} // closed and replaced when the script has said something
	ours    string        // the context whose tabs these are
	gone    string        // the context that the agent has closed
	tabs    []string      // their URLs
	ids     []string      // what the script names them
	current int
	chosen  int               // number of the last call that has made another tab the current one
	became  map[string]string // tabs that were opened anew, to what the script names them since
	closing bool              // the agent has the browser closed
	last    int               // number of the last call
	active  int               // calls that upstream works on
	dirty   bool              // the page may have changed since the storage was saved
	touched chan struct{}

	generation int           // how often the agent has closed the browser
	tried      int           // number of the last call when a tab was last tried to be opened
	opening    chan struct{} // full while that is tried

	restoring bool
	restores  int    // so far
	dying     string // what is being restored
	known     string // what the log was told to have died
	presumed  string // what an answer says has died, where the script is not there to say so
	line      []*sent
	turn      *sent // the call of the line that is under way
	failures  int   // in a row
	retryAt   time.Time
	failure   error
	done      restored // the last restoration
	notice    bool     // it has not been said yet
	settings  contextSettings
}

// sent is one call on its way through the recovery.
type sent struct {
	number   int
	tool     string
	args     []byte
	params   []byte
	kind     repeat
	blank    bool           // it asks for an empty page
	handles  map[string]int // numbers of its elements, by their refs on that page
	page     string         // the key of that page; empty if there is none
	browser  int
	tabs     []string // as they were before it
	ids      []string
	tab      string // the one that it works on, as the script names it; empty if that is not known
	named    string // the one that the elements which it names are in; empty if it names none
	restores int
	current  int
	context  string     // the browser context that it was sent to; empty if none is known
	shared   bool       // another call had noticed the death before it, and the tabs are as that one found them
	ready    chan error // in the line: its turn has come, or none will
	way      int        // of a step back: how many addresses had led to the page that it was first sent to
	into     *page      // the tab that it was noted to put something into
}

// restored is what a restoration has brought back.
type restored struct {
	death
	tabs  int
	kept  []bool // which of them were not opened anew, in the order that they had
	state bool
	took  time.Duration
	url   string // of the current tab
	meant string // the address that it had, where that leads elsewhere now; else empty
}

// newRecovery returns the recovery of a row that has no upstream yet.
func newRecovery(r *row, stateDir string) *recovery {
	return &recovery{row: r, stateDir: stateDir, wake: make(chan struct{}), touched: make(chan struct{}, 1), opening: make(chan struct{}, 1)}
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
		v.saved.remove() // before anything is waited for that may hang
		v.tasks.Wait()
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
		v.watch, err = watch.New(saved.dir, v.remote, v.noteWatch)
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
	if err := v.watch.Write(); err != nil {
		v.row.log.Warn("the script that watches the browser is missing and can't be written again, so that the server may not start", "reason", err.Error())
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
		if call.Tool == ElementsTool {
			c.kind = reading
		}
		defer v.leave(c)
		for again := false; ; again = true {
			if err := v.ready(ctx, c, call); err != nil {
				return jsonrpc.Message{}, withOutcome(err, c, death{unsent: true})
			}
			if c.tool == closeTool && v.nothingToClose() {
				return toolText(nothingOpen)
			}
			if refusal := v.openTab(ctx, c, call); refusal != "" {
				return toolError(refusal)
			}
			if refusal := v.withoutSettings(c); refusal != "" {
				return v.told(ctx, call, refusal, next)
			}
			if refusal := v.withoutInput(c); refusal != "" {
				return v.told(ctx, call, refusal, next)
			}
			if refusal := v.besides(c); refusal != "" {
				return v.told(ctx, call, refusal, next)
			}
			out, refusal := v.translate(c)
			if refusal != "" {
				return v.told(ctx, call, refusal, next)
			}
			v.sending(c)
			v.entering(c)
			v.passOn(c)
			resp, d, err := v.untilDead(ctx, c, next, out)
			v.answered(c)
			died := d.what != ""
			if !died {
				d, died = v.diagnose(ctx, c, resp, err)
			}
			if d.without || !died && refused(c, resp, err) {
				v.notEntered(c)
			}
			if !died {
				v.noteLeft(c, err)
				v.noteSettings(c, resp, err)
				v.settle(c, resp, err)
				return resp, err
			}
			if c.tool == closeTool {
				v.drop()
				return toolText(nothingOpen)
			}
			// What only reads is given up after the second death; of an action the
			// agent is told on the page that it can be checked on.
			again = again && !d.unsent
			if err := v.revive(ctx, c, call, d, again && c.kind.repeatable(), failureOf(resp, err)); err != nil {
				return jsonrpc.Message{}, withOutcome(err, c, d)
			}
			if again || !mayReplay(v.row.config.Replay, c.kind, d) || !d.unsent && v.tabsDiffer(c) && v.row.config.Replay != config.ReplayAlways {
				return v.told(ctx, call, v.unknown(c, d, ""), next)
			}
			if !d.unsent && v.leftTab(c) {
				return v.told(ctx, call, v.unknown(c, d, " It was not repeated, for another tab is the current one now."), next)
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
	c.handles, c.page, c.browser = v.row.numbersIn(c.tool, c.args)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last++
	c.number = v.last
	if len(c.handles) > 0 {
		c.named = v.tabLocked()
	}
	return c
}
