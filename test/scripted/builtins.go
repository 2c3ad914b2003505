// The built-in tools.

package scripted

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// builtin is a tool that needs no script.
type builtin struct {
	name        string
	description string
	properties  string // raw members of its inputSchema's properties
	waits       bool
	do          verb
}

// definition is the raw entry of tools/list.
func (b builtin) definition(prefix string) []byte {
	return fmt.Appendf(nil, `{"name":"%s%s","description":"%s","inputSchema":{"type":"object","properties":{%s}}}`,
		prefix, b.name, b.description, b.properties)
}

func builtinNamed(name string) (builtin, bool) {
	for _, b := range builtins() {
		if b.name == name {
			return b, true
		}
	}
	return builtin{}, false
}

func builtins() []builtin {
	return []builtin{
		{"small", "Answers ok.", ``, false, response(`,"result":`, textResult([]byte("ok")))},
		{"big", "Answers a large text shaped like a snapshot.", `"bytes":{"type":"integer"}`, false, func(s *server, c *call) {
			s.result(c, s.big(c.number("bytes", s.sc.BigBytes)))
		}},
		{"echo", "Answers the raw params.", ``, false, func(s *server, c *call) {
			s.result(c, textResult(c.value("params")))
		}},
		{"log", "Answers every line received.", ``, false, lines(func(s *server) [][]byte { return s.received })},
		{"cancelled", "Answers every notifications/cancelled received.", ``, false, lines(func(s *server) [][]byte { return s.cancelled })},
		{"answers", "Answers every answer received.", ``, false, lines(func(s *server) [][]byte { return s.answers })},
		{"ask", "Sends a request to the client and answers its answer.", `"id":{},"method":{"type":"string"},"params":{}`, true, func(s *server, c *call) {
			s.ask(c, c.argument("id"), string(unquoted(c.argument("method"))), c.argument("params"), true)
			s.result(c, textResult(c.value("answer")))
		}},
		{"notify", "Sends a notification, then answers.", `"method":{"type":"string"},"params":{}`, false, func(s *server, c *call) {
			s.send(nil, string(unquoted(c.argument("method"))), c.argument("params"))
			s.result(c, textResult([]byte("sent")))
		}},
		{"progress", "Sends progress notifications, then answers.", `"count":{"type":"integer"}`, false, func(s *server, c *call) {
			count := c.number("count", 3)
			for i := 1; i <= count; i++ {
				s.progress(c, fmt.Appendf(nil, `"progress":%d,"total":%d,"message":"step %d"`, i, count, i))
			}
			s.result(c, textResult([]byte("done")))
		}},
		{"wait", "Waits until it is cancelled.", `"answer":{"type":"boolean"}`, true, func(s *server, c *call) {
			<-c.ctx.Done()
			if string(c.argument("answer")) == "true" {
				s.result(c, textResult([]byte("late")))
			}
		}},
		{"sleep", "Answers after a time.", `"ms":{"type":"integer"}`, true, func(s *server, c *call) {
			pause(c, time.Duration(c.number("ms", 0))*time.Millisecond)
			s.result(c, textResult([]byte("slept")))
		}},
		{"set_tools", "Replaces the list of tools.", `"tools":{"type":"array","items":{"type":"object"}}`, false, func(s *server, c *call) {
			var list [][]byte
			for _, t := range elements(c.argument("tools")) {
				list = append(list, bytes.Clone(t))
			}
			s.setTools(list)
			s.send(nil, "notifications/tools/list_changed", nil)
			s.result(c, textResult([]byte("changed")))
		}},
		{"pid", "Answers its process id.", ``, false, func(s *server, c *call) {
			s.result(c, textResult(strconv.AppendInt(nil, int64(os.Getpid()), 10)))
		}},
		{"env", "Answers its environment.", ``, false, func(s *server, c *call) {
			s.result(c, textResult([]byte(strings.Join(os.Environ(), "\n"))))
		}},
		{"exit", "Exits without an answer.", `"code":{"type":"integer"}`, false, func(s *server, c *call) {
			s.exit(c.number("code", 0))
		}},
	}
}

// lines answers a list kept by the server as text, one entry per line.
func lines(of func(*server) [][]byte) verb {
	return func(s *server, c *call) {
		s.mu.Lock()
		text := bytes.Join(of(s), []byte("\n"))
		s.mu.Unlock()
		s.result(c, textResult(text))
	}
}
