// The comparison of a design with a page that was built from it, in the real
// browser: every planted deviation, and nothing else.

package e2e

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/test/framelink"
	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/machine"
	"github.com/playguard/playguard/test/site"
)

const compareTool = "playguard_compare_design"

// built are the pairs of layers and elements of test/site/pages/design.html.
var built = [][2]string{
	{"10:1", ".account-card"}, {"10:2", ".card-title"}, {"10:3", ".card-text"}, {"10:4", ".banner"}, {"10:6", "#save-button"},
	{"10:8", ".cancel-button"}, {"10:10", ".terms-link"}, {"10:11", ".badge"}, {"10:13", ".disabled-field"}, {"10:15", ".panel"},
	{"10:16", ".panel-title"}, {"10:17", ".panel-note"}, {"10:18", ".avatar"}, {"10:19", ".notice"}, {"10:22", ".glass"},
	{"10:31", "[data-plan=free] b"}, {"10:34", "[data-plan=team] b"}, {"10:38", "[data-plan=company] i"},
}

// planted is what the page deviates by, layer and property.
var planted = map[string][]string{
	"10:1":  {"padding", "borderRadius", "boxShadow"},
	"10:2":  {"fontSize", "letterSpacing"},
	"10:3":  {"color", "lineHeight"},
	"10:4":  {"backgroundImage", "borderRadius", "textTransform"},
	"10:6":  {"backgroundColor", "fontWeight"},
	"10:8":  {"borderWidth"},
	"10:10": {"textDecoration"},
	"10:11": {"backgroundColor"},
	"10:13": {"color", "backgroundColor", "borderColor"}, // one opacity, which each of them carries
	"10:15": {"backgroundColor", "boxShadow"},
	"10:17": {"fontStyle"},
	"10:18": {"borderRadius"},
	"10:19": {"backgroundColor"},
	"10:22": {"backdropFilter", "borderWidth"},
	"10:34": {"color"},
	"10:38": {"fontFamily"},
}

// within are layers whose own comparison finds the deviation of a layer around
// them: auto-map compares them too.
var within = map[string][]string{
	"10:5": {"textTransform"}, "I10:6;2:2": {"fontWeight"},
}

// compared is the answer with format:"json".
type compared struct {
	Summary struct{ Mismatches, Matches, Unknown, Failed int }
	Pairs   []struct {
		Node       string `json:"figmaNodeId"`
		Selector   string `json:"browserSelector"`
		Error      string
		Hidden     bool
		Properties []struct{ Property, Status, Figma, Browser, Delta, Note string }
	}
	Unmapped []struct {
		Node   string `json:"figmaNodeId"`
		Reason string
	}
}

// deviations are the mismatches by layer; anything unknown or failed fails the
// test.
func (c *compared) deviations(t *testing.T, into map[string][]string) {
	t.Helper()
	for _, p := range c.Pairs {
		if p.Error != "" {
			t.Errorf("%s → %s failed: %s", p.Node, p.Selector, p.Error)
		}
		for _, row := range p.Properties {
			switch row.Status {
			case "mismatch":
				into[p.Node] = append(into[p.Node], row.Property)
			case "unknown":
				t.Errorf("%s → %s: %+v", p.Node, p.Selector, row)
			}
		}
		slices.Sort(into[p.Node])
	}
}

// compare calls the tool.
func compare(t *testing.T, p *harness.Peer, arguments map[string]any) *compared {
	t.Helper()
	arguments["format"], arguments["fileKey"] = "json", "abc"
	text := call(t, p, compareTool, arguments)
	var c compared
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatalf("%v: %s", err, clip(text))
	}
	return &c
}

// sameDeviations compares what was found with what was planted.
func sameDeviations(t *testing.T, got map[string][]string, wants ...map[string][]string) {
	t.Helper()
	want := map[string][]string{}
	for _, w := range wants {
		for node, properties := range w {
			want[node] = slices.Sorted(slices.Values(properties))
		}
	}
	for node, properties := range got {
		if !slices.Equal(properties, want[node]) {
			t.Errorf("%s deviates by %v, want %v", node, properties, want[node])
		}
	}
	for node, properties := range want {
		if got[node] == nil {
			t.Errorf("%s does not deviate, want %v", node, properties)
		}
	}
}

