package erasure

import (
	"context"
	"fmt"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/services/payment/internal/saga"
)

// controlled is why an order of a design that was declared stands still.
const controlled = "the design was declared ITAR-controlled and its files are deleted, so it cannot be built here: write to the customer, or cancel it, which gives the money back"

// holdControlled has people decide about an order of a design that was declared:
// whoever declares need not be whoever paid. Nothing is given back without them.
func (s *Erasure) holdControlled(ctx context.Context, c contract.Command, o saga.OrderSnapshot) error {
	why := controlled
	switch o.State.Status {
	case orders.Placing:
		return fmt.Errorf("order %s is being placed just now", o.State.ID)
	case orders.Placed, orders.InProduction:
		why += ". The fabricator has the order: cancel it there first"
	case orders.Held:
		if strings.HasSuffix(o.State.Held, why) {
			return nil
		}
		why = o.State.Held + "; then " + why
	}
	return s.Orders.Hold(ctx, c, o, why)
}
