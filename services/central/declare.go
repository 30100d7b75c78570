package central

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/central/internal/order"
)

// declare marks an order whose request_id came again with a declaration that its
// design is ITAR-controlled. From then on only US persons see it; what was derived
// from its files is removed. Unless it is made in the United States its files go,
// too, and the request is refused. All of it can be done twice.
func (s *Service) declare(ctx context.Context, c contract.Command, data formal.SubmitData) error {
	after, err := aggregate.At[formal.Order](s.events, contract.FormalAggregate, data.Order).Execute(ctx, c, s.now(), func(now snapshot) (*change, error) {
		state, changed := order.DeclareITAR(now.State, data.BoardOrigin)
		if !changed {
			return nil, nil
		}
		return &change{Event: formal.EventUpdated, State: state}, nil
	})
	if err != nil {
		return err
	}
	if err := s.forget(ctx, c, after.State); err != nil {
		return err
	}
	if order.IsUSMade(after.State, data.BoardOrigin) {
		return s.answerExisting(ctx, c, data)
	}
	if !order.Keeps(after.State) {
		if err := blob.DeletePrefix(ctx, s.files, formal.Prefix+data.Order+"/"); err != nil {
			return err
		}
	}
	data.Form = formal.Form{ITAR: true}
	return s.refuse(ctx, data, order.Refusal(data))
}

// forget removes what was derived from the files of an order, and what was
// recorded of it before it was marked.
func (s *Service) forget(ctx context.Context, c contract.Command, o formal.Order) error {
	ref := uploadRef(o)
	if err := s.follow(ctx, c, uploads.DeclareITAR, ref, uploads.Data{Ref: ref}); err != nil {
		return err
	}
	labels := contract.NewLabels(contract.ControlledLabel)
	return aggregate.Erase(ctx, aggregate.Eraser{Core: s.events, Command: c, Labels: labels, At: s.now()}, contract.FormalAggregate, o.Key, func(o formal.Order) formal.Order { return o })
}
