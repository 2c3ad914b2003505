package transport

// What the connections of an HTTP link are like.

import (
	"net"
	"net/http"
	"time"

	"github.com/playguard/playguard/internal/endpoint"
)

// idleWithin is how long a connection is kept for the next message: less than
// servers keep it (Node: 5 s), since a POST on one that the server is closing
// fails without anyone knowing whether it arrived.
const idleWithin = 3 * time.Second

func newHTTPClient(at endpoint.Endpoint) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment, // never for this machine
			DialContext:         (&net.Dialer{Timeout: connectWithin}).DialContext,
			TLSHandshakeTimeout: connectWithin,
			IdleConnTimeout:     idleWithin,
			// On this machine a new connection costs next to nothing.
			DisableKeepAlives: at.Loopback(),
			ForceAttemptHTTP2: true,
		},
		// A redirect could lead elsewhere with all that was sent.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
