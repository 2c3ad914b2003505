package mcp

// Versions and capabilities.

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/playguard/playguard/internal/jsonrpc"
)

func TestNegotiate(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05",
		"2025-03-26": "2025-03-26",
		"2025-06-18": "2025-06-18",
		"2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25",
		"2024-10-07": "2025-11-25",
		"1.0":        "2025-11-25",
		"":           "2025-11-25",
	} {
		if got := Negotiate(asked); got != want {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
		if Known(asked) != (asked == want) {
			t.Errorf("Known(%q) = %v", asked, Known(asked))
		}
	}
}

func TestMergeCapabilities(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{``, `{"tools":{}}`, `{"tools":{}}`},
		{`{"tools":{}}`, ``, `{"tools":{}}`},
		{`{"tools":{}}`, `{"prompts":{}}`, `{"tools":{},"prompts":{}}`},
		{`{"tools":{"listChanged":true}}`, `{"tools":{"listChanged":false}}`, `{"tools":{"listChanged":true}}`},
		{`{"tools":{"listChanged":false}}`, `{"tools":{"listChanged":true}}`, `{"tools":{"listChanged":true}}`},
		{`{"resources":null}`, `{"resources":{"subscribe":true}}`, `{"resources":{"subscribe":true}}`},
		{`{"resources":{"subscribe":true}}`, `{"resources":null}`, `{"resources":{"subscribe":true}}`},
		{`{"resources":{"subscribe":true}}`, `{"resources":true}`, `{"resources":{"subscribe":true}}`},
		{`{"x":false}`, `{"x":{}}`, `{"x":{}}`},
		{`{"x":false}`, `{"x":null}`, `{"x":false}`},
		{`{"experimental":{"a":{"n":9007199254740993}}}`, `{"experimental":{"b":[1, 2]}}`, `{"experimental":{"a":{"n":9007199254740993},"b":[1, 2]}}`},
		{`{"x":1}`, `{"x":2}`, `{"x":1}`},
		{`{"a\"b":{}}`, `{"a\"b":{"c":true}}`, `{"a\"b":{"c":true}}`},
		{`{"tools":{}}`, `null`, `{"tools":{}}`},
		{`{"tools":{}}`, `"all"`, `{"tools":{}}`},
	} {
		if got := string(MergeCapabilities([]byte(c.a), []byte(c.b))); got != c.want {
			t.Errorf("%s and %s: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// randomCapabilities is an object with a few of the same names each time.
func randomCapabilities(r *rand.Rand, depth int) []byte {
	obj := []byte("{}")
	for _, name := range []string{"tools", "listChanged", "x", `q"`} {
		switch n := r.IntN(8); {
		case n < 2 && depth > 0:
			obj = jsonrpc.SetMember(obj, name, randomCapabilities(r, depth-1))
		case n < 6:
			obj = jsonrpc.SetMember(obj, name, []byte([]string{"true", "false", "null", "{}", "7", `"s"`}[r.IntN(6)]))
		}
	}
	return obj
}

// paths lists the members, at every level, that are declared.
func paths(value []byte, at string, into map[string]bool) {
	if declared(value) {
		into[at] = true
	}
	jsonrpc.Members(value, func(k, v jsonrpc.Span) { paths(value[v.Start:v.End], at+"/"+string(value[k.Start:k.End]), into) })
}

func TestMergeCapabilitiesIsAUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		a, b := randomCapabilities(r, 2), randomCapabilities(r, 2)
		merged := MergeCapabilities(a, b)
		if !json.Valid(merged) {
			t.Fatalf("%s and %s: %s", a, b, merged)
		}
		for _, again := range []string{string(MergeCapabilities(merged, a)), string(MergeCapabilities(merged, b)), string(MergeCapabilities(merged, merged))} {
			if again != string(merged) {
				t.Fatalf("%s and %s give %s, and merged again %s", a, b, merged, again)
			}
		}
		if same := MergeCapabilities(a, a); string(same) != string(a) {
			t.Fatalf("%s with itself: %s", a, same)
		}
		got, ofA := map[string]bool{}, map[string]bool{}
		paths(merged, "", got)
		paths(a, "", ofA)
		for path := range ofA {
			if !got[path] {
				t.Fatalf("%s of %s is not in %s", path, a, merged)
			}
		}
		// Deeper down, what b declares has no place where a declares no object.
		flipped := MergeCapabilities(b, a)
		jsonrpc.Members(b, func(k, v jsonrpc.Span) {
			name, _ := jsonrpc.Unquote(b[k.Start:k.End])
			value, ok := jsonrpc.Member(merged, name)
			if !ok || declared(b[v.Start:v.End]) && !declared(value) || Has(merged, name) != Has(flipped, name) {
				t.Fatalf("%s of %s is not in %s, or not in %s", name, b, merged, flipped)
			}
		})
	}
}

func TestHas(t *testing.T) {
	capabilities := []byte(`{"tools":{},"logging":null,"resources":{"subscribe":false,"listChanged":true},"x":false,"y":true,"prompts":"yes"}`)
	for name, want := range map[string]bool{
		"tools": true, "tools.listChanged": false, "logging": false, "resources": true, "resources.subscribe": false,
		"resources.listChanged": true, "x": false, "y": true, "y.z": false, "none": false, "none.z": false, "prompts": true, "prompts.z": false,
	} {
		if got := Has(capabilities, name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, odd := range []string{"", "null", "[]", `"tools"`} {
		if Has([]byte(odd), "tools") {
			t.Errorf("%q has tools", odd)
		}
	}
}

func TestNeededFromClient(t *testing.T) {
	for method, want := range map[string]string{RootsList: "roots", CreateMessage: "sampling", Elicit: "elicitation", Ping: "", ToolsList: "", "x": ""} {
		if got := NeededFromClient(method); got != want {
			t.Errorf("%s needs %q, want %q", method, got, want)
		}
	}
}
