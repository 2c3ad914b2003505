// Package repo holds the checks on the repository itself: who imports whom,
// what the linters say, that the documents tell the truth.
package repo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/playguard/playguard/"

// root is the repository's root, from this folder.
const root = "../.."

// layers says which of the project's packages each one may import, bottom-up.
// A package that is not in it fails the test: a new one has to find its place.
var layers = map[string][]string{
	"internal/jsonrpc":  {},
	"internal/mcp":      {"internal/jsonrpc"},
	"internal/proctree": {},
	"internal/calllog":  {},
	"internal/endpoint": {},
	"internal/transport": {
		"internal/endpoint", "internal/jsonrpc", "internal/proctree",
	},
	"internal/upstream": {
		"internal/calllog", "internal/jsonrpc", "internal/mcp", "internal/transport",
	},
	"internal/catalog": {
		"internal/jsonrpc", "internal/mcp", "internal/upstream",
	},
	"internal/proxy": {
		"internal/calllog", "internal/catalog", "internal/jsonrpc", "internal/mcp", "internal/transport", "internal/upstream",
	},
	"internal/aria": {},
	// Its one library reads YAML.
	"internal/figmatree":  {"internal/jsonrpc"},
	"internal/argv":       {},
	"internal/browser":    {},
	"internal/bundle":     {"internal/proctree"},
	"internal/config":     {"internal/argv", "internal/endpoint"},
	"internal/environ":    {},
	"internal/project":    {},
	"internal/store":      {},
	"internal/reread":     {"internal/jsonrpc", "internal/mcp", "internal/store", "internal/upstream"},
	"internal/designdiff": {"internal/figmatree"},
	"internal/designtool": {
		"internal/designdiff", "internal/figmatree", "internal/jsonrpc", "internal/mcp", "internal/upstream",
	},
	"internal/servers/figma": {
		"internal/argv", "internal/config", "internal/environ", "internal/figmatree", "internal/jsonrpc", "internal/mcp", "internal/project",
		"internal/reread", "internal/store", "internal/transport", "internal/upstream",
	},
	"internal/servers/generic": {
		"internal/config", "internal/environ", "internal/transport", "internal/upstream",
	},
	"internal/servers/playwright/watch": {},
	"internal/servers/playwright": {
		"internal/aria", "internal/argv", "internal/browser", "internal/bundle", "internal/calllog", "internal/config",
		"internal/environ", "internal/jsonrpc", "internal/mcp", "internal/project", "internal/reread", "internal/store",
		"internal/servers/playwright/watch", "internal/transport", "internal/upstream",
	},
	"internal/servers/figmadesktop": {
		"internal/endpoint", "internal/transport", "internal/upstream",
	},
	"internal/servers": {
		"internal/config", "internal/designdiff", "internal/designtool", "internal/project", "internal/reread", "internal/servers/figma", "internal/servers/figmadesktop", "internal/servers/generic", "internal/servers/playwright",
		"internal/store", "internal/upstream",
	},
	"internal/client":    {"internal/jsonrpc"},
	"internal/demo":      {"internal/argv", "internal/client", "internal/demo/shop"},
	"internal/demo/shop": {},
}

// pure are the packages that work on bytes alone, with nothing but the standard
// library.
var pure = []string{"internal/aria", "internal/argv", "internal/endpoint", "internal/jsonrpc", "internal/mcp"}

type goPackage struct {
	ImportPath string
	Doc        string
	GoFiles    []string
	Imports    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,GoFiles,Imports", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestLayers(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if !strings.HasPrefix(name, "internal/") {
			continue
		}
		allowed, known := layers[name]
		if !known {
			t.Errorf("%s has no place in the layers; say what it may import", name)
		}
		for _, imported := range p.Imports {
			inner, own := strings.CutPrefix(imported, module)
			if own && !slices.Contains(allowed, inner) {
				t.Errorf("%s imports %s, which its layer does not allow", name, inner)
			}
			if !own && slices.Contains(pure, name) && strings.Contains(strings.Split(imported, "/")[0], ".") {
				t.Errorf("%s is pure, but imports %s", name, imported)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		if p.Doc == "" && len(p.GoFiles) > 0 {
			t.Errorf("%s has no doc comment", p.ImportPath)
		}
	}
}
