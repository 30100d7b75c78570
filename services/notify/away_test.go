package notify_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/shipments"
)

// TestRefusalsWhileAway: what happened while nobody sent e-mails has its e-mail, however
// often a client repeated what was refused meanwhile.
func TestRefusalsWhileAway(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	o := order("A", "ada@example.com")
	happen(w, contract.OrderAggregate, "A", orders.EventPaid, o)
	o.Status, o.Tracking = orders.Shipped, &shipments.Tracking{Carrier: "DHL", Number: "4711", URL: "https://dhl.example/4711"}
	happen(w, contract.OrderAggregate, "A", orders.EventShipped, o)
	happen(w, contract.QuoteAggregate, "R", quotes.EventReviewRequested, quotes.Quote{
		Ref: "R", Account: "acc_1", RequestID: "req_R", Mode: quotes.ModeReview, Status: quotes.SourcingRequested, ExpiresAt: time.Now().Add(time.Hour),
		Delivery: &shipments.Delivery{ShipTo: shipments.ShipTo{Name: "Ada", Email: "ada@example.com"}},
	})
	repeated := map[contract.Aggregate]contract.Command{
		contract.OrderAggregate: {Name: orders.Cancel, Data: json.RawMessage(`{"quote":"A"}`)},
		contract.QuoteAggregate: {Name: quotes.ChooseDelivery, Data: json.RawMessage(`{"quote":"R"}`)},
	}
	for _, a := range registry.Aggregates() {
		c, ok := repeated[a.Name]
		for i := range a.Versions + 5 {
			if !ok {
				break
			}
			c.ID, c.Request, c.Account = fmt.Sprint("cmd_", a.Name, i), fmt.Sprint("req_", a.Name, i), "acc_1"
			if err := aggregate.Refuse(t.Context(), w.bus, c, contract.Refuse(contract.NotFound, "no"), time.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.serve()
	subjects := map[string]bool{}
	got := w.mails("ada@example.com", 3)
	for _, m := range got {
		subjects[m.Subject] = true
	}
	if len(got) != 3 || len(subjects) != 3 {
		t.Errorf("%d e-mails to the customer, %v; want the receipt, that it was shipped, and that a request has come", len(got), subjects)
	}
	if got := w.mails(team, 1); len(got) != 1 {
		t.Errorf("%d e-mails to the team, want that a review was asked for", len(got))
	}
}
