// Package transport carries JSON-RPC lines to and from a peer: over this
// process's own stdio, or to a child process and its whole process tree.
//
// A Writer queues lines and writes them in order from one goroutine, so that a
// peer that does not read never holds a lock or stops the one who sends.
package transport
