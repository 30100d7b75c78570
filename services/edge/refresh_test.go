package edge_test

import (
	"net/http"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"
)

// TestRefreshAndCompare: a quote is priced again for its account alone, as another quote that
// names it; both stand beside each other; what is paid is not priced again.
func TestRefreshAndCompare(t *testing.T) {
	t.Parallel()
	w := start(t)
	old := w.post("/v1/quotes", quoteBody(w.uploadID(), "")).json(t)["quote_id"].(string)
	path := "/v1/quotes/" + old + "/refresh"
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	if a := w.post(path, "", "X-API-Key", other.Text); a.status != http.StatusNotFound {
		t.Errorf("with another account's key: %d %s, want 404", a.status, a.body)
	}
	a := w.post(path, "{}")
	now, _ := a.json(t)["quote_id"].(string)
	if changes, ok := a.json(t)["changes"].([]any); a.status != http.StatusCreated || now == old || a.json(t)["refreshed_from"] != old || !ok || len(changes) != 0 {
		t.Fatalf("refreshed: %d %s, want another quote from %s without changes", a.status, a.body, old)
	}
	if again := w.post(path, "{}"); again.json(t)["quote_id"] != now || again.json(t)["refreshed_from"] != old {
		t.Errorf("refreshed twice: %d %s, want the quote %s", again.status, again.body, now)
	}
	if n := len(w.commandsOf(quotes.Price)); n != 2 {
		t.Errorf("%d quotes were asked for, want 2", n)
	}
	more := w.post("/v1/quotes", quoteBody(w.uploadID(), `,"solder_mask":"Blue"`)).json(t)["quote_id"].(string)
	for pair, want := range map[string]int{old + "/compare/" + now: http.StatusOK, old + "/compare/" + more: http.StatusOK, old + "/compare/" + old[1:] + "0": http.StatusNotFound} {
		if a := w.get("/v1/quotes/" + pair); a.status != want {
			t.Errorf("compare %s: %d %s, want %d", pair, a.status, a.body, want)
		}
	}
	others := w.quoteState(more)
	others.Digest = "of other files"
	w.put(contract.QuoteAggregate, others.Ref, others)
	for other, want := range map[string]any{now: nil, more: w.url + "/checkout/" + more + "/report?earlier=" + old} {
		if got := w.get("/v1/quotes/" + old + "/compare/" + other).json(t)["copper_url"]; got != want {
			t.Errorf("copper of %s beside %s is shown at %v, want %v", other, old, got, want)
		}
	}
	if a := w.get("/v1/quotes/"+old+"/compare/"+now, "X-API-Key", other.Text); a.status != http.StatusNotFound {
		t.Errorf("compared with another account's key: %d %s, want 404", a.status, a.body)
	}
	sold := w.quoteState(old)
	w.put(contract.OrderAggregate, sold.Ref, orders.Order{Quote: sold.Ref, Account: account, Sold: sold})
	if a := w.post(path, ""); a.status != http.StatusConflict {
		t.Errorf("of a paid quote: %d %s, want 409", a.status, a.body)
	}
}
