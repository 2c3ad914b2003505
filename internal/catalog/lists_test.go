package catalog

// Lists: fetched page by page, written down and read back with their bytes.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
)

// server answers list requests from its map: for each method its pages, each
// the whole result; or an error object.
type server struct {
	pages  map[string][]string
	errors map[string]string
	asked  []string // method and params
}

func (s *server) do(_ context.Context, method string, params []byte) (jsonrpc.Message, error) {
	s.asked = append(s.asked, method+string(params))
	if text, ok := s.errors[method]; ok {
		return jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":1,"error":` + text + `}`))
	}
	pages := s.pages[method]
	if len(pages) == 0 {
		return jsonrpc.Message{}, errors.New("the connection is gone")
	}
	if len(pages) > 1 {
		s.pages[method] = pages[1:]
	}
	return jsonrpc.Parse(jsonrpc.NewResult([]byte("1"), []byte(pages[0])))
}

const all = `{"capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"s"}}`

func texts(list [][]byte) []string {
	var out []string
	for _, e := range list {
		out = append(out, string(e))
	}
	return out
}

func TestFetchReadsAllPages(t *testing.T) {
	s := &server{pages: map[string][]string{
		mcp.ToolsList: {
			`{"tools":[{"name":"a","n":9007199254740993}, {"name":"b"}],"nextCursor":"p2"}`,
			`{"nextCursor":{"odd":[1,"<"]},"tools":[]}`,
			`{"tools":[{ "name" : "c" }],"nextCursor":""}`,
			`{"tools":[{"name":"d"}],"nextCursor":null}`,
		},
		mcp.ResourcesList: {`{"resources":[{"uri":"r:1"}]}`},
		mcp.TemplatesList: {`{"resourceTemplates":[{"uriTemplate":"t:{x}"}]}`},
		mcp.PromptsList:   {`{"prompts":[]}`},
	}}
	l, err := Fetch(t.Context(), []byte(all), s.do)
	if err != nil {
		t.Fatal(err)
	}
	if got := texts(l.Tools); !slices.Equal(got, []string{`{"name":"a","n":9007199254740993}`, `{"name":"b"}`, `{ "name" : "c" }`, `{"name":"d"}`}) {
		t.Errorf("tools %q", got)
	}
	if len(l.Resources) != 1 || len(l.Templates) != 1 || len(l.Prompts) != 0 {
		t.Errorf("others %q %q %q", l.Resources, l.Templates, l.Prompts)
	}
	want := []string{
		"tools/list", `tools/list{"cursor":"p2"}`, `tools/list{"cursor":{"odd":[1,"<"]}}`, `tools/list{"cursor":""}`,
		"resources/list", "resources/templates/list", "prompts/list",
	}
	if !slices.Equal(s.asked, want) {
		t.Errorf("asked %q, want %q", s.asked, want)
	}
}

func TestFetchAsksOnlyForWhatIsDeclared(t *testing.T) {
	for declared, want := range map[string][]string{
		`{}`: nil, `{"capabilities":{}}`: nil, `{"capabilities":null}`: nil,
		`{"capabilities":{"prompts":{}}}`:                               {"prompts/list"},
		`{"capabilities":{"tools":null,"prompts":false,"x":{}}}`:        nil,
		`{"capabilities":{"resources":{"subscribe":true}}}`:             {"resources/list", "resources/templates/list"},
		`{"capabilities":{"tools":{"listChanged":false},"logging":{}}}`: {"tools/list"},
	} {
		s := &server{pages: map[string][]string{
			mcp.ToolsList: {`{"tools":[]}`}, mcp.ResourcesList: {`{"resources":[]}`}, mcp.TemplatesList: {`{"resourceTemplates":[]}`}, mcp.PromptsList: {`{"prompts":[]}`},
		}}
		if _, err := Fetch(t.Context(), []byte(declared), s.do); err != nil || !slices.Equal(s.asked, want) {
			t.Errorf("%s: asked %q, %v", declared, s.asked, err)
		}
	}
}

