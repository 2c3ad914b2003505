// Agents that read only what was delivered do a task on every application, in
// every mode and on Playwright MCP itself.

package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/test/agent"
	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/site"
)

// agentModes are the settings that change what an agent reads.
var agentModes = []struct {
	name       string
	env        []string
	look, refs bool
}{
	{name: "defaults"},
	{name: "no delta", env: []string{"PLAYGUARD_DELTA=false"}},
	{name: "refs", env: []string{"PLAYGUARD_REFS=upstream"}, refs: true},
	{name: "short text", env: []string{"PLAYGUARD_TEXT=short"}},
	{name: "yaml", env: []string{"PLAYGUARD_FORMAT=yaml"}},
	{name: "link", env: []string{"PLAYGUARD_ACTION_VIEW=link"}, look: true},
}

// defaults undoes what the stage sets for tests of single views.
func defaults() []string {
	return []string{"PLAYGUARD_REFS=", "PLAYGUARD_ACTION_VIEW=", "PLAYGUARD_DELTA="}
}

// cost is what tasks took.
type cost struct{ calls, bytes int }

// Elsewhere than in CI every mode gets a few of the tasks: those in which it
// shows most.
func TestAgentsFinishEveryTask(t *testing.T) {
	pages := site.Start(t)
	costs := map[string]map[string]cost{} // by task and mode
	for i, m := range agentModes {
		t.Run(m.name, func(t *testing.T) {
			s, p := open(t, append(defaults(), m.env...)...)
			runTasks(t, &agent.Agent{MCP: p.Client, Site: pages, Look: m.look, Refs: m.refs}, s.Path("project"), m.name, i == 0 || inCI(), costs)
		})
	}
	t.Run("Playwright MCP", func(t *testing.T) {
		c, root := direct(t)
		runTasks(t, &agent.Agent{MCP: c, Site: pages, Look: true, Refs: true}, root, "raw", true, costs)
	})
	for _, task := range agent.Tasks() {
		raw := costs[task.Name]["raw"]
		for _, m := range agentModes {
			if c := costs[task.Name][m.name]; c.calls > 0 && raw.calls > 0 {
				t.Logf("%-15s %-12s %3d calls, %7d bytes; Playwright MCP %3d calls, %7d bytes: %.0f %% saved",
					task.Name, m.name, c.calls, c.bytes, raw.calls, raw.bytes, 100*(1-float64(c.bytes)/float64(raw.bytes)))
			}
		}
	}
}

// inCI reports whether tests may take long.
func inCI() bool { return os.Getenv("CI") == "true" }

// hardest are the tasks that every mode always gets.
var hardest = []string{"to-do", "checkout", "grid", "same label", "imitation"}

// runTasks does the tasks in one session. root is a folder that files may be
// uploaded from.
func runTasks(t *testing.T, a *agent.Agent, root, mode string, all bool, costs map[string]map[string]cost) {
	t.Helper()
	a.File = filepath.Join(root, "notes.txt")
	if err := os.WriteFile(a.File, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, task := range agent.Tasks() {
		if !all && !slices.Contains(hardest, task.Name) {
			continue
		}
		t.Run(task.Name, func(t *testing.T) {
			if err := a.Run(t.Context(), task); err != nil {
				t.Fatal(err)
			}
			if costs[task.Name] == nil {
				costs[task.Name] = map[string]cost{}
			}
			costs[task.Name][mode] = costOf(a.Calls)
		})
		if t.Failed() {
			freePage(t, a.MCP)
		}
	}
}

func costOf(calls []agent.Call) cost {
	c := cost{calls: len(calls)}
	for _, call := range calls {
		c.bytes += len(call.Answer.Text())
	}
	return c
}

// freePage answers what a failed task has left open, so that the next one can
// begin; without anything open the tool fails, which is as well.
func freePage(t *testing.T, c *client.Client) {
	t.Helper()
	if _, err := c.CallTool(harness.Context(t), "browser_handle_dialog", agent.Args{"accept": true}); err != nil {
		t.Fatal(err)
	}
}
