package edge_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/secret"
)

// priceTable prices a table as the pricing service does: every board costs a dollar, in two builds.
func (w *world) priceTable(ctx context.Context, c contract.Command) error {
	w.mu.Lock()
	hold, refuse := w.hold, w.refuse
	w.mu.Unlock()
	if err := await(ctx, hold); err != nil {
		return err
	}
	var d pricetables.PriceData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	if refuse != nil {
		return aggregate.Refuse(ctx, w.bus, c, refuse, w.now())
	}
	t := pricetables.PriceTable{ID: d.Table, Account: c.Account, Upload: d.Upload, CreatedAt: w.now(), ExpiresAt: w.now().Add(time.Minute)}
	t.Reply = pricetables.Reply{
		OK: true, PriceTableID: d.Table, Currency: "USD", Quantities: d.Quantities, Destinations: []pricetables.Destination{{Country: "US"}},
		Breaks: []pricetables.Break{}, Notes: append([]string{}, d.Unknown...), AsOf: w.now(), ExpiresAt: t.ExpiresAt,
	}
	for _, n := range d.Quantities {
		for _, hours := range []int{120, 24} {
			cents := int64(100*n) + int64(120-hours)
			t.Reply.Cells = append(t.Reply.Cells, pricetables.Cell{
				Quantity: n, Status: pricetables.Priced, Standard: hours == 120, BuildTimeHours: &hours, TotalCents: &cents, PerBoardCents: &cents,
				QuoteRequest: &pricetables.QuoteRequest{Quantity: n},
			})
		}
	}
	return aggregate.At[pricetables.PriceTable](w.bus, contract.PriceTableAggregate, d.Table).Create(ctx, c, w.now(),
		aggregate.Change[pricetables.PriceTable]{Event: pricetables.EventPriced, State: t})
}

// TestPriceTable: a table is answered before it is projected, found by its id for its account
// alone, the same for the same body while its prices hold, and waited for where it takes long.
func TestPriceTable(t *testing.T) {
	t.Parallel()
	w := start(t)
	upload := w.uploadID()
	ask := func(path, more string) answer {
		t.Helper()
		return w.post(path, `{"upload_id":"`+upload+`","quantities":[5,10],"ship_to":[{"country":"US","name":"Ada"},{"country":"DE"}]`+more+`}`)
	}
	first := ask("/v1/price-tables", "")
	id, _ := first.json(t)["price_table_id"].(string)
	if cells, _ := first.json(t)["cells"].([]any); first.status != http.StatusCreated || len(cells) != 4 || id == "" {
		t.Fatalf("a table: %d %s, want 201 with 4 cells", first.status, first.body)
	}
	if sent := string(w.commandsOf(pricetables.Price)[0].Data); strings.Contains(sent, "Ada") {
		t.Errorf("the command has the name of who gets the boards: %s", sent)
	}
	if again := ask("/v1/price-tables", ""); again.json(t)["price_table_id"] != id || again.header.Get("Deduplicated") != "true" {
		t.Errorf("the same body: %d %s, want the table %s", again.status, again.body, id)
	}
	if read := w.get("/v1/price-tables/" + id); read.status != http.StatusOK || string(read.body) != string(first.body) {
		t.Errorf("the table by its id: %d %s", read.status, read.body)
	}
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	if read := w.get("/v1/price-tables/"+id, "X-API-Key", other.Text); read.status != http.StatusNotFound {
		t.Errorf("the table with another account's key: %d %s, want 404", read.status, read.body)
	}
	w.advance(2 * time.Minute) // its prices have ended
	if later := ask("/v1/price-tables", ""); later.json(t)["price_table_id"] == id {
		t.Errorf("a table whose prices have ended is given again: %s", later.body)
	}
	hold := make(chan struct{})
	w.set(func() { w.hold = hold })
	slow := ask("/v1/price-tables?wait_s=0", `,"layers":2`)
	poll, _ := slow.json(t)["poll_url"].(string)
	if slow.status != http.StatusAccepted || !strings.Contains(poll, "/v1/price-tables/") {
		t.Fatalf("a slow table: %d %s, want 202", slow.status, slow.body)
	}
	close(hold)
	path := poll[strings.Index(poll, "/v1/"):]
	if done := w.get(path + "?wait_s=30"); done.status != http.StatusOK {
		t.Errorf("the slow table: %d %s, want 200", done.status, done.body)
	}
}

// TestPriceTableRefusals: the form of a table is judged at once, and each wrong field named.
func TestPriceTableRefusals(t *testing.T) {
	t.Parallel()
	w := start(t)
	for body, field := range map[string]string{
		`{"quantities":[5]}`:                                                                                      "upload_id",
		`{"upload_id":"up_x"}`:                                                                                    "quantities",
		`{"upload_id":"up_x","quantities":[]}`:                                                                    "quantities",
		`{"upload_id":"up_x","quantities":[10,5]}`:                                                                "quantities",
		`{"upload_id":"up_x","quantities":[5,5]}`:                                                                 "quantities",
		`{"upload_id":"up_x","quantities":[5,7.5]}`:                                                               "quantities",
		`{"upload_id":"up_x","quantities":[1,2,3,4,5,6,7,8,9,10,11]}`:                                             "quantities",
		`{"upload_id":"up_x","quantities":[100001]}`:                                                              "quantities",
		`{"upload_id":"up_x","quantities":[5],"ship_to":[{},{"country":"DE"}]}`:                                   "ship_to.0",
		`{"upload_id":"up_x","quantities":[5],"ship_to":[{"country":"DE"},{"country":"Atlantis"}]}`:               "ship_to.1.country",
		`{"upload_id":"up_x","quantities":[5],"ship_to":[{"country":"DE"},{"country":"US"},{"country":"JP"},{}]}`: "ship_to",
	} {
		a := w.post("/v1/price-tables", body)
		if a.status != http.StatusUnprocessableEntity || !strings.Contains(string(a.body), `"field":"`+field+`"`) {
			t.Errorf("%s: %d %s, want 422 about %s", body, a.status, a.body, field)
		}
	}
	if n := len(w.commandsOf(pricetables.Price)); n != 0 {
		t.Errorf("%d tables were asked for", n)
	}
}

// TestPriceTableCounts: a table takes a quote of the day for each quantity and destination.
func TestPriceTableCounts(t *testing.T) {
	t.Parallel()
	w := start(t, func(cfg *edgeConfig) { cfg.DailyQuotas = map[string]int{"quotes-day": 5} })
	upload := w.uploadID()
	ask := func(quantities string) int {
		return w.post("/v1/price-tables", `{"upload_id":"`+upload+`","quantities":`+quantities+`,"ship_to":[{"country":"US"},{"country":"DE"}]}`).status
	}
	for _, tt := range []struct {
		quantities string
		want       int
	}{{"[5,10,20]", http.StatusTooManyRequests}, {"[5,10]", http.StatusCreated}, {"[5]", http.StatusTooManyRequests}} {
		if got := ask(tt.quantities); got != tt.want {
			t.Errorf("%s to two countries: %d, want %d", tt.quantities, got, tt.want)
		}
	}
}
