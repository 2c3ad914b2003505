package figma

// The row: what a call answers, says in the log, and keeps.

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/project"
	"github.com/playguard/playguard/internal/store"
	"github.com/playguard/playguard/internal/upstream"
)

// design is an answer of Framelink's with n cards.
func design(n int) string {
	var cards []any
	for i := range n {
		cards = append(cards, map[string]any{
			"id": fmt.Sprintf("1:%d", 10*i+10), "name": "Card", "type": "FRAME", "layout": map[string]any{"mode": "row", "gap": "8px", "sizing": map[string]any{"horizontal": "hug", "vertical": "hug"}},
			"children": []any{
				map[string]any{"id": fmt.Sprintf("1:%d", 10*i+11), "type": "TEXT", "text": fmt.Sprintf("Title %d of a card that has something to tell", i), "textStyle": "Body"},
				map[string]any{"id": fmt.Sprintf("1:%d", 10*i+12), "type": "TEXT", "text": "Read on", "textStyle": "Body"},
			},
		})
	}
	out, err := json.MarshalIndent(map[string]any{
		"metadata":   map[string]any{"name": "Cards", "components": map[string]any{}, "componentSets": map[string]any{}},
		"nodes":      []any{map[string]any{"id": "1:1", "name": "Page", "type": "CANVAS", "children": cards}},
		"globalVars": map[string]any{"styles": map[string]any{"Body": map[string]any{"fontFamily": "Inter", "fontWeight": 400, "fontSize": 16, "lineHeight": "1.3999999364217122em"}}},
		"elements":   map[string]any{},
	}, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(out)
}

// ask runs one call against an upstream that gives an answer.
func ask(t *testing.T, tool, answer string, env ...string) (text string, log *calllog.Entry, originals *store.Store) {
	t.Helper()
	return askResult(t, tool, mcp.TextResult(answer), env...)
}

func askResult(t *testing.T, tool string, result []byte, env ...string) (text string, log *calllog.Entry, originals *store.Store) {
	t.Helper()
	c := settings(t, env...)
	originals = store.New(t.TempDir(), store.DefaultLimits())
	t.Cleanup(func() { _ = originals.Close() })
	handle := newRow(Options{Config: c, Originals: originals}).handler(tool)
	if handle == nil {
		t.Fatalf("%s is not handled", tool)
	}
	log = &calllog.Entry{}
	call := &upstream.Call{Tool: tool, Params: []byte(`{"name":"` + tool + `","arguments":{"fileKey":"abc","nodeId":"1:1"}}`), Log: log}
	resp, err := handle(context.Background(), call, func(context.Context, []byte) (jsonrpc.Message, error) {
		return jsonrpc.Parse(jsonrpc.NewResult([]byte("7"), result))
	})
	if err != nil {
		t.Fatal(err)
	}
	return mcp.Texts(resp.Bytes(resp.Result))[0].Text, log, originals
}

func settings(t *testing.T, env ...string) *config.Config {
	t.Helper()
	c, problems := config.Load(func(name string) (string, bool) {
		for _, entry := range env {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value, true
			}
		}
		return "", false
	})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return c
}

var headLine = regexp.MustCompile(`^\[PlayGuard figma: -[0-9]+% \([0-9.]+K?B→[0-9.]+K?B\)\]\n`)

func TestDesignIsMadeSmall(t *testing.T) {
	answer := design(8)
	text, log, originals := ask(t, designTool, answer)
	if !headLine.MatchString(text) || !strings.Contains(text, "Card #1:10 ") || !strings.Contains(text, "Title 7") || len(text) > len(answer)/3 {
		t.Errorf("the design is\n%s", text)
	}
	if log.FileKey != "abc" || log.NodeID != "1:1" || log.InBytes != len(answer) || log.OutBytes != len(text) || log.KeptBytes != len(text) ||
		log.RawBytes != len(answer) || log.SavedTokens < 100 || log.WhitespaceBytes == 0 || log.Rounded != 1 || log.Cut {
		t.Errorf("the log says %+v", log)
	}
	if got := original(t, text, originals); got != answer {
		t.Error("the original can't be had")
	}
}

