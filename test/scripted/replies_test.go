// What is answered to what.

package scripted

import "testing"

func TestReplies(t *testing.T) {
	for _, c := range []struct {
		name, script string
		send, want   []string
	}{
		{
			"initialize agrees to the version asked for",
			`{"name":"a","version":"7","capabilities":{"x" : 9007199254740993},"instructions":"say \"hi\" <b>"}`,
			[]string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`},
			[]string{result("1", `{"protocolVersion":"2024-11-05","capabilities":{"x" : 9007199254740993},"serverInfo":{"name":"a","version":"7"},"instructions":"say \"hi\" <b>"}`)},
		},
		{
			"capabilities follow from the lists",
			`{"resources":[{"uri":"r:1"}],"prompts":[{"name":"p"}]}`,
			[]string{`{"id":1,"method":"initialize"}`},
			[]string{result("1", `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"prompts":{"listChanged":true}},"serverInfo":{"name":"scripted","version":"1"}}`)},
		},
		{
			"lists are raw and paged",
			`{"pageSize":2,"tools":[{"z":1,"name":"a",  "a":9007199254740993},
				{"name":"b"},{"name":"c","x":"<&>\u2028"}]}`,
			[]string{`{"id":1,"method":"tools/list"}`, `{"id":2,"method":"tools/list","params":{"cursor":"from-2"}}`, `{"id":3,"method":"tools/list","params":{"cursor":"from-9"}}`},
			[]string{
				result("1", `{"tools":[{"z":1,"name":"a",  "a":9007199254740993},{"name":"b"}],"nextCursor":"from-2"}`),
				result("2", `{"tools":[{"name":"c","x":"<&>\u2028"}]}`),
				`{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"Unknown cursor"}}`,
			},
		},
		{
			"ids keep their bytes",
			`{"calls":{"t":[{"result":{"a" : 1e2,
 "b":"\/"}}]}}`,
			[]string{toolCall("9007199254740993", "t", ""), toolCall(`"\u0041"`, "t", ""), `{"method":"tools/call","params":{"name":"t"},"jsonrpc":"2.0","id": 1.50 }`},
			[]string{result("9007199254740993", `{"a" : 1e2,  "b":"\/"}`), result(`"\u0041"`, `{"a" : 1e2,  "b":"\/"}`), result("1.50", `{"a" : 1e2,  "b":"\/"}`)},
		},
		{
			"error with data, and lines of any shape",
			`{"calls":{"e":[{"error":{"code":-7,"message":"no","data":{"n":12345678901234567890}}}],
				"l":[{"line":"{\"result\":{},\"extra\":[1],\"id\":${id}}"}],
				"n":[{"line":"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"?\"}}"}],
				"twice":[{"text":"one"},{"text":"two"}], "never":[], "banner":[{"line":"npm notice ${x}"},{"text":"${params}"}]}}`,
			[]string{toolCall("1", "e", ""), toolCall("2", "l", ""), toolCall("3", "n", ""), toolCall("4", "twice", ""), toolCall("5", "never", ""), toolCall("6", "banner", "")},
			[]string{
				`{"jsonrpc":"2.0","id":1,"error":{"code":-7,"message":"no","data":{"n":12345678901234567890}}}`,
				`{"result":{},"extra":[1],"id":2}`,
				`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}`,
				text("4", "one"), text("4", "two"), `npm notice ${x}`, text("6", `{\"name\":\"banner\"}`),
			},
		},
		{
			"what the script leaves out has an answer",
			`{"name":"n","tools":[{"name":"listed"}],"resources":[{"uri":"r:1"}],"resourceTemplates":[{"uriTemplate":"r:{x}"}],"prompts":[{"name":"p"}]}`,
			[]string{
				toolCall("1", "listed", ""), toolCall("2", "nowhere", ""), `{"id":3,"method":"server/discover"}`, `{"id":4,"method":"ping"}`,
				`{"id":5,"method":"resources/read","params":{"uri":"r:1"}}`, `{"id":6,"method":"prompts/get","params":{"name":"p"}}`,
				`{"id":7,"method":"resources/templates/list"}`, `{"id":8,"method":"completion/complete"}`, `{"method":"notifications/unknown"}`,
				`{"id":9,"method":"resources/list"}`, `{"id":10,"method":"prompts/list"}`, `not json`, `{"id":11,"method":"logging/setLevel"}`,
			},
			[]string{
				text("1", "ok"), `{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: nowhere"}}`,
				`{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found"}}`, result("4", "{}"),
				result("5", `{"contents":[{"uri":"r:1","text":"r:1 of n"}]}`),
				result("6", `{"messages":[{"role":"user","content":{"type":"text","text":"p of n"}}]}`),
				result("7", `{"resourceTemplates":[{"uriTemplate":"r:{x}"}]}`), result("8", `{"completion":{"values":["n-1","n-2"]}}`),
				result("9", `{"resources":[{"uri":"r:1"}]}`), result("10", `{"prompts":[{"name":"p"}]}`), result("11", "{}"),
			},
		},
		{
			"notifications before and after a result, with the caller's token",
			`{"calls":{"t":[{"progress":{"progress":1}},{"notify":{"method":"notifications/message","params":{"level":"info","data":"${arguments}"}}},{"text":"x"},{"notify":{"method":"notifications/resources/updated","params":{"uri":"r:1"}}}]}}`,
			[]string{toolCall("1", "t", `,"_meta":{"progressToken":"T\u0031"}`), toolCall("2", "t", `,"arguments":[2]`)},
			[]string{
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"T\u0031","progress":1}}`,
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":null}}`,
				text("1", "x"),
				`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"r:1"}}`,
				`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":[2]}}`,
				text("2", "x"),
				`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"r:1"}}`,
			},
		},
		{
			"default goes on to the next layer, delayed",
			`{"start":[{"line":"banner"}],"methods":{"tools/call":[{"delayMs":1},{"default":true}],"tools/list":[{"default":true},{"default":true}]},"calls":{"t":[{"text":"mine"}]},"tools":[{"name":"t"}]}`,
			[]string{toolCall("1", "t", "")},
			[]string{"banner", text("1", "mine")},
		},
		{
			"the same answer twice",
			`{"tools":[],"methods":{"tools/list":[{"default":true},{"default":true}]}}`,
			[]string{`{"id":1,"method":"tools/list"}`},
			[]string{result("1", `{"tools":[]}`), result("1", `{"tools":[]}`)},
		},
		{
			"the tool list changes when told",
			`{"tools":[],"prefix":"b_","builtins":[],"calls":{"grow":[{"setTools":[{"name":"n"}]},{"notify":{"method":"notifications/tools/list_changed"}},{"text":"grown"}]}}`,
			[]string{toolCall("1", "grow", ""), `{"id":2,"method":"tools/list"}`, toolCall("3", "b_set_tools", `,"arguments":{"tools":[ {"name":"m","x":[1,2]} , {} ]}`), `{"id":4,"method":"tools/list"}`},
			[]string{
				`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, text("1", "grown"), result("2", `{"tools":[{"name":"n"}]}`),
				`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, text("3", "changed"), result("4", `{"tools":[{"name":"m","x":[1,2]},{}]}`),
			},
		},
		{
			"steps for one use only",
			`{"calls":{"t":[{"text":"first","onCall":1},{"text":"later","onCall":2},{"text":"second start","onStart":2}]}}`,
			[]string{toolCall("1", "t", ""), toolCall("2", "t", "")},
			[]string{text("1", "first"), text("2", "later")},
		},
		{
			"built-in tools",
			`{}`,
			[]string{
				toolCall("1", "small", ""), toolCall("2", "echo", `,"arguments":{"a":"<&"}`), toolCall("3", "progress", `,"arguments":{"count":1},"_meta":{"progressToken":5}`),
				toolCall("4", "notify", `,"arguments":{"method":"notifications/x","params":{"q" : 1}}`), toolCall("5", "cancelled", ""), toolCall("6", "answers", ""),
			},
			[]string{
				text("1", "ok"), text("2", `{\"name\":\"echo\",\"arguments\":{\"a\":\"<&\"}}`),
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":5,"progress":1,"total":1,"message":"step 1"}}`, text("3", "done"),
				`{"jsonrpc":"2.0","method":"notifications/x","params":{"q" : 1}}`, text("4", "sent"), text("5", ""), text("6", ""),
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, c.script)
			p.send(c.send...)
			p.want(c.want...)
			if code := p.exitCode(); code != 0 {
				t.Errorf("exit code %d, want 0; stderr: %s", code, p.stderr)
			}
		})
	}
}
