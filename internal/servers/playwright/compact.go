package playwright

import (
	"github.com/playguard/playguard/internal/aria"
	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
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

// compact makes the trees in a response compact. What it does not recognise
// passes unchanged.
func compact(resp jsonrpc.Message, asked request, e *calllog.Entry) (jsonrpc.Message, error) {
	result := resp.Bytes(resp.Result)
	texts := mcp.Texts(result)
	for _, t := range texts {
		e.RawBytes += len(t.Text)
	}
	e.KeptBytes = e.RawBytes
	e.ScreenshotBytes = mcp.ImageBytes(result)
	if asked.raw || mcp.IsError(result) {
		return resp, nil
	}
	changed := false
	for i := len(texts) - 1; i >= 0; i-- {
		view, found := aria.Compact(texts[i].Text, ViewOptions(asked.text, asked.format, asked.urls))
		if view.Skipped != nil {
			e.ParseSkip = view.Skipped.Error()
		}
		if !found {
			continue
		}
		e.Handles += view.Interactive
		if view.KeptBytes >= view.RawBytes {
			continue
		}
		e.KeptBytes += view.KeptBytes - view.RawBytes
		result = mcp.ReplaceText(result, texts[i], view.Text)
		changed = true
	}
	if !changed {
		return resp, nil
	}
	return upstream.WithResult(resp, result)
}
