// Package site serves a small web site on loopback for tests and measurements
// with a real browser: each page has one thing that is hard about snapshots.
// Those under /apps/ are small applications, in which something can be done.
//
// A page reports what was done on it with a request to /done?what=…, so that a
// test can wait for an effect instead of asking the browser about it.
package site

import (
	"context"
	"embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

//go:embed pages apps
var files embed.FS

// Rows is the number of rows of the page /rows.html.
const Rows = 1500

// Site is the running site.
type Site struct {
	// URL is where it is served, and Other is the same on another port: another
	// origin for the browser. Neither ends with a slash.
	URL, Other string

	close func()
	mu    sync.Mutex
	done  map[string]int
	grown chan struct{} // closed at the next report
}

// Start serves the site until the test ends.
func Start(t testing.TB) *Site {
	t.Helper()
	s := Serve()
	t.Cleanup(s.Close)
	return s
}

// Serve serves the site until Close.
func Serve() *Site {
	s := &Site{done: map[string]int{}, grown: make(chan struct{})}
	other := httptest.NewServer(s.handler(""))
	main := httptest.NewServer(s.handler(other.URL))
	s.URL, s.Other = main.URL, other.URL
	s.close = func() {
		main.Close()
		other.Close()
	}
	return s
}

// Close ends what Serve has begun.
func (s *Site) Close() { s.close() }

// Apps are the names of the applications: /apps/NAME.html is the page.
func Apps() []string {
	entries, err := files.ReadDir("apps")
	if err != nil {
		panic(err) // the name is the one embedded above
	}
	var names []string
	for _, e := range entries {
		// What is framed is a part of another one.
		if name := strings.TrimSuffix(e.Name(), ".html"); name != "framed" {
			names = append(names, name)
		}
	}
	return names
}

// handler serves the pages; other is put in the place of {{other}} in them.
func (s *Site) handler(other string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if !strings.HasPrefix(name, "apps/") {
			name = "pages/" + name
		}
		page, err := files.ReadFile(name)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(string(page), "{{other}}", other))
	})
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent) // every browser asks for it once
	})
	mux.HandleFunc("/rows.html", serveRows)
	mux.HandleFunc("/file.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="figures.csv"`)
		fmt.Fprintln(w, "a,b")
	})
	mux.HandleFunc("/done", func(w http.ResponseWriter, r *http.Request) {
		// An answer that may have a body is open for the browser until a script
		// has read it, and Playwright waits for that.
		w.WriteHeader(http.StatusNoContent)
		s.report(r.FormValue("what"))
	})
	return mux
}

// serveRows is a long table with a button in every row.
func serveRows(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, `<!doctype html><title>Rows</title><main><table><thead><tr><th>Number<th>Customer<th>Total<th></thead><tbody>`)
	for i := 1; i <= Rows; i++ {
		fmt.Fprintf(w, `<tr><td>%d<td>Customer number %d<td>$%d.00<td><button onclick="fetch('/done?what=row %d')">Open %d</button>`, i, i, i*3, i, i)
	}
	fmt.Fprint(w, `</tbody></table></main>`)
}

func (s *Site) report(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done[what]++
	close(s.grown)
	s.grown = make(chan struct{})
}

// Await waits until a page has reported what for the count-th time.
func (s *Site) Await(ctx context.Context, what string, count int) error {
	for {
		s.mu.Lock()
		reached, grown := s.done[what] >= count, s.grown
		s.mu.Unlock()
		if reached {
			return nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return fmt.Errorf("the page did not report %q: %w", what, context.Cause(ctx))
		}
	}
}

// Count is how often a page has reported what.
func (s *Site) Count(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done[what]
}
