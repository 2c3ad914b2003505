// The handshake: versions, capabilities, instructions, and what is answered
// without an upstream.

package protocol

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/test/harness"
)

// A known version is echoed, an unknown one is answered with the latest that
// initialize negotiates, and each upstream is asked for what was negotiated.
func TestVersionNegotiation(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05",
		"2025-03-26": "2025-03-26",
		"2025-06-18": "2025-06-18",
		"2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25",
		"1999-01-01": "2025-11-25",
		"":           "2025-11-25",
	} {
		t.Run("asks "+asked, func(t *testing.T) {
			t.Parallel()
			p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"prefix":"a_"}`}}})
			params := `{"protocolVersion":` + quoted(asked) + `,"capabilities":{"roots":{"listChanged":true,"x":9007199254740993},"experimental":{"<":1}},"clientInfo":{"name":"n<&>","version":"1","title":"T","icons":[]},"_meta":{"k":1},"other":[ 1 ]}`
			var r struct{ ProtocolVersion string }
			if err := json.Unmarshal([]byte(p.Result("initialize", params)), &r); err != nil {
				t.Fatal(err)
			}
			if r.ProtocolVersion != want {
				t.Errorf("the client got the version %q, not %q", r.ProtocolVersion, want)
			}
			p.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			p.Result("tools/list", `{}`)
			log, _ := p.Text("a_log", `{}`)
			first := harness.Parse(strings.SplitN(log, "\n", 2)[0])
			if told := strings.Replace(params, quoted(asked), quoted(want), 1); string(first.Params) != told {
				t.Errorf("the upstream was told\n%s\ninstead of\n%s", first.Params, told)
			}
		})
	}
}

// A client that gives no version at all, or no params, is told what is missing
// or gets the latest version.
func TestInitializeWithoutVersion(t *testing.T) {
	p := harness.Start(t, harness.Setup{})
	if e := p.Failure("initialize", `[]`); e.Code != -32602 {
		t.Errorf("params that are a list were answered with %v", &e)
	}
	contains(t, p.Result("initialize", `{}`), `"protocolVersion":"2025-11-25"`, `"serverInfo":{"name":"playguard"`)
	if err := p.Notify("notifications/initialized", nil); err != nil {
		t.Fatal(err)
	}
	contains(t, p.Result("tools/list", `{}`), "browser_small")
}

// Clients of the revision 2026-07-28 probe with server/discover and fall back
// to initialize on "method not found".
func TestDiscoverIsUnknown(t *testing.T) {
	p := harness.Start(t, harness.Setup{})
	if e := p.Failure("server/discover", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`); e.Code != -32601 {
		t.Errorf("server/discover was answered with %v", &e)
	}
	p.Ready()
}

// A ping of the client is answered by PlayGuard, before and after initialize; a
// ping of an upstream too, and the client never sees it.
func TestPingIsAnsweredLocally(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"prefix":"a_","methods":{"ping":[]}}`},
		{Name: "b", Script: `{"prefix":"b_","methods":{"ping":[]}}`},
	}})
	if got := p.Result("ping", `{}`); got != `{}` {
		t.Errorf("ping before initialize was answered with %s", got)
	}
	p.Ready()
	if got := p.Result("ping", `{}`); got != `{}` {
		t.Errorf("ping was answered with %s", got)
	}
	for _, tool := range []string{"a_ask", "b_ask"} {
		answer, _ := p.Text(tool, `{"id":"p","method":"ping"}`)
		if answer != `{"jsonrpc":"2.0","id":"p","result":{}}` {
			t.Errorf("the upstream's ping was answered with %s", answer)
		}
	}
	if has(p.Lines.Lines(), "ping") {
		t.Error("the client was sent a ping")
	}
}

// A client that forgets the handshake is served all the same.
func TestRequestsBeforeInitialize(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: beside()})
	contains(t, p.Result("tools/list", `{}`), "browser_small", "a_small", "b_small")
	if text, _ := p.Text("a_small", `{}`); text != "ok" {
		t.Errorf("a call before initialize was answered with %q", text)
	}
}

// The client sees the union of the upstreams' capabilities, unknown ones
// included, and every list_changed that PlayGuard itself sends.
func TestCapabilitiesAreMerged(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{
		Playwright: `{"name":"browser","tools":[],"capabilities":{"tools":{}}}`,
		Upstreams: []harness.Upstream{
			{Name: "a", Script: `{"name":"a","capabilities":{"tools":{"listChanged":false},"resources":{"subscribe":false},"experimental":{"one":{"n":9007199254740993}}}}`},
			{Name: "b", Script: `{"name":"b","capabilities":{"resources":{"subscribe":true},"prompts":{},"logging":{},"experimental":{"two":{}},"future":{"x":[1]}}}`},
		},
	})
	scene.Start().Ready().End()
	var r struct{ Capabilities json.RawMessage }
	if err := json.Unmarshal(scene.Start().Init(), &r); err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(r.Capabilities, &got); err != nil {
		t.Fatal(err)
	}
	const merged = `{"tools":{"listChanged":true},"resources":{"listChanged":true,"subscribe":true},"prompts":{"listChanged":true},"logging":{},"experimental":{"one":{"n":9007199254740993},"two":{}},"future":{"x":[1]}}`
	if err := json.Unmarshal([]byte(merged), &want); err != nil {
		t.Fatal(err)
	}
	if g, w := canonical(t, got), canonical(t, want); g != w {
		t.Errorf("the capabilities are\n%s\ninstead of\n%s", g, w)
	}
	contains(t, string(r.Capabilities), "9007199254740993")
}

// Before an upstream was ever asked, everything that PlayGuard can answer for it
// later is declared, because capabilities can't be added after initialize.
func TestUnknownUpstreamsMayHaveEverything(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: beside()})
	contains(t, string(p.Init()), `"resources"`, `"prompts"`, `"completions"`, `"logging"`, `"tools"`)
}

// Instructions of the upstreams follow PlayGuard's own.
func TestInstructionsAreMerged(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"name":"a","instructions":"Use <a> & be \"kind\"."}`},
		{Name: "b", Script: `{"name":"b","instructions":"Then use b."}`},
	}})
	scene.Start().Ready().End()
	var r struct{ Instructions string }
	if err := json.Unmarshal(scene.Start().Init(), &r); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(r.Instructions, "\n\nUse <a> & be \"kind\".\n\nThen use b.") {
		t.Errorf("the instructions are %q", r.Instructions)
	}
}

// A second handshake is refused: the upstreams have been told what the first one
// said.
func TestSecondInitialize(t *testing.T) {
	p := harness.Start(t, harness.Setup{Client: client.Options{ProtocolVersion: "2025-06-18"}}).Ready()
	if e := p.Failure("initialize", `{"protocolVersion":"2024-11-05","capabilities":{"roots":{}},"clientInfo":{"name":"x","version":"1"}}`); e.Code != -32600 {
		t.Errorf("the second initialize was answered with %v", &e)
	}
}
