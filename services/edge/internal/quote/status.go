package quote

import (
	"context"
	"net/http"
	"regexp"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/money"
	"boardorder/services/edge/internal/customer"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// Status is where a quote stands: the reply of GET /v1/quotes/{quote_id}.
type Status struct {
	OK          bool          `json:"ok"`
	QuoteID     string        `json:"quote_id"`
	Status      quotes.Status `json:"status"`
	Mode        string        `json:"mode"`
	RequestID   string        `json:"request_id"`
	Quantity    int           `json:"quantity"`
	Board       *string       `json:"board"`
	Assembled   *bool         `json:"assembled"`
	Total       *string       `json:"total"`
	TotalCents  *int64        `json:"total_cents"`
	Currency    *string       `json:"currency"`
	NotIncluded []string      `json:"not_included,omitempty"` // of a team's price: what was left out
	// LowParts are lines whose part was scarce or sold out when suppliers were last asked.
	LowParts    []feed.ScarcePart `json:"low_parts,omitempty"`
	Delivery    *string           `json:"delivery"` // from payment to the door, as it is sold
	CheckoutURL string            `json:"checkout_url"`
	CreatedAt   time.Time         `json:"created_at"`
	ExpiresAt   time.Time         `json:"expires_at"`
	OrderID     string            `json:"order_id,omitempty"`
	OrderRef    string            `json:"order_ref,omitempty"`
	PaidAt      *time.Time        `json:"paid_at,omitempty"`
	PaidCents   *int64            `json:"paid_cents,omitempty"`
	// ProductionSteps are those that the fabricator has reported, in its own words.
	ProductionSteps []orders.Step       `json:"production_steps,omitempty"`
	ShippedAt       *time.Time          `json:"shipped_at,omitempty"`
	Tracking        *shipments.Tracking `json:"tracking,omitempty"`
	// What became of a paid order that is not built, and of its money.
	CancelledAt   *time.Time        `json:"cancelled_at,omitempty"`
	CancelReason  string            `json:"cancel_reason,omitempty"`
	RefundedCents int64             `json:"refunded_cents,omitempty"`
	Refunds       []customer.Refund `json:"refunds,omitempty"`
	Review        *ReviewStatus     `json:"review,omitempty"`
	PartApprovals []Approval        `json:"part_approvals,omitempty"` // oldest first
	Next          string            `json:"next"`
}

var next = map[quotes.Status]string{
	quotes.Ready:             "Send the customer to checkout_url to pay.",
	quotes.SourcingReady:     "Send the customer to checkout_url to request the quote from our team.",
	quotes.SourcingRequested: "Our team is pricing it and mails the customer when it is done.",
	quotes.SourcingQuoted:    "Our team has priced it; send the customer to checkout_url to pay.",
	quotes.AwaitingPayment:   "The customer has begun to pay; checkout_url leads back to the payment.",
	quotes.Expired:           "The quote has expired. Ask for a new one.",
	quotes.Ordered:           "It is paid and ordered; there is nothing to do.",
	quotes.InProduction:      "The boards are being built; there is nothing to do.",
	quotes.Shipped:           "The boards are on their way; tracking says where.",
}

var quoteID = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Show answers GET /v1/quotes/{quote_id}.
func (q *Quotes) Show(c *web.Call) error {
	id, err := c.PathID("quote_id", maxQuoteID)
	if err != nil {
		return err
	}
	ref := contract.SecretRef(id)
	current, err := optional[quotes.Quote](c, q, contract.QuoteAggregate, ref)
	if err != nil {
		return err
	}
	paying, err := optional[checkouts.Checkout](c, q, contract.CheckoutAggregate, ref)
	if err != nil {
		return err
	}
	order, err := optional[orders.Order](c, q, contract.OrderAggregate, ref)
	if err != nil {
		return err
	}
	if order != nil && order.Withdrawn && order.Account == c.Caller.Account {
		return c.JSON(http.StatusOK, q.withdrawalStatus(id, *order))
	}
	quote := orders.QuoteAsSold(current, paying, order)
	if quote == nil || !quoteID.MatchString(id) || quote.Account != c.Caller.Account {
		return problem.New(contract.NotFound, "There is no quote with this quote_id.")
	}
	declared, err := q.designs().IsDeclared(c.Context(), quote.Upload)
	switch {
	case err != nil:
		return err
	case declared && order != nil:
		return c.JSON(http.StatusOK, q.withdrawalStatus(id, order.Withdraw()))
	case declared:
		return design.RefuseDeclared()
	}
	s := q.statusReply(id, *quote, paying, order)
	if s.PartApprovals, err = q.approvals(c.Context(), *quote); err != nil {
		return err
	}
	if s.Status == quotes.Ready || s.Status == quotes.SourcingQuoted {
		sent, err := q.codeSent(c.Context(), ref)
		if err != nil {
			return err
		}
		if sent {
			s.Status = quotes.AwaitingPayment
			s.Next = advice(s.Status, *quote, order)
		}
	}
	return c.JSON(http.StatusOK, s)
}

// codeSent reports whether a customer was mailed a code for a quote.
func (q *Quotes) codeSent(ctx context.Context, ref string) (bool, error) {
	id := confirmations.ID(confirmations.ForPayment, ref)
	sent, found, err := outcome.Read[confirmations.Confirmation](ctx, q.Docs, string(contract.ConfirmationAggregate), id)
	return found && sent.IsKnown(), err
}

// refuseDeclared refuses what was made of a design that was declared since.
func (q *Quotes) refuseDeclared(ctx context.Context, upload string) error {
	declared, err := q.designs().IsDeclared(ctx, upload)
	if err == nil && declared {
		err = design.RefuseDeclared()
	}
	return err
}

func optional[S any](c *web.Call, q *Quotes, kind contract.Aggregate, ref string) (*S, error) {
	state, found, err := outcome.Read[S](c.Context(), q.Docs, string(kind), ref)
	if err != nil || !found {
		return nil, err
	}
	return &state, nil
}

func (q *Quotes) statusReply(id string, quote quotes.Quote, paying *checkouts.Checkout, order *orders.Order) Status {
	s := Status{
		OK: true, QuoteID: id, Status: orders.StatusOf(quote, paying, order, q.Now()), Mode: quote.Mode, RequestID: quote.RequestID,
		Quantity: quote.Reply.Quantity, Board: quote.Reply.Board, Assembled: quote.Reply.Assembled,
		Total: quote.Reply.Total, TotalCents: quote.Reply.TotalCents, Currency: quote.Reply.Currency, NotIncluded: quote.Reply.NotIncluded, Delivery: quote.Reply.Delivery,
		CheckoutURL: q.checkoutURL(id), CreatedAt: millis(quote.CreatedAt), ExpiresAt: millis(quote.ExpiresAt),
	}
	s.Next, s.Review = advice(s.Status, quote, order), reviewOf(quote)
	if isPayable(s.Status) && quote.Watched != nil {
		for _, l := range quote.Watched.Low {
			s.LowParts = append(s.LowParts, feed.DescribeScarce(l))
		}
	}
	if paying != nil && paying.Payment != nil {
		at := millis(paying.Payment.At)
		s.PaidAt, s.PaidCents = &at, &paying.Payment.Cents
	}
	if order != nil {
		if c := order.Cancelled; c != nil {
			cancelled := millis(c.At)
			s.CancelledAt, s.CancelReason = &cancelled, c.Why
		}
		s.Refunds, s.RefundedCents = customer.Refunds(*order), customer.SumRefunds(*order)
		at := millis(order.PaidAt)
		s.OrderID, s.OrderRef, s.Tracking = order.ID, order.Ref, order.Tracking
		s.PaidAt, s.PaidCents = &at, &order.TotalCents
		for _, step := range order.Steps {
			s.ProductionSteps = append(s.ProductionSteps, orders.Step{Name: step.Name, At: millis(step.At)})
		}
		if order.ShippedAt != nil {
			shipped := millis(*order.ShippedAt)
			s.ShippedAt = &shipped
		}
	}
	return s
}

// withdrawalStatus is where an order stands whose design was declared ITAR-controlled:
// its customer has paid, and learns what becomes of it, but nothing of the design.
func (q *Quotes) withdrawalStatus(id string, order orders.Order) Status {
	s := q.statusReply(id, order.Sold, nil, &order)
	s.RequestID, s.Quantity, s.ProductionSteps = order.Request, order.Quantity, nil
	s.TotalCents, s.Currency = &order.TotalCents, &order.Currency
	total := money.Amount(order.TotalCents, order.Currency)
	s.Total = &total
	s.Next = "The design was declared ITAR-controlled, so nothing of it is kept or shown. The order is looked at by our team."
	switch order.Status {
	case orders.Shipped:
		s.Next = "The design was declared ITAR-controlled after the boards were shipped. They are on their way, and nothing of the design is kept or shown any more; there is nothing to do."
	case orders.Cancelled:
		s.Next = "The design was declared ITAR-controlled, so nothing of it is kept or shown. The order was cancelled, and what was paid goes back to the customer."
	}
	return s
}

// millis is a time as replies show it.
func millis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
