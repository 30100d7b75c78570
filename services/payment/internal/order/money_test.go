package order_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/services/payment/internal/order"

	"github.com/google/go-cmp/cmp"
)

func refund(id string, cents int64, status orders.RefundStatus) orders.Refund {
	return orders.Refund{ID: id, Processor: "re_" + id, Cents: cents, Status: status, Operator: "grace"}
}

// orderWithRefunds is an order of 5500 cents with refunds.
func orderWithRefunds(status orders.Status, refunds ...orders.Refund) orders.Order {
	o := orderAt(status, 1)
	o.Refunds = refunds
	return o
}

func addDispute(o orders.Order, status card.DisputeStatus) orders.Order {
	o.Dispute = &orders.Dispute{ID: "dp_1", Status: string(status), Cents: 5500}
	return o
}

func TestRefund(t *testing.T) {
	t.Parallel()
	const shipped, paidNow = orders.Shipped, orders.Paid
	for name, tt := range map[string]struct {
		order    orders.Order
		requests int64
		want     int64 // 0: refused
	}{
		"a part":                   {orderWithRefunds(shipped), 1000, 1000},
		"all":                      {orderWithRefunds(shipped), 0, 5500},
		"the rest":                 {orderWithRefunds(shipped, refund("a", 1000, orders.RefundDone)), 0, 4500},
		"as much as is left":       {orderWithRefunds(shipped, refund("a", 1000, orders.RefundPending)), 4500, 4500},
		"more than is left":        {orderWithRefunds(shipped, refund("a", 1000, orders.RefundBegun)), 4501, 0},
		"after one that failed":    {orderWithRefunds(shipped, refund("a", 5500, orders.RefundFailed)), 5500, 5500},
		"nothing is left":          {orderWithRefunds(shipped, refund("a", 5500, orders.RefundDone)), 0, 0},
		"less than nothing":        {orderWithRefunds(shipped), -1, 0},
		"disputed":                 {addDispute(orderWithRefunds(shipped), card.DisputeOpen), 1, 0},
		"dispute lost":             {addDispute(orderWithRefunds(shipped), card.DisputeLost), 1, 0},
		"dispute won":              {addDispute(orderWithRefunds(shipped), card.DisputeWon), 1, 1},
		"a part of what is paid":   {orderWithRefunds(paidNow), 5499, 5499},
		"all of what is paid":      {orderWithRefunds(paidNow), 0, 0},
		"all while it is placed":   {orderWithRefunds(orders.Placing), 5500, 0},
		"all while it is held":     {orderWithRefunds(orders.Held), 0, 5500},
		"all of what is in making": {orderWithRefunds(orders.InProduction), 0, 5500},
	} {
		next, err := order.Refund(tt.order, orders.IssueRefundData{Operator: "grace", Cents: tt.requests, Why: "la\nte"}, "rf_1", now)
		if (err != nil) != (tt.want == 0) || err != nil && contract.RefusalIn(err) == nil {
			t.Errorf("Refund(%s) = %v, want %d cents", name, err, tt.want)
			continue
		}
		if err != nil {
			continue
		}
		want := orders.Refund{ID: "rf_1", Cents: tt.want, Status: orders.RefundBegun, Operator: "grace", Why: "la te", At: now}
		if got := next.Refunds[len(next.Refunds)-1]; !cmp.Equal(got, want) || next.Money != orders.MoneyOpen || next.Status != tt.order.Status {
			t.Errorf("Refund(%s): %+v, money %q; want %+v, %q, status %s", name, got, next.Money, want, orders.MoneyOpen, tt.order.Status)
		}
		if len(order.RefundsToRequest(next)) == 0 {
			t.Errorf("Refund(%s): the processor is not asked", name)
		}
	}
}

