// Answers through PlayGuard beside those of the same Playwright MCP without it.

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/argv"
	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/machine"
	"github.com/playguard/playguard/test/site"
)

// command is Playwright MCP as PlayGuard starts it, with output for its files.
func command(t testing.TB, args, output string) []string {
	t.Helper()
	here := machine.Need(t)
	line, err := argv.Split(args)
	if err != nil {
		t.Fatal(err)
	}
	return here.Direct(line, output)
}

// direct starts Playwright MCP without PlayGuard, in a project of its own.
func direct(t testing.TB) (c *client.Client, root string) {
	t.Helper()
	temp := shortTemp(t)
	root = filepath.Join(temp, "project")
	output := filepath.Join(root, ".playguard", ".qa")
	if err := os.MkdirAll(output, 0o700); err != nil {
		t.Fatal(err)
	}
	s := &stage{Temp: temp, Config: quietConfig(t, temp)}
	line := command(t, s.Args(), output)
	var env []string
	for _, v := range os.Environ() {
		// With CI set Playwright writes errors without colours; PlayGuard does not
		// hand it on.
		if !strings.HasPrefix(v, "PLAYWRIGHT_") && !strings.HasPrefix(v, "CI=") {
			env = append(env, v)
		}
	}
	c, err := client.Start(context.Background(), client.Options{
		Command: line[0], Args: line[1:], Dir: root,
		Env: append(env, "TMPDIR="+temp, "XDG_CONFIG_HOME="+temp, "XDG_CACHE_HOME="+temp),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := c.Initialize(harness.Context(t)); err != nil {
		t.Fatal(err)
	}
	return c, root
}

// stamp is the time in the names of upstream's files.
var stamp = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z`)

func withoutTimes(raw []byte) string { return stamp.ReplaceAllString(string(raw), "TIME") }

// ask sends the same call to both and returns both results.
func ask(t testing.TB, p *harness.Peer, c *client.Client, tool, arguments string) (through, straight string) {
	t.Helper()
	params := `{"name":"` + tool + `","arguments":` + arguments + `}`
	result, err := c.Call(harness.Context(t), "tools/call", json.RawMessage(params))
	if err != nil {
		t.Fatal(err)
	}
	return withoutTimes([]byte(p.Result("tools/call", params))), withoutTimes(result)
}

// Every answer that PlayGuard does not make compact is the one that the server
// gives without it, and so are the two ways to ask for the raw view.
func TestAnswersAreThoseOfADirectConnection(t *testing.T) {
	pages := site.Start(t)
	_, p := open(t)
	_, off := open(t, "PLAYGUARD_COMPACT=false")
	c, _ := direct(t)
	url := `{"url":"` + pages.URL + `/form.html"}`
	for _, step := range []struct{ tool, arguments string }{
		{"browser_navigate", url},
		{"browser_evaluate", `{"function":"() => ({big: 2**60, text: '<&>\u2028', list: [1.50, null]})"}`},
		{"browser_click", `{"target":"e999"}`},
		{"browser_click", `{"ref":"e5"}`},
		{"browser_take_screenshot", `{"type":"png"}`},
		{"browser_take_screenshot", `{"type":"jpeg","fullPage":true}`},
		{"browser_tabs", `{"action":"list"}`},
		{"browser_run_code_unsafe", `{"code":"async (page) => page.title()"}`},
	} {
		through, straight := ask(t, p, c, step.tool, step.arguments)
		if through != straight {
			t.Errorf("%s %s:\n%s\ninstead of\n%s", step.tool, step.arguments, clip(through), clip(straight))
		}
	}
	through, straight := ask(t, p, c, "browser_snapshot", `{}`)
	if through == straight || !strings.Contains(through, "[PlayGuard compact: ") {
		t.Errorf("a look is not compact: %s", through)
	}
	navigate(t, off, pages.URL+"/form.html")
	for _, arguments := range []string{`{"raw":true}`, `{"raw":"true","urls":true,"text":"none"}`} {
		if through := withoutTimes([]byte(p.Result("tools/call", `{"name":"browser_snapshot","arguments":`+arguments+`}`))); through != straight {
			t.Errorf("the raw view %s is\n%s\ninstead of\n%s", arguments, through, straight)
		}
	}
	if got := withoutTimes([]byte(off.Result("tools/call", `{"name":"browser_snapshot","arguments":{}}`))); got != straight {
		t.Errorf("with PLAYGUARD_COMPACT=false a look is\n%s\ninstead of\n%s", got, straight)
	}
	// An error loses the colours that a terminal would show, nothing else.
	colours := regexp.MustCompile(`\\u001b\[[0-9;]*m`)
	if through, straight = ask(t, p, c, "browser_navigate", `{"url":"http://127.0.0.1:1/"}`); through != colours.ReplaceAllString(straight, "") {
		t.Errorf("a refused navigation:\n%s\ninstead of\n%s", through, straight)
	}
}

type listedTool struct {
	Name        string
	Description string
	InputSchema struct {
		Properties map[string]json.RawMessage
	}
}

// tools are the entries of a tools/list result by their order, each with its
// bytes.
func tools(t testing.TB, result []byte) (names []string, raw map[string]json.RawMessage) {
	t.Helper()
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(result, &list); err != nil {
		t.Fatal(err)
	}
	raw = map[string]json.RawMessage{}
	for _, entry := range list.Tools {
		tool := decodeTool(t, entry)
		names = append(names, tool.Name)
		raw[tool.Name] = entry
	}
	return names, raw
}

func decodeTool(t testing.TB, raw []byte) listedTool {
	t.Helper()
	var tool listedTool
	if err := json.Unmarshal(raw, &tool); err != nil {
		t.Fatal(err)
	}
	return tool
}

// wordless is a tool without its wording: what must not change when that is made
// shorter.
func wordless(t testing.TB, raw []byte) string {
	t.Helper()
	var tool any
	if err := json.Unmarshal(raw, &tool); err != nil {
		t.Fatal(err)
	}
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, text := v["description"].(string); text {
				delete(v, "description")
			}
			delete(v, "$schema")
			for _, inner := range v {
				strip(inner)
			}
		case []any:
			for _, inner := range v {
				strip(inner)
			}
		}
	}
	strip(tool)
	out, err := json.Marshal(tool)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// The list of tools is upstream's in its order; only what PlayGuard adds
// differs, and each addition can be turned off.
func TestToolsAreThoseOfADirectConnection(t *testing.T) {
	c, _ := direct(t)
	result, err := c.Call(harness.Context(t), "tools/list", json.RawMessage(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	wantNames, want := tools(t, result)
	hinted := []string{"browser_evaluate", "browser_run_code_unsafe", "browser_wait_for"}
	for _, test := range []struct {
		env            string
		hints, compact bool
	}{
		{"PLAYGUARD_HINTS=", true, true},
		{"PLAYGUARD_HINTS=false", false, true},
		{"PLAYGUARD_COMPACT=false", true, false},
	} {
		t.Run(test.env, func(t *testing.T) {
			_, p := open(t, test.env)
			names, got := tools(t, []byte(p.Result("tools/list", `{}`)))
			if names = slices.DeleteFunc(names, func(n string) bool { return n == "playguard_read" }); !slices.Equal(names, wantNames) || len(names) < 20 {
				t.Errorf("the tools are %v instead of %v", names, wantNames)
			}
			for _, name := range wantNames {
				switch {
				case name == "browser_snapshot" && test.compact:
					added := decodeTool(t, got[name]).InputSchema.Properties
					for _, param := range []string{"raw", "urls", "text"} {
						if added[param] == nil {
							t.Errorf("browser_snapshot has no parameter %s", param)
						}
					}
					for param := range decodeTool(t, want[name]).InputSchema.Properties {
						if added[param] == nil {
							t.Errorf("browser_snapshot has lost the parameter %s", param)
						}
					}
				case slices.Contains(hinted, name) && test.hints:
					own, now := decodeTool(t, want[name]), decodeTool(t, got[name])
					if !strings.HasPrefix(now.Description, own.Description) || !strings.Contains(now.Description, "one call") {
						t.Errorf("%s carries no hint: %q", name, now.Description)
					}
					fallthrough
				case test.compact:
					if now, was := wordless(t, got[name]), wordless(t, want[name]); now != was {
						t.Errorf("%s is listed as\n%s\ninstead of\n%s", name, now, was)
					}
					if len(got[name]) > len(want[name])+len(" Each call waits ~0.5 s for the page to settle: do several checks in one call.") {
						t.Errorf("%s has become longer:\n%s", name, got[name])
					}
				case !bytes.Equal(got[name], want[name]):
					t.Errorf("%s is listed as\n%s\ninstead of\n%s", name, got[name], want[name])
				}
			}
		})
	}
}
