package playwright

// Calls that upstream does not end though what they work on is dead.

import (
	"context"
	"errors"
	"testing"

	"github.com/playguard/playguard/internal/jsonrpc"
)

func TestUntilDead(t *testing.T) {
	const (
		pages2 = `{"event":"pages","context":1,"pages":["http://a.b/","http://a.b/2"],"ids":["1","2"]}`
		crash2 = `{"event":"crashed","context":1,"places":[1],"ids":["2"]}`
	)
	taken := errors.New("taken back")
	for name, c := range map[string]struct {
		tool string
		says string // while the call is under way
		// then is how it ends otherwise: with an answer, or by the client
		answers, cancelled bool
		died               string
	}{
		"the page that it works on":     {"browser_run_code_unsafe", crash1, false, false, diedPage},
		"a click on such a page":        {"browser_click", crash1, false, false, diedPage},
		"another tab's page":            {"browser_run_code_unsafe", crash2, true, false, ""},
		"answered in the grace":         {"browser_run_code_unsafe", crash1, true, false, ""},
		"taken back by the client":      {"browser_run_code_unsafe", crash1, false, true, ""},
		"the browser, under a look":     {"browser_wait_for", closed1, true, false, ""},
		"the browser, under a click":    {"browser_click", closed1, true, false, ""},
		"closing, which nothing ends":   {closeTool, closed1, true, false, ""},
		"a browser that says something": {"browser_wait_for", pages2, true, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSpoken(t)
			s.says(opened1, pages2)
			call := s.called(c.tool, `{}`)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			_, d, err := s.untilDead(ctx, call, func(ctx context.Context, _ []byte) (jsonrpc.Message, error) {
				s.says(c.says)
				if c.answers {
					return jsonrpc.Message{}, nil
				}
				if c.cancelled {
					cancel(taken)
				}
				<-ctx.Done()
				return jsonrpc.Message{}, ctx.Err()
			}, nil)
			if d.what != c.died || (err == nil) != c.answers || (c.died != "") != errors.Is(err, errDead) {
				t.Errorf("it ends with %q and %v", d.what, err)
			}
		})
	}
}
