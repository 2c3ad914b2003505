package mcp

// Which revisions of the protocol are spoken.

import "slices"

// Latest is the newest revision that is negotiated by initialize.
const Latest = "2025-11-25"

// versions are the revisions PlayGuard speaks, oldest first.
var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", Latest}

// Negotiate answers the version that a client asked for: the same where it is
// known, else the latest (lifecycle, version negotiation).
func Negotiate(asked string) string {
	if Known(asked) {
		return asked
	}
	return Latest
}

// Known reports whether PlayGuard speaks a revision.
func Known(version string) bool { return slices.Contains(versions, version) }
