// Package mcp knows the few shapes of the Model Context Protocol that PlayGuard
// reads or edits: versions, capabilities, a tool in a list, a tool's result.
// Edits work on the bytes and keep unknown members and their order.
//
// Sections named in comments are of the revision 2025-11-25.
package mcp
