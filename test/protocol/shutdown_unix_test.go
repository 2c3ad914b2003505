//go:build unix

// The end: whatever asks for it, PlayGuard is gone in time, open requests have
// been answered or their connection is closed, and no process is left.

package protocol

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/playguard/playguard/test/harness"
)

// endLimit is far above the 400 ms that are aimed at, so that a busy machine
// fails no test. The section end of bench/ measures those, with a real browser.
const endLimit = 5 * time.Second

// stubborn is a setup whose upstreams are as hard to end as can be: a survives
// signals and the end of its input, and has a grandchild that holds its stdout.
func stubborn() harness.Setup {
	return harness.Setup{Upstreams: []harness.Upstream{
		{Name: "a", Script: `{"builtins":["wait","pid"],"tools":[{"name":"leave","inputSchema":{"type":"object"}}],"ignoreSignals":true,"eof":[{"delayMs":600000}],
			"calls":{"leave":[{"grandchildMs":600000},{"text":"left"}]}}`},
		{Name: "b", Script: `{"prefix":"b_","builtins":["wait"]}`},
	}}
}

// busy starts the setup and leaves calls open on every upstream.
func busy(t *testing.T, scene *harness.Scene) (p *harness.Peer, open []string) {
	t.Helper()
	p = scene.Start().Ready()
	p.Text("leave", `{}`)
	open = []string{p.AskTool("wait", `{}`), p.AskTool("b_wait", `{}`), p.AskTool("wait", `{}`)}
	p.Result("ping", `{}`)
	if n := len(harness.Processes(scene.Dir)); harness.CanSeeProcesses && n < 7 {
		t.Errorf("there are %d processes, not PlayGuard, three upstreams, their guards and a grandchild: %q", n, harness.Processes(scene.Dir))
	}
	return p, open
}

// gone waits for the end and checks what was left.
func gone(t *testing.T, scene *harness.Scene, p *harness.Peer, open []string, asked time.Time) {
	t.Helper()
	select {
	case <-p.Exited():
	case <-time.After(harness.Patience):
		t.Fatal("it does not end")
	}
	took := time.Since(asked)
	t.Logf("gone after %v", took.Round(time.Millisecond))
	if took > endLimit {
		t.Errorf("it took %v to end", took)
	}
	if left := harness.Remaining(scene.Dir, 2*time.Second); len(left) > 0 {
		t.Errorf("these are left:\n%s", strings.Join(left, "\n"))
	}
	<-p.Done()
	for _, id := range open {
		if n := answersTo(p, id); n > 1 {
			t.Errorf("an open request was answered %d times", n)
		}
	}
}

// Closed stdin: the open requests are answered with an error that says why, the
// exit status is 0.
func TestEndByClosedInput(t *testing.T) {
	scene := harness.NewScene(t, stubborn())
	p, open := busy(t, scene)
	asked := time.Now()
	if err := p.CloseInput(); err != nil {
		t.Fatal(err)
	}
	for _, id := range open {
		if e := harness.ErrorOf(t, p.Answer(id)); !strings.Contains(e.Message, "PlayGuard is ending") {
			t.Errorf("an open request was answered with %v", &e)
		}
	}
	gone(t, scene, p, open, asked)
	if code := p.ProcessState().ExitCode(); code != 0 {
		t.Errorf("the exit status is %d", code)
	}
}

// A last request sent together with the end of the input is still answered.
func TestEndAnswersWhatIsQuick(t *testing.T) {
	p := harness.Start(t, harness.Setup{Upstreams: beside()}).Ready()
	p.Text("a_small", `{}`)
	id := p.AskTool("a_small", `{}`)
	if err := p.CloseInput(); err != nil {
		t.Fatal(err)
	}
	if text, isError := harness.TextOf(t, p.Answer(id)); isError || text != "ok" {
		t.Errorf("the last request was answered with %q", text)
	}
}

func TestEndBySignal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			scene := harness.NewScene(t, stubborn())
			p, open := busy(t, scene)
			asked := time.Now()
			if err := p.Process().Signal(signal); err != nil {
				t.Fatal(err)
			}
			gone(t, scene, p, open, asked)
			if code := p.ProcessState().ExitCode(); code != 0 {
				t.Errorf("the exit status is %d", code)
			}
		})
	}
}

// SIGKILL can't be answered, but leaves no process either.
func TestEndByKill(t *testing.T) {
	scene := harness.NewScene(t, stubborn())
	p, open := busy(t, scene)
	asked := time.Now()
	if err := p.Process().Kill(); err != nil {
		t.Fatal(err)
	}
	gone(t, scene, p, open, asked)
}

// A signal ends it during every upstream's start too.
func TestEndDuringTheStart(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{
		Playwright: `{"methods":{"initialize":[]}}`,
		Upstreams:  []harness.Upstream{{Name: "a", Script: `{"start":[{"delayMs":600000}]}`}},
	})
	p := scene.Start()
	p.Init()
	list := p.Ask("tools/list", `{}`)
	p.Result("ping", `{}`)
	asked := time.Now()
	if err := p.Process().Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	gone(t, scene, p, []string{list}, asked)
}

// The client's end while stdin stays open in somebody else's hands: PlayGuard
// notices that its parent is gone.
func TestEndOfTheParent(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal("this test needs a POSIX shell (sh) in PATH")
	}
	scene := harness.NewScene(t, harness.Setup{Upstreams: beside()})
	started := scene.Path("starts")
	scene.WriteScript("a", `{"builtins":["small"],"startFile":`+quoted(started)+`}`)
	pidFile := scene.Path("pid")
	p := scene.Blind(shell, "-c", fmt.Sprintf(`exec 3<&0; "$0" <&3 & echo $! >'%s'; exec 3<&-; wait`, pidFile))
	p.Flood([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n"))
	awaitFile(t, started, func(lines []string) bool { return len(lines) == 1 })
	asked := time.Now()
	if err := p.Process().Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	if left := harness.Remaining(scene.Dir, endLimit); len(left) > 0 {
		t.Errorf("these are left:\n%s", strings.Join(left, "\n"))
	}
	t.Logf("gone after %v", time.Since(asked).Round(time.Millisecond))
}

// SIGTERM ends it also while it waits for a client that does not read.
func TestEndWithAClientThatNeverReads(t *testing.T) {
	scene := harness.NewScene(t, harness.Setup{Upstreams: []harness.Upstream{{Name: "a", Script: `{"builtins":["big"]}`}}})
	p := scene.Blind()
	var lines strings.Builder
	const calls = 100_000
	for i := range calls {
		fmt.Fprintf(&lines, `[{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"big"}}]`+"\n", i)
	}
	if sent := p.Flood([]byte(lines.String())); sent == lines.Len() {
		t.Fatal("PlayGuard takes in everything, whether its answers are read or not")
	}
	if err := p.Process().Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if took := p.AwaitEnd(); took > endLimit {
		t.Errorf("it took %v to end", took)
	} else {
		t.Logf("gone after %v", took.Round(time.Millisecond))
	}
}
