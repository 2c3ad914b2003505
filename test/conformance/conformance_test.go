package conformance

// The suite's verdict on a server, alone and behind PlayGuard.

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/playguard/playguard/test/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// Every check of the suite that passes against the server alone passes through
// PlayGuard too, and no other.
func TestConformanceIsThatOfTheServer(t *testing.T) {
	if testing.Short() && os.Getenv("CI") != "true" {
		t.Skip("this test needs the conformance suite from the npm registry")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	dir, err := Install(ctx)
	if err != nil {
		t.Fatal(err)
	}
	server := filepath.Join(t.TempDir(), "everything-server")
	build := exec.CommandContext(ctx, "go", "build", "-o", server, "github.com/modelcontextprotocol/go-sdk/conformance/everything-server")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the SDK's conformance server could not be built: %v\n%s", err, out)
	}
	scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "everything", Command: []string{server}}}})

	run := func(name string, start func() *exec.Cmd) Outcome {
		bridge := NewBridge(start)
		http := httptest.NewServer(bridge)
		defer http.Close()
		defer bridge.Close()
		began := time.Now()
		outcome, err := Run(ctx, dir, http.URL, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d different outcomes of checks in %v", name, len(outcome), time.Since(began).Round(time.Second))
		return outcome
	}
	direct := run("direct", func() *exec.Cmd { return exec.Command(server) })
	proxied := run("through PlayGuard", scene.Command)
	if diff := cmp.Diff(direct, proxied); diff != "" {
		t.Errorf("through PlayGuard (+) other checks pass than directly (-):\n%s", diff)
	}
	passed := 0
	for check, n := range proxied {
		if strings.HasSuffix(check, ": SUCCESS") {
			passed += n
		} else {
			t.Logf("directly and through PlayGuard alike: %s", check)
		}
	}
	if passed < 30 {
		t.Errorf("only %d checks have passed: the suite has not run as it should", passed)
	}
	t.Logf("%d checks have passed", passed)
}
