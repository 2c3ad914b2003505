package bundle

// The test binary is the guard that npm runs under.

import (
	"os"
	"testing"

	"github.com/playguard/playguard/internal/proctree"
)

func TestMain(m *testing.M) {
	proctree.Guard()
	os.Exit(m.Run())
}
