package figma

// Designs for PlayGuard's own tools: whole, and of the file last read where the
// call names none.

import (
	"context"
	"sync"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// DesignTool is the tool that PlayGuard's own tools get designs by.
const DesignTool = designTool

// lastFile is the key of the file that the agent has last read from.
type lastFile struct {
	mu  sync.Mutex
	key string
}

// note keeps the key of a file that a tool has answered about; one that failed
// may have been asked for a file that does not exist.
func (l *lastFile) note(key string, answer jsonrpc.Message) {
	if key == "" || answer.Error.Present() || mcp.IsError(answer.Bytes(answer.Result)) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.key = key
}

func (l *lastFile) get() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.key
}

// ownHandler returns the code for calls by PlayGuard's own tools.
func (r *row) ownHandler(tool string) upstream.Handler {
	if tool != designTool {
		return nil
	}
	return r.whole
}

// whole answers with the design as it came, from memory where it may.
func (r *row) whole(ctx context.Context, call *upstream.Call, next upstream.Next) (jsonrpc.Message, error) {
	args := call.Arguments()
	key := jsonrpc.StringMember(args, "fileKey")
	if key == "" {
		if key = r.last.get(); key == "" {
			return jsonrpc.Parse(jsonrpc.NewResult([]byte("0"), mcp.ErrorResult("No Figma file was read in this session: give fileKey, or the node's Figma URL as figmaNodeId.")))
		}
		args = jsonrpc.SetMember(args, "fileKey", jsonrpc.Quote(key))
	}
	params := jsonrpc.SetMember(call.Params, "arguments", args)
	resp, _, err := r.cache.get(ctx, cacheKey(call.Tool, args), func() (jsonrpc.Message, error) { return next(ctx, params) })
	if err == nil {
		r.last.note(key, resp)
	}
	return resp, err
}
