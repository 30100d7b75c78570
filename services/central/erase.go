package central

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// erase removes a customer's personal data from formal orders, with the files:
// nobody can say what of a person stands in them.
func (s *Service) erase(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.EraseData](c)
	if err != nil || data.IsControlled() { // an upload's design is no formal order's
		return err
	}
	keys, err := aggregate.FindMarked(ctx, s.events, contract.CentralAggregate, data.Marks())
	if err != nil {
		return err
	}
	for _, key := range keys {
		err := aggregate.Redact(ctx, s.events, contract.CentralAggregate, key, c, data.Marks(), s.now(), contract.CentralOrder.Redact)
		if err == nil {
			err = blob.DeletePrefix(ctx, s.files, contract.CentralPrefix+key+"/")
		}
		if err != nil {
			return err
		}
	}
	if err := aggregate.RecordErasure(ctx, s.events, c, data.Person, map[contract.Aggregate]int{contract.CentralAggregate: len(keys)}, 0, s.now()); err != nil || data.Again {
		return err
	}
	return s.eraseAgain(ctx, c, data)
}

// eraseAgain has a second look taken, for what was under way at the first.
func (s *Service) eraseAgain(ctx context.Context, c contract.Command, data contract.EraseData) error {
	data.Again = true
	again, err := c.Follow(contract.EraseCentral, data.Target(), s.now(), data)
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{
		Aggregate: contract.CentralAggregate, AggregateID: data.Target(), What: "erase", Due: s.now().Add(contract.EraseAgain), Command: again,
	})
}
