package figures_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/figures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"

	"github.com/google/go-cmp/cmp"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	late := time.Date(2026, 11, 21, 23, 30, 0, 0, time.FixedZone("", -3600)) // the 22nd in UTC
	failed := []orders.Refund{{Status: orders.RefundDone, Cents: 700}, {Status: orders.RefundFailed, Cents: 500}}
	after := func(cents int64) []orders.Refund {
		return append(slices.Clone(failed), orders.Refund{Status: orders.RefundBegun, Cents: cents})
	}
	for name, tt := range map[string]struct {
		a     contract.Aggregate
		owner string
		state any
		want  map[string]string
	}{
		"quote":               {contract.QuoteAggregate, "acc_1", quotes.Quote{RequestID: "req_1", CreatedAt: late}, map[string]string{"day": "2026-11-22"}},
		"of a test key":       {contract.QuoteAggregate, contract.TestOwner("acc_1"), quotes.Quote{CreatedAt: late}, map[string]string{"day": "2026-11-22~test"}},
		"of the boards alone": {contract.QuoteAggregate, "acc_1", quotes.Quote{RequestID: quotes.BareRequest("req_1"), CreatedAt: late}, map[string]string{}},
		"without a time":      {contract.QuoteAggregate, "acc_1", quotes.Quote{}, map[string]string{}},
		"order":               {contract.OrderAggregate, "acc_1", orders.Order{PaidAt: late, Sold: quotes.Quote{CreatedAt: late.Add(-time.Hour)}}, map[string]string{"day": "2026-11-22", "quoted": "2026-11-21"}},
		"order of before":     {contract.OrderAggregate, "acc_1", orders.Order{PaidAt: late}, map[string]string{"day": "2026-11-22"}},
		"disputed":            {contract.OrderAggregate, "acc_1", orders.Order{Dispute: &orders.Dispute{Status: "open"}, Refunds: failed}, map[string]string{"attention": "disputed", "dispute": "open"}},
		"dispute that is won": {contract.OrderAggregate, "acc_1", orders.Order{PaidAt: late, Dispute: &orders.Dispute{Status: "won"}}, map[string]string{"dispute": "won", "day": "2026-11-22", "returned": "2026-11-22"}},
		"refund that failed":  {contract.OrderAggregate, "acc_1", orders.Order{Refunds: failed}, map[string]string{"attention": "refund_failed"}},
		"given again":         {contract.OrderAggregate, "acc_1", orders.Order{Refunds: after(500)}, map[string]string{}},
		"given after trying":  {contract.OrderAggregate, "acc_1", orders.Order{Refunds: append(slices.Clone(failed), failed[1], orders.Refund{Status: orders.RefundDone, Cents: 500})}, map[string]string{}},
		"less given since":    {contract.OrderAggregate, "acc_1", orders.Order{Refunds: after(100)}, map[string]string{"attention": "refund_failed"}},
		"asked about":         {contract.OrderAggregate, "acc_1", orders.Order{Status: orders.Placed, Waiting: "which finish?"}, map[string]string{"attention": "asks"}},
		"asked before it was": {contract.OrderAggregate, "acc_1", orders.Order{Status: orders.Shipped, Waiting: "which finish?"}, map[string]string{}},
		"declined":            {contract.CheckoutAggregate, "acc_1", checkouts.Checkout{Status: checkouts.Open, Saved: &checkouts.SavedPayment{Outcome: checkouts.SavedDeclined}}, map[string]string{"attention": "declined"}},
		"bank wants to ask":   {contract.CheckoutAggregate, "acc_1", checkouts.Checkout{Status: checkouts.Closed, Saved: &checkouts.SavedPayment{Outcome: checkouts.SavedAuthentication}}, map[string]string{"attention": "declined"}},
		"paid since":          {contract.CheckoutAggregate, "acc_1", checkouts.Checkout{Status: checkouts.Paid, Saved: &checkouts.SavedPayment{Outcome: checkouts.SavedDeclined}}, map[string]string{}},
		"under way":           {contract.CheckoutAggregate, "acc_1", checkouts.Checkout{Status: checkouts.Charging, Saved: &checkouts.SavedPayment{Outcome: checkouts.SavedProcessing}}, map[string]string{}},
		"another":             {contract.UploadAggregate, "acc_1", map[string]any{"created_at": late}, map[string]string{}},
	} {
		state, err := json.Marshal(tt.state)
		if err != nil {
			t.Fatal(err)
		}
		got := figures.Keys(tt.a, tt.owner, state)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: Keys(%s, %s) differ (-want +got):\n%s", name, tt.a, state, diff)
		}
		for key := range got {
			if !slices.Contains(figures.KeyNames(tt.a), key) {
				t.Errorf("%s: key %s is not among the names %v", name, key, figures.KeyNames(tt.a))
			}
		}
	}
}
