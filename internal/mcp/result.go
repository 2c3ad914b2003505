package mcp

// A tool's result: its text blocks, and results of PlayGuard's own.

import (
	"bytes"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// Text is one text block of a tool's result: what it says, and where its JSON
// string lies in the result.
type Text struct {
	Text string
	Span jsonrpc.Span
}

// Texts returns the text blocks of a tools/call result, in order.
func Texts(result []byte) []Text {
	content := jsonrpc.MemberSpan(result, "content")
	if !content.Present() {
		return nil
	}
	blocks := result[content.Start:content.End]
	var out []Text
	jsonrpc.Elements(blocks, func(value jsonrpc.Span) {
		block := blocks[value.Start:value.End]
		if block[0] != '{' || jsonrpc.StringMember(block, "type") != "text" {
			return
		}
		s := jsonrpc.MemberSpan(block, "text")
		if !s.Present() {
			return
		}
		text, err := jsonrpc.Unquote(block[s.Start:s.End])
		if err != nil {
			return
		}
		at := content.Start + value.Start
		out = append(out, Text{Text: text, Span: jsonrpc.Span{Start: at + s.Start, End: at + s.End}})
	})
	return out
}

// ImageBytes returns how many bytes of base64 a tools/call result holds in image
// blocks.
func ImageBytes(result []byte) int {
	content, ok := jsonrpc.Member(result, "content")
	if !ok {
		return 0
	}
	n := 0
	jsonrpc.Elements(content, func(value jsonrpc.Span) {
		block := content[value.Start:value.End]
		if block[0] == '{' && jsonrpc.StringMember(block, "type") == "image" {
			data := jsonrpc.MemberSpan(block, "data")
			n += max(data.End-data.Start-len(`""`), 0)
		}
	})
	return n
}

// ReplaceText returns result with one text block's text replaced. Spans of
// blocks behind it move; replace from the last to the first.
func ReplaceText(result []byte, block Text, text string) []byte {
	out := make([]byte, 0, len(result)-(block.Span.End-block.Span.Start)+len(text)+len(text)/8)
	out = append(out, result[:block.Span.Start]...)
	out = jsonrpc.AppendString(out, text)
	return append(out, result[block.Span.End:]...)
}

// IsError reports whether a tools/call result says that the tool failed.
func IsError(result []byte) bool {
	// Nearly every result has no such word in it, and searching is much faster
	// than going through the members of a large one.
	if !bytes.Contains(result, []byte(`"isError"`)) {
		return false
	}
	v, _ := jsonrpc.Member(result, "isError")
	return string(v) == "true"
}

// ErrorResult is a tools/call result that tells the agent what went wrong
// (tools, error handling: such errors are for the model to read).
func ErrorResult(text string) []byte {
	out := append([]byte(nil), `{"content":[{"type":"text","text":`...)
	out = jsonrpc.AppendString(out, text)
	return append(out, `}],"isError":true}`...)
}

// TextResult is a tools/call result of one text.
func TextResult(text string) []byte {
	out := append([]byte(nil), `{"content":[{"type":"text","text":`...)
	out = jsonrpc.AppendString(out, text)
	return append(out, `}]}`...)
}

// EditContent rewrites the blocks of a tools/call result. edit returns what
// stands for a block; nil takes it out.
func EditContent(result []byte, edit func(block []byte) []byte) []byte {
	content := jsonrpc.MemberSpan(result, "content")
	if !content.Present() {
		return result
	}
	blocks := result[content.Start:content.End]
	out := append([]byte(nil), result[:content.Start]...)
	out = append(out, '[')
	first := true
	jsonrpc.Elements(blocks, func(value jsonrpc.Span) {
		block := edit(blocks[value.Start:value.End])
		if block == nil {
			return
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(out, block...)
	})
	out = append(out, ']')
	return append(out, result[content.End:]...)
}
