// What the package is for.

// Package harness runs the built playguard program in tests the way a client
// does: over stdio, with scripted upstreams behind it, in folders of its own.
//
// A test package calls [Main] from TestMain; programs are built once per
// package run, at their first use, with the race detector if the tests have it.
// [Start] starts PlayGuard, [Direct] starts one scripted upstream alone, for
// comparison. Every started program ends with its test, and a test that leaves a
// process behind fails.
package harness
