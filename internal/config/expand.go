package config

// Expansion of ${VAR} in the file of further upstreams.

import (
	"regexp"
	"slices"
)

// reference is ${VAR} or ${VAR:-default}, the two forms that Claude Code expands
// in its own .mcp.json. Everything else with a dollar sign stays as it is.
var reference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// expander expands texts and remembers which variables were missing.
type expander struct {
	getenv  func(string) (string, bool)
	missing []string // in order of appearance, each once
}

// expand replaces the references in text. A variable that is set counts even if
// it is empty. One that is neither set nor has a default is noted in missing and
// its reference left standing.
func (x *expander) expand(text string) string {
	return reference.ReplaceAllStringFunc(text, func(match string) string {
		parts := reference.FindStringSubmatch(match)
		name, hasDefault, fallback := parts[1], parts[2] != "", parts[3]
		if value, ok := x.getenv(name); ok {
			return value
		}
		if hasDefault {
			return fallback
		}
		if !slices.Contains(x.missing, name) {
			x.missing = append(x.missing, name)
		}
		return match
	})
}
