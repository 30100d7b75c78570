package notify

import (
	"cmp"
	"context"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/services/notify/internal/letter"
)

// state loads what a letter is about.
func state[S any](ctx context.Context, s *Service, a contract.Aggregate, id string) (S, error) {
	now, err := aggregate.Load[S](ctx, s.events, a, id)
	if err == nil && !now.Exists() {
		err = flow.Permanent(fmt.Errorf("there is no %s %s", a, id))
	}
	return now.State, err
}

func (s *Service) aboutOrder(ctx context.Context, data contract.SendLetterData) (page, error) {
	o, err := state[contract.Order](ctx, s, contract.OrderAggregate, data.About)
	if err != nil {
		return page{}, err
	}
	var l letter.Letter
	switch data.Letter {
	case contract.LetterReceipt:
		l, err = s.letters.Receipt(receipt(o, s.checkoutURL(o.Request, o.Quote)))
	case contract.LetterShipped:
		l, err = s.letters.Shipped(shipped(o, s.checkoutURL(o.Request, o.Quote)))
	default:
		why := attention(o, s.cfg.ConsoleURL+"/orders/"+o.Quote)
		if why.Why == "" {
			return page{}, errNotDue // somebody has seen to it
		}
		l, err = s.letters.OrderAttention(why)
		return page{l, s.cfg.Team, ""}, err
	}
	return page{l, cmp.Or(o.ShipTo.Email, o.Payment.Email), o.ShipTo.Name}, err
}

func receipt(o contract.Order, url string) letter.Receipt {
	return letter.Receipt{
		OrderRef: o.Ref, Name: o.ShipTo.Name, Board: o.Board, Quantity: o.Quantity, Lines: prices(o.Lines), TotalCents: o.TotalCents,
		Currency: o.Currency, PaidAt: o.PaidAt, Address: lines(o.ShipTo), Delivery: o.Delivery, StatusURL: url,
	}
}

func shipped(o contract.Order, url string) letter.Shipped {
	l := letter.Shipped{
		OrderRef: o.Ref, Name: o.ShipTo.Name, Board: o.Board, Quantity: o.Quantity, Address: lines(o.ShipTo), StatusURL: url,
	}
	if t := o.Tracking; t != nil {
		l.Carrier, l.Number, l.TrackingURL = t.Carrier, t.Number, t.URL
	}
	return l
}

func attention(o contract.Order, url string) letter.OrderAttention {
	return letter.OrderAttention{
		OrderRef: o.Ref, Held: o.Held != "", Why: cmp.Or(o.Held, o.Waiting), Name: o.ShipTo.Name, Email: cmp.Or(o.ShipTo.Email, o.Payment.Email),
		Board: o.Board, Quantity: o.Quantity, TotalCents: o.Payment.Cents, Currency: o.Payment.Currency,
		Reference: o.Fabricator.Reference, ConsoleURL: url, PaidAt: o.PaidAt,
	}
}

func prices(in []contract.Line) []letter.Line {
	out := make([]letter.Line, len(in))
	for i, l := range in {
		out[i] = letter.Line{Label: l.Label, Cents: l.Cents}
	}
	return out
}

func (s *Service) aboutReview(ctx context.Context, data contract.SendLetterData) (page, error) {
	q, err := state[contract.Quote](ctx, s, contract.QuoteAggregate, data.About)
	if err != nil {
		return page{}, err
	}
	if q.Delivery == nil {
		return page{}, flow.Permanent(fmt.Errorf("quote %s: nobody asked for a review", q.Ref))
	}
	if data.Letter == contract.LetterReviewPriced {
		if q.Reply.TotalCents == nil || q.Expired(s.now()) {
			return page{}, errNotDue
		}
		l, err := s.letters.ReviewPriced(priced(q, s.checkoutURL(q.Request, q.Ref)))
		return page{l, q.Delivery.ShipTo.Email, q.Delivery.ShipTo.Name}, err
	}
	partner, err := aggregate.Load[contract.Account](ctx, s.events, contract.AccountAggregate, q.Account)
	if err != nil {
		return page{}, err
	}
	l, err := s.letters.ReviewRequest(wanted(q, cmp.Or(partner.State.Name, q.Account), s.cfg.ConsoleURL+"/reviews/"+q.Ref))
	return page{l, s.cfg.Team, ""}, err
}

func wanted(q contract.Quote, partner, url string) letter.ReviewRequest {
	to := q.Delivery.ShipTo
	l := letter.ReviewRequest{
		QuoteRef: q.Ref, Partner: partner, Name: to.Name, Email: to.Email, Company: to.Company, Board: board(q),
		Quantity: q.Reply.Quantity, Reasons: q.Reply.CustomQuoteReasons, ConsoleURL: url, AskedAt: q.CreatedAt,
	}
	if q.Asked.SpecialNotes != nil {
		l.Notes = *q.Asked.SpecialNotes
	}
	return l
}

func priced(q contract.Quote, url string) letter.ReviewPriced {
	l := letter.ReviewPriced{
		QuoteRef: q.Ref, Name: q.Delivery.ShipTo.Name, Board: board(q), Quantity: q.Reply.Quantity, Lines: prices(q.Reply.Lines),
		TotalCents: *q.Reply.TotalCents, Currency: "USD", ValidUntil: q.ExpiresAt, CheckoutURL: url,
	}
	if q.Reply.Currency != nil {
		l.Currency = *q.Reply.Currency
	}
	if q.Reply.LeadTime != nil {
		l.Delivery = *q.Reply.LeadTime
	}
	return l
}

func board(q contract.Quote) string {
	if q.Reply.Board == nil {
		return "printed circuit boards"
	}
	return *q.Reply.Board
}

func (s *Service) aboutRefund(ctx context.Context, data contract.SendLetterData) (page, error) {
	c, err := state[contract.Checkout](ctx, s, contract.CheckoutAggregate, data.About)
	if err != nil {
		return page{}, err
	}
	o, err := aggregate.Load[contract.Order](ctx, s.events, contract.OrderAggregate, data.About)
	if err != nil {
		return page{}, err
	}
	if len(c.Refunds) == 0 {
		return page{}, errNotDue
	}
	last := c.Refunds[len(c.Refunds)-1]
	l, err := s.letters.Refunded(letter.Refunded{
		OrderRef: o.State.Ref, Name: c.ShipTo.Name, Cents: last.Cents, Currency: c.Currency, StatusURL: s.checkoutURL(c.Request, c.Quote),
	})
	return page{l, c.ShipTo.Email, c.ShipTo.Name}, err
}
