package main

// compact --as figma: the designs of Framelink and of the REST API.

import (
	"errors"
	"os"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/figmatree"
	"github.com/playguard/playguard/internal/servers/figma"
)

// figmaName is the upstream's name on the command line.
const figmaName = "figma"

// compactedDesign is what --json prints: the texts' sizes and what each module
// did.
type compactedDesign struct {
	Text      string `json:"text"`
	RawBytes  int    `json:"rawBytes"`
	KeptBytes int    `json:"keptBytes"`
	Layers    int    `json:"layers"`
	figmatree.Counts
	ParseSkip string `json:"parseSkip,omitempty"`
}

// figma prints what the agent would get for a recorded design. The settings count
// as they do for a session; flags go before them.
func (c *compactCommand) figma() error {
	if len(c.Files) > 1 {
		return usageError{errors.New("one design is shown at a time")}
	}
	settings, problems := config.Load(os.LookupEnv)
	for _, p := range problems {
		return errors.New(p.Sentence)
	}
	switch {
	case c.Format == "yaml":
		return usageError{errors.New("--format yaml is for --as playwright")}
	case c.Format != "":
		settings.FigmaFormat = c.Format
	}
	if c.Budget >= 0 {
		settings.FigmaTextCompact = c.Budget
	}
	data, err := read(append(c.Files, "")[0])
	if err != nil {
		return err
	}
	original := string(data)
	if text, err := answerText(data); err == nil { // a recorded MCP result; else the design itself
		original = text
	}
	design := figmatree.Optimize(original, figma.DesignOptions(settings))
	out := compactedDesign{Text: original, RawBytes: len(original), Layers: design.Layers, Counts: design.Counts}
	if design.Skipped != nil {
		out.ParseSkip = design.Skipped.Error()
	} else if text, smaller := figma.Compose(design, original, func() string { return "playguard_read" }); smaller {
		out.Text = text
	}
	out.KeptBytes = len(out.Text)
	return c.print(out, out.Text, out.ParseSkip)
}
