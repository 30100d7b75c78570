package orders_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/figures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page/pagetest"
)

// putDisputed projects an order whose payment is disputed.
func (d *desk) putDisputed(ref string, dispute orders.Dispute, change ...func(*orders.Order)) {
	o := makePaidOrder()
	o.ID, o.Ref, o.Quote, o.Refunds, o.Dispute = "ord_"+ref, "BO-"+ref, ref, nil, &dispute
	for _, c := range change {
		c(&o)
	}
	d.Put(contract.OrderAggregate, o.Quote, o, map[string]string{"status": string(o.Status), figures.DisputeKey: dispute.Status})
}

// TestDisputesHaveANextStep: an order and the list say what is to be done about a dispute, until
// when and where, and what became of it.
func TestDisputesHaveANextStep(t *testing.T) {
	t.Parallel()
	due, past := pagetest.At.Add(72*time.Hour), pagetest.At.Add(-time.Hour)
	for name, tt := range map[string]struct {
		dispute orders.Dispute
		status  orders.Status
		wants   []string
		lacks   string
	}{
		"evidence wanted":  {orders.Dispute{ID: "dp_7", Status: "open", Reason: "fraudulent", Due: &due}, orders.Held, []string{"Until 2026-11-24 10:00:00 UTC, send evidence", "dp_7", "did not pay this", "paid twice", "What there is to show"}, ""},
		"no time known":    {orders.Dispute{ID: "dp_7", Status: "open", Reason: "general"}, orders.Held, []string{"Send evidence in", "which also says until when"}, ""},
		"too late":         {orders.Dispute{ID: "dp_7", Status: "open", Reason: "general", Due: &past}, orders.Held, []string{"and got none", ">too late<"}, "What there is to show"},
		"answered":         {orders.Dispute{ID: "dp_7", Status: "open", Reason: "general", Due: &due, Answered: true}, orders.Held, []string{"The bank has our evidence", ">answered<"}, "Send evidence"},
		"won, held":        {orders.Dispute{ID: "dp_7", Status: "won", Reason: "general"}, orders.Held, []string{"decided for us", "report below"}, "Do not refund"},
		"won, built":       {orders.Dispute{ID: "dp_7", Status: "won", Reason: "general"}, orders.Shipped, []string{"decided for us", "Nothing is left to do"}, "report below"},
		"lost, not built":  {orders.Dispute{ID: "dp_7", Status: "lost", Reason: "new_word"}, orders.Held, []string{"there is nothing to refund", "Cancel the order", "new word"}, "Send evidence"},
		"lost, on its way": {orders.Dispute{ID: "dp_7", Status: "lost", Reason: "general"}, orders.Shipped, []string{"there is nothing to refund"}, "Cancel the order, unless"},
	} {
		d := open(t)
		tt.dispute.Cents = 30_000
		d.putDisputed("q1", tt.dispute, func(o *orders.Order) { o.Status = tt.status })
		state := tt.dispute.Status
		for target, w := range map[string]string{
			"/orders/q1": d.Get(fin, d.show, "/orders/q1").Body.String(), "/disputes": d.Get(fin, d.disputes, "/disputes?state="+state).Body.String(),
		} {
			for _, want := range tt.wants {
				if target == "/disputes" && (strings.HasPrefix(want, "What there") || strings.HasPrefix(want, "dp_")) {
					continue
				}
				if !strings.Contains(w, want) {
					t.Errorf("%s: %s does not say %q", name, target, want)
				}
			}
			if tt.lacks != "" && strings.Contains(w, tt.lacks) {
				t.Errorf("%s: %s says %q", name, target, tt.lacks)
			}
		}
	}
}

// TestDisputedPaymentIsNotRefunded: refused in words, above the limit of one operator too.
func TestDisputedPaymentIsNotRefunded(t *testing.T) {
	t.Parallel()
	for _, amount := range []string{"1.00", "250.00"} {
		d := open(t)
		d.putDisputed("q1", orders.Dispute{ID: "dp_1", Status: "open", Cents: 30_000})
		w := d.Post(fin, d.refund, "/orders/q1/refund", url.Values{"amount": {amount}})
		if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "would pay it twice") || len(d.Commands()) != 0 {
			t.Errorf("refund of %s: %d, sent %v; want 409 with the reason, and nothing sent", amount, w.Code, d.Commands())
		}
		if body := d.Get(fin, d.show, "/orders/q1").Body.String(); strings.Contains(body, `action="/orders/q1/refund"`) || !strings.Contains(body, "It cannot be refunded while") {
			t.Error("the order’s page offers a refund, or does not say why not")
		}
	}
	d := open(t)
	d.putDisputed("q1", orders.Dispute{ID: "dp_1", Status: "won", Cents: 30_000})
	if w := d.Post(fin, d.refund, "/orders/q1/refund", url.Values{"amount": {"1.00"}}); w.Code != http.StatusSeeOther {
		t.Errorf("refund after the dispute was won: %d, want it sent", w.Code)
	}
}

// TestDisputesAreListedByUrgency: the first to answer stands first, in the currency of the card,
// and several are taken at once.
func TestDisputesAreListedByUrgency(t *testing.T) {
	t.Parallel()
	d := open(t)
	soon, later := pagetest.At.Add(time.Hour), pagetest.At.Add(48*time.Hour)
	d.putDisputed("later", orders.Dispute{ID: "dp_1", Status: "open", Cents: 30_000, Due: &later})
	d.putDisputed("done", orders.Dispute{ID: "dp_2", Status: "open", Cents: 30_000, Due: &soon, Answered: true, At: pagetest.At})
	d.putDisputed("soon", orders.Dispute{ID: "dp_3", Status: "open", Cents: 30_000, Due: &soon, Charged: &prices.Charged{Currency: "EUR", Minor: 26_000, Digits: 2}})
	d.putDisputed("lost", orders.Dispute{ID: "dp_4", Status: "lost", Cents: 30_000})
	body := d.Get(fin, d.disputes, "/disputes").Body.String()
	if a, b, c := strings.Index(body, "BO-soon"), strings.Index(body, "BO-later"), strings.Index(body, "BO-done"); a < 0 || a > b || b > c || strings.Contains(body, "BO-lost") {
		t.Errorf("soon at %d, later at %d, answered at %d; want them in this order and not the decided one", a, b, c)
	}
	if !strings.Contains(body, "EUR 260.00, for $300.00") {
		t.Error("the list does not say what the card was charged")
	}
	if w := d.Post(fin, d.takeDisputes, "/disputes", url.Values{"order": {"soon", "later"}, "request": {"r"}}); w.Code != http.StatusSeeOther || len(d.Commands()) != 2 || d.Commands()[0].Name != cases.Take {
		t.Errorf("taking two: %d, sent %v; want 303 and two %s", w.Code, d.Commands(), cases.Take)
	}
	if w := d.Post(fin, d.takeDisputes, "/disputes", url.Values{}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("taking none: %d, want 422", w.Code)
	}
	if strings.Contains(d.Get(pagetest.Operator("ben", operator.Viewer), d.disputes, "/disputes").Body.String(), `name="order"`) {
		t.Error("who may not take cases can select disputes")
	}
	if w := d.Get(fin, d.disputes, "/disputes?state=odd"); w.Code != http.StatusNotFound {
		t.Errorf("a state that there is not: %d, want 404", w.Code)
	}
}
