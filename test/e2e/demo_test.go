// The demo, as a user starts it.

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/playguard/playguard/test/harness"
)

// The demo works through its task, one order is placed, and neither a file nor a
// process is left.
func TestDemo(t *testing.T) {
	s := newStage(t, harness.Setup{})
	cmd := exec.Command(harness.Playguard(t), "demo", "--json")
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PLAYGUARD_") && !strings.HasPrefix(v, "PLAYWRIGHT_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Dir = s.Path("project")
	cmd.Env = append(cmd.Env, "PLAYGUARD_DATA_DIR="+s.Path("data"), "PLAYGUARD_AUTO_INSTALL=false",
		"XDG_CONFIG_HOME="+s.Path("config"), "XDG_CACHE_HOME="+s.Path("cache"), "XDG_STATE_HOME="+s.Path("state"), "TMPDIR="+s.Temp)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	began := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatalf("the demo failed: %v\n%s", err, stderr.String())
	}
	t.Logf("the demo took %v", time.Since(began).Round(time.Millisecond))
	var report struct {
		Orders, Calls int
		Steps         []json.RawMessage
		SavedPercent  float64
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("the report cannot be read: %v\n%s", err, clip(stdout.String()))
	}
	if report.Orders != 1 {
		t.Errorf("%d orders were placed", report.Orders)
	}
	steps, saved := "", 0.0
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile("(?m)^\\| `make demo` \\| (.*) \\| about (\\d+) % of the bytes").FindStringSubmatch(string(readme)); m != nil {
		steps = m[1]
		saved, _ = strconv.ParseFloat(m[2], 64) // digits
	}
	if done := fmt.Sprintf("%d steps with %d calls", len(report.Steps), report.Calls); done != steps || math.Abs(report.SavedPercent-saved) > 1.5 {
		t.Errorf("the README says %q and %.0f %% saved; it is %q and %.1f %%", steps, saved, done, report.SavedPercent)
	}
	if left := harness.Remaining(s.Dir, harness.Patience); len(left) > 0 {
		t.Errorf("processes are left:\n%s", strings.Join(left, "\n"))
	}
	if files := filesIn(t, s.Temp); len(files) != 1 { // the stage's own playwright.json
		t.Errorf("files are left: %v", files)
	}
	if files := filesIn(t, s.Path("project")); len(files) != 1 { // the scene's own .keep
		t.Errorf("files are left in the working directory: %v", files)
	}
}
