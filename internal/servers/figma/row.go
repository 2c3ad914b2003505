package figma

// One call: from memory if it is there, else from the server, made small.

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/figmatree"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/reread"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/upstream"
)

// designTool is the one whose answers are designs.
const designTool = "get_figma_data"

type row struct {
	config    *config.Config
	originals *store.Store
	cache     *cache
	last      lastFile
}

func newRow(o Options) *row {
	return &row{config: o.Config, originals: o.Originals, cache: newCache(o.Config.FigmaCacheTTL, time.Now)}
}

// handler returns the code for one tool: those that get something may get a
// design, whatever server stands behind FIGMA_MCP_CMD.
func (r *row) handler(tool string) upstream.Handler {
	if !strings.HasPrefix(tool, "get_") {
		return nil
	}
	return r.handle
}

func (r *row) handle(ctx context.Context, call *upstream.Call, next upstream.Next) (jsonrpc.Message, error) {
	args := call.Arguments()
	call.Log.FileKey, call.Log.NodeID = jsonrpc.StringMember(args, "fileKey"), jsonrpc.StringMember(args, "nodeId")
	resp, remembered, err := r.cache.get(ctx, cacheKey(call.Tool, args), func() (jsonrpc.Message, error) { return next(ctx, call.Params) })
	call.Log.CacheHit = remembered
	if err != nil || resp.Error.Present() {
		return resp, err
	}
	r.last.note(call.Log.FileKey, resp)
	return r.answer(resp, call)
}

// answer makes the design in a response small. What is not understood passes as
// it is, unless it is too long.
func (r *row) answer(resp jsonrpc.Message, call *upstream.Call) (jsonrpc.Message, error) {
	result := resp.Bytes(resp.Result)
	texts := mcp.Texts(result)
	for _, t := range texts {
		call.Log.RawBytes += len(t.Text)
	}
	call.Log.KeptBytes = call.Log.RawBytes
	if len(texts) == 0 || mcp.IsError(result) {
		return resp, nil
	}
	text := r.rewrite(texts[0].Text, call)
	if text == texts[0].Text {
		return resp, nil
	}
	call.Log.KeptBytes += len(text) - len(texts[0].Text)
	return upstream.WithResult(resp, mcp.ReplaceText(result, texts[0], text))
}

func (r *row) rewrite(text string, call *upstream.Call) string {
	design := figmatree.Optimize(text, DesignOptions(r.config))
	if design.Skipped != nil {
		if call.Tool != designTool {
			return text // another answer than a design is none of our business
		}
		call.Log.ParseSkip = design.Skipped.Error()
		return r.slice(text, call)
	}
	out, ok := Compose(design, text, func() string { return reread.Call(r.originals.Put(text)) })
	if !ok {
		return text
	}
	call.Log.Cut = design.Stubs+design.LayersLeftOut+design.Sliced > 0
	r.count(design, text, out, call)
	return out
}

// Compose returns what the agent gets for a design: what was saved, what was left
// out and how to get it, the design. keep keeps the original and returns the call
// that gives it back; it is used only if there is something to be had. False: the
// original is not longer.
func Compose(design figmatree.Result, original string, keep func() string) (text string, smaller bool) {
	note := ""
	if left := leftOut(design); left != "" {
		note = "[PlayGuard: " + left + " left out (FIGMA_TEXT_COMPACT); all as it came by "
	} else if design.Removed() {
		note = "[PlayGuard: as it came: "
	}
	head := fmt.Sprintf("[PlayGuard figma: -%d%% (%s→%s)]\n", percentSaved(len(original), len(design.Text)), size(len(original)), size(len(design.Text)))
	if len(head)+len(note)+callLength+len(design.Text) >= len(original) {
		return original, false
	}
	if note != "" {
		note += keep() + "]\n"
	}
	return head + note + design.Text, true
}

// leftOut says what the budget took, and how to get a part of it.
func leftOut(design figmatree.Result) string {
	var parts []string
	if design.Sliced > 0 {
		parts = append(parts, fmt.Sprintf("%d characters, at …[+n],", design.Sliced))
	}
	switch {
	case design.LayersLeftOut > 0:
		parts = append(parts, fmt.Sprintf("%d of %d layers (get one by nodeId)", design.LayersLeftOut, design.Layers))
	case design.Stubs > 0:
		parts = append(parts, fmt.Sprintf("styles and long texts of %d layers (get one by nodeId)", design.Stubs))
	}
	return strings.Join(parts, " and ")
}

const (
	// callLength is more than a call of playguard_read takes.
	callLength = 40
	// headLength is more than Compose puts in front of a design.
	headLength = 200
)

// DesignOptions are the optimiser's options as the settings have them. The lines
// that Compose puts in front count towards FIGMA_TEXT_COMPACT.
func DesignOptions(c *config.Config) figmatree.Options {
	o := figmatree.Options{KeepSVG: !c.FigmaSVGRefs, Budget: c.FigmaTextCompact}
	if limit := c.FigmaTextCompact; limit > 0 {
		o.Budget = max(limit-headLength, limit/2)
	}
	if c.FigmaFormat == config.FigmaJSON {
		o.Format = figmatree.JSON
	}
	return o
}

// slice cuts a text that is no design in a known form.
func (r *row) slice(text string, call *upstream.Call) string {
	limit := r.config.FigmaTextCompact
	all := utf8.RuneCountInString(text)
	if limit == 0 || all <= limit {
		return text
	}
	limit = max(limit-headLength, limit/2)
	kept := text
	for i := range text {
		if limit == 0 {
			kept = text[:i]
			break
		}
		limit--
	}
	if end := strings.LastIndexByte(kept, '\n'); end > len(kept)/4*3 {
		kept = kept[:end]
	}
	call.Log.Cut = true
	return fmt.Sprintf("[PlayGuard: %d of %d characters; all: %s]\n", utf8.RuneCountInString(kept), all, reread.Call(r.originals.Put(text))) + kept
}

// count notes in the log what the modules did.
func (r *row) count(design figmatree.Result, in, out string, call *upstream.Call) {
	l := call.Log
	l.InBytes, l.OutBytes = len(in), len(out)
	l.SavedTokens = design.TokensBefore(in) - design.TokensAfter(out)
	l.WhitespaceBytes = design.WhitespaceBytes
	l.MetaKeysDeleted, l.InvisiblePruned, l.SVGRefsReplaced = design.MetaKeysDeleted, design.InvisiblePruned, design.SVGRefsReplaced
	l.InstancesCollapsed, l.LayoutCoordsRemoved, l.SameAs = design.InstancesCollapsed, design.LayoutCoordsRemoved, design.SameAs+design.TextDiffs
	l.NoOpStyles, l.Rounded, l.Stubs = design.NoOpStyles, design.Rounded, design.Stubs
}

func percentSaved(in, out int) int { return 100 - (100*out+in/2)/max(in, 1) }

// size writes bytes as 12.3KB.
func size(n int) string {
	if n < 1024 {
		return fmt.Sprintf("%dB", n)
	}
	return fmt.Sprintf("%.1fKB", float64(n)/1024)
}
