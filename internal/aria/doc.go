// Package aria turns the accessibility tree in an answer of Playwright MCP
// into a compact view that keeps everything an agent can act on or read.
//
// It works in four separate steps, each in files of its own and each in time
// linear in the size of the tree:
//
//	parse   the YAML-like text becomes a Tree (parse.go, scalar.go)
//	plan    decides which nodes keep their handle: the leaf rule (plan.go)
//	view    drops wrappers and repeated text, cuts running text (view*.go)
//	render  writes the view, dense or as upstream writes it (dense*.go, yaml.go)
//
// Compact runs all of them on one text block of an answer (answer.go). Around
// them are
//
//	numbers   handles that last for a session (numbers.go, carry.go)
//	delta     what changed between two views (units.go, delta*.go)
//	filter    a part of a page (filter.go)
//	budget    a view that fits (fold.go, cut.go) and an outline (outline.go)
//
// The package is pure: it reads nothing but its arguments. The dense form is
// specified in docs/snapshot-format.md.
package aria
