// Package designdiff compares a Figma layer with the computed style of the
// element that implements it. It is pure: Figma nodes (package figmatree) and
// what a script has read from the page go in, rows of matches, mismatches and
// unknowns come out.
//
// The rule above all others is that a row is never wrong: what cannot be compared
// for certain is unknown, with the reason.
//
//   - layer.go, rest.go: what a layer says, from both shapes of answers
//   - color.go, gradient.go, shadow.go, length.go: the CSS values
//   - paint.go: stacks of fills and backgrounds
//   - element.go, page.js: what is read from the page
//   - compare*.go: the rules; automap.go: which layer is which element
//   - report.go: the answer as text and JSON
package designdiff
