package shop

// This file checks an order form and makes orders.

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// countries and the pattern of their postal codes.
var countries = [...]struct{ Name, Postal, Example string }{
	{"Austria", `^\d{4}$`, "1010"},
	{"Germany", `^\d{5}$`, "10115"},
	{"Netherlands", `^\d{4} ?[A-Z]{2}$`, "1012 AB"},
	{"Switzerland", `^\d{4}$`, "8001"},
	{"United Kingdom", `^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$`, "SW1A 1AA"},
	{"United States", `^\d{5}(-\d{4})?$`, "10001"},
}

// vouchers in percent. Only the server knows them, so a wrong one passes the
// page's own checks.
var vouchers = [...]struct {
	Code    string
	Percent int
}{{"WELCOME10", 10}, {"SPRING15", 15}}

var emailPattern = regexp.MustCompile(`^[^\s@]+@[^\s@]+\.[^\s@]{2,}$`)

// form is what was entered at the checkout.
type form struct {
	Name, Email, Street, City, Postal, Country string
	Delivery                                   string // "standard" or "express"
	Voucher, Notes                             string
	GiftWrap, Terms                            bool
}

func parseForm(v url.Values) form {
	get := func(name string) string { return strings.TrimSpace(v.Get(name)) }
	f := form{
		Name: get("name"), Email: get("email"), Street: get("street"), City: get("city"),
		Postal: strings.ToUpper(get("postal")), Country: get("country"), Delivery: get("delivery"),
		Voucher: strings.ToUpper(get("voucher")), Notes: get("notes"),
		GiftWrap: get("giftwrap") != "", Terms: get("terms") != "",
	}
	if f.Delivery != "express" {
		f.Delivery = "standard"
	}
	return f
}

// problem is one thing wrong with a form.
type problem struct {
	Field   string // the id of its element
	Message string
}

// check lists what is wrong, in the order of the fields.
func (f form) check() []problem {
	var found []problem
	require := func(field, value, message string) {
		if value == "" {
			found = append(found, problem{field, message})
		}
	}
	require("name", f.Name, "Enter your full name")
	if !emailPattern.MatchString(f.Email) {
		found = append(found, problem{"email", "Enter an email address like name@example.com"})
	}
	require("street", f.Street, "Enter your street and number")
	require("city", f.City, "Enter your city")
	found = append(found, f.checkPlace()...)
	if _, ok := f.percent(); !ok {
		found = append(found, problem{"voucher", "The voucher code " + f.Voucher + " is not valid or has expired"})
	}
	if !f.Terms {
		found = append(found, problem{"terms", "Accept the terms of sale to place the order"})
	}
	return found
}

// checkPlace checks the postal code against the country's pattern.
func (f form) checkPlace() []problem {
	for _, c := range countries {
		if c.Name != f.Country {
			continue
		}
		if !regexp.MustCompile(c.Postal).MatchString(f.Postal) {
			return []problem{{"postal", "Enter a postal code of " + c.Name + ", for example " + c.Example}}
		}
		return nil
	}
	found := []problem{{"country", "Choose the country to deliver to"}}
	if f.Postal == "" {
		found = slices.Insert(found, 0, problem{"postal", "Enter your postal code"})
	}
	return found
}

// percent is the voucher's discount; no voucher is a valid one of 0 %.
func (f form) percent() (int, bool) {
	if f.Voucher == "" {
		return 0, true
	}
	for _, v := range vouchers {
		if v.Code == f.Voucher {
			return v.Percent, true
		}
	}
	return 0, false
}

// Order is a placed order. Amounts are in cents.
type Order struct {
	Number   string
	Placed   time.Time
	Name     string
	Email    string
	Lines    []cartLine
	Items    int
	Subtotal int
	Discount int
	Shipping int
	GiftWrap int
	Total    int
	Status   string
}

// newOrder prices a cart with a checked form.
func newOrder(number string, placed time.Time, f form, c cart) Order {
	o := Order{
		Number: number, Placed: placed, Name: f.Name, Email: f.Email,
		Lines: slices.Clone(c), Items: c.Count(), Subtotal: c.Subtotal(), Shipping: c.StandardFee(), Status: "Processing",
	}
	percent, _ := f.percent()
	o.Discount = o.Subtotal * percent / 100
	if f.Delivery == "express" {
		o.Shipping = expressFee
	}
	if f.GiftWrap {
		o.GiftWrap = giftWrapFee
	}
	o.Total = o.Subtotal - o.Discount + o.Shipping + o.GiftWrap
	return o
}

// pastOrders is the history every visitor finds.
func pastOrders() []Order {
	day := func(month time.Month, d int) time.Time { return time.Date(2025, month, d, 10, 0, 0, 0, time.UTC) }
	return []Order{
		{Number: "LF-2418", Placed: day(time.November, 12), Name: "Ada Marsh", Items: 3, Total: 14200, Status: "Shipped"},
		{Number: "LF-2377", Placed: day(time.October, 30), Name: "Ada Marsh", Items: 1, Total: 6450, Status: "Delivered"},
		{Number: "LF-2290", Placed: day(time.October, 4), Name: "Ada Marsh", Items: 6, Total: 23150, Status: "Delivered"},
		{Number: "LF-2251", Placed: day(time.September, 18), Name: "Jon Reed", Items: 2, Total: 4895, Status: "Returned"},
		{Number: "LF-2198", Placed: day(time.August, 27), Name: "Ada Marsh", Items: 4, Total: 9900, Status: "Delivered"},
		{Number: "LF-2133", Placed: day(time.July, 9), Name: "Jon Reed", Items: 1, Total: 15900, Status: "Delivered"},
		{Number: "LF-2087", Placed: day(time.June, 21), Name: "Ada Marsh", Items: 2, Total: 3545, Status: "Cancelled"},
	}
}
