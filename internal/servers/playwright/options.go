package playwright

// The options of a compact view, from the settings.

import (
	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/config"
)

// ViewOptions are the options of a compact view as the settings have them.
func ViewOptions(text, format string, urls bool) aria.Options {
	o := aria.Options{URLs: urls}
	switch text {
	case config.TextShort:
		o.Text = aria.TextShort
	case config.TextNone:
		o.Text = aria.TextNone
	}
	if format == config.FormatYAML {
		o.Format = aria.FormatYAML
	}
	return o
}
