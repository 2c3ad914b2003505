package upstream

import (
	"errors"
	"strconv"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/transport"
)

// What the server sends: answers, its own messages, and lines that are neither.

// read hands on what the server sends, until it ends.
func (u *Upstream) read(child transport.Link) {
	for {
		line, err := child.Read()
		var tooLong *jsonrpc.TooLongError
		switch {
		case errors.As(err, &tooLong):
			u.tooLong(tooLong)
			continue
		case err != nil:
			return
		}
		line, mended := jsonrpc.ValidUTF8(line)
		if mended {
			u.skipped("invalid UTF-8 was replaced in a line", line)
		}
		m, err := jsonrpc.Parse(line)
		if err != nil {
			u.broken(line, err)
			continue
		}
		switch m.Kind() {
		case jsonrpc.Response:
			u.answer(m)
		case jsonrpc.Request, jsonrpc.Notification:
			u.noteProgress(&m)
			u.host.Message(u, m)
		default:
			u.skipped("a message that is neither request nor response was skipped", line)
		}
	}
}

// answer hands a response to the request it is for.
func (u *Upstream) answer(m jsonrpc.Message) {
	r, known := u.take(m.Bytes(m.ID))
	if r != nil {
		r.Reply(m, nil)
	} else if !known { // else it is late: the request was cancelled or answered before
		u.skipped("a response to no request was dropped", m.Raw)
	}
}

// take removes the request with a raw id from the pending ones. It returns nil
// when there is none, and whether there ever was one.
func (u *Upstream) take(rawID []byte) (r *Request, known bool) {
	id, err := strconv.ParseInt(string(rawID), 10, 64)
	if err != nil {
		return nil, false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	r = u.pending[id]
	if r == nil {
		return nil, id > 0 && id <= u.lastID
	}
	delete(u.pending, id)
	u.answered = u.answered || u.state == Ready // the handshake's own answer does not count
	return r, true
}

// skipped notes a line that is not handed on.
func (u *Upstream) skipped(what string, line []byte) {
	u.mu.Lock()
	u.stray++
	n := u.stray
	u.mu.Unlock()
	if n <= 20 || n%1000 == 0 { // a chatty server must not flood the log
		u.opts.Log.Info(what, "upstream", u.Spec.Name, "count", n, "line", string(line[:min(len(line), 200)]))
	}
}

// broken handles a line that is no JSON-RPC message. Most are something printed
// by mistake; one that can be told to be an answer fails its call without waiting
// for the deadline. A server that dies while it writes leaves such a line too:
// the short wait lets its end, which says more, come first.
func (u *Upstream) broken(line []byte, cause error) {
	u.skipped("a line that is no JSON-RPC message was skipped", line)
	if o := jsonrpc.OutlineOf(line, nil); o.Kind == jsonrpc.Response {
		failure := u.error("sent a broken answer", cause)
		failure.Sent = true
		time.AfterFunc(endGrace, func() { u.fail(o.ID, failure) }) // no effect once the call has failed by the end
	}
}

// tooLong handles a message over the limit: the one call whose answer it was
// fails, and the server gets an error if it was a request of its own.
func (u *Upstream) tooLong(e *jsonrpc.TooLongError) {
	u.skipped(e.Error()+" and was dropped", e.Head)
	switch o := jsonrpc.OutlineOf(e.Head, e.Tail); o.Kind {
	case jsonrpc.Response:
		failure := u.error("answered too much", e)
		failure.Hint = "Ask for less, or raise PLAYGUARD_MAX_LINE_MB."
		u.fail(o.ID, failure)
	case jsonrpc.Request:
		u.Post(jsonrpc.NewError(o.ID, &jsonrpc.RPCError{Code: jsonrpc.CodeInvalidRequest, Message: "PlayGuard refused the message: " + e.Error() + "."}))
	}
}

// fail answers the request with a raw id, if it is still pending, with the
// reason why its answer cannot be had.
func (u *Upstream) fail(rawID []byte, failure *Error) {
	if r, _ := u.take(rawID); r != nil {
		r.Reply(jsonrpc.Message{}, failure)
	}
}
