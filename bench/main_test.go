// The command line, and the harness against the scripted upstream alone.

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/proctree"
	"github.com/playguard/playguard/test/scripted"
)

// asProgram makes the test binary run as one of the programs measured.
const asProgram = "BENCH_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	proctree.Guard() // recording the corpus may install the packages with npm
	switch os.Getenv(asProgram) {
	case "scripted":
		os.Exit(scripted.Main(os.Args[1:]))
	case "bench":
		// What the relay starts is the upstream.
		_ = os.Setenv(asProgram, "scripted")
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--help"}, 0, "-corpus folder"},
		{[]string{"--only", "size,nothing"}, 2, `no section "nothing"`},
		{[]string{"--only", "corpus", "--corpus", filepath.Join(t.TempDir(), "nothing")}, 2, "has no .txt file"},
		{[]string{"--nonsense"}, 2, "nonsense"},
	} {
		var out, stderr bytes.Buffer
		if code := run(t.Context(), c.args, &out, &stderr); code != c.code || !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%v exits %d and says %q; want %d and %q", c.args, code, &stderr, c.code, c.says)
		}
	}
	o, err := parseOptions([]string{"--json", "--only=start,size", "--quick", "--no-fail", "--corpus", "d"}, os.Stderr)
	if err != nil || !o.json || !o.quick || !o.noFail || o.corpus != "d" || strings.Join(o.only, " ") != "start size" {
		t.Errorf("got %+v, %v", o, err)
	}
}

// upstream starts the test binary as the scripted upstream, behind a relay if
// asked to.
func upstream(t *testing.T, script string, relayed bool) *peer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "script.json")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	role, args := "scripted", []string{"-script", file}
	if relayed {
		role, args = "bench", append([]string{relayCommand, self}, args...)
	}
	p, err := startPeer(t.Context(), dir, append(os.Environ(), asProgram+"="+role), self, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.stop)
	return p
}

func TestSamplesAreTakenInTurns(t *testing.T) {
	sides := []*peer{upstream(t, overheadScript, false), upstream(t, overheadScript, true)}
	for _, p := range sides {
		if err := p.handshake(); err != nil {
			t.Fatal(err)
		}
	}
	samples, err := interleave(sides, "big", turns{rounds: 3, calls: 4, warmUp: 1})
	if err != nil {
		t.Fatal(err)
	}
	rates, err := interleaveRates(sides, turns{rounds: 2, calls: 50, warmUp: 20})
	if err != nil {
		t.Fatal(err)
	}
	for i := range sides {
		if len(samples[i]) != 12 || len(rates[i]) != 2 || rates[i][0] <= 0 {
			t.Errorf("side %d has %d samples and the rates %v, want 12 and two", i, len(samples[i]), rates[i])
		}
	}
}

func TestStartIsTimed(t *testing.T) {
	var s starts
	if err := s.take(upstream(t, quickUpstream, false), nil); err != nil {
		t.Fatal(err)
	}
	if len(s.initialize) != 1 || len(s.list) != 1 || s.list[0] < s.initialize[0] {
		t.Errorf("got %v", s)
	}
	err := s.take(upstream(t, `{"tools":[]}`, false), nil)
	if err == nil || !strings.Contains(err.Error(), "lacks the upstream's tool") {
		t.Errorf("a list without the tool gives %v", err)
	}
}

func TestOddAnswersComeBackAsSent(t *testing.T) {
	script, err := bytesScript()
	if err != nil {
		t.Fatal(err)
	}
	p := upstream(t, script, true)
	for name, rest := range oddAnswers() {
		line, err := p.exchange(`"\u0041"`, `{"name":"`+name+`"}`)
		if want := `{"jsonrpc":"2.0","id":"\u0041"` + rest + "\n"; err != nil || string(line) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, line, want)
		}
	}
	for _, params := range oddRequests() {
		if _, err := p.exchange("9007199254740993", params); err != nil {
			t.Errorf("%s: %v", params, err)
		}
	}
}

func TestFailuresAreExplained(t *testing.T) {
	p := upstream(t, `{"calls":{"small":[{"stderr":{"text":"out of luck"}},{"exit":1}],"e":[{"error":{"code":-1,"message":"no"}}]}}`, false)
	if _, err := p.call("e"); err == nil || !strings.Contains(err.Error(), `"message":"no"`) {
		t.Errorf("an error answer gives %v", err)
	}
	if _, err := p.call("small"); err == nil || !strings.Contains(err.Error(), "the connection to") {
		t.Errorf("a dead upstream gives %v", err)
	}
}
