package central

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/flow"
	"boardorder/services/central/internal/order"
)

// decide changes an order as a plain function of it says: the event, and the order
// after it; no event changes nothing. The files are kept for longer by each change.
func (s *Service) decide(ctx context.Context, c contract.Command, key string, do func(formal.Order) (formal.Order, contract.EventName, error)) error {
	at := s.now()
	after, err := aggregate.At[formal.Order](s.events, contract.FormalAggregate, key).Execute(ctx, c, at, func(now snapshot) (*change, error) {
		if !now.Exists() || now.State.Account != c.Account {
			return nil, contract.Refuse(contract.OrderNotFound, "There is no such order.")
		}
		next, event, err := do(now.State)
		if err != nil || event == "" {
			return nil, err
		}
		return &change{Event: event, State: order.Touch(next, at, s.cfg.FilesKept)}, nil
	})
	if err != nil {
		return err
	}
	if !after.Did(c.ID) {
		return aggregate.At[formal.Order](s.events, contract.FormalAggregate, key).Complete(ctx, c, at)
	}
	if err := s.goOnByItself(ctx, c, after.State); err != nil {
		return err
	}
	return s.scheduleDrop(ctx, c, after.State)
}

// quote issues a formal quote, in place of the one before.
func (s *Service) quote(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[formal.IssueQuoteData](c)
	if err != nil {
		return err
	}
	return s.decide(ctx, c, data.Order, func(o formal.Order) (formal.Order, contract.EventName, error) {
		next, event, err := order.Quote(o, data, s.now())
		if err == nil {
			next.Quote.Seller = invoices.Seller(s.cfg.Seller)
		}
		return next, event, err
	})
}

// accept accepts an option of the current quote.
func (s *Service) accept(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[formal.AcceptQuoteData](c)
	if err != nil {
		return err
	}
	return s.decide(ctx, c, data.Order, func(o formal.Order) (formal.Order, contract.EventName, error) {
		return order.Accept(o, data, c.Request, s.now())
	})
}

// move carries out an operator's word: a status, dates, tracking.
func (s *Service) move(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[formal.MoveData](c)
	if err != nil {
		return err
	}
	return s.decide(ctx, c, data.Order, func(o formal.Order) (formal.Order, contract.EventName, error) {
		return order.Move(o, data, s.now())
	})
}

// review records what the team found in the design.
func (s *Service) review(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[formal.RecordReviewData](c)
	if err != nil {
		return err
	}
	return s.decide(ctx, c, data.Order, func(o formal.Order) (formal.Order, contract.EventName, error) {
		return order.Review(o, data, s.now())
	})
}

// ask records a question of the team's; the customer is written to.
func (s *Service) ask(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[formal.AskData](c)
	if err != nil {
		return err
	}
	return s.decide(ctx, c, data.Order, func(o formal.Order) (formal.Order, contract.EventName, error) {
		return order.Ask(o, data, contract.DeriveID("question", c.ID), s.now())
	})
}

// answer records the customer's answer; the team is written to.
func (s *Service) answer(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[formal.AnswerData](c)
	if err != nil {
		return err
	}
	return s.decide(ctx, c, data.Order, func(o formal.Order) (formal.Order, contract.EventName, error) {
		return order.Answer(o, data, s.now())
	})
}
