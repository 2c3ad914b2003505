package shop

// This file drives the shop over HTTP as a browser without scripts does.

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// browser is one visitor with cookies.
type browser struct {
	t      *testing.T
	base   string
	client *http.Client
}

func open(t *testing.T, s *Server) *browser {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, server.URL, &http.Client{Jar: jar}}
}

func (b *browser) read(r *http.Response, err error) (int, string) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if err != nil {
		b.t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func (b *browser) get(path string) (int, string) {
	b.t.Helper()
	return b.read(b.client.Get(b.base + path))
}

func (b *browser) post(path string, form url.Values) (int, string) {
	b.t.Helper()
	return b.read(b.client.PostForm(b.base+path, form))
}

func goodForm() url.Values {
	return url.Values{
		"name": {"Ada Marsh"}, "email": {"ada@example.com"}, "street": {"Mill Lane 4"}, "postal": {"10115"},
		"city": {"Berlin"}, "country": {"Germany"}, "delivery": {"standard"}, "terms": {"1"},
	}
}

func TestEveryPageIsServedWholeAndNeedsNobodyElse(t *testing.T) {
	b := open(t, New())
	b.post("/cart/items", url.Values{"slug": {"stoneware-mug"}})
	outside := regexp.MustCompile(`(?i)(src|href|action)="?(https?:)?//|@import|url\(`)
	for path, want := range map[string]string{
		"/":                             "Well-made things for everyday rooms",
		"/products":                     "Showing 1 to 12 of 48 products",
		"/products/walnut-desk-lamp":    "A slim reading lamp",
		"/cart":                         "Remove Stoneware Mug",
		"/checkout":                     "I accept the terms of sale",
		"/orders":                       "LF-2418",
		"/orders/LF-2418":               "It came to $142.00",
		"/live":                         "Looking now",
		"/help":                         "Can I send something back?",
		"/assets/shop.css":              "--brand",
		"/assets/shop.js":               "showModal",
		"/api/live":                     `"slug":"walnut-desk-lamp"`,
		"/products?q=nothing+like+that": "No product matches these filters",
	} {
		status, body := b.get(path)
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: status %d, no %q in %d bytes", path, status, want, len(body))
		}
		if m := outside.FindString(body); m != "" {
			t.Errorf("%s refers to something outside: %s", path, m)
		}
		if strings.HasPrefix(body, "<!doctype") && !strings.HasSuffix(strings.TrimSpace(body), "</html>") {
			t.Errorf("%s is cut off", path)
		}
	}
	for _, path := range []string{"/nothing", "/products/nothing", "/orders/LF-1"} {
		if status, body := b.get(path); status != http.StatusNotFound || !strings.Contains(body, "This page does not exist") {
			t.Errorf("%s: status %d", path, status)
		}
	}
}

func TestIDsAreUniqueAndReferencesResolve(t *testing.T) {
	b := open(t, New())
	b.post("/cart/items", url.Values{"slug": {"stoneware-mug"}})
	ids := regexp.MustCompile(`\sid="([^"]+)"`)
	refs := regexp.MustCompile(`\s(?:for|aria-labelledby|aria-describedby)="([^"]+)"`)
	for _, path := range []string{"/", "/products", "/products/oak-monitor-stand", "/cart", "/checkout", "/orders", "/live", "/help"} {
		_, body := b.get(path)
		seen := map[string]bool{}
		for _, m := range ids.FindAllStringSubmatch(body, -1) {
			if seen[m[1]] {
				t.Errorf("%s: the id %s is there twice", path, m[1])
			}
			seen[m[1]] = true
		}
		for _, m := range refs.FindAllStringSubmatch(body, -1) {
			for id := range strings.FieldsSeq(m[1]) {
				if !seen[id] {
					t.Errorf("%s: %s refers to nothing", path, strings.TrimSpace(m[0]))
				}
			}
		}
	}
}