func TestFetchKeepsTheOtherListsWhenOneIsWrong(t *testing.T) {
	good := func() *server {
		return &server{errors: map[string]string{}, pages: map[string][]string{
			mcp.ToolsList: {`{"tools":[{"name":"a"}]}`}, mcp.ResourcesList: {`{"resources":[{"uri":"r:1"}]}`},
			mcp.TemplatesList: {`{"resourceTemplates":[{"uriTemplate":"t:{x}"}]}`}, mcp.PromptsList: {`{"prompts":[{"name":"p"}]}`},
		}}
	}
	for _, c := range []struct {
		method, page, answer, said string
		left                       [4]int // tools, resources, templates, prompts
	}{
		{mcp.TemplatesList, "", `{"code":-32601,"message":"Method not found"}`, "", [4]int{1, 1, 0, 1}},
		{mcp.TemplatesList, "", `{"code":-32603,"message":"broken"}`, "resources/templates/list: it answered", [4]int{1, 1, 0, 1}},
		{mcp.PromptsList, "", `{"code":-32601,"message":"no"}`, "prompts/list: it answered", [4]int{1, 1, 1, 0}},
		{mcp.ResourcesList, `{"resources":{}}`, "", `resources/list: its result has no array "resources"`, [4]int{1, 0, 1, 1}},
		{mcp.PromptsList, `{}`, "", "no array", [4]int{1, 1, 1, 0}},
		{mcp.ToolsList, `null`, "", "tools/list: its result has no array", [4]int{0, 1, 1, 1}},
		{mcp.PromptsList, `{"prompts":[{"name":"p"}],"nextCursor":"again"}`, "", "prompts/list: its pages do not end", [4]int{1, 1, 1, 0}},
	} {
		s := good()
		if c.answer != "" {
			s.errors[c.method] = c.answer
		} else {
			s.pages[c.method] = []string{c.page}
		}
		l, err := Fetch(t.Context(), []byte(all), s.do)
		if l == nil {
			t.Errorf("%s %s%s: no lists, %v", c.method, c.page, c.answer, err)
			continue
		}
		if (err == nil) != (c.said == "") || err != nil && !strings.Contains(err.Error(), c.said) {
			t.Errorf("%s %s%s: %v, want %q", c.method, c.page, c.answer, err, c.said)
		}
		if left := [4]int{len(l.Tools), len(l.Resources), len(l.Templates), len(l.Prompts)}; left != c.left {
			t.Errorf("%s %s%s: left %v, want %v", c.method, c.page, c.answer, left, c.left)
		}
	}
	s := good()
	delete(s.pages, mcp.PromptsList)
	if l, err := Fetch(t.Context(), []byte(all), s.do); l != nil || err == nil {
		t.Errorf("after the connection was lost: %v, %v", l, err)
	}
}

// randomLists are lists with entries of any kind.
func randomLists(r *rand.Rand) *Lists {
	kinds := []string{
		`{"name":"a","inputSchema":{"type":"object"}}`, `{ "z" : 9007199254740993, "a":"<&>\u2028` + "\u2028" + `" }`, `{}`, `[]`, `null`, `"]}"`, `[ {"a":[1 , 2]} ]`, `-0.0e5`,
	}
	list := func() [][]byte {
		var out [][]byte
		for range r.IntN(5) {
			out = append(out, []byte(kinds[r.IntN(len(kinds))]))
		}
		return out
	}
	return &Lists{
		Server: []byte([]string{`{}`, `{"capabilities":{"tools":{}},"n": 1.50}`, `{ "instructions":"a\nb" }`}[r.IntN(3)]),
		Tools:  list(), Resources: list(), Templates: list(), Prompts: list(),
	}
}

func TestEncodeAndDecodeKeepBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2_000 {
		want := randomLists(r)
		data := want.Encode()
		got, err := Decode(data)
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if !reflect.DeepEqual(got, want) || !got.Equal(want) || !bytes.Equal(got.Encode(), data) {
			t.Fatalf("%s is read as %s", data, got.Encode())
		}
		for _, e := range slices.Concat(got.Tools, got.Resources) {
			_ = append(e, "overwritten"...)
		}
		if !bytes.Equal(got.Encode(), want.Encode()) {
			t.Fatal("appending to an entry changed another")
		}
		other := randomLists(r)
		if got.Equal(other) != bytes.Equal(data, other.Encode()) {
			t.Fatalf("%s equals %s", data, other.Encode())
		}
	}
	var none *Lists
	if none.Equal(&Lists{}) || (&Lists{}).Equal(nil) || none.Equal(nil) {
		t.Error("unknown lists equal something")
	}
}

