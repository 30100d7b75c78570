package console_test

import (
	"net/http"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
)

// TestQuotePageOutlivesTheQuote: the order answers for a quote that has gone.
func TestQuotePageOutlivesTheQuote(t *testing.T) {
	t.Parallel()
	const ref = "gggggggggggggggggggggggggggggggg"
	w := start(t)
	w.furnish()
	board, total := "2 layers, sold", int64(8417)
	sold := quotes.Quote{
		Ref: ref, Account: account, Digest: boardRef, Board: "blinker", Mode: quotes.ModeInstant, Request: quotes.Request{Quantity: 10},
		Reply: quotes.Reply{Board: &board, TotalCents: &total, Lines: []prices.Line{{Label: "10 boards", Cents: 8417}}},
	}
	commit(w, contract.OrderAggregate, ref, orders.EventPaid, account, orders.Order{
		ID: "ord_02", Ref: "BO-SOLD2345", Quote: ref, Account: account, Status: orders.Shipped, Sold: sold, Digest: boardRef,
	})
	ann := w.signInAs("ann")
	ann.get("/quotes/"+ref).wants(t, http.StatusOK, "2 layers, sold", "$84.17", "BO-SOLD2345")
	if got := ann.get("/quotes/" + ref + "/picture/top"); got.status != http.StatusOK {
		t.Errorf("picture: %d, want 200", got.status)
	}
	if got := ann.get("/quotes/" + ref + "/package"); got.status != http.StatusOK {
		t.Errorf("package: %d, want 200", got.status)
	}
	// An order without a package has nothing to build from.
	if got := ann.get("/orders/" + ref + "/package"); got.status != http.StatusNotFound {
		t.Errorf("the order's package: %d, want 404", got.status)
	}
}
