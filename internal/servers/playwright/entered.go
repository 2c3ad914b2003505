package playwright

// What the agent has put into a page and where it stands on it. A page that a
// restoration opens anew lacks both: an action that builds on them, asked for before
// the agent could know, would do something else there and is not done.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
)

// needs says what of a page, beside its address and what is stored, a call builds on.
type needs int

const (
	// nothing: it names all that it works on.
	nothing needs = iota
	// input: what was put into the page before, which it may send off.
	input
	// place: where the focus, the pointer or the scroll position is.
	place
	// dialog: one that the page has opened.
	dialog
)

func (n needs) String() string {
	return []string{"", "input", "place", "dialog"}[n]
}

// needsOf is what a call builds on. A tool that the table does not name acts, with
// what the page holds.
func needsOf(tool string, args []byte) needs {
	if repeatOf(tool, args).repeatable() {
		return nothing
	}
	need := input
	for _, r := range rules() {
		if r.tool == tool {
			need = r.needs
		}
	}
	named := jsonrpc.StringMember(args, "target") != "" || jsonrpc.StringMember(args, "ref") != ""
	submit, _ := jsonrpc.Member(args, "submit")
	if need == place && named || tool == "browser_type" && string(submit) == "true" {
		return input
	}
	return need
}

// putsIn reports whether a call puts something into the page that is lost with it.
func putsIn(tool string, args []byte) bool {
	switch tool {
	case "browser_type", "browser_fill_form", "browser_select_option", "browser_check", "browser_uncheck",
		"browser_file_upload", "browser_drop", "browser_press_sequentially":
		return true
	case "browser_press_key", "browser_keydown":
		key := jsonrpc.StringMember(args, "key")
		return utf8.RuneCountInString(key) == 1 || key == "Space"
	}
	return false
}

// toggled are the roles of elements that hold what a click has chosen.
var toggled = words(`checkbox radio switch option`)

// entered is what the agent has put into one tab, and what of it is lost.
type entered struct {
	at    string // the address of the page
	calls []int  // numbers of the calls that have put something into it
	lost  []int  // of those whose input is lost
	anew  bool   // the tab was opened anew
	told  int    // number of the last call from before the agent was told so; 0 while it has not been
	said  bool   // it need not be told again
}

// unknown reports whether the agent had asked for a call before it could know that
// the tab was opened anew.
func (e *entered) unknown(call int) bool {
	return e.anew && (e.told == 0 || call <= e.told)
}

// entering notes before a call is sent what it puts into the current tab.
func (v *recovery) entering(c *sent) {
	v.mu.Lock()
	defer v.mu.Unlock()
	r := v.row
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pages.current
	if p == nil || v.current >= len(v.tabs) || !putsIn(c.tool, c.args) && !r.toggles(c) {
		return
	}
	if at := v.tabs[v.current]; !sameAddress(p.entered.at, at) {
		p.entered.at, p.entered.calls = at, nil
	}
	p.entered.calls = append(p.entered.calls, c.number)
	c.into = p
}

// toggles reports whether a click chooses something. Called with mu.
func (r *row) toggles(c *sent) bool {
	if c.tool != "browser_click" {
		return false
	}
	for _, number := range c.handles {
		if found, _ := r.numbers.Resolve(strconv.Itoa(number)); toggled[found.Role] {
			return true
		}
	}
	return false
}

// refused reports whether upstream has not found the element that a call names.
func refused(c *sent, resp jsonrpc.Message, err error) bool {
	if err != nil || resp.Error.Present() {
		return false
	}
	text, failed := answerText(resp)
	return failed && refusesTarget(text, c.tool, c.args)
}

// notEntered takes back what a call was noted for: it had no effect.
func (v *recovery) notEntered(c *sent) {
	v.row.mu.Lock()
	defer v.row.mu.Unlock()
	if c.into == nil {
		return
	}
	is := func(call int) bool { return call == c.number }
	e := &c.into.entered
	e.calls, e.lost = slices.DeleteFunc(e.calls, is), slices.DeleteFunc(e.lost, is)
	c.into = nil
}

// noteLeft notes that a call was answered which loads the page anew.
func (v *recovery) noteLeft(c *sent, err error) {
	if err != nil || c.kind != navigates || c.tool == tabsTool {
		return
	}
	v.row.mu.Lock()
	defer v.row.mu.Unlock()
	if p := v.row.pages.current; p != nil {
		p.entered = entered{}
	}
}

// openedAnew notes which tabs a restoration has opened anew: not those that it kept.
// tabs are the addresses that they had, places where they are now.
func (r *row) openedAnew(tabs []string, places []int, kept []bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, at := range places {
		if at < 0 || at >= len(r.pages.tabs) || i < len(kept) && kept[i] {
			continue
		}
		e := &r.pages.tabs[at].entered
		now := entered{at: e.at, anew: true}
		if e.told == 0 {
			now.lost = e.lost
		}
		if sameAddress(e.at, tabs[i]) {
			now.lost = append(now.lost, e.calls...)
		}
		*e = now
	}
}

// withoutInput refuses an action that builds on what is lost with the page, and that
// the agent has asked for before it could know.
func (v *recovery) withoutInput(c *sent) (refusal string) {
	need := needsOf(c.tool, c.args)
	if need == nothing || v.row.config.Replay == config.ReplayAlways {
		return ""
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.lacks(c, need) {
		return ""
	}
	loss := orElse(v.lossLocked(), inputLost)
	v.notice = false
	v.tellLoss(true)
	loss += v.lostNote()
	if need == dialog {
		return "[PlayGuard] " + v.done.phrase() + ", and the dialog went with the page; " + loss + ". " + c.tool + " was not done."
	}
	return "[PlayGuard] " + v.done.phrase() + "; " + loss + ", so " + c.tool + " was not done."
}

// lacks reports whether the current tab lacks what a call builds on. Called with mu.
func (v *recovery) lacks(c *sent, need needs) bool {
	v.row.mu.Lock()
	defer v.row.mu.Unlock()
	p := v.row.pages.current
	if p == nil || !p.entered.unknown(c.number) {
		return false
	}
	return need != input || slices.ContainsFunc(p.entered.lost, func(call int) bool { return call < c.number })
}

// inputLost is what a page lacks that was opened anew.
const inputLost = "form input and scroll position are lost"

// lossLocked says what is lost by tabs that were opened anew and of which no answer
// has said it; empty if there are none. Called with mu.
func (v *recovery) lossLocked() string {
	r := v.row
	r.mu.Lock()
	defer r.mu.Unlock()
	var anew []string
	for i, p := range r.pages.tabs {
		if !p.entered.anew || p.entered.said {
			continue
		}
		name := strconv.Itoa(i)
		if p == r.pages.current {
			name += " (current)"
		}
		anew = append(anew, name)
	}
	switch len(anew) {
	case len(r.pages.tabs): // or none is known
		return inputLost
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("tab %s was opened anew, its %s", anew[0], inputLost)
	}
	return fmt.Sprintf("tabs %s were opened anew, their %s", strings.Join(anew, ", "), inputLost)
}

// tellLoss notes that the agent is told of all tabs that were opened anew; said that
// the next answer need not tell it once more. Called with mu.
func (v *recovery) tellLoss(said bool) {
	v.row.mu.Lock()
	defer v.row.mu.Unlock()
	for _, p := range v.row.pages.tabs {
		if e := &p.entered; e.anew {
			e.said = e.said || said
			if e.told == 0 {
				e.told = v.last
			}
		}
	}
}