// broken are files that are no saved lists.
func broken() []string {
	good := string((&Lists{Server: []byte(`{}`), Tools: [][]byte{[]byte(`{"name":"a"}`)}}).Encode())
	out := []string{
		"", "{}", "null", "[]", "no json", good + "x", good + good,
		strings.Replace(good, `"format":1`, `"format":2`, 1), strings.Replace(good, `"format":1`, `"f":1`, 1),
		strings.Replace(good, `"server":{}`, `"server":[]`, 1), strings.Replace(good, `"server":{}`, `"server":null`, 1),
		strings.Replace(good, `"prompts":[]`, `"prompts":{}`, 1), strings.Replace(good, `"prompts"`, `"others"`, 1),
		strings.Replace(good, `"a"`, "\"\xff\"", 1), strings.Replace(good, `{"name":"a"}`, "{\n\"name\":\"a\"}", 1),
	}
	for i := 0; i < len(good)-1; i += 7 {
		out = append(out, good[:i])
	}
	return out
}

func TestDecodeRefusesWhatIsBroken(t *testing.T) {
	for _, data := range broken() {
		if l, err := Decode([]byte(data)); err == nil {
			t.Errorf("%q is read as %s", data, l.Encode())
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add((&Lists{Server: []byte(`{}`), Tools: [][]byte{[]byte(`{"name":"a"}`)}}).Encode())
	for _, data := range broken() {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Decode(l.Encode())
		if err != nil || !again.Equal(l) {
			t.Fatalf("%q is read as %q, and that as %v", data, l.Encode(), err)
		}
		checkMerged(t, Merge([]Source{{spec("a"), l}, {spec("b"), l}, {spec("c"), nil}}, "own", nil))
	})
}

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "catalog")
	s := Store{Dir: dir}
	key := []string{"playwright", "node", "cli.js", "1.0"}
	if s.Load(key) != nil {
		t.Error("lists from an empty store")
	}
	want := &Lists{Server: []byte(all), Tools: [][]byte{[]byte(`{"name":"a"}`)}}
	if err := s.Save(key, want); err != nil {
		t.Fatal(err)
	}
	if got := s.Load(key); !got.Equal(want) {
		t.Errorf("%v", got)
	}
	for _, other := range [][]string{{"playwright", "node", "cli.js", "1.1"}, {"playwright", "node", "cli.js1.0"}, {"playwright", "nodecli.js", "1.0"}, {"playwright", "node", "cli.js"}, {"node", "playwright", "cli.js", "1.0"}, nil} {
		if s.Load(other) != nil {
			t.Errorf("%q gives the lists of %q", other, key)
		}
	}
	newer := &Lists{Server: []byte(`{}`)}
	if err := s.Save(key, newer); err != nil {
		t.Fatal(err)
	}
	if got := s.Load(key); !got.Equal(newer) {
		t.Errorf("%v", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("files %v, %v", entries, err)
	}
	for _, data := range broken() {
		if err := os.WriteFile(filepath.Join(dir, entries[0].Name()), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := s.Load(key); got != nil {
			t.Errorf("%q is read as %s", data, got.Encode())
		}
	}
	if err := s.Save(key, want); err != nil || !s.Load(key).Equal(want) {
		t.Errorf("a broken file is not replaced: %v", err)
	}
}

func TestStoreWithoutAFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	var s Store
	if err := s.Save([]string{"x"}, &Lists{Server: []byte(`{}`)}); err != nil || s.Load([]string{"x"}) != nil {
		t.Errorf("kept something, %v", err)
	}
	if entries, _ := os.ReadDir("."); len(entries) > 0 {
		t.Errorf("wrote %v", entries)
	}
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Store{Dir: filepath.Join("file", "sub")}).Save([]string{"x"}, &Lists{Server: []byte(`{}`)}); err == nil {
		t.Error("a folder that can't be made is not told")
	}
}

func TestConcurrentSaves(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	done := make(chan error)
	for i := range 8 {
		go func() {
			var err error
			for range 20 {
				l := &Lists{Server: []byte(`{}`), Tools: slices.Repeat([][]byte{fmt.Appendf(nil, `{"name":"t%d"}`, i)}, 100)}
				err = errors.Join(err, s.Save([]string{"k"}, l))
				if got := s.Load([]string{"k"}); got == nil || len(got.Tools) != 100 || !bytes.Equal(got.Tools[0], got.Tools[99]) {
					err = errors.Join(err, errors.New("half a file was read"))
				}
			}
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
