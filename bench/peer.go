// A client on the other end of a pipe that costs as little as can be.

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// peer is a running server. One goroutine writes a line and reads its answer, so
// that no goroutine switch of ours is measured.
type peer struct {
	name    string
	cmd     *exec.Cmd
	started time.Time
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  *tail
	lastID  int
	line    []byte // reused for requests
}

// startPeer starts the program. Its end is the context's, or stop.
func startPeer(ctx context.Context, dir string, env []string, program string, args ...string) (*peer, error) {
	p := &peer{name: filepath.Base(program), cmd: exec.CommandContext(ctx, program, args...), stderr: &tail{}}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = dir, env, p.stderr
	p.cmd.WaitDelay = 5 * time.Second
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	p.started = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", p.name, err)
	}
	return p, nil
}

// stop closes the input and waits for the end, at most five seconds.
func (p *peer) stop() {
	_ = p.in.Close()
	kill := time.AfterFunc(5*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	_ = p.cmd.Wait()
}

// handshake does what every client does first. Proxied upstreams are started by
// the first call, which is the caller's.
func (p *peer) handshake() error {
	if _, err := p.initialize(); err != nil {
		return err
	}
	_, err := p.request("tools/list", "{}")
	return err
}

// initialize returns how long after the start of the process its answer came.
func (p *peer) initialize() (time.Duration, error) {
	_, err := p.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
	if err != nil {
		return 0, err
	}
	took := time.Since(p.started)
	_, err = io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return took, err
}

// request sends one request and returns the line of its answer, valid until the
// next read.
func (p *peer) request(method, params string) ([]byte, error) {
	if err := p.send(method, params); err != nil {
		return nil, err
	}
	return p.receive(strconv.Itoa(p.lastID))
}

// call calls a tool.
func (p *peer) call(tool string) ([]byte, error) {
	return p.request("tools/call", `{"name":"`+tool+`","arguments":{}}`)
}

func (p *peer) send(method, params string) error {
	p.lastID++
	p.line = append(p.line[:0], `{"jsonrpc":"2.0","id":`...)
	p.line = strconv.AppendInt(p.line, int64(p.lastID), 10)
	p.line = append(append(p.line, `,"method":"`...), method...)
	p.line = append(append(append(p.line, `","params":`...), params...), '}', '\n')
	if _, err := p.in.Write(p.line); err != nil {
		return p.failed(err)
	}
	return nil
}

// receive reads lines until the answer with this raw id comes; others (log
// messages, list_changed) are passed over.
func (p *peer) receive(id string) ([]byte, error) {
	usual := `{"jsonrpc":"2.0","id":` + id + `,`
	for {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			return nil, p.failed(err)
		}
		if len(line) > len(usual) && string(line[:len(usual)]) == usual || answers(line, id) {
			if bytes.Contains(line[:min(len(line), 200)], []byte(`"error":{`)) {
				return nil, fmt.Errorf("%s answered with an error: %s", p.name, line)
			}
			return line, nil
		}
	}
}

// answers reports whether the line is an answer with the raw id, however its
// members are ordered.
func answers(line []byte, id string) bool {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
	}
	return json.Unmarshal(line, &m) == nil && m.Method == nil && string(m.ID) == id
}

// pipeline makes so many calls with several in flight at once, and returns how
// long it took.
func (p *peer) pipeline(tool string, calls, inFlight int) (time.Duration, error) {
	params := `{"name":"` + tool + `","arguments":{}}`
	start := time.Now()
	for range inFlight {
		if err := p.send("tools/call", params); err != nil {
			return 0, err
		}
	}
	sent := inFlight
	for got := 0; got < calls; {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			return 0, p.failed(err)
		}
		if !bytes.Contains(line, []byte(`"result"`)) {
			continue
		}
		got++
		if sent < calls {
			sent++
			if err := p.send("tools/call", params); err != nil {
				return 0, err
			}
		}
	}
	return time.Since(start), nil
}

// failed explains a broken pipe with what the program said last.
func (p *peer) failed(err error) error {
	if errors.Is(err, bufio.ErrBufferFull) {
		return fmt.Errorf("%s sent a line of more than 1 MB, which no measurement asks for", p.name)
	}
	return fmt.Errorf("the connection to %s ended: %w; its last words: %s", p.name, err, p.stderr)
}

// failedCall reports whether the line is a tool's answer about its failure.
func failedCall(line []byte) bool {
	var m struct {
		Result struct {
			IsError bool `json:"isError"`
		} `json:"result"`
	}
	return json.Unmarshal(line, &m) != nil || m.Result.IsError
}
