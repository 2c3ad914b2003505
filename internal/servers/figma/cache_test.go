package figma

// The cache: what is one answer, what is kept, and what calls at the same time
// share.

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
)

func TestCacheKey(t *testing.T) {
	key := cacheKey("get_figma_data", []byte(`{"fileKey":"k","nodeId":"1:2","depth":12345678901234567890}`))
	for _, same := range []string{
		`{"nodeId":"1:2","depth":12345678901234567890,"fileKey":"k"}`,
		` { "depth" : 12345678901234567890, "nodeId" : "1-2", "fileKey" : "\u006b" } `,
	} {
		if got := cacheKey("get_figma_data", []byte(same)); got != key {
			t.Errorf("%s has another key: %s", same, got)
		}
	}
	for _, other := range []string{
		`{"fileKey":"k","nodeId":"1:3","depth":12345678901234567890}`,
		`{"fileKey":"k","nodeId":"1:2","depth":12345678901234567891}`,
		`{"fileKey":"k","nodeId":"1:2"}`,
		`[]`,
	} {
		if got := cacheKey("get_figma_data", []byte(other)); got == key {
			t.Errorf("%s has the same key", other)
		}
	}
}

func response(t *testing.T, result []byte) jsonrpc.Message {
	t.Helper()
	m, err := jsonrpc.Parse(jsonrpc.NewResult([]byte("1"), result))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// source counts how often it was asked.
type source struct {
	asked int
	resp  jsonrpc.Message
	err   error
}

func (s *source) fetch() (jsonrpc.Message, error) {
	s.asked++
	return own(s.resp), s.err
}

func TestCacheKeepsAnswersForTheirTime(t *testing.T) {
	now := time.Unix(0, 0)
	c := newCache(time.Minute, func() time.Time { return now })
	s := &source{resp: response(t, mcp.TextResult("a design"))}
	get := func() bool {
		resp, remembered, err := c.get(context.Background(), "k", s.fetch)
		if err != nil {
			t.Fatal(err)
		}
		clear(resp.Raw) // as an edit in place would
		return remembered
	}
	if get() || !get() || s.asked != 1 {
		t.Errorf("the second call was not answered from memory; asked %d times", s.asked)
	}
	if resp, _, _ := c.get(context.Background(), "k", s.fetch); resp.Raw[0] != '{' {
		t.Error("the answer in memory was edited")
	}
	now = now.Add(time.Minute)
	if get() || s.asked != 2 {
		t.Error("an answer was given after its time")
	}
}

func TestCacheOff(t *testing.T) {
	c := newCache(0, time.Now)
	s := &source{resp: response(t, mcp.TextResult("a design"))}
	for range 2 {
		if _, remembered, _ := c.get(context.Background(), "k", s.fetch); remembered {
			t.Error("an answer was remembered")
		}
	}
	if s.asked != 2 {
		t.Errorf("asked %d times", s.asked)
	}
}

func TestCacheForgetsErrors(t *testing.T) {
	c := newCache(time.Hour, time.Now)
	for _, s := range []*source{
		{resp: response(t, mcp.ErrorResult("Error fetching file: 429"))},
		{err: errors.New("the server died")},
	} {
		for range 2 {
			if _, remembered, _ := c.get(context.Background(), "k", s.fetch); remembered {
				t.Error("an error was remembered")
			}
		}
		if s.asked != 2 {
			t.Errorf("asked %d times", s.asked)
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache(time.Hour, time.Now)
	c.most = 1000
	s := &source{resp: response(t, mcp.TextResult(strings.Repeat("x", 300)))}
	for i := range 9 {
		if _, _, err := c.get(context.Background(), string(rune('a'+i)), s.fetch); err != nil {
			t.Fatal(err)
		}
	}
	c.expire()
	size := 0
	for _, e := range c.entries {
		size += len(e.resp.Raw)
	}
	if size != c.size || size > c.most || len(c.entries) == 0 {
		t.Errorf("%d entries of %d bytes, counted as %d", len(c.entries), size, c.size)
	}
}

// Equal calls at the same time make one call of the server; when that comes to
// nothing, one of those that waited makes it again.
func TestCacheSharesCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache(time.Hour, time.Now)
		good := response(t, mcp.TextResult("a design"))
		var mu sync.Mutex
		asked := 0
		fetch := func() (jsonrpc.Message, error) {
			mu.Lock()
			asked++
			first := asked == 1
			mu.Unlock()
			time.Sleep(time.Second)
			if first {
				return jsonrpc.Message{}, errors.New("cancelled")
			}
			return own(good), nil
		}
		var wg sync.WaitGroup
		failures := 0
		for range 20 {
			wg.Go(func() {
				if _, _, err := c.get(context.Background(), "k", fetch); err != nil {
					mu.Lock()
					failures++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if asked != 2 || failures != 1 {
			t.Errorf("asked %d times, %d calls failed; want 2 and 1", asked, failures)
		}
	})
}

func TestCacheWaitEndsWithTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCache(time.Hour, time.Now)
		s := response(t, mcp.TextResult("a design"))
		var wg sync.WaitGroup
		wg.Go(func() {
			_, _, _ = c.get(context.Background(), "k", func() (jsonrpc.Message, error) {
				time.Sleep(time.Minute)
				return s, nil
			})
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, _, err := c.get(ctx, "k", func() (jsonrpc.Message, error) { t.Error("a second call"); return s, nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the wait ended with %v", err)
		}
		wg.Wait()
	})
}
