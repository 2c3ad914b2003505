package client

// This file holds tool calls with a decoded result.

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// ToolResult is the result of a tools/call.
type ToolResult struct {
	Raw     json.RawMessage `json:"-"` // the whole result as it came
	Content []Content       `json:"content"`
	IsError bool            `json:"isError"`
}

// Content is one block of a tool's result.
type Content struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	Data     string          `json:"data"` // base64, of images and audio
	MIMEType string          `json:"mimeType"`
	Raw      json.RawMessage `json:"-"` // the block as it came
}

// UnmarshalJSON keeps the block's own bytes beside its members.
func (c *Content) UnmarshalJSON(b []byte) error {
	type members Content
	if err := json.Unmarshal(b, (*members)(c)); err != nil {
		return err
	}
	c.Raw = append(json.RawMessage(nil), b...)
	return nil
}

// Text is the text blocks, joined with a newline.
func (r ToolResult) Text() string {
	var texts []string
	for _, c := range r.Content {
		if c.Type == "text" {
			texts = append(texts, c.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// CallTool calls a tool; args as Call's params, nil means {}. A tool's own
// failure is not an error here: see ToolResult.IsError. To measure time, use
// Call, which decodes nothing.
func (c *Client) CallTool(ctx context.Context, name string, args any) (ToolResult, error) {
	raw, err := encodeParams(name, args)
	if err != nil {
		return ToolResult{}, err
	}
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	params := append(appendString([]byte(`{"name":`), name), `,"arguments":`...)
	params = append(append(params, raw...), '}')
	result, err := c.Call(ctx, "tools/call", params)
	if err != nil {
		return ToolResult{}, fmt.Errorf("the tool %s failed: %w", name, err)
	}
	r := ToolResult{Raw: result}
	if err := json.Unmarshal(result, &r); err != nil {
		return r, fmt.Errorf("the result of the tool %s cannot be read: %w", name, err)
	}
	return r, nil
}
