package edge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/webhooks"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
)

// things are one of each that an account has, by the ids that clients know them by.
type things struct {
	upload, request, quote, table, savings, order, orderRef, link, history, event, endpoint, approval string

	paid string // the order that was paid, as its customer lists it
	key  secret.APIKey
}

// writeThings writes things of an owner, as the services would.
func (w *world) writeThings(owner string) things {
	w.t.Helper()
	tag := contract.DeriveID(owner)
	th := things{upload: w.secrets.NewUploadID(), request: contract.NewID(contract.RequestPrefix, w.now()), link: "bl_" + tag}
	th.quote = w.secrets.QuoteID(th.request)
	up, quote := contract.SecretRef(th.upload), contract.SecretRef(th.quote)
	to := shipments.ShipTo{Email: "ann@example.com"}
	w.put(contract.UploadAggregate, up, uploads.Upload{
		Ref: up, Account: owner, Status: uploads.Open, ExpiresAt: w.now().Add(6 * time.Hour), Files: []uploads.File{{Name: "a.gbr"}}, Digest: contract.DeriveID("files"),
	})
	q := newQuote(w.now(), quote, contract.Command{Account: owner, Request: th.request}, quotes.PriceData{Upload: up, Request: quotes.Request{Quantity: 5, ShipTo: &to}})
	th.approval = quotes.ApprovalPrefix + tag
	q.Approvals = []quotes.PartApproval{{ID: th.approval, Lines: []quotes.ApprovalLine{}, AskedAt: w.now(), ExpiresAt: q.ExpiresAt}}
	w.put(contract.QuoteAggregate, quote, q)
	w.put(contract.OperationAggregate, th.request, contract.Operation{Request: th.request, Account: owner, Aggregate: contract.QuoteAggregate, ID: quote})
	th.table = contract.NewID(contract.RequestPrefix, w.now())
	w.put(contract.PriceTableAggregate, th.table, pricetables.PriceTable{ID: th.table, Account: owner, Upload: up, Reply: pricetables.Reply{
		OK: true, PriceTableID: th.table, Quantities: []int{5}, Destinations: []pricetables.Destination{}, Cells: []pricetables.Cell{}, Breaks: []pricetables.Break{}, Notes: []string{},
	}})
	th.savings = contract.NewID(contract.RequestPrefix, w.now())
	w.put(contract.SavingsAggregate, th.savings, savings.Savings{ID: th.savings, Account: owner, Quote: quote, Upload: up, Reply: savings.Reply{
		OK: true, SavingsID: th.savings, Currency: "USD", Savings: []savings.Saving{}, Notes: []string{},
	}})
	customer := customers.Ref(owner, to.Email)
	w.putListed(contract.OrderAggregate, quote, map[string]string{customers.Key: customer}, orders.Order{
		ID: "ord_" + tag, Ref: "BO-" + tag, Quote: quote, Account: owner, Request: th.request, Status: orders.Paid, Sold: q, ShipTo: to, PaidAt: w.now(),
	})
	th.history = w.secrets.Link("history "+owner, customer, w.now().Add(time.Hour))
	th.paid = "ord_" + tag
	th.order, th.orderRef = "ord_c"+tag, "CO-"+strings.ToUpper(tag)
	w.putListed(contract.FormalAggregate, "k"+tag, map[string]string{"account": owner, "order_id": th.order, "order_ref": th.orderRef}, formal.Order{
		Key: "k" + tag, ID: th.order, Ref: th.orderRef, Account: owner, Status: formal.Quoted, CreatedAt: w.now(),
		Quote: &formal.Quote{Number: "Q-1", IssuedAt: w.now(), ValidUntil: w.now().Add(time.Hour), Options: []formal.Option{{ID: "o", Fabricator: "F", TotalCents: 100, Currency: "USD"}}},
	})
	th.endpoint = webhooks.Prefix + tag
	w.putListed(contract.WebhookEndpointAggregate, th.endpoint, map[string]string{"account": owner}, webhooks.Endpoint{
		ID: th.endpoint, Account: owner, Scopes: accounts.DefaultScopes(), URL: "https://example.com/hooks", Types: []string{"*"}, RatePerSecond: 20, Status: webhooks.Enabled, CreatedAt: w.now(), ChangedAt: w.now(),
	})
	th.event = w.tell(owner, quote, 1).ID
	return th
}

