// Turning a script's steps into actions.

package scripted

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// compileAll compiles the replies of one table.
func compileAll(what string, table map[string][]step) (map[string]*reply, error) {
	out := make(map[string]*reply, len(table))
	for name, steps := range table {
		r, err := compile(steps)
		if err != nil {
			return nil, fmt.Errorf("%s, %q: %w", what, name, err)
		}
		out[name] = r
	}
	return out, nil
}

// compile compiles one reply.
func compile(steps []step) (*reply, error) {
	r := &reply{}
	for i, st := range steps {
		verbs := st.verbs()
		if len(verbs) != 1 {
			return nil, fmt.Errorf("step %d has %d verbs; it must have exactly one of those that the package comment of test/scripted lists", i+1, len(verbs))
		}
		if st.Reply != "" {
			if _, ok := builtinNamed(st.Reply); !ok {
				return nil, fmt.Errorf("step %d names the reply %q, which is no built-in tool", i+1, st.Reply)
			}
		}
		if st.Request != nil && st.Request.ID == nil {
			return nil, fmt.Errorf("step %d is a request without an id; give it one", i+1)
		}
		r.steps = append(r.steps, action{verbs[0], st.OnCall, st.OnStart})
		r.waits = r.waits || st.waits()
	}
	return r, nil
}

// waits reports whether the step may take its time.
func (st *step) waits() bool {
	if b, ok := builtinNamed(st.Reply); ok {
		return b.waits
	}
	asks := st.Request != nil && (st.Request.Wait == nil || *st.Request.Wait)
	return asks || st.DelayMs > 0 || st.AwaitCancel
}

// verbs returns what the step's members say to do.
func (st *step) verbs() []verb {
	var list []verb
	add := func(given bool, v verb) {
		if given {
			list = append(list, v)
		}
	}
	add(st.Default, func(s *server, c *call) {
		c.depth++
		s.take(c)
		c.depth--
	})
	add(st.Result != nil, response(`,"result":`, st.Result))
	add(st.Error != nil, response(`,"error":`, st.Error))
	if st.Text != nil {
		t := parseTemplate(*st.Text)
		add(true, func(s *server, c *call) { s.result(c, textResult(t.appendTo(nil, c))) })
	}
	add(st.Big != 0, func(s *server, c *call) { s.result(c, s.big(st.Big)) })
	if b, ok := builtinNamed(st.Reply); ok {
		add(true, b.do)
	} else {
		add(st.Reply != "", nil)
	}
	if st.Line != nil {
		add(true, written(*st.Line+"\n"))
	}
	if st.Write != nil {
		add(true, written(*st.Write))
	}
	add(st.Base64 != nil, func(s *server, c *call) { s.out.write(!c.inline, st.Base64) })
	add(st.Progress != nil, st.sendProgress())
	if st.Notify != nil {
		add(true, st.Notify.send)
	}
	if st.Request != nil {
		add(true, st.Request.ask)
	}
	if st.SetTools != nil {
		add(true, func(s *server, _ *call) { s.setTools(rawLines(*st.SetTools)) })
	}
	add(st.DelayMs > 0, func(_ *server, c *call) { pause(c, time.Duration(st.DelayMs)*time.Millisecond) })
	add(st.AwaitCancel, func(_ *server, c *call) { <-c.ctx.Done() })
	add(st.Hang, hang)
	add(st.CloseStdout, func(s *server, _ *call) { s.out.close() })
	if st.Stderr != nil {
		add(true, st.Stderr.write)
	}
	add(st.GrandchildMs > 0, st.grandchild)
	if st.Exit != nil {
		add(true, func(s *server, _ *call) { s.exit(*st.Exit) })
	}
	return list
}

// response answers with a raw value, its places filled.
func response(member string, raw []byte) verb {
	t := rawTemplate(raw)
	if len(t.places) == 0 {
		raw = []byte(t.literals[0])
		return func(s *server, c *call) { s.respond(c, member, raw) }
	}
	return func(s *server, c *call) { s.respond(c, member, t.appendTo(nil, c)) }
}

// written writes a text, its places filled.
func written(text string) verb {
	t := parseTemplate(text)
	return func(s *server, c *call) { s.out.write(!c.inline, t.appendTo(nil, c)) }
}

func (st *step) sendProgress() verb {
	members := bytes.TrimSpace(st.Progress)
	if len(members) >= 2 {
		members = members[1 : len(members)-1]
	}
	t := rawTemplate(members)
	return func(s *server, c *call) { s.progress(c, t.appendTo(nil, c)) }
}

// filled returns the raw params with their places filled, nil without any.
func (o *outgoing) filled(c *call) []byte {
	if o.Params == nil {
		return nil
	}
	return rawTemplate(o.Params).appendTo(nil, c)
}

func (o *outgoing) send(s *server, c *call) { s.send(nil, o.Method, o.filled(c)) }

func (o *outgoing) ask(s *server, c *call) {
	id := rawTemplate(o.ID).appendTo(nil, c)
	s.ask(c, id, o.Method, o.filled(c), o.Wait == nil || *o.Wait)
}

// write fills standard error.
func (f *flood) write(s *server, _ *call) {
	s.out.flush()
	line := []byte(f.Text + "\n")
	for n := 0; n == 0 || n < f.Bytes; n += len(line) {
		if _, err := os.Stderr.Write(line); err != nil {
			return
		}
	}
}

// grandchild starts this program again, as something that only holds standard
// output for a time. Nobody waits for it: that is the fault it stands for.
func (st *step) grandchild(s *server, _ *call) {
	s.out.flush()
	if _, err := startHolder(st.GrandchildMs); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// startHolder starts the process of [step.grandchild] and returns its id.
func startHolder(ms int) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("cannot start a grandchild: %w", err)
	}
	cmd := exec.Command(self, "-hold", strconv.Itoa(ms))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("cannot start a grandchild: %w", err)
	}
	pid := cmd.Process.Pid
	return pid, cmd.Process.Release()
}

// hang stops the goroutine that takes the step, for good.
func hang(s *server, _ *call) {
	s.out.flush()
	for {
		time.Sleep(time.Hour)
	}
}

// pause waits, but not beyond the end of the call.
func pause(c *call, d time.Duration) {
	select {
	case <-time.After(d):
	case <-c.ctx.Done():
	}
}

// exit ends the process with what was written so far sent.
func (s *server) exit(code int) {
	s.out.flush()
	os.Exit(code)
}
