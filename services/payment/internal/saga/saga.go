// Package saga is what every step of taking money and having boards built shares:
// the event system, the two modes, timers. It decides nothing.
package saga

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"

	"go.uber.org/zap"
)

type (
	// CheckoutSnapshot is a checkout at one moment.
	CheckoutSnapshot = aggregate.Snapshot[checkouts.Checkout]
	// CheckoutChange is what a decision changes of a checkout.
	CheckoutChange = aggregate.Change[checkouts.Checkout]
	// OrderSnapshot is an order at one moment.
	OrderSnapshot = aggregate.Snapshot[orders.Order]
	// OrderChange is what a decision changes of an order.
	OrderChange = aggregate.Change[orders.Order]
)

// Env is what the steps work with.
type Env struct {
	Events aggregate.Core
	Live   Mode
	Test   Mode
	Retry  Backoff // while an external provider cannot be reached
	Log    *zap.Logger
	Now    func() time.Time
}

// Docs lists documents of the projection.
type Docs interface {
	List(ctx context.Context, kind, key, value string, page projection.Page) (docs []projection.Document, next string, err error)
}

// Checkout is the checkout of a quote.
func (s *Env) Checkout(quote string) aggregate.Ref[checkouts.Checkout] {
	return aggregate.At[checkouts.Checkout](s.Events, contract.CheckoutAggregate, quote)
}

// Order is the order of a quote.
func (s *Env) Order(quote string) aggregate.Ref[orders.Order] {
	return aggregate.At[orders.Order](s.Events, contract.OrderAggregate, quote)
}

// LoadOrder loads the order that a command is about. It must be there.
func (s *Env) LoadOrder(ctx context.Context, c contract.Command) (orders.Data, OrderSnapshot, error) {
	data, err := flow.Decode[orders.Data](c)
	if err != nil {
		return data, OrderSnapshot{}, err
	}
	now, err := s.Order(data.Quote).Load(ctx)
	if err == nil && !now.Exists() {
		err = flow.Permanent(fmt.Errorf("%s: there is no order of quote %s", c.Name, data.Quote))
	}
	return data, now, err
}

// Schedule sets a timer. The command's id holds the time: a command that comes
// again sets a timer that is its own, not one that was sent before and would be
// taken for a repetition.
func (s *Env) Schedule(ctx context.Context, c contract.Command, name contract.CommandName, data any, t contract.Timer) error {
	next, err := c.Follow(name, t.What+":"+strconv.FormatInt(t.Due.UnixNano(), 36), s.Now(), data)
	if err != nil {
		return err
	}
	t.Command = next
	return s.Events.Schedule(ctx, t)
}

// A Backoff is a delay that doubles with each try.
type Backoff struct{ First, Max time.Duration }

// Delay gives the delay after a try; the first is 0.
func (b Backoff) Delay(try int) time.Duration {
	d := b.First
	for ; try > 0 && d < b.Max; try-- {
		d *= 2
	}
	return min(d, b.Max)
}
