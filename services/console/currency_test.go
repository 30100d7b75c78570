package console_test

import (
	"net/http"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
)

// TestOrderPaidInAnotherCurrency: what the card was charged stands beside the books'
// dollars, with its rate, and so does what goes back.
func TestOrderPaidInAnotherCurrency(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	o := orderOf(w, instantRef)
	o.Payment.Charged = &prices.Charge{Charged: prices.Charged{Currency: "EUR", Minor: 7387, Digits: 2}, Cents: o.TotalCents, Rate: "0.877646", Bank: "0.860437", Date: "2026-11-20", Percent: "2"}
	o.Refunds = append(o.Refunds, orders.Refund{ID: "rf_1", Cents: 1000, Charged: &prices.Charged{Currency: "EUR", Minor: 878, Digits: 2}, Status: orders.RefundDone, At: time.Now()})
	commit(w, contract.OrderAggregate, instantRef, orders.EventRefunded, o.Account, o)
	w.signInAs("fin").get("/orders/"+instantRef).wants(t, http.StatusOK, "EUR 73.87, for $84.17", "1 USD = 0.877646 EUR", "0.860437, and 2 %", "EUR 8.78, $10.00", "its share of EUR 73.87 back")
}
