package playwright_test

// The real server's tools, recorded and compared with those embedded.

import (
	"bytes"
	"context"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/playguard/playguard/internal/catalog"
	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/proctree"
	"github.com/playguard/playguard/test/harness"
)

var update = flag.Bool("update", false, "write catalog.json anew from the real server")

func TestMain(m *testing.M) {
	proctree.Guard() // the installation runs npm under a guard
	os.Exit(m.Run())
}

// TestSeedIsWhatTheServerLists holds the embedded catalogue against the real
// bundled server, so that it can't go stale when the version is raised.
func TestSeedIsWhatTheServerLists(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the bundled Playwright MCP from the npm registry")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	installed, _, err := harness.Bundle(ctx)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.Start(ctx, client.Options{Command: installed.Node, Args: []string{installed.PlaywrightCLI, "--headless", "--isolated"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	server, err := c.Initialize(ctx)
	if err != nil {
		t.Fatal(err)
	}
	lists, err := catalog.Fetch(ctx, server, func(ctx context.Context, method string, params []byte) (jsonrpc.Message, error) {
		result, err := c.Call(ctx, method, params)
		if err != nil {
			return jsonrpc.Message{}, err
		}
		return jsonrpc.Parse(jsonrpc.NewResult([]byte("1"), result))
	})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("catalog.json", lists.Encode(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	seed, err := os.ReadFile("catalog.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(seed, lists.Encode()) {
		t.Error("catalog.json is not what the bundled server lists; write it anew with: go test ./internal/servers/playwright -run TestSeed -update")
	}
}
