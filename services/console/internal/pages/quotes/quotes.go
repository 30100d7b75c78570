package quotes

import (
	"boardorder/pkg/projection"
	"context"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/choices"
	"boardorder/services/console/internal/design"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
	"boardorder/services/console/internal/timeline"
)

// StatusOf is where a quote stands for its customer: it follows from checkout,
// order and clock.
func StatusOf(ctx context.Context, docs projection.Store, now time.Time, q *quotes.Quote) (quotes.Status, error) {
	paying, err := states.Get[checkouts.Checkout](ctx, docs, contract.CheckoutAggregate, q.Ref)
	if err != nil {
		return "", err
	}
	order, err := states.Get[orders.Order](ctx, docs, contract.OrderAggregate, q.Ref)
	return orders.StatusOf(*q, paying, order, now), err
}

type quoteView struct {
	page.Frame
	*quotes.Quote
	design.Design
	cases.Work
	DerivedStatus quotes.Status
	Name          string
	Order         *orders.Order
	Paying        *checkouts.Checkout
	Timeline      []timeline.Span
	Choices       []choices.Choice
	Customer      string
}

// Read finds a quote, as it was sold once it was, with its checkout and order.
func Read(ctx context.Context, docs projection.Store, ref string) (q *quotes.Quote, paying *checkouts.Checkout, order *orders.Order, err error) {
	if q, err = states.Get[quotes.Quote](ctx, docs, contract.QuoteAggregate, ref); err != nil {
		return nil, nil, nil, err
	}
	if paying, err = states.Get[checkouts.Checkout](ctx, docs, contract.CheckoutAggregate, ref); err != nil {
		return nil, nil, nil, err
	}
	if order, err = states.Get[orders.Order](ctx, docs, contract.OrderAggregate, ref); err != nil {
		return nil, nil, nil, err
	}
	if q = orders.QuoteAsSold(q, paying, order); q == nil {
		err = page.Missing("quote")
	}
	return q, paying, order, err
}

// Show shows one quote whole.
func (s *Section) Show(c *page.Call) error {
	ctx, ref := c.R.Context(), c.R.PathValue("ref")
	q, paying, order, err := Read(ctx, s.Docs, ref)
	if err != nil {
		return err
	}
	v := quoteView{Frame: c.Frame("quotes", "Quote "+format.ID(ref)), Quote: q, Paying: paying, Order: order, Name: c.AccountName(q.Account)}
	v.DerivedStatus, v.Choices, v.Customer = orders.StatusOf(*q, v.Paying, v.Order, s.Now()), choices.List(q.Request), CustomerName(c, Recipient(*q))
	if v.Design, err = design.Read(ctx, s.Docs, q.Digest, q.Board); err != nil {
		return err
	}
	if v.Work, err = cases.Load(c.R.Context(), s.Docs, ref); err != nil {
		return err
	}
	sent, err := letters.Read(ctx, s.Letters, v.Customer, ref)
	if err != nil {
		return err
	}
	if v.Timeline, err = timeline.Read(ctx, s.Bus, ref, q.RequestID, order, sent); err != nil {
		return err
	}
	return c.Show(templates, "quote", v)
}

// Picture shows one side of a quote's board.
func (s *Section) Picture(c *page.Call) error {
	_, d, err := s.quoteDesign(c.R.Context(), c.R.PathValue("ref"))
	if err != nil {
		return err
	}
	return s.Files.SendSide(c, d)
}

// Package gives the files that were priced.
func (s *Section) Package(c *page.Call) error {
	q, d, err := s.quoteDesign(c.R.Context(), c.R.PathValue("ref"))
	if err != nil {
		return err
	}
	key := ""
	if d.Read != nil {
		key = d.Read.Package
	}
	return s.Files.SendPackage(c, key, q.Digest, "quote-"+q.Ref[:min(10, len(q.Ref))]+".zip")
}
