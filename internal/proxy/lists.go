package proxy

// The upstreams' lists: fetched, merged, sent, and told of when they change.

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"

	"github.com/playguard/playguard/internal/catalog"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// source is what the session knows of one upstream's lists.
type source struct {
	lists      *catalog.Lists
	server     []byte        // result of the last handshake, nil before the first
	failure    string        // why the last start failed
	settled    chan struct{} // closed once the lists are known or the start has failed
	fetching   bool
	again      bool            // the lists changed while they were fetched
	subscribed map[string]bool // resource URIs
}

func newSource(saved *catalog.Lists, seed []byte) source {
	s := source{lists: saved, settled: make(chan struct{}), subscribed: map[string]bool{}}
	if s.lists == nil && seed != nil {
		s.lists, _ = catalog.Decode(seed) // a broken seed is as good as none
	}
	if s.lists != nil {
		close(s.settled)
	}
	return s
}

func (s *source) settle() {
	select {
	case <-s.settled:
	default:
		close(s.settled)
	}
}

// unsettle makes those who need the lists wait again.
func (s *source) unsettle() {
	select {
	case <-s.settled:
		s.settled = make(chan struct{})
	default:
	}
}

// merge builds the catalogue anew from what is known. Called with mu, or before
// the session runs.
func (s *Session) merge() {
	sources := make([]catalog.Source, len(s.ups), len(s.ups)+1)
	for i, u := range s.ups {
		sources[i] = catalog.Source{Spec: &u.Spec, Lists: s.sources[i].lists}
	}
	if len(s.opts.Own) > 0 {
		sources = append(sources, ownSource(s.opts.Own))
	}
	// Names that the client has been shown keep their meaning. Before that the
	// order of the upstreams decides, not which of them was up first.
	var shown *catalog.Catalog
	if s.shown {
		shown = s.catalog.Load()
	}
	c := catalog.Merge(sources, s.opts.Instructions, shown)
	for _, note := range c.Notes {
		if !s.noted[note] {
			s.noted[note] = true
			s.log.Warn(note)
		}
	}
	s.catalog.Store(c)
}

// list answers one of the four list requests from the catalogue. All pages are
// one, so a cursor can only be a foreign one.
func (s *Session) list(r *request, params []byte) {
	if cursor, ok := jsonrpc.Member(params, "cursor"); ok && string(cursor) != "null" {
		s.fail(r, jsonrpc.CodeInvalidParams, "This cursor is not one of PlayGuard's: its lists have one page.")
		return
	}
	if s.complete() {
		s.wake()
		s.sendList(r)
		return
	}
	s.whenListed(r, func(context.Context) { s.sendList(r) })
}

// whenListed runs what needs the lists of every upstream, once they are known
// or ListWait is over; not at all if the request has been cancelled by then.
func (s *Session) whenListed(r *request, run func(ctx context.Context)) {
	settled := s.wake() // at once, so that what the client sends next finds them starting
	s.later(r, func(ctx context.Context) {
		s.waitLists(ctx, settled)
		if ctx.Err() == nil {
			run(ctx)
		}
	})
}

// sendList answers with the list as it is and remembers that, so that a later
// change is announced.
func (s *Session) sendList(r *request) {
	s.mu.Lock()
	member, list := listOf(s.catalog.Load(), r.method)
	s.sent[r.method] = sha256.Sum256(list)
	s.shown = true
	s.mu.Unlock()
	out := make([]byte, 0, len(list)+32)
	out = append(append(out, `{"`...), member...)
	out = append(append(append(out, `":`...), list...), '}')
	s.result(r, out)
}

func listOf(c *catalog.Catalog, method string) (member string, list []byte) {
	switch method {
	case mcp.ResourcesList:
		return "resources", c.Resources
	case mcp.TemplatesList:
		return "resourceTemplates", c.Templates
	case mcp.PromptsList:
		return "prompts", c.Prompts
	}
	return "tools", c.Tools
}

// complete reports whether the lists of every upstream are known or its start
// has failed.
func (s *Session) complete() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.sources {
		select {
		case <-s.sources[i].settled:
		default:
			return false
		}
	}
	return true
}

// wake starts every upstream that was never listed, or asks it again if it runs,
// and returns what tells that their lists are known. What comes later than that
// is announced.
func (s *Session) wake() (settled []<-chan struct{}) {
	var unlisted []*upstream.Upstream
	s.mu.Lock()
	for i, u := range s.ups {
		if s.sources[i].lists == nil {
			if u.Start() {
				s.sources[i].unsettle() // it may be there now
			}
			unlisted = append(unlisted, u)
			settled = append(settled, s.sources[i].settled)
		}
	}
	s.mu.Unlock()
	for _, u := range unlisted {
		if u.State() == upstream.Ready {
			s.refresh(u)
		}
	}
	return settled
}

// waitLists waits until all the channels are closed, at most ListWait.
func (s *Session) waitLists(ctx context.Context, settled []<-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, s.opts.ListWait)
	defer cancel()
	for _, one := range settled {
		select {
		case <-one:
		case <-ctx.Done():
			return
		}
	}
}

// failed reports whether an upstream has nothing listed and could not be
// started: then it is not asked what it may know.
func (s *Session) failed(i int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sources[i].lists == nil && s.ups[i].State() == upstream.Failed
}

