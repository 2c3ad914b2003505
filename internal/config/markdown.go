package config

// Markdown: the README's tables of settings.

import (
	"fmt"
	"strings"
)

// Markdown renders the table of settings for the README: per section a heading
// and a Markdown table.
func Markdown() string {
	var b strings.Builder
	section := ""
	for _, s := range Settings() {
		if s.Section != section {
			if section != "" {
				b.WriteByte('\n')
			}
			section = s.Section
			fmt.Fprintf(&b, "### %s\n\n| Variable | Default | Description |\n|----------|---------|-------------|\n", section)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, s.shownDefault(), strings.ReplaceAll(s.Doc, "|", `\|`))
	}
	return b.String()
}

// shownDefault is the default as the README shows it.
func (s Setting) shownDefault() string {
	switch {
	case s.DefaultText != "":
		return s.DefaultText
	case s.Default == "":
		return "—"
	}
	return "`" + s.Default + "`"
}
