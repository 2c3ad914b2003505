// Package figma holds the tests that drive the built playguard program with the
// real figma-developer-mcp behind it, which asks a fake Figma REST API.
//
// They need Node.js and npm; the server is installed once per machine into the
// user's cache folder.
package figma

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/proctree"
	"github.com/playguard/playguard/test/figmafile"
	"github.com/playguard/playguard/test/framelink"
	"github.com/playguard/playguard/test/harness"
)

func TestMain(m *testing.M) {
	proctree.Guard()
	os.Exit(harness.Main(m))
}

// open starts PlayGuard with the real server over some files.
func open(t *testing.T, files map[string][]byte, env ...string) (*harness.Scene, *harness.Peer, *framelink.Upstream) {
	t.Helper()
	if testing.Short() {
		t.Skip("this test needs figma-developer-mcp")
	}
	api := framelink.Start(t, files)
	scene := harness.NewScene(t, harness.Setup{Env: append(api.Env(), env...)})
	p := scene.Start()
	p.Ready()
	return scene, p, api
}

// get asks for a design.
func get(t *testing.T, p *harness.Peer, args string) (text string, failed bool) {
	t.Helper()
	result := harness.Parse(p.Answer(p.AskTool("get_figma_data", args))).Result
	texts := mcp.Texts(result)
	if len(texts) != 1 {
		t.Fatalf("the answer is %.500s", result)
	}
	return texts[0].Text, mcp.IsError(result)
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%.3000s", part, text)
		}
	}
}

