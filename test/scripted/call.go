// What a step can read of its call, and the lines it can write.

package scripted

import "strconv"

// value returns the raw bytes for a template's place.
func (c *call) value(place string) []byte {
	var v []byte
	switch place {
	case "id":
		v = c.id
	case "method":
		v = c.method
	case "params":
		v = c.params
	case "arguments":
		v = member(c.params, "arguments")
	case "token":
		v = c.token()
	case "answer":
		v = c.answer
	}
	if v == nil {
		return []byte("null")
	}
	return v
}

// token is the caller's raw progress token, or nil.
func (c *call) token() []byte { return member(member(c.params, "_meta"), "progressToken") }

// argument is the raw value of one argument of a tools/call, or nil.
func (c *call) argument(name string) []byte {
	return member(member(c.params, "arguments"), name)
}

// number is an argument as a number, or otherwise if it is none.
func (c *call) number(name string, otherwise int) int {
	if n, err := strconv.Atoi(string(c.argument(name))); err == nil {
		return n
	}
	return otherwise
}

// result answers the request with a raw result.
func (s *server) result(c *call, raw []byte) { s.respond(c, `,"result":`, raw) }

// fail answers the request with an error.
func (s *server) fail(c *call, code int, text string) {
	raw := append([]byte(`{"code":`), strconv.Itoa(code)...)
	raw = appendQuoted(append(raw, `,"message":`...), []byte(text))
	s.respond(c, `,"error":`, append(raw, '}'))
}

func (s *server) respond(c *call, member string, raw []byte) {
	s.out.write(!c.inline, []byte(`{"jsonrpc":"2.0","id":`), c.value("id"), []byte(member), raw, []byte("}\n"))
}

// send writes a notification, or a request when there is an id.
func (s *server) send(id []byte, method string, params []byte) {
	line := []byte(`{"jsonrpc":"2.0"`)
	if id != nil {
		line = append(append(line, `,"id":`...), id...)
	}
	line = append(append(append(line, `,"method":"`...), method...), '"')
	if params != nil {
		line = append(append(line, `,"params":`...), params...)
	}
	s.out.write(true, append(line, '}', '\n'))
}

// progress sends notifications/progress with the caller's token before the raw
// members; nothing if the caller gave no token.
func (s *server) progress(c *call, members []byte) {
	token := c.token()
	if token == nil {
		return
	}
	params := append([]byte(`{"progressToken":`), token...)
	s.send(nil, "notifications/progress", append(append(append(params, ','), members...), '}'))
}

// ask sends a request to the client and, if told to, waits for the answer or
// the end of the call. The answer is kept in the call.
func (s *server) ask(c *call, id []byte, method string, params []byte, wait bool) {
	ch := make(chan []byte, 1)
	s.mu.Lock()
	s.asked[string(id)] = ch
	s.mu.Unlock()
	s.send(id, method, params)
	if !wait {
		return
	}
	select {
	case c.answer = <-ch:
	case <-c.ctx.Done():
	}
}

// setTools replaces the list of tools.
func (s *server) setTools(list [][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools = list
}

// big returns the result of the tool big with so many bytes of quoted text.
func (s *server) big(size int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	raw := s.bigs[size]
	if raw == nil {
		raw = bigResult(size)
		s.bigs[size] = raw
	}
	return raw
}
