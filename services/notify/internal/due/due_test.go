package due_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/notify/internal/due"

	"github.com/google/go-cmp/cmp"
)

func event[S any](t *testing.T, a contract.Aggregate, name contract.EventName, id string, state S) contract.Event {
	t.Helper()
	data, err := json.Marshal(contract.Body[S]{State: state})
	if err != nil {
		t.Fatal(err)
	}
	return contract.Event{ID: id, Aggregate: a, AggregateID: "quote1", Name: name, Data: data}
}

func TestEmails(t *testing.T) {
	t.Parallel()
	order := func(name contract.EventName, o orders.Order) contract.Event {
		return event(t, contract.OrderAggregate, name, "e1", o)
	}
	talked := quotes.Quote{Review: &quotes.Review{Questions: []quotes.ReviewQuestion{{ID: "q1", AnsweredAt: &time.Time{}}}}}
	for name, tt := range map[string]struct {
		event contract.Event
		want  emails.Kind
	}{
		"paid":                            {order(orders.EventPaid, orders.Order{}), emails.Receipt},
		"placing":                         {order(orders.EventPlacing, orders.Order{}), ""},
		"placed":                          {order(orders.EventPlaced, orders.Order{}), ""},
		"a step":                          {order(orders.EventProgressed, orders.Order{}), ""},
		"a question":                      {order(orders.EventProgressed, orders.Order{Waiting: "which side?"}), emails.OrderWaiting},
		"cancelled":                       {order(orders.EventCancelled, orders.Order{}), emails.Cancelled},
		"refund begun":                    {order(orders.EventRefundBegun, orders.Order{Refunds: []orders.Refund{{ID: "a", Status: orders.RefundBegun}}}), ""},
		"refund failed":                   {order(orders.EventRefundFailed, orders.Order{Refunds: []orders.Refund{{ID: "a", Status: orders.RefundFailed}}}), emails.OrderMoney},
		"dispute won":                     {order(orders.EventDisputed, orders.Order{Dispute: &orders.Dispute{Status: "won"}}), emails.OrderMoney},
		"shipped":                         {order(orders.EventShipped, orders.Order{}), emails.Shipped},
		"review priced":                   {event(t, contract.QuoteAggregate, quotes.EventReviewPriced, "e", quotes.Quote{}), emails.ReviewPriced},
		"review declined":                 {event(t, contract.QuoteAggregate, quotes.EventReviewRefused, "e", quotes.Quote{}), emails.ReviewRefused},
		"a question to the customer":      {event(t, contract.QuoteAggregate, quotes.EventReviewQuestion, "e", talked), emails.ReviewQuestion},
		"its answer":                      {event(t, contract.QuoteAggregate, quotes.EventReviewAnswered, "e", talked), emails.ReviewAnswered},
		"a question about a formal order": {event(t, contract.FormalAggregate, formal.EventAsked, "e", formal.Order{Questions: []formal.Question{{ID: "q1"}}}), emails.FormalQuestion},
		"its answer by the interface":     {event(t, contract.FormalAggregate, formal.EventAnswered, "e", formal.Order{Questions: []formal.Question{{ID: "q1"}}}), emails.FormalAnswered},
		"its answer by our own hand":      {event(t, contract.FormalAggregate, formal.EventAnswered, "e", formal.Order{Questions: []formal.Question{{ID: "q1", WrittenBy: "ann"}}}), ""},
		"instant priced":                  {event(t, contract.QuoteAggregate, quotes.EventPriced, "e", quotes.Quote{}), ""},
		"paid twice": {event(t, contract.CheckoutAggregate, checkouts.EventDoubled, "e", checkouts.Checkout{
			Refunds: []checkouts.Refund{{Intent: "pi_2"}}}), emails.Refunded},
		"page opened": {event(t, contract.CheckoutAggregate, checkouts.EventOpened, "e", checkouts.Checkout{}), ""},
	} {
		got, err := due.Emails(tt.event)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		switch {
		case tt.want == "" && len(got) != 0, tt.want != "" && (len(got) != 1 || got[0].Kind != tt.want || got[0].About != "quote1" || got[0].ID == ""):
			t.Errorf("Emails(%s) = %+v, want %q", name, got, tt.want)
		}
	}
}

