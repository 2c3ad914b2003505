// The program, run as a client runs it.

package scripted

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// asProgram makes the test binary run as the program under test.
const asProgram = "SCRIPTED_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// peer is a running program with its pipes.
type peer struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *bytes.Buffer
}

func start(t *testing.T, script string) *peer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{t: t, cmd: exec.Command(self, "-e", script), stderr: &bytes.Buffer{}}
	p.cmd.Env = append(os.Environ(), asProgram+"=1")
	p.cmd.Stderr = p.stderr
	p.cmd.WaitDelay = 10 * time.Second
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	return p
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// line returns the next line without its end; io.EOF shows as "EOF".
func (p *peer) line() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if errors.Is(err, io.EOF) {
		return line + "EOF"
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (p *peer) want(lines ...string) {
	p.t.Helper()
	for _, w := range lines {
		if got := p.line(); got != w {
			p.t.Fatalf("got the line\n%s\nwant\n%s", got, w)
		}
	}
}

// text returns the text of the next line's result.
func (p *peer) text() string {
	p.t.Helper()
	line := p.line()
	var m struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil || len(m.Result.Content) != 1 {
		p.t.Fatalf("%v: no text in %s", err, line)
	}
	return m.Result.Content[0].Text
}

// exitCode closes the input and waits for the end.
func (p *peer) exitCode() int {
	p.t.Helper()
	_ = p.in.Close()
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

func toolCall(id, name, rest string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s"%s}}`, id, name, rest)
}

func result(id, raw string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, raw)
}

func text(id, s string) string { return result(id, `{"content":[{"type":"text","text":"`+s+`"}]}`) }

func TestCancellation(t *testing.T) {
	p := start(t, `{"calls":{"slow":[{"awaitCancel":true},{"text":"late"}]}}`)
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q","reason":"<enough>"}}`
	p.send(toolCall(`"q"`, "wait", ""), toolCall("8", "slow", ""), toolCall("7", "small", ""))
	p.want(text("7", "ok"))
	p.send(cancel, toolCall("9", "cancelled", ""))
	if got := p.text(); got != cancel {
		t.Errorf("cancelled says %s, want %s", got, cancel)
	}
	p.send(`{"method":"notifications/cancelled","params":{"requestId":8}}`)
	p.want(text("8", "late"))
}

func TestReverseRequests(t *testing.T) {
	p := start(t, `{"calls":{"r":[{"request":{"id":"x","method":"roots/list"}},{"text":"${answer}"}],
		"both":[{"request":{"id":1,"method":"ping","wait":false}},{"request":{"id":"1","method":"sampling/createMessage","params":{"n":"${id}"}}},{"result":{"a":"${answer}"}}]}}`)
	p.send(toolCall("1", "r", ""))
	p.want(`{"jsonrpc":"2.0","id":"x","method":"roots/list"}`)
	answer := `{"jsonrpc":"2.0","id":"x","result":{"roots" : []}}`
	p.send(answer)
	if got := p.text(); got != answer {
		t.Errorf("got %s, want %s", got, answer)
	}
	p.send(toolCall("2", "ask", `,"arguments":{"id":12345678901234567890,"method":"elicitation/create","params":{"z":1}}`))
	p.want(`{"jsonrpc":"2.0","id":12345678901234567890,"method":"elicitation/create","params":{"z":1}}`)
	refusal := `{"id":12345678901234567890,"error":{"code":-1,"message":"no"}}`
	p.send(refusal)
	if got := p.text(); got != refusal {
		t.Errorf("got %s, want %s", got, refusal)
	}
	p.send(toolCall("3", "both", ""))
	p.want(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":"1","method":"sampling/createMessage","params":{"n":3}}`)
	number, str := `{"id":1,"result":{}}`, `{"id":"1","result":{"x":1}}`
	p.send(number, str)
	p.want(result("3", `{"a":`+str+`}`))
	p.send(toolCall("3", "answers", ""))
	if got, want := p.text(), strings.Join([]string{answer, refusal, number, str}, "\n"); got != want {
		t.Errorf("answers says %s, want %s", got, want)
	}
}

func TestBigAnswersHaveTheirSize(t *testing.T) {
	p := start(t, `{"bigBytes":1000,"calls":{"b":[{"big":317}]}}`)
	empty := len(text("1", ""))
	for _, c := range []struct {
		line string
		size int
	}{
		{toolCall("1", "b", ""), 317},
		{toolCall("2", "big", ""), 1000},
		{toolCall("3", "big", `,"arguments":{"bytes":316000}`), 316000},
		{toolCall("4", "big", `,"arguments":{"bytes":68157440}`), 65 << 20},
		{toolCall("5", "big", `,"arguments":{"bytes":1}`), 256},
	} {
		p.send(c.line)
		line := p.line()
		if got := len(line) - empty + 2; got != c.size {
			t.Errorf("%s gave %d bytes of quoted text, want %d", c.line, got, c.size)
		}
		if !json.Valid([]byte(line)) {
			t.Errorf("%s gave invalid JSON", c.line)
		}
	}
}

func TestLogKeepsWhatCameIn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lines")
	p := start(t, fmt.Sprintf(`{"logFile":%q}`, file))
	lines := []string{"not json", `{"method":"notifications/x",  "params":{"a":9007199254740993}}`, strings.Repeat("x", 3<<20), toolCall("1", "log", "")}
	p.send(lines...)
	if got, want := p.text(), strings.Join(lines, "\n"); got != want {
		t.Errorf("log differs from what was sent: %d bytes, want %d", len(got), len(want))
	}
	if code := p.exitCode(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != strings.Join(lines, "\n")+"\n" {
		t.Errorf("logFile has %d bytes (%v)", len(got), err)
	}
}

func TestEnds(t *testing.T) {
	half := base64.StdEncoding.EncodeToString([]byte("{\"a\":\"\xff\xfe\n"))
	for _, c := range []struct {
		name, script, send string
		want               []string
		code               int
	}{
		{"exit in a call", `{"calls":{"t":[{"exit":3}]}}`, toolCall("1", "t", ""), []string{"EOF"}, 3},
		{"exit tool", `{}`, toolCall("1", "exit", `,"arguments":{"code":4}`), []string{"EOF"}, 4},
		{"exit after calls", `{"afterCalls":{"count":2,"do":[{"exit":5}]}}`, toolCall("1", "small", "") + "\n" + toolCall("2", "small", ""), []string{text("1", "ok"), text("2", "ok"), "EOF"}, 5},
		{"half a line", `{"calls":{"t":[{"write":"{\"jsonrpc\":"},{"exit":6}]}}`, toolCall("1", "t", ""), []string{`{"jsonrpc":EOF`}, 6},
		{"invalid UTF-8", `{"calls":{"t":[{"base64":"` + half + `"},{"exit":7}]}}`, toolCall("1", "t", ""), []string{"{\"a\":\"\xff\xfe", "EOF"}, 7},
		{"standard output closed", `{"calls":{"t":[{"closeStdout":true}]},"eof":[{"exit":8}]}`, toolCall("1", "t", ""), []string{"EOF"}, 8},
		{"signals ignored", `{"ignoreSignals":true,"start":[{"line":"up"}],"eof":[{"delayMs":1},{"exit":9}]}`, "", []string{"up"}, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, c.script)
			if c.send != "" {
				p.send(c.send)
			}
			p.want(c.want...)
			if code := p.exitCode(); code != c.code {
				t.Errorf("exit code %d, want %d; stderr: %s", code, c.code, p.stderr)
			}
		})
	}
}

