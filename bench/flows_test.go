// How what a flow delivered is counted and judged.

package main

import (
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/test/agent"
)

func TestReading(t *testing.T) {
	encoder, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	var calls []agent.Call
	for _, text := range []string{"one two three", "[PlayGuard delta r2: 1 changed, ~9% saved]\nCHANGED:\n 7 left [3]", "[PlayGuard delta r3: 1 changed, ~9% saved]\nURL: http://a.b/\nCHANGED:\n x", "one"} {
		calls = append(calls, agent.Call{Answer: client.ToolResult{Content: []client.Content{{Type: "text", Text: text}}}})
	}
	r, err := read(calls, encoder)
	if err != nil {
		t.Fatal(err)
	}
	count := func(text string) int {
		n, err := encoder.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	second, third := count(calls[1].Answer.Text()), count(calls[2].Answer.Text())
	want := reading{calls: 4, tokens: 3 + second + third + 1, cumulative: 4*3 + 3*second + 2*third + 1, envelope: count("[PlayGuard delta r2: 1 changed, ~9% saved]")}
	if r != want {
		t.Errorf("got %+v, want %+v", r, want)
	}
}

func TestFlowFigures(t *testing.T) {
	var flows []agent.Flow
	var raw, guarded []reading
	for _, f := range agent.Flows() {
		flows = append(flows, f)
		raw = append(raw, reading{calls: 20, tokens: 1000, cumulative: 9000})
		guarded = append(guarded, reading{calls: 10, tokens: 150, cumulative: 900, envelope: len(flows)})
	}
	missed := map[string]bool{}
	for _, f := range flowFigures(flows, raw, guarded) {
		if f.Pass != nil && !*f.Pass {
			missed[f.Name] = true
		}
	}
	if len(missed) != 1 || !missed["to-do, 20 items: delivered tokens saved"] {
		t.Errorf("missed are %v", missed)
	}
}
