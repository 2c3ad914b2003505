package proxy

// The upstreams' messages: their requests to the client, and notifications.

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// reversed is a request of an upstream that the client has not answered yet.
type reversed struct {
	up    *upstream.Upstream
	id    []byte // as the upstream wrote it
	token []byte // the upstream's progress token, nil without one
	as    []byte // the token the client was given, if another
}

// InitializeParams tells an upstream what the client told PlayGuard, less the
// capabilities that its row withholds.
func (s *Session) InitializeParams(u *upstream.Upstream) []byte {
	s.mu.Lock()
	params, version := s.initialize, s.version
	s.mu.Unlock()
	params = jsonrpc.SetMember(params, "protocolVersion", jsonrpc.Quote(version))
	capabilities, ok := jsonrpc.Member(params, "capabilities")
	if !ok || capabilities[0] != '{' {
		return jsonrpc.SetMember(params, "capabilities", []byte(`{}`))
	}
	for _, name := range u.Spec.Withhold {
		capabilities = jsonrpc.DeleteMember(capabilities, name)
	}
	return jsonrpc.SetMember(params, "capabilities", capabilities)
}

// Started brings a started upstream to where the session is.
func (s *Session) Started(u *upstream.Upstream, server []byte) []*upstream.Request {
	return s.restore(u, server)
}

// Ended takes back what a vanished upstream still wanted from the client, and
// lets nobody wait any longer for the lists of one that could not be started.
func (s *Session) Ended(u *upstream.Upstream, err error) {
	s.mu.Lock()
	var void []int64
	for id, r := range s.reverse {
		if r.up == u {
			void = append(void, id)
			delete(s.reverse, id)
		}
	}
	if err != nil {
		s.sources[s.index[u]].failure = err.Error()
		s.sources[s.index[u]].settle()
	}
	s.mu.Unlock()
	for _, id := range void {
		params := append([]byte(nil), `{"reason":"the server ended","requestId":`...)
		s.toClient(jsonrpc.NewNotification(mcp.Cancelled, append(jsonrpc.AppendInt(params, id), '}')))
	}
}

// maxHeld is how many bytes of upstreams' messages are held back for a client
// that does not say that it is initialized.
const maxHeld = 1 << 20

// toClient sends a message of an upstream to the client, in the order of the
// calls. Before the client is initialized it is held back (lifecycle: a server
// asks nothing before that).
func (s *Session) toClient(line []byte) {
	s.mu.Lock()
	if !s.initialized && s.heldBytes+len(line) <= maxHeld {
		s.held = append(s.held, line)
		s.heldBytes += len(line)
		s.mu.Unlock()
		return
	}
	s.release()
	s.mu.Unlock()
	_ = s.client.SendWait(line) // a client that is gone ends the session elsewhere
}

// clientReady notes that the client is initialized.
func (s *Session) clientReady() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.initialized = true
	s.release()
}

// release sends what was held back. Called with mu, so that nothing overtakes
// it; it does not wait, since so little always fits the queue.
func (s *Session) release() {
	for _, line := range s.held {
		_ = s.client.Send(line) // a client that is gone ends the session elsewhere
	}
	s.held, s.heldBytes = nil, 0
}

// Message handles a request or a notification of an upstream, in the order of
// reading.
func (s *Session) Message(u *upstream.Upstream, m jsonrpc.Message) {
	method := m.MethodName()
	if m.Kind() == jsonrpc.Request {
		s.reverseRequest(u, m, method)
		return
	}
	switch method {
	case mcp.ToolsChanged, mcp.ResourcesChanged, mcp.PromptsChanged:
		s.refresh(u)
	case mcp.Cancelled:
		s.reverseCancelled(u, m)
	default:
		s.toClient(m.Raw)
	}
}