// declares reports whether an upstream is known to have a capability: as it said
// itself in this session, or as it was saved.
func (s *Session) declares(i int, capability string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if server := s.sources[i].server; server != nil {
		capabilities, _ := jsonrpc.Member(server, "capabilities")
		return mcp.Has(capabilities, capability)
	}
	l := s.sources[i].lists
	return l != nil && mcp.Has(l.Capabilities(), capability)
}

// refresh asks an upstream for its lists in the background. Requests that come
// while it is under way make it ask once more.
func (s *Session) refresh(u *upstream.Upstream) {
	i := s.index[u]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending || s.sources[i].server == nil {
		return // it is asked anyway when it has shaken hands
	}
	if s.sources[i].fetching {
		s.sources[i].again = true
		return
	}
	s.sources[i].fetching = true
	s.task(func() {
		for s.fetch(u, i) {
		}
	})
}

// fetch asks once and takes over what came. It returns whether to ask again.
func (s *Session) fetch(u *upstream.Upstream, i int) bool {
	ctx, cancel := context.WithTimeout(s.ctx, s.opts.Upstream.StartTimeout)
	defer cancel()
	s.mu.Lock()
	server := s.sources[i].server
	s.mu.Unlock()
	lists, err := catalog.Fetch(ctx, server, u.Do)
	s.mu.Lock()
	// After a failure only a server that has been started again since is asked
	// again: the failure was its predecessor's end.
	again := s.sources[i].again && (err == nil || u.State() == upstream.Ready)
	s.sources[i].again = false
	s.sources[i].fetching = again
	changed := lists != nil && !lists.Equal(s.sources[i].lists)
	if changed {
		s.sources[i].lists = lists
		s.merge()
	}
	s.sources[i].settle()
	s.mu.Unlock()
	if err != nil && s.ctx.Err() == nil {
		s.log.Warn("an upstream's lists could not be had", "upstream", u.Spec.Name, "error", err.Error())
	}
	if changed {
		if err := s.opts.Store.Save(u.Spec.Key, lists); err != nil {
			s.log.Warn("an upstream's lists could not be saved: the next start waits for them again", "upstream", u.Spec.Name, "error", err.Error())
		}
		s.announce()
	}
	return again
}

// announce tells the client which of the lists it has been sent have changed
// since, comparing bytes, so that nothing is listed again for nothing.
func (s *Session) announce() {
	notify := map[string]bool{}
	s.mu.Lock()
	c := s.catalog.Load() // with mu, or the client may have been sent a newer one meanwhile
	for method, hash := range s.sent {
		if _, list := listOf(c, method); sha256.Sum256(list) != hash {
			notify[changedNotification(method)] = true
			delete(s.sent, method) // said once; the next list is compared again
		}
	}
	s.mu.Unlock()
	for method := range notify {
		_ = s.client.SendWait(jsonrpc.NewNotification(method, nil)) // a client that is gone ends the session elsewhere
	}
}

func changedNotification(method string) string {
	switch method {
	case mcp.ResourcesList, mcp.TemplatesList:
		return mcp.ResourcesChanged
	case mcp.PromptsList:
		return mcp.PromptsChanged
	}
	return mcp.ToolsChanged
}

// restore asks a started upstream for its lists and returns the requests that
// bring it to where the session is: log level, subscriptions.
func (s *Session) restore(u *upstream.Upstream, server []byte) []*upstream.Request {
	i := s.index[u]
	s.mu.Lock()
	s.sources[i].server = server
	level := s.level
	uris := slices.Sorted(maps.Keys(s.sources[i].subscribed))
	s.mu.Unlock()
	var first []*upstream.Request
	capabilities, _ := jsonrpc.Member(server, "capabilities")
	if level != nil && mcp.Has(capabilities, "logging") {
		first = append(first, s.own(u, mcp.SetLevel, level))
	}
	for _, uri := range uris {
		first = append(first, s.own(u, mcp.ResourcesSubscribe, jsonrpc.SetMember([]byte(`{}`), "uri", jsonrpc.Quote(uri))))
	}
	s.refresh(u)
	return first
}

// sendLevel tells an upstream that runs the log level. One that is off is told
// when it starts. The channel is closed when it has taken it over, or will not.
func (s *Session) sendLevel(u *upstream.Upstream, params []byte) (taken <-chan struct{}) {
	done := make(chan struct{})
	switch u.State() {
	case upstream.Ready, upstream.Starting:
		r := s.own(u, mcp.SetLevel, params)
		reply := r.Reply
		r.Reply = func(m jsonrpc.Message, err error) {
			defer close(done)
			reply(m, err)
		}
		u.Send(r)
	default:
		close(done)
	}
	return done
}

// own is a request of PlayGuard's own whose answer nobody waits for.
func (s *Session) own(u *upstream.Upstream, method string, params []byte) *upstream.Request {
	return &upstream.Request{
		Message: upstream.OwnMessage(method, params),
		Reply: func(m jsonrpc.Message, err error) {
			if err == nil && m.Error.Present() {
				err = errors.New(string(m.Bytes(m.Error)))
			}
			if err != nil && s.ctx.Err() == nil {
				s.log.Warn("an upstream did not take over the session's state", "upstream", u.Spec.Name, "method", method, "error", err.Error())
			}
		},
	}
}
