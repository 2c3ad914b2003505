// Acting through a printed handle is acting on the element that it stands beside:
// the same handlers fire as through upstream's own ref, also after the page has
// changed, and never those of another element.

package e2e

import (
	_ "embed"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/demo"
	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/site"
)

//go:embed testdata/record.js
var recorder string

// pressed is what one way to act on an element did.
type pressed struct {
	Path   string     // of the element
	Failed bool       // the click was refused: the element is covered or disabled
	Fired  [][]string // the handlers, by press of the mouse
	// Scrolls: what lies under its middle depends on what was pressed before.
	Scrolls bool
}

// truth is a page through Playwright's own eyes.
type truth struct {
	Refs        map[string]pressed
	Interactive []string // paths of what something can be done with
}

// byPath is what the elements that upstream gives a ref to do.
func (u truth) byPath() map[string]pressed {
	all := map[string]pressed{}
	for _, e := range u.Refs {
		if e.Path != "" {
			all[e.Path] = e
		}
	}
	return all
}

// recording is a session with the recorder in every page.
type recording struct {
	t     *testing.T
	p     *harness.Peer
	pages *site.Site

	handles, interactive, misses, wrong, stale int
}

func record(t *testing.T, env ...string) *recording {
	t.Helper()
	s := newStage(t, harness.Setup{Env: defaults()})
	script := filepath.Join(s.Temp, "record.js")
	if err := os.WriteFile(script, []byte(recorder), 0o600); err != nil {
		t.Fatal(err)
	}
	s = restage(t, s, append([]string{"PLAYGUARD_REFS=", "PLAYGUARD_ACTION_VIEW=", "PLAYGUARD_DELTA=false",
		"PLAYWRIGHT_MCP_ARGS=" + s.Args() + ` --timeout-action 1000 --init-script "` + script + `"`}, env...)...)
	p := s.Start()
	p.Init()
	return &recording{t: t, p: p, pages: site.Start(t)}
}

// inEveryFrame is a function for all frames' pages.
const inEveryFrame = `const each = async fn => { const all = []; for (const f of page.frames()) all.push(await f.evaluate(fn)); return all.flat(); };`

// run runs code with Playwright's page and decodes the object that it returns.
func (r *recording) run(code string, result any) {
	r.t.Helper()
	text := call(r.t, r.p, "browser_run_code_unsafe", map[string]any{"code": "async page => {" + inEveryFrame + code + "}"})
	_, after, found := strings.Cut(text, "\n{")
	if !found {
		r.t.Fatalf("the code returned no object: %s", clip(text))
	}
	if err := json.NewDecoder(strings.NewReader("{" + after)).Decode(result); err != nil {
		r.t.Fatalf("%v in %s", err, clip(text))
	}
}

var rawRef = regexp.MustCompile(`\[ref=((?:f\d+)?e\d+)\]`)

// pressedAtOnce is how many elements are pressed in one call, which must not take too
// long even where most of them can't be pressed.
const pressedAtOnce = 20

// upstream presses every element on which there is a ref.
func (r *recording) upstream() truth {
	r.t.Helper()
	r.run(`await each(() => { window.__dry = true; return []; }); return {};`, &struct{}{})
	var refs []string
	for _, m := range rawRef.FindAllStringSubmatch(look(r.t, r.p, map[string]any{"raw": true}), -1) {
		refs = append(refs, m[1])
	}
	all := truth{Refs: map[string]pressed{}}
	for some := range slices.Chunk(refs, pressedAtOnce) {
		var u truth
		r.run(`const refs = {};
for (const ref of `+mustJSON(r.t, some)+`) {
  await each(() => { window.__reset(); return []; });
  const at = page.locator('aria-ref=' + ref);
  const e = refs[ref] = {path: '', failed: false};
  try { e.path = await at.evaluate(el => window.__path(el), undefined, {timeout: 1000}); e.scrolls = await at.evaluate(el => el.scrollHeight > el.clientHeight && /auto|scroll/.test(getComputedStyle(el).overflowY)); await at.click({timeout: 1000}); } catch { e.failed = true; }
  e.fired = (await each(() => window.__gestures)).map(g => g.fired);
}
return {refs, interactive: await each(() => window.__interactive())};`, &u)
		maps.Copy(all.Refs, u.Refs)
		all.Interactive = u.Interactive
	}
	return all
}

// printed are the handles in a view, without what is text of the page.
func printed(view string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`\[(\d+)\]`).FindAllStringSubmatch(demo.SpellRanges(quotedPart.ReplaceAllString(view, `""`)), -1) {
		all = append(all, m[1])
	}
	return all
}

// pathOf is the element that a handle reaches, empty when it is refused.
func (r *recording) pathOf(handle string) string {
	r.t.Helper()
	text, isError := attempt(r.t, r.p, "browser_evaluate", map[string]any{"element": "it", "target": "[" + handle + "]", "function": "el => 'path=' + window.__path(el) + ';'"})
	if isError {
		return ""
	}
	_, after, _ := strings.Cut(text, "path=")
	path, _, found := strings.Cut(after, ";")
	if !found {
		r.t.Fatalf("[%s] gives no path: %s", handle, clip(text))
	}
	return path
}

