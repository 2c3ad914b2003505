package transport

// What a failed POST is: one call's error, or the session's end.

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// refusing answers with a status and a text.
func refusing(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// A 404 that answers the call is about what the call asked for; any other says
// that the session is lost.
func TestHTTPNotFound(t *testing.T) {
	for body, lost := range map[string]bool{
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}`:     false,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"Resource not found"}}`:   false,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32001,"message":"Session not found"}}`:    true,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`: true,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Not found"}}`:         true,
		`{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found"}}`:     true,
		`{"jsonrpc":"2.0","id":2,"result":{}}`:                                              true,
		`<html>Not found</html>`:                                                            true,
		``:                                                                                  true,
	} {
		t.Run(body, func(t *testing.T) {
			s := serveSite(t, map[string]http.HandlerFunc{
				"ask": refusing(http.StatusNotFound, body), "next": stream("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n\n"),
			})
			h := initialized(t, s)
			send(t, h, request(2, "ask"))
			if lost {
				ends(t, h, "forgotten the session", request(2, "ask"))
				return
			}
			receive(t, h, body)
			send(t, h, request(3, "next"))
			receive(t, h, `{"jsonrpc":"2.0","id":3,"result":{}}`)
		})
	}
}

// Whatever the address holds, an error that is handed on stays the JSON that it
// was but for its texts.
func TestHTTPRedactedError(t *testing.T) {
	const said = `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"bad message at https://user:message@host/k3y-of-mine/mcp?a=error&b=code%20x\n\"k3y-of-mine\"","data":{"code":[1,"no error"],"message":{"jsonrpc":"code x"}}}}`
	const want = `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"bad … at https://…@host/…/mcp?…\n\"…\"","data":{"code":[1,"no …"],"message":{"jsonrpc":"…"}}}}`
	s := serveSite(t, map[string]http.HandlerFunc{"initialize": greeting, "ask": refusing(http.StatusBadRequest, said)})
	h := link(t, strings.Replace(s.URL, "http://", "http://user:message@", 1)+"/k3y-of-mine/mcp?a=error&b=code%20x")
	send(t, h, request(1, "initialize"))
	receive(t, h, greeted)
	send(t, h, request(2, "ask"))
	receive(t, h, want)
}