func TestJSONFormat(t *testing.T) {
	text, log, _ := ask(t, designTool, design(8), "FIGMA_FORMAT=json")
	body := text[strings.Index(text, "\n{")+1:]
	var v map[string]any
	if err := json.Unmarshal([]byte(body), &v); err != nil || v["nodes"] == nil || !strings.Contains(body, `"_sameAs":"1:10"`) || log.SameAs != 7 {
		t.Errorf("%v, %+v:\n%s", err, log, text)
	}
}

// original reads the call in the notice and returns what it gets.
func original(t *testing.T, text string, originals *store.Store) string {
	t.Helper()
	m := regexp.MustCompile(`playguard_read \{"id":"(\w+)"\}`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("there is no way back in\n%.500s", text)
	}
	got, _ := originals.Get(m[1])
	return got
}

func TestBudget(t *testing.T) {
	answer := design(400)
	for _, format := range []string{"dense", "json"} {
		text, log, originals := ask(t, designTool, answer, "FIGMA_FORMAT="+format, "FIGMA_TEXT_COMPACT=3000")
		if n := len([]rune(text)); n > 3000 {
			t.Errorf("%s: %d characters", format, n)
		}
		if !log.Cut || log.Stubs == 0 || original(t, text, originals) != answer {
			t.Errorf("%s: %+v\n%.400s", format, log, text)
		}
	}
}

func TestWhatPassesUnchanged(t *testing.T) {
	failed := mcp.ErrorResult("Error fetching file: Figma API rate limit hit (429). " + strings.Repeat("x", 20_000))
	if text, log, _ := askResult(t, designTool, failed); !strings.HasSuffix(text, "x") || log.ParseSkip != "" || len(text) < 20_000 {
		t.Errorf("an error was changed: %.100s", text)
	}
	for _, text := range []string{"NAME: \"A\"\n\nNODES:\n[FRAME] \"x\" #1:2", "{broken", `{"ok":true}`, design(0)[:20]} {
		if got, log, _ := ask(t, designTool, text); got != text || log.ParseSkip == "" {
			t.Errorf("%q became %q (%q)", text, got, log.ParseSkip)
		}
	}
	tiny := `{"nodes":[{"id":"1:1","name":"a","type":"FRAME"}]}`
	if got, _, _ := ask(t, designTool, tiny); got != tiny {
		t.Errorf("an answer became larger: %s", got)
	}
	long := strings.Repeat("line of another tool\n", 2000)
	if got, _, _ := ask(t, "get_comments", long); got != long {
		t.Error("another tool's answer was cut")
	}
	if newRow(Options{Config: settings(t)}).handler("download_figma_images") != nil {
		t.Error("downloads are handled")
	}
}

// What is no design in a known form is cut, with a way back.
func TestUnknownTextIsCut(t *testing.T) {
	long := strings.Repeat("[FRAME] “ä” #1:2\n", 2000)
	text, log, originals := ask(t, designTool, long)
	if n := len([]rune(text)); n > 10_000 || n < 9000 || !log.Cut || log.ParseSkip == "" || original(t, text, originals) != long {
		t.Errorf("%d characters, %+v", n, log)
	}
	if got, _, _ := ask(t, designTool, long, "FIGMA_TEXT_COMPACT=0"); got != long {
		t.Error("a text was cut without a limit")
	}
}

