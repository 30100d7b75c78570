package edge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
)

func (w *world) list(kind contract.Aggregate, id, of string, at time.Time, state any) {
	w.t.Helper()
	body, err := json.Marshal(state)
	if err == nil {
		err = w.docs.Put(w.t.Context(), projection.Document{Kind: string(kind), ID: id, Seq: w.seq.Add(1), At: at, Body: body, Keys: map[string]string{"account": of}})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// putSales makes 30 live quotes, a test quote, an order of a member, one of a stranger and
// one of another account.
func (w *world) putSales() {
	at := w.now()
	for i := range 30 {
		name, status := fmt.Sprint("live ", i), quotes.Ready
		if i == 0 {
			status = quotes.SourcingRequested
		}
		w.list(contract.QuoteAggregate, fmt.Sprint("q", i), account, at.Add(time.Duration(i)*time.Second), quotes.Quote{Ref: fmt.Sprint("q", i), Account: account, RequestID: "req_1", Status: status, Board: "2 layers, 50 × 40 mm", Request: quotes.Request{Quantity: 5, ProjectName: &name}})
	}
	name := "only a test"
	w.list(contract.QuoteAggregate, "qt", account+"~test", at, quotes.Quote{Ref: "qt", Account: account + "~test", RequestID: "req_2", Status: quotes.Ready, Request: quotes.Request{Quantity: 5, ProjectName: &name}})
	for id, to := range map[string]string{"own": "owner@acme.example", "stranger": "ada@example.com"} {
		w.list(contract.OrderAggregate, id, account, at, orders.Order{
			ID: "ord_" + id, Ref: "BO-" + strings.ToUpper(id), Quote: id, Account: account, Request: "req_1", Status: orders.Shipped, Quantity: 5, Board: "2 layers", TotalCents: 5500, Currency: "USD", PaidAt: at,
			ShipTo: shipments.ShipTo{Name: "Ada Lovelace", Email: to, Line1: "1 Main St", City: "Austin", State: "TX", PostalCode: "73301", Country: "US"}, Invoices: []invoices.Invoice{{Number: 7, Kind: "invoice", Cents: 5500, IssuedAt: at, Seller: []string{"Board Ordering"}}},
		})
	}
	w.list(contract.OrderAggregate, "foreign", "acc_foreign", at, orders.Order{Ref: "BO-FOREIGN", Quote: "foreign", Account: "acc_foreign", ShipTo: shipments.ShipTo{Email: "owner@acme.example"}, Invoices: []invoices.Invoice{{Number: 8}}})
}

// TestPortalLists: quotes and orders of the account, live and test apart, by status and page by
// page; invoices of the account's own members alone.
func TestPortalLists(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.putAccount(acme(w.now(), memberOf(accounts.Owner, w.now()), memberOf(accounts.Viewer, w.now())))
	w.putSales()
	v := w.portal()
	v.signIn("owner@acme.example")
	for path, want := range map[string]struct{ has, lacks []string }{
		"/portal/quotes":                           {[]string{"live 29", "live 5", "Older", "/checkout/"}, []string{"live 4", "only a test"}},
		"/portal/quotes?mode=test":                 {[]string{"only a test"}, []string{"live 29", "Older"}},
		"/portal/quotes?status=sourcing_requested": {[]string{"live 0"}, []string{"live 29"}},
		"/portal/quotes?status=nonsense":           {[]string{"live 29"}, nil},
		"/portal/orders":                           {[]string{"BO-OWN", "BO-STRANGER", "/portal/orders/own/invoices/0"}, []string{"BO-FOREIGN", "/portal/orders/stranger/invoices", "ada@example.com", "Lovelace"}},
		"/portal/orders?status=held":               {[]string{"None"}, []string{"BO-OWN"}},
		"/portal/usage":                            {[]string{"quotes-day", "of 2000", "of 1000"}, nil},
	} {
		p := v.get(path)
		for _, text := range want.has {
			if p.status != 200 || !strings.Contains(p.body, text) {
				t.Errorf("%s: %d, lacks %q", path, p.status, text)
			}
		}
		for _, text := range want.lacks {
			if strings.Contains(p.body, text+"<") || strings.Contains(p.body, text+"/") || text == "Lovelace" && strings.Contains(p.body, text) {
				t.Errorf("%s has %q, want it without", path, text)
			}
		}
	}
	_, next, _ := strings.Cut(v.get("/portal/quotes").body, `<p class="more-rows"><a href="`)
	next, _, _ = strings.Cut(next, `"`)
	if p := v.get("/portal/quotes" + strings.ReplaceAll(next, "&amp;", "&")); !strings.Contains(p.body, "live 4<") || strings.Contains(p.body, "live 29<") {
		t.Errorf("the next page, %s: %d, want it from live 4 on", next, p.status)
	}
	if p := v.get("/portal/quotes?cursor=x"); p.status != 400 {
		t.Errorf("a cursor that is none: %d, want 400", p.status)
	}
	for path, want := range map[string]int{"own/invoices/0": 200, "own/invoices/1": 404, "own/invoices/-1": 404, "stranger/invoices/0": 404, "foreign/invoices/0": 404, "none/invoices/0": 404} {
		p := v.get("/portal/orders/" + path)
		if p.status != want || want == 200 && !strings.HasPrefix(p.body, "%PDF") {
			t.Errorf("%s: %d %.40q, want %d", path, p.status, p.body, want)
		}
	}
	viewer := w.portal()
	viewer.signIn("viewer@acme.example")
	if p := viewer.get("/portal/orders"); !strings.Contains(p.body, "BO-OWN") || strings.Contains(p.body, "/invoices/") {
		t.Errorf("a viewer's orders: %d, want them without links to invoices", p.status)
	}
}

// TestPortalUsage: what was taken of a day's quota is shown, of each mode by itself.
func TestPortalUsage(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := acme(w.now())
	a.Limits = map[string]int{"quotes-day": 10}
	w.putAccount(a)
	w.putKey(w.key, account, accounts.DefaultScopes(), a.Limits)
	w.postOnly("/v1/quotes", `{"upload_id":"x"}`)
	v := w.portal()
	v.signIn(owner)
	p := v.get("/portal/usage")
	if !strings.Contains(p.body, "1 of 10<meter") || !strings.Contains(p.body, "0 of 5<meter") {
		t.Errorf("after one request of ten: %d %s; want 1 of 10 live and 0 of 5 test", p.status, p.body)
	}
}