func TestHangStopsReading(t *testing.T) {
	p := start(t, `{"calls":{"h":[{"text":"last"},{"hang":true}]},"lifeSeconds":60}`)
	p.send(toolCall("1", "h", ""))
	p.want(text("1", "last"))
	// A pipe holds 64 KB and the reader's buffer 1 MB; more than that can be
	// written only to a program that reads.
	done := make(chan error, 1)
	go func() {
		_, err := p.in.Write(bytes.Repeat([]byte("x"), 4<<20))
		done <- err
	}()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil {
		t.Error("4 MB were read by a program that hangs")
	}
}

func TestStderrFlood(t *testing.T) {
	p := start(t, `{"start":[{"stderr":{"text":"noise","bytes":300000}},{"stderr":{"text":"once"}}]}`)
	p.send(toolCall("1", "small", ""))
	p.want(text("1", "ok"))
	if code := p.exitCode(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if got, want := p.stderr.String(), strings.Repeat("noise\n", 50000)+"once\n"; got != want {
		t.Errorf("standard error has %d bytes, want %d", len(got), len(want))
	}
}

func TestStartsAreCounted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "starts")
	script := fmt.Sprintf(`{"startFile":%q,"start":[{"exit":3,"onStart":1}]}`, file)
	if code := start(t, script).exitCode(); code != 3 {
		t.Errorf("the first start exits %d, want 3", code)
	}
	p := start(t, script)
	p.send(toolCall("1", "pid", ""))
	pid := p.text()
	if pid != strconv.Itoa(p.cmd.Process.Pid) {
		t.Errorf("pid says %s, want %d", pid, p.cmd.Process.Pid)
	}
	if got, err := os.ReadFile(file); err != nil || !strings.HasSuffix(string(got), "\n"+pid+"\n") {
		t.Errorf("startFile has %q (%v), want the process id last", got, err)
	}
}

