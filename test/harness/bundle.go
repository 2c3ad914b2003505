package harness

// The real Playwright MCP, installed once for all tests.

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/playguard/playguard/internal/bundle"
)

// installPatience is how long npm may take for a first installation.
const installPatience = 5 * time.Minute

// Bundle returns the pinned npm packages and the folder to point
// PLAYGUARD_DATA_DIR at. They are installed once per machine, into a folder that
// all tests share and no user does. npm runs under a guard, so a test's TestMain
// must call proctree.Guard first.
func Bundle(ctx context.Context) (installed bundle.Installed, dataDir string, err error) {
	ctx, cancel := context.WithTimeout(ctx, installPatience)
	defer cancel()
	cache, err := os.UserCacheDir()
	if err != nil {
		return installed, "", err
	}
	dataDir = filepath.Join(cache, "playguard-test")
	dir, err := bundle.Dir(dataDir)
	if err != nil {
		return installed, "", err
	}
	installed, err = bundle.Install(ctx, bundle.Options{Dir: dir})
	return installed, dataDir, err
}
