// PlayGuard's own tools beside the upstreams'.

package protocol

import (
	"strings"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

// The own tools are listed last, are called like any other, and are in the log
// under PlayGuard's name.
func TestOwnTools(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["echo"]}`}}}).Ready()
	list := p.Result("tools/list", `{}`)
	if own := strings.Index(list, `"name":"playguard_read"`); own < strings.LastIndex(list, `"name":"echo"`) {
		t.Errorf("the list is %s", list)
	}
	got := p.Result("tools/call", `{"name":"playguard_read","arguments":{"id":"o0"}}`)
	if !strings.Contains(got, "expired") || !strings.Contains(got, `"isError":true`) {
		t.Errorf("the answer is %s", got)
	}
}

// A tool that can't work with these settings is not listed, and says why when it
// is called all the same.
func TestCompareDesignWithoutADesign(t *testing.T) {
	for env, want := range map[string]string{
		"PLAYGUARD_HINTS=true":                     "set FIGMA_MCP_CMD",
		"FIGMA_MCP_URL=http://127.0.0.1:9/mcp":     "Unset FIGMA_MCP_URL",
		"FIGMA_MCP_CMD=/nonexistent/figma -x tree": "",
	} {
		p := harness.Start(t, harness.Setup{Env: []string{env}}).Ready()
		listed := strings.Contains(p.Result("tools/list", `{}`), `"playguard_compare_design"`)
		text, isError := p.Text("playguard_compare_design", `{"figmaNodeId":"1:1","browserSelector":"a"}`)
		if listed != (want == "") || !isError || !strings.Contains(text, want) {
			t.Errorf("%s: listed %v, answers %s", env, listed, text)
		}
		p.End()
	}
}

// An own tool reaches the upstreams: what they answer is what it works with, and
// the file last read is the one that is meant.
func TestCompareDesignAsksTheUpstreams(t *testing.T) {
	design := `{\"nodes\":[{\"id\":\"1:1\",\"type\":\"FRAME\",\"fills\":[\"#1976D2\"]}],\"globalVars\":{\"styles\":{}}}`
	s := harness.NewScene(t, harness.Setup{
		Playwright: `{"name":"browser","tools":[{"name":"browser_evaluate","inputSchema":{"type":"object"}}],"builtins":["log"],"calls":{"browser_evaluate":[{"text":"### Result\n[{\"element\":{\"tag\":\"div\",\"style\":{\"background-color\":\"rgb(25, 118, 200)\"},\"label\":{}}}]"}]}}`,
		Env:        []string{`FIGMA_MCP_CMD="` + harness.Scripted(t) + `" -e '{"name":"figma","prefix":"figma_","builtins":["log"],"tools":[{"name":"get_figma_data","inputSchema":{"type":"object"}}],"calls":{"get_figma_data":[{"text":"` + design + `"}]}}'`},
	})
	p := s.Start().Ready()
	arguments := `{"figmaNodeId":"1:1","browserSelector":"#a","properties":["backgroundColor"]}`
	if text, isError := p.Text("playguard_compare_design", arguments); !strings.Contains(text, "give fileKey") {
		t.Errorf("without a file it answers %s (%v)", text, isError)
	}
	p.Text("get_figma_data", `{"fileKey":"AbC"}`)
	text, isError := p.Text("playguard_compare_design", arguments)
	if isError || !strings.Contains(text, "1:1 → #a 1 mismatch, 0 matches") || !strings.Contains(text, "Δb:+10") {
		t.Errorf("it answers %s", text)
	}
	asked, _ := p.Text("figma_log", `{}`)
	if !strings.Contains(asked, `{"nodeId":"1:1","fileKey":"AbC"}`) {
		t.Errorf("the Figma server was asked %s", asked)
	}
	p.End()
}
