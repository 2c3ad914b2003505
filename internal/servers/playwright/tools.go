package playwright

// What PlayGuard adds to the tools' descriptions and parameters.

import (
	"strings"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/mcp"
)

// batchingHint is said on the tools that each wait for the page to settle.
const batchingHint = " Each call waits ~0.5 s for the page to settle: do several checks in one call."

// hinted are the tools that carry the hint (measured on 0.0.83: evaluate and
// run_code_unsafe wait at least 0.5 s).
var hinted = map[string]bool{
	"browser_evaluate":        true,
	"browser_run_code_unsafe": true,
	"browser_wait_for":        true,
}

// snapshotParams are the parameters that PlayGuard adds to browser_snapshot.
var snapshotParams = []struct{ name, schema string }{
	{sectionParam, `{"type":"string","description":"Only the landmark with this label, e.g. form"}`},
	{aroundParam, `{"type":"string","description":"Only the landmark around this handle"}`},
	{textParam, `{"type":"string","enum":["full","short","none"],"description":"How much running text"}`},
	{urlsParam, `{"type":"boolean","description":"Show link targets"}`},
	{fullParam, `{"type":"boolean","description":"Whole view instead of changes"}`},
	{rawParam, `{"type":"boolean","description":"Server's answer untouched"}`},
}

// toolRewriter returns how tools are listed under a configuration.
func toolRewriter(c *config.Config) func(mcp.Tool) (mcp.Tool, bool) {
	return func(t mcp.Tool) (mcp.Tool, bool) {
		name := t.Name()
		if c.Compact {
			t = reword(t)
		}
		if c.Hints && hinted[name] {
			t = t.WithDescription(strings.TrimRight(t.Description(), " ") + batchingHint)
		}
		if name == snapshotTool && c.Compact {
			for _, p := range snapshotParams {
				t = t.WithProperty(p.name, p.schema)
			}
		}
		if name == screenshotTool && c.Screenshots == config.ScreenshotsRedirect {
			t = t.WithProperty(visualParam, `{"type":"boolean","description":"Pixels instead of a snapshot"}`)
		}
		return t, true
	}
}