// logged returns the log's last line for a design.
func logged(t *testing.T, s *harness.Scene, p *harness.Peer) map[string]any {
	t.Helper()
	if err := p.Close(); err != nil { // the log is whole at the end
		t.Fatal(err)
	}
	files, err := filepath.Glob(s.Path("logs/*.ndjson"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no log: %v", err)
	}
	data, err := os.ReadFile(files[len(files)-1])
	if err != nil {
		t.Fatal(err)
	}
	var last map[string]any
	for _, line := range strings.Split(string(data), "\n") {
		if strings.Contains(line, `"tool":"get_figma_data"`) {
			last = nil
			if err := json.Unmarshal([]byte(line), &last); err != nil {
				t.Fatal(err)
			}
		}
	}
	return last
}

func TestDesign(t *testing.T) {
	scene, p, api := open(t, map[string][]byte{"shop": figmafile.Shop()}, "FIGMA_TEXT_COMPACT=0")
	if got := api.Requests(); len(got) > 0 {
		t.Errorf("Figma was asked before anybody wanted something: %v", got)
	}
	text, failed := get(t, p, `{"fileKey":"shop"}`)
	if failed {
		t.Fatal(text)
	}
	if !regexp.MustCompile(`^\[PlayGuard figma: -\d+% \(\d+\.\dKB→\d+\.\dKB\)\]\n`).MatchString(text) {
		t.Errorf("the first line is %.100q", text)
	}
	contains(t, text, "file Shop kit\n", "Product 200 “R”", "À propos", "联系我们", "At the bottom", `\u2028line three`, "Kind=3, State=Disabled", "linear-gradient(")
	if strings.Contains(text, "never shown") || strings.Contains(text, "\u2028") {
		t.Error("a hidden layer or a raw line separator came through")
	}
	for i := range 200 {
		if !strings.Contains(text, fmt.Sprintf("Product %d “", i+1)) {
			t.Errorf("product %d is missing", i+1)
		}
	}
	line := logged(t, scene, p)
	if line["fileKey"] != "shop" || line["inBytes"].(float64) <= line["outBytes"].(float64) || line["whitespaceBytes"].(float64) == 0 || line["savedTokens"].(float64) <= 0 {
		t.Errorf("the log says %v", line)
	}
}

// What does not fit is left out by branches, and all of it can be had.
func TestLargeFileIsCut(t *testing.T) {
	_, p, _ := open(t, map[string][]byte{"large": figmafile.Large(5 << 20)})
	text, failed := get(t, p, `{"fileKey":"large"}`)
	if n := len([]rune(text)); failed || n > 10_000 {
		t.Errorf("%d characters: %.300s", n, text)
	}
	m := regexp.MustCompile(`layers \(get one by nodeId\) left out \(FIGMA_TEXT_COMPACT\); all as it came by playguard_read (\{"id":"\w+"\})`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("there is no way back: %.300s", text)
	}
	contains(t, p.Answer(p.AskTool("playguard_read", m[1])), `\"metadata\"`)
	stub := regexp.MustCompile(`#(\d+:\d+) …`).FindStringSubmatch(text)
	if stub == nil {
		t.Fatalf("there is no stub with a full id in\n%s", text)
	}
	if text, failed = get(t, p, `{"fileKey":"large","nodeId":"`+stub[1]+`"}`); failed || !strings.Contains(text, "#"+stub[1]) {
		t.Errorf("the stub can't be fetched: %.300s", text)
	}
}

func TestErrors(t *testing.T) {
	_, p, api := open(t, map[string][]byte{"form": figmafile.Form()}, "FIGMA_CACHE_TTL=600000")
	for args, want := range map[string]string{
		`{"fileKey":"` + framelink.Forbidden + `"}`: "403",
		`{"fileKey":"` + framelink.Missing + `"}`:   "404",
		`{"fileKey":"` + framelink.Limited + `"}`:   "429",
		`{"fileKey":"` + framelink.BadJSON + `"}`:   "JSON",
		`{"fileKey":"form","nodeId":"999:999"}`:     "Node 999:999 was not found",
	} {
		before := len(api.Requests())
		for range 2 {
			text, failed := get(t, p, args)
			if !failed || !strings.Contains(text, want) || strings.Contains(text, framelink.Token) || strings.Contains(text, "[PlayGuard") {
				t.Errorf("%s: %v %s", args, failed, text)
			}
		}
		if asked := len(api.Requests()) - before; asked < 2 {
			t.Errorf("%s: the error was remembered", args)
		}
	}
	if text, failed := get(t, p, `{"fileKey":"form"}`); failed || !strings.Contains(text, "Save address") {
		t.Errorf("after the errors: %s", text)
	}
}

func TestWrongKey(t *testing.T) {
	_, p, _ := open(t, map[string][]byte{"form": figmafile.Form()}, "FIGMA_API_KEY=figd_wrong-secret")
	if text, failed := get(t, p, `{"fileKey":"form"}`); !failed || strings.Contains(text, "wrong-secret") {
		t.Errorf("%v: %s", failed, text)
	}
}

// The server reads a .env file of the project, which wins over all settings.
func TestDotEnv(t *testing.T) {
	if testing.Short() {
		t.Skip("this test needs figma-developer-mcp")
	}
	api := framelink.Start(t, map[string][]byte{"form": figmafile.Form()})
	scene := harness.NewScene(t, harness.Setup{Env: append(api.Env(), "FIGMA_API_KEY=figd_another", "OUTPUT_FORMAT=json")})
	if err := os.WriteFile(scene.Path("project/.env"), []byte("FIGMA_API_KEY="+framelink.Token+"\nOUTPUT_FORMAT=tree\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := scene.Start()
	p.Ready()
	text, failed := get(t, p, `{"fileKey":"form"}`)
	if failed {
		t.Fatal(text)
	}
	contains(t, text, "\nNODES:\n") // of the format tree
}

// A server that can't start says why, and what is missing.
func TestNoKey(t *testing.T) {
	if testing.Short() {
		t.Skip("this test needs figma-developer-mcp")
	}
	api := framelink.Start(t, nil)
	p := harness.Start(t, harness.Setup{Env: append(api.Env(), "FIGMA_API_KEY=", "PLAYGUARD_LIST_WAIT_MS=20000")})
	p.Ready()
	line := p.Answer(p.AskTool("get_figma_data", `{"fileKey":"form"}`))
	contains(t, line, "The Figma server is not running", "set FIGMA_API_KEY, which is missing")
}

func TestCache(t *testing.T) {
	_, p, api := open(t, map[string][]byte{"form": figmafile.Form()}, "FIGMA_CACHE_TTL=600000")
	first, _ := get(t, p, `{"fileKey":"form","nodeId":"1:1","depth":3}`)
	asked := len(api.Requests())
	again, _ := get(t, p, `{ "depth": 3, "nodeId": "1-1", "fileKey": "form" }`)
	body := func(text string) string { return text[strings.Index(text, "[type]"):] }
	if len(api.Requests()) != asked || body(first) != body(again) {
		t.Errorf("the same call with its arguments in another order was made again: %v", api.Requests())
	}
	if _, failed := get(t, p, `{"fileKey":"form","nodeId":"1:2"}`); failed || len(api.Requests()) == asked {
		t.Error("another node was answered from memory")
	}
}

// Equal calls at the same time make one call upstream.
func TestCallsAtTheSameTime(t *testing.T) {
	_, p, api := open(t, map[string][]byte{"form": figmafile.Form()}, "FIGMA_CACHE_TTL=600000")
	api.HoldAnswers()
	var ids []string
	for i := range 5 {
		args := `{"fileKey":"form","depth":2}`
		if i%2 == 1 {
			args = `{"depth":2,"fileKey":"form"}`
		}
		ids = append(ids, p.AskTool("get_figma_data", args))
	}
	// One call is on its way when the API has been asked; the others wait for it.
	api.Asked(t)
	api.Release()
	for _, id := range ids {
		contains(t, p.Answer(id), "[PlayGuard figma: ")
	}
	if got := api.Requests(); len(got) != 1 {
		t.Errorf("Figma was asked %d times: %v", len(got), got)
	}
}

func TestFormats(t *testing.T) {
	files := map[string][]byte{"form": figmafile.Form()}
	for _, tt := range []struct{ env, want string }{
		{"OUTPUT_FORMAT=yaml", "\nSave address"}, {"FIGMA_FORMAT=json", `"globalVars":{"styles":`}, {"OUTPUT_FORMAT=tree", "\nNODES:\n"},
	} {
		t.Run(tt.env, func(t *testing.T) {
			_, p, _ := open(t, files, tt.env, "FIGMA_TEXT_COMPACT=0")
			text, failed := get(t, p, `{"fileKey":"form"}`)
			if tt.env == "OUTPUT_FORMAT=yaml" {
				tt.want = ": Save address"
			}
			if failed || !strings.Contains(text, tt.want) {
				t.Errorf("%v: %.1500s", failed, text)
			}
		})
	}
}

// Images go below PlayGuard's folder.
func TestImages(t *testing.T) {
	scene, p, _ := open(t, map[string][]byte{"form": figmafile.Form()})
	line := p.Answer(p.AskTool("download_figma_images", `{"fileKey":"form","nodes":[{"nodeId":"1:4","fileName":"icon.svg"}],"localPath":"icons"}`))
	if data, err := os.ReadFile(scene.Path("project/.playguard/.figma/icons/icon.svg")); err != nil || !strings.Contains(string(data), "<svg") {
		t.Errorf("%v; the answer is %s", err, line)
	}
}
