package shop

// This file answers what a visitor does: cart, checkout, orders, newsletter.

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// addToCart answers the page's script with JSON and a plain form with the cart.
func (s *Server) addToCart(w http.ResponseWriter, r *http.Request) {
	p, ok := s.product(r.FormValue("slug"))
	if !ok {
		s.notFound(w, r)
		return
	}
	if p.Stock == 0 {
		http.Error(w, p.Name+" is sold out.", http.StatusConflict)
		return
	}
	n, err := strconv.Atoi(r.FormValue("quantity"))
	if err != nil {
		n = 1
	}
	count := 0
	s.visit(w, r, func(v *visitor) {
		s.counts.Added++
		v.cart = v.cart.add(p, n)
		count = v.cart.Count()
	})
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		writeJSON(w, map[string]any{"name": p.Name, "count": count})
		return
	}
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

func (s *Server) setQuantity(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.FormValue("quantity"))
	if err != nil || n < 1 {
		http.Error(w, "The quantity must be a number from 1 to 9.", http.StatusBadRequest)
		return
	}
	s.visit(w, r, func(v *visitor) { v.cart = v.cart.set(r.PathValue("slug"), n) })
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

func (s *Server) removeFromCart(w http.ResponseWriter, r *http.Request) {
	s.visit(w, r, func(v *visitor) {
		s.counts.Removed++
		v.cart = v.cart.set(r.PathValue("slug"), 0)
	})
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

func (s *Server) clearCart(w http.ResponseWriter, r *http.Request) {
	s.visit(w, r, func(v *visitor) {
		s.counts.Cleared++
		v.cart = nil
	})
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

// currentCart is a copy that needs no lock.
func (s *Server) currentCart(w http.ResponseWriter, r *http.Request) cart {
	var c cart
	s.visit(w, r, func(v *visitor) { c = slices.Clone(v.cart) })
	return c
}

func (s *Server) cartPage(w http.ResponseWriter, r *http.Request) {
	c := s.currentCart(w, r)
	quantities := make([]int, maxQuantity)
	for i := range quantities {
		quantities[i] = i + 1
	}
	s.render(w, r, http.StatusOK, "cart", "cart", map[string]any{
		"Cart": c, "Quantities": quantities,
		"Total": c.Subtotal() + c.StandardFee(), "Missing": max(0, freeShippingMin-c.Subtotal()),
	})
}

func (s *Server) checkoutPage(w http.ResponseWriter, r *http.Request) {
	c := s.currentCart(w, r)
	if len(c) == 0 {
		http.Redirect(w, r, "/cart", http.StatusSeeOther)
		return
	}
	s.renderCheckout(w, r, http.StatusOK, c, form{Delivery: "standard"}, nil)
}

// checkout places the order, or shows the form again with what is wrong.
func (s *Server) checkout(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "The form could not be read: "+err.Error(), http.StatusBadRequest)
		return
	}
	f := parseForm(r.PostForm)
	problems := f.check()
	var c cart
	var placed Order
	s.visit(w, r, func(v *visitor) {
		s.counts.Checkouts++
		c = slices.Clone(v.cart)
		switch {
		case len(problems) > 0 || len(c) == 0:
			s.counts.Refused++
		default:
			placed = s.placeOrder(v, f)
		}
	})
	switch {
	case placed.Number != "":
		http.Redirect(w, r, "/orders/"+placed.Number+"?placed=1", http.StatusSeeOther)
	case len(c) == 0:
		http.Redirect(w, r, "/cart", http.StatusSeeOther)
	default:
		s.renderCheckout(w, r, http.StatusUnprocessableEntity, c, f, problems)
	}
}

func (s *Server) renderCheckout(w http.ResponseWriter, r *http.Request, status int, c cart, f form, problems []problem) {
	errors := make(map[string]string)
	for _, p := range problems {
		errors[p.Field] = p.Message
	}
	var names []string
	for _, c := range countries {
		names = append(names, c.Name)
	}
	s.render(w, r, status, "checkout", "cart", map[string]any{
		"Cart": c, "Form": f, "Problems": problems, "Errors": errors, "Countries": names,
		"Express": expressFee, "GiftWrap": giftWrapFee, "Total": c.Subtotal() + c.StandardFee(),
	})
}

func (s *Server) ordersPage(w http.ResponseWriter, r *http.Request) {
	var orders []Order
	s.visit(w, r, func(v *visitor) { orders = slices.Clone(v.orders) })
	s.render(w, r, http.StatusOK, "orders", "orders", orders)
}

func (s *Server) orderPage(w http.ResponseWriter, r *http.Request) {
	var found *Order
	s.visit(w, r, func(v *visitor) {
		i := slices.IndexFunc(v.orders, func(o Order) bool { return o.Number == r.PathValue("number") })
		if i >= 0 {
			o := v.orders[i]
			found = &o
		}
	})
	if found == nil {
		s.notFound(w, r)
		return
	}
	s.render(w, r, http.StatusOK, "order", "orders", map[string]any{
		"Order": found, "Placed": r.URL.Query().Has("placed"),
	})
}

func (s *Server) newsletter(w http.ResponseWriter, r *http.Request) {
	s.visit(w, r, func(v *visitor) { v.subscribed = emailPattern.MatchString(r.FormValue("email")) })
	http.Redirect(w, r, "/#newsletter", http.StatusSeeOther)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a visitor who left needs no answer
}
