package pricing

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/flow"
)

// erase removes what clients asked for, dead letters and quotes: a customer's
// personal data, or all that tells of a design. Requests go first, so that none
// leads to a quote afterwards; what is being carried out meanwhile is found by
// the second look.
func (s *Service) erase(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[erasures.Data](c)
	if err != nil {
		return err
	}
	dropped, err := s.events.DropLabelled(ctx, data.MessageLabels())
	if err != nil {
		return err
	}
	for _, digest := range data.Boards {
		s.read.forget(digest)
	}
	eraser := aggregate.Eraser{Core: s.events, Command: c, Labels: data.Labels(), At: s.now()}
	erased, err := s.eraseQuotes(ctx, eraser, data)
	if err != nil {
		return err
	}
	for stream, n := range dropped {
		erased[contract.Aggregate(stream)] = n
	}
	if err := s.eraseAgain(ctx, c, data); err != nil || data.IsControlled() {
		return err
	}
	return eraser.Record(ctx, data.Person, erased, 0)
}

func (s *Service) eraseQuotes(ctx context.Context, eraser aggregate.Eraser, data erasures.Data) (map[contract.Aggregate]int, error) {
	kinds := []contract.Aggregate{contract.QuoteAggregate}
	if data.IsControlled() {
		kinds = append(kinds, contract.BuyLinkAggregate, contract.QuoteRequestAggregate, contract.PriceTableAggregate, contract.SavingsAggregate, contract.OperationAggregate)
	}
	erased := map[contract.Aggregate]int{}
	for _, kind := range kinds {
		ids, err := eraser.Find(ctx, kind)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if err := s.eraseOne(ctx, eraser, data, kind, id); err != nil {
				return nil, err
			}
		}
		erased[kind] = len(ids)
	}
	return erased, nil
}

func (s *Service) eraseOne(ctx context.Context, eraser aggregate.Eraser, data erasures.Data, kind contract.Aggregate, id string) error {
	if data.IsControlled() {
		return eraser.Remove(ctx, kind, id)
	}
	return aggregate.Redact(ctx, eraser, kind, id, func(q quotes.Quote) quotes.Quote { return q.Redact(s.now()) })
}

func (s *Service) eraseAgain(ctx context.Context, c contract.Command, data erasures.Data) error {
	if data.Again {
		return nil
	}
	data.Again = true
	due := s.now().Add(erasures.SecondLook)
	again, err := c.Follow(quotes.Erase, "again", due, data)
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.QuoteAggregate, AggregateID: data.Target(), What: "erase", Due: due, Command: again,
	})
}