// The server gets what it needs and nothing else.
func TestEnvironment(t *testing.T) {
	o := Options{Dirs: project.NewDirs(filepath.FromSlash("/p"), "", ""), Environment: []string{
		"PATH=/bin", "FIGMA_API_KEY=k", "FIGMA_MCP_CMD=x", "OPENAI_API_KEY=s", "AWS_SECRET=s", "FRAMELINK_HOST=h",
	}}
	o.Config = settings(t, "FIGMA_MCP_CMD=npx")
	got := childEnvironment(o)
	want := []string{"PATH=/bin", "FIGMA_API_KEY=k", "FRAMELINK_HOST=h", "OUTPUT_FORMAT=json", "FRAMELINK_TELEMETRY=off", "IMAGE_DIR=" + o.Dirs.Figma()}
	if !slices.Equal(got, want) {
		t.Errorf("the server gets %q", got)
	}
	o.Environment = []string{"OUTPUT_FORMAT=yaml", "DO_NOT_TRACK=0"}
	o.Config = settings(t, "FIGMA_MCP_CMD=npx", "FIGMA_MCP_ARGS=--image-dir=out")
	if got := childEnvironment(o); !slices.Equal(got, o.Environment) {
		t.Errorf("the user's own are changed: %q", got)
	}
}

func TestSpec(t *testing.T) {
	o := Options{Environment: []string{"FIGMA_API_KEY=figd_secret"}}
	o.Config = settings(t, "FIGMA_MCP_CMD=npx -y figma-developer-mcp", "FIGMA_MCP_ARGS=--stdio", "FIGMA_API_KEY=figd_secret")
	spec := Spec(o)
	cmd, err := spec.Launch(context.Background())
	if err != nil || cmd.Path != "npx" || strings.Join(cmd.Args, " ") != "-y figma-developer-mcp --stdio" {
		t.Errorf("it is started by %+v, %v", cmd, err)
	}
	if strings.Contains(strings.Join(spec.Key, " "), "figd_secret") {
		t.Error("the saved catalogue's key holds a secret")
	}
	if strings.Contains(spec.Hint, "missing") {
		t.Errorf("with a key the hint is %q", spec.Hint)
	}
	o.Environment, o.Config = nil, settings(t, "FIGMA_MCP_CMD=npx")
	if hint := Spec(o).Hint; !strings.Contains(hint, "FIGMA_API_KEY, which is missing") {
		t.Errorf("without a key the hint is %q", hint)
	}
}

// A layer that is too long for the budget comes in part, with the way to the rest.
func TestLongLayerIsSliced(t *testing.T) {
	answer := `{"metadata":{"name":"F"},"nodes":[{"id":"1:1","type":"TEXT","text":"` + strings.Repeat("something to read. ", 700) + `"}]}`
	text, log, originals := ask(t, designTool, answer)
	if !regexp.MustCompile(`\[PlayGuard: \d+ characters, at …\[\+n\], left out \(FIGMA_TEXT_COMPACT\); all as it came by `).MatchString(text) ||
		!log.Cut || len(text) > 10_000 || !strings.Contains(text, "#1:1: something to read.") {
		t.Errorf("%+v\n%.600s", log, text)
	}
	if got := original(t, text, originals); got != answer {
		t.Error("the original can't be had")
	}
}

// Only a file that could be read is the one last read.
func TestFileLastRead(t *testing.T) {
	r := newRow(Options{Config: settings(t), Originals: store.New(t.TempDir(), store.DefaultLimits())})
	defer func() { _ = r.originals.Close() }()
	for _, step := range []struct {
		key    string
		result []byte
		want   string
	}{
		{"good", mcp.TextResult(design(1)), "good"},
		{"missing", mcp.ErrorResult("Failed to fetch: 404"), "good"},
		{"other", mcp.TextResult(design(1)), "other"},
	} {
		for _, handle := range []upstream.Handler{r.handler(designTool), r.ownHandler(designTool)} {
			call := &upstream.Call{Tool: designTool, Params: []byte(`{"name":"x","arguments":{"fileKey":"` + step.key + `"}}`), Log: &calllog.Entry{}}
			if _, err := handle(t.Context(), call, func(context.Context, []byte) (jsonrpc.Message, error) {
				return jsonrpc.Parse(jsonrpc.NewResult([]byte("7"), step.result))
			}); err != nil {
				t.Fatal(err)
			}
			if got := r.last.get(); got != step.want {
				t.Errorf("after %s the file last read is %q, not %q", step.key, got, step.want)
			}
		}
	}
}