// TestSeveralEmails: what both the team and the customer get, and refunds.
func TestSeveralEmails(t *testing.T) {
	t.Parallel()
	back := func(id string, status orders.RefundStatus) orders.Refund {
		return orders.Refund{ID: id, Status: status}
	}
	for name, tt := range map[string]struct {
		event contract.EventName
		order orders.Order
		want  []emails.Kind
		items []string
	}{
		"to be placed by hand": {orders.EventHeld, orders.Order{Held: "x", ByHand: true}, []emails.Kind{emails.OrderHeld}, []string{""}},
		"held":                 {orders.EventHeld, orders.Order{Held: "x"}, []emails.Kind{emails.OrderHeld, emails.OnHold}, []string{"", ""}},
		"two refunds, one on its way, one not known": {orders.EventRefunded, orders.Order{Refunds: []orders.Refund{
			back("a", orders.RefundDone), back("b", orders.RefundPending), back("c", orders.RefundBegun)}},
			[]emails.Kind{emails.GivenBack, emails.GivenBack}, []string{"a", "b"}},
		"the refund of a cancelled order": {orders.EventRefunded, orders.Order{
			Cancelled: &orders.Cancellation{Refund: "b"}, Refunds: []orders.Refund{back("a", orders.RefundDone), back("b", orders.RefundDone)}},
			[]emails.Kind{emails.GivenBack}, []string{"a"}},
		"one sent back by the bank, one refused at once": {orders.EventRefundFailed, orders.Order{Refunds: []orders.Refund{
			{ID: "a", Processor: "re_a", Status: orders.RefundFailed}, back("b", orders.RefundFailed), back("c", orders.RefundDone)}},
			[]emails.Kind{emails.SentBack, emails.GivenBack, emails.OrderMoney}, []string{"a", "c", ""}},
		"given back elsewhere": {orders.EventRefunded, orders.Order{Held: "x", Refunds: []orders.Refund{back("a", orders.RefundDone)}},
			[]emails.Kind{emails.GivenBack, emails.OrderMoney}, []string{"a", ""}},
		"disputed": {orders.EventDisputed, orders.Order{Held: "x", Dispute: &orders.Dispute{ID: "dp_1"}},
			[]emails.Kind{emails.OrderMoney, emails.OnHold}, []string{"", ""}},
	} {
		got, err := due.Emails(event(t, contract.OrderAggregate, tt.event, "e1", tt.order))
		var kinds []emails.Kind
		var items []string
		for _, l := range got {
			kinds, items = append(kinds, l.Kind), append(items, l.Item)
		}
		if err != nil || !cmp.Equal(kinds, tt.want) || !cmp.Equal(items, tt.items) {
			t.Errorf("Emails(%s) = %v about %q, %v; want %v about %q", name, kinds, items, err, tt.want, tt.items)
		}
	}
}

// TestRequestsAreConfirmed: the team hears of a request for a price and of a formal order, and the
// customer that the team has it.
func TestRequestsAreConfirmed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		event contract.Event
		want  []emails.Kind
	}{
		"a review":       {event(t, contract.QuoteAggregate, quotes.EventReviewRequested, "e", quotes.Quote{}), []emails.Kind{emails.ReviewRequest, emails.ReviewReceived}},
		"a formal order": {event(t, contract.FormalAggregate, formal.EventSubmitted, "e", formal.Order{}), []emails.Kind{emails.FormalTeam, emails.FormalReceived}},
	} {
		var kinds []emails.Kind
		got, err := due.Emails(tt.event)
		for _, l := range got {
			kinds = append(kinds, l.Kind)
		}
		if err != nil || !cmp.Equal(kinds, tt.want) {
			t.Errorf("Emails(%s) = %v, %v; want %v", name, kinds, err, tt.want)
		}
	}
}

// TestSameEmail: which events are about the same e-mail, and which are not.
func TestSameEmail(t *testing.T) {
	t.Parallel()
	id := func(name contract.EventName, cause string, o orders.Order) string {
		got, err := due.Emails(event(t, contract.OrderAggregate, name, cause, o))
		if err != nil || len(got) != 1 {
			t.Fatalf("e-mails of %s, caused by %s: %v, %v; want one", name, cause, got, err)
		}
		return got[0].ID
	}
	number := func(n string) orders.Order { return orders.Order{Tracking: &shipments.Tracking{Number: n}} }
	got := []bool{
		id(orders.EventPaid, "a", orders.Order{}) == id(orders.EventPaid, "b", orders.Order{}),
		id(orders.EventDisputed, "a", orders.Order{}) == id(orders.EventDisputed, "b", orders.Order{}),
		id(orders.EventShipped, "a", number("1")) == id(orders.EventShipped, "b", number("1")),
		id(orders.EventShipped, "a", number("1")) == id(orders.EventShipped, "a", number("2")),
		id(orders.EventProgressed, "a", orders.Order{Waiting: "x"}) == id(orders.EventInProduction, "b", orders.Order{Waiting: "x"}),
		id(orders.EventProgressed, "a", orders.Order{Waiting: "x"}) == id(orders.EventProgressed, "a", orders.Order{Waiting: "y"}),
	}
	if want := []bool{true, false, true, false, true, false}; !cmp.Equal(got, want) {
		t.Errorf("same e-mail: %v, want %v", got, want)
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	e := contract.Event{Aggregate: contract.OrderAggregate, Name: orders.EventPaid, Data: json.RawMessage(`{"state":7}`)}
	if _, err := due.Emails(e); err == nil {
		t.Error("no error")
	}
}

// TestQuotesByName: events of quotes come without their states.
func TestQuotesByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[contract.EventName]int{quotes.EventReviewRequested: 2, quotes.EventReviewPriced: 1, quotes.EventPriced: 0} {
		got, err := due.Emails(contract.Event{ID: "e", Aggregate: contract.QuoteAggregate, AggregateID: "quote1", Name: name})
		if err != nil || len(got) != want {
			t.Errorf("Emails(%s) = %+v, %v; want %d", name, got, err, want)
		}
	}
}

// TestEveryQuestionHasItsEmail: the state may be one of later questions and answers.
func TestEveryQuestionHasItsEmail(t *testing.T) {
	t.Parallel()
	q := quotes.Quote{Review: &quotes.Review{Questions: []quotes.ReviewQuestion{{ID: "q1", AnsweredAt: &time.Time{}}, {ID: "q2"}}}}
	for name, want := range map[contract.EventName][]string{quotes.EventReviewQuestion: {"q1", "q2"}, quotes.EventReviewAnswered: {"q1"}} {
		e := event(t, contract.QuoteAggregate, name, "e", q)
		got, err := due.Emails(e)
		var items []string
		for _, l := range got {
			items = append(items, l.Item)
		}
		if err != nil || !slices.Equal(items, want) || !due.FollowsState(e) {
			t.Errorf("Emails(%s) = %+v, %v; want those about %v", name, got, err, want)
		}
	}
}