// reverseRequest hands a request of an upstream to the client under an id of
// the session's own, if the client can answer it.
func (s *Session) reverseRequest(u *upstream.Upstream, m jsonrpc.Message, method string) {
	id := slices.Clone(m.Bytes(m.ID))
	if method == mcp.Ping {
		u.Post(jsonrpc.NewResult(id, []byte(`{}`)))
		return
	}
	if !s.clientCan(u, method) {
		u.Post(jsonrpc.NewError(id, &jsonrpc.RPCError{Code: jsonrpc.CodeMethodNotFound, Message: "The client does not support " + method + "."}))
		return
	}
	r := &reversed{up: u, id: id, token: progressToken(m.Bytes(m.Params))}
	s.mu.Lock()
	if s.ending {
		s.mu.Unlock()
		return
	}
	s.lastReverse++
	own := s.lastReverse
	for _, other := range s.reverse {
		if r.token != nil && bytes.Equal(other.token, r.token) {
			r.as = jsonrpc.Quote(u.Spec.Name + "-" + strconv.FormatInt(own, 10))
		}
	}
	s.reverse[own] = r
	s.mu.Unlock()
	if r.as != nil {
		m = withToken(m, r.as)
	}
	s.toClient(jsonrpc.Splice(m.Raw, m.ID, jsonrpc.AppendInt(nil, own)))
}

// withToken gives a request another progress token.
func withToken(m jsonrpc.Message, token []byte) jsonrpc.Message {
	params := m.Bytes(m.Params)
	meta, _ := jsonrpc.Member(params, "_meta")
	return withParams(m, jsonrpc.SetMember(params, "_meta", jsonrpc.SetMember(meta, "progressToken", token)))
}

// clientCan reports whether the client declared what a request of an upstream
// needs, and the upstream was told so.
func (s *Session) clientCan(u *upstream.Upstream, method string) bool {
	need := mcp.NeededFromClient(method)
	if need == "" {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	capabilities, _ := jsonrpc.Member(s.initialize, "capabilities")
	return mcp.Has(capabilities, need) && !slices.Contains(u.Spec.Withhold, need)
}

// reverseAnswer brings the client's response back to the upstream that asked.
func (s *Session) reverseAnswer(m jsonrpc.Message) {
	id, err := strconv.ParseInt(string(m.Bytes(m.ID)), 10, 64)
	s.mu.Lock()
	r := s.reverse[id]
	delete(s.reverse, id)
	s.mu.Unlock()
	if err != nil || r == nil {
		s.log.Info("a response of the client to no request was dropped", "id", string(m.Bytes(m.ID)))
		return
	}
	r.up.Post(jsonrpc.Splice(m.Raw, m.ID, r.id))
}

// reverseProgress brings the client's progress to the upstream whose request it
// is about, under the upstream's own token.
func (s *Session) reverseProgress(m jsonrpc.Message) {
	params := m.Bytes(m.Params)
	token, ok := jsonrpc.Member(params, "progressToken")
	if !ok {
		return
	}
	s.mu.Lock()
	var to *reversed
	for _, r := range s.reverse {
		if r.as != nil && bytes.Equal(r.as, token) || r.as == nil && r.token != nil && bytes.Equal(r.token, token) {
			to = r
		}
	}
	s.mu.Unlock()
	if to == nil {
		return
	}
	line := m.Raw
	if to.as != nil {
		line = withParams(m, jsonrpc.SetMember(params, "progressToken", to.token)).Raw
	}
	to.up.Post(line)
}

// reverseCancelled tells the client that an upstream no longer wants an answer.
func (s *Session) reverseCancelled(u *upstream.Upstream, m jsonrpc.Message) {
	params := m.Bytes(m.Params)
	wanted, ok := jsonrpc.Member(params, "requestId")
	if !ok {
		return
	}
	s.mu.Lock()
	var own int64
	for id, r := range s.reverse {
		if r.up == u && bytes.Equal(r.id, wanted) {
			own = id
			delete(s.reverse, id)
		}
	}
	s.mu.Unlock()
	if own != 0 {
		s.toClient(withParams(m, jsonrpc.SetMember(params, "requestId", jsonrpc.AppendInt(nil, own))).Raw)
	}
}
