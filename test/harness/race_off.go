//go:build !race

package harness

// raceEnabled: the programs are built with the race detector as the tests are.
const raceEnabled = false
