package shop

// This file is the page that changes by itself: stock and prices of the day.

import (
	"net/http"
	"time"
)

// liveProducts is how many products the live page watches.
const liveProducts = 8

// quote is one row of the live page.
type quote struct {
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Price   string `json:"price"`
	Change  string `json:"change"`
	Trend   string `json:"trend"` // "up", "down" or "steady"
	Stock   int    `json:"stock"`
	Viewers int    `json:"viewers"`
}

// quotes is the state at a time after the start. It is a function of the time
// alone, so every visitor sees the same.
func (s *Server) quotes(at time.Duration) []quote {
	second := int(at / time.Second)
	rows := make([]quote, 0, liveProducts)
	for i := range liveProducts {
		p := s.products[i*len(s.products)/liveProducts]
		drift := func(n int) int { return (n*(7+i)+i*i)%41 - 20 } // tenths of a percent
		price := p.Price * (1000 + drift(second)) / 1000
		before := p.Price * (1000 + drift(second-1)) / 1000
		q := quote{
			Slug: p.Slug, Name: p.Name, Price: money(price), Change: money(price - before), Trend: "steady",
			Stock: max(0, p.Stock-(second+i)%7), Viewers: 3 + (second*(i+3)+i)%19,
		}
		switch {
		case price > before:
			q.Trend, q.Change = "up", "+"+q.Change
		case price < before:
			q.Trend = "down"
		}
		rows = append(rows, q)
	}
	return rows
}

func (s *Server) livePage(w http.ResponseWriter, r *http.Request) {
	s.render(w, r, http.StatusOK, "live", "live", s.quotes(s.now().Sub(s.started)))
}

func (s *Server) liveData(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, s.quotes(s.now().Sub(s.started)))
}
