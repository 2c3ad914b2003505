package shop

// This file finds, sorts and pages products. All of it is pure.

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// perPage is how many products one page of the list shows.
const perPage = 12

// choice is one option of a select element.
type choice struct {
	Value, Label string
}

var priceRanges = [...]choice{
	{"", "Any price"}, {"0-25", "Under $25"}, {"25-50", "$25 to $50"}, {"50-100", "$50 to $100"}, {"100-", "$100 and more"},
}

var sortOrders = [...]choice{
	{"", "Featured"}, {"price", "Price, low to high"}, {"-price", "Price, high to low"}, {"rating", "Best rated"}, {"name", "Name, A to Z"},
}

// filter is what the visitor asked the product list for.
type filter struct {
	Search     string
	Categories []string
	Price      string // a value of priceRanges
	Sort       string // a value of sortOrders
	Page       int    // from 1
}

// parseFilter reads a query. What it does not know is left out.
func parseFilter(q url.Values) filter {
	f := filter{Search: strings.TrimSpace(q.Get("q")), Page: 1}
	for _, c := range categories {
		if slices.Contains(q["category"], c) {
			f.Categories = append(f.Categories, c)
		}
	}
	f.Price = known(priceRanges[:], q.Get("price"))
	f.Sort = known(sortOrders[:], q.Get("sort"))
	if n, err := strconv.Atoi(q.Get("page")); err == nil && n > 1 {
		f.Page = n
	}
	return f
}

func known(choices []choice, value string) string {
	if slices.ContainsFunc(choices, func(c choice) bool { return c.Value == value }) {
		return value
	}
	return ""
}

// query is the address of a page of this list.
func (f filter) query(page int) string {
	q := url.Values{}
	if f.Search != "" {
		q.Set("q", f.Search)
	}
	for _, c := range f.Categories {
		q.Add("category", c)
	}
	if f.Price != "" {
		q.Set("price", f.Price)
	}
	if f.Sort != "" {
		q.Set("sort", f.Sort)
	}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	if len(q) == 0 {
		return "/products"
	}
	return "/products?" + q.Encode()
}

// matches says whether p belongs on the list, on whichever page.
func (f filter) matches(p Product) bool {
	if len(f.Categories) > 0 && !slices.Contains(f.Categories, p.Category) {
		return false
	}
	if low, high, ok := strings.Cut(f.Price, "-"); ok {
		least, _ := strconv.Atoi(low)
		most, err := strconv.Atoi(high)
		if p.Price < least*100 || err == nil && p.Price >= most*100 {
			return false
		}
	}
	text := strings.ToLower(p.Name + " " + p.Category + " " + p.Material)
	for word := range strings.FieldsSeq(strings.ToLower(f.Search)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// listing is one page of results.
type listing struct {
	Filter      filter
	Products    []Product
	Total       int
	First, Last int // places in the whole result, from 1
	Pages       []page
	Prev, Next  string // addresses, empty at the ends
}

// page is one link of the pager.
type page struct {
	Number  int
	URL     string
	Current bool
}

// list applies f to all.
func list(all []Product, f filter) listing {
	var found []Product
	for _, p := range all {
		if f.matches(p) {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, compareBy(f.Sort))

	pages := max(1, (len(found)+perPage-1)/perPage)
	f.Page = min(f.Page, pages)
	from := (f.Page - 1) * perPage
	to := min(from+perPage, len(found))
	l := listing{Filter: f, Products: found[from:to], Total: len(found), First: from + 1, Last: to}
	for n := 1; n <= pages; n++ {
		l.Pages = append(l.Pages, page{n, f.query(n), n == f.Page})
	}
	if f.Page > 1 {
		l.Prev = f.query(f.Page - 1)
	}
	if f.Page < pages {
		l.Next = f.query(f.Page + 1)
	}
	return l
}

func compareBy(order string) func(a, b Product) int {
	switch order {
	case "price":
		return func(a, b Product) int { return cmp.Compare(a.Price, b.Price) }
	case "-price":
		return func(a, b Product) int { return cmp.Compare(b.Price, a.Price) }
	case "rating":
		return func(a, b Product) int { return cmp.Compare(b.Rating, a.Rating) }
	case "name":
		return func(a, b Product) int { return cmp.Compare(a.Name, b.Name) }
	}
	return func(Product, Product) int { return 0 }
}
