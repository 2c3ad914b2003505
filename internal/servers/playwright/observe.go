package playwright

// What the call log keeps of a call's arguments.

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/upstream"
)

// observe puts into the call's line what the log keeps of its arguments: never
// a value that a user may have typed, only kinds, sizes and hashes.
func observe(call *upstream.Call) {
	args, e := call.Arguments(), call.Log
	switch call.Tool {
	case "browser_wait_for":
		for _, kind := range []string{"time", "text", "textGone"} {
			if v, ok := jsonrpc.Member(args, kind); ok {
				e.WaitKind = kind
				if kind == "time" {
					_ = json.Unmarshal(v, &e.WaitTime) // stays 0 when it is no number
				}
				break
			}
		}
	case "browser_evaluate":
		e.ScriptHash = hash(jsonrpc.StringMember(args, "function"))
	case "browser_run_code_unsafe":
		code := jsonrpc.StringMember(args, "code")
		e.CodeChars = len([]rune(code))
		e.CodeHash = hash(code)
		e.CodeSleeps = strings.Count(code, "waitForTimeout") + strings.Count(code, "setTimeout")
	case "browser_take_screenshot":
		full, _ := jsonrpc.Member(args, "fullPage")
		e.FullPage = string(full) == "true"
		e.Type = jsonrpc.StringMember(args, "type")
		if e.Type == "" {
			e.Type = "png"
		}
	}
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
