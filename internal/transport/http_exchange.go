package transport

// One POST and its answer.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// codeLostSession is how the Figma desktop server says that it knows the session
// no more, where the specification has the status 404.
const codeLostSession = "-32002"

// maxErrorBody is how much of an answer that is no message is read.
const maxErrorBody = 64 << 10

// outgoing is one message on its way.
type outgoing struct {
	h       *HTTP
	line    []byte
	message jsonrpc.Message
	away    chan struct{} // closed once it is written, or can't be
	gone    sync.Once
	done    chan struct{} // closed when the exchange is over; requests only

	answered bool // the response has been handed on
}

func (o *outgoing) isRequest() bool { return o.message.Kind() == jsonrpc.Request }

// run sends the message and hands on what comes back. Whatever happens, a
// request gets a response or ends the link, unless ctx ends. The link ends only
// when the server can't be reached or has lost the session: a connection that
// breaks costs no other call its answer.
func (o *outgoing) run(ctx context.Context) {
	sent := func() { o.gone.Do(func() { close(o.away) }) }
	defer sent()
	var connected atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:      func(httptrace.GotConnInfo) { connected.Store(true) },
		WroteRequest: func(httptrace.WroteRequestInfo) { sent() },
	})
	resp, err := o.h.do(traced, http.MethodPost, o.line, http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
	})
	if err != nil {
		switch {
		case ctx.Err() != nil:
		case !connected.Load():
			o.h.fail("could not be reached: "+o.h.cause(err), o.line)
		default:
			o.broke(err)
		}
		return
	}
	defer resp.Body.Close()
	o.answer(ctx, resp)
}

// answer reads the server's answer to the POST.
func (o *outgoing) answer(ctx context.Context, resp *http.Response) {
	h := o.h
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		o.refused(resp)
		return
	}
	if o.message.MethodName() == "initialize" {
		h.mu.Lock()
		h.session = resp.Header.Get("Mcp-Session-Id")
		h.mu.Unlock()
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case kind == "text/event-stream":
		o.events(ctx, resp.Body)
	case resp.StatusCode == http.StatusAccepted, !o.isRequest():
		// Nothing is due, or the response comes on the stream.
	case kind == "application/json":
		o.document(ctx, resp.Body)
	default:
		o.reply(fmt.Sprintf("answered with %q instead of JSON or events", resp.Header.Get("Content-Type")))
	}
}

// document reads an answer that is one JSON value: a message, or an array of
// them (revision 2025-03-26).
func (o *outgoing) document(ctx context.Context, body io.Reader) {
	h := o.h
	data, err := io.ReadAll(io.LimitReader(body, int64(h.max)+1))
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		o.broke(err)
		return
	case len(data) > h.max:
		rest, _ := io.Copy(io.Discard, body) // only its length counts
		e := &jsonrpc.TooLongError{Limit: h.max}
		e.Add(data)
		e.Size += int(rest)
		h.deliver(received{err: e})
		return
	}
	data = oneLine(bytes.TrimSpace(data))
	if len(data) > 0 && data[0] == '[' && jsonrpc.Valid(data) == nil {
		jsonrpc.Elements(data, func(v jsonrpc.Span) { o.hand(bytes.Clone(data[v.Start:v.End])) })
	} else {
		o.hand(data)
	}
	if !o.answered {
		o.reply("sent a body that is no answer to the call")
	}
}

// hand gives one message to the reader, and notes the response. One that says
// that the session is lost ends the link instead.
func (o *outgoing) hand(line []byte) {
	m, err := jsonrpc.Parse(line)
	if err == nil && o.isRequest() && o.isLost(line) && (o.isOwn(m) || o.isNobodys(m)) {
		o.answered = true
		o.h.lost(o.line)
		return
	}
	if err == nil && o.isOwn(m) {
		o.answered = true
		if o.message.MethodName() == "initialize" {
			o.h.mu.Lock()
			o.h.version = jsonrpc.StringMember(m.Bytes(m.Result), "protocolVersion")
			o.h.mu.Unlock()
		}
	}
	o.h.deliver(received{line: line})
}

// isOwn reports whether a message is the response to this request.
func (o *outgoing) isOwn(m jsonrpc.Message) bool {
	return m.Kind() == jsonrpc.Response && o.isRequest() && bytes.Equal(m.Bytes(m.ID), o.message.Bytes(o.message.ID))
}

// isNobodys reports whether a message is a response that names no request, as
// servers send when they do not get as far as reading it.
func (o *outgoing) isNobodys(m jsonrpc.Message) bool {
	return !m.ID.Present() || string(m.Bytes(m.ID)) == "null"
}

// refused handles an answer that is no success: a lost session ends the link, an
// error response is handed on, and anything else becomes one.
func (o *outgoing) refused(resp *http.Response) {
	h := o.h
	data, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // what came is enough
	data = oneLine(bytes.TrimSpace(data))
	m, err := jsonrpc.Parse(data)
	// A 404 that answers this very call is about something else that was not found.
	answers := err == nil && o.isOwn(m) && m.Error.Present() && !aboutSession(m)
	if o.isLost(data) || resp.StatusCode == http.StatusNotFound && h.hasSession() && !answers {
		h.lost(o.line)
		return
	}
	if !o.isRequest() {
		return // nobody waits for a notification's fate
	}
	if err == nil && m.Kind() == jsonrpc.Response && m.Error.Present() {
		// Its id is null, most often.
		o.hand(jsonrpc.NewError(o.message.Bytes(o.message.ID), redactedError(h.at, m.Bytes(m.Error))))
		return
	}
	text := fmt.Sprintf("answered HTTP %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if said := strings.TrimSpace(string(data)); said != "" && said[0] != '<' {
		text += ": " + said[:min(len(said), 300)]
	}
	o.reply(text)
}

// isLost reports whether an error says that the server does not know the
// session. The same code also means that a resource was not found.
func (o *outgoing) isLost(data []byte) bool {
	m, err := jsonrpc.Parse(data)
	if err != nil || !m.Error.Present() || !o.h.hasSession() || o.message.MethodName() == "initialize" {
		return false
	}
	code, _ := jsonrpc.Member(m.Bytes(m.Error), "code")
	return string(code) == codeLostSession && aboutSession(m)
}

// aboutSession reports whether an error speaks of the session.
func aboutSession(m jsonrpc.Message) bool {
	return strings.Contains(strings.ToLower(jsonrpc.StringMember(m.Bytes(m.Error), "message")), "session")
}

// reply answers the request itself: the server said something that is no
// response.
func (o *outgoing) reply(what string) {
	if !o.isRequest() || o.answered {
		return
	}
	o.answered = true
	text := o.h.at.Redact("[PlayGuard] The server at " + o.h.at.String() + " " + what + ".")
	o.h.deliver(received{line: jsonrpc.NewError(o.message.Bytes(o.message.ID), &jsonrpc.RPCError{Code: jsonrpc.CodeUpstream, Message: text})})
}

// broke answers the request whose connection broke. Nobody knows whether the
// server carried it out, so it is not sent again.
func (o *outgoing) broke(err error) {
	o.reply("broke the connection before the answer was there (" + o.h.cause(err) + "); whether the call was carried out is not known")
}

// oneLine replaces line ends between the tokens of a JSON text: a message is one
// line further on.
func oneLine(data []byte) []byte {
	for i, c := range data {
		if c == '\n' || c == '\r' {
			data[i] = ' '
		}
	}
	return data
}
