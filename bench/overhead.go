// What a call costs through PlayGuard, against the same upstream alone.

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// The bounds on what PlayGuard may add to a call whose answer it passes through.
const (
	maxSmallAddedMicros = 60
	maxSmallRatio       = 5
	maxLargeAddedMillis = 1.5
)

const overheadScript = `{"name":"upstream","builtins":["small","big"],"record":false,"lifeSeconds":3600}`

// turns says how samples are taken: so many rounds, in each so many calls to one
// side after the other.
type turns struct{ rounds, calls, warmUp int }

func measureOverhead(ctx context.Context, l *lab) ([]figure, error) {
	small, large, flight := turns{24, 125, 500}, turns{21, 20, 30}, turns{9, 4000, 2000}
	if l.quick {
		small, large, flight = turns{6, 100, 200}, turns{3, 10, 10}, turns{3, 1000, 500}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	s, err := l.newScene(overheadScript)
	if err != nil {
		return nil, err
	}
	direct, proxied, err := s.pair(ctx)
	if err != nil {
		return nil, err
	}
	defer direct.stop()
	defer proxied.stop()
	relayed, err := s.relayed(ctx)
	if err != nil {
		return nil, err
	}
	defer relayed.stop()
	sides := []*peer{direct, proxied, relayed}

	smallTimes, err := interleave(sides, "small", small)
	if err != nil {
		return nil, err
	}
	largeTimes, err := interleave(sides, "big", large)
	if err != nil {
		return nil, err
	}
	rates, err := interleaveRates(sides, flight)
	if err != nil {
		return nil, err
	}
	d, p, r := median(smallTimes[0]), median(smallTimes[1]), median(smallTimes[2])
	bigD, bigP, bigR := median(largeTimes[0]), median(largeTimes[1]), median(largeTimes[2])
	rateD, rateP, rateR := median(rates[0]), median(rates[1]), median(rates[2])
	const floor = "what any further process costs here"
	return []figure{
		plain("small answer, direct, p50", micros(d), "µs").with(fmt.Sprintf("%d calls each", small.rounds*small.calls)),
		plain("small answer, direct, p99", micros(quantile(smallTimes[0], 0.99)), "µs"),
		plain("small answer, proxied, p50", micros(p), "µs"),
		plain("small answer, proxied, p99", micros(quantile(smallTimes[1], 0.99)), "µs"),
		atMost("small answer, added", micros(p-d), "µs", maxSmallAddedMicros),
		atMost("small answer, proxied / direct", float64(p)/float64(d), "×", maxSmallRatio),
		plain("small answer, added by a relay that only copies", micros(r-d), "µs").with(floor),
		plain("small answer, added at the fastest tenth", micros(quantile(smallTimes[1], 0.1)-quantile(smallTimes[0], 0.1)), "µs").
			with("least disturbed by other programs"),
		plain("316 KB answer, direct, p50", millis(bigD), "ms").with(fmt.Sprintf("%d calls each", large.rounds*large.calls)),
		plain("316 KB answer, proxied, p50", millis(bigP), "ms"),
		atMost("316 KB answer, added", millis(bigP-bigD), "ms", maxLargeAddedMillis),
		plain("316 KB answer, proxied / direct", float64(bigP)/float64(bigD), "×"),
		plain("316 KB answer, added by a relay that only copies", millis(bigR-bigD), "ms").with(floor),
		plain("16 in flight, direct", rateD, "calls/s").with(fmt.Sprintf("%d calls each", flight.rounds*flight.calls)),
		plain("16 in flight, proxied", rateP, "calls/s"),
		plain("16 in flight, relay that only copies", rateR, "calls/s"),
		plain("16 in flight, proxied / direct", rateP/rateD, "×"),
	}, nil
}

// interleave times single calls, one after the other, and returns the samples
// of each side. The sides take turns, in another order each round, so that a slow
// spell of the machine falls on all of them alike.
func interleave(sides []*peer, tool string, n turns) ([][]time.Duration, error) {
	samples := make([][]time.Duration, len(sides))
	for _, p := range sides {
		if _, err := p.timed(tool, n.warmUp); err != nil {
			return nil, err
		}
	}
	shuffle := newShuffle()
	for range n.rounds {
		for _, side := range shuffle.Perm(len(sides)) {
			took, err := sides[side].timed(tool, n.calls)
			if err != nil {
				return nil, err
			}
			samples[side] = append(samples[side], took...)
		}
	}
	return samples, nil
}

// newShuffle gives the same orders in every run.
func newShuffle() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// timed makes so many calls and returns what each took.
func (p *peer) timed(tool string, calls int) ([]time.Duration, error) {
	samples := make([]time.Duration, 0, calls)
	for range calls {
		start := time.Now()
		if _, err := p.call(tool); err != nil {
			return nil, err
		}
		samples = append(samples, time.Since(start))
	}
	return samples, nil
}

// interleaveRates returns the calls per second of each side's rounds with 16 in
// flight.
func interleaveRates(sides []*peer, n turns) ([][]float64, error) {
	const inFlight = 16
	rates := make([][]float64, len(sides))
	for _, p := range sides {
		if _, err := p.pipeline("small", n.warmUp, inFlight); err != nil {
			return nil, err
		}
	}
	shuffle := newShuffle()
	for range n.rounds {
		for _, side := range shuffle.Perm(len(sides)) {
			took, err := sides[side].pipeline("small", n.calls, inFlight)
			if err != nil {
				return nil, err
			}
			rates[side] = append(rates[side], float64(n.calls)/took.Seconds())
		}
	}
	return rates, nil
}