func TestCart(t *testing.T) {
	s := New()
	b := open(t, s)
	b.post("/cart/items", url.Values{"slug": {"stoneware-mug"}, "quantity": {"2"}})
	_, body := b.post("/cart/items", url.Values{"slug": {"peg-rail"}})
	if !strings.Contains(body, "$72.00") || !strings.Contains(body, "Cart, 3 items") {
		t.Error("the cart does not sum up two mugs and a peg rail")
	}
	if status, _ := b.post("/cart/items", url.Values{"slug": {"bird-feeder"}}); status != http.StatusConflict {
		t.Errorf("a sold out product was added: status %d", status)
	}
	if status, _ := b.post("/cart/items/peg-rail", url.Values{"quantity": {"x"}}); status != http.StatusBadRequest {
		t.Errorf("a quantity that is no number: status %d", status)
	}
	if _, body = b.post("/cart/items/peg-rail", url.Values{"quantity": {"4"}}); !strings.Contains(body, "$140.00") {
		t.Error("four peg rails do not cost $140.00")
	}
	if _, body = b.post("/cart/items/peg-rail/remove", nil); strings.Contains(body, "Peg Rail") {
		t.Error("the peg rail is still there")
	}
	if _, body = b.post("/cart/clear", nil); !strings.Contains(body, "Your cart is empty") {
		t.Error("the cart is not empty")
	}
	if got, want := s.Counts(), (Counts{Added: 2, Removed: 1, Cleared: 1}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
}

func TestScriptsGetJSONAndFragments(t *testing.T) {
	b := open(t, New())
	request := func(method, path string, body io.Reader, header ...string) string {
		r, err := http.NewRequestWithContext(t.Context(), method, b.base+path, body)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		_, text := b.read(b.client.Do(r))
		return text
	}
	got := request("POST", "/cart/items", strings.NewReader("slug=peg-rail"), "Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json")
	if strings.TrimSpace(got) != `{"count":1,"name":"Peg Rail"}` {
		t.Errorf("adding by script gave %s", got)
	}
	got = request("GET", "/products?category=Garden", nil, "X-Fragment", "1")
	if strings.Contains(got, "<html") || !strings.Contains(got, "of 8 products") {
		t.Errorf("the fragment is %.200s", got)
	}
}

func TestOrderIsPlacedExactlyOnce(t *testing.T) {
	s := New()
	b := open(t, s)
	if _, body := b.post("/checkout", goodForm()); !strings.Contains(body, "Your cart is empty") {
		t.Error("an empty cart could be ordered")
	}
	b.post("/cart/items", url.Values{"slug": {"walnut-desk-lamp"}})
	bad := goodForm()
	bad.Set("voucher", "old20")
	status, body := b.post("/checkout", bad)
	if status != http.StatusUnprocessableEntity || !strings.Contains(body, "The voucher code OLD20 is not valid") ||
		!strings.Contains(body, `value="Ada Marsh"`) || !strings.Contains(body, `aria-invalid="true"`) {
		t.Errorf("a wrong voucher: status %d", status)
	}
	if s.Orders() != 0 {
		t.Fatal("a refused form became an order")
	}
	good := goodForm()
	good.Set("voucher", "spring15")
	good.Set("delivery", "express")
	good.Set("giftwrap", "1")
	if _, body = b.post("/checkout", good); !strings.Contains(body, "Thank you, your order is placed") {
		t.Error("the order was not confirmed")
	}
	if _, body = b.get("/orders"); !strings.Contains(body, "LF-2431") {
		t.Error("the order is not listed")
	}
	b.post("/checkout", good) // the browser's "send again": the cart is empty by now
	orders := s.PlacedOrders()
	if s.Orders() != 1 || len(orders) != 1 || orders[0].Total != 8900-1335+1290+350 {
		t.Errorf("orders: %+v", orders)
	}
	if got := s.Counts(); got.Checkouts != 4 || got.Refused != 3 {
		t.Errorf("counts: %+v", got)
	}
}

func TestFormChecks(t *testing.T) {
	for name, test := range map[string]struct {
		set  url.Values
		want string // the fields complained about
	}{
		"good":             {url.Values{}, ""},
		"empty":            {url.Values{"name": {" "}, "email": {""}, "street": {""}, "city": {""}, "postal": {""}, "country": {""}, "terms": {""}}, "name email street city postal country terms"},
		"email":            {url.Values{"email": {"ada@example"}}, "email"},
		"postal":           {url.Values{"postal": {"SW1A 1AA"}}, "postal"},
		"postal elsewhere": {url.Values{"postal": {"sw1a 1aa"}, "country": {"United Kingdom"}}, ""},
		"country":          {url.Values{"country": {"Atlantis"}}, "country"},
		"voucher":          {url.Values{"voucher": {"welcome10"}}, ""},
	} {
		form := goodForm()
		for key, value := range test.set {
			form[key] = value
		}
		var fields []string
		for _, p := range parseForm(form).check() {
			fields = append(fields, p.Field)
		}
		if got := strings.Join(fields, " "); got != test.want {
			t.Errorf("%s: complained about %q, want %q", name, got, test.want)
		}
	}
}

func TestFilters(t *testing.T) {
	all := newCatalogue()
	slugs := map[string]bool{}
	for _, p := range all {
		slugs[p.Slug] = true
	}
	if len(slugs) != 48 {
		t.Fatalf("%d different products, want 48", len(slugs))
	}
	for query, want := range map[string]struct {
		total       int
		first, last string
		pages       int
	}{
		"":                                     {48, "Walnut Desk Lamp", "Carbon Steel Wok", 4},
		"page=4":                               {48, "Pruning Shears", "Wall Hook Trio", 4},
		"page=99":                              {48, "Pruning Shears", "Wall Hook Trio", 4},
		"category=Desk&category=Nonsense":      {8, "Oak Monitor Stand", "Wall Planner", 1},
		"category=Desk&price=25-50&sort=price": {4, "Brass Pen Tray", "Task Chair Cushion", 1},
		"q=WALNUT&sort=-price":                 {2, "Walnut Desk Lamp", "Magnetic Key Shelf", 1},
		"price=100-&sort=name":                 {4, "Fire Bowl", "Studio Floor Lamp", 1},
		"q=linen+storage":                      {1, "Linen Storage Box", "Linen Storage Box", 1},
		"sort=rating&price=bad&page=x&category=x": {48, "Stoneware Mug", "", 4},
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		l := list(all, parseFilter(values))
		if l.Total != want.total || len(l.Pages) != want.pages || l.Products[0].Name != want.first ||
			want.last != "" && l.Products[len(l.Products)-1].Name != want.last {
			t.Errorf("%s: %d products on %d pages, first %s, last %s", query, l.Total, len(l.Pages), l.Products[0].Name, l.Products[len(l.Products)-1].Name)
		}
		again, err := url.Parse(l.Filter.query(l.Filter.Page))
		if err != nil {
			t.Fatal(err)
		}
		if back := list(all, parseFilter(again.Query())); back.Total != l.Total || back.First != l.First {
			t.Errorf("%s: the address %s shows something else", query, again)
		}
	}
}

func TestLiveFiguresChangeEachSecondAndAreReproducible(t *testing.T) {
	s := New()
	now := s.started
	s.now = func() time.Time { return now }
	b := open(t, s)
	read := func() string {
		_, body := b.get("/api/live")
		var rows []quote
		if err := json.Unmarshal([]byte(body), &rows); err != nil || len(rows) != liveProducts {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		return body
	}
	before := read()
	for range 60 {
		now = now.Add(time.Second)
		after := read()
		if after == before {
			t.Fatalf("nothing changed %s after the start", now.Sub(s.started))
		}
		if read() != after {
			t.Fatal("the same second gave other figures")
		}
		before = after
	}
}

func TestManyVisitorsAtOnce(t *testing.T) {
	s := New()
	var visitors sync.WaitGroup
	for range 8 {
		b := open(t, s)
		visitors.Go(func() {
			b.post("/cart/items", url.Values{"slug": {"peg-rail"}})
			b.post("/checkout", goodForm())
			b.get("/orders")
		})
	}
	visitors.Wait()
	numbers := map[string]bool{}
	for _, o := range s.PlacedOrders() {
		numbers[o.Number] = true
	}
	if len(numbers) != 8 {
		t.Errorf("%d different orders, want 8", len(numbers))
	}
}

func TestMoney(t *testing.T) {
	for cents, want := range map[int]string{0: "$0.00", 5: "$0.05", 8900: "$89.00", -1335: "-$13.35", -40: "-$0.40"} {
		if got := money(cents); got != want {
			t.Errorf("%d cents: %s, want %s", cents, got, want)
		}
	}
}