func TestTakeRefunds(t *testing.T) {
	t.Parallel()
	const placed, shipped, held = orders.Placed, orders.Shipped, orders.Held
	begun := orders.Refund{ID: "rf_1", Cents: 1000, Status: orders.RefundBegun, Operator: "grace"}
	says := func(name string, cents int64, status card.RefundStatus) []card.Refund {
		return []card.Refund{{ID: "re_a", Name: name, Cents: cents, Status: status}}
	}
	for name, tt := range map[string]struct {
		order    orders.Order
		says     []card.Refund
		want     contract.EventName
		status   orders.RefundStatus // of the last refund
		returned int64
		order2   orders.Status
	}{
		"none":                       {orderWithRefunds(placed), nil, "", "", 0, placed},
		"ours, done":                 {orderWithRefunds(placed, begun), says("rf_1", 1000, card.RefundSucceeded), orders.EventRefunded, orders.RefundDone, 1000, placed},
		"ours, on its way":           {orderWithRefunds(placed, begun), says("rf_1", 1000, card.RefundPending), orders.EventRefunded, orders.RefundPending, 1000, placed},
		"ours, failed":               {orderWithRefunds(placed, begun), says("rf_1", 1000, card.RefundFailed), orders.EventRefundFailed, orders.RefundFailed, 0, placed},
		"told twice":                 {orderWithRefunds(placed, refund("a", 1000, orders.RefundDone)), says("", 1000, card.RefundSucceeded), "", orders.RefundDone, 1000, placed},
		"older than what is known":   {orderWithRefunds(placed, refund("a", 1000, orders.RefundDone)), says("", 1000, card.RefundPending), "", orders.RefundDone, 1000, placed},
		"failed after all":           {orderWithRefunds(placed, refund("a", 1000, orders.RefundDone)), says("", 1000, card.RefundFailed), orders.EventRefundFailed, orders.RefundFailed, 0, placed},
		"done after it failed":       {orderWithRefunds(placed, refund("a", 1000, orders.RefundFailed)), says("", 1000, card.RefundSucceeded), "", orders.RefundFailed, 0, placed},
		"a part, at the processor":   {orderWithRefunds(placed), says("", 1000, card.RefundSucceeded), orders.EventRefunded, orders.RefundDone, 1000, placed},
		"all, at the processor":      {orderWithRefunds(placed), says("", 5500, card.RefundSucceeded), orders.EventRefunded, orders.RefundDone, 5500, held},
		"all, after it was shipped":  {orderWithRefunds(shipped), says("", 5500, card.RefundSucceeded), orders.EventRefunded, orders.RefundDone, 5500, shipped},
		"all, while it was placed":   {orderWithRefunds(orders.Placing), says("", 5500, card.RefundSucceeded), orders.EventRefunded, orders.RefundDone, 5500, held},
		"the rest, at the processor": {orderWithRefunds(placed, orders.Refund{ID: "re_0", Processor: "re_0", Cents: 1, Status: orders.RefundDone}), says("", 5499, card.RefundSucceeded), orders.EventRefunded, orders.RefundDone, 5500, held},
		"all, by the team":           {orderWithRefunds(placed, orders.Refund{ID: "rf_1", Cents: 5500, Status: orders.RefundBegun, Operator: "grace"}), says("rf_1", 5500, card.RefundSucceeded), orders.EventRefunded, orders.RefundDone, 5500, placed},
	} {
		next, event := order.TakeRefunds(tt.order, tt.says, now)
		if event != tt.want || next.Status != tt.order2 || order.SumRefunds(next) != tt.returned {
			t.Errorf("TakeRefunds(%s) = %q, %s, %d given back; want %q, %s, %d", name, event, next.Status, order.SumRefunds(next), tt.want, tt.order2, tt.returned)
		}
		if n := len(next.Refunds); tt.status != "" && next.Refunds[n-1].Status != tt.status {
			t.Errorf("TakeRefunds(%s): the refund is %s, want %s", name, next.Refunds[n-1].Status, tt.status)
		}
		if again, event := order.TakeRefunds(next, tt.says, now.Add(time.Hour)); event != "" || !cmp.Equal(again, next) {
			t.Errorf("TakeRefunds(%s), again = %q, want nothing changed", name, event)
		}
		if len(order.RefundsToRequest(next)) > 0 && tt.want != "" {
			t.Errorf("TakeRefunds(%s): the processor would be asked again", name)
		}
	}
}

func TestRefundThatIsRefused(t *testing.T) {
	t.Parallel()
	o, err := order.Refund(orderWithRefunds(orders.Shipped), orders.IssueRefundData{Cents: 100}, "rf_1", now)
	if err != nil {
		t.Fatal(err)
	}
	o = order.RefundFailed(o, "rf_1", "no", now)
	if r := o.Refunds[0]; r.Status != orders.RefundFailed || r.Why != "no" || o.Money != "" || len(order.RefundsToRequest(o)) != 0 || o.RefundableCents() != 5500 {
		t.Errorf("refund = %+v, money %q, refundable %d; want it %s because no, nothing open, 5500", r, o.Money, o.RefundableCents(), orders.RefundFailed)
	}
}

