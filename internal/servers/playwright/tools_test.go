package playwright

// That of a tool only what PlayGuard adds is another.

import (
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
)

// What PlayGuard adds to the tools, and that the rest keeps its bytes.
func TestToolRewriter(t *testing.T) {
	const look = `{"name":"browser_snapshot","description":"Look","inputSchema":{"type":"object","properties":{"target":{"type":"string"}},"required":[]},"x":1}`
	const evaluate = `{"name":"browser_evaluate","description":"Evaluate ","inputSchema":{"type":"object","properties":{}}}`
	const shoot = `{"name":"browser_take_screenshot","description":"Shoot","inputSchema":{"type":"object","properties":{}}}`
	const click = `{ "name":"browser_click","inputSchema":{"type":"object"},"annotations":{"n":1.50}}`
	var params []string
	for _, p := range snapshotParams {
		params = append(params, `,`+string(jsonrpc.Quote(p.name))+`:`+p.schema)
	}
	tests := []struct{ name, setting, tool, want string }{
		{"parameters", "", look, strings.Replace(look, `{"target":{"type":"string"}`, `{"target":{"type":"string"}`+strings.Join(params, ""), 1)},
		{"no parameters", "PLAYGUARD_COMPACT=false", look, look},
		{"hint", "", evaluate, strings.Replace(evaluate, `Evaluate `, `Evaluate`+batchingHint, 1)},
		{"no hint", "PLAYGUARD_HINTS=false", evaluate, evaluate},
		{"screenshots as they are", "", shoot, shoot},
		{"screenshots become snapshots", "PLAYGUARD_SCREENSHOTS=redirect", shoot,
			strings.Replace(shoot, `"properties":{}`, `"properties":{"visual":{"type":"boolean","description":"Pixels instead of a snapshot"}}`, 1)},
		{"untouched", "", click, click},
		{"without a schema", "", `{"name":"browser_snapshot"}`, `{"name":"browser_snapshot"}`},
		{"no name", "", `{}`, `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, keep := toolRewriter(options(t, tt.setting).Config)(mcp.Tool(tt.tool))
			if !keep || string(got) != tt.want {
				t.Errorf("listed (%v) as\n%s\ninstead of\n%s", keep, got, tt.want)
			}
		})
	}
}
