package fulfilment

import (
	"context"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/trace"
	"boardorder/services/payment/internal/order"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// Presence finds out whether the fabricator has the order.
func (s *Orders) Presence(ctx context.Context, o saga.OrderSnapshot) (order.Presence, error) {
	if order.ChooseStep(o.State) == order.Nothing && o.State.Status != orders.Held || o.State.Fabricator.Attempt == 0 {
		return order.NeverAsked, nil
	}
	fab := s.Builder(o.State)
	if fab == nil {
		return 0, contract.Refuse(contract.Conflict, "The order's fabricator is no longer configured, so it is not known whether it has this order. Configure it again first.")
	}
	left := s.Settling.TimeLeft(o.State.Quote, o.State.Fabricator.Attempt, s.Now())
	placed, err := fab.FindOrder(ctx, order.Reference(o.State))
	switch {
	case err == nil && placed.Orders > 0:
		return order.Present, nil
	case err == nil:
		return order.Withdrawn, nil
	case fabricator.KindOf(err) != fabricator.NotFound:
		s.Log.Warn("cannot find out whether the fabricator has an order", zap.String("order", o.State.ID), zap.Error(err), trace.ID(ctx))
		r := contract.Refuse(contract.Unavailable, "The fabricator cannot be reached, so it is not known whether it has this order. Please try again in a few minutes.")
		r.RetryAfterS = 300
		return 0, r
	case left > 0:
		r := contract.Refuse(contract.Conflict, "A request for this order may be on its way to the fabricator. Please try again in a few minutes.")
		r.RetryAfterS = int(left.Seconds()) + 1
		return 0, r
	}
	return order.Absent, nil
}