// figmaServer is a server that answers every call with a recorded design.
func figmaServer(t *testing.T, shape string) string {
	t.Helper()
	design, err := os.ReadFile("testdata/design/" + shape + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return answering(t, string(design))
}

// answering is a server that answers every call with a design.
func answering(t *testing.T, design string) string {
	t.Helper()
	script := mustJSON(t, map[string]any{
		"name":  "figma",
		"tools": []any{map[string]any{"name": "get_figma_data", "inputSchema": map[string]any{"type": "object"}}},
		"calls": map[string]any{"get_figma_data": []any{map[string]any{"text": design}}},
	})
	file := t.TempDir() + "/figma.json"
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return `"` + harness.Scripted(t) + `" -script "` + file + `"`
}

// realFramelink is the real server over the same design.
func realFramelink(t *testing.T) *framelink.Upstream {
	t.Helper()
	data, err := os.ReadFile("testdata/design/rest.json")
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Nodes map[string]struct{ Document, Components json.RawMessage }
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		t.Fatal(err)
	}
	design := answer.Nodes["10:1"]
	page := map[string]any{"id": "0:1", "name": "Page 1", "type": "CANVAS", "children": []any{design.Document}}
	return framelink.Start(t, map[string][]byte{"abc": []byte(mustJSON(t, map[string]any{
		"name": "Account", "lastModified": "2026-01-01T00:00:00Z", "version": "1", "components": design.Components, "componentSets": map[string]any{}, "styles": map[string]any{},
		"document": map[string]any{"id": "0:0", "name": "Document", "type": "DOCUMENT", "children": []any{page}},
	}))})
}

// The recorded answers stand for other servers that send these shapes; the real
// Framelink shows that one call of it is enough for many pairs.
func TestCompareDesign(t *testing.T) {
	for _, shape := range []string{"framelink", "rest", "real Framelink"} {
		t.Run(shape, func(t *testing.T) {
			machine.Need(t)
			var env []string
			var api *framelink.Upstream
			if shape == "real Framelink" {
				api = realFramelink(t)
				env = api.Env()
			} else {
				env = []string{"FIGMA_MCP_CMD=" + figmaServer(t, shape)}
			}
			_, p := open(t, append(env, "PLAYGUARD_REFS=numbers")...)
			s := site.Start(t)
			for _, query := range []string{"", "?planted"} {
				navigate(t, p, s.URL+"/design.html"+query)
				// Framelink asked for one layer leaves less of its surroundings, which the
				// recorded answers have: there the batch is what is compared.
				if api == nil {
					t.Run("single"+query, func(t *testing.T) {
						got := map[string][]string{}
						for _, pair := range built {
							compare(t, p, map[string]any{"figmaNodeId": pair[0], "browserSelector": pair[1]}).deviations(t, got)
						}
						expectDeviations(t, query, got, nil)
					})
				}
				t.Run("batch"+query, func(t *testing.T) {
					var pairs []any
					for _, pair := range built {
						pairs = append(pairs, map[string]any{"figmaNodeId": pair[0], "browserSelector": pair[1]})
					}
					got := map[string][]string{}
					compare(t, p, map[string]any{"pairs": pairs}).deviations(t, got)
					if api != nil && query == "" && len(api.Requests()) != 1 {
						t.Errorf("Figma was asked for %v", api.Requests())
					}
					expectDeviations(t, query, got, nil)
				})
				t.Run("auto-map"+query, func(t *testing.T) {
					got := map[string][]string{}
					c := compare(t, p, map[string]any{"figmaNodeId": "10:1", "autoMap": true})
					c.deviations(t, got)
					expectDeviations(t, query, got, within)
					rows := 0
					for _, u := range c.Unmapped {
						if u.Reason == "3 elements by class" {
							rows++
						}
					}
					if rows != 3 { // which of them is which layer is not guessed
						t.Errorf("unmapped are %+v", c.Unmapped)
					}
				})
			}
			contains(t, call(t, p, compareTool, map[string]any{"figmaNodeId": "10-6", "browserSelector": "#save-button"}),
				"[PlayGuard design diff: 10:6 → #save-button 2 mismatches, 9 matches]\n\n",
				"fontWeight: Figma 700 → Browser 400 ⚠️ MISMATCH (+300)\n", "borderRadius: Figma 8px → Browser 8px ✓ MATCH\n")
			p.End()
		})
	}
}

// expectDeviations expects none on the page as it was designed.
func expectDeviations(t *testing.T, query string, got, more map[string][]string) {
	t.Helper()
	if query == "" {
		sameDeviations(t, nonEmpty(got))
		return
	}
	sameDeviations(t, nonEmpty(got), planted, more)
}

func nonEmpty(m map[string][]string) map[string][]string {
	out := map[string][]string{}
	for node, properties := range m {
		if len(properties) > 0 {
			out[node] = properties
		}
	}
	return out
}

