package due_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract"
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

func TestLetters(t *testing.T) {
	t.Parallel()
	order := func(name contract.EventName, o contract.Order) contract.Event {
		return event(t, contract.OrderAggregate, name, "e1", o)
	}
	talked := contract.Quote{Review: &contract.Review{Questions: []contract.ReviewQuestion{{ID: "q1", AnsweredAt: &time.Time{}}}}}
	for name, tt := range map[string]struct {
		event contract.Event
		want  contract.LetterKind
	}{
		"paid":                       {order(contract.OrderPaid, contract.Order{}), contract.LetterReceipt},
		"placing":                    {order(contract.OrderPlacing, contract.Order{}), ""},
		"placed":                     {order(contract.OrderPlaced, contract.Order{}), ""},
		"a step":                     {order(contract.OrderProgressed, contract.Order{}), ""},
		"a question":                 {order(contract.OrderProgressed, contract.Order{Waiting: "which side?"}), contract.LetterOrderWaiting},
		"cancelled":                  {order(contract.OrderCancelled, contract.Order{}), contract.LetterCancelled},
		"refund begun":               {order(contract.OrderRefundBegun, contract.Order{Refunds: []contract.OrderRefund{{ID: "a", Status: contract.RefundBegun}}}), ""},
		"refund failed":              {order(contract.OrderRefundFailed, contract.Order{Refunds: []contract.OrderRefund{{ID: "a", Status: contract.RefundFailed}}}), contract.LetterOrderMoney},
		"dispute won":                {order(contract.OrderDisputed, contract.Order{Dispute: &contract.OrderDispute{Status: "won"}}), contract.LetterOrderMoney},
		"shipped":                    {order(contract.OrderShipped, contract.Order{}), contract.LetterShipped},
		"review wanted":              {event(t, contract.QuoteAggregate, contract.QuoteReviewRequested, "e", contract.Quote{}), contract.LetterReviewRequest},
		"review priced":              {event(t, contract.QuoteAggregate, contract.QuoteReviewPriced, "e", contract.Quote{}), contract.LetterReviewPriced},
		"review declined":            {event(t, contract.QuoteAggregate, contract.QuoteReviewRefused, "e", contract.Quote{}), contract.LetterReviewRefused},
		"a question to the customer": {event(t, contract.QuoteAggregate, contract.QuoteReviewQuestion, "e", talked), contract.LetterReviewQuestion},
		"its answer":                 {event(t, contract.QuoteAggregate, contract.QuoteReviewAnswered, "e", talked), contract.LetterReviewAnswered},
		"instant priced":             {event(t, contract.QuoteAggregate, contract.QuotePriced, "e", contract.Quote{}), ""},
		"paid twice": {event(t, contract.CheckoutAggregate, contract.CheckoutDoubled, "e", contract.Checkout{
			Refunds: []contract.Refund{{Intent: "pi_2"}}}), contract.LetterRefunded},
		"page opened": {event(t, contract.CheckoutAggregate, contract.CheckoutOpened, "e", contract.Checkout{}), ""},
	} {
		got, err := due.Letters(tt.event)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		switch {
		case tt.want == "" && len(got) != 0, tt.want != "" && (len(got) != 1 || got[0].Letter != tt.want || got[0].About != "quote1" || got[0].ID == ""):
			t.Errorf("Letters(%s) = %+v, want %q", name, got, tt.want)
		}
	}
}

