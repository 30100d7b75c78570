// Package sweeps looks for orders and checkouts that lost their timer.
package sweeps

import (
	"context"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
	"boardorder/services/payment/internal/saga"

	"go.uber.org/zap"
)

// Sweeps looks for what lost its timer.
type Sweeps struct {
	*saga.Env
	Docs  saga.Docs // for finding only: nothing is decided by what they say
	Every time.Duration
}

// swept are the documents that a timer has to lead on.
var swept = []orders.SweepData{
	{Aggregate: contract.OrderAggregate, Key: "status", Value: string(orders.Paid)},
	{Aggregate: contract.OrderAggregate, Key: "status", Value: string(orders.Placing)},
	{Aggregate: contract.OrderAggregate, Key: "status", Value: string(orders.Placed)},
	{Aggregate: contract.OrderAggregate, Key: "status", Value: string(orders.InProduction)},
	{Aggregate: contract.OrderAggregate, Key: moneyKey, Value: string(orders.MoneyOpen)},
	{Aggregate: contract.CheckoutAggregate, Key: "status", Value: string(checkouts.Open)},
	{Aggregate: contract.CheckoutAggregate, Key: "status", Value: string(checkouts.Charging)},
}

// moneyKey lists orders by what is open about their money.
const moneyKey = "money"

const (
	// sweepPage and sweepPause bound how much a sweep adds to other work.
	sweepPage  = 50
	sweepPause = 10 * time.Second
	// sweptPoll makes the wait after a sweep's look the longest one, as it is for
	// an order that has been followed for a while.
	sweptPoll = 10
)

// send sends the commands to look for what has lost its timer. Their ids
// come from the time, so that all replicas send the same ones.
func (s *Sweeps) send(ctx context.Context, at time.Time) error {
	for _, data := range slices.Concat(swept, testOf(swept)) {
		id := contract.DeriveID(orders.Sweep.String(), at.Format(time.RFC3339), string(data.Aggregate), data.Key, modeSuffix(data), data.Value)
		c, err := contract.NewRootCommand(orders.Sweep, id, "", at, data)
		if err != nil {
			return err
		}
		if err := s.Events.Send(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// testOf are the same sweeps of what test keys made.
func testOf(live []orders.SweepData) []orders.SweepData {
	out := slices.Clone(live)
	for i := range out {
		out[i].Test = true
	}
	return out
}

// listValue is the key's value that the projection lists the documents by.
func listValue(d orders.SweepData) string {
	return contract.ListWord(accounts.APIKey{Live: !d.Test}.Owner(""), d.Value)
}

// modeSuffix keeps the sweeps of the two modes apart.
func modeSuffix(d orders.SweepData) string {
	if d.Test {
		return "-test"
	}
	return ""
}

// Sweep has one page of orders or checkouts looked at, and goes on with the next
// page a little later. The projection is good enough for finding them: each look
// decides by the committed state, and one too many changes nothing.
func (s *Sweeps) Sweep(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[orders.SweepData](c)
	if err != nil {
		return err
	}
	found, next, err := s.Docs.List(ctx, string(data.Aggregate), data.Key, listValue(data), projection.Page{Limit: sweepPage, Cursor: data.Cursor})
	if err != nil {
		return fmt.Errorf("list %s by %s: %w", data.Aggregate, data.Key, err)
	}
	for _, d := range found {
		if err := s.lookAgain(ctx, c, data, d.ID); err != nil {
			return err
		}
	}
	if next == "" {
		return nil
	}
	data.Cursor = next
	return s.Schedule(ctx, c, orders.Sweep, data, contract.Timer{
		Aggregate: data.Aggregate, AggregateID: "sweep" + modeSuffix(data), What: data.Value, Due: s.Now().Add(sweepPause),
	})
}

// lookAgain sends what the document's timer would have sent.
func (s *Sweeps) lookAgain(ctx context.Context, c contract.Command, of orders.SweepData, quote string) error {
	name, data := orders.Follow, any(orders.Data{Quote: quote, Poll: sweptPoll})
	switch {
	case of.Aggregate == contract.CheckoutAggregate:
		name, data = checkouts.Settle, checkouts.SettleData{Quote: quote, Poll: sweptPoll}
	case of.Key == moneyKey:
		name, data = orders.SettleMoney, orders.SettleMoneyData{Quote: quote, Poll: sweptPoll}
	}
	look, err := c.Follow(name, quote, s.Now(), data)
	if err != nil {
		return err
	}
	return s.Events.Send(ctx, look)
}

// Remind sends the sweeps from time to time until ctx ends.
func (s *Sweeps) Remind(ctx context.Context) error {
	t := time.NewTicker(s.Every)
	defer t.Stop()
	for {
		if err := s.send(ctx, s.Now().UTC().Truncate(s.Every)); err != nil && ctx.Err() == nil {
			s.Log.Warn("cannot send the commands to look for orders without a timer", zap.Error(err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}
