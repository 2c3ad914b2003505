// The recorded designs: what figma-developer-mcp sends for our own files.

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/test/figmafile"
	"github.com/playguard/playguard/test/framelink"
)

// designs are the files that are recorded, by name.
func designs() map[string][]byte {
	return map[string][]byte{"cards": figmafile.Instances(60), "poster": figmafile.Poster(), "form": figmafile.Form()}
}

// recordDesigns writes the real server's answers into dir.
func recordDesigns(t *testing.T, dir string) {
	t.Helper()
	api := framelink.Start(t, designs())
	for _, format := range []string{"json", "tree"} {
		line, env := api.Command(format)
		c, err := client.Start(t.Context(), client.Options{
			Command: line[0], Args: line[1:], Env: append(cleanEnvironment(os.Environ()), env...), Dir: t.TempDir(), Stderr: t.Output(),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Initialize(t.Context()); err != nil {
			t.Fatal(err)
		}
		for name := range designs() {
			result, err := c.CallTool(t.Context(), "get_figma_data", map[string]any{"fileKey": name})
			if err != nil || result.IsError {
				t.Fatalf("%s: %v %s", name, err, result.Text())
			}
			if err := os.WriteFile(filepath.Join(dir, name+"."+format+".txt"), []byte(result.Text()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestRecordedDesigns holds the figures' bounds. With -update it records the
// designs first.
func TestRecordedDesigns(t *testing.T) {
	if *update {
		recordDesigns(t, filepath.Join("testdata", "figma"))
	}
	files, err := openDesigns("")
	if err != nil {
		t.Fatal(err)
	}
	figures, err := designTokens(files)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * len(designs()); len(figures) != want {
		t.Errorf("there are %d figures, not %d", len(figures), want)
	}
	for _, f := range figures {
		if !*f.Pass {
			t.Errorf("%s: %g %s, which must be %s", f.Name, f.Value, f.Unit, f.Bound)
		}
	}
}

func TestMissingDesigns(t *testing.T) {
	if _, err := designTokens(os.DirFS(t.TempDir())); err == nil {
		t.Error("an empty folder was measured")
	}
}
