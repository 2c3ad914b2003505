// Killing PlayGuard at random moments, and asking it to end in every way there
// is, with the browser open and calls in flight.

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/processes"
	"github.com/playguard/playguard/test/site"
)

const (
	// goneWithin is how soon after a kill nothing is left. That something is left
	// at all fails a round at once; that it took longer is allowed in one round
	// of lateOneIn, for the machine may be busy with the other tests.
	goneWithin = 2 * time.Second
	lateOneIn  = 20
	// endsWithin bounds the end that PlayGuard was asked for. Its real time is
	// measured, and printed; clients wait about 500 ms.
	endsWithin = 2 * time.Second
	// atOnce is how many browsers the drill keeps open.
	atOnce = 2
)

// TestKilledAtRandom kills PlayGuard without any warning, at moments between
// its start and the middle of several calls, and looks for what it left.
func TestKilledAtRandom(t *testing.T) {
	rounds := 30
	if os.Getenv("CI") == "true" {
		rounds = 100
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, %d rounds", seed, rounds)
	random := rand.New(rand.NewPCG(seed, 0))
	pages := site.Start(t)
	plans := make(chan killPlan, rounds)
	for round := range rounds {
		// One in five dies on the way to the open browser.
		plan := killPlan{round: round, open: random.IntN(5) > 0, calls: 1 + random.IntN(5)}
		if plan.open {
			plan.delay = time.Duration(random.Int64N(int64(800 * time.Millisecond)))
		} else {
			plan.delay = time.Duration(random.Int64N(int64(2500 * time.Millisecond)))
		}
		plans <- plan
	}
	close(plans)
	var results killResults
	t.Run("rounds", func(t *testing.T) {
		for worker := range atOnce {
			t.Run(fmt.Sprint(worker), func(t *testing.T) {
				t.Parallel()
				for plan := range plans {
					t.Run(fmt.Sprint(plan.round), func(t *testing.T) { plan.run(t, pages, &results) })
				}
			})
		}
	})
	late := 0
	for _, took := range results.took {
		if took > goneWithin {
			late++
		}
	}
	t.Logf("%d rounds, %d with the browser open at the kill; all gone after %s, %d later than %s",
		results.rounds, results.browsers, spread(results.took), late, goneWithin)
	if late > results.rounds/lateOneIn {
		t.Errorf("in %d of %d rounds something was left for more than %s", late, results.rounds, goneWithin)
	}
}

// killPlan is one round of the drill.
type killPlan struct {
	round int
	open  bool          // wait until the browser is open before the delay begins
	calls int           // in flight
	delay time.Duration // then the kill
}

type killResults struct {
	mu               sync.Mutex
	rounds, browsers int
	took             []time.Duration
}

func (k killPlan) run(t *testing.T, pages *site.Site, results *killResults) {
	s, p := open(t)
	opening := p.AskTool("browser_navigate", mustJSON(t, map[string]any{"url": pages.URL + "/index.html"}))
	if k.open {
		if text, isError := harness.TextOf(t, p.Answer(opening)); isError {
			t.Fatal(text)
		}
	}
	for i := range k.calls {
		p.AskTool([]string{"browser_snapshot", "browser_evaluate", "browser_take_screenshot", "browser_navigate", "browser_close"}[i],
			[]string{`{}`, `{"function":"() => document.title"}`, `{}`, mustJSON(t, map[string]any{"url": pages.URL + "/rows.html"}), `{}`}[i])
	}
	time.Sleep(k.delay) // the random moment is the point of the drill
	before := processes.Below(p.Process().Pid)
	if err := p.Process().Kill(); err != nil {
		t.Fatal(err)
	}
	took := s.gone(t, before, harness.Patience)
	s.tidy(t)
	results.mu.Lock()
	defer results.mu.Unlock()
	results.rounds++
	results.took = append(results.took, took)
	if slices.ContainsFunc(before, func(p processes.Process) bool { return strings.Contains(p.Command, "--type=renderer") }) {
		results.browsers++
	}
}

// TestAskedToEnd asks for the end in each way. The open call is answered or the
// connection closed, the process ends by itself, and nothing is left.
func TestAskedToEnd(t *testing.T) {
	pages := site.Start(t)
	signal := func(s syscall.Signal) func(p *harness.Peer) error {
		return func(p *harness.Peer) error { return p.Process().Signal(s) }
	}
	for _, way := range []struct {
		name string
		ask  func(p *harness.Peer) error
	}{
		{"stdin closed", (*harness.Peer).CloseInput},
		{"SIGINT", signal(syscall.SIGINT)},
		{"SIGTERM", signal(syscall.SIGTERM)},
		{"SIGHUP", signal(syscall.SIGHUP)},
	} {
		t.Run(way.name, func(t *testing.T) {
			var exits []time.Duration
			for range 3 {
				s, p := open(t)
				navigate(t, p, pages.URL+"/index.html")
				waiting := p.AskTool("browser_wait_for", `{"time":30}`)
				p.Result("ping", `{}`) // the call before it has been read
				before := processes.Below(p.Process().Pid)
				asked := time.Now()
				if err := way.ask(p); err != nil {
					t.Fatal(err)
				}
				select {
				case <-p.Exited():
				case <-time.After(harness.Patience):
					t.Fatal("the process does not end")
				}
				took := time.Since(asked)
				exits = append(exits, took)
				if took > endsWithin {
					t.Errorf("the end took %v", took)
				}
				if state := p.ProcessState(); !state.Success() {
					t.Errorf("the process ended with %v", state)
				}
				s.gone(t, before, harness.Patience)
				s.tidy(t)
				<-p.Done()
				answers := 0
				for _, line := range p.Lines.Lines() {
					if m := harness.Parse(line); string(m.ID) == waiting {
						answers++
						contains(t, line, "PlayGuard is ending")
					}
				}
				if answers > 1 {
					t.Errorf("the open call was answered %d times", answers)
				}
				t.Logf("gone after %v, with %d answers to the open call", took, answers)
			}
			t.Logf("%s: %s", way.name, spread(exits))
		})
	}
}

// spread says how a few times are spread.
func spread(times []time.Duration) string {
	if len(times) == 0 {
		return "no times"
	}
	slices.Sort(times)
	ms := func(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
	return fmt.Sprintf("min %v, median %v, max %v", ms(times[0]), ms(times[len(times)/2]), ms(times[len(times)-1]))
}
