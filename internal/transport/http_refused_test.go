package transport

// What a failed POST is: one call's error, or the session's end.

import (
	"fmt"
	"net/http"
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
