package shop

// This file renders pages.

import (
	"bytes"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"
)

// pageNames are the templates that define a page's main part.
var pageNames = [...]string{"home", "products", "product", "cart", "checkout", "orders", "order", "live", "help", "notfound"}

func parsePages() map[string]*template.Template {
	funcs := template.FuncMap{
		"money":      money,
		"categories": func() []string { return categories[:] },
		"has":        func(list []string, s string) bool { return slices.Contains(list, s) },
		"date":       func(t time.Time) string { return t.Format("2 January 2006") },
		"iso":        func(t time.Time) string { return t.Format("2006-01-02") },
		"lower":      strings.ToLower,
		"map":        pairs,
	}
	// Every page has "title" and "main" of its own beside the shared parts.
	shared := template.Must(template.New("").Funcs(funcs).ParseFS(web, "web/templates/shared/*.html"))
	pages := make(map[string]*template.Template)
	for _, name := range pageNames {
		pages[name] = template.Must(template.Must(shared.Clone()).ParseFS(web, "web/templates/"+name+".html"))
	}
	return pages
}

// pairs builds a template's argument from names and values.
func pairs(namesAndValues ...any) map[string]any {
	m := make(map[string]any)
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		m[namesAndValues[i].(string)] = namesAndValues[i+1]
	}
	return m
}

// view is what every page gets.
type view struct {
	Section   string // the entry of the navigation that is current
	CartCount int
	Data      any
}

// render writes a page with the given status.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name, section string, data any) {
	v := view{Section: section, Data: data}
	s.visit(w, r, func(visitor *visitor) { v.CartCount = visitor.cart.Count() })
	s.execute(w, status, name, "layout", v)
}

// execute writes one template of a page; a failure leaves no half page behind.
func (s *Server) execute(w http.ResponseWriter, status int, name, part string, data any) {
	var b bytes.Buffer
	if err := s.pages[name].ExecuteTemplate(&b, part, data); err != nil {
		http.Error(w, "The page "+name+" could not be rendered: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // a visitor who left needs no page
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	var fresh []Product
	counts := make(map[string]int)
	for _, p := range s.products {
		counts[p.Category]++
		if p.New {
			fresh = append(fresh, p)
		}
	}
	subscribed := false
	s.visit(w, r, func(v *visitor) { subscribed = v.subscribed })
	s.render(w, r, http.StatusOK, "home", "home", map[string]any{
		"New": fresh[:4], "Counts": counts, "Subscribed": subscribed,
	})
}

// productList answers with the whole page, or with the list alone for the
// page's own script.
func (s *Server) productList(w http.ResponseWriter, r *http.Request) {
	l := list(s.products, parseFilter(r.URL.Query()))
	if r.Header.Get("X-Fragment") != "" {
		s.execute(w, http.StatusOK, "products", "listing", l)
		return
	}
	s.render(w, r, http.StatusOK, "products", "products", map[string]any{
		"List": l, "Prices": priceRanges, "Sorts": sortOrders,
	})
}

func (s *Server) productPage(w http.ResponseWriter, r *http.Request) {
	p, ok := s.product(r.PathValue("slug"))
	if !ok {
		s.notFound(w, r)
		return
	}
	var related []Product
	for _, other := range s.products {
		if other.Category == p.Category && other.Slug != p.Slug && len(related) < 3 {
			related = append(related, other)
		}
	}
	s.render(w, r, http.StatusOK, "product", "products", map[string]any{"Product": p, "Related": related})
}

func (s *Server) helpPage(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusOK, "help", "help", nil)
}

func (s *Server) notFound(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusNotFound, "notfound", "", nil)
}
