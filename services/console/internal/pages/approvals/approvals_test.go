package approvals_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/page/pagetest"
	"boardorder/services/console/internal/pages/approvals"
)

var ann = pagetest.Operator("ann", operator.Admin)

func open(t *testing.T) (d *pagetest.Desk, list, decide page.Route) {
	t.Helper()
	d = pagetest.New(t)
	s := approvals.Section{Docs: d.Docs, Ask: d.Ask, Now: pagetest.Now}
	return d, page.Route{Pattern: "GET /approvals", Handle: s.List}, page.Route{Pattern: "POST /cases/{ref}/approvals/{id}", Needs: operator.TakeCases, Handle: s.Decide}
}

// putRequest projects a case with a request that fin made.
func putRequest(t *testing.T, d *pagetest.Desk, ref string, kind cases.ApprovalKind, cents int64, command any) {
	t.Helper()
	data, err := json.Marshal(command)
	if err != nil {
		t.Fatal(err)
	}
	d.Put(contract.CaseAggregate, ref, cases.Case{Ref: ref, Account: "acc_1", Waiting: cases.Waits, Approvals: []cases.Approval{
		{ID: "req_1", Kind: kind, Cents: cents, Currency: "USD", Command: data, AskedBy: "fin", AskedAt: pagetest.At, Status: cases.ApprovalOpen},
	}}, map[string]string{"waiting": cases.Waits})
}

// putOrder projects an order of $82.10 that was charged in euros.
func putOrder(d *pagetest.Desk, change func(*orders.Order)) {
	o := orders.Order{
		ID: "ord_1", Ref: "BO-1", Quote: "q1", Account: "acc_1", Status: orders.Placed, Quantity: 10, Board: "2 layers", Currency: "USD", TotalCents: 8210, PaidAt: pagetest.At,
		Lines:   []prices.Line{{Label: "Boards", Cents: 6210}, {Label: "Shipping", Cents: 2000}},
		Sold:    quotes.Quote{Ref: "q1", Account: "acc_1"},
		Payment: checkouts.Payment{Cents: 8210, Currency: "USD", Charged: &prices.Charge{Charged: prices.Charged{Currency: "EUR", Minor: 7200, Digits: 2}, Cents: 8210}},
	}
	if change != nil {
		change(&o)
	}
	d.Put(contract.OrderAggregate, "q1", o, nil)
}

// TestApprovalsShowWhatIsDecided: the lines, the reason, and what the card was charged and gets back.
func TestApprovalsShowWhatIsDecided(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		kind    cases.ApprovalKind
		cents   int64
		command any
		wants   []string
	}{
		"refund":       {cases.ApproveRefund, 4105, orders.IssueRefundData{Quote: "q1", Cents: 4105, Why: "half was late"}, []string{"EUR 36.00, for $41.05", "EUR 72.00, for $82.10", "half was late", "Shipping", "$20.00", "10 boards, 2 layers"}},
		"cancellation": {cases.ApproveCancel, 8210, orders.CancelData{Quote: "q1"}, []string{"EUR 72.00, for $82.10", "none was given", "Boards", "$62.10"}},
		"price": {cases.ApprovePrice, 5000, quotes.PriceReviewData{Quote: "q1", Note: "with gold", Lines: []prices.PricedLine{{Line: prices.Line{Label: "Four boards", Cents: 5000}}}},
			[]string{"$50.00", "with gold", "Four boards"}},
		"formal quote": {cases.ApproveFormal, 9000, formal.IssueQuoteData{Order: "q1", Options: []formal.Option{{Fabricator: "Far East", Description: "slow", LeadTimeDays: 20, TotalCents: 7000}, {Fabricator: "Nearby", LeadTimeDays: 5, TotalCents: 9000}}},
			[]string{"Option 1: slow Far East, 20 days", "$70.00", "Nearby, 5 days", "$90.00"}},
		"erased": {cases.ApproveRefund, 4105, nil, []string{"EUR 36.00, for $41.05"}},
	} {
		d, list, _ := open(t)
		putOrder(d, nil)
		putRequest(t, d, "q1", tt.kind, tt.cents, tt.command)
		body := d.Get(ann, list, "/approvals").Body.String()
		for _, want := range tt.wants {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the list does not say %q:\n%s", name, want, body)
			}
		}
	}
}

// TestDisputedRefundIsNotApproved: it would pay twice; it can be declined.
func TestDisputedRefundIsNotApproved(t *testing.T) {
	t.Parallel()
	d, list, decide := open(t)
	putOrder(d, func(o *orders.Order) {
		o.Dispute = &orders.Dispute{ID: "dp_1", Status: orders.DisputeOpen, Cents: 8210}
	})
	putRequest(t, d, "q1", cases.ApproveRefund, 4105, orders.IssueRefundData{Quote: "q1", Cents: 4105})
	if body := d.Get(ann, list, "/approvals").Body.String(); !strings.Contains(body, "would pay it twice") {
		t.Error("the list does not say that the refund would pay twice")
	}
	w := d.Post(ann, decide, "/cases/q1/approvals/req_1", url.Values{"action": {"approve"}})
	if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "would pay it twice") || len(d.Commands()) != 0 {
		t.Errorf("approve: %d, sent %v; want 409 with the reason, and nothing sent", w.Code, d.Commands())
	}
	if w := d.Post(ann, decide, "/cases/q1/approvals/req_1", url.Values{"action": {"decline"}}); w.Code != http.StatusSeeOther || len(d.Commands()) != 1 {
		t.Errorf("decline: %d, sent %v; want it sent", w.Code, d.Commands())
	}
}
