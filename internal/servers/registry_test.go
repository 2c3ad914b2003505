package servers

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/catalog"
	"github.com/playguard/playguard/internal/config"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
)

// Playwright's tools are listed first, those of the file in its order behind.
func TestSpecs(t *testing.T) {
	c, _ := config.Load(func(string) (string, bool) { return "", false })
	specs := Specs(Options{Config: c, Further: []config.Server{{Name: "b"}, {Name: "a"}}, Log: slog.New(slog.DiscardHandler)})
	var names []string
	for _, spec := range specs {
		names = append(names, spec.Name)
	}
	if got := strings.Join(names, " "); got != "playwright b a" {
		t.Errorf("the rows are %s", got)
	}
}

// Every own tool has PlayGuard's name in front, so that no upstream's clashes.
func TestOwn(t *testing.T) {
	for _, own := range Own(Options{Config: &config.Config{}}) {
		if name := own.Definition.Name(); !strings.HasPrefix(name, "playguard_") || own.Handle == nil {
			t.Errorf("a tool is called %q", name)
		}
	}
}

// The README names the parameters that PlayGuard adds to browser_snapshot, and those
// of its own tools.
func TestReadmeParameters(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	c, _ := config.Load(func(string) (string, bool) { return "", false })
	o := Options{Config: c, Log: slog.New(slog.DiscardHandler)}
	parameters := func(tool []byte) (names []string) {
		schema, _ := jsonrpc.Member(tool, "inputSchema")
		properties, _ := jsonrpc.Member(schema, "properties")
		jsonrpc.Members(properties, func(key, _ jsonrpc.Span) {
			names = append(names, strings.Trim(string(properties[key.Start:key.End]), `"`))
		})
		return names
	}
	spec := Specs(o)[0]
	lists, err := catalog.Decode(spec.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range lists.Tools {
		if mcp.Tool(own).Name() != "browser_snapshot" {
			continue
		}
		listed, _ := spec.RewriteTool(mcp.Tool(own))
		added := []string{"depth"} // upstream's, with a meaning of PlayGuard's
		for _, name := range parameters(listed) {
			if !slices.Contains(parameters(own), name) {
				added = append(added, name)
			}
		}
		var shown []string
		for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+): [^|]*\\|").FindAllStringSubmatch(readme, -1) {
			shown = append(shown, m[1])
		}
		slices.Sort(added)
		slices.Sort(shown)
		if !slices.Equal(added, shown) {
			t.Errorf("the README shows the parameters %q of browser_snapshot, not %q", shown, added)
		}
	}
	for _, own := range Own(o) {
		for _, name := range parameters(own.Definition) {
			if !regexp.MustCompile("`[^`\n]*\\b" + name + "\\b[^`\n]*`").MatchString(readme) {
				t.Errorf("the README does not name %s of %s", name, own.Definition.Name())
			}
		}
	}
}

// The list of tools is shortened in its wording only: all that a tool says besides its
// descriptions is there, whatever is added.
func TestToolsLoseOnlyWords(t *testing.T) {
	c, _ := config.Load(func(string) (string, bool) { return "", false })
	spec := Specs(Options{Config: c, Log: slog.New(slog.DiscardHandler)})[0]
	lists, err := catalog.Decode(spec.Seed)
	if err != nil || len(lists.Tools) == 0 {
		t.Fatalf("the recorded list has %d tools: %v", len(lists.Tools), err)
	}
	for _, own := range lists.Tools {
		listed, keep := spec.RewriteTool(mcp.Tool(slices.Clone(own)))
		var was, is any
		if err := errors.Join(json.Unmarshal(own, &was), json.Unmarshal(listed, &is)); err != nil {
			t.Fatal(err)
		}
		if lost := lost(was, is, ""); !keep || lost != "" {
			t.Errorf("%s has lost %s", mcp.Tool(own).Name(), lost)
		}
	}
}

// lost is the path of a value that is in one JSON value and not in another, descriptions
// and the name of the schema's dialect aside; empty if there is none.
func lost(was, is any, path string) string {
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok {
			return path
		}
		for name, value := range was {
			_, words := value.(string)
			if words && (name == "description" || name == "$schema") {
				continue
			}
			if there, ok := is[name]; !ok {
				return path + "/" + name
			} else if missing := lost(value, there, path+"/"+name); missing != "" {
				return missing
			}
		}
		return ""
	}
	if !reflect.DeepEqual(was, is) {
		return path
	}
	return ""
}

// The agent is told what handles look like and what actions answer, if there is
// a compact view at all.
func TestInstructions(t *testing.T) {
	tests := []struct {
		settings  string
		want, not []string
	}{
		{"", []string{"[47]", "pass 47", "full:true", "raw:true", "Actions answer"}, []string{"[e12]"}},
		{"PLAYGUARD_REFS=upstream", []string{"[e12]", "pass e12"}, []string{"[47]"}},
		{"PLAYGUARD_ACTION_VIEW=link", []string{"[47]", "full:true"}, []string{"Actions answer"}},
	}
	for _, tt := range tests {
		name, value, _ := strings.Cut(tt.settings, "=")
		c, problems := config.Load(func(n string) (string, bool) {
			if n != name {
				return "", false
			}
			return value, true
		})
		text := Instructions(c)
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("with %q %s is missing in %q", tt.settings, want, text)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(text, not) {
				t.Errorf("with %q %s is in %q", tt.settings, not, text)
			}
		}
		if len(text) > 360 || len(problems) > 0 {
			t.Errorf("with %q they are %d bytes (%v)", tt.settings, len(text), problems)
		}
	}
	if text := Instructions(&config.Config{}); text != "" {
		t.Errorf("without a compact view they are %q", text)
	}
}
