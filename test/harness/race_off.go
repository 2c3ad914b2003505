//go:build !race

package harness

// RaceEnabled tells whether PlayGuard is built with the race detector, as the
// tests are: it takes several times the memory then.
const RaceEnabled = false
