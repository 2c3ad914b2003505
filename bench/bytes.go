// Whether answers that no rule touches arrive as they were sent.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// oddAnswers are the lines of an upstream after its id, by tool name.
func oddAnswers() map[string]string {
	return map[string]string{
		"odd_text":      `,"result":{"content":[{"type":"text","text":"<a href=\"x\">&amp;</a>` + "\u2028" + ` \u2028\ud83d\ude00 \/ \u0041"}]}}`,
		"odd_numbers":   `,"result":{"content":[],"structuredContent":{"big":9007199254740993,"huge":123456789012345678901234567890,"float":1.0,"exp":1E+2,"neg":-0}}}`,
		"odd_types":     `,"result":{"content":[{"type":"hologram","shape":{"z":1,"a":2}},{"type":"text","text":"x","futureField":null}]}}`,
		"odd_meta":      `,"result":{"_meta":{"z/z":1,"a/a":[]},"isError":false,"content":[],"execution":{"taskSupport":"optional"},"priority":0}}`,
		"odd_space":     `, "result" : { "content" : [ ] ,	"b":1, "a":2 } }`,
		"odd_envelope":  `,"result":{"content":[]},"vendor":{"x":[1,2]},"_meta":{"y":1}}`,
		"odd_order":     `,"vendor":1,"result":{"b":1,"a":2,"content":[]}}`,
		"odd_duplicate": `,"result":{"content":[],"x":1,"x":2}}`,
		"odd_error":     `,"error":{"data":{"n":9007199254740993,"z":{},"a":"<&>"},"code":-32099,"message":"odd","vendor":true}}`,
	}
}

func bytesScript() (string, error) {
	type step struct {
		Line string `json:"line"`
	}
	calls := map[string][]step{"odd_last_id": {{`{"result":{"content":[]},"jsonrpc":"2.0","id":${id}}`}}}
	for name, rest := range oddAnswers() {
		calls[name] = []step{{`{"jsonrpc":"2.0","id":${id}` + rest}}
	}
	tools := []json.RawMessage{}
	for name := range calls {
		tools = append(tools, fmt.Appendf(nil, `{"name":"%s","inputSchema":{"type":"object","properties":{}}}`, name))
	}
	script, err := json.Marshal(map[string]any{
		"name": "odd", "builtins": []string{"echo", "big"}, "record": false, "lifeSeconds": 3600, "tools": tools, "calls": calls,
	})
	return string(script), err
}

// measureBytes sends the same requests both ways and compares the lines that
// come back.
func measureBytes(ctx context.Context, l *lab) ([]figure, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	script, err := bytesScript()
	if err != nil {
		return nil, err
	}
	s, err := l.newScene(script)
	if err != nil {
		return nil, err
	}
	direct, proxied, err := s.pair(ctx)
	if err != nil {
		return nil, err
	}
	defer direct.stop()
	defer proxied.stop()
	same, total, note := 0, 0, ""
	for _, id := range []string{"9007199254740993", `"\u0041<&>"`, "-1", "1.50"} {
		for _, params := range oddRequests() {
			var lines [2][]byte
			for i, p := range []*peer{direct, proxied} {
				if lines[i], err = p.exchange(id, params); err != nil {
					return nil, fmt.Errorf("%s: %w", params, err)
				}
			}
			total++
			if bytes.Equal(lines[0], lines[1]) {
				same++
			} else {
				note = fmt.Sprintf(", for example %.120s became %.120s", lines[0], lines[1])
			}
		}
	}
	return []figure{atLeast("odd answers with identical bytes", 100*float64(same)/float64(total), "%", 100).
		with(fmt.Sprintf("%d of %d%s", same, total, note))}, nil
}

// oddRequests are the params of the calls to make.
func oddRequests() []string {
	list := []string{
		`{"name":"echo","arguments":{"z":9007199254740993,"a":"<&>\u2028\/"},"_meta":{"progressToken":"p","x/y":1},"task":{"ttl":1}}`,
		`{"arguments":{"bytes":316000}, "name":"big"}`,
		`{"name":"odd_last_id"}`,
	}
	for name := range oddAnswers() {
		list = append(list, `{"name":"`+name+`","arguments":{}}`)
	}
	return list
}

// exchange sends a call with a raw id and returns a copy of the answer's line,
// an error answer included.
func (p *peer) exchange(id, params string) ([]byte, error) {
	if _, err := fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":%s}`+"\n", id, params); err != nil {
		return nil, p.failed(err)
	}
	for {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			return nil, p.failed(err)
		}
		if answers(line, id) {
			return bytes.Clone(line), nil
		}
	}
}
