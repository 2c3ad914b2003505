package repo

// The limits that the documents name are those of the code.

import (
	"strings"
	"testing"
)

// limits are the places where the code has a limit, and how a document names it. Line
// breaks count as blanks.
var limits = []struct{ file, code, document, says string }{
	{"internal/servers/playwright/see.go", "refreshCalls = 20 refreshAfter = 10 * time.Minute", "README.md", "after 20 calls or 10 minutes"},
	{"internal/servers/playwright/image.go", "maxSide = 8000", "README.md", "Screenshots over 8,000 px on a side"},
	{"internal/servers/playwright/prefetch.go", "prefetchAge = 5 * time.Second", "README.md", "directly follows a navigation, within five seconds"},
	{"internal/calllog/entry.go", "errTextLimit = 200", "README.md", "what went wrong (at most 200 characters)"},
	{"internal/aria/viewtext.go", "shortText = 80", "docs/snapshot-format.md", "cuts running text after 80 characters"},

	{"internal/servers/playwright/watch/connection.go", "greetLimit = 5 * time.Second", "docs/recovery.md", "who does not in 5 s is sent away"},
	{"internal/servers/playwright/cut.go", "deadGrace = 2 * time.Second", "docs/recovery.md", "not answered 2 s later"},
	{"internal/servers/playwright/watch/watch.cjs", "commitLimit = 10000", "docs/recovery.md", "10 s until the server answers"},
	{"internal/servers/playwright/watch/watch.cjs", "othersLimit = 3000", "docs/recovery.md", "the others at most 3 s"},
	{"internal/servers/playwright/watch/watch.cjs", "putLimit = 20000, newLimit = 8000", "docs/recovery.md", "A new tab that does not come in 8 s, or storage that is not back in 20 s"},
	{"internal/servers/playwright/restore.go", "reachWithin = time.Second", "docs/recovery.md", "a closed port is tried for 1 s"},
	{"internal/servers/playwright/restore.go", "restoreLimit = 45 * time.Second", "docs/recovery.md", "an attempt that takes more than 45 s"},
	{"internal/servers/playwright/watch/watch.cjs", "changeSpacing = 1000", "docs/recovery.md", "what a page has fetched, at most once a second"},
	{"internal/servers/playwright/watch/storage.cjs", "frameLimit = 1500", "docs/recovery.md", "does not answer in 1.5 s"},
	{"internal/servers/playwright/watch/storage.cjs", "pageLimit = 700", "docs/recovery.md", "can't be read in 0.7 s"},
	{"internal/servers/playwright/watch/storage.cjs", "maxDatabase = 8 << 20", "docs/recovery.md", "more than 8 million characters"},
	{"internal/servers/playwright/recover.go", "firstBackoff = time.Second maxBackoff = time.Minute", "docs/recovery.md", "a backoff (1 s, doubling up to a minute)"},

	{"internal/transport/direct.go", "directSize = 4096", "ARCHITECTURE.md", "A line of up to 4 KB is written at once"},
	{"internal/proxy/shutdown.go", "drainGrace = 50 * time.Millisecond", "ARCHITECTURE.md", "open requests get up to 50 ms"},
	{"internal/proxy/shutdown.go", "closeGrace = 120 * time.Millisecond", "ARCHITECTURE.md", "upstreams get 120 ms to end by themselves"},
	{"cmd/playguard/serve.go", "endWithin = 370 * time.Millisecond", "ARCHITECTURE.md", "after 370 ms the process exits"},
}

func TestLimitsInTheDocs(t *testing.T) {
	one := func(name string) string {
		var kept []string
		for line := range strings.Lines(read(t, name)) {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") {
				kept = append(kept, line)
			}
		}
		return strings.Join(strings.Fields(strings.Join(kept, "")), " ")
	}
	for _, l := range limits {
		if !strings.Contains(one(l.file), l.code) {
			t.Errorf("%s has no %q any more; does %s still say right that %q?", l.file, l.code, l.document, l.says)
		}
		if !strings.Contains(one(l.document), l.says) {
			t.Errorf("%s does not say %q", l.document, l.says)
		}
	}
}
