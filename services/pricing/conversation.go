package pricing

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
	"boardorder/services/pricing/internal/review"
)

// askCustomer records a question of the team's; the customer is written to.
func (s *Service) askCustomer(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.AskCustomerData](c)
	if err != nil {
		return err
	}
	return s.converse(ctx, c, data.Quote, quotes.EventReviewQuestion, func(q quotes.Quote) (quotes.Quote, error) {
		return review.Ask(q, data, contract.DeriveID("question", c.ID), s.now())
	})
}

// answerReview records the customer's answer; the team is written to.
func (s *Service) answerReview(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.AnswerReviewData](c)
	if err != nil {
		return err
	}
	before, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, data.Quote).Load(ctx)
	if err != nil {
		return err
	}
	until := before.State.ExpiresAt
	if s.reviewable(before) == nil {
		if until, err = s.keepOpen(ctx, c, before.State); err != nil {
			return err
		}
	}
	return s.converse(ctx, c, data.Quote, quotes.EventReviewAnswered, func(q quotes.Quote) (quotes.Quote, error) {
		q.ExpiresAt = until
		return review.Answer(q, data, s.now())
	})
}

// refuseReview ends a quote that the team does not price.
func (s *Service) refuseReview(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[quotes.RefuseReviewData](c)
	if err != nil {
		return err
	}
	return s.converse(ctx, c, data.Quote, quotes.EventReviewRefused, func(q quotes.Quote) (quotes.Quote, error) {
		return review.Refuse(q, data, s.now())
	})
}

// converse commits one step of a conversation.
func (s *Service) converse(ctx context.Context, c contract.Command, quote string, event contract.EventName, step func(quotes.Quote) (quotes.Quote, error)) error {
	_, err := aggregate.At[quotes.Quote](s.events, contract.QuoteAggregate, quote).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
			switch {
			case !now.Exists():
				return nil, contract.Refuse(contract.NotFound, "There is no such quote.")
			case now.State.IsExpired(s.now()) && now.State.TeamRefusal() == nil:
				return nil, contract.Refuse(contract.QuoteExpired, "This quote has expired. Please ask for a new one.")
			}
			next, err := step(now.State)
			if err != nil {
				return nil, err
			}
			return &aggregate.Change[quotes.Quote]{Event: event, State: next}, nil
		})
	return err
}