func TestTakeDisputes(t *testing.T) {
	t.Parallel()
	const making, shipped, held = orders.InProduction, orders.Shipped, orders.Held
	one := func(status card.DisputeStatus) []card.Dispute {
		return []card.Dispute{{ID: "dp_1", Cents: 5500, Status: status, Reason: "fraudulent"}}
	}
	answered := one(card.DisputeOpen)
	answered[0].Responded, answered[0].RespondBy = true, now.Add(time.Hour)
	second := append(one(card.DisputeWon), card.Dispute{ID: "dp_2", Cents: 100, Status: card.DisputeOpen})
	for name, tt := range map[string]struct {
		order orders.Order
		says  []card.Dispute
		known card.DisputeStatus // after it
		news  bool
		to    orders.Status
		money orders.MoneyStatus
	}{
		"none":                     {orderWithRefunds(making), nil, "", false, making, ""},
		"opened":                   {orderWithRefunds(making), one(card.DisputeOpen), card.DisputeOpen, true, held, orders.MoneyOpen},
		"opened once paid":         {orderWithRefunds(orders.Paid), one(card.DisputeOpen), card.DisputeOpen, true, held, orders.MoneyOpen},
		"opened after shipping":    {orderWithRefunds(shipped), one(card.DisputeOpen), card.DisputeOpen, true, shipped, orders.MoneyOpen},
		"told twice":               {addDispute(orderWithRefunds(making), card.DisputeOpen), one(card.DisputeOpen), card.DisputeOpen, false, making, ""},
		"won":                      {addDispute(orderWithRefunds(held), card.DisputeOpen), one(card.DisputeWon), card.DisputeWon, true, held, ""},
		"won, and released before": {addDispute(orderWithRefunds(making), card.DisputeOpen), one(card.DisputeWon), card.DisputeWon, true, making, ""},
		"lost":                     {addDispute(orderWithRefunds(making), card.DisputeOpen), one(card.DisputeLost), card.DisputeLost, true, held, ""},
		"lost at first sight":      {orderWithRefunds(making), one(card.DisputeLost), card.DisputeLost, true, held, ""},
		"closed, then opened":      {addDispute(orderWithRefunds(making), card.DisputeWon), one(card.DisputeOpen), card.DisputeWon, false, making, ""},
		"another one":              {addDispute(orderWithRefunds(making), card.DisputeWon), second, card.DisputeOpen, true, held, orders.MoneyOpen},
		"an old list":              {addDispute(orderWithRefunds(making), card.DisputeWon), []card.Dispute{{ID: "dp_0", Status: card.DisputeLost}}, card.DisputeWon, false, making, ""},
		"answered":                 {addDispute(orderWithRefunds(held), card.DisputeOpen), answered, card.DisputeOpen, true, held, orders.MoneyOpen},
		"answered, and released":   {addDispute(orderWithRefunds(making), card.DisputeOpen), answered, card.DisputeOpen, true, making, orders.MoneyOpen},
		"cancelled meanwhile":      {orderWithRefunds(orders.Cancelled), one(card.DisputeOpen), card.DisputeOpen, true, orders.Cancelled, orders.MoneyOpen},
	} {
		next, event := order.TakeDisputes(tt.order, tt.says, now)
		if (event == orders.EventDisputed) != tt.news || next.Status != tt.to || next.Money != tt.money {
			t.Errorf("TakeDisputes(%s) = %q, %s, money %q; want %t, %s, %q", name, event, next.Status, next.Money, tt.news, tt.to, tt.money)
		}
		if name == "answered" && (!next.Dispute.Answered || next.Dispute.Due == nil) {
			t.Errorf("TakeDisputes(answered) = %+v, want it answered, with a due time", next.Dispute)
		}
		if tt.known != "" && next.Dispute.Status != string(tt.known) {
			t.Errorf("TakeDisputes(%s): it is %s, want %s", name, next.Dispute.Status, tt.known)
		}
		if next.Status == held && tt.order.Status != held && !strings.Contains(next.Held, "bank") {
			t.Errorf("TakeDisputes(%s): held for %q, want the bank named", name, next.Held)
		}
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	type want struct {
		order.Presence
		ok bool
	}
	everywhere := func(ok bool) []want {
		return []want{{order.NeverAsked, ok}, {order.Absent, ok}, {order.Withdrawn, ok}, {order.Present, false}}
	}
	for status, wants := range map[orders.Status][]want{
		orders.Paid: everywhere(true), orders.Held: everywhere(true), orders.Placed: everywhere(true),
		orders.InProduction: everywhere(true), orders.Placing: everywhere(false),
		orders.Shipped: everywhere(false), orders.Cancelled: everywhere(false),
	} {
		for _, w := range wants {
			o := orderWithRefunds(status, refund("a", 500, orders.RefundDone))
			o.Held = "why"
			next, err := order.Cancel(o, w.Presence, orders.CancelData{Operator: "grace", Why: "asked\nfor"}, "rf_9", now)
			if (err == nil) != w.ok || err != nil && contract.RefusalIn(err) == nil {
				t.Errorf("Cancel(%s, %d) = %v, want %t", status, w.Presence, err, w.ok)
				continue
			}
			if err != nil {
				continue
			}
			if next.Status != orders.Cancelled || next.Held != "" || next.Cancelled.Why != "asked for" || order.ChooseStep(next) != order.Nothing {
				t.Errorf("Cancel(%s): %+v, want it %s, not held, asked for, with nothing to do", status, next, orders.Cancelled)
			}
			if back := order.RefundsToRequest(next); len(back) != 1 || back[0].Cents != 5000 || back[0].ID != "rf_9" || next.Cancelled.Refund != "rf_9" {
				t.Errorf("Cancel(%s): back goes %+v, want 5000 cents as rf_9", status, back)
			}
		}
	}
	lost := addDispute(orderWithRefunds(orders.Held), card.DisputeLost)
	if next, err := order.Cancel(lost, order.NeverAsked, orders.CancelData{}, "rf_9", now); err != nil || len(next.Refunds) != 0 || next.Cancelled.Refund != "" {
		t.Errorf("Cancel, the money is gone: %+v, %v", next.Refunds, err)
	}
}

// TestCustomerCancels: only until the order goes to the fabricator, whatever words come with it.
func TestCustomerCancels(t *testing.T) {
	t.Parallel()
	for status, ok := range map[orders.Status]bool{
		orders.Paid: true, orders.Held: true, orders.Placing: false, orders.Placed: false,
		orders.InProduction: false, orders.Shipped: false, orders.Cancelled: false,
	} {
		for there, possible := range map[order.Presence]bool{order.NeverAsked: true, order.Absent: true, order.Present: false} {
			next, err := order.Cancel(orderWithRefunds(status), there, orders.CancelData{Customer: true, Operator: "grace", Why: "x"}, "rf_9", now)
			if (err == nil) != (ok && possible) || err != nil && contract.RefusalIn(err).Code != contract.Conflict {
				t.Errorf("cancel when %s, presence %d: %v, want it possible: %v", status, there, err, ok && possible)
			}
			if err == nil && (next.Cancelled.Operator != "customer" || next.Cancelled.Why != "" || len(order.RefundsToRequest(next)) != 1) {
				t.Errorf("cancelled when %s: %+v, want it by the customer, without a reason, and one refund", status, next.Cancelled)
			}
		}
	}
	if _, err := order.Cancel(addDispute(orderWithRefunds(orders.Held), card.DisputeOpen), order.NeverAsked, orders.CancelData{Customer: true}, "rf_9", now); err == nil {
		t.Error("a disputed order was cancelled")
	}
}

// TestCancelledForEver: no word of the team brings a cancelled order back.
func TestCancelledForEver(t *testing.T) {
	t.Parallel()
	for _, to := range []orders.Status{
		orders.Paid, orders.Held, orders.Placed, orders.InProduction,
		orders.Shipped, orders.Cancelled,
	} {
		if _, _, err := order.Report(orderAt(orders.Cancelled, 1), orders.ReportStatusData{Status: to}, now); contract.RefusalIn(err) == nil {
			t.Errorf("a cancelled order becomes %s", to)
		}
	}
}
