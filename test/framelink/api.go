package framelink

// The Figma REST API, as far as the server asks it.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Token is the key that the fake lets in.
const Token = "figd_test-token"

// File keys that are answered with an error.
const (
	Forbidden = "forbidden403"
	Missing   = "missing404"
	Limited   = "limited429"
	BadJSON   = "badjson"
)

// API answers for files by their keys.
type API struct {
	files map[string]map[string]any

	mu       sync.Mutex
	requests []string
	asked    chan struct{} // gets one for each request, as long as there is room
	hold     chan struct{} // closed when held answers go out; nil: at once
}

// NewAPI makes an API of files as GET /v1/files/:key sends them.
func NewAPI(files map[string][]byte) (*API, error) {
	a := &API{files: map[string]map[string]any{}, asked: make(chan struct{}, 100)}
	for key, data := range files {
		var file map[string]any
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, fmt.Errorf("the file %s is no JSON: %w", key, err)
		}
		a.files[key] = file
	}
	return a, nil
}

// Requests returns the paths that were asked for, in order.
func (a *API) Requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.requests...)
}

// HoldAnswers keeps answers back until Release.
func (a *API) HoldAnswers() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hold = make(chan struct{})
}

// Release lets the answers go that were held.
func (a *API) Release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	close(a.hold)
	a.hold = nil
}

// Asked waits for a request that no call of Asked has waited for.
func (a *API) Asked(t testing.TB) {
	t.Helper()
	select {
	case <-a.asked:
	case <-time.After(patience):
		t.Fatal("the API was not asked")
	}
}

// patience is how long a request may take to come.
const patience = 30 * time.Second

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.requests = append(a.requests, r.URL.String())
	hold := a.hold
	a.mu.Unlock()
	select {
	case a.asked <- struct{}{}:
	default:
	}
	if hold != nil {
		<-hold
	}
	if strings.HasPrefix(r.URL.Path, "/rendered/") {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="M0 0L24 24"/></svg>`))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if r.Header.Get("X-Figma-Token") != Token {
		fail(w, http.StatusForbidden, "Invalid token")
		return
	}
	path, _ := strings.CutPrefix(r.URL.Path, "/v1/")
	parts := strings.Split(path, "/")
	if len(parts) < 2 {
		fail(w, http.StatusNotFound, "Not found")
		return
	}
	switch parts[1] {
	case Forbidden:
		fail(w, http.StatusForbidden, "This file is not yours")
		return
	case Missing:
		fail(w, http.StatusNotFound, "Not found")
		return
	case Limited:
		w.Header().Set("Retry-After", "60")
		fail(w, http.StatusTooManyRequests, "Rate limit exceeded")
		return
	case BadJSON:
		_, _ = w.Write([]byte(`{"document": {`)) // the peer sees what comes
		return
	}
	file := a.files[parts[1]]
	switch {
	case file == nil:
		fail(w, http.StatusNotFound, "Not found")
	case parts[0] == "images":
		a.images(w, r)
	case len(parts) == 2:
		reply(w, limited(file, "document", r))
	case parts[2] == "nodes":
		reply(w, a.nodes(file, r))
	case parts[2] == "images":
		reply(w, map[string]any{"error": false, "status": 200, "meta": map[string]any{"images": map[string]any{}}})
	default:
		fail(w, http.StatusNotFound, "Not found")
	}
}

func fail(w http.ResponseWriter, status int, text string) {
	w.WriteHeader(status)
	reply(w, map[string]any{"status": status, "err": text})
}

func reply(w http.ResponseWriter, v any) {
	_ = json.NewEncoder(w).Encode(v) // a peer that has gone away is the test's doing
}

// images answers with an address on this server for each id.
func (a *API) images(w http.ResponseWriter, r *http.Request) {
	images := map[string]any{}
	for _, id := range strings.Split(r.URL.Query().Get("ids"), ",") {
		images[id] = "https://api.figma.com/rendered/" + strings.NewReplacer(":", "-", ";", "_").Replace(id) + ".svg"
	}
	reply(w, map[string]any{"err": nil, "images": images})
}

// nodes answers for the ids asked for; null for those that are not there.
func (a *API) nodes(file map[string]any, r *http.Request) any {
	nodes := map[string]any{}
	for _, id := range strings.Split(r.URL.Query().Get("ids"), ",") {
		node := find(file["document"], id)
		if node == nil {
			nodes[id] = nil
			continue
		}
		entry := map[string]any{"document": node, "components": file["components"], "componentSets": file["componentSets"], "styles": file["styles"], "schemaVersion": 0}
		nodes[id] = limited(entry, "document", r)
	}
	return map[string]any{"name": file["name"], "lastModified": file["lastModified"], "version": file["version"], "role": "viewer", "editorType": "figma", "nodes": nodes}
}

func find(v any, id string) map[string]any {
	node, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	if node["id"] == id {
		return node
	}
	kids, _ := node["children"].([]any)
	for _, kid := range kids {
		if found := find(kid, id); found != nil {
			return found
		}
	}
	return nil
}

// limited returns v with the node under name cut off below the depth asked for.
// The real API leaves the children out there; the server can't do without the
// list on some types, so it is empty.
func limited(v map[string]any, name string, r *http.Request) map[string]any {
	var depth int
	if _, err := fmt.Sscan(r.URL.Query().Get("depth"), &depth); err != nil || depth < 1 {
		return v
	}
	out := map[string]any{}
	for k, member := range v {
		out[k] = member
	}
	out[name] = cut(v[name].(map[string]any), depth)
	return out
}

func cut(node map[string]any, depth int) map[string]any {
	kids, ok := node["children"].([]any)
	if !ok {
		return node
	}
	out := map[string]any{}
	for k, v := range node {
		out[k] = v
	}
	cutKids := []any{}
	if depth > 0 {
		for _, kid := range kids {
			cutKids = append(cutKids, cut(kid.(map[string]any), depth-1))
		}
	}
	out["children"] = cutKids
	return out
}
