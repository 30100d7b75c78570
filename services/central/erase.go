package central

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/flow"
)

// erase removes a customer's personal data from formal orders, with the files:
// nobody can say what of a person stands in them.
func (s *Service) erase(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[erasures.Data](c)
	if err != nil || data.IsControlled() { // an upload's design is no formal order's
		return err
	}
	eraser := aggregate.Eraser{Core: s.events, Command: c, Labels: data.Labels(), At: s.now()}
	keys, err := eraser.Find(ctx, contract.FormalAggregate)
	if err != nil {
		return err
	}
	for _, key := range keys {
		err := aggregate.Redact(ctx, eraser, contract.FormalAggregate, key, formal.Order.Redact)
		if err == nil {
			err = blob.DeletePrefix(ctx, s.files, formal.Prefix+key+"/")
		}
		if err != nil {
			return err
		}
	}
	if err := eraser.Record(ctx, data.Person, map[contract.Aggregate]int{contract.FormalAggregate: len(keys)}, 0); err != nil || data.Again {
		return err
	}
	return s.eraseAgain(ctx, c, data)
}

// eraseAgain has a second look taken, for what was under way at the first.
func (s *Service) eraseAgain(ctx context.Context, c contract.Command, data erasures.Data) error {
	data.Again = true
	again, err := c.Follow(formal.Erase, data.Target(), s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.FormalAggregate, AggregateID: data.Target(), What: "erase", Due: s.now().Add(erasures.SecondLook), Command: again,
	})
}
