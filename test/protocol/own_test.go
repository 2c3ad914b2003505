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
