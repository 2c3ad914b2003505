package generic

import (
	"slices"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/config"
)

// The server is started as its entry says, with the variables that all get, that
// the user lets pass, and that the entry sets, in this order.
func TestSpec(t *testing.T) {
	environment := []string{"PATH=/p", "SECRET=s", "ACME_KEY=k", "PLAYWRIGHT_X=1"}
	server := config.Server{Name: "docs", Command: "npx", Args: []string{"-y", "docs"}, Env: []string{"OWN=o"}}
	spec := Spec(server, "/project", environment, []string{"ACME_*"})
	cmd, err := spec.Launch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if cmd.Path != "npx" || !slices.Equal(cmd.Args, server.Args) || cmd.Dir != "/project" || !slices.Equal(cmd.Env, []string{"PATH=/p", "ACME_KEY=k", "OWN=o"}) {
		t.Errorf("the command is %+v", cmd)
	}
	if spec.Name != "docs" || spec.Eager || spec.Handler != nil || spec.RewriteTool != nil || !strings.Contains(spec.Hint, "docs") {
		t.Errorf("the row is %+v", spec)
	}
	if want := []string{"docs", "npx", "/project", "-y", "docs", "PATH", "ACME_KEY", "OWN"}; !slices.Equal(spec.Key, want) {
		t.Errorf("the key is %q, want %q", spec.Key, want)
	}
}

func TestSpecInItsOwnFolder(t *testing.T) {
	cmd, err := Spec(config.Server{Name: "x", Command: "./x", Cwd: "/elsewhere"}, "/project", nil, nil).Launch(t.Context())
	if err != nil || cmd.Dir != "/elsewhere" {
		t.Errorf("it is started in %q (%v)", cmd.Dir, err)
	}
}
