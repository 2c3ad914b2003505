package drill

// The random drills.

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/playguard/playguard/test/machine"
)

// drills is how many there are: DRILLS, or what is right for the place.
func drills(t *testing.T) int {
	if text := os.Getenv("DRILLS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("DRILLS=%q is not a number of drills", text)
		}
		return n
	}
	if os.Getenv("CI") == "true" {
		return 60
	}
	return 8
}

// hangLimit is how long a call may take: what a busy machine needs for one that is
// no hang, and no more, for each hang is waited for.
const hangLimit = 8 * time.Second

// TestDrills draws faults, moments and calls from a seed. DRILL_SEED repeats a
// run; DRILL_FIRST begins with a later drill of it.
func TestDrills(t *testing.T) {
	machine.Need(t)
	count := drills(t)
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("DRILL_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("DRILL_SEED=%q is not a seed", text)
		}
	}
	first, _ := strconv.Atoi(os.Getenv("DRILL_FIRST")) // none is the first
	t.Logf("seed %d: DRILL_SEED=%d DRILLS=%d repeats this run", seed, seed, count)
	app := serveApp(t)
	f := &figures{faults: map[fault]int{}, began: time.Now()}
	for from, to := first, first; from < first+count; from = to {
		to = min((from/perSession+1)*perSession, first+count)
		t.Run(fmt.Sprintf("session %d-%d", from, to-1), func(t *testing.T) {
			how, cutOff := "--isolated", (func())(nil)
			if remote(from) {
				_, port := ownBrowser(t)
				g := &gate{to: port}
				g.open(t)
				t.Cleanup(g.close)
				how, cutOff = "--cdp-endpoint http://"+g.addr, func() { g.close(); g.open(t) }
			}
			s := start(t, app, how+" --timeout-navigation 8000", "PLAYGUARD_START=lazy", fmt.Sprintf("PLAYGUARD_BROWSER_TIMEOUT_MS=%d", hangLimit.Milliseconds()))
			s.cutOff = cutOff
			began := time.Now()
			view := s.open("/login")
			if cutOff == nil {
				f.cold = append(f.cold, time.Since(began))
			}
			s.fillLogin(view)
			s.open("/home") // that with new=1 would fill the storage again
			for number := from; number < to && !t.Failed(); number++ {
				p := draw(seed, number)
				t.Log(p)
				s.run(p, f)
			}
			s.finish(f)
		})
	}
	f.report(t, app)
	if twice := app.Twice(); len(twice) > 0 {
		t.Errorf("posted more than once: %q", twice)
	}
}
