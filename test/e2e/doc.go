// Package e2e holds the tests that drive the built playguard program with the
// real Playwright MCP and a real Chromium behind it, on a site of their own.
//
// They need Node.js, npm and a Chromium; the packages are installed once per
// machine into the user's cache folder.
package e2e
