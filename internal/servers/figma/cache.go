package figma

// The server's answers, for the time that FIGMA_CACHE_TTL says.

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
)

// maxCached bounds the memory: bytes of answers.
const maxCached = 64 << 20

// cache holds answers as the server gave them, and lets calls that ask the same
// at the same time share one. It can be used by several goroutines.
type cache struct {
	ttl  time.Duration
	most int // bytes
	now  func() time.Time

	mu      sync.Mutex
	entries map[string]cached
	size    int // bytes
	flights map[string]*flight
}

type cached struct {
	at   time.Time
	resp jsonrpc.Message
}

// flight is a call that is under way. resp and ok are set when done is closed.
type flight struct {
	done chan struct{}
	resp jsonrpc.Message
	ok   bool // there was an answer, if only that the tool failed
}

func newCache(ttl time.Duration, now func() time.Time) *cache {
	return &cache{ttl: ttl, most: maxCached, now: now, entries: map[string]cached{}, flights: map[string]*flight{}}
}

// get returns the answer for a key: from memory, from a call of the same that is
// under way, or by fetch. Errors are not kept; a call whose fetch came to nothing,
// maybe because its client cancelled it, is made again by one of those that
// waited. Without a time to live every call fetches.
func (c *cache) get(ctx context.Context, key string, fetch func() (jsonrpc.Message, error)) (resp jsonrpc.Message, remembered bool, err error) {
	if c.ttl == 0 {
		resp, err = fetch()
		return resp, false, err
	}
	for {
		c.mu.Lock()
		c.expire()
		if known, ok := c.entries[key]; ok {
			c.mu.Unlock()
			return own(known.resp), true, nil
		}
		under, waits := c.flights[key]
		if !waits {
			under = &flight{done: make(chan struct{})}
			c.flights[key] = under
		}
		c.mu.Unlock()
		if !waits {
			resp, err = c.lead(key, under, fetch)
			return resp, false, err
		}
		select {
		case <-under.done:
			if under.ok {
				return own(under.resp), true, nil
			}
		case <-ctx.Done():
			return resp, false, context.Cause(ctx)
		}
	}
}

// lead fetches for all that wait.
func (c *cache) lead(key string, f *flight, fetch func() (jsonrpc.Message, error)) (resp jsonrpc.Message, err error) {
	defer func() { // also when fetch panics, for others wait
		c.mu.Lock()
		delete(c.flights, key)
		c.mu.Unlock()
		close(f.done)
	}()
	if resp, err = fetch(); err != nil || resp.Error.Present() {
		return resp, err
	}
	f.resp, f.ok = own(resp), true
	if mcp.IsError(resp.Bytes(resp.Result)) {
		return resp, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = cached{c.now(), f.resp}
	c.size += len(f.resp.Raw)
	return resp, nil
}

// own returns a response with bytes of its own, because on its way to the client
// a response is edited in place.
func own(m jsonrpc.Message) jsonrpc.Message {
	m.Raw = bytes.Clone(m.Raw)
	return m
}

// expire drops what is too old and, while there is too much, the oldest. Called
// with mu.
func (c *cache) expire() {
	for {
		oldest, found := "", false
		for key, e := range c.entries {
			if c.now().Sub(e.at) >= c.ttl {
				c.drop(key)
			} else if !found || e.at.Before(c.entries[oldest].at) {
				oldest, found = key, true
			}
		}
		if c.size <= c.most || !found {
			return
		}
		c.drop(oldest)
	}
}

func (c *cache) drop(key string) {
	c.size -= len(c.entries[key].resp.Raw)
	delete(c.entries, key)
}

// cacheKey is what an answer depends on: tool and arguments, in whatever order
// and spelling they were given. An id may be written as in a URL, 1-2 for 1:2.
func cacheKey(tool string, args []byte) string {
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return tool + "\n" + string(args)
	}
	if id, ok := v["nodeId"].(string); ok {
		v["nodeId"] = strings.ReplaceAll(id, "-", ":")
	}
	sorted, err := json.Marshal(v) // writes members in order
	if err != nil {
		return tool + "\n" + string(args)
	}
	return tool + "\n" + string(sorted)
}
