// How soon after its start PlayGuard answers.

package main

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// The bounds of a start, however slow the upstreams are.
const (
	maxInitializeMillis = 30
	maxListMillis       = 60
)

const (
	quickUpstream = `{"name":"upstream","builtins":["small"],"record":false}`
	slowUpstream  = `{"name":"upstream","builtins":["small"],"record":false,"methods":{"initialize":[{"delayMs":2000},{"default":true}]}}`
)

// starts are the times of several starts.
type starts struct{ initialize, list []time.Duration }

func measureStart(ctx context.Context, l *lab) ([]figure, error) {
	n := 15
	if l.quick {
		n = 4
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	direct, err := l.directStarts(ctx, n)
	if err != nil {
		return nil, err
	}
	first, err := l.firstStarts(ctx, n)
	if err != nil {
		return nil, err
	}
	saved, err := l.laterStarts(ctx, quickUpstream, n)
	if err != nil {
		return nil, err
	}
	slow, err := l.laterStarts(ctx, slowUpstream, n)
	if err != nil {
		return nil, err
	}
	count := fmt.Sprintf("median of %d starts", n)
	return []figure{
		plain("upstream alone: initialize", millis(median(direct.initialize)), "ms").with(count),
		atMost("first start: initialize", millis(median(first.initialize)), "ms", maxInitializeMillis),
		plain("first start: tools/list", millis(median(first.list)), "ms").with("no saved catalogue: waits for the upstreams"),
		atMost("saved catalogue: initialize", millis(median(saved.initialize)), "ms", maxInitializeMillis),
		atMost("saved catalogue: tools/list", millis(median(saved.list)), "ms", maxListMillis),
		atMost("saved catalogue, upstream 2 s late: initialize", millis(median(slow.initialize)), "ms", maxInitializeMillis),
		atMost("saved catalogue, upstream 2 s late: tools/list", millis(median(slow.list)), "ms", maxListMillis),
	}, nil
}

// directStarts starts the upstream alone: what a process costs here.
func (l *lab) directStarts(ctx context.Context, n int) (starts, error) {
	var t starts
	s, err := l.newScene(quickUpstream)
	for range n {
		if err != nil {
			break
		}
		err = t.take(s.direct(ctx))
	}
	return t, err
}

// firstStarts starts with empty folders each time.
func (l *lab) firstStarts(ctx context.Context, n int) (starts, error) {
	var t starts
	for range n {
		s, err := l.newScene(quickUpstream)
		if err != nil {
			return t, err
		}
		if err := t.take(s.proxied(ctx)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// laterStarts starts with the catalogue that an earlier start has saved.
func (l *lab) laterStarts(ctx context.Context, script string, n int) (starts, error) {
	var t starts
	s, err := l.newScene(script)
	if err != nil {
		return t, err
	}
	if err := s.saveCatalogue(ctx); err != nil {
		return t, err
	}
	for range n {
		if err := t.take(s.proxied(ctx)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// saveCatalogue runs PlayGuard until it lists the upstream's tools and has
// answered a call of theirs, and ends it.
func (s *scene) saveCatalogue(ctx context.Context) error {
	p, err := s.proxied(ctx)
	if err != nil {
		return err
	}
	defer p.stop()
	if _, err := p.initialize(); err != nil {
		return err
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		line, err := p.request("tools/list", "{}")
		if err != nil {
			return err
		}
		if listsUpstream(line) {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("tools/list lacks the upstream's tool after 30 s: %s", line)
		}
		time.Sleep(50 * time.Millisecond)
	}
	_, err = p.call("small")
	return err
}

// take measures one start and ends the process.
func (t *starts) take(p *peer, err error) error {
	if err != nil {
		return err
	}
	defer p.stop()
	initialized, err := p.initialize()
	if err != nil {
		return err
	}
	line, err := p.request("tools/list", "{}")
	if err != nil {
		return err
	}
	t.initialize = append(t.initialize, initialized)
	t.list = append(t.list, time.Since(p.started))
	if !listsUpstream(line) {
		return fmt.Errorf("tools/list lacks the upstream's tool: %s", line)
	}
	return nil
}

func listsUpstream(line []byte) bool { return bytes.Contains(line, []byte(`"name":"small"`)) }
