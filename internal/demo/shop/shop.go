// Package shop is a small but real web shop, served from the binary: pages,
// filters, cart, checkout, orders and a page that changes by itself.
//
// The demo and the tests drive it with a browser. It needs no network and
// counts what it was told to do, so that "ordered exactly once" can be asserted.
package shop

// This file is the server: its state, its routes, its counters.

import (
	"crypto/rand"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

//go:embed web
var web embed.FS

// sessionCookie names a visitor's cart.
const sessionCookie = "larkfield_session"

// maxForm is the largest form accepted, in bytes.
const maxForm = 64 << 10

// firstOrder is the number of the first order that is placed.
const firstOrder = 2431

// Server is the shop. It is an http.Handler and may be used by many visitors at
// once; nothing outlives it.
type Server struct {
	mux      *http.ServeMux
	pages    map[string]*template.Template
	products []Product
	now      func() time.Time
	started  time.Time

	mu       sync.Mutex
	visitors map[string]*visitor
	orders   []Order
	counts   Counts
}

// visitor is one session.
type visitor struct {
	cart       cart
	orders     []Order // newest first
	subscribed bool
}

// Counts is how often the shop was told to do something.
type Counts struct {
	Checkouts int // order forms that arrived, valid or not
	Refused   int // of these, the ones sent back with errors
	Added     int // "add to cart" requests
	Removed   int // "remove from cart" requests
	Cleared   int // "empty cart" requests
}

// New makes a shop with a full catalogue and no orders of its own.
func New() *Server {
	s := &Server{
		mux:      http.NewServeMux(),
		pages:    parsePages(),
		products: newCatalogue(),
		now:      time.Now,
		started:  time.Now(),
		visitors: make(map[string]*visitor),
	}
	assets, err := fs.Sub(web, "web/assets")
	if err != nil {
		panic(err) // the path is constant and valid
	}
	s.mux.Handle("GET /assets/", http.StripPrefix("/assets/", http.FileServerFS(assets)))
	s.mux.HandleFunc("GET /{$}", s.home)
	s.mux.HandleFunc("GET /products", s.productList)
	s.mux.HandleFunc("GET /products/{slug}", s.productPage)
	s.mux.HandleFunc("GET /cart", s.cartPage)
	s.mux.HandleFunc("POST /cart/items", s.addToCart)
	s.mux.HandleFunc("POST /cart/items/{slug}", s.setQuantity)
	s.mux.HandleFunc("POST /cart/items/{slug}/remove", s.removeFromCart)
	s.mux.HandleFunc("POST /cart/clear", s.clearCart)
	s.mux.HandleFunc("GET /checkout", s.checkoutPage)
	s.mux.HandleFunc("POST /checkout", s.checkout)
	s.mux.HandleFunc("GET /orders", s.ordersPage)
	s.mux.HandleFunc("GET /orders/{number}", s.orderPage)
	s.mux.HandleFunc("GET /live", s.livePage)
	s.mux.HandleFunc("GET /api/live", s.liveData)
	s.mux.HandleFunc("GET /help", s.helpPage)
	s.mux.HandleFunc("POST /newsletter", s.newsletter)
	s.mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s.mux.HandleFunc("/", s.notFound)
	return s
}

// ServeHTTP answers a request. Everything comes from this server, and the pages
// say so to the browser.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	s.mux.ServeHTTP(w, r)
}

// Orders is the number of orders placed.
func (s *Server) Orders() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.orders)
}

// PlacedOrders is a copy of the orders placed, oldest first.
func (s *Server) PlacedOrders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.orders)
}

// Counts is a copy of the counters.
func (s *Server) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// product finds one by its slug.
func (s *Server) product(slug string) (Product, bool) {
	i := slices.IndexFunc(s.products, func(p Product) bool { return p.Slug == slug })
	if i < 0 {
		return Product{}, false
	}
	return s.products[i], true
}

// visit runs f on the request's session with the lock held, and starts a
// session where there is none.
func (s *Server) visit(w http.ResponseWriter, r *http.Request, f func(*visitor)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, err := r.Cookie(sessionCookie); err == nil {
		if v := s.visitors[c.Value]; v != nil {
			f(v)
			return
		}
	}
	id := rand.Text()
	v := &visitor{orders: pastOrders()}
	s.visitors[id] = v
	http.SetCookie(w, &http.Cookie{Name: sessionCookie, Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	f(v)
}

// placeOrder turns a visitor's cart into an order. The caller holds the lock.
func (s *Server) placeOrder(v *visitor, f form) Order {
	o := newOrder("LF-"+strconv.Itoa(firstOrder+len(s.orders)), s.now(), f, v.cart)
	s.orders = append(s.orders, o)
	v.orders = slices.Insert(v.orders, 0, o)
	v.cart = nil
	return o
}
