package servers

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/config"
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

// The agent is told about the compact view only if there is one.
func TestInstructions(t *testing.T) {
	c := &config.Config{Compact: true}
	if text := Instructions(c); !strings.Contains(text, "[e12]") || !strings.Contains(text, "raw:true") || len(text) > 300 {
		t.Errorf("the instructions are %q", text)
	}
	c.Compact = false
	if text := Instructions(c); text != "" {
		t.Errorf("the instructions are %q", text)
	}
}
