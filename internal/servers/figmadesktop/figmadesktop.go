// Package figmadesktop is the row of the official Figma MCP server, which runs
// inside the Figma desktop app and is reached over streamable HTTP. All that it
// says passes whole and uncached: it answers from the current selection and
// reflects edits as they are made.
package figmadesktop

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/playguard/playguard/internal/endpoint"
	"github.com/playguard/playguard/internal/transport"
	"github.com/playguard/playguard/internal/upstream"
)

// Name is the upstream's short name. It is the same for each way to Figma, of
// which there is one at a time.
const Name = "figma"

// hint is how the server is turned on (Figma's own help, 2026).
const hint = "In the Figma desktop app open the file, switch to Dev Mode (Shift+D), click Enable desktop MCP server in the Inspect panel, and repeat the call. " +
	"It needs a Dev or Full seat on a paid plan."

// probeWithin is how long the app may take to accept a connection.
const probeWithin = 3 * time.Second

// Spec returns the row for the server at an address.
func Spec(at endpoint.Endpoint) upstream.Spec {
	return upstream.Spec{
		Name:  Name,
		Title: "The Figma desktop server",
		Launch: func(ctx context.Context) (transport.Command, error) {
			return transport.Command{At: at}, probe(ctx, at)
		},
		Key:  []string{Name, at.String()},
		Hint: hint,
	}
}

// probe finds out whether the app is there, so that a call can say so at once,
// and the next one connects as soon as it is.
func probe(ctx context.Context, at endpoint.Endpoint) error {
	if !at.Loopback() {
		return nil // a proxy may be needed to reach it
	}
	ctx, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", at.Dial())
	if err != nil {
		return fmt.Errorf("nothing answers at %s", at)
	}
	return conn.Close()
}