// TestSeveralLetters: what both the team and the customer get, and refunds.
func TestSeveralLetters(t *testing.T) {
	t.Parallel()
	back := func(id string, status contract.RefundStatus) contract.OrderRefund {
		return contract.OrderRefund{ID: id, Status: status}
	}
	for name, tt := range map[string]struct {
		event contract.EventName
		order contract.Order
		want  []contract.LetterKind
		items []string
	}{
		"to be placed by hand": {contract.OrderHeld, contract.Order{Held: "x", ByHand: true}, []contract.LetterKind{contract.LetterOrderHeld}, []string{""}},
		"held":                 {contract.OrderHeld, contract.Order{Held: "x"}, []contract.LetterKind{contract.LetterOrderHeld, contract.LetterOnHold}, []string{"", ""}},
		"two refunds, one on its way, one not known": {contract.OrderRefunded, contract.Order{Refunds: []contract.OrderRefund{
			back("a", contract.RefundDone), back("b", contract.RefundPending), back("c", contract.RefundBegun)}},
			[]contract.LetterKind{contract.LetterGivenBack, contract.LetterGivenBack}, []string{"a", "b"}},
		"the refund of a cancelled order": {contract.OrderRefunded, contract.Order{
			Cancelled: &contract.Cancellation{Refund: "b"}, Refunds: []contract.OrderRefund{back("a", contract.RefundDone), back("b", contract.RefundDone)}},
			[]contract.LetterKind{contract.LetterGivenBack}, []string{"a"}},
		"given back elsewhere": {contract.OrderRefunded, contract.Order{Held: "x", Refunds: []contract.OrderRefund{back("a", contract.RefundDone)}},
			[]contract.LetterKind{contract.LetterGivenBack, contract.LetterOrderMoney}, []string{"a", ""}},
		"disputed": {contract.OrderDisputed, contract.Order{Held: "x", Dispute: &contract.OrderDispute{ID: "dp_1"}},
			[]contract.LetterKind{contract.LetterOrderMoney, contract.LetterOnHold}, []string{"", ""}},
	} {
		got, err := due.Letters(event(t, contract.OrderAggregate, tt.event, "e1", tt.order))
		var kinds []contract.LetterKind
		var items []string
		for _, l := range got {
			kinds, items = append(kinds, l.Letter), append(items, l.Item)
		}
		if err != nil || !cmp.Equal(kinds, tt.want) || !cmp.Equal(items, tt.items) {
			t.Errorf("Letters(%s) = %v about %q, %v; want %v about %q", name, kinds, items, err, tt.want, tt.items)
		}
	}
}

// TestSameLetter: which events are about the same letter, and which are not.
func TestSameLetter(t *testing.T) {
	t.Parallel()
	id := func(name contract.EventName, cause string, o contract.Order) string {
		got, err := due.Letters(event(t, contract.OrderAggregate, name, cause, o))
		if err != nil || len(got) != 1 {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
		return got[0].ID
	}
	number := func(n string) contract.Order { return contract.Order{Tracking: &contract.Tracking{Number: n}} }
	got := []bool{
		id(contract.OrderPaid, "a", contract.Order{}) == id(contract.OrderPaid, "b", contract.Order{}),
		id(contract.OrderDisputed, "a", contract.Order{}) == id(contract.OrderDisputed, "b", contract.Order{}),
		id(contract.OrderShipped, "a", number("1")) == id(contract.OrderShipped, "b", number("1")),
		id(contract.OrderShipped, "a", number("1")) == id(contract.OrderShipped, "a", number("2")),
		id(contract.OrderProgressed, "a", contract.Order{Waiting: "x"}) == id(contract.OrderInProduction, "b", contract.Order{Waiting: "x"}),
		id(contract.OrderProgressed, "a", contract.Order{Waiting: "x"}) == id(contract.OrderProgressed, "a", contract.Order{Waiting: "y"}),
	}
	if want := []bool{true, false, true, false, true, false}; !cmp.Equal(got, want) {
		t.Errorf("same letter: %v, want %v", got, want)
	}
}

func TestUnreadable(t *testing.T) {
	t.Parallel()
	e := contract.Event{Aggregate: contract.OrderAggregate, Name: contract.OrderPaid, Data: json.RawMessage(`{"state":7}`)}
	if _, err := due.Letters(e); err == nil {
		t.Error("no error")
	}
}

// TestQuotesByName: events of quotes come without their states.
func TestQuotesByName(t *testing.T) {
	t.Parallel()
	for name, want := range map[contract.EventName]int{contract.QuoteReviewRequested: 1, contract.QuoteReviewPriced: 1, contract.QuotePriced: 0} {
		got, err := due.Letters(contract.Event{ID: "e", Aggregate: contract.QuoteAggregate, AggregateID: "quote1", Name: name})
		if err != nil || len(got) != want {
			t.Errorf("Letters(%s) = %+v, %v; want %d", name, got, err, want)
		}
	}
}

// TestEveryQuestionHasItsLetter: the state may be one of later questions and answers.
func TestEveryQuestionHasItsLetter(t *testing.T) {
	t.Parallel()
	q := contract.Quote{Review: &contract.Review{Questions: []contract.ReviewQuestion{{ID: "q1", AnsweredAt: &time.Time{}}, {ID: "q2"}}}}
	for name, want := range map[contract.EventName][]string{contract.QuoteReviewQuestion: {"q1", "q2"}, contract.QuoteReviewAnswered: {"q1"}} {
		e := event(t, contract.QuoteAggregate, name, "e", q)
		got, err := due.Letters(e)
		var items []string
		for _, l := range got {
			items = append(items, l.Item)
		}
		if err != nil || !slices.Equal(items, want) || !due.FollowsState(e) {
			t.Errorf("Letters(%s) = %+v, %v; want those about %v", name, got, err, want)
		}
	}
}
