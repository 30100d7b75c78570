package pricing

import (
	"context"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/flow"
)

// requestReview records that the customer wants the team's price.
func (s *Service) requestReview(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.RequestReviewData](c)
	if err != nil {
		return err
	}
	before, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	known, until := before.State, before.State.ExpiresAt
	if s.reviewable(before) == nil && known.Status == quotes.SourcingReady && !before.Did(c.ID) {
		if err := s.know(ctx, &known, data.ShipTo); err != nil {
			return err
		}
		if until, err = s.keepOpen(ctx, c, known); err != nil {
			return err
		}
	}
	snap, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
			if err := s.reviewable(now); err != nil {
				return nil, err
			}
			q := now.State
			if q.Status != quotes.SourcingReady {
				return nil, nil // asked for before
			}
			if problems := s.tables.Places.Unmet(data.ShipTo); len(problems) > 0 {
				refusal := contract.Refuse(contract.InvalidRequest, "The contact and delivery details are not complete yet.")
				refusal.Fields = problems
				return nil, refusal
			}
			q.Status, q.Delivery = quotes.SourcingRequested, &shipments.Delivery{ShipTo: data.ShipTo}
			q.Language = data.Language
			q.Request.SpecialNotes = appendNote(q.Request.SpecialNotes, data.Note)
			at := s.now().UTC()
			q.RequestedAt, q.Known, q.Pricing, q.ExpiresAt = &at, known.Known, known.Pricing, until
			return &aggregate.Change[quotes.Quote]{Event: quotes.EventReviewRequested, State: q}, nil
		})
	if err != nil {
		return err
	}
	if err := s.reviewByItself(ctx, c, snap.State); err != nil || snap.Did(c.ID) {
		return err
	}
	return aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Complete(ctx, c, s.now())
}

// keepOpen is until when the team can price what the customer says now: as long as a
// review lasts, however old the quote is. What it is made of is kept until then.
func (s *Service) keepOpen(ctx context.Context, c contract.Command, q quotes.Quote) (time.Time, error) {
	until := s.now().Add(quotes.ReviewTTL)
	if until.Before(q.ExpiresAt) {
		return q.ExpiresAt, nil
	}
	return until, s.need(ctx, c, q.Digest, until)
}

// appendNote adds what the customer writes at checkout to the words for the team
// that came with the request for the quote.
func appendNote(notes *string, more string) *string {
	switch {
	case more == "":
		return notes
	case notes == nil || *notes == "":
		return &more
	}
	both := *notes + "\n\n" + more
	return &both
}

func (s *Service) reviewable(now aggregate.Snapshot[quotes.Quote]) error {
	switch {
	case !now.Exists():
		return contract.Refuse(contract.NotFound, "There is no such quote.")
	case now.State.Mode != quotes.ModeReview:
		return contract.Refuse(contract.Conflict, "This quote has an instant price; there is nothing to review.")
	case now.State.TeamRefusal() != nil:
		return contract.Refuse(contract.Conflict, "This request was declined already.")
	case now.State.IsExpired(s.now()):
		return contract.Refuse(contract.QuoteExpired, "This quote has expired. Please ask for a new one.")
	}
	return nil
}

// priceReview records the team's price; from then on the quote can be paid.
func (s *Service) priceReview(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.PriceReviewData](c)
	if err != nil {
		return err
	}
	ordered, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	quote, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	until, err := validUntil(data, s.now())
	if err != nil {
		return err
	}
	if quote.Exists() {
		if err := s.need(ctx, c, quote.State.Digest, until); err != nil {
			return err
		}
	}
	_, err = aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
			if err := s.reviewable(now); err != nil {
				return nil, err
			}
			if ordered.Exists() {
				return nil, contract.Refuse(contract.Conflict, "The customer has paid this quote; its price is settled.")
			}
			q := now.State
			if q.Status == quotes.SourcingReady {
				return nil, contract.Refuse(contract.Conflict, "The customer has not asked for this review yet.")
			}
			if data.Version != 0 && data.Version != q.Version {
				return nil, contract.Refuse(contract.Conflict, "%s", q.ExplainChange())
			}
			if err := teamPrice(&q, data); err != nil {
				return nil, err
			}
			q.ExpiresAt = until
			return &aggregate.Change[quotes.Quote]{Event: quotes.EventReviewPriced, State: q}, nil
		})
	return err
}

// validUntil is until when a price that the team sets now can be paid.
func validUntil(data quotes.PriceReviewData, now time.Time) (time.Time, error) {
	switch {
	case data.ValidDays == 0:
		return now.Add(quotes.ReviewTTL), nil
	case data.ValidDays < 0 || data.ValidDays > quotes.MaxValidDays:
		r := contract.Refuse(contract.InvalidRequest, "A price can be paid for 1 to %d days.", quotes.MaxValidDays)
		r.Fields = []contract.FieldProblem{{Field: "valid_days", Problem: "invalid", Message: r.Message}}
		return time.Time{}, r
	}
	return now.AddDate(0, 0, data.ValidDays), nil
}
