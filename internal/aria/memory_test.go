package aria

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestMemoryOfManyTabs keeps the views of 20 large tabs, as a session does.
func TestMemoryOfManyTabs(t *testing.T) {
	const tabs, limit = 20, 100 << 20
	parts, _ := splitAnswer(largeAnswer(520 << 10))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n := &Numbers{}
	views := map[string]*View{}
	for range 2 { // the second look takes the place of the first
		for i := range tabs {
			tree := parseTree(t, strings.Clone(parts.tree))
			key := fmt.Sprint(i)
			n.Identify(key, tree, IdentifyOptions{})
			views[key] = NewView(tree, Options{})
			views[key].Render()
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	used := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%d views take %.1f MB", len(views), float64(used)/(1<<20))
	if used > limit {
		t.Errorf("%d views take %d bytes", len(views), used)
	}
	runtime.KeepAlive(n)
	runtime.KeepAlive(views)
}
