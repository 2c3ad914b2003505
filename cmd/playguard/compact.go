package main

// compact: what PlayGuard would send for a recorded answer of Playwright MCP.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/servers/playwright"
)

type compactCommand struct {
	As      string   `enum:"playwright,figma" default:"playwright" help:"The upstream that gave the answer (playwright, figma)."`
	Refs    string   `enum:"numbers,upstream" default:"numbers" help:"What handles look like (numbers: [47], upstream: [e12])."`
	Handles string   `enum:"leaf,action" default:"leaf" help:"Which elements get one (leaf, action)."`
	Text    string   `enum:"full,short,none" default:"full" help:"How much running text to keep (full, short, none)."`
	Format  string   `enum:"dense,yaml,json," default:"" help:"How to write the tree (dense; yaml for playwright, json for figma)."`
	Budget  int      `default:"-1" help:"figma: the most characters; 0 for all (FIGMA_TEXT_COMPACT)."`
	URLs    bool     `name:"urls" help:"Show link targets."`
	JSON    bool     `help:"Print one JSON object: text, rawBytes, keptBytes and more figures."`
	Files   []string `arg:"" optional:"" help:"The recorded answer: its text, or the whole MCP result or response as JSON. Standard input without it. With two, what changed from the first to the second."`
}

// compacted is what --json prints.
type compacted struct {
	Text        string            `json:"text"`
	RawBytes    int               `json:"rawBytes"`
	KeptBytes   int               `json:"keptBytes"`
	RawLines    int               `json:"rawLines"`
	KeptLines   int               `json:"keptLines"`
	Interactive int               `json:"interactive"`       // handles kept
	Handles     map[string]string `json:"handles,omitempty"` // upstream's ref by number
	ParseSkip   string            `json:"parseSkip,omitempty"`
}

// Run prints what the agent would get for a recorded answer, or the delta
// between two.
func (c *compactCommand) Run() error {
	if c.As == figmaName {
		return c.figma()
	}
	if c.Format == "json" {
		return usageError{errors.New("--format json is for --as figma")}
	}
	if len(c.Files) > 2 {
		return fmt.Errorf("%d files were given; one is shown whole, two as what changed from the first to the second", len(c.Files))
	}
	numbers := &aria.Numbers{}
	var out compacted
	var before *aria.View
	for i, file := range append(c.Files, "")[:max(1, len(c.Files))] {
		data, err := read(file)
		if err != nil {
			return err
		}
		text, err := answerText(data)
		if err != nil {
			return err
		}
		var view *aria.View
		out, view = c.compact(text, numbers)
		if i == 1 && before != nil && view != nil {
			page := deltaText(aria.Diff(before, view))
			out.Text, out.KeptBytes = page, len(page)
		}
		before = view
	}
	return c.print(out, out.Text, out.ParseSkip)
}

// print prints the text, or all of out as JSON.
func (c *compactCommand) print(out any, text, skip string) error {
	if c.JSON {
		e := json.NewEncoder(os.Stdout)
		e.SetEscapeHTML(false)
		return e.Encode(out)
	}
	if skip != "" {
		fmt.Fprintf(os.Stderr, "playguard: the answer passes unchanged: %s.\n", skip)
	}
	_, err := fmt.Println(text)
	return err
}

// compact runs the live path on one answer.
func (c *compactCommand) compact(text string, numbers *aria.Numbers) (compacted, *aria.View) {
	out := compacted{Text: text, RawBytes: len(text), KeptBytes: len(text)}
	answer, err := aria.ReadAnswer(text)
	switch {
	case err != nil:
		out.ParseSkip = err.Error()
		return out, nil
	case answer == nil:
		out.ParseSkip = "there is no snapshot in it"
		return out, nil
	}
	numbers.Identify("recorded", answer.Tree, aria.IdentifyOptions{Carry: true})
	o := playwright.ViewOptions(c.Text, c.Format, c.URLs)
	o.Refs = c.Refs == config.RefsUpstream
	if c.Handles == config.HandlesAction {
		o.Handles = aria.HandlesAction
	}
	view := aria.NewView(answer.Tree, o)
	r := answer.Result(view)
	out = compacted{
		Text: r.Text, RawBytes: r.RawBytes, KeptBytes: r.KeptBytes,
		RawLines: r.RawLines, KeptLines: r.KeptLines, Interactive: r.Interactive,
	}
	if !o.Refs {
		out.Handles = map[string]string{}
		for _, h := range view.Handles() {
			out.Handles[h.Text] = h.Ref
		}
	}
	return out, view
}

// deltaText is a delta as the live path sends it.
func deltaText(d *aria.Delta) string {
	if d.Empty() {
		return "[PlayGuard r1: UNCHANGED]"
	}
	return strings.TrimSuffix(d.Render(2, 0), "\n")
}

func read(file string) ([]byte, error) {
	if file == "" || file == "-" {
		data, err := io.ReadAll(os.Stdin)
		if err != nil {
			return nil, fmt.Errorf("the answer could not be read from standard input: %w", err)
		}
		return data, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the answer could not be read: %w", err)
	}
	return data, nil
}

// answerText returns the text of a recorded answer. JSON is taken for an MCP
// result, or for a response that holds one.
func answerText(data []byte) (string, error) {
	if m, err := jsonrpc.Parse(bytes.TrimSpace(data)); err == nil {
		result := m.Raw
		if m.Result.Present() {
			result = m.Bytes(m.Result)
		}
		texts := mcp.Texts(result)
		if len(texts) == 0 {
			return "", fmt.Errorf("the recorded answer is JSON, but no MCP result with a text in it")
		}
		longest := texts[0].Text
		for _, t := range texts {
			if len(t.Text) > len(longest) {
				longest = t.Text
			}
		}
		return longest, nil
	}
	return string(data), nil
}
