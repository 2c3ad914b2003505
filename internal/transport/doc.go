// Package transport carries JSON-RPC lines to and from a peer: over this
// process's own stdio, to a child process and its whole process tree, or to a
// server that speaks streamable HTTP.
//
// A Writer writes lines in order, at once where that cannot block and else from a
// goroutine of its own, so that a peer that does not read never holds a lock or
// stops the one who sends.
package transport
