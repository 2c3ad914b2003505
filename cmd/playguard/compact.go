package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/servers/playwright"
)

type compactCommand struct {
	As     string `enum:"playwright" default:"playwright" help:"The upstream that gave the answer (playwright)."`
	Refs   string `enum:"upstream" default:"upstream" help:"What handles look like (upstream: [e12], as Playwright numbers them)."`
	Text   string `enum:"full,short,none" default:"full" help:"How much running text to keep (full, short, none)."`
	Format string `enum:"dense,yaml" default:"dense" help:"How to write the tree (dense, yaml)."`
	URLs   bool   `name:"urls" help:"Show link targets."`
	JSON   bool   `help:"Print one JSON object: text, rawBytes, keptBytes, rawLines, keptLines, interactive."`
	File   string `arg:"" optional:"" help:"The recorded answer: its text, or the whole MCP result or response as JSON. Standard input without it."`
}

// compacted is what --json prints.
type compacted struct {
	Text        string `json:"text"`
	RawBytes    int    `json:"rawBytes"`
	KeptBytes   int    `json:"keptBytes"`
	RawLines    int    `json:"rawLines"`
	KeptLines   int    `json:"keptLines"`
	Interactive int    `json:"interactive"` // handles kept
	ParseSkip   string `json:"parseSkip,omitempty"`
}

// Run prints what the agent would get for a recorded answer.
func (c *compactCommand) Run() error {
	data, err := c.read()
	if err != nil {
		return err
	}
	text, err := answerText(data)
	if err != nil {
		return err
	}
	view, found := aria.Compact(text, playwright.ViewOptions(c.Text, c.Format, c.URLs))
	skip := ""
	switch {
	case view.Skipped != nil:
		skip = view.Skipped.Error()
	case !found:
		skip = "there is no snapshot in it"
	}
	if !c.JSON {
		if skip != "" {
			fmt.Fprintf(os.Stderr, "playguard: the answer passes unchanged: %s.\n", skip)
		}
		_, err := fmt.Println(view.Text)
		return err
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	return out.Encode(compacted{
		Text: view.Text, RawBytes: view.RawBytes, KeptBytes: view.KeptBytes,
		RawLines: view.RawLines, KeptLines: view.KeptLines, Interactive: view.Interactive, ParseSkip: skip,
	})
}

func (c *compactCommand) read() ([]byte, error) {
	if c.File == "" || c.File == "-" {
		data, err := io.ReadAll(os.Stdin)
		if err != nil {
			return nil, fmt.Errorf("the answer could not be read from standard input: %w", err)
		}
		return data, nil
	}
	data, err := os.ReadFile(c.File)
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
