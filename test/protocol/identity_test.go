// What no rule touches crosses byte for byte.

package protocol

import (
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/test/harness"
)

// oddAnswers are lines that a library would not send again as they came. ${id}
// is the request's id.
var oddAnswers = map[string]string{
	"big integers":           `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"n":9007199254740993,"m":-18446744073709551617,"f":1.0,"g":1e400,"z":-0,"d":0.1000000000000000055511151231257827}}`,
	"markup characters":      `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"<b>&amp;</b> \u003cb\u003e it's \/ \u002f"}]}}`,
	"line separators":        "{\"jsonrpc\":\"2.0\",\"id\":${id},\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\u2028b\u2029c\u0085d\ufeffe\"}]}}",
	"escapes as they came":   `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"\u00e9\uD83D\uDE00\ud800 \u0000 \u2028 \b\f"}]}}`,
	"unknown content type":   `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"hologram","beam":[1,2,3]},{"type":"text","text":"x","annotations":{"audience":["nobody"],"priority":0}}]}}`,
	"_meta":                  `{"jsonrpc":"2.0","id":${id},"result":{"_meta":{"z":1,"a":{"progressToken":1},"io.example/x":null},"content":[]}}`,
	"structuredContent":      `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"b":[],"a":{},"":""},"isError":false}}`,
	"execution":              `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"execution":{"taskSupport":"optional"},"ttlMs":60000,"resultType":"complete"}}`,
	"unknown members beside": `{"jsonrpc":"2.0","id":${id},"result":{"content":[]},"future":{"id":7},"trace":"x"}`,
	"keys in another order":  `{"result":{"content":[{"text":"t","type":"text"}]},"extra":[{"id":1}],"id":${id},"jsonrpc":"2.0"}`,
	"the id at the very end": `{"result":{"content":[]},"jsonrpc":"2.0","id":${id}}`,
	"ids further down":       `{"jsonrpc":"2.0","result":{"id":1,"content":[{"id":2,"type":"x"}]},"ID":4,"Id":5,"id":${id}}`,
	"odd white space":        "{ \"jsonrpc\"\t:\"2.0\" , \"id\" :  ${id}\t,  \"result\" : { \"content\" : [ ] , \"a\" :\t1 } }",
	"error with data":        `{"jsonrpc":"2.0","id":${id},"error":{"data":{"big":9007199254740993,"<":">"},"message":"no <luck>","code":-32042,"more":true}}`,
	"error with a huge code": `{"jsonrpc":"2.0","id":${id},"error":{"code":-99999999999999999999,"message":""}}`,
	"repeated unknown keys":  `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"a":1,"a":2},"x":1,"x":2}`,
	"result that is null":    `{"jsonrpc":"2.0","id":${id},"result":null}`,
	"result that is a list":  `{"jsonrpc":"2.0","id":${id},"result":[1,"2",{}]}`,
	"no jsonrpc member":      `{"id":${id},"result":{"content":[]}}`,
	"empty texts and keys":   `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":""}],"":{"":[]}}}`,
}

// oddIDs are ids as clients may write them.
var oddIDs = []string{
	`1`, `0`, `-1`, `9007199254740993`, `123456789012345678901234567890`, `1.5`, `-0.0`, `1e3`, `1E+03`,
	`"1"`, `""`, `"9007199254740993"`, `"a\u0062\"\\<>&"`, `"\u2028"`, `"` + strings.Repeat("x", 3000) + `"`,
}

// oddRequests are the requests whose answers are compared, by what they ask.
// Every one of them is routed by another rule.
var oddRequests = map[string]string{
	"tools/call":          `{"name":"odd"}`,
	"resources/read":      `{"uri":"odd://x"}`,
	"prompts/get":         `{"name":"odd_prompt"}`,
	"completion/complete": `{"ref":{"type":"ref/prompt","name":"odd_prompt"},"argument":{"name":"n","value":"v"}}`,
	"example/unknown":     `{"any":["thing"]}`,
}

// oddScript is an upstream that answers everything with one line.
func oddScript(t *testing.T, line string) string {
	answer := `[{"line":` + quoted(line) + `}]`
	return `{"name":"odd","tools":[{"name":"odd","inputSchema":{"type":"object"}}],
		"capabilities":{"tools":{},"resources":{},"prompts":{},"completions":{}},
		"resources":[{"uri":"odd://x","name":"x"}],"prompts":[{"name":"odd_prompt"}],
		"methods":{"tools/call":` + answer + `,"resources/read":` + answer + `,"prompts/get":` + answer + `,
			"completion/complete":` + answer + `,"example/unknown":` + answer + `}}`
}

