package transport

// Streams of events: the answer to a POST, and the GET stream on which a server
// sends what no call asked for. Both can be resumed (transports, resumability).

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"
)

const (
	// resumeTries is how often in a row the rest of an answer is asked for
	// before the call counts as lost.
	resumeTries = 4
	// retryFirst and retryMost bound the pause before a stream is asked for
	// again; a server may ask for another.
	retryFirst = 100 * time.Millisecond
	retryMost  = 30 * time.Second
)

// events reads a stream that answers the message, and asks for its rest if it
// ends too early.
func (o *outgoing) events(ctx context.Context, body io.Reader) {
	h := o.h
	r := newEventReader(body, h.max)
	err := o.consume(r)
	for try := 0; ctx.Err() == nil && o.isRequest() && !o.answered; try++ {
		if r.lastID == "" || try == resumeTries {
			o.broke(err)
			return
		}
		if !pause(ctx, backoffAfter(try, r.retry)) {
			return
		}
		before := r.lastID
		resp, status, getErr := h.get(ctx, r.lastID)
		switch {
		case status == http.StatusNotFound:
			h.lost(nil) // it may have been carried out
			return
		case getErr != nil && status == 0:
			err = getErr
			continue
		case getErr != nil:
			o.broke(getErr)
			return
		}
		again := newEventReader(resp, h.max)
		again.lastID, again.retry = r.lastID, r.retry
		r = again
		err = o.consume(r)
		resp.Close()
		if r.lastID != before {
			try = -1 // it goes on
		}
	}
}

// consume hands on a stream's messages until the response is among them.
func (o *outgoing) consume(r *eventReader) error {
	for {
		e, err := r.next()
		if err != nil {
			return err
		}
		o.event(e)
		if o.answered {
			return nil
		}
	}
}

// event hands on what one event holds.
func (o *outgoing) event(e event) {
	switch {
	case e.kind != "" && e.kind != "message":
	case e.tooLong != nil:
		// It is the response, most likely; if not, the call's time limit ends it.
		o.answered = true
		o.h.deliver(received{err: e.tooLong})
	case len(bytes.TrimSpace(e.data)) > 0: // an id alone only says where to go on
		o.hand(oneLine(e.data))
	}
}

// listen keeps the GET stream open, as long as the server has one.
func (h *HTTP) listen() {
	o := &outgoing{h: h} // a stream of its own answers nothing
	lastID, asked := "", time.Duration(0)
	for try := 0; h.ctx.Err() == nil && !h.isFinished(); try++ {
		if try > 0 && !pause(h.ctx, backoffAfter(try-1, asked)) {
			return
		}
		body, status, err := h.get(h.ctx, lastID)
		if err != nil {
			if status != 0 && status < http.StatusInternalServerError {
				return // it has none, or a POST will find out what is wrong
			}
			continue
		}
		r := newEventReader(body, h.max)
		r.lastID = lastID
		for {
			e, err := r.next()
			if err != nil {
				break
			}
			try = 0
			o.event(e)
			o.answered = false
		}
		body.Close()
		lastID, asked = r.lastID, r.retry
	}
}

// get opens a stream. The status is 0 if there was no answer at all.
func (h *HTTP) get(ctx context.Context, lastID string) (body io.ReadCloser, status int, err error) {
	header := http.Header{"Accept": {"text/event-stream"}}
	if lastID != "" {
		header.Set("Last-Event-ID", lastID)
	}
	resp, err := h.do(ctx, http.MethodGet, nil, header)
	if err != nil {
		return nil, 0, err
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode != http.StatusOK || kind != "text/event-stream" {
		resp.Body.Close()
		return nil, resp.StatusCode, fmt.Errorf("gave no stream of events (HTTP %d)", resp.StatusCode)
	}
	return resp.Body, resp.StatusCode, nil
}

// backoffAfter is the pause before the next try, twice as long each time, from
// what the server asked for.
func backoffAfter(try int, asked time.Duration) time.Duration {
	if asked == 0 {
		asked = retryFirst
	}
	return min(asked<<min(try, 10), retryMost)
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
