package playwright

// The policy for screenshots.

import (
	"fmt"

	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

const (
	screenshotTool = "browser_take_screenshot"
	// visualParam asks for pixels where screenshots become snapshots.
	visualParam = "visual"
)

// screenshotPolicy says what becomes of a screenshot: the call to make instead,
// a line for its answer, or the text that refuses it. Other calls pass.
func (r *row) screenshotPolicy(call *upstream.Call) (instead *upstream.Call, note, refusal string) {
	if call.Tool != screenshotTool {
		return call, "", ""
	}
	args := call.Arguments()
	call.Log.Visual = flag(args, visualParam)
	if _, given := jsonrpc.Member(args, visualParam); given {
		copied := *call
		copied.Params = jsonrpc.SetMember(call.Params, "arguments", jsonrpc.DeleteMember(args, visualParam))
		call = &copied
	}
	switch r.config.Screenshots {
	case config.ScreenshotsBlock:
		call.Log.Blocked = true
		return call, "", "Screenshots are off (PLAYGUARD_SCREENSHOTS=block). browser_snapshot shows the page as text; the user can set PLAYGUARD_SCREENSHOTS to allow."
	case config.ScreenshotsWarn:
		r.log.Warn("a screenshot is taken; a snapshot costs the agent less. PLAYGUARD_SCREENSHOTS=redirect, block or allow decides otherwise")
	case config.ScreenshotsRedirect:
		if needsPixels(args) {
			break
		}
		call.Log.Redirected = true
		copied := *call
		copied.Tool = snapshotTool
		copied.Params = []byte(`{"name":"` + snapshotTool + `","arguments":{}}`)
		return &copied, "[PlayGuard: a snapshot instead of the screenshot; visual:true takes pixels]", ""
	}
	return call, "", ""
}

// needsPixels reports whether a screenshot asks for what no snapshot gives.
func needsPixels(args []byte) bool {
	for _, name := range []string{"filename", "element", "ref", "target"} {
		if word(args, name) != "" && word(args, name) != "null" {
			return true
		}
	}
	return flag(args, "fullPage") || flag(args, visualParam)
}

// pixels edits the images of a screenshot: none where it was saved to a file by
// name, and none larger than clients take.
func (r *row) pixels(resp jsonrpc.Message, call *upstream.Call) (jsonrpc.Message, error) {
	result := resp.Bytes(resp.Result)
	if call.Tool != screenshotTool || mcp.ImageBytes(result) == 0 {
		return resp, nil
	}
	named := word(call.Arguments(), "filename") != ""
	said := ""
	edited := mcp.EditContent(result, func(block []byte) []byte {
		if jsonrpc.StringMember(block, "type") != "image" {
			return block
		}
		if named {
			said = "The image is in the file alone."
			return nil
		}
		data, mime, from, to := fit(jsonrpc.StringMember(block, "data"))
		switch {
		case from == to:
			return block
		case data == "":
			said = fmt.Sprintf("At %d×%d the image is too large to be shown; the file has it.", from.X, from.Y)
			return nil
		}
		said = fmt.Sprintf("Shown at %d×%d; the file has all %d×%d.", to.X, to.Y, from.X, from.Y)
		block = jsonrpc.SetMember(block, "data", jsonrpc.Quote(data))
		return jsonrpc.SetMember(block, "mimeType", jsonrpc.Quote(mime))
	})
	if said == "" {
		return resp, nil
	}
	if texts := mcp.Texts(edited); len(texts) > 0 {
		edited = mcp.ReplaceText(edited, texts[0], texts[0].Text+"\n"+said)
	}
	return upstream.WithResult(resp, edited)
}
