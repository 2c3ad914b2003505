// What is answered where the script says nothing.

package scripted

import (
	"bytes"
	"fmt"
	"strconv"
)

// ownMethods returns our own answers by method; the one of "" is for a request
// of any other method.
func ownMethods(sc *script) map[string]*reply {
	one := func(v verb) *reply { return &reply{steps: []action{{do: v}}} }
	empty := one(func(s *server, c *call) { s.result(c, []byte("{}")) })
	list := func(name string, raw [][]byte) *reply {
		return one(func(s *server, c *call) { s.page(c, name, raw) })
	}
	return map[string]*reply{
		"initialize": one((*server).initialize),
		"ping":       empty,
		"tools/list": one(func(s *server, c *call) {
			s.mu.Lock()
			tools := s.tools
			s.mu.Unlock()
			s.page(c, "tools", tools)
		}),
		"tools/call":               one((*server).callListed),
		"resources/list":           list("resources", rawLines(sc.Resources)),
		"resources/templates/list": list("resourceTemplates", rawLines(sc.ResourceTemplates)),
		"prompts/list":             list("prompts", rawLines(sc.Prompts)),
		"resources/read": one(func(s *server, c *call) {
			uri := unquoted(member(c.params, "uri"))
			s.result(c, fmt.Appendf(nil, `{"contents":[{"uri":"%s","text":"%s of %s"}]}`, uri, uri, s.sc.Name))
		}),
		"resources/subscribe":   empty,
		"resources/unsubscribe": empty,
		"prompts/get": one(func(s *server, c *call) {
			s.result(c, fmt.Appendf(nil, `{"messages":[{"role":"user","content":{"type":"text","text":"%s of %s"}}]}`,
				unquoted(member(c.params, "name")), s.sc.Name))
		}),
		"completion/complete": one(func(s *server, c *call) {
			s.result(c, fmt.Appendf(nil, `{"completion":{"values":["%s-1","%s-2"]}}`, s.sc.Name, s.sc.Name))
		}),
		"logging/setLevel": empty,
		"":                 one(func(s *server, c *call) { s.fail(c, -32601, "Method not found") }),
	}
}

// initialize agrees to the version that is asked for.
func (s *server) initialize(c *call) {
	version := member(c.params, "protocolVersion")
	if version == nil {
		version = []byte(`"2025-11-25"`)
	}
	raw := append([]byte(`{"protocolVersion":`), version...)
	raw = append(append(raw, `,"capabilities":`...), s.sc.capabilities()...)
	raw = appendQuoted(append(raw, `,"serverInfo":{"name":`...), []byte(s.sc.Name))
	raw = append(appendQuoted(append(raw, `,"version":`...), []byte(s.sc.Version)), '}')
	if s.sc.Instructions != "" {
		raw = appendQuoted(append(raw, `,"instructions":`...), []byte(s.sc.Instructions))
	}
	s.result(c, append(raw, '}'))
}

// capabilities are the script's, or follow from what it lists.
func (sc *script) capabilities() []byte {
	if sc.Capabilities != nil {
		return oneLine(sc.Capabilities)
	}
	raw := []byte(`{"tools":{"listChanged":true}`)
	if len(sc.Resources)+len(sc.ResourceTemplates) > 0 {
		raw = append(raw, `,"resources":{"listChanged":true,"subscribe":true}`...)
	}
	if len(sc.Prompts) > 0 {
		raw = append(raw, `,"prompts":{"listChanged":true}`...)
	}
	return append(raw, '}')
}

// page answers one page of a list. A cursor is "from-N".
func (s *server) page(c *call, name string, list [][]byte) {
	from := 0
	if cursor, ok := bytes.CutPrefix(unquoted(member(c.params, "cursor")), []byte("from-")); ok {
		from, _ = strconv.Atoi(string(cursor))
	}
	if from < 0 || from > len(list) {
		s.fail(c, -32602, "Unknown cursor")
		return
	}
	end := len(list)
	if s.sc.PageSize > 0 {
		end = min(end, from+s.sc.PageSize)
	}
	raw := fmt.Appendf(nil, `{"%s":[`, name)
	raw = append(append(raw, bytes.Join(list[from:end], []byte(","))...), ']')
	if end < len(list) {
		raw = fmt.Appendf(raw, `,"nextCursor":"from-%d"`, end)
	}
	s.result(c, append(raw, '}'))
}

// callListed answers a listed tool for which nobody gave a reply, and refuses
// any other.
func (s *server) callListed(c *call) {
	name := member(c.params, "name")
	s.mu.Lock()
	listed := false
	for _, t := range s.tools {
		listed = listed || bytes.Equal(member(t, "name"), name)
	}
	s.mu.Unlock()
	if !listed {
		s.fail(c, -32602, "Unknown tool: "+string(unquoted(name)))
		return
	}
	s.result(c, textResult([]byte("ok")))
}