func TestGrandchildHoldsStdout(t *testing.T) {
	p := start(t, `{"calls":{"g":[{"grandchildMs":300},{"exit":0}]}}`)
	p.send(toolCall("1", "g", ""))
	if _, err := p.cmd.Process.Wait(); err != nil {
		t.Fatal(err)
	}
	// Standard output ends only when the grandchild is gone too.
	p.want("EOF")
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SCRIPTED_TEST_VALUE", "a b")
	p := start(t, `{}`)
	p.send(toolCall("1", "env", ""))
	if got := p.text(); !strings.Contains("\n"+got+"\n", "\nSCRIPTED_TEST_VALUE=a b\n") {
		t.Errorf("env lacks the variable: %s", got)
	}
}

func TestArguments(t *testing.T) {
	o, err := parseArgs([]string{"--codegen", "none", "-e", "{}", "--headless", "-script", "f", "-hold", "20"})
	if want := (options{"f", "{}", 20 * time.Millisecond}); err != nil || o != want {
		t.Errorf("got %v, %v, want %v", o, err, want)
	}
	for _, args := range [][]string{{"-e"}, {"-hold", "x"}} {
		if _, err := parseArgs(args); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}

func TestBadScripts(t *testing.T) {
	for script, want := range map[string]string{
		`{"nme":1}`:            "nme",
		`{} x`:                 "after its closing brace",
		`{"calls":{"t":[{}]}}`: "has 0 verbs",
		`{"calls":{"t":[{"exit":1,"text":"x"}]}}`:    "has 2 verbs",
		`{"start":[{"reply":"nothing"}]}`:            "no built-in tool",
		`{"builtins":["nothing"]}`:                   "no built-in tool",
		`{"eof":[{"request":{"method":"ping"}}]}`:    "without an id",
		`{"afterCalls":{"count":1,"do":[{},{}]}}`:    "afterCalls",
		`{"startFile":"/nowhere/at/all"}`:            "startFile",
		`{"logFile":"/nowhere/at/all"}`:              "logFile",
		`{"methods":{"tools/list":[{"default":true}`: "not valid",
	} {
		p := start(t, script)
		if code := p.exitCode(); code != 2 || !strings.Contains(p.stderr.String(), want) {
			t.Errorf("%s exits %d and says %q; want 2 and %q", script, code, p.stderr, want)
		}
	}
}