func (w *world) putListed(kind contract.Aggregate, id string, keys map[string]string, state any) {
	w.t.Helper()
	body, err := json.Marshal(state)
	if err == nil {
		err = w.docs.Put(w.t.Context(), projection.Document{Kind: string(kind), ID: id, Seq: w.seq.Add(1), At: w.now(), Keys: keys, Body: body})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestLiveAndTestAreSeparate asks for everything that a key can name with a key of
// the same mode and with one of the other mode of the same account, which gets what
// it would get for a name that was never given.
func TestLiveAndTestAreSeparate(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.set(func() { w.check = aCheck(designchecks.Warning) })
	test := secret.NewAPIKey(false)
	w.putKey(test, account, accounts.DefaultScopes(), nil)
	live, tests := w.writeThings(account), w.writeThings(account+"~test")
	none := things{
		upload: w.secrets.NewUploadID(), request: contract.NewID(contract.RequestPrefix, w.now()), quote: strings.Repeat("0", 64), table: contract.NewID(contract.RequestPrefix, w.now()), savings: contract.NewID(contract.RequestPrefix, w.now()),
		endpoint: "we_none", approval: "pa_none", order: "ord_none", orderRef: "CO-NONE", event: feed.IDOf(feed.KeyOf(contract.QuoteAggregate, "none"), 11), history: w.secrets.Link("history nobody", "x", w.now().Add(time.Hour)),
	}
	for _, of := range []struct {
		mode        string
		mine, other things
		key         string
	}{{"live", live, tests, w.key.Text}, {"test", tests, live, test.Text}} {
		for route, ask := range w.asksByID() {
			a, b, c := ask(of.mine, of.key), ask(of.other, of.key), ask(none, of.key)
			if a.status != 200 && a.status != 201 && a.status != 202 {
				t.Errorf("%s key, %s of its own: %d %s, want 200, 201 or 202", of.mode, route, a.status, a.body)
			}
			if b.status != c.status || b.status != 404 && b.status != 403 || b.code(t) != c.code(t) {
				t.Errorf("%s key, %s of the other mode: %d %s, want 404 or 403 as of nobody: %d %s", of.mode, route, b.status, b.body, c.status, c.body)
			}
		}
		for path, body := range map[string]string{"code": "{}", "verify": `{"code":"123456"}`} {
			path = "/v1/quotes/" + of.other.quote + "/saved/" + path
			if a := w.post(path, body, "X-API-Key", of.key); a.status != 404 {
				t.Errorf("%s key, %s of the other mode: %d %s, want 404", of.mode, path, a.status, a.body)
			}
		}
		list := w.get("/v1/orders", "X-API-Key", of.key)
		if !strings.Contains(string(list.body), of.mine.order) || strings.Contains(string(list.body), of.other.order) {
			t.Errorf("%s key lists %s, want %s and not %s", of.mode, list.body, of.mine.order, of.other.order)
		}
	}
}

// asksByID are the routes that take a name of something, with the request that asks
// for it. TestLiveAndTestAreSeparate sees that none is missing.
func (w *world) asksByID() map[string]func(things, string) answer {
	get := func(path string) func(things, string) answer {
		return func(th things, key string) answer {
			r := strings.NewReplacer("{upload_id}", th.upload, "{request_id}", th.request, "{quote_id}", th.quote, "{other_quote_id}", th.quote, "{price_table_id}", th.table, "{savings_id}", th.savings, "{approval_id}", th.approval, "{identifier}", th.order, "{event_id}", th.event, "{endpoint_id}", th.endpoint)
			return w.get(r.Replace(path), "X-API-Key", key)
		}
	}
	post := func(path string, body func(things) string) func(things, string) answer {
		return func(th things, key string) answer { return w.post(path, body(th), "X-API-Key", key) }
	}
	asks := map[string]func(things, string) answer{
		"POST /v1/quotes":          post("/v1/quotes", func(th things) string { return quoteBody(th.upload, "") }),
		"POST /v1/design-checks":   post("/v1/design-checks", func(th things) string { return fmt.Sprintf(`{"upload_id":%q}`, th.upload) }),
		"POST /v1/previous-orders": post("/v1/previous-orders", func(th things) string { return fmt.Sprintf(`{"history_token":%q}`, th.history) }),
		"GET /v1/orders/{ref}": func(th things, key string) answer {
			return w.get("/v1/orders/"+th.orderRef, "X-API-Key", key)
		},
	}
	for _, path := range gets {
		asks["GET "+path] = get(path)
	}
	return asks
}

// gets are the GET routes of keys that name something.
var gets = []string{
	"/v1/events/{event_id}", "/v1/webhook-endpoints/{endpoint_id}", "/v1/webhook-endpoints/{endpoint_id}/deliveries", "/v1/uploads/{upload_id}", "/v1/quote-requests/{request_id}", "/v1/quotes/{quote_id}", "/v1/quotes/{quote_id}/compare/{other_quote_id}", "/v1/price-tables/{price_table_id}", "/v1/quotes/{quote_id}/savings/{savings_id}", "/v1/quotes/{quote_id}/part-approvals/{approval_id}",
	"/v1/orders/{identifier}", "/v1/orders/{identifier}/design-review", "/v1/orders/{identifier}/quote.pdf", "/central/orders/{identifier}", "/central/orders/{identifier}/design-review", "/central/orders/{identifier}/quote.pdf",
}

// TestEveryReadByIDIsHeldApart: a GET route that takes a key and names something is
// among those that are asked for with both modes.
func TestEveryReadByIDIsHeldApart(t *testing.T) {
	t.Parallel()
	d, err := theDescription()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for path, item := range objectOf(d.doc["paths"]) {
		get := objectOf(objectOf(item)["get"])
		if public, own := get["security"].([]any); get == nil || own && len(public) == 0 || !strings.Contains(path, "{") {
			continue
		}
		if n++; !slices.Contains(gets, path) {
			t.Errorf("GET %s is not asked for with a key of the other mode", path)
		}
	}
	if n != len(gets) {
		t.Errorf("%d routes are described, %d asked for, want all", n, len(gets))
	}
}

// TestTestKeyIsItsAccounts: what an account is told of itself is the same with a
// test key, and a day's quota of it is another one.
func TestTestKeyIsItsAccounts(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.DailyQuotas = map[string]int{"design-checks-day": 2} })
	test := secret.NewAPIKey(false)
	w.putKey(test, account, accounts.DefaultScopes(), nil)
	m := w.get("/auth/check", "X-API-Key", test.Text).json(t)
	if got := m["account"].(map[string]any)["id"]; got != account || m["key"].(map[string]any)["livemode"] != false {
		t.Errorf("auth check of a test key: %v, want %s, not live", m, account)
	}
	for i, want := range []int{422, 429} {
		if a := w.post("/v1/design-checks", `{}`, "X-API-Key", test.Text); a.status != want {
			t.Errorf("check %d of the test key: %d %s, want %d", i, a.status, a.body, want)
		}
	}
	for i, want := range []int{422, 422, 429} {
		if a := w.post("/v1/design-checks", `{}`); a.status != want {
			t.Errorf("check %d of the live key: %d %s, want %d", i, a.status, a.body, want)
		}
	}
}
