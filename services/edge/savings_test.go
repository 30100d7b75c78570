package edge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/secret"
)

// findSavings finds what the pricing service would: another colour, for a dollar less.
func (w *world) findSavings(ctx context.Context, c contract.Command) error {
	w.mu.Lock()
	hold, refuse := w.hold, w.refuse
	w.mu.Unlock()
	if err := await(ctx, hold); err != nil {
		return err
	}
	var d savings.FindData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	if refuse != nil {
		return aggregate.Refuse(ctx, w.bus, c, refuse, w.now())
	}
	s := savings.Savings{ID: d.Savings, Account: c.Account, Quote: d.Quote, Upload: d.Upload, CreatedAt: w.now(), ExpiresAt: w.now().Add(time.Minute)}
	s.Reply = savings.Reply{
		OK: true, SavingsID: d.Savings, Currency: "USD", QuoteTotalCents: 1000, Total: "$10.00", TotalCents: 1000, Notes: []string{}, AsOf: w.now(), ExpiresAt: s.ExpiresAt,
		Savings: []savings.Saving{{
			Kind: savings.SolderMask, Change: map[string]any{"solder_mask": "Green"}, Changes: []savings.Changed{{Field: "solder_mask", From: "Blue", To: "Green"}},
			Amount: "$1.00", AmountCents: 100, Total: "$9.00", TotalCents: 900, PerBoard: "$0.90", PerBoardCents: 90, Quantity: 10,
			LeadTime: "5 working days", Delivery: "10 working days", Means: "The boards are green in place of blue.",
		}},
	}
	return aggregate.At[savings.Savings](w.bus, contract.SavingsAggregate, d.Savings).Create(ctx, c, w.now(),
		aggregate.Change[savings.Savings]{Event: savings.EventFound, State: s})
}

// TestSavings: they are answered before they are projected, found by their id for their quote
// and its account alone, the same while their prices hold, and waited for where they take long.
func TestSavings(t *testing.T) {
	t.Parallel()
	w := start(t)
	quote := w.post("/v1/quotes", quoteBody(w.uploadID(), "")).json(t)["quote_id"].(string)
	path := "/v1/quotes/" + quote + "/savings"
	first := w.post(path, "")
	id, _ := first.json(t)["savings_id"].(string)
	if list, _ := first.json(t)["savings"].([]any); first.status != http.StatusCreated || len(list) != 1 || id == "" || first.json(t)["quote_id"] != quote {
		t.Fatalf("savings: %d %s, want 201 with one, of the quote", first.status, first.body)
	}
	if sent := string(w.commandsOf(savings.Find)[0].Data); strings.Contains(sent, quote) {
		t.Errorf("the command has the quote's id, which is a secret: %s", sent)
	}
	if again := w.post(path, "{}"); again.json(t)["savings_id"] != id || again.header.Get("Deduplicated") != "true" {
		t.Errorf("asked again: %d %s, want the savings %s", again.status, again.body, id)
	}
	if read := w.get(path + "/" + id); read.status != http.StatusOK || string(read.body) != string(first.body) {
		t.Errorf("by their id: %d %s", read.status, read.body)
	}
	chosen := w.quoteState(quote)
	chosen.Estimate = &quotes.Estimate{Quantity: 20, Reply: chosen.Reply}
	w.put(contract.QuoteAggregate, chosen.Ref, chosen)
	if then := w.post(path, "{}"); then.status != http.StatusCreated || then.json(t)["savings_id"] == id {
		t.Errorf("after another number was entered at checkout: %d %s, want another search", then.status, then.body)
	}
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	theirs := w.post("/v1/quotes", quoteBody(w.uploadID(), `,"solder_mask":"Blue"`)).json(t)["quote_id"].(string)
	for name, a := range map[string]answer{
		"with another account's key":    w.get(path+"/"+id, "X-API-Key", other.Text),
		"sought with another's key":     w.post(path, "", "X-API-Key", other.Text),
		"of another quote":              w.get("/v1/quotes/" + theirs + "/savings/" + id),
		"of no quote":                   w.post("/v1/quotes/"+strings.Repeat("0", 64)+"/savings", ""),
		"by an id that was never given": w.get(path + "/" + contract.NewID(contract.RequestPrefix, w.now())),
	} {
		if a.status != http.StatusNotFound {
			t.Errorf("savings %s: %d %s, want 404", name, a.status, a.body)
		}
	}
	if a := w.post(path, `{"itar":true}`); a.status != http.StatusUnprocessableEntity || len(w.commandsOf(savings.Find)) != 2 {
		t.Errorf("declared: %d %s and %d searches; want 422 and two from before", a.status, a.body, len(w.commandsOf(savings.Find)))
	}
}

// TestSlowSavings: whoever waits is told where to ask, also once prices of before have ended.
func TestSlowSavings(t *testing.T) {
	t.Parallel()
	w := start(t)
	path := "/v1/quotes/" + w.post("/v1/quotes", quoteBody(w.uploadID(), "")).json(t)["quote_id"].(string) + "/savings"
	id, _ := w.post(path, "").json(t)["savings_id"].(string)
	w.advance(2 * time.Minute) // their prices have ended
	hold := make(chan struct{})
	w.set(func() { w.hold = hold })
	slow := w.post(path+"?wait_s=0", "")
	poll, _ := slow.json(t)["poll_url"].(string)
	if slow.status != http.StatusAccepted || !strings.Contains(poll, path+"/") || strings.HasSuffix(poll, id) {
		t.Fatalf("without waiting: %d %s, want 202 with an address of its own below %s", slow.status, slow.body, path)
	}
	at := poll[strings.Index(poll, "/v1/"):]
	if a := w.get(at); a.status != http.StatusAccepted {
		t.Errorf("while it runs: %d %s, want 202", a.status, a.body)
	}
	close(hold)
	if a := w.get(at + "?wait_s=20"); a.status != http.StatusOK {
		t.Errorf("waited for: %d %s, want 200", a.status, a.body)
	}
	w.set(func() { w.refuse = contract.Refuse(contract.QuoteExpired, "This quote has expired.") })
	w.advance(2 * time.Minute)
	if a := w.post(path, ""); a.status != http.StatusGone || a.code(t) != string(contract.QuoteExpired) {
		t.Errorf("of an expired quote: %d %s, want 410", a.status, a.body)
	}
}

// TestTheSameAtOnce: the same table, and the same search, that is asked for many times at
// once is one.
func TestTheSameAtOnce(t *testing.T) {
	t.Parallel()
	w := start(t)
	upload := w.uploadID()
	quote := w.post("/v1/quotes", quoteBody(upload, "")).json(t)["quote_id"].(string)
	for name, ask := range map[contract.CommandName]struct{ path, body, id string }{
		pricetables.Price: {"/v1/price-tables", fmt.Sprintf(`{"upload_id":%q,"quantities":[5,10]}`, upload), "price_table_id"},
		savings.Find:      {"/v1/quotes/" + quote + "/savings", "{}", "savings_id"},
	} {
		ids := make([]any, 12)
		var group sync.WaitGroup
		for i := range ids {
			group.Go(func() { ids[i] = w.post(ask.path, ask.body).json(t)[ask.id] })
		}
		group.Wait()
		for _, id := range ids {
			if id != ids[0] || id == nil || len(w.commandsOf(name)) != 1 {
				t.Fatalf("%s at once: %v by %d commands; want the same by one", name, ids, len(w.commandsOf(name)))
			}
		}
	}
}