// Handles, upstream's refs and selectors of Playwright's own name elements too.
func TestCompareDesignByHandle(t *testing.T) {
	_, p := open(t, "FIGMA_MCP_CMD="+figmaServer(t, "framelink"), "PLAYGUARD_REFS=numbers")
	navigate(t, p, site.Start(t).URL+"/design.html")
	handle := regexp.MustCompile(`Save changes.*?\[(\d+)\]`).FindStringSubmatch(look(t, p, nil))
	if handle == nil {
		t.Fatal("the button has no handle")
	}
	ref := regexp.MustCompile(`button "Save changes" \[ref=(e\d+)\]`).FindStringSubmatch(look(t, p, map[string]any{"raw": true}))
	if ref == nil {
		t.Fatal("the button has no ref")
	}
	var pairs []any
	selectors := []string{handle[1], "[" + handle[1] + "]", ref[1], "text=Save changes", "#save-button", "[9999]", "#nothing", ".plan-row", "p:::", "role=button"}
	for _, s := range selectors {
		pairs = append(pairs, map[string]any{"figmaNodeId": "10:6", "browserSelector": s})
	}
	c := compare(t, p, map[string]any{"pairs": pairs})
	for i, want := range []string{"", "", "", "", "", "No element was ever called", "matches no element", "matches 3 elements", "no valid CSS selector", "matches 2 elements"} {
		pair := c.Pairs[i]
		if (pair.Error == "") != (want == "") || !strings.Contains(pair.Error, want) {
			t.Errorf("%s: error %q, want %q", selectors[i], pair.Error, want)
		}
		if want != "" {
			continue
		}
		for _, row := range pair.Properties {
			// The text's own element has no background.
			if row.Status != "match" && selectors[i] != "text=Save changes" {
				t.Errorf("%s: %+v", selectors[i], row)
			}
		}
	}
	p.End()
}

// Elements in frames, of other origins too, and in shadow roots are read in the
// same call as others.
func TestCompareDesignInFramesAndShadowRoots(t *testing.T) {
	_, p := open(t, "FIGMA_MCP_CMD="+figmaServer(t, "framelink"), "PLAYGUARD_REFS=numbers")
	s := site.Start(t)
	navigate(t, p, s.URL+"/frames.html")
	seen := look(t, p, nil)
	var pairs []any
	add := func(selector string) {
		pairs = append(pairs, map[string]any{"figmaNodeId": "10:6", "browserSelector": selector})
	}
	for _, m := range regexp.MustCompile(`button (\w[\w ]*) \[(\d+)\]`).FindAllStringSubmatch(seen, -1) {
		add(m[2])
	}
	add("h1")
	c := compare(t, p, map[string]any{"pairs": pairs, "properties": []string{"fontSize"}})
	if len(c.Pairs) != 4 || c.Summary.Failed > 0 {
		t.Errorf("of\n%s\nthe comparison is %+v", seen, c)
	}
	for i, pair := range c.Pairs {
		if want := map[bool]string{true: "32px", false: "13.33px"}[i == 3]; len(pair.Properties) != 1 || pair.Properties[0].Browser != want {
			t.Errorf("%s is %+v", pair.Selector, pair.Properties)
		}
	}
	navigate(t, p, s.URL+"/apps/shadow.html")
	c = compare(t, p, map[string]any{"figmaNodeId": "10:6", "browserSelector": "#inner", "properties": []string{"fontSize"}})
	if c.Pairs[0].Error != "" || c.Pairs[0].Properties[0].Browser != "13.33px" {
		t.Errorf("in a shadow root: %+v", c.Pairs)
	}
	p.End()
}

// Auto-map looks for a layer within the element of the layer around it, lets a
// layer and the only one inside it share an element, and no others.
func TestAutoMapDoesNotGuess(t *testing.T) {
	box := func(id, name, fill string, kids ...any) any {
		return map[string]any{"id": id, "name": name, "type": "FRAME", "fills": []any{fill}, "children": kids}
	}
	label := map[string]any{"id": "1:61", "type": "TEXT", "text": "Log in"}
	design := mustJSON(t, map[string]any{"globalVars": map[string]any{"styles": map[string]any{}}, "nodes": []any{box("1:1", "list", "#FFFFFF",
		box("1:2", "card", "#FFFFFF", box("1:21", "title", "#FF0000")), box("1:3", "card", "#FFFFFF", box("1:31", "title", "#0000FF")),
		box("1:4", "badge", "#00FF00"), box("1:5", "badge", "#00FF00"), box("1:6", "Log In", "#FFFF00", label))}})
	_, p := open(t, "FIGMA_MCP_CMD="+answering(t, design))
	navigate(t, p, site.Start(t).URL+"/cards.html")
	c := compare(t, p, map[string]any{"figmaNodeId": "1:1", "autoMap": true, "properties": []string{"backgroundColor"}})
	var mapped, unmapped []string
	for _, pair := range c.Pairs {
		mapped = append(mapped, pair.Node)
		if row := pair.Properties[0]; row.Status != "match" && pair.Node != "1:61" { // whose background is the button's
			t.Errorf("%s → %s: %+v", pair.Node, pair.Selector, row)
		}
	}
	for _, u := range c.Unmapped {
		unmapped = append(unmapped, u.Node+" "+u.Reason)
	}
	if got := strings.Join(mapped, " "); got != "1:2 1:21 1:3 1:31 1:6 1:61" {
		t.Errorf("mapped are %s", got)
	}
	const shares = "shares its element with another layer"
	if got := strings.Join(unmapped, ", "); got != "1:1 no element, 1:4 "+shares+", 1:5 "+shares {
		t.Errorf("unmapped are %s", got)
	}
	p.End()
}
