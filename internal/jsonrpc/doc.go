// Package jsonrpc works on the bytes of JSON-RPC 2.0 messages, one per line:
// it frames lines, finds the spans of a message's members, checks that a line
// is valid JSON, and splices ids, without ever decoding and encoding a message
// again. What it is not asked to change keeps its bytes.
//
// It knows nothing of MCP's methods.
package jsonrpc