// The client gets the same bytes through PlayGuard as from the upstream itself,
// under its own id, however odd answer and id are.
func TestAnswersAreByteIdentical(t *testing.T) {
	for name, line := range oddAnswers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := oddScript(t, line)
			direct := harness.Direct(t, script, client.Options{})
			direct.Init()
			proxied := harness.Start(t, harness.Setup{Upstreams: append(beside(), harness.Upstream{Name: "odd", Script: script})})
			proxied.Ready()
			for method, params := range oddRequests {
				id := `"` + method + `"`
				request := `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
				want := exchange(direct, request, id)
				if got := exchange(proxied, request, id); got != want {
					t.Errorf("%s:\n got %s\nwant %s", method, got, want)
				}
			}
		})
	}
}

// Ids come back as they were written: numbers beyond 2^53, fractions, negative
// ones, exponents, strings with escapes.
func TestIDsAreByteIdentical(t *testing.T) {
	script := oddScript(t, `{"jsonrpc":"2.0","id":${id},"result":{"content":[]},"tail":[{"id":3}]}`)
	direct := harness.Direct(t, script, client.Options{})
	direct.Init()
	proxied := harness.Start(t, harness.Setup{Upstreams: append(beside(), harness.Upstream{Name: "odd", Script: script})})
	proxied.Ready()
	for method, params := range oddRequests {
		for _, id := range oddIDs {
			id = unique(id, method)
			request := `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
			want := exchange(direct, request, id)
			if got := exchange(proxied, request, id); got != want {
				t.Errorf("%s with the id %s:\n got %s\nwant %s", method, id, got, want)
			}
		}
	}
}

// unique makes an id of its own for each method: a number gets more digits in
// front, a string more text behind.
func unique(id, method string) string {
	digit := string(rune('1' + len(method)%7))
	switch {
	case id[0] == '"':
		return id[:len(id)-1] + method + `"`
	case id[0] == '-':
		return "-" + digit + id[1:]
	}
	return digit + id
}

// What the client sends arrives at the upstream byte for byte, with another id.
func TestRequestsArriveByteIdentical(t *testing.T) {
	requests := []string{
		`{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"arguments":{"n":9007199254740993,"f":1.50,"s":"<>&` + "\u2028" + `\u003c"},"name":"odd","_meta":{"progressToken":"t","x":1},"task":{"ttl":1},"unknown":[]}}`,
		`{"id":ID,"method":"tools/call","params":{"name":"odd","arguments":{"b":1,"a":2}},"jsonrpc":"2.0","extra":{"id":1}}`,
		`{ "method" : "resources/read" ,"params":{ "uri":"odd://x" , "_meta":{} } ,	"id" : ID, "jsonrpc":"2.0"}`,
		`{"jsonrpc":"2.0","id":ID,"method":"prompts/get","params":{"name":"odd_prompt","arguments":{"q":"\/\ud83d\ude00"}}}`,
		`{"jsonrpc":"2.0","id":ID,"method":"completion/complete","params":{"context":{"arguments":{}},"ref":{"name":"odd_prompt","type":"ref/prompt"},"argument":{"name":"n","value":""}}}`,
		`{"jsonrpc":"2.0","id":ID,"method":"example/unknown","params":[1,{"a":0.10}]}`,
		`{"jsonrpc":"2.0","id":ID,"method":"example/unknown"}`,
	}
	scene := harness.NewScene(t, harness.Setup{Upstreams: beside()})
	log := scene.Path("received.log")
	script := oddScript(t, `{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}`)
	script = script[:len(script)-1] + `,"logFile":` + quoted(log) + `}`
	scene.WriteScript("a", script)
	p := scene.Start().Ready()
	for i, request := range requests {
		id := `"request ` + string(rune('a'+i)) + `"`
		exchange(p, strings.Replace(request, "ID", id, 1), id)
		line := lastLine(t, log)
		own := string(harness.Parse(line).ID)
		if want := strings.Replace(request, "ID", own, 1); line != want {
			t.Errorf("the upstream received\n%s\ninstead of\n%s", line, want)
		}
	}
}