// clickAll clicks handles one after the other and returns what each fired.
func (r *recording) clickAll(handles []string) map[string][][]string {
	r.t.Helper()
	r.run(`await each(() => { window.__reset(); return []; }); return {};`, &struct{}{})
	did := map[string][][]string{}
	var clicked []string
	for _, h := range handles {
		if _, isError := attempt(r.t, r.p, "browser_click", map[string]any{"element": "it", "target": "[" + h + "]"}); !isError {
			clicked = append(clicked, h)
		}
	}
	var seen struct{ Fired [][]string }
	r.run(`return {fired: (await each(() => window.__gestures)).sort((a, b) => a.at - b.at).map(g => g.fired)};`, &seen)
	fired := seen.Fired
	if len(fired) != len(clicked) {
		r.t.Errorf("%d clicks were answered, and the page saw %d", len(clicked), len(fired))
		return did
	}
	for i, h := range clicked {
		did[h] = fired[i : i+1]
	}
	return did
}

// sometimes is which part of the handles is clicked outside CI: all of them are
// asked which element they reach.
const sometimes = 5

// compare holds all handles of the present page against upstream's refs. It
// returns the element of each handle.
func (r *recording) compare(name string) map[string]string {
	r.t.Helper()
	truth := r.upstream()
	known := truth.byPath()
	view := look(r.t, r.p, map[string]any{"full": true})
	reached := map[string]string{}
	var click []string
	for i, h := range printed(view) {
		path := r.pathOf(h)
		if _, there := known[path]; !there {
			r.wrong++
			r.t.Errorf("%s: [%s] reaches %q, which upstream has no ref for:\n%s", name, h, path, clip(view))
			continue
		}
		reached[h] = path
		if inCI() || i%sometimes == 0 {
			click = append(click, h)
		}
	}
	r.handles += len(reached)
	for h, fired := range r.clickAll(click) {
		if want := known[reached[h]]; !want.Failed && !want.Scrolls && !same(fired, want.Fired) {
			r.wrong++
			r.t.Errorf("%s: [%s] of %s fires %v instead of %v", name, h, reached[h], fired, want.Fired)
		}
	}
	r.findMisses(name, view, truth, reached)
	return reached
}

// findMisses looks for interactive elements that no handle acts on.
func (r *recording) findMisses(name, view string, truth truth, reached map[string]string) {
	r.t.Helper()
	known := truth.byPath()
	own := map[string]bool{}
	for _, path := range reached {
		own[path] = true
	}
	for _, path := range truth.Interactive {
		e, there := known[path]
		if !there {
			continue // not even upstream can act on it
		}
		r.interactive++
		if own[path] {
			continue
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(own)), func(other string) bool { return covers(known[other].Fired, e.Fired) }) {
			r.misses++
			r.t.Errorf("%s: nothing in the view acts on %s (which fires %v):\n%s", name, path, e.Fired, clip(view))
		}
	}
}

// same reports whether the same handlers fired, whatever else did.
func same(a, b [][]string) bool { return slices.EqualFunc(a, b, slices.Equal) }

// covers reports whether all handlers of part are among those of whole.
func covers(whole, part [][]string) bool {
	all := slices.Concat(whole...)
	for _, handler := range slices.Concat(part...) {
		if !slices.Contains(all, handler) {
			return false
		}
	}
	return len(part) > 0
}

// stillRight checks that handles printed earlier reach the element they did, or
// none.
func (r *recording) stillRight(when string, earlier map[string]string) {
	r.t.Helper()
	alive := 0
	for h, path := range earlier {
		switch now := r.pathOf(h); now {
		case "":
			r.stale++
		case path:
			alive++
		default:
			r.wrong++
			r.t.Errorf("%s: [%s] was %s and reaches %s", when, h, path, now)
		}
	}
	r.t.Logf("%s: %d of %d handles go on", when, alive, len(earlier))
}

// change calls a function of the page's own that changes it, if it has one.
func (r *recording) change(function string) bool {
	r.t.Helper()
	text := call(r.t, r.p, "browser_evaluate", map[string]any{
		"function": "() => { window.__dry = false; if (!window.app?." + function + ") return 'it has none'; app." + function + "(); return 'it did'; }"})
	return strings.Contains(text, "it did")
}

func TestHandlesFireTheSameHandlers(t *testing.T) {
	r := record(t)
	for _, app := range site.Apps() {
		if app == "handbook" && !inCI() {
			continue // a hundred links, one like the other
		}
		t.Run(app, func(t *testing.T) {
			r.t = t
			page := r.pages.URL + "/apps/" + app + ".html"
			if app == "grid" {
				page += "?size=4" // rows of a page; each is like the other
			}
			navigate(t, r.p, page)
			before := r.compare(app)
			for _, function := range []string{"rerender", "reorder", "insert"} {
				if !r.change(function) {
					continue
				}
				if app != "virtual" { // its elements are used again, which is seen only by looking
					r.stillRight(app+" after "+function+", unseen", before)
				}
				look(t, r.p, map[string]any{"full": true})
				r.stillRight(app+" after "+function, before)
				before = r.compare(app + " after " + function)
			}
		})
	}
	r.t = t
	r.thereAndBack(t)
	t.Logf("%d handles, %d interactive elements with a ref: %d missed, %d wrong; %d handles of gone elements refused",
		r.handles, r.interactive, r.misses, r.wrong, r.stale)
	if r.interactive < 100 {
		t.Errorf("only %d interactive elements were compared", r.interactive)
	}
}

// thereAndBack follows handles over navigations.
func (r *recording) thereAndBack(t *testing.T) {
	navigate(t, r.p, r.pages.URL+"/apps/todo.html")
	todo := r.compare("to-do")
	navigate(t, r.p, r.pages.URL+"/apps/same.html")
	r.stillRight("another page", todo)
	same := r.compare("same label")
	call(t, r.p, "browser_navigate_back", nil)
	r.stillRight("back", todo)
	r.stillRight("back from another page", same)
	r.compare("to-do again")
	navigate(t, r.p, r.pages.URL+"/apps/todo.html")
	r.stillRight("reloaded", todo)
}
