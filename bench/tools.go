// What the list of the browser's tools costs in every session, against Playwright
// MCP's own.

package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/tiktoken-go/tokenizer"

	"github.com/playguard/playguard/internal/catalog"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/servers"
	"github.com/playguard/playguard/internal/store"
)

// maxToolsPercent is the bound on the list's tokens, PlayGuard's own parameters
// and tools included.
const maxToolsPercent = 85

// measureTools compares the lists as they are recorded and as they are sent under
// the default settings: what a client puts into the prompt, which is names,
// descriptions and input schemas.
func measureTools(context.Context, *lab) ([]figure, error) {
	c, _ := config.Load(func(string) (string, bool) { return "", false })
	o := servers.Options{Config: c, Originals: store.New("", store.DefaultLimits()), Log: slog.New(slog.DiscardHandler)}
	spec := servers.Specs(o)[0]
	lists, err := catalog.Decode(spec.Seed)
	if err != nil {
		return nil, fmt.Errorf("the recorded list of tools cannot be read: %w", err)
	}
	var raw, sent [][]byte
	for _, tool := range lists.Tools {
		raw = append(raw, tool)
		if listed, keep := spec.RewriteTool(mcp.Tool(tool)); keep {
			sent = append(sent, listed)
		}
	}
	for _, own := range servers.Own(o) {
		if !own.Unlisted {
			sent = append(sent, own.Definition)
		}
	}
	before, err := toolTokens(raw)
	if err != nil {
		return nil, err
	}
	after, err := toolTokens(sent)
	if err != nil {
		return nil, err
	}
	return []figure{atMost("list of tools, of Playwright MCP's own tokens", 100*float64(after)/float64(before), "%", maxToolsPercent).
		with(fmt.Sprintf("%d to %d, %d tools", before, after, len(sent)))}, nil
}

// toolTokens counts what a client shows the model of tools.
func toolTokens(tools [][]byte) (int, error) {
	encoder, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return 0, fmt.Errorf("the tokenizer cannot be loaded: %w", err)
	}
	all := 0
	for _, tool := range tools {
		for _, member := range []string{"name", "description", "inputSchema"} {
			value, _ := jsonrpc.Member(tool, member)
			n, err := encoder.Count(string(value))
			if err != nil {
				return 0, fmt.Errorf("counting tokens: %w", err)
			}
			all += n
		}
	}
	return all, nil
}
