package main

// The command line, as a user types it: each file in testdata/script is one
// session. They need neither network nor browser.

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"playguard": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			// Nothing outside the script's folder is read or written.
			for _, kind := range []string{"CACHE", "CONFIG", "DATA", "STATE"} {
				e.Setenv("XDG_"+kind+"_HOME", e.WorkDir+"/.xdg")
			}
			e.Setenv("PLAYGUARD_DATA_DIR", e.WorkDir+"/data")
			e.Setenv("PLAYGUARD_PROJECT_ROOT", e.WorkDir)
			e.Setenv("PLAYGUARD_AUTO_INSTALL", "false")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"protocol": protocol, "fields": fields, "status": status},
	})
}

// status N PROGRAM... runs a program that must end with the exit code N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE PROGRAM ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	if exited, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exited.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("the exit code is %d instead of %d", code, want)
	}
}

// protocol N fails unless the last command's stdout is N lines of JSON-RPC.
func protocol(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: protocol LINES")
	}
	lines := bytes.Split(bytes.TrimSuffix([]byte(ts.ReadFile("stdout")), []byte("\n")), []byte("\n"))
	if want, err := strconv.Atoi(args[0]); err != nil || len(lines) != want {
		ts.Fatalf("stdout has %d lines instead of %s", len(lines), args[0])
	}
	for _, line := range lines {
		var m struct{ JSONRPC string }
		if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
			ts.Fatalf("stdout holds %q, which is no message", line)
		}
	}
}

// fields NAME... fails unless the last command's stdout is one JSON object with
// exactly these members, the figures among them positive and in order.
func fields(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: fields NAME...")
	}
	var all map[string]json.RawMessage
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &all))
	for _, name := range args {
		if all[name] == nil {
			ts.Fatalf("the member %s is missing", name)
		}
	}
	if len(all) != len(args) {
		ts.Fatalf("there are %d members instead of %d", len(all), len(args))
	}
	var c compacted
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &c))
	if c.KeptBytes != len(c.Text) || c.KeptBytes > c.RawBytes || c.KeptLines > c.RawLines {
		ts.Fatalf("the figures do not agree: %+v", c)
	}
}
