// Package protocol holds the tests that drive the built playguard program over
// stdio, with several scripted upstreams behind it at once, and say for each
// message, fault and ending what the client sees.
package protocol

import (
	"os"
	"testing"

	"github.com/playguard/playguard/test/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// beside are two further upstreams that a test needs only to be there.
func beside() []harness.Upstream {
	return []harness.Upstream{
		{Name: "a", Script: `{"name":"a","tools":[{"name":"a_small","inputSchema":{"type":"object"}}]}`},
		{Name: "b", Script: `{"name":"b","tools":[{"name":"b_small","inputSchema":{"type":"object"}}]}`},
	}
}
