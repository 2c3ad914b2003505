package drill

// What the drills have shown, in figures.

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// figures are what the drills have shown.
type figures struct {
	mu        sync.Mutex
	began     time.Time
	drills    int
	faults    map[fault]int
	reads     int // reading calls and navigations through a fault
	readRight int
	acts      int // actions through a fault
	done      int // answered as done
	twice     int // calls told that it died again under them
	unknown   int // answered as unknown
	refused   int // not done, since the page was opened anew
	unmade    int // certainly not executed before the fault was known, and to be sent
	replayed  int // of those, done
	checks    int // of login and tabs
	loggedIn  int
	cold      []time.Duration // a first navigation: server, browser and page
	recovery  []time.Duration // from the end of the browser to the answer
	lighter   []time.Duration // the same where the browser lives: a page, or the connection to it
	second    []time.Duration // the same with a second fault during the restoration
	hang      []time.Duration // the same for hangs
	revived   int             // lines of the log
}

func (f *figures) took(p plan, d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case p.fault.hangs():
		f.hang = append(f.hang, d)
	case p.second != "":
		f.second = append(f.second, d)
	case p.page != "": // the page itself is what takes its time
	case p.fault == killRenderer || p.fault == killOne || remote(p.number):
		f.lighter = append(f.lighter, d)
	default:
		f.recovery = append(f.recovery, d)
	}
}

func percent(part, whole int) string {
	if whole == 0 {
		return "- (0)"
	}
	return fmt.Sprintf("%.1f %% (%d of %d)", 100*float64(part)/float64(whole), part, whole)
}

// quantile is of times in any order.
func quantile(times []time.Duration, q float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// report prints the figures that the README has, and what they are made of.
func (f *figures) report(t *testing.T, app *App) {
	t.Helper()
	cold, median := quantile(f.cold, 0.5), quantile(f.recovery, 0.5)
	ratio := float64(median) / float64(max(cold, 1))
	t.Logf(`%d drills %v in %s
reading calls and navigations answered right through a fault: %s
actions sent twice: %d
actions through a fault: %d, of them %d done, %d told as unknown and %d not done since the page lacks what they go by
actions certainly not executed, and to be sent, that were done: %s
logged in, storage and all tabs back: %s
calls revived in the log: %d
cold start and navigation: median %s of %d
from the end of the browser to the answer: median %s, 90 %% within %s, at most %s, of %d; median / cold start and navigation = %.2f
from the end of a page or of a connection to the answer: median %s, at most %s, of %d
with a second fault during the restoration: median %s, at most %s, of %d; calls told that it died again: %d
from a hang to the answer, deadline included: median %s, at most %s, of %d`,
		f.drills, f.faults, time.Since(f.began).Round(time.Second), percent(f.readRight, f.reads), len(app.Twice()), f.acts, f.done, f.unknown, f.refused,
		percent(f.replayed, f.unmade), percent(f.loggedIn, f.checks), f.revived,
		cold.Round(time.Millisecond), len(f.cold), median.Round(time.Millisecond), quantile(f.recovery, 0.9).Round(time.Millisecond), quantile(f.recovery, 1).Round(time.Millisecond), len(f.recovery), ratio,
		quantile(f.lighter, 0.5).Round(time.Millisecond), quantile(f.lighter, 1).Round(time.Millisecond), len(f.lighter),
		quantile(f.second, 0.5).Round(time.Millisecond), quantile(f.second, 1).Round(time.Millisecond), len(f.second), f.twice,
		quantile(f.hang, 0.5).Round(time.Millisecond), quantile(f.hang, 1).Round(time.Millisecond), len(f.hang))
}
