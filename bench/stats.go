// Medians and other quantiles.

package main

import (
	"slices"
	"time"
)

// quantile returns the q-quantile (0 to 1) of the samples, 0 without any.
func quantile[T float64 | time.Duration](samples []T, q float64) T {
	if len(samples) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(samples))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func median[T float64 | time.Duration](samples []T) T { return quantile(samples, 0.5) }

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
