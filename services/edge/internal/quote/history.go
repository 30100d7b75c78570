package quote

import (
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/wording"
	"boardorder/services/edge/internal/customer"
)

// ReviewStatus is how far our team is with a quote that it prices.
type ReviewStatus struct {
	State       string     `json:"state"` // not_requested, pricing, question, priced, refused
	RequestedAt *time.Time `json:"requested_at,omitempty"`
	Question    string     `json:"question,omitempty"` // the last one
	AskedAt     *time.Time `json:"asked_at,omitempty"`
	AnsweredAt  *time.Time `json:"answered_at,omitempty"`
	Reason      string     `json:"reason,omitempty"` // why there is no price
	RefusedAt   *time.Time `json:"refused_at,omitempty"`
	Note        string     `json:"note,omitempty"` // what our team wrote with its price
}

// reviewOf is nil for a quote that has an instant price.
func reviewOf(q quotes.Quote) *ReviewStatus {
	if q.Mode != quotes.ModeReview {
		return nil
	}
	r := &ReviewStatus{State: "not_requested", Note: q.TeamNote}
	if q.RequestedAt != nil {
		at := millis(*q.RequestedAt)
		r.RequestedAt = &at
	}
	if q.Review != nil && len(q.Review.Questions) > 0 {
		last := q.Review.Questions[len(q.Review.Questions)-1]
		requestedAt := millis(last.AskedAt)
		r.Question, r.AskedAt = last.Text, &requestedAt
		if last.AnsweredAt != nil {
			answered := millis(*last.AnsweredAt)
			r.AnsweredAt = &answered
		}
	}
	switch refused := q.TeamRefusal(); {
	case refused != nil:
		at := millis(refused.At)
		r.State, r.Reason, r.RefusedAt = "refused", refused.Why, &at
	case q.Reply.TotalCents != nil:
		r.State = "priced"
	case q.OpenQuestion() != nil:
		r.State = "question"
	case q.Status == quotes.SourcingRequested:
		r.State = "pricing"
	}
	return r
}

// isPayable tells whether a quote waits for its payment.
func isPayable(status quotes.Status) bool {
	return status == quotes.Ready || status == quotes.SourcingQuoted || status == quotes.AwaitingPayment
}

// advice says what to do now, for the state at hand.
func advice(status quotes.Status, q quotes.Quote, order *orders.Order) string {
	if order != nil {
		return orderAdvice(status, *order)
	}
	r := reviewOf(q)
	switch {
	case r != nil && r.State == "refused":
		return "Our team does not price this; review.reason says why. Tell the customer, and ask for a new quote if the request can be changed."
	case r != nil && r.State == "question" && status == quotes.SourcingRequested:
		return "Our team has a question, which review.question holds, and waits for the answer: ask the customer to answer it at checkout_url."
	}
	if isPayable(status) && len(q.Watched.FindShort()) > 0 {
		return "A part was sold out when suppliers were last asked: low_parts says which. A payment is refused unless they have it again; offer the customer another part and ask for a new quote."
	}
	words := next[status]
	if len(q.Reply.NotIncluded) > 0 && (status == quotes.SourcingQuoted || status == quotes.AwaitingPayment) {
		words += " Tell the customer what is not in the price: not_included says it."
	}
	return words
}

func orderAdvice(status quotes.Status, o orders.Order) string {
	switch {
	case o.Status == orders.Cancelled && customer.SumRefunds(o) > 0:
		return "The order was cancelled, and what was paid goes back to the customer: refunds says how much. Ask for a new quote to order again."
	case o.Status == orders.Cancelled:
		return "The order was cancelled. Ask for a new quote to order again."
	case o.Status == orders.Held && o.ByHand:
		return "It is paid, and our team places the order with the fabricator; there is nothing to do."
	case o.Status == orders.Held:
		return "It is paid, and our team looks at the order before it goes on. There is nothing to do: the customer gets an e-mail if anything is needed."
	}
	return next[status]
}

// choicesSince says what the customer chose at checkout in place of what was asked for.
func choicesSince(q quotes.Quote) string {
	var words []string
	if q.Wanted > 0 && q.Wanted != q.Request.Quantity {
		words = append(words, fmt.Sprintf("%s (%d asked for)", wording.Count(q.Request.Quantity, "board"), q.Wanted))
	}
	if q.Mode == quotes.ModeInstant && q.Version > 1 {
		for _, o := range q.Reply.ShippingOptions {
			if o.Chosen {
				words = append(words, "shipping with "+o.Name())
			}
		}
		if q.Delivery != nil && q.Delivery.ShipTo.Country != "" {
			words = append(words, "delivery to "+q.Delivery.ShipTo.Country)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "The customer has chosen at checkout: " + strings.Join(words, ", ") + ". The price is for that."
}
